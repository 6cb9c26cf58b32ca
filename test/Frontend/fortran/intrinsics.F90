! What Fortran's kernels call is raised, where it can be, and gives the values of
! the development mode, also out of an integer's range.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -ffp-contract=off --op2-target=seq,openmp,emulator --op2-report %s -o compiled 2>&1 | FileCheck %s
! RUN: %flang -ffp-contract=off %s -o reference %op2flib && ./reference > expected
! RUN: env OP2_TARGET=seq ./compiled > out && diff out expected
! RUN: env OP2_TARGET=openmp ./compiled > out && diff out expected
! RUN: env OP2_TARGET=emulator ./compiled > out && diff out expected
! RUN: %op2fc -O1 -march=haswell --op2-report -c %s 2>&1 | FileCheck %s --check-prefix=WIDE

! CHECK: loop 'all_of_them': kernel raised
! CHECK: loop 'in_groups': kernel raised
! WIDE: loop 'all_of_them': not vectorized
! WIDE: loop 'in_groups': vectorized across 4 elements

module kernels
  implicit none
contains
  subroutine all_of_them(x, i, y, n)
    real(8), intent(in) :: x(3)
    integer(4), intent(in) :: i
    real(8), intent(out) :: y(8)
    integer(4), intent(out) :: n(4)
    real(4) :: s
    s = real(x(1), 4)
    y(1) = mod(x(1), x(2))
    y(2) = modulo(x(1), x(2))
    y(3) = mod(s, real(x(2), 4))
    y(4) = modulo(s, real(x(2), 4))
    y(5) = x(2)**i + s**i
    y(6) = exp(x(2)) + log(abs(x(2)) + 1) + sin(x(1)) + atan2(x(1), x(2)) + hypot(x(1), x(2))
    y(7) = dot_product(x, x) + sum(x) + maxval(x) + product(x)
    y(8) = merge(1.0, 2.0, x(1) > x(2))
    n(1) = mod(i, 3) + modulo(-i, 3) + i**2 + iand(i, 6) + ishft(i, 2) + abs(-i)
    n(2) = i**n(1)
    n(3) = int(int(x(3), 8) / 2)
    n(4) = minloc(x, 1) + count(x > 0)
  end subroutine all_of_them

  subroutine in_groups(x, y, n)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    integer(4), intent(out) :: n(8)
    y(1) = x(1)**3
    y(2) = x(1)**(-5)
    y(3) = aint(x(1)) + anint(x(2)) + sign(x(1), x(3))
    y(4) = max(x(1), x(2), x(3)) + min(x(1), x(2)) + abs(x(3)) + dim(x(1), x(2)) + sqrt(x(3))
    n(1) = int(x(1))
    n(2) = nint(x(1))
    n(3) = nint(x(2)) + ceiling(x(1)) + floor(x(2))
    n(4) = int(real(x(2), 4))
    n(5) = int(x(3) * 1d30)
    n(6) = int(-x(3) * 1d30)
    n(7) = int(sqrt(x(2)) * 0 + x(2))
    n(8) = int(real(x(1) * 1d30, 4))
  end subroutine in_groups
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  integer, parameter :: m = 19
  type(op_set) :: s
  type(op_dat) :: x_of, y_of, z_of, n_of, k_of
  real(8) :: x(3 * m), y(8 * m), z(4 * m)
  integer(4) :: n(4 * m), k(8 * m), i
  call op_init(0)
  do i = 1, m
    x(3 * i - 2) = (i - 9) * 1.5d0
    x(3 * i - 1) = (mod(i, 7) - 3) * 0.75d0 + 0.1d0
    x(3 * i) = i * 0.5d0
  end do
  y = 0
  z = 0
  n = 0
  k = 0
  call op_decl_set(m, s, "s")
  call op_decl_dat(s, 3, "real(8)", x, x_of, "x")
  call op_decl_dat(s, 8, "real(8)", y, y_of, "y")
  call op_decl_dat(s, 4, "real(8)", z, z_of, "z")
  call op_decl_dat(s, 4, "integer(4)", n, n_of, "n")
  call op_decl_dat(s, 8, "integer(4)", k, k_of, "k")
  call op_par_loop_4(all_of_them, s, op_arg_dat(x_of, -1, OP_ID, 3, "real(8)", OP_READ), &
                                     op_arg_idx(-1, OP_ID), &
                                     op_arg_dat(y_of, -1, OP_ID, 8, "real(8)", OP_WRITE), &
                                     op_arg_dat(n_of, -1, OP_ID, 4, "integer(4)", OP_WRITE))
  call op_par_loop_3(in_groups, s, op_arg_dat(x_of, -1, OP_ID, 3, "real(8)", OP_READ), &
                                   op_arg_dat(z_of, -1, OP_ID, 4, "real(8)", OP_WRITE), &
                                   op_arg_dat(k_of, -1, OP_ID, 8, "integer(4)", OP_WRITE))
  call op_fetch_data(y_of, y)
  call op_fetch_data(z_of, z)
  call op_fetch_data(n_of, n)
  call op_fetch_data(k_of, k)
  write (*, "(8ES24.16)") y, z
  write (*, "(8I12)") n, k
  call op_exit()
end program main
