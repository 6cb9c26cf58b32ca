! With -O0 -g a debugger stops in the kernel itself; -g changes no code, and what
! the compiler needs of debug information stays out of files without it.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 -g --op2-target=openmp -S -emit-llvm %s -o - | FileCheck %s
! RUN: %op2fc -O2 -c %s -o plain.o && llvm-readelf -S plain.o | FileCheck %s --check-prefix=PLAIN
! RUN: %op2fc -O2 -g -c %s -o full.o && llvm-readelf -S full.o | FileCheck %s --check-prefix=FULL
! RUN: llvm-objdump -d --no-show-raw-insn plain.o | tail -n +3 > plain
! RUN: llvm-objcopy --strip-debug full.o stripped.o
! RUN: llvm-objdump -d --no-show-raw-insn stripped.o | tail -n +3 > full && diff plain full
! RUN: %op2fc -O2 -g1 -c %s -o lines.o && llvm-dwarfdump lines.o | FileCheck %s --check-prefix=LINES

! CHECK-DAG: define internal void @number_chunk(
! CHECK-DAG: call void @_QMkernelsPnumber.from1(
! CHECK-DAG: define internal void @_QMkernelsPnumber.from1(
! CHECK-DAG: call void @_QMkernelsPnumber(
! PLAIN-NOT: .debug_info
! FULL: .debug_info
! LINES: DW_TAG_compile_unit
! LINES-NOT: DW_TAG_formal_parameter

module kernels
  implicit none
contains
  subroutine number(x, i)
    integer(4), intent(out) :: x
    integer(4), intent(in) :: i
    x = i
  end subroutine number
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: s
  type(op_dat) :: d
  call op_par_loop_2(number, s, op_arg_dat(d, -1, OP_ID, 1, "integer(4)", OP_WRITE), &
                                op_arg_idx(-1, OP_ID))
end program main
