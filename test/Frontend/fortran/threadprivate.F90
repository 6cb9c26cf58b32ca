! Kernels that use a THREADPRIVATE variable run on the caller's thread alone;
! those that could use one run on all.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 -fopenmp --op2-target=openmp,emulator %s -o threads 2>&1 | FileCheck %s --implicit-check-not=warning:
! RUN: env OP2_STRICT=0 OMP_NUM_THREADS=2 OP2_TARGET=openmp ./threads | FileCheck %s --check-prefix=OUT
! OUT: 13000. 13. 13.
module threads_kernels
  implicit none
  real(8) :: factor = 1, shared
  real(8) :: common_one
  common /block/ common_one
  !$omp threadprivate(factor, /block/)
contains
  subroutine scale(x)
    real(8), intent(inout) :: x
    x = x * factor
  end subroutine scale

  subroutine shift(x)
    real(8), intent(inout) :: x
    x = x + common_one
  end subroutine shift

  subroutine plain(x)
    real(8), intent(inout) :: x
    x = x + shared
  end subroutine plain
end module threads_kernels

program threads
  use op2_fortran_declarations
  use op2_fortran_reference
  use threads_kernels
  implicit none
  type(op_set) :: s
  type(op_dat) :: d
  real(8) :: x(1000) = 1
  call op_init(0)
  call op_decl_set(1000, s, 's')
  call op_decl_dat(s, 1, 'real(8)', x, d, 'd')
  factor = 3
  common_one = 4
  shared = 6
  ! CHECK: [[#@LINE+1]]:3: warning: loop 'scale' is not compiled and runs sequentially: kernel 'scale' uses the thread-local variable 'factor'
  call op_par_loop_1(scale, s, op_arg_dat(d, -1, OP_ID, 1, 'real(8)', OP_RW))
  ! CHECK: [[#@LINE+1]]:3: warning: loop 'shift' is not compiled and runs sequentially: kernel 'shift' uses the thread-local variable 'block_'
  call op_par_loop_1(shift, s, op_arg_dat(d, -1, OP_ID, 1, 'real(8)', OP_RW))
  call op_par_loop_1(plain, s, op_arg_dat(d, -1, OP_ID, 1, 'real(8)', OP_RW))
  call op_fetch_data(d, x)
  print *, sum(x), minval(x), maxval(x)
  call op_exit()
end program threads
