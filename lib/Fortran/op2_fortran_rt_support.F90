! op2_fortran_rt_support.F90 - Partitioning, and loops written by hand
!
! Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! What stands between programs and loops that they write themselves; see
! include/OP2/API/op_rt_support.h.

module op2_fortran_rt_support
  use op2_fortran_declarations
  implicit none

  interface
    subroutine op2f_c_partition(lib, routine, set, map, dat) bind(c, name='op_partition')
      import
      character(kind=c_char), intent(in) :: lib(*), routine(*)
      type(c_ptr), value :: set, map, dat
    end subroutine
    subroutine op2f_c_renumber(map) bind(c, name='op_renumber')
      import
      type(c_ptr), value :: map
    end subroutine
    subroutine op2f_c_renumber_by(set, key) bind(c, name='op_renumber_by')
      import
      type(c_ptr), value :: set, key
    end subroutine
    subroutine op2f_c_scan(from, to, operation) bind(c, name='op_scan')
      import
      type(c_ptr), value :: from, to
      character(kind=c_char), intent(in) :: operation(*)
    end subroutine
    subroutine op2f_c_dat_write_index(set, dat) bind(c, name='op2f_dat_write_index')
      import
      type(c_ptr), value :: set, dat
    end subroutine
    integer(c_int) function op_is_root() bind(c)
      import
    end function
    integer(c_int) function op_is_partitioned() bind(c, name='op2f_is_partitioned')
      import
    end function
    integer(c_int) function op_mpi_size() bind(c, name='op2f_mpi_size')
      import
    end function
    subroutine op_barrier() bind(c, name='op_mpi_barrier')
    end subroutine
    subroutine op_upload_all() bind(c)
    end subroutine
    integer(c_int) function getsetsizefromoparg(arg) bind(c, name='getSetSizeFromOpArg')
      import
      type(op_arg) :: arg
    end function
    integer(c_int) function getmapdimfromoparg(arg) bind(c, name='op2f_map_dim')
      import
      type(op_arg) :: arg
    end function
    integer(c_int) function gethybridgpu() bind(c, name='getHybridGPU')
      import
    end function
    subroutine op2f_c_dump_arg(arg) bind(c, name='op2f_dump_arg')
      import
      type(op_arg) :: arg
    end subroutine
    subroutine op2f_c_set_kernel_time(name, seconds, bytes, count) &
      bind(c, name='op2f_set_kernel_time')
      import
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: seconds
      real(c_float), value :: bytes
      integer(c_int), value :: count
    end subroutine
    integer(c_int) function op_mpi_halo_exchanges(set, n, args) bind(c)
      import
      type(c_ptr), value :: set
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end function
    subroutine op_mpi_set_dirtybit(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_mpi_wait_all(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    integer(c_int) function op_mpi_halo_exchanges_cuda(set, n, args) bind(c)
      import
      type(c_ptr), value :: set
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end function
    subroutine op_mpi_set_dirtybit_cuda(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_mpi_wait_all_cuda(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    integer(c_int) function op_mpi_halo_exchanges_grouped(set, n, args, device) bind(c)
      import
      type(c_ptr), value :: set
      integer(c_int), value :: n
      type(op_arg) :: args(*)
      integer(c_int), value :: device
    end function
    subroutine op_mpi_wait_all_grouped(n, args, device) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
      integer(c_int), value :: device
    end subroutine
    subroutine op_mpi_test_all(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_mpi_test_all_grouped(n, args) bind(c)
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_get_all_cuda(n, args) bind(c, name='op2f_get_all')
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_put_all_cuda(n, args) bind(c, name='op2f_put_all')
      import
      integer(c_int), value :: n
      type(op_arg) :: args(*)
    end subroutine
    subroutine op_mpi_reduce_combined(args, n) bind(c)
      import
      type(op_arg) :: args(*)
      integer(c_int), value :: n
    end subroutine
    subroutine op_mpi_reduce_int(arg, data) bind(c)
      import
      type(op_arg) :: arg
      type(c_ptr), value :: data
    end subroutine
    subroutine op_mpi_reduce_float(arg, data) bind(c)
      import
      type(op_arg) :: arg
      type(c_ptr), value :: data
    end subroutine
    subroutine op_mpi_reduce_double(arg, data) bind(c)
      import
      type(op_arg) :: arg
      type(c_ptr), value :: data
    end subroutine
    subroutine op_mpi_reduce_bool(arg, data) bind(c)
      import
      type(op_arg) :: arg
      type(c_ptr), value :: data
    end subroutine
    subroutine op2f_c_change_maps(name) bind(c, name='op2f_change_maps')
      import
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

contains

  ! The handles that a program has not declared are NULL.
  subroutine op_partition(lib_name, lib_routine, prime_set, prime_map, coords)
    character(len=*), intent(in) :: lib_name, lib_routine
    type(op_set), intent(in) :: prime_set
    type(op_map), intent(in) :: prime_map
    type(op_dat), intent(in) :: coords
    call op2f_c_partition(op2f_string(lib_name), op2f_string(lib_routine), prime_set%setcptr, &
      prime_map%mapcptr, coords%datacptr)
  end subroutine op_partition

  ! By the arrays that the map and the dat were declared with.
  subroutine op_partition2(lib_name, lib_routine, prime_set, prime_map, coords)
    character(len=*), intent(in) :: lib_name, lib_routine
    type(op_set), intent(in) :: prime_set
    integer(4), intent(in), target :: prime_map(*)
    real(8), intent(in), target :: coords(*)
    call op2f_c_partition(op2f_string(lib_name), op2f_string(lib_routine), prime_set%setcptr, &
      op2f_c_find_map(c_loc(prime_map), op2f_string('op_partition2')), &
      op2f_c_find_dat(c_loc(coords), op2f_string('op_partition2')))
  end subroutine op_partition2

  subroutine op_renumber(base_map)
    type(op_map), intent(in) :: base_map
    call op2f_c_renumber(base_map%mapcptr)
  end subroutine op_renumber

  subroutine op_renumber_ptr(prime_map)
    integer(4), intent(in), target :: prime_map(*)
    call op2f_c_renumber(op2f_c_find_map(c_loc(prime_map), op2f_string('op_renumber_ptr')))
  end subroutine op_renumber_ptr

  ! As particles by their cells; key has dim 1 and a type of integers.
  subroutine op_renumber_by(set, key)
    type(op_set), intent(in) :: set
    type(op_dat), intent(in) :: key
    call op2f_c_renumber_by(set%setcptr, key%datacptr)
  end subroutine op_renumber_by

  ! operation: 'sum', 'min' or 'max' of an element's values and those of all
  ! elements before it, in the program's order.
  subroutine op_scan(from, to, operation)
    type(op_dat), intent(in) :: from, to
    character(len=*), intent(in) :: operation
    call op2f_c_scan(from%datacptr, to%datacptr, op2f_string(operation))
  end subroutine op_scan

  ! By the array that the dat was declared with.
  subroutine op_dat_write_index(set, dat)
    type(op_set), intent(in) :: set
    integer(4), intent(in), target :: dat(*)
    call op2f_c_dat_write_index(set%setcptr, &
      op2f_c_find_dat(c_loc(dat), op2f_string('op_dat_write_index')))
  end subroutine op_dat_write_index

  subroutine op_trigger_halo_exchanges(device, name, set, arg1, arg2, arg3, arg4, arg5)
    integer(c_int), intent(in) :: device
    character(len=*), intent(in) :: name
    type(op_set), intent(in) :: set
    type(op_arg), intent(in) :: arg1
    type(op_arg), intent(in), optional :: arg2, arg3, arg4, arg5
    type(op_arg) :: args(5)
    integer(c_int) :: n, count
    n = 0
    call op2f_add(arg1)
    call op2f_add(arg2)
    call op2f_add(arg3)
    call op2f_add(arg4)
    call op2f_add(arg5)
    count = op_mpi_halo_exchanges_grouped(set%setcptr, n, args, device)
    call op_mpi_wait_all_grouped(n, args, device)
    if (device == 1) then
      call op_mpi_set_dirtybit(n, args)
    else
      call op_mpi_set_dirtybit_cuda(n, args)
    end if
  contains
    subroutine op2f_add(arg)
      type(op_arg), intent(in), optional :: arg
      if (.not. present(arg)) return
      n = n + 1
      args(n) = arg
    end subroutine op2f_add
  end subroutine op_trigger_halo_exchanges

  ! The library's tables count from 0 and stay so: an error that says what does
  ! what was wanted.
  subroutine decrement_all_maps()
    call op2f_c_change_maps(op2f_string('decrement_all_maps'))
  end subroutine decrement_all_maps

  subroutine increment_all_maps()
    call op2f_c_change_maps(op2f_string('increment_all_maps'))
  end subroutine increment_all_maps

  ! Rounded up to a multiple of 32.
  integer(4) function round32f(x)
    integer(4), intent(in) :: x
    round32f = iand(x + 31, not(31))
  end function round32f

  subroutine op_dump_arg(arg)
    type(op_arg) :: arg
    call op2f_before_print()
    call op2f_c_dump_arg(arg)
    call op2f_c_flush()
  end subroutine op_dump_arg

  subroutine setkerneltime(id, name, kerneltime, transfer, transfer2, count)
    integer(c_int), value :: id
    character(kind=c_char), intent(in) :: name(*)
    real(c_double), value :: kerneltime
    real(c_float), value :: transfer, transfer2
    integer(c_int), value :: count
    call op2f_c_set_kernel_time(name, kerneltime, transfer, count)
  end subroutine setkerneltime

end module op2_fortran_rt_support
