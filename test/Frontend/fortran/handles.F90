! Handles that change while the arguments of one call are made are not taken for
! the same; those in components and arrays are found where they lie.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-target=openmp %s -o handles && ./handles | FileCheck %s
! RUN: %flang %s -o reference %op2flib && ./reference | FileCheck %s
! RUN: %op2fc -O1 --op2-emit=op2 %s -o - | FileCheck %s --check-prefix=OP2

! CHECK: 1. 2. 3. 2. 4. 6.
! OP2: read %arg1 : !op2.dat<1xf64>,
! OP2: write %arg2 : !op2.dat<1xf64>)
! OP2: rw %arg1 : !op2.dat<1xf64>,
! OP2: read %arg1 : !op2.dat<1xf64>)

module kernels
  implicit none
contains
  subroutine double(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = 2 * x
  end subroutine double
  subroutine nothing(x, y)
    real(8), intent(inout) :: x
    real(8), intent(in) :: y
    x = x + 0 * y
  end subroutine nothing
end module kernels

module meshes
  use op2_fortran_declarations
  implicit none
  type mesh
    type(op_set) :: nodes
    type(op_dat) :: x(2), current
  end type mesh
  type(mesh) :: m
contains
  ! Changes what the argument before it was made of.
  integer function one()
    m%current = m%x(2)
    one = 1
  end function one
end module meshes

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  use meshes
  implicit none
  real(8) :: x(3), y(3)
  call op_init(0)
  x = [1, 2, 3]
  y = 0
  call op_decl_set(3, m%nodes, "nodes")
  call op_decl_dat(m%nodes, 1, "real(8)", x, m%x(1), "x")
  call op_decl_dat(m%nodes, 1, "real(8)", y, m%x(2), "y")
  m%current = m%x(1)
  call op_par_loop_2(double, m%nodes, op_arg_dat(m%current, -1, OP_ID, 1, "real(8)", OP_READ), &
                                      op_arg_dat(m%current, -1, OP_ID, one(), "real(8)", OP_WRITE))
  call op_par_loop_2(nothing, m%nodes, op_arg_dat(m%x(1), -1, OP_ID, 1, "real(8)", OP_RW), &
                                       op_arg_dat(m%x(1), -1, OP_ID, 1, "real(8)", OP_READ))
  call op_fetch_data(m%x(1), x)
  call op_fetch_data(m%x(2), y)
  print *, x, y
  call op_exit()
end program main
