! An array that may not be contiguous is passed by address if it is, and is an
! error else: flang would pass a copy, which is gone before the loop runs.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 -Wno-error=op2-sequential %s -o plain && ./plain | FileCheck %s
! RUN: %op2fc -O3 -Wno-error=op2-sequential %s -o optimized && ./optimized | FileCheck %s
! RUN: %op2fc -O1 -Wno-error=op2-sequential --op2-target=emulator %s -o emulated && ./emulated | FileCheck %s
! RUN: not ./plain section 2>&1 | FileCheck %s --check-prefix=SECTION
! RUN: not ./optimized column 2>&1 | FileCheck %s --check-prefix=COLUMN
! RUN: not ./emulated info 2>&1 | FileCheck %s --check-prefix=INFO
! RUN: not ./optimized apart 2>&1 | FileCheck %s --check-prefix=APART
! RUN: not ./optimized on 2>&1 | FileCheck %s --check-prefix=ON
!
! Of a loop that is not compiled, too.
! RUN: %op2fc -O1 -DBRANCHES -Wno-error=op2-sequential %s -o branches 2>&1 | FileCheck %s --check-prefix=BRANCHES
! RUN: env OP2_STRICT=0 ./branches | FileCheck %s
! RUN: not env OP2_STRICT=0 ./branches section 2>&1 | FileCheck %s --check-prefix=SECTION

! SECTION: op2 error: loop add, argument 2: its array is not contiguous: the loop would have a copy, which is gone before it runs; expected a contiguous array
! COLUMN: op2 error: loop add, argument 2: its array is not contiguous
! INFO: op2 error: loop most, argument 3: its array is not contiguous
! APART: op2 error: op_arg_gbl (arrays.F90:{{[0-9]+}}): its array is not contiguous
! ON: op2 error: loop maybe, argument 2: its array is not contiguous
module arrays_kernels
  implicit none
contains
  subroutine add(x, a, sums)
    real(8), intent(inout) :: x
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: sums(2)
    x = x + a(1) + a(2)
    sums = sums + a
  end subroutine add

  subroutine maybe(x, a)
    real(8), intent(inout) :: x
    real(8), intent(in), optional :: a(2)
    if (present(a)) x = x + a(1)
    x = x + 100
  end subroutine maybe

  subroutine most(x, greatest, copy)
    real(8), intent(in) :: x
    real(8), intent(inout) :: greatest, copy(2)
    if (x > greatest) then
      greatest = x
      copy = 2 * x
    end if
  end subroutine most
end module arrays_kernels

module arrays_hosts
  use op2_fortran_declarations
  use op2_fortran_reference
  use arrays_kernels
  implicit none
contains
  ! Assumed shape, of two ranks.
  subroutine run(set, x, a, sums)
    type(op_set) :: set
    type(op_dat) :: x
    real(8), intent(in) :: a(:)
    real(8) :: sums(:, :)
    call op_par_loop_3(add, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW), &
      op_arg_gbl(a, 2, "real(8)", OP_READ), op_arg_gbl(sums, 2, "real(8)", OP_INC))
#ifdef BRANCHES
    ! The argument that is to blame is named, not one before it.
    ! BRANCHES: arrays.F90:[[#@LINE+1]]:5: warning: loop 'add' is not compiled and runs sequentially: argument 2 takes branches or loops to evaluate; expected variables
    call op_par_loop_3(add, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW), &
      op_arg_gbl(0 * a, 2, "real(8)", OP_READ), op_arg_gbl(sums, 2, "real(8)", OP_INC))
#endif
  end subroutine run

  ! An argument that is not made in the call.
  subroutine run_apart(set, x, a)
    type(op_set) :: set
    type(op_dat) :: x
    real(8) :: a(:)
    type(op_arg) :: arg
    arg = op_arg_gbl(a, 2, "real(8)", OP_READ)
    call op_par_loop_2(maybe, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW), arg)
  end subroutine run_apart

  subroutine run_if(flag, set, x, a)
    logical :: flag
    type(op_set) :: set
    type(op_dat) :: x
    real(8) :: a(:)
    call op_par_loop_2(maybe, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_RW), &
      op_opt_arg_gbl(flag, a, 2, "real(8)", OP_READ))
  end subroutine run_if

  ! Pointers.
  subroutine find(set, x, greatest, copy)
    type(op_set) :: set
    type(op_dat) :: x
    real(8) :: greatest
    real(8), pointer :: copy(:)
    call op_par_loop_3(most, set, op_arg_dat(x, -1, OP_ID, 1, "real(8)", OP_READ), &
      op_arg_gbl(greatest, 1, "real(8)", OP_MAX), op_arg_info(copy, 2, "real(8)", 2))
  end subroutine find
end module arrays_hosts

program arrays
  use op2_fortran_declarations
  use op2_fortran_reference
  use arrays_hosts
  implicit none
  type(op_set) :: s
  type(op_dat) :: d
  real(8) :: x(3), a(4), greatest
  real(8) :: sums(1, 2)
  real(8), target :: table(2, 4)
  real(8), pointer :: copy(:)
  character(len=8) :: what
  call get_command_argument(1, what)
  call op_init(0)
  x = [ 1, 2, 3 ]
  a = [ 10, 20, 30, 40 ]
  sums = 0
  table = 1
  call op_decl_set(3, s, "s")
  call op_decl_dat(s, 1, "real(8)", x, d, "d")

  ! CHECK: sums 30. 60.
  if (what == 'section') call run(s, d, a(1:4:2), sums)
  if (what == 'column') call run(s, d, table(1, 1:2), sums)
  call run(s, d, a(1:2), sums)
  print *, 'sums', sums
  call run(s, d, a(3:), sums)
  ! CHECK: sums 120. 180.
  print *, 'sums', sums

  ! Nobody looks at what is off.
  call run_if(.false., s, d, a(1:4:2))
  call run_if(.true., s, d, a(2:3))
  if (what == 'apart') call run_apart(s, d, a(1:4:2))
  if (what == 'on') call run_if(.true., s, d, a(1:4:2))

  greatest = 0
  copy => table(:, 3)
  call find(s, d, greatest, copy)
  ! CHECK: greatest 323. 646. 646.
  print *, 'greatest', greatest, table(:, 3)
  copy => table(1, 1:2)
  if (what == 'info') call find(s, d, greatest, copy)
  call op_exit()
end program arrays
