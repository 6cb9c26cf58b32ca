! Arrays whose dimensions are the other way round: a warning. Those of which the
! first dimensions are a row's are none, nor are arrays of one dimension.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -J. %s -o dimensions %op2flib && ./dimensions 2>&1 | FileCheck %s
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -J. %s -o dimensions %op2gflib %}
! RUN: %if gfortran %{ ./dimensions 2>&1 | FileCheck %s %}
!
! CHECK: op2 warning: op_decl_map swapped: the array's first dimension has 4 values; expected the 2 of an element to lie side by side, in the first dimensions [op2-fortran-array]
! CHECK: op2 warning: op_decl_dat swapped: the array's first dimension has 4 values; expected the 3 of an element
! CHECK-NOT: op2 warning
! CHECK: done
program dimensions
  use op2_fortran_declarations
  use op2_fortran_reference
  implicit none
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: dat
  integer(4) :: swapped(4, 2) = 1, table(2, 4) = 1, flat(8) = 1, one(4, 1) = 1
  real(8) :: values(4, 3) = 0, rows(3, 4) = 0, tensors(3, 2, 4) = 0, whole(24) = 0

  call op_init(0)
  call op_decl_set(4, nodes, 'nodes')
  call op_decl_set(4, edges, 'edges')
  call op_decl_map(edges, nodes, 2, swapped, ends, 'swapped')
  call op_decl_dat(nodes, 3, 'real(8)', values, dat, 'swapped')
  call op_decl_map(edges, nodes, 2, table, ends, 'table')
  call op_decl_map(edges, nodes, 2, flat, ends, 'flat')
  call op_decl_map(edges, nodes, 1, one, ends, 'one')
  call op_decl_dat(nodes, 3, 'real(8)', rows, dat, 'rows')
  call op_decl_dat(nodes, 6, 'real(8)', tensors, dat, 'tensors')
  call op_decl_dat(nodes, 6, 'real(8)', whole, dat, 'whole')
  call op_decl_dat(nodes, 1, 'real(8)', values, dat, 'first')
  call op_exit()
  print '(a)', 'done'
end program dimensions
