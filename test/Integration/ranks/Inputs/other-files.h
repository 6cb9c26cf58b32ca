// What both files of ../other-files.cpp know of each other.
#ifndef OTHER_FILES_H
#define OTHER_FILES_H

#include "op_seq.h"

struct Mesh {
  op_set cells;
  op_map next;
  op_dat q, r, s;
};

void twoLoops(const Mesh &mesh, bool first, bool second);
void spread(const Mesh &mesh);
void settle(const Mesh &mesh);

#endif
