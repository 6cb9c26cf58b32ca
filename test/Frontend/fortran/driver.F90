! op2fc's own options are op2c++'s; the rest is for flang.
!
! REQUIRES: flang
! RUN: rm -rf %t.d && mkdir -p %t.d/bin && cd %t.d
! RUN: %op2fc --op2-help | FileCheck %s --check-prefix=HELP
! RUN: %op2fc --version | FileCheck %s --check-prefix=VERSION
! RUN: not %op2fc --op2-targets=seq %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
! RUN: %op2fc --op2-print-command -O2 -Jmods -I inc -g -w -Werror -fveclib=libmvec --op2-target=seq,openmp -Wno-op2-inc --op2-report --op2-mpi -c %s -o a.o | FileCheck %s --check-prefix=COMMAND
! RUN: %op2fc --op2-print-command -g1 -gdwarf-4 -c %s | FileCheck %s --check-prefix=DWARF
! RUN: %op2fc --op2-print-command a.o -o a | FileCheck %s --check-prefix=LINK
! RUN: not %op2fc --op2-emit=op2 a.o 2>&1 | FileCheck %s --check-prefix=EMIT
! RUN: %op2fc -fsyntax-only %s
! RUN: %op2fc -E %s -o - | FileCheck %s --check-prefix=PREPROCESSED
! RUN: not %op2fc -c -mllvm -op2=nonsense %s -o b.o 2>&1 | FileCheck %s --check-prefix=PLUGIN
! RUN: not ls b.o
! RUN: %op2fc --op2-print-command --op2-launch gfortran -c %s | FileCheck %s --check-prefix=LAUNCH

! A driver by itself finds neither its plugin nor OP2's modules.
! RUN: cp %build/bin/op2fc bin && not %t.d/bin/op2fc -c %s 2>&1 | FileCheck %s --check-prefix=ALONE
! RUN: mkdir -p lib && cp %build/lib/libOP2Flang.so lib && not %t.d/bin/op2fc -c %s 2>&1 | FileCheck %s --check-prefix=MODULES

! HELP: Usage: op2fc [options] file...
! HELP: A Fortran compiler for applications that use OP2
! HELP: --op2-target=<list>
! VERSION: op2fc {{[0-9.]+}} (flang 22)
! VERSION: flang version 22
! UNKNOWN: op2fc: error: unknown option '--op2-targets=seq'; see op2fc --op2-help
! COMMAND: flang-22 -fpass-plugin={{.*}}/lib/libOP2Flang.so -mllvm -op2=Werror=op2 -mllvm -op2=Wno-op2 -mllvm -op2=veclib=libmvec -mllvm -op2=target=seq,openmp -mllvm -op2=Wno-op2-inc -mllvm -op2=report -mllvm -op2=ranks -mllvm -op2-module-dir=mods -mllvm -op2-include=inc -mllvm -op2-debug=full -g -I{{.*}}/include/op2/fortran/flang-22 -O2 -Jmods -I inc -w -Werror -fveclib=libmvec -c {{.*}}driver.F90 -fno-version-loops-for-stride -o a.o{{$}}
! DWARF: -op2-debug=full -g -I{{[^ ]*}} -gdwarf-4 -c
! LINK-NOT: -fpass-plugin
! LINK: -lop2f {{.*}}-lop2 -lomp
! EMIT: op2fc: error: --op2-emit needs a source file
! PREPROCESSED: program main
! PLUGIN: error: unknown op2 plugin argument 'nonsense'
! LAUNCH-NOT: gfortran
! ALONE: op2fc: error: cannot find the plugin at '{{.*}}/lib/libOP2Flang.so'
! MODULES: op2fc: error: cannot find OP2's modules at '{{.*}}/op2_fortran_declarations.mod'
program main
  use op2_fortran_declarations
  implicit none
end program main
