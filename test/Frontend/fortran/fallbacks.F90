! Loops that are not compiled run sequentially, and say why; their results are
! those of the development mode.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 %s -o compiled 2> warnings && FileCheck %s < warnings
! RUN: %op2fc -c -DOUTSIDE %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
! RUN: env OP2_STRICT=0 ./compiled > out && FileCheck %s --check-prefix=OUT < out
! RUN: %flang %s -o reference %op2flib && ./reference > expected && diff out expected
! RUN: not env OP2_STRICT=1 ./compiled 2>&1 | FileCheck %s --check-prefix=STRICT

! STRICT: op2 error: loop plus
! OUT: 13. 17. 23.

module kernels
  implicit none
contains
  subroutine plus(x)
    real(8), intent(inout) :: x
    x = x + 1
  end subroutine plus
  subroutine add(x, a)
    real(8), intent(inout) :: x
    real(8), intent(in) :: a(*)
    x = x + a(1)
  end subroutine add
  subroutine through(x, a)
    real(8), intent(inout) :: x
    real(8), intent(in) :: a
    x = x + 0 * a
  end subroutine through
end module kernels

module hosts
  use op2_fortran_declarations
  use op2_fortran_reference
  implicit none
contains
  subroutine run(kernel, set, x)
    external :: kernel
    type(op_set) :: set
    type(op_dat) :: x
    real(8) :: mine
    mine = 2
    ! CHECK: fallbacks.F90:[[#@LINE+1]]:5: warning: loop 'unknown' is not compiled and runs sequentially: kernel 'unknown': it is not a procedure known at compile time
    call op_par_loop_1(kernel, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW))
    ! CHECK: warning: loop 'inner' is not compiled {{.*}} it uses variables of a procedure that is not the main program
    call op_par_loop_1(inner, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW))
    ! Nor does it help that another one calls it.
    ! CHECK: warning: loop 'outer' is not compiled {{.*}} it uses variables
    call op_par_loop_1(outer, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW))
    ! CHECK: warning: loop 'inner' is not compiled {{.*}} it uses variables
    call op_par_loop_1(inner, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW))
  contains
    recursive subroutine inner(x)
      real(8) :: x
      if (x < 0) call outer(x)
      x = x + mine
    end subroutine inner
    recursive subroutine outer(x)
      real(8) :: x
      call inner(x)
      x = x - mine
    end subroutine outer
  end subroutine run
end module hosts

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  use hosts
  implicit none
  interface
    subroutine outside(x)
      real(8) :: x
    end subroutine outside
  end interface
  type(op_set) :: s
  type(op_map) :: m
  type(op_dat) :: d
  type(op_mat) :: a
  type(op_subset) :: some
  external :: far
  type(op_arg) :: arg
  integer :: i, access, dim, table(3)
  real(8) :: x(3), one(2)
  character(len=8) :: type
  call op_init(0)
  x = [ 1, 5, 9 ]
  table = [ 1, 2, 3 ]
  one = 1
  call op_decl_set(3, s, "s")
  call op_decl_map(s, s, 1, table, m, "m")
  call op_decl_dat(s, 1, "real(8)", x, d, "d")
  type = "real(8)"
  access = OP_RW
  dim = 1
  do i = 1, 2
    access = access + (i - 1) * 0
    dim = dim + (i - 1) * 0
    ! CHECK: warning: loop 'plus' is not compiled {{.*}} argument 1: the type string is not a constant
    call op_par_loop_1(plus, s, op_arg_dat(d, -1, OP_ID, 1, type, OP_RW))
    ! CHECK: warning: loop 'plus' is not compiled {{.*}} argument 1: the access mode is not a constant
    call op_par_loop_1(plus, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", access))
    ! CHECK: warning: loop 'through' is not compiled {{.*}} argument 2: the map index is not a constant
    call op_par_loop_2(through, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                                   op_arg_dat(d, dim, m, 1, "real(8)", OP_READ))
    ! CHECK: warning: loop 'add' is not compiled {{.*}} the dim of a global is neither a constant nor the extent of a dummy argument
    call op_par_loop_2(add, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                               op_arg_gbl(one, dim, "real(8)", OP_READ))
  end do
  arg = op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW)
  ! The last element, by a loop that is compiled and one that is not.
  call op_decl_subset(s, 1, [ 3 ], some, "some")
  ! CHECK: warning: loop 'plus' is not compiled {{.*}} argument 1: the type string is not a constant
  call op_par_loop_1(plus, some, op_arg_dat(d, -1, OP_ID, 1, type, OP_RW))
  call op_par_loop_1(plus, some, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
  ! CHECK: warning: loop 'plus' is not compiled {{.*}} argument 1 is not a call of op_arg_dat, op_arg_gbl, op_arg_idx or op_arg_info in place, with an op_dat and an op_map
  call op_par_loop_1(plus, s, arg)
  call run(plus, s, d)
  call op_fetch_data(d, x)
#ifdef OUTSIDE
  ! The program's own table in place of OP_ID, which the library refuses.
  ! OUTSIDE: warning: loop 'through' is not compiled {{.*}} argument 2: the map is an array of the program, not an op_map
  call op_par_loop_2(through, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                                 op_arg_dat(d, 1, table(1:2), 1, "real(8)", OP_READ))
  ! OUTSIDE: warning: loop 'add' is not compiled {{.*}} argument 2: the dim of an argument with the rows of several slots is not a constant
  call op_par_loop_2(add, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                             op_arg_dat(d, -2, m, dim, "real(8)", OP_READ))
  ! OUTSIDE: warning: loop 'add' is not compiled {{.*}} argument 2: an index of op_arg_mat is not a constant
  call op_par_loop_2(add, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                             op_arg_mat(a, -2, m, -dim, m, 1, 1, "real(8)", OP_READ))
  ! OUTSIDE: warning: loop 'add' is not compiled {{.*}} argument 2: the size of a matrix's blocks is not a constant
  call op_par_loop_2(add, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW), &
                             op_arg_mat(a, -2, m, -2, m, 1, dim, "real(8)", OP_READ))
  ! OUTSIDE: warning: loop 'outside' is not compiled {{.*}} its body is not in this file, and its name is not that of a module's procedure
  call op_par_loop_1(outside, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
  ! Of which nothing is known here.
  ! OUTSIDE: warning: loop 'far' is not compiled {{.*}} its body is not in this file, and its name is not that of a module's procedure
  call op_par_loop_1(far, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_RW))
#endif
  print *, x
  call op_exit()
end program main
