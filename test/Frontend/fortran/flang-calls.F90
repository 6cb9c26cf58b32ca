! What flang makes of a call of each kind: recognition builds on this, and fails
! first where flang changes.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -O0 -g -S -emit-llvm %s -o - | FileCheck %s

! The handle of C comes after a descriptor of 40 bytes.
! CHECK: %_QMop2_fortran_declarationsTop_dat = type { { ptr, i64, i32, i8, i8, i8, i8, ptr, [1 x i64] }, %{{.*}}c_ptr

module kernels
contains
  ! CHECK-LABEL: define {{.*}}void @_QMkernelsPwork(ptr noalias{{.*}} %0, ptr {{.*}} %1)
  ! CHECK: #dbg_declare(ptr %0, ![[X:[0-9]+]],
  subroutine work(x, y)
    real(8) :: x(2), y(*)
    y(1) = x(1)
  end subroutine work
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: s
  type(op_map) :: m
  type(op_dat) :: d
  real(8) :: g
  integer :: n
  logical :: l
  real(8), pointer :: some(:)
  ! CHECK-LABEL: define void @_QQmain()
  ! CHECK: [[FRAME:%[0-9]+]] = alloca { ptr }
  ! CHECK: [[ARG1:%[0-9]+]] = alloca %_QMop2_fortran_declarationsTop_arg

  ! CHECK: store i32 -1, ptr [[IDX:%[0-9]+]],
  ! CHECK: store i32 2, ptr [[DIM:%[0-9]+]],
  ! CHECK: call void @llvm.memmove{{.*}}(ptr [[TEXT:%[0-9]+]], ptr @_QQclX7265616C283829, i64 7
  ! CHECK: [[PAIR:%[0-9]+]] = insertvalue { ptr, i64 } undef, ptr [[TEXT]], 0
  ! CHECK: store i32 1, ptr [[ACCESS:%[0-9]+]],
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_dat_id(ptr [[ARG1]], ptr @_QFEd, ptr [[IDX]], ptr @_QMop2_fortran_declarationsEop_id, ptr [[DIM]], ptr {{%[0-9]+}}, ptr [[ACCESS]], i64 {{%[0-9]+}})
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_dat_map(ptr {{%[0-9]+}}, ptr @_QFEd, ptr {{%[0-9]+}}, ptr @_QFEm, ptr
  ! CHECK: call void @_QMop2_fortran_referencePop_par_loop_2(ptr @_QMkernelsPwork, ptr @_QFEs, ptr [[ARG1]],
  call op_par_loop_2(work, s, op_arg_dat(d, -1, OP_ID, 2, "real(8)", OP_READ), &
                              op_arg_dat(d, 1, m, 2, "real(8)", OP_WRITE))
  ! CHECK: call void @_QMop2_fortran_declarationsPop_opt_arg_dat_map(ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr @_QFEd,
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_gbl_r8_0(ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr
  call op_par_loop_2(work, s, op_opt_arg_dat(l, d, 1, m, 2, "real(8)", OP_READ), &
                              op_arg_gbl(g, 1, "real(8)", OP_INC))
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_idx_map(ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr @_QFEm)
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_info_i4_0(ptr
  call op_par_loop_2(work, s, op_arg_idx(1, m), op_arg_info(n, 1, "integer(4)", 1))
  ! CHECK: call void @llvm.init.trampoline(ptr [[MEMORY:%[0-9]+]], ptr @_QFPinner, ptr [[FRAME]])
  ! CHECK: [[CODE:%[0-9]+]] = call ptr @llvm.adjust.trampoline(ptr [[MEMORY]])
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_idx_id(ptr {{%[0-9]+}}, ptr {{%[0-9]+}}, ptr @_QMop2_fortran_declarationsEop_id)
  ! CHECK: call void @_QMop2_fortran_referencePop_par_loop_1(ptr [[CODE]], ptr @_QFEs, ptr
  call op_par_loop_1(inner, s, op_arg_idx(-1, OP_ID))

  ! An array that may not be contiguous: a copy of it, which goes right away.
  ! CHECK: [[KNOWN:%[0-9]+]] = call i1 @_FortranAIsContiguous(
  ! CHECK-NEXT: br i1 [[KNOWN]], label %[[PASSES:[0-9]+]], label %[[COPIES:[0-9]+]]
  ! CHECK: [[COPIES]]:
  ! CHECK: call void @_FortranACopyInAssign(
  ! CHECK: br label %[[PASSES]]
  ! CHECK: [[PASSES]]:
  ! CHECK: [[OF:%[0-9]+]] = phi ptr [ %{{[0-9]+}}, %[[COPIES]] ], [ %{{[0-9]+}}, %{{[0-9]+}} ]
  ! CHECK-NEXT: [[COPIED:%[0-9]+]] = icmp eq i1 [[KNOWN]], false
  ! CHECK: [[PLACE:%[0-9]+]] = getelementptr {{.*}}, ptr [[OF]], i32 0, i32 0
  ! CHECK: [[ADDRESS:%[0-9]+]] = load ptr, ptr [[PLACE]]
  ! CHECK: call void @_QMop2_fortran_declarationsPop_arg_gbl_r8_1(ptr {{%[0-9]+}}, ptr [[ADDRESS]],
  ! CHECK: br i1 [[COPIED]], label %[[BACK:[0-9]+]], label %{{[0-9]+}}
  ! CHECK: [[BACK]]:
  ! CHECK: call void @_FortranACopyOutAssign(
  call op_par_loop_1(work, s, op_arg_gbl(some, 2, "real(8)", OP_READ))
contains
  ! CHECK-LABEL: define internal void @_QFPinner(ptr {{.*}}%0, ptr nest {{.*}}%1)
  ! CHECK: getelementptr { ptr }, ptr %1, i32 0, i32 0
  subroutine inner(i)
    integer :: i
    n = i
  end subroutine inner
end program main

! CHECK-DAG: ![[X]] = !DILocalVariable(name: "x", arg: 1, {{.*}}type: ![[TYPE:[0-9]+]])
! CHECK-DAG: ![[TYPE]] = !DICompositeType(tag: DW_TAG_array_type, baseType: ![[REAL:[0-9]+]], elements:
! CHECK-DAG: ![[REAL]] = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
