! What flang calls its library for, with small arrays: norm2, and assignments of
! sections that overlap. As operations they are raised, run on devices, and have
! the library's bits.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 --op2-report --op2-target=openmp,emulator %s -o compiled 2>&1 | FileCheck %s --check-prefix=REPORT
! RUN: %flang -O2 %s -o reference %op2flib && ./reference > expected
! RUN: env OP2_STRICT=0 ./compiled | diff expected -
! RUN: env OP2_STRICT=0 OP2_TARGET=emulator ./compiled | diff expected -

! REPORT-NOT: warning: loop '{{norms|small|moves}}'
! REPORT-DAG: warning: loop 'unknown' is not compiled for emulator and runs on openmp there: kernel 'unknown' calls '_FortranANorm2_8', whose body is not in this file
! REPORT-DAG: loop 'norms': kernel raised
! REPORT-DAG: loop 'small': kernel raised
! REPORT-DAG: loop 'moves': kernel raised
! REPORT-DAG: loop 'unknown': kernel not raised

module kernels
  implicit none
contains
  subroutine norms(r, s)
    real(8), intent(in) :: r(6)
    real(8), intent(inout) :: s(6)
    real(8) :: d(3)
    d = r(1:3) - 1
    s(1) = s(1) + norm2(d)
    s(2) = s(2) + norm2(r(2:6:2))
    s(3) = s(3) + norm2(reshape(r, [2, 3]))
    s(4) = s(4) - norm2(r(3:1:-1) * r(4:6))
    s(5) = norm2(r(1:1))
    s(6) = s(6) + norm2(r(5:6) / r(1:2))
  end subroutine norms
  subroutine small(r, s)
    real(8), intent(in) :: r(6)
    real(8), intent(inout) :: s(6)
    real(4) :: d(4)
    d = real(r(1:4), 4) / 3
    s(1) = s(1) + norm2(d)
  end subroutine small
  subroutine moves(r, s)
    real(8), intent(in) :: r(6)
    real(8), intent(inout) :: s(6)
    real(8) :: d(6)
    integer :: n(4)
    d = r
    d(2:6) = d(1:5)
    d(1:3) = d(2:4)
    n = int(d(1:4))
    n(1:3) = n(2:4)
    s = s + d
    s(2:5) = s(1:4)
    s(6) = s(6) + n(1) + 10 * n(3)
  end subroutine moves
  subroutine unknown(r, s)
    real(8), intent(in) :: r(6)
    real(8), intent(inout) :: s(6)
    integer :: last
    last = min(6, max(1, int(r(1))))
    s(1) = s(1) + norm2(r(1:last))
  end subroutine unknown
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use, intrinsic :: ieee_arithmetic
  use kernels
  implicit none
  integer, parameter :: n = 100
  type(op_set) :: set
  type(op_dat) :: r, s
  real(8) :: values(6, n), results(6, n)
  integer :: i
  values = reshape([(mod(i, 17) * 0.37d0 - 2, i = 1, 6 * n)], [6, n])
  ! The scaling: what is very large, small, zero, or no number.
  values(1:3, 3) = [1d300, 3d-300, -2d300]
  values(:, 4) = 0
  values(2, 5) = ieee_value(1d0, ieee_quiet_nan)
  values(3, 6) = ieee_value(1d0, ieee_positive_inf)
  values(1:3, 7) = [5d-324, 0d0, -5d-324]
  results = 0
  call op_init(0)
  call op_decl_set(n, set, 'set')
  call op_decl_dat(set, 6, 'real(8)', values, r, 'r')
  call op_decl_dat(set, 6, 'real(8)', results, s, 's')
  call op_par_loop_2(norms, set, op_arg_dat(r, -1, OP_ID, 6, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 6, 'real(8)', OP_RW))
  call show()
  call op_par_loop_2(small, set, op_arg_dat(r, -1, OP_ID, 6, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 6, 'real(8)', OP_RW))
  call show()
  call op_par_loop_2(moves, set, op_arg_dat(r, -1, OP_ID, 6, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 6, 'real(8)', OP_RW))
  call show()
  call op_par_loop_2(unknown, set, op_arg_dat(r, -1, OP_ID, 6, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 6, 'real(8)', OP_RW))
  call show()
  call op_exit()
contains
  subroutine show()
    call op_fetch_data(s, results)
    print '(6z17)', results
  end subroutine show
end program main
