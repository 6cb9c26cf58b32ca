// --op2-report=html:FOLDER: a page about the loops of all files, whose texts
// cannot end it.
// REQUIRES: no-sanitizer
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: cd %t && %op2cxx -O2 -Werror=op2-sequential --op2-vector-bits=256 --op2-report=html:page main.cpp other.cpp -o app 2>&1 | count 0
// RUN: cd %t && %python %S/../Integration/Inputs/read_page.py page 6 > found && FileCheck %s --input-file=found
// RUN: cd %t && cat other.cpp >> main.cpp && %op2cxx %unoptimized -O2 --op2-vector-bits=256 --op2-report --op2-report=html:page -c main.cpp 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: cd %t && %python %S/../Integration/Inputs/read_page.py page 6 | FileCheck %s --check-prefix=AGAIN

// The data of each file, and which of their lines lead to the kernel's.
// CHECK: script elements: 4
// CHECK-NEXT: unit main.cpp
// CHECK-NEXT: add main.cpp:13
// CHECK-NEXT: targets: compiled for openmp
// CHECK-NEXT: elements: vectorized across 4 elements; threads divide them in blocks, without conflicts
// CHECK: op2 IR: {{.*}}arith.mulf
// CHECK: plan: {{.*}}arith.mulf
// CHECK: omp: {{.*}}arith.mulf
// CHECK: assembly: mulpd
// CHECK: source: static const char *const text = "</script><script>alert(1)</script><!-- \"é";
// CHECK-NEXT: unit other.cpp
// CHECK-NEXT: look other.cpp:16
// CHECK: elements: not vectorized: the kernel is not raised
// CHECK-NEXT: kernel: kernel not raised: it calls 'printf' (other.cpp:3)

// The same data as remarks.
// BOTH: remark: loop 'add': vectorized across 4 elements; threads divide them in blocks, without conflicts
// AGAIN: script elements: 4
// AGAIN: add main.cpp:13
// AGAIN: look main.cpp:

// Loops that nobody sees.
// RUN: cd %t && %op2cxx %unoptimized -O1 -Wno-op2 -Wno-incompatible-exception-spec --op2-report=html:missed -c missed.cpp 2>&1 | count 0
// RUN: cd %t && %python %S/../Integration/Inputs/read_page.py missed | FileCheck %s --check-prefix=MISSED
// RUN: cd %t && %if chromium %{ %browse missed/index.html 'text:#loop h2' 'text:#loop li' | FileCheck %s --check-prefix=SHOWN %}
// MISSED: {{^}}missed{{ *$}}
// MISSED-NEXT: fallback: its call was not seen when this file was parsed
// SHOWN: missed
// SHOWN-NEXT: fallback: its call was not seen

// The assembly is that of the output, also where code is not optimised.
// RUN: cd %t && %op2cxx -O0 -S --op2-report=html:plain main.cpp && %python compare.py plain main.s | FileCheck %s --check-prefix=SAME
// SAME: add_chunk: True

// Of a device each loop's kernels, in MLIR and as PTX; what is embedded has no lines.
// RUN: cd %t && %op2cxx -O2 --op2-target=cuda --op2-gpu-format=ptx --op2-report=html:device -c main.cpp -o lines.o && %op2cxx -O2 --op2-target=cuda --op2-gpu-format=ptx -c main.cpp -o plain.o && cmp lines.o plain.o
// RUN: cd %t && %python %S/../Integration/Inputs/read_page.py device 6 | FileCheck %s --check-prefix=DEVICE
// RUN: cd %t && %op2cxx -O2 -g --op2-target=cuda --op2-gpu-format=ptx --op2-no-raise --op2-emit=ptx --op2-report=html:device loop.cpp | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: {{debug|\.loc }}
// PLAIN: .target sm_80{{$}}
// PLAIN: .entry op2_sum(
// PLAIN-NOT: {{debug|\.loc }}
// DEVICE: add main.cpp:13
// DEVICE: gpu: {{.*}}arith.mulf
// DEVICE: PTX: mul.{{.*}}f64

// What cannot be written is an error; nothing is compiled meanwhile.
// RUN: touch %t/file && not %op2cxx %unoptimized -O2 --op2-report=html:%t/file -c %t/main.cpp -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not %op2cxx --op2-report=page -c %t/main.cpp 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not %op2cxx --op2-report=html: -c %t/main.cpp 2>&1 | FileCheck %s --check-prefix=FORMAT
// FILE: error: --op2-report=html: cannot {{make the folder|write}} '{{.*}}file'
// FORMAT: op2c++: error: --op2-report takes html: and the name of a folder, not '{{(page|html:)}}'

//--- main.cpp
#include "op_seq.h"

static const char *const text = "</script><script>alert(1)</script><!-- \"é";

static void add(const double *from, double *to) {
  *to = *from * 3;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  op_set cells = op_decl_set(4, "</script>");
  op_dat x = op_decl_dat_temp(cells, 1, "double", (double *)NULL, text), y = op_decl_dat_temp(cells, 1, "double", (double *)NULL, "y");
  op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_exit();
}
//--- other.cpp
#include "op_seq.h"
#include <cstdio>
static void look(const double *from, double *to) { *to = std::printf("%g", *from); }
// A table that names what is no loop's code: labels.
int jump(int n);
int jump(int n) {
  static void *const places[] = {&&one, &&two};
  goto *places[n & 1];
one:
  return std::puts("one");
two:
  return std::puts("two");
}
void run(op_set cells, op_dat x, op_dat y);
void run(op_set cells, op_dat x, op_dat y) {
  op_par_loop(look, "look", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
//--- missed.cpp
#include "op_seq.h"
void (*const loop)(void (*)(double *), const char *, op_set, op_arg) = op_par_loop;
void run(void (*kernel)(double *), op_set set, op_arg arg) { loop(kernel, "missed", set, arg); }

//--- loop.cpp
#include "op_seq.h"
static void sum(const int *n, double *to) {
  double all = 0;
  for (int i = 1; i < *n; ++i)
    all += 1.0 / i;
  *to = all;
}
void run(op_set cells, op_dat x, op_dat y);
void run(op_set cells, op_dat x, op_dat y) {
  op_par_loop(sum, "sum", cells, op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
//--- compare.py
import glob
import json
import re
import sys


def mnemonics(lines):
    return [line.split()[0] for line in lines if re.match(r"[ \t]+[a-z]", line)]


assembly = open(sys.argv[2]).read()
for loop in json.load(open(glob.glob(sys.argv[1] + "/main.cpp-*")[0]))["loops"]:
    for function in [code for code in loop["code"] if code["title"] == "assembly"][0]["functions"]:
        body = re.search(rf'^"?{re.escape(function["name"])}"?:(.*?)^\.Lfunc_end', assembly, re.S | re.M).group(1)
        print(function["name"] + ":", mnemonics(function["text"].split("\n")) == mnemonics(body.split("\n")))
