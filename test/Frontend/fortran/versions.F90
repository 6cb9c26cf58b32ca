! Loops over arrays of assumed shape have no copies for arrays that are
! contiguous, with -O3 either: OP2's loops in them would share their arguments.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O3 %s -o compiled
! RUN: env OP2_STRICT=1 ./compiled > out && FileCheck %s < out
! RUN: %op2fc -O3 -fversion-loops-for-stride %s -o copies 2>&1 | FileCheck %s --check-prefix=COPIES
! COPIES: warning: loop 'add' is not compiled and runs sequentially: it stands in copies of a loop, which -fversion-loops-for-stride makes
! RUN: env OP2_STRICT=0 ./copies | diff out -
! CHECK: 1. 2. 3.

module kernels
contains
  subroutine add(x, most)
    real(8), intent(inout) :: x, most
    x = x + 1
    most = max(most, x)
  end subroutine add
end module kernels

module steps
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
contains
  subroutine march(set, dat, history)
    type(op_set), intent(in) :: set
    type(op_dat), intent(in) :: dat
    real(8), intent(inout) :: history(:)
    real(8) :: most
    integer :: i
    do i = 1, size(history)
      most = 0
      call op_par_loop_2(add, set, op_arg_dat(dat, -1, OP_ID, 1, 'real(8)', OP_RW), &
        op_arg_gbl(most, 1, 'real(8)', OP_MAX))
      history(i) = most
    end do
  end subroutine march
end module steps

program main
  use steps
  implicit none
  type(op_set) :: set
  type(op_dat) :: dat
  real(8) :: x(100) = 0, history(3) = 0
  call op_init(0)
  call op_decl_set(100, set, 'set')
  call op_decl_dat(set, 1, 'real(8)', x, dat, 'x')
  call march(set, dat, history)
  print *, history
  call op_exit()
end program main
