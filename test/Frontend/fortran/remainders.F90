! mod and modulo have flang's results for zeros of either sign, whole numbers and
! infinity, on all targets.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator --op2-report %s -o compiled 2>&1 | FileCheck %s
! RUN: %flang %s -o reference %op2flib && ./reference > expected
! RUN: env OP2_TARGET=seq ./compiled | diff expected -
! RUN: env OP2_TARGET=openmp ./compiled | diff expected -
! RUN: env OP2_TARGET=emulator ./compiled | diff expected -
! RUN: %op2fc -O3 -march=x86-64-v3 -Werror=op2-sequential %s -o wide && ./wide | diff expected -
! CHECK: loop 'both': kernel raised
module remainders_kernels
  implicit none
contains
  subroutine both(pair, r, s)
    real(8), intent(in) :: pair(2)
    real(8), intent(out) :: r(2)
    real(4), intent(out) :: s(2)
    r(1) = mod(pair(1), pair(2))
    r(2) = modulo(pair(1), pair(2))
    s(1) = mod(real(pair(1), 4), real(pair(2), 4))
    s(2) = modulo(real(pair(1), 4), real(pair(2), 4))
  end subroutine both
end module remainders_kernels

program remainders
  use, intrinsic :: ieee_arithmetic
  use op2_fortran_declarations
  use op2_fortran_reference
  use remainders_kernels
  implicit none
  integer, parameter :: n = 9, count = n * (n - 2)
  type(op_set) :: s
  type(op_dat) :: d, wide, narrow
  real(8) :: v(n), pairs(2, count), r(2 * count)
  real(4) :: q(2 * count)
  integer :: i, j, k
  v = [0d0, -0d0, 1d0, -1d0, 2.5d0, -2.5d0, 3d0, 1d300, ieee_value(0d0, ieee_positive_inf)]
  v(2) = -v(1)
  k = 0
  do i = 1, n
    do j = 3, n
      k = k + 1
      pairs(:, k) = [v(i), v(j)]
    end do
  end do
  call op_init(0)
  call op_decl_set(count, s, 's')
  call op_decl_dat(s, 2, 'real(8)', pairs, d, 'd')
  call op_decl_dat(s, 2, 'real(8)', r, wide, 'wide')
  call op_decl_dat(s, 2, 'real(4)', q, narrow, 'narrow')
  call op_par_loop_3(both, s, op_arg_dat(d, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_dat(wide, -1, OP_ID, 2, 'real(8)', OP_WRITE), op_arg_dat(narrow, -1, OP_ID, 2, 'real(4)', OP_WRITE))
  call op_fetch_data(wide, r)
  call op_fetch_data(narrow, q)
  do k = 1, 2 * count
    ! Which NaN it is nobody promises.
    if (ieee_is_nan(r(k))) r(k) = ieee_value(0d0, ieee_quiet_nan)
    if (ieee_is_nan(q(k))) q(k) = ieee_value(0.0, ieee_quiet_nan)
    print '(i0, 2(1x, z16.16))', k, transfer(r(k), 0_8), transfer(q(k), 0)
  end do
  call op_exit()
end program remainders
