// Types of an application: of members of several types; with sums of its own
// inside, and hidden; such as have to lie at certain addresses.
#pragma once
#include <cstring>

struct Mixed {
  double v;
  int n, m;
};
struct Capped {
  int v;
  Capped &operator+=(const Capped &other);
};
struct Two {
  Capped a;
  int b;
};
struct Hidden {
  int v;
  void add(int n);
};
struct Many {
  double v[20], w[20], x[20], y[20];
  /// Too long to be worth inlining at every call.
  void add(const Many &other) {
#define ADD(p, i) p[i] += other.p[i];
#define ADD_FOUR(p, i) ADD(p, i) ADD(p, i + 1) ADD(p, i + 2) ADD(p, i + 3)
#define ADD_ALL(p) ADD_FOUR(p, 0) ADD_FOUR(p, 4) ADD_FOUR(p, 8) ADD_FOUR(p, 12) ADD_FOUR(p, 16)
    ADD_ALL(v)
    ADD_ALL(w)
    ADD_ALL(x)
    ADD_ALL(y)
  }
};
struct alignas(32) Wide {
  double x[3];
};
struct alignas(32) Full {
  double x[4];
};

template <class T> int isOther(const char *type, const char *name) {
  return std::strcmp(type, name);
}
inline int type_error(const Mixed *, const char *type) { return isOther<Mixed>(type, "Mixed"); }
inline int type_error(const Two *, const char *type) { return isOther<Two>(type, "Two"); }
inline int type_error(const Hidden *, const char *type) { return isOther<Hidden>(type, "Hidden"); }
inline int type_error(const Many *, const char *type) { return isOther<Many>(type, "Many"); }
inline int type_error(const Wide *, const char *type) { return isOther<Wide>(type, "Wide"); }
inline int type_error(const Full *, const char *type) { return isOther<Full>(type, "Full"); }
