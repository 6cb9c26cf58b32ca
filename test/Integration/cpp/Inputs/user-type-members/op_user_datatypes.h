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
inline int type_error(const Wide *, const char *type) { return isOther<Wide>(type, "Wide"); }
inline int type_error(const Full *, const char *type) { return isOther<Full>(type, "Full"); }
