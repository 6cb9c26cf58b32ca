// A type of the application that reductions.cpp's sister merges.cpp combines.
#ifndef OP_USER_DATATYPES_H
#define OP_USER_DATATYPES_H

#include <cstring>

/// How many values, their mean, and the sum of squares of what they differ by.
struct moments {
  long long count;
  double mean, squares;
};

inline int type_error(const moments *, const char *type) {
  return std::strcmp(type, "moments");
}

#endif
