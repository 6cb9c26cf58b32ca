// The types of user-types.cpp, as an application of OP2 defines its own.
#ifndef OP_USER_DATATYPES_H
#define OP_USER_DATATYPES_H

#include <complex>
#include <cstring>

/// Three doubles.
struct vec3 {
  double x, y, z;
  void add(const vec3 &other) {
    x += other.x;
    y += other.y;
    z += other.z;
  }
};
inline vec3 operator*(double a, const vec3 &v) {
  return {a * v.x, a * v.y, a * v.z};
}

/// Numbers of several types, and padding.
struct cell {
  double area;
  float weight[3];
  short level;
  bool ghost;
  int owner : 20;
};

/// Aligned as its largest number, 2 bytes.
struct tag {
  short kind;
  char name[5];
};

/// A number of the application's own, which takes a word of OP2's.
typedef std::complex<double> complex_t;

inline int type_error(const vec3 *, const char *type) {
  return std::strcmp(type, "vec3") && std::strcmp(type, "vec3:soa");
}
inline int type_error(const cell *, const char *type) {
  return std::strcmp(type, "cell") && std::strcmp(type, "cell:soa");
}
inline int type_error(const tag *, const char *type) {
  return std::strcmp(type, "tag");
}
inline int type_error(const complex_t *, const char *type) {
  return std::strcmp(type, "complex");
}

#define ZERO_vec3 vec3{0, 0, 0};
#define ZERO_cell cell{};

#endif
