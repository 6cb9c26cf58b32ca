! What kernels add by array expressions is added, also where flang puts the array
! together elsewhere; other uses of an OP_INC argument are found.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 -Werror=op2-inc -c %s 2>&1 | FileCheck %s --allow-empty --check-prefix=GOOD
! RUN: %op2fc -O2 -Werror=op2-inc -c %s 2>&1 | FileCheck %s --allow-empty --check-prefix=GOOD
! RUN: not %op2fc -O0 -DBAD -c %s 2>&1 | FileCheck %s
! RUN: not %op2fc -O2 -DBAD -c %s 2>&1 | FileCheck %s
! GOOD-NOT: op2-inc
module increments_kernels
  implicit none
contains
  subroutine whole(a, s)
    real(8), intent(in) :: a(4)
    real(8), intent(inout) :: s(4)
    s = s + a
    s(2:3) = s(2:3) - a(1:2)
  end subroutine whole

  subroutine masked(a, s)
    real(8), intent(in) :: a(4)
    real(8), intent(inout) :: s(4)
    where (a > 3) s = s + a
  end subroutine masked

  subroutine scaled(a, s)
    real(8), intent(in) :: a(4)
    real(8), intent(inout) :: s(4)
    ! CHECK: [[#@LINE+1]]:5: error: kernel 'scaled' uses the value of parameter 's', which this loop declares OP_INC, otherwise than to add to it
    s = s * a
  end subroutine scaled

  ! Components of complex numbers are added to one by one.
  subroutine complex(a, z)
    real(8), intent(in) :: a(4)
    complex(8), intent(inout) :: z(2)
    z(1) = z(1) + (1, 2) * a(1)
    z(2) = z(2) - cmplx(a(2), a(3), 8)
  end subroutine complex

  subroutine swapped(a, z)
    real(8), intent(in) :: a(4)
    complex(8), intent(inout) :: z(2)
    ! CHECK: [[#@LINE+1]]:5: warning: kernel 'swapped' possibly uses the value of parameter 'z', which this loop declares OP_INC, otherwise than to add to it
    z(1) = cmplx(aimag(z(1)), real(z(1)), 8) + a(1)
  end subroutine swapped
end module increments_kernels

subroutine run(cells, m, a, s)
  use op2_fortran_declarations
  use op2_fortran_reference
  use increments_kernels
  type(op_set) :: cells
  type(op_map) :: m
  type(op_dat) :: a, s
  call op_par_loop_2(whole, cells, op_arg_dat(a, -1, OP_ID, 4, 'real(8)', OP_READ), &
                                   op_arg_dat(s, 1, m, 4, 'real(8)', OP_INC))
  call op_par_loop_2(masked, cells, op_arg_dat(a, -1, OP_ID, 4, 'real(8)', OP_READ), &
                                    op_arg_dat(s, 1, m, 4, 'real(8)', OP_INC))
#ifdef BAD
  call op_par_loop_2(scaled, cells, op_arg_dat(a, -1, OP_ID, 4, 'real(8)', OP_READ), &
                                    op_arg_dat(s, 1, m, 4, 'real(8)', OP_INC))
  call op_par_loop_2(swapped, cells, op_arg_dat(a, -1, OP_ID, 4, 'real(8)', OP_READ), &
                                     op_arg_dat(s, 1, m, 4, 'real(8)', OP_INC))
#endif
  call op_par_loop_2(complex, cells, op_arg_dat(a, -1, OP_ID, 4, 'real(8)', OP_READ), &
                                     op_arg_dat(s, 1, m, 4, 'real(8)', OP_INC))
end subroutine run
