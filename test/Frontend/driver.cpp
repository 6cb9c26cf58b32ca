// The driver's own options.
// RUN: %op2cxx --op2-version | FileCheck %s --check-prefix=VERSION
// RUN: %op2cxx --version | FileCheck %s --check-prefixes=VERSION,CLANG
// RUN: %op2cxx --op2-help | FileCheck %s --check-prefix=HELP
// RUN: %op2cxx --help | FileCheck %s --check-prefixes=HELP,CLANG-HELP
// RUN: %op2cxx --op2-print-command -O3 -c %s | FileCheck %s --check-prefix=COMPILE
// RUN: %op2cxx --op2-print-command %s -o app | FileCheck %s --check-prefix=LINK
// RUN: %op2cxx --op2-print-command a.o b.o -o app | FileCheck %s --check-prefix=OBJECTS
// RUN: %op2cxx --op2-print-command -o app -- a.o -b.o | FileCheck %s --check-prefix=FILES
// RUN: %op2cxx --op2-print-command --op2-launch -Werror=op2-sequential /usr/bin/g++ -c %s | FileCheck %s --check-prefix=LAUNCH
// RUN: %op2cxx --op2-print-command --op2-target=openmp,cuda --op2-gpu-chip=sm_80,sm_90 --op2-gpu-format=ptx --op2-cuda-path=/opt/cuda -c %s | FileCheck %s --check-prefix=CUDA
// What Clang takes for C++ is compiled with the plugin.
// RUN: cp %s %t.CC && %op2cxx --op2-print-command -c %t.CC | FileCheck %s --check-prefix=COMPILE
// RUN: %op2cxx --op2-print-command --language=c++ --compile - | FileCheck %s --check-prefix=COMPILE
// RUN: %op2cxx --op2-print-command --language c++ --preprocess - | FileCheck %s --check-prefix=COMPILE
// RUN: not %op2cxx --op2-gpu-format=elf -c %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not %op2cxx --op2-target=fpga -c %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %op2cxx --op2-emit=sass %s 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: %op2cxx --op2-print-command --op2-strategy=atomics --op2-layout=soa --op2-block-size=64 -c %s | FileCheck %s --check-prefix=PLAN
// RUN: not %op2cxx --op2-strategy=magic -c %s 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not %op2cxx --op2-block-size=0 -c %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %op2cxx --op2-block-size=99999 -c %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %op2cxx --op2-what %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %op2cxx -Xclang -plugin-arg-op2 -Xclang magic -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLUGIN
// RUN: not %op2cxx -Xclang -plugin-arg-op2 -Xclang target=fpga -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLUGIN-TARGET
// Object files alone, without the libraries of programs.
// RUN: %op2cxx -c %s -o %t.o && %op2cxx -r %t.o -o %t.both.o && not %op2cxx -r %t.o missing.o -o %t.both.o
// OP2's library is a shared one.
// RUN: not %op2cxx -static %t.o 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not %op2cxx -static-pie %t.o 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %op2cxx -static -c %s -o %t.o
// RUN: not %op2cxx --op2-veclib=svml -c %s 2>&1 | FileCheck %s --check-prefix=VECLIB
// RUN: not %op2cxx --op2-vector-bits=100 -c %s 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not %op2cxx --op2-save-temps -c %s %S/kernels.cpp 2>&1 | FileCheck %s --check-prefix=TEMPS
// RUN: not %op2cxx --op2-emit=op2 %s %S/kernels.cpp 2>&1 | FileCheck %s --check-prefix=EMIT-TWO
// RUN: not %op2cxx --op2-emit=ptx --op2-target=openmp,emulator %s 2>&1 | FileCheck %s --check-prefix=EMIT-PTX
// RUN: not %op2cxx --op2-emit=omp --op2-target=seq %s 2>&1 | FileCheck %s --check-prefix=EMIT-OMP
// RUN: not %op2cxx --op2-emit=loops --op2-target=seq %s 2>&1 | FileCheck %s --check-prefix=EMIT-LOOPS
// RUN: not %op2cxx --op2-emit=op2 a.o 2>&1 | FileCheck %s --check-prefix=EMIT-OBJECT
// RUN: not %op2cxx -c %s -DBROKEN -o %t.o 2>&1 | FileCheck %s --check-prefix=BROKEN

// An installation of which a part is missing.
// RUN: rm -rf %t.d && mkdir -p %t.d/bin && cp %build/bin/op2c++ %t.d/bin
// RUN: not %t.d/bin/op2c++ -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PART
// RUN: %clangxx -shared -fPIC %source/test/Inputs/failing-calls.cpp -o %t.so
// RUN: not env LD_PRELOAD=%t.so FAILING_CALL=readlink %build/bin/op2c++ -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WHERE

// VERSION: op2c++ {{[0-9.]+}} (clang 22)
// CLANG-NEXT: clang version 22.
// HELP: Usage: op2c++ [options] file...
// HELP-NOT: clang LLVM compiler
// HELP: --op2-target=<list>
// HELP: -Wop2-sequential a loop is not compiled
// CLANG-HELP: OVERVIEW: clang LLVM compiler
// COMPILE: -Xclang -load -Xclang {{.*}}/lib/libOP2Clang.so -Xclang -plugin-arg-op2 -Xclang target=openmp
// COMPILE-SAME: -fno-math-errno -D__OP2CXX__ -I{{.*}}/include/op2
// COMPILE-NOT: -lop2
// LINK: -lop2 -lomp
// OBJECTS-NOT: -load
// OBJECTS: a.o b.o -o app {{.*}}-lop2 -lomp
// FILES-NOT: {{ -- }}
// FILES: a.o ./-b.o -o app {{.*}}-lop2 -lomp
// LAUNCH: clang++{{.*}} -Xclang -plugin-arg-op2 -Xclang Werror=op2-sequential
// LAUNCH-NOT: /usr/bin/g++
// CUDA: -Xclang -plugin-arg-op2 -Xclang target=openmp,cuda -Xclang -plugin-arg-op2 -Xclang gpu-chip=sm_80,sm_90 -Xclang -plugin-arg-op2 -Xclang gpu-format=ptx -Xclang -plugin-arg-op2 -Xclang cuda-path=/opt/cuda
// FORMAT: op2c++: error: unknown value 'elf' in --op2-gpu-format; known are ptx, cubin, fatbin
// TARGET: op2c++: error: unknown value 'fpga' in --op2-target; known are openmp, cuda, seq, emulator
// STAGE: op2c++: error: unknown value 'sass' in --op2-emit; known are op2, loops, plan, omp, gpu, ptx, llvm
// PLAN: -Xclang -plugin-arg-op2 -Xclang strategy=atomics -Xclang -plugin-arg-op2 -Xclang layout=soa -Xclang -plugin-arg-op2 -Xclang block-size=64
// PLUGIN: error: unknown op2 plugin argument 'magic'
// PLUGIN-TARGET: error: unknown op2 target 'fpga'; expected openmp, cuda, seq or emulator
// STRATEGY: op2c++: error: unknown value 'magic' in --op2-strategy; known are auto, owner, two-level, atomics, global
// SIZE: op2c++: error: --op2-block-size takes a number from 1 to 65536, not '{{[0-9]+}}'
// STATIC: op2c++: error: -static{{(-pie)?}}: OP2's library is a shared one only; expected a program that is linked dynamically
// VECLIB: op2c++: error: unknown value 'svml' in --op2-veclib; known are libmvec, none
// VECTOR: op2c++: error: --op2-vector-bits takes 0, 128, 256 or 512, not '100'
// TEMPS: op2c++: error: --op2-save-temps takes one input file
// EMIT-TWO: op2c++: error: --op2-emit takes one input file
// EMIT-OBJECT: op2c++: error: --op2-emit needs a source file
// EMIT-PTX: op2c++: error: --op2-emit=ptx prints a stage of cuda; expected one of these in --op2-target=openmp,emulator
// EMIT-LOOPS: --op2-emit=loops prints a stage of openmp,emulator,cuda; expected one of these in --op2-target=seq
// EMIT-OMP: --op2-emit=omp prints a stage of openmp; expected one of these in --op2-target=seq
// OPTION: op2c++: error: unknown option '--op2-what'
// PART: op2c++: error: cannot find the plugin at '{{.*}}.d/lib/libOP2Clang.so'
// WHERE: op2c++: error: cannot find out where it is installed (/proc/self/exe)
// BROKEN: error: no such luck
#ifdef BROKEN
#error no such luck
#endif
