! Kernels that print on some paths run in vectors where no element does.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 -march=x86-64-v4 -c --op2-report %s -o x.o 2>&1 | FileCheck %s --check-prefix=REPORT
! REPORT: loop 'pressure': vectorized
! REPORT: loop 'pressure': kernel raised, but for paths that print or do not return
! RUN: %flang %s %op2flib -o header && ./header > expected
! RUN: FileCheck %s < expected
! CHECK: large 64
! CHECK: negative pressure at 77
! CHECK: large 99
! CHECK: {{^[0-9A-F]+$}}
! RUN: %op2fc -O2 -march=native -ffp-contract=off --op2-target=openmp,seq %s -o printing
! RUN: env OP2_TARGET=seq ./printing | diff expected -
! RUN: env OMP_NUM_THREADS=1 ./printing | diff expected -
! RUN: env OMP_NUM_THREADS=2 ./printing > two && sort two > two.sorted
! RUN: sort expected > sorted && diff sorted two.sorted
module kernels
contains
  subroutine pressure(q, n, p)
    real(8), intent(in) :: q(4)
    integer, intent(in) :: n(1)
    real(8), intent(inout) :: p(1)
    real(8) :: e
    e = q(4) - 0.5d0 * (q(2)**2 + q(3)**2) / q(1)
    if (e < 0) write (*, '(a, i0, es12.4)') 'negative pressure at ', n(1), e
    if (e > 6.97d0) print *, 'large', n(1)
    p(1) = 0.4d0 * e + sqrt(abs(e))
  end subroutine
end module
program printing
  use op2_fortran_reference
  use op2_fortran_declarations
  use kernels
  implicit none
  integer, parameter :: n = 1003
  type(op_set) :: cells
  type(op_dat) :: q, p, num
  real(8) :: qv(4, n), pv(n)
  integer :: i, nv(n)
  call op_init(0)
  do i = 1, n
    qv(:, i) = [1d0, 0.1d0 * mod(i, 7), 0.2d0, 3d0 + mod(i, 5)]
    nv(i) = i
  end do
  qv(4, 77) = -2
  pv = 0
  call op_decl_set(n, cells, 'cells')
  call op_decl_dat(cells, 4, 'real(8)', qv, q, 'q')
  call op_decl_dat(cells, 1, 'integer', nv, num, 'num')
  call op_decl_dat(cells, 1, 'real(8)', pv, p, 'p')
  call op_par_loop_3(pressure, cells, &
                     op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                     op_arg_dat(num, -1, OP_ID, 1, 'integer', OP_READ), &
                     op_arg_dat(p, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_fetch_data(p, pv)
  write (*, '(z16.16)') sum(pv)
  call op_exit()
end program
