! Kernels that stop on some paths run in vectors where no element takes one.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 -march=x86-64-v4 -c --op2-report %s -o x.o 2>&1 | FileCheck %s --check-prefix=REPORT
! REPORT: loop 'pressure': vectorized
! REPORT: loop 'pressure': kernel raised, but for paths that print or do not return
! RUN: %op2fc -O2 -march=native --op2-target=openmp,seq %s -o stops
! RUN: env OP2_TARGET=seq ./stops > seq 2>&1
! RUN: env OMP_NUM_THREADS=2 ./stops > openmp 2>&1 && diff seq openmp
! RUN: FileCheck %s < openmp
! CHECK: {{^[0-9A-F]+$}}
! CHECK: negative density -1.
! CHECK: STOP: bad state
module kernels
  implicit none
contains
  subroutine pressure(q, p)
    real(8) :: q(4), p(1)
    if (q(1) <= 0d0) then
      write (*, *) 'negative density', q(1)
      stop 'bad state'
    end if
    p(1) = 0.4d0 * (q(4) - 0.5d0 * (q(2)**2 + q(3)**2) / q(1))
    if (p(1) < 0d0) error stop 'negative pressure'
    p(1) = sqrt(p(1))
  end subroutine
end module
program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  integer(4), parameter :: n = 100000
  type(op_set) :: cells
  type(op_dat) :: q, p
  real(8), target :: qv(4, n), pv(n)
  integer :: i
  call op_init(0)
  do i = 1, n
    qv(:, i) = [1d0, 0.1d0 * mod(i, 7), 0.2d0, 3d0 + mod(i, 5)]
  end do
  pv = 0
  call op_decl_set(n, cells, 'cells')
  call op_decl_dat(cells, 4, 'real(8)', qv, q, 'q')
  call op_decl_dat(cells, 1, 'real(8)', pv, p, 'p')
  call op_par_loop_2(pressure, cells, &
                     op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                     op_arg_dat(p, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_fetch_data(p, pv)
  write (*, '(z16.16)') sum(pv)
  qv(1, 777) = -1
  call op_decl_dat(cells, 4, 'real(8)', qv, q, 'q2')
  call op_par_loop_2(pressure, cells, &
                     op_arg_dat(q, -1, OP_ID, 4, 'real(8)', OP_READ), &
                     op_arg_dat(p, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_exit()
end program
