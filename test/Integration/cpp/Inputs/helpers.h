// For language.cpp: what its kernels call, the outermost of three headers.
#ifndef HELPERS_H
#define HELPERS_H
#include "helpers-inner.h"

struct Point {
  double x, y;
  Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
  Point &operator*=(double factor) {
    x *= factor;
    y *= factor;
    return *this;
  }
};

inline double norm1(const Point &p) { return inner::absolute(p.x) + inner::absolute(p.y); }
inline void swapped(Point &p) { inner::exchange(p.x, p.y); }

#endif
