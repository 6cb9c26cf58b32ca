! With -ftrapping-math a kernel raises no floating-point exception but its own;
! vectors would divide where a branch does not.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 -march=x86-64-v3 -ftrapping-math -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o trapping
! RUN: env OP2_TARGET=seq ./trapping | FileCheck %s
! RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 ./trapping | FileCheck %s
! RUN: env OP2_TARGET=emulator ./trapping | FileCheck %s
! CHECK: flags F F
module trapping_kernels
  implicit none
contains
  subroutine guarded(q, r)
    real(8), intent(in) :: q(2)
    real(8), intent(inout) :: r(2)
    if (q(1) > 0) then
      r(1) = 1 / q(1)
      r(2) = sqrt(q(1)) + q(2)
    else
      r(1) = -1
    end if
  end subroutine guarded
end module trapping_kernels

program trapping
  use op2_fortran_declarations
  use op2_fortran_reference
  use trapping_kernels
  use, intrinsic :: ieee_exceptions
  implicit none
  integer, parameter :: n = 203
  type(op_set) :: s
  type(op_dat) :: q, r
  real(8) :: v(2, n), w(2, n)
  logical :: divided, invalid
  integer :: i
  call op_init(0)
  v = reshape([(mod(i * 7, 31) - 15d0, i = 1, 2 * n)], [2, n])
  w = 0
  call op_decl_set(n, s, 's')
  call op_decl_dat(s, 2, 'real(8)', v, q, 'q')
  call op_decl_dat(s, 2, 'real(8)', w, r, 'r')
  call ieee_set_halting_mode(ieee_divide_by_zero, .true.)
  call ieee_set_halting_mode(ieee_invalid, .true.)
  call op_par_loop_2(guarded, s, &
    op_arg_dat(q, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_dat(r, -1, OP_ID, 2, 'real(8)', OP_RW))
  call op_fetch_data(r, w)
  call ieee_get_flag(ieee_divide_by_zero, divided)
  call ieee_get_flag(ieee_invalid, invalid)
  print *, 'flags', divided, invalid
  call op_exit()
end program trapping
