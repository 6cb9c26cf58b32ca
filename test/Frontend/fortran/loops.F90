! What becomes of each form of argument, and of accesses that are not as
! declared; with numbers of elements from 1.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc --op2-emit=op2 %s -o - 2> warnings | FileCheck %s
! RUN: FileCheck %s --check-prefix=WARN < warnings
! RUN: not %op2fc -O1 -c -DWRONG -cpp %s 2>&1 | FileCheck %s --check-prefix=WRONG

module kernels
  implicit none
  type vector
    real(8) :: x, y
  end type vector
contains
  subroutine all_forms(own, far, many, total, least, place, number, other, flag, single)
    type(vector), intent(in) :: own
    complex(8), intent(in) :: far
    real(8), intent(in) :: many(*)
    integer(4), intent(inout) :: total(3)
    real(8), intent(inout) :: least
    integer(4), intent(inout) :: place
    integer(4), intent(in) :: number, other
    logical, intent(in) :: flag
    real(4), intent(out) :: single(2, 2)
    total(1) = total(1) + number
    if (own%x < least) then
      least = own%x
      place = other
    end if
    single = 0
    if (flag) single(2, 1) = real(aimag(far) + many(1), 4)
  end subroutine all_forms
  subroutine assemble(a, x)
    real(8), intent(inout) :: a(4, 6)
    real(8), intent(in) :: x(2, 3)
    a(1, 6) = a(1, 6) + x(2, 3)
  end subroutine assemble
  subroutine part(x)
    real(8), intent(inout) :: x(2)
    x = 2 * x
  end subroutine part
#ifdef WRONG
  subroutine writes(x)
    real(8) :: x
    ! WRONG: loops.F90:[[#@LINE+1]]:{{[0-9]+}}: error: kernel 'writes' writes to parameter 'x', which this loop declares OP_READ
    x = 1
  end subroutine writes
#else
  subroutine counts(x)
    integer :: x
    integer, save :: calls = 0
    ! WARN: loops.F90:[[#@LINE+1]]:{{[0-9]+}}: warning: kernel 'counts' writes the variable 'calls', which all elements share
    calls = calls + 1
    x = calls
  end subroutine counts
#endif
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: edges
  type(op_map) :: ends
  type(op_dat) :: x, z, w, r
  type(op_mat) :: a
  type(op_subset) :: some
  integer :: total(3), place, dim_of_w
  real(8) :: least
  logical :: flag, is_on
  read *, dim_of_w, flag, is_on

  ! CHECK:      op2.par_loop @_QMkernelsPall_forms.from1 over %arg0 args(
  ! CHECK-NEXT:   read %arg1 : !op2.dat<2xf64>,
  ! CHECK-NEXT:   read soa %arg2 : !op2.dat<2xf64> via %arg3[1] : !op2.map<?>,
  ! CHECK-NEXT:   read %arg4 : !op2.dat<?xf64> via %arg3[0] : !op2.map<?>,
  ! CHECK-NEXT:   inc global %arg5 : memref<3xi32>,
  ! CHECK-NEXT:   min global %arg6 : memref<1xf64>,
  ! CHECK-NEXT:   min info of 4 %arg7 : memref<1xi32>,
  ! CHECK-NEXT:   index,
  ! CHECK-NEXT:   index via %arg3[1] : !op2.map<?>,
  ! CHECK-NEXT:   read global %arg8 : memref<1xi32>,
  ! CHECK-NEXT:   if %arg9 write %arg10 : !op2.dat<4xf32>) {loop_name = "all_forms"}
  call op_par_loop_10(all_forms, edges, &
    op_arg_dat(x, -1, OP_ID, 2, "real(8)", OP_READ), &
    op_arg_dat(z, 2, ends, 2, "r8:soa", OP_READ), &
    op_arg_dat(w, 1, ends, dim_of_w, "real*8", OP_READ), &
    op_arg_gbl(total, 3, "integer(4)", OP_INC), &
    op_arg_gbl(least, 1, "real(8)", OP_MIN), &
    op_arg_info(place, 1, "integer(4)", 5), &
    op_arg_idx(-1, OP_ID), &
    op_arg_idx(2, ends), &
    op_arg_gbl(flag, 1, "logical", OP_READ), &
    op_opt_arg_dat(is_on, r, -1, OP_ID, 4, "real(4)", OP_WRITE))

  ! Matrices and rows of several slots; a subset.
  ! CHECK:      op2.par_loop @_QMkernelsPassemble{{.*}} over %arg0 args(
  ! CHECK-NEXT:   inc packed %arg1 : !op2.dat<2xf64> via %arg2[0 to 12] : !op2.map<?>,
  ! CHECK-NEXT:   read packed %arg3 : !op2.dat<2xf64> via %arg4[0 to 3] : !op2.map<?>
  call op_par_loop_2(assemble, edges, &
    op_arg_mat(a, -3, ends, -2, ends, 2, 2, "real(8)", OP_INC), &
    op_arg_dat(x, -3, ends, 2, "real(8)", OP_READ))
  ! CHECK:      op2.par_loop @_QMkernelsPpart{{.*}} over %arg0 args(
  ! CHECK-NEXT:   rw %arg1 : !op2.dat<2xf64> via %arg2[0] injective : !op2.map<?>
  call op_par_loop_1(part, some, op_arg_dat(x, -1, OP_ID, 2, "real(8)", OP_RW))
#ifdef WRONG
  ! WRONG: loops.F90:[[#@LINE+1]]:3: note: access declared here; did you mean OP_RW or OP_INC?
  call op_par_loop_1(writes, edges, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_READ))
#else
  call op_par_loop_1(counts, edges, op_arg_gbl(total, 1, "integer(4)", OP_WRITE))
#endif
end program main
