! A row that is a derived type of reals and complex numbers; variables that are
! all saved, by -fno-automatic.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O2 -Werror=op2-sequential %s -o types && ./types | FileCheck %s
! RUN: %op2fc -O2 -fno-automatic -Werror=op2-sequential %s -o saved && ./saved | FileCheck %s
! RUN: not %op2fc -O2 -DMIXED -c %s 2>&1 | FileCheck %s --check-prefix=MIXED
! MIXED: error: argument 1 of this loop has values of type 'real(8)', but dummy argument 1 of kernel 'turn' is of a derived type with components of several types
module types_kernels
  implicit none
  type cell
    sequence
    real(8) :: x
#ifdef MIXED
    complex(4) :: c(2)
#else
    complex(8) :: c
#endif
    real(8) :: y
  end type cell
contains
  subroutine turn(row)
    type(cell), intent(inout) :: row
    row%c = row%c * (0, 1)
    row%y = row%y + row%x
  end subroutine turn
end module types_kernels

program types
  use op2_fortran_declarations
  use op2_fortran_reference
  use types_kernels
  implicit none
  type(op_set) :: s
  type(op_dat) :: d
  real(8) :: v(8) = [1, 2, 3, 4, 5, 6, 7, 8]
  call op_init(0)
  call op_decl_set(2, s, 's')
  call op_decl_dat(s, 4, 'real(8)', v, d, 'd')
  call op_par_loop_1(turn, s, op_arg_dat(d, -1, OP_ID, 4, 'real(8)', OP_RW))
  call op_fetch_data(d, v)
  ! CHECK: 1. -3. 2. 5. 5. -7. 6. 13.
  print *, v
  call op_exit()
end program types
