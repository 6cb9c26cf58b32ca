! BLOCK constructs in kernels, also on devices, where the stack grows in none.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 -Werror=op2-sequential --op2-target=openmp,emulator %s -o plain
! RUN: env OP2_TARGET=openmp ./plain | FileCheck %s
! RUN: env OP2_TARGET=emulator ./plain | FileCheck %s
! RUN: %op2fc -O2 -Werror=op2-sequential --op2-target=emulator --op2-report %s -o optimized 2>&1 | FileCheck %s --check-prefix=REPORT
! RUN: ./optimized | FileCheck %s
! RUN: not %op2fc -O2 -fstack-arrays -DGROWS -Werror=op2-sequential --op2-target=emulator -c %s 2>&1 | FileCheck %s --check-prefix=GROWS

! REPORT: loop 'walk' compiled for emulator
! GROWS: blocks.F90:[[#@LINE+43]]:3: error: loop 'walk' is not compiled and runs sequentially: kernel 'walk' has an array of a size that only the run knows
module kernels
  implicit none
contains
  subroutine walk(x, n)
    real(8), intent(inout) :: x
    integer(4), intent(in) :: n
    integer :: i
    do i = 1, n
      block
#ifdef GROWS
        real(8) :: w(n + i)
        w = x
        w(n) = w(i) * i
        if (mod(i, 2) == 0) w = w / 2
        x = w(n) + sum(w(1:i))
#else
        real(8) :: w
        w = x * i
        if (w > 2) then
          x = x + w
        else
          x = x - w / 2
        end if
#endif
      end block
    end do
  end subroutine walk
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: s
  type(op_dat) :: d, e
  real(8) :: x(3) = [1, 2, 3]
  integer(4) :: n(3) = [1, 2, 3]
  call op_init(0)
  call op_decl_set(3, s, "s")
  call op_decl_dat(s, 1, "real(8)", x, d, "d")
  call op_decl_dat(s, 1, "integer(4)", n, e, "e")
  call op_par_loop_2(walk, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                              op_arg_dat(e, -1, OP_ID, 1, "integer(4)", OP_READ))
  call op_fetch_data(d, x)
  ! CHECK: 0.5   0.0  72.0
  print '(3f6.1)', x
  call op_exit()
end program main
