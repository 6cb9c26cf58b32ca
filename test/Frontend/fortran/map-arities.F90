! How many slots a map has is found at run time, and guessed before, from what
! other loops of the file use of it.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-emit=op2 %s -o - | FileCheck %s
!
! CHECK: func.func @__op2_run_{{.*}}two(
! CHECK-NOT: likely_arity
! CHECK-SAME: attributes
! CHECK: func.func @__op2_run_{{.*}}one(
! CHECK-SAME: !op2.map<?> {op2.likely_arity = 3 : i64}

module kernels
  implicit none
contains
  subroutine one(x, y)
    real(8), intent(in) :: x(1)
    real(8), intent(out) :: y(1)
    y(1) = x(1)
  end subroutine one
  subroutine two(x, z, y)
    real(8), intent(in) :: x(1), z(1)
    real(8), intent(out) :: y(1)
    y(1) = x(1) + z(1)
  end subroutine two
end module kernels

subroutine run(edges, ends, x, y)
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: edges
  type(op_map) :: ends
  type(op_dat) :: x, y
  call op_par_loop_3(two, edges, &
                     op_arg_dat(x, 1, ends, 1, 'real(8)', OP_READ), &
                     op_arg_dat(x, 3, ends, 1, 'real(8)', OP_READ), &
                     op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_par_loop_2(one, edges, &
                     op_arg_dat(x, 1, ends, 1, 'real(8)', OP_READ), &
                     op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_WRITE))
end subroutine run
