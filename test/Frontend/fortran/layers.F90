! A loop over layers is one over their columns, as in C++ (../layers.cpp); what is
! wrong with its arguments is an error.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -DGOOD --op2-emit=op2 %s -o - | FileCheck %s
! RUN: %op2fc -O3 -march=x86-64-v3 -DGOOD -c %s --op2-report -Rpass=loop-vectorize 2>&1 | FileCheck %s --check-prefix=WIDE
! RUN: not %op2fc -O1 -DBAD -c %s 2>&1 | FileCheck %s --check-prefix=BAD
! RUN: %op2fc -O1 -DRUNTIME -c %s 2>&1 | FileCheck %s --check-prefix=RUNTIME

! CHECK: op2.par_loop @{{.*}}heat{{.*}}.column.op2
! CHECK-NEXT: read %{{.*}} : !op2.dat<?xf64> via %[[M:.*]][0 to 3] : !op2.map<?>,
! CHECK-NEXT: inc %{{.*}} : !op2.dat<?xf64> via %[[M]][0 to 3] : !op2.map<?>,
! CHECK-NEXT: read %{{.*}} : !op2.dat<2xi32>)
module layers_kernels
  implicit none
contains
  ! WIDE-DAG: remark: vectorized loop (vectorization width: 4, interleaved count: 1)
  ! WIDE-DAG: remark: loop 'heat': layers of a column together, in vectors where LLVM finds that it pays
  subroutine heat(t, r)
    real(8), intent(in) :: t(2, 3)
    real(8), intent(inout) :: r(2, 3)
    r = r + 2 * t
  end subroutine heat

  subroutine one(x)
    real(8), intent(inout) :: x
    x = x + 1
  end subroutine one

  subroutine several(x)
    real(8), intent(inout), optional :: x(1, 3)
    x = x + 1
  end subroutine several

  subroutine many(x)
    real(8), intent(inout) :: x(*)
    x(1) = x(1) + 1
  end subroutine many
end module layers_kernels

subroutine run(prisms, cells, corners, t, r, a, n)
  use op2_fortran_declarations
  use op2_fortran_reference
  use layers_kernels
  implicit none
  type(op_layers) :: prisms
  type(op_set) :: cells
  type(op_map) :: corners
  type(op_dat) :: t, r
  type(op_mat) :: a
  integer :: n
#ifdef GOOD
  call op_par_loop_2(heat, prisms, op_arg_dat_layers(t, -3, corners, 0, 2, 1, 'real(8)', OP_READ), &
    op_arg_dat_layers(r, -3, corners, 0, 2, 1, 'real(8)', OP_INC))
#endif
#ifdef BAD
  ! BAD: [[#@LINE+1]]:3: error: argument 1: op_arg_dat_layers is for loops over op_layers; this one runs over a set
  call op_par_loop_1(one, cells, op_arg_dat_layers(t, -1, OP_ID, 0, 1, 1, 'real(8)', OP_RW))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: loops over layers take no op_arg_mat; expected a dat with levels on op_mat_entries, through op_mat_places
  call op_par_loop_1(many, prisms, op_arg_mat(a, -3, corners, -3, corners, 1, 1, 'real(8)', OP_INC))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: loops over layers take no rows of several slots that are optional
  call op_par_loop_1(several, prisms, op_opt_arg_dat(n > 1, t, -3, corners, 1, 'real(8)', OP_INC))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: the number of levels is 0; expected at least 1
  call op_par_loop_1(one, prisms, op_arg_dat_layers(t, -1, OP_ID, 0, 0, 1, 'real(8)', OP_RW))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: the first level of a layer is -1; expected at least 0
  call op_par_loop_1(one, prisms, op_arg_dat_layers(t, -1, OP_ID, -1, 1, 1, 'real(8)', OP_RW))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: a layer takes 1030 values; expected at most 1024
  call op_par_loop_1(many, prisms, op_arg_dat_layers(t, -1, OP_ID, 0, 1030, 1, 'real(8)', OP_RW))
  ! BAD: [[#@LINE+1]]:3: error: argument 1: a layer adds to 17 levels; expected at most 16
  call op_par_loop_1(many, prisms, op_arg_dat_layers(t, 1, corners, 0, 17, 1, 'real(8)', OP_INC))
  ! BAD: [[#@LINE+1]]:3: error: argument 1 of this loop has 12 values, but dummy argument 1 of kernel 'heat' holds 6 values
  call op_par_loop_2(heat, prisms, op_arg_dat_layers(t, -3, corners, 0, 2, 2, 'real(8)', OP_READ), &
    op_arg_dat_layers(r, -3, corners, 0, 2, 1, 'real(8)', OP_INC))
#endif
#ifdef RUNTIME
  ! RUNTIME: [[#@LINE+1]]:3: warning: loop 'one' is not compiled and runs sequentially: argument 1: the levels of op_arg_dat_layers are not constants
  call op_par_loop_1(one, prisms, op_arg_dat_layers(t, -1, OP_ID, n, 1, 1, 'real(8)', OP_RW))
  ! RUNTIME: [[#@LINE+1]]:3: warning: loop 'one' is not compiled and runs sequentially: argument 1: the dim of op_arg_dat_layers is not a constant
  call op_par_loop_1(one, prisms, op_arg_dat_layers(t, -1, OP_ID, 0, 1, n, 'real(8)', OP_RW))
#endif
end subroutine run
