! Where the program computes a dim, the extent of the kernel's dummy argument is
! compiled, and compared with the dim when the loop runs; without an extent dats
! have any dim.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-emit=op2 %s -o - | FileCheck %s --check-prefix=OP2
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-target=openmp,emulator %s -o dims
! RUN: echo 2 2 > good && env OP2_TARGET=openmp ./dims < good | FileCheck %s
! RUN: env OP2_TARGET=emulator ./dims < good | FileCheck %s
! RUN: echo 2 3 > bad && not ./dims < bad 2>&1 | FileCheck %s --check-prefix=GLOBAL
! RUN: echo 3 2 > bad && not ./dims < bad 2>&1 | FileCheck %s --check-prefix=DAT

! OP2: read %arg1 : !op2.dat<2xf64>
! OP2: inc global %arg2 : memref<2xf64>
! OP2: write %arg3 : !op2.dat<?xf64>
! CHECK: 9. 12. 2. 4. 6.
! GLOBAL: op2 error: loop total, argument 2: dim is 3, but the kernel takes 2 values
! DAT: op2 error: loop total, argument 1: dim is 3, but the kernel takes 2 values

module kernels
  implicit none
contains
  subroutine total(x, sums, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: sums(2)
    real(8), intent(out) :: y(*)
    sums = sums + x
    y(1) = x(2)
  end subroutine total
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: s
  type(op_dat) :: d, e
  integer :: dat_dim, global_dim, i
  real(8) :: x(6), y(3), sums(2)
  read *, dat_dim, global_dim
  call op_init(0)
  x = [(real(i, 8), i = 1, 6)]
  y = 0
  sums = 0
  call op_decl_set(3, s, "s")
  call op_decl_dat(s, 2, "real(8)", x, d, "d")
  call op_decl_dat(s, 1, "real(8)", y, e, "e")
  call op_par_loop_3(total, s, op_arg_dat(d, -1, OP_ID, dat_dim, "real(8)", OP_READ), &
                               op_arg_gbl(sums, global_dim, "real(8)", OP_INC), &
                               op_arg_dat(e, -1, OP_ID, 3 - dat_dim, "real(8)", OP_WRITE))
  call op_fetch_data(e, y)
  print *, sums, y
  call op_exit()
end program main
