#ifndef HELPERS_INNERMOST_H
#define HELPERS_INNERMOST_H

namespace innermost {
template <class T> static T choose(bool first, const T &a, const T &b) { return first ? a : b; }
} // namespace innermost
#endif
