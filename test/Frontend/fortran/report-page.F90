! The page about loops of Fortran: the same, with Fortran's lines.
!
! REQUIRES: flang
! RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -march=haswell --op2-report=html:page -c %s -o x.o 2>&1 | count 0
! RUN: %python -c "import json, glob; [print(l['name'], l['location'], c['title'], t.strip()) for l in json.load(open(glob.glob('page/report-page.F90-*.op2.json')[0]))['loops'] for c in l['code'] for f in c['functions'] for t, p in zip(f['text'].split('\n'), f['places']) if p and p[1] == 15]" | FileCheck %s
! RUN: llvm-readelf -S x.o | not grep debug_line
! CHECK: triple report-page.F90:25 op2 IR {{.*}}arith.mulf
! CHECK: triple report-page.F90:25 plan {{.*}}arith.mulf
! CHECK: triple report-page.F90:25 assembly {{.*}}mul
module kernels
contains
  subroutine triple(from, to)
    real(8) :: from(1), to(1)
    to(1) = 3 * from(1)
  end subroutine
end module

subroutine run(cells, x, y)
  use op2_fortran_reference
  use kernels
  use, intrinsic :: iso_c_binding
  type(op_set) :: cells
  type(op_dat) :: x, y
  call op_par_loop_2(triple, cells, &
    op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "real(8)", OP_WRITE))
end subroutine
