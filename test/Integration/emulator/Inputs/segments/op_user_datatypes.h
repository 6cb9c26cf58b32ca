// A type of the application that merges.cpp combines.
#ifndef OP_USER_DATATYPES_H
#define OP_USER_DATATYPES_H

#include <cstring>

/// Values that follow one another. Rows of bytes would not be aligned as it is.
struct alignas(16) segment {
  double first, last, widest; ///< the widest step from one to the next
  int count;
};

inline int type_error(const segment *, const char *type) {
  return std::strcmp(type, "segment");
}

#endif
