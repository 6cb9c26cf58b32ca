! Kernels that store in memory of a module, also behind an allocatable or a
! pointer: all elements have the same, and they run at the same time.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 -c %s 2>&1 | FileCheck %s
! RUN: %op2fc -O2 -c %s 2>&1 | FileCheck %s
! RUN: not %op2fc -O1 -Werror=op2-shared -c %s 2>&1 | FileCheck %s --check-prefix=ERROR
! ERROR: error: kernel 'solve' writes the memory that the variable 'work' leads to
! RUN: %op2fc -O1 --op2-target=seq -c %s 2>&1 | FileCheck %s --allow-empty --check-prefix=SEQ
! SEQ-NOT: warning
module shared_kernels
  implicit none
  real(8) :: table(20), factors(4)
  integer :: count = 2
  real(8), allocatable :: work(:)
  real(8), pointer :: chosen(:)
contains
  subroutine solve(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8) :: own(3)
    integer :: j
    own = x
    do j = 1, size(work)
      ! CHECK: [[#@LINE+1]]:7: warning: kernel 'solve' writes the memory that the variable 'work' leads to, which all elements share
      work(j) = x * j
    end do
    y = y + sum(work) + sum(own)
  end subroutine
  subroutine hand_over(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    external :: factorize, dgemv
    ! CHECK: [[#@LINE+1]]:5: warning: kernel 'hand_over' passes the variable 'table', which all elements share, and they run at the same time, to 'factorize_', whose code is not here and may write it
    call factorize(table, x, y)
    ! CHECK: [[#@LINE+1]]:5: warning: kernel 'hand_over' passes the memory that the variable 'work' leads to, which all elements share, and they run at the same time, to 'factorize_', whose code is not here and may write it
    call factorize(work, x, y)
    call dgemv('N', count, 1, x, factors, count, y, 1, x, y, 1)
  end subroutine
  subroutine choose(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    ! CHECK: [[#@LINE+1]]:5: warning: kernel 'choose' writes the memory that the variable 'chosen' leads to, which all elements share
    chosen(2) = x
    ! CHECK: [[#@LINE+1]]:5: warning: kernel 'choose' writes the variable 'table', which all elements share
    table(3) = x
    y = y + chosen(2) + table(3)
  end subroutine
end module

subroutine run(s, x, y)
  use op2_fortran_declarations
  use op2_fortran_reference
  use shared_kernels
  type(op_set) :: s
  type(op_dat) :: x, y
  call op_par_loop_2(solve, s, op_arg_dat(x, -1, OP_ID, 1, 'real(8)', OP_READ), &
                               op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
  call op_par_loop_2(hand_over, s, op_arg_dat(x, -1, OP_ID, 1, 'real(8)', OP_READ), &
                                   op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
  call op_par_loop_2(choose, s, op_arg_dat(x, -1, OP_ID, 1, 'real(8)', OP_READ), &
                                op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
end subroutine
