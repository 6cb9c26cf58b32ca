// Helpers several levels deep: what they do to their arguments counts.
#ifndef ACCESS_HELPERS_H
#define ACCESS_HELPERS_H

inline void setFirst(double *p, double v) {
  p[0] = v; // line 6
}
inline void scaleAll(double *p, double v) {
  setFirst(p, p[0] * v);
  p[1] *= v;
}
inline double total(const double *p) { return p[0] + p[1]; }
inline void add(double &target, double v) { target += v; }

#endif
