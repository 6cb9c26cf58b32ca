! What is wrong about a loop, at its line: flang tells no places of arguments.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d && rm -f errors.o
! RUN: not %op2fc -c %s -o errors.o 2> errors && FileCheck %s < errors
! RUN: not ls errors.o

module kernels
  implicit none
  type pair
    real(8) :: a
    integer :: b
  end type pair
contains
  subroutine two(x, y)
    real(8) :: x(2), y
    y = x(1) + x(2)
  end subroutine two
  subroutine shaped(x)
    real(8) :: x(:)
    x(1) = 1
  end subroutine shaped
  subroutine allocated(x)
    real(8), allocatable :: x
    x = 1
  end subroutine allocated
  subroutine pointing(x)
    real(8), pointer :: x(:)
    x = 1
  end subroutine pointing
  subroutine valued(x)
    real(8), value :: x
    x = 1
  end subroutine valued
  subroutine texted(x)
    character(len=8) :: x
    x = 'a'
  end subroutine texted
  real(8) function computed(x)
    real(8) :: x
    computed = x
  end function computed
  subroutine mixed(x)
    type(pair) :: x
    x%a = 1
  end subroutine mixed
  subroutine poly(x)
    class(pair) :: x
    x%a = 1
  end subroutine poly
  subroutine single(x)
    real(4) :: x
    x = x + 1
  end subroutine single
  subroutine flag(x)
    logical :: x
    x = .true.
  end subroutine flag
  subroutine tensor(a)
    real(8) :: a(2, 3)
    a(1, 1) = a(1, 1) + 1
  end subroutine tensor
  subroutine best(x, n)
    real(8) :: x
    integer :: n
    if (x > 1) n = 1
  end subroutine best
  subroutine open(a)
    real(8) :: a(3, *)
    a(1, 1) = a(1, 1) + 1
  end subroutine open
end module kernels

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  type(op_set) :: s
  type(op_map) :: m
  type(op_dat) :: d
  type(op_mat) :: a
  type(op_subset) :: part
  integer :: n(3)
  real(8) :: g(2)
  logical :: l

  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: kernel 'two' takes 2 arguments, but this loop has 1
  call op_par_loop_1(two, s, op_arg_dat(d, -1, OP_ID, 2, "real(8)", OP_READ))
  ! CHECK: errors.F90:15:1: note: kernel 'two' is here
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has dim 3, but dummy argument 1 of kernel 'two' holds 2 values
  call op_par_loop_2(two, s, op_arg_dat(d, -1, OP_ID, 3, "real(8)", OP_READ), &
                             op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:16:1: note: dummy argument 'x' is here
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: dummy argument 1 of kernel 'shaped' is assumed-shape, allocatable, a pointer or polymorphic, and would need a descriptor; declare it with its extent, or as 'x(*)'
  call op_par_loop_1(shaped, s, op_arg_dat(d, -1, OP_ID, 2, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: dummy argument 1 of kernel 'allocated' is
  call op_par_loop_1(allocated, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: dummy argument 1 of kernel 'pointing' is
  call op_par_loop_1(pointing, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: dummy argument 1 of kernel 'poly' is
  call op_par_loop_1(poly, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: kernel 'valued' has a dummy argument with the attribute value, or of type character; kernels get addresses of numbers
  call op_par_loop_1(valued, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: kernel 'texted' has a dummy argument
  call op_par_loop_1(texted, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: kernel 'computed' is a function; kernels are subroutines
  call op_par_loop_1(computed, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_READ))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has values of type 'real(8)', but dummy argument 1 of kernel 'mixed' is of a derived type with components of several types
  call op_par_loop_1(mixed, s, op_arg_dat(d, -1, OP_ID, 1, "real(8)", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has values of type 'r8', but dummy argument 1 of kernel 'single' is of type real
  call op_par_loop_1(single, s, op_arg_dat(d, -1, OP_ID, 1, "r8", OP_WRITE))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has values of type 'integer(4)', but dummy argument 1 of kernel 'flag' is of type logical
  call op_par_loop_1(flag, s, op_arg_dat(d, -1, OP_ID, 1, "integer(4)", OP_WRITE))

  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: OP_INC needs a number, not 'logical'
  call op_par_loop_1(flag, s, op_arg_gbl(l, 1, "logical", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: the actual argument is of type 'real(8)', but the type string is 'real(4)'
  call op_par_loop_1(single, s, op_arg_gbl(g, 1, "real(4)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: map index 1 needs a map, not OP_ID; a direct argument has index -1
  call op_par_loop_1(single, s, op_arg_dat(d, 1, OP_ID, 1, "real(4)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: map index 0; Fortran's begin at 1, and -n means the rows of the first n slots, 2 or more
  call op_par_loop_1(single, s, op_arg_dat(d, 0, m, 1, "real(4)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: map index -2; Fortran's begin at 1 [op2-map-index]
  call op_par_loop_1(flag, s, op_arg_idx(-2, m))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has 2 values, but dummy argument 1 of kernel 'single' holds 1 value
  call op_par_loop_1(single, s, op_arg_dat(d, -2, m, 1, "real(4)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has rows of 3 values, but the first dimension of dummy argument 1 of kernel 'tensor' has another extent
  call op_par_loop_1(tensor, s, op_arg_dat(d, -2, m, 3, "real(8)", OP_READ))
  ! CHECK: errors.F90:60:1: note: dummy argument 'a' is here
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has rows of 2 values, but the first dimension of dummy argument 1 of kernel 'open' has another extent
  call op_par_loop_1(open, s, op_arg_dat(d, -3, m, 2, "real(8)", OP_READ))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has rows of 4 values, but the first dimension of dummy argument 1 of kernel 'open' has another extent
  call op_par_loop_1(open, s, op_arg_dat(d, -3, m, 4, "real(8)", OP_READ))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: 5000 map slots are passed together; expected
  call op_par_loop_1(tensor, s, op_arg_dat(d, -5000, m, 1, "real(8)", OP_READ))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: the rows of 4000 map slots have 128000 bytes; a kernel takes at most 65536 side by side
  call op_par_loop_1(tensor, s, op_arg_dat(d, -4000, m, 4, "real(8)", OP_READ))

  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has rows of 3 values, but the first dimension
  call op_par_loop_1(tensor, s, op_arg_mat(a, -2, m, -3, m, 1, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1 of this loop has 12 values, but dummy argument 1 of kernel 'tensor' holds 6 values
  call op_par_loop_1(tensor, s, op_arg_mat(a, -3, m, -2, m, 2, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: the column index is 0; expected a slot from 1, or -n for the first n slots
  call op_par_loop_1(tensor, s, op_arg_mat(a, -3, m, 0, m, 1, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: these indices mean one entry of an element; expected -2 or less for rows or columns
  call op_par_loop_1(tensor, s, op_arg_mat(a, 1, m, -1, m, 1, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: OP_MIN is not an access mode of a matrix; expected OP_READ, OP_WRITE, OP_RW or OP_INC
  call op_par_loop_1(tensor, s, op_arg_mat(a, -3, m, -2, m, 1, 1, "real(8)", OP_MIN))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: the dim must be at least 1
  call op_par_loop_1(tensor, s, op_arg_mat(a, -3, m, -2, m, 0, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: 10000 parts of a tensor are passed together
  call op_par_loop_1(tensor, s, op_arg_mat(a, -100, m, -100, m, 1, 1, "real(8)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: kernel 'two' takes 2 arguments, but this loop has 1
  call op_par_loop_1(two, part, op_arg_dat(d, -1, OP_ID, 2, "real(8)", OP_READ))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: OP_WORK is not an access mode of a dat; expected OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN or OP_MAX
  call op_par_loop_1(single, s, op_arg_dat(d, -1, OP_ID, 1, "real(4)", OP_WORK))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 1: the dim must be at least 1
  call op_par_loop_1(single, s, op_arg_dat(d, -1, OP_ID, 0, "real(4)", OP_INC))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 2: op_arg_info follows argument 1, which is no op_arg_gbl with OP_MIN or OP_MAX; arguments are counted from 1
  call op_par_loop_2(best, s, op_arg_gbl(g, 1, "real(8)", OP_READ), op_arg_info(n, 1, "integer(4)", 1))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 2: op_arg_info follows argument 7, which does not exist
  call op_par_loop_2(best, s, op_arg_gbl(g, 1, "real(8)", OP_MAX), op_arg_info(n, 1, "integer(4)", 7))
  ! CHECK: errors.F90:[[#@LINE+1]]:3: error: argument 2: the dim of op_arg_info must be a multiple of 2, the dim of the argument it follows
  call op_par_loop_2(best, s, op_arg_gbl(g, 2, "real(8)", OP_MAX), op_arg_info(n, 3, "integer(4)", 1))
  ! CHECK: error: OP2's loops could not be compiled
end program main
