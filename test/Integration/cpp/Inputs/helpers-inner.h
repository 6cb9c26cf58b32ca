#ifndef HELPERS_INNER_H
#define HELPERS_INNER_H
#include "helpers-innermost.h"

namespace inner {
template <class T> T absolute(T value) { return innermost::choose(value < T(0), -value, value); }
template <class T> void exchange(T &a, T &b) {
  T old = a;
  a = b;
  b = old;
}
} // namespace inner
#endif
