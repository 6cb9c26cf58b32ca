! Temporaries of array expressions, for which flang allocates memory, are local
! variables: such kernels are raised, and run on devices.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 --op2-report --op2-target=openmp,emulator %s -o compiled 2>&1 | FileCheck %s --check-prefix=REPORT
! RUN: %flang -O2 %s -o reference %op2flib && ./reference > expected
! RUN: env OP2_STRICT=1 ./compiled | diff expected -
! RUN: env OP2_STRICT=1 OP2_TARGET=emulator ./compiled | diff expected -

! REPORT-NOT: warning:
! REPORT-DAG: loop 'largest': kernel raised
! REPORT-DAG: loop 'mask': kernel raised
! REPORT-DAG: loop 'product': kernel raised
! REPORT-DAG: loop 'reversed': kernel raised

module kernels
  implicit none
contains
  subroutine largest(r, s, most)
    real(8), intent(in) :: r(4)
    real(8), intent(inout) :: s(4), most
    most = max(most, maxval(abs(r)))
    s = 2 * r
  end subroutine largest
  subroutine mask(r, s)
    real(8), intent(in) :: r(4)
    real(8), intent(inout) :: s(4)
    real(8) :: g(4)
    g = r - 1
    where (g > 0)
      g = 2 * g
    elsewhere
      g = -g
    end where
    s = s + g
  end subroutine mask
  subroutine product(r, s)
    real(8), intent(in) :: r(4)
    real(8), intent(inout) :: s(4)
    real(8) :: m(2, 2)
    m = reshape(r, [2, 2])
    s(1:2) = matmul(transpose(m), s(3:4) - r(1:2))
  end subroutine product
  subroutine reversed(r, s)
    real(8), intent(in) :: r(4)
    real(8), intent(inout) :: s(4)
    s(1:3) = s(2:4) + s(3:1:-1) * r(2)
  end subroutine reversed
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  integer, parameter :: n = 100
  type(op_set) :: set
  type(op_dat) :: r, s
  real(8) :: values(4, n), results(4, n), most = 0
  integer :: i
  values = reshape([(mod(i, 7) * 0.5d0, i = 1, 4 * n)], [4, n])
  results = 0
  call op_init(0)
  call op_decl_set(n, set, 'set')
  call op_decl_dat(set, 4, 'real(8)', values, r, 'r')
  call op_decl_dat(set, 4, 'real(8)', results, s, 's')
  call op_par_loop_3(largest, set, op_arg_dat(r, -1, OP_ID, 4, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 4, 'real(8)', OP_WRITE), op_arg_gbl(most, 1, 'real(8)', OP_MAX))
  call op_par_loop_2(mask, set, op_arg_dat(r, -1, OP_ID, 4, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 4, 'real(8)', OP_RW))
  call op_par_loop_2(product, set, op_arg_dat(r, -1, OP_ID, 4, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 4, 'real(8)', OP_RW))
  call op_par_loop_2(reversed, set, op_arg_dat(r, -1, OP_ID, 4, 'real(8)', OP_READ), &
    op_arg_dat(s, -1, OP_ID, 4, 'real(8)', OP_RW))
  call op_fetch_data(s, results)
  print *, most, results
  call op_exit()
end program main
