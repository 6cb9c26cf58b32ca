! What a loop's arguments are made of changes behind their variables' names: by a
! pointer, a namelist, a procedure that takes any type, or text.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 %s -o plain 2>&1 | FileCheck %s
! RUN: %op2fc -O2 %s -o optimized 2>&1 | FileCheck %s
! RUN: env OP2_STRICT=0 ./plain | FileCheck %s --check-prefix=OUT
! RUN: env OP2_STRICT=0 ./optimized | FileCheck %s --check-prefix=OUT
! OUT: 30. 66. 66.
! OUT: 4. 4. 4.
module changed_kernels
  implicit none
contains
  subroutine add(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = 3 * y + x
  end subroutine add

  subroutine inc(x)
    real(4), intent(inout) :: x
    x = x + 1
  end subroutine inc

  subroutine set_two(any)
    class(*), intent(inout) :: any
    select type (any)
    type is (integer)
      any = 2
    end select
  end subroutine set_two

  subroutine set_narrow(text)
    character(len=*), intent(inout) :: text
    text = 'real(4)'
  end subroutine set_narrow
end module changed_kernels

module changed_hosts
  use op2_fortran_declarations
  use op2_fortran_reference
  use changed_kernels
  implicit none
  type(op_set) :: s
  type(op_map) :: m
  type(op_dat) :: x, y, z
contains
  subroutine by_pointer
    integer, target :: slot
    integer, pointer :: p
    slot = 1
    p => slot
    p = 2
    ! CHECK: [[#@LINE+1]]:5: warning: loop 'add' is not compiled and runs sequentially: argument 1: the map index is not a constant
    call op_par_loop_2(add, s, op_arg_dat(x, slot, m, 1, 'real(8)', OP_READ), op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
  end subroutine by_pointer

  subroutine by_namelist(text)
    character(len=*), intent(in) :: text
    integer :: slot
    namelist /settings/ slot
    slot = 1
    read (text, nml=settings)
    ! CHECK: [[#@LINE+1]]:5: warning: loop 'add' is not compiled and runs sequentially: argument 1: the map index is not a constant
    call op_par_loop_2(add, s, op_arg_dat(x, slot, m, 1, 'real(8)', OP_READ), op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
  end subroutine by_namelist

  subroutine by_any
    integer :: slot
    slot = 1
    call set_two(slot)
    ! CHECK: [[#@LINE+1]]:5: warning: loop 'add' is not compiled and runs sequentially: argument 1: the map index is not a constant
    call op_par_loop_2(add, s, op_arg_dat(x, slot, m, 1, 'real(8)', OP_READ), op_arg_dat(y, -1, OP_ID, 1, 'real(8)', OP_RW))
  end subroutine by_any

  subroutine by_text
    character(len=7) :: type
    type = 'real(8)'
    call set_narrow(type)
    ! CHECK: [[#@LINE+1]]:5: warning: loop 'inc' is not compiled and runs sequentially: argument 1: the type string is not a constant
    call op_par_loop_1(inc, s, op_arg_dat(z, -1, OP_ID, 1, type, OP_RW))
  end subroutine by_text
end module changed_hosts

program changed
  use changed_hosts
  implicit none
  real(8) :: v(3) = [1, 2, 3]
  real(4) :: w(3) = 3
  integer :: table(2, 3) = reshape([1, 2, 2, 3, 3, 3], [2, 3])
  call op_init(0)
  call op_decl_set(3, s, 's')
  call op_decl_map(s, s, 2, table, m, 'm')
  call op_decl_dat(s, 1, 'real(8)', v, x, 'x')
  v = [1, 2, 2]
  call op_decl_dat(s, 1, 'real(8)', v, y, 'y')
  call op_decl_dat(s, 1, 'real(4)', w, z, 'z')
  call by_pointer
  call by_namelist('&settings slot = 2 /')
  call by_any
  call by_text
  call op_fetch_data(y, v)
  call op_fetch_data(z, w)
  ! y = 27 y + 13 x(m(2))
  print *, v - [23, 27, 27]
  print *, w
  call op_exit()
end program changed
