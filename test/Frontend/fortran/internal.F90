! Internal procedures of the main program as kernels: its variables get addresses
! of their own, and the trampolines that flang passes go, for which the stack
! would have to be executable.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator --op2-report %s -o internal 2>&1 | FileCheck %s --check-prefix=REPORT
! RUN: env OP2_TARGET=seq ./internal | FileCheck %s
! RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 ./internal | FileCheck %s
! RUN: env OP2_TARGET=emulator ./internal | FileCheck %s
! RUN: llvm-readelf -lW internal | FileCheck %s --check-prefix=STACK

! REPORT-DAG: loop 'scale': kernel raised
! REPORT-DAG: loop 'count_own': kernel raised
! REPORT-DAG: loop 'shift': kernel raised
! REPORT-DAG: loop 'grow': kernel raised
! CHECK: 150. 300. 450. 600. 5
! CHECK: 163. 313. 463. 613.
! STACK: GNU_STACK {{.*}} RW 0x

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  implicit none
  type(op_set) :: s
  type(op_dat) :: d
  integer :: i, rounds(2), hits
  real(8) :: x(4), factors(3), bias, pair(2)
  ! A part of a variable.
  equivalence (bias, pair(2))
  call op_init(0)
  x = [(real(i, 8), i = 1, 4)]
  factors = [2, 3, 4]
  rounds = 0
  call op_decl_set(4, s, "s")
  call op_decl_dat(s, 1, "real(8)", x, d, "d")
  do i = 1, 2
    bias = i * 0
    call op_par_loop_1(scale, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
    ! The host changes what the kernel reads.
    factors(2) = factors(2) + 1
  end do
  hits = 1
  call op_par_loop_2(count_own, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                                   op_arg_gbl(hits, 1, "integer(4)", OP_INC))
  call op_fetch_data(d, x)
  print *, x, hits
  bias = 3
  call step(4)
  call op_fetch_data(d, x)
  print *, x
  call op_exit()
contains
  ! The loops are in procedures of the same host, which call each other.
  recursive subroutine step(n)
    integer, intent(in) :: n
    call op_par_loop_1(shift, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
    bias = bias - 1
    if (n > 2) call next(n - 1)
  end subroutine step
  recursive subroutine next(n)
    integer, intent(in) :: n
    call op_par_loop_1(grow, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
    if (n > 2) call step(n - 1)
  end subroutine next
  subroutine shift(x)
    real(8), intent(inout) :: x
    x = x + bias
  end subroutine shift
  subroutine grow(x)
    real(8), intent(inout) :: x
    x = x + bias * factors(3)
  end subroutine grow
  subroutine scale(x)
    real(8), intent(inout) :: x
    x = moved(x * (factors(1) + factors(2)))
  end subroutine scale
  ! Another one with the same host.
  real(8) function moved(x)
    real(8), intent(in) :: x
    moved = x + bias
  end function moved
  subroutine count_own(x, n)
    real(8), intent(inout) :: x
    integer(4), intent(inout) :: n
    x = x + factors(3) * x - nothing()
    n = n + 1
  end subroutine count_own
  ! Of no variable of the host.
  pure integer function nothing()
    nothing = 0
  end function nothing
end program main
