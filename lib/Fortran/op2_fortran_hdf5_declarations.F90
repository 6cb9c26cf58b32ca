! op2_fortran_hdf5_declarations.F90 - Sets, maps and dats in HDF5 files
!
! Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Programs that use it link libop2_hdf5 as well; include/OP2/API/op_hdf5.h says
! how files look.

module op2_fortran_hdf5_declarations
  use op2_fortran_declarations
  implicit none

  interface op_decl_set_hdf5
    module procedure op_decl_set_hdf5_nosetsize, op_decl_set_hdf5_setsize
  end interface op_decl_set_hdf5

  interface op_fetch_data_hdf5_file2
    module procedure op_fetch_data_hdf5_file2_i4, op_fetch_data_hdf5_file2_r8, &
      op_fetch_data_hdf5_file2_r8_2
  end interface op_fetch_data_hdf5_file2

  interface
    type(c_ptr) function op2f_c_decl_set_hdf5(file, name) bind(c, name='op_decl_set_hdf5')
      import
      character(kind=c_char), intent(in) :: file(*), name(*)
    end function
    type(c_ptr) function op2f_c_decl_map_hdf5(from, to, dim, file, name) &
      bind(c, name='op_decl_map_hdf5')
      import
      type(c_ptr), value :: from, to
      integer(c_int), value :: dim
      character(kind=c_char), intent(in) :: file(*), name(*)
    end function
    type(c_ptr) function op2f_c_decl_dat_hdf5(set, dim, type, file, name) &
      bind(c, name='op_decl_dat_hdf5')
      import
      type(c_ptr), value :: set
      integer(c_int), value :: dim
      character(kind=c_char), intent(in) :: type(*), file(*), name(*)
    end function
    subroutine op2f_c_dump_to_hdf5(file) bind(c, name='op_dump_to_hdf5')
      import
      character(kind=c_char), intent(in) :: file(*)
    end subroutine
    subroutine op2f_c_fetch_data_hdf5_file(dat, file) bind(c, name='op_fetch_data_hdf5_file')
      import
      type(c_ptr), value :: dat
      character(kind=c_char), intent(in) :: file(*)
    end subroutine
  end interface

contains

  subroutine op_decl_set_hdf5_nosetsize(set, filename, setname)
    type(op_set) :: set
    character(len=*), intent(in) :: filename, setname
    set%setcptr = op2f_c_decl_set_hdf5(op2f_string(filename), op2f_string(setname))
    call c_f_pointer(set%setcptr, set%setptr)
  end subroutine op_decl_set_hdf5_nosetsize

  subroutine op_decl_set_hdf5_setsize(setsize, set, filename, setname)
    integer(c_int) :: setsize
    type(op_set) :: set
    character(len=*), intent(in) :: filename, setname
    call op_decl_set_hdf5_nosetsize(set, filename, setname)
    setsize = set%setptr%size
  end subroutine op_decl_set_hdf5_setsize

  ! status: the size of the set; -1 if the file has no such map, or dat.
  subroutine op_decl_map_hdf5(from, to, mapdim, map, filename, mapname, status)
    type(op_set), intent(in) :: from, to
    integer(c_int), intent(in) :: mapdim
    type(op_map) :: map
    character(len=*), intent(in) :: filename, mapname
    integer(c_int) :: status
    call op2f_before_print() ! of what is missing
    map%mapcptr = op2f_c_decl_map_hdf5(from%setcptr, to%setcptr, mapdim, op2f_string(filename), &
      op2f_string(mapname))
    call op2f_c_flush()
    map%mapptr => null()
    status = -1
    if (c_associated(map%mapcptr)) then
      call c_f_pointer(map%mapcptr, map%mapptr)
      status = from%setptr%size
    end if
    map%status = status
  end subroutine op_decl_map_hdf5

  subroutine op_decl_dat_hdf5(set, datdim, data, typ, filename, datname, status)
    type(op_set), intent(in) :: set
    integer(c_int), intent(in) :: datdim
    type(op_dat) :: data
    character(len=*), intent(in) :: typ, filename, datname
    integer(c_int) :: status
    call op2f_before_print()
    data%datacptr = op2f_c_decl_dat_hdf5(set%setcptr, datdim, op2f_small(typ), &
      op2f_string(filename), op2f_string(datname))
    call op2f_c_flush()
    data%dataptr => null()
    status = -1
    if (c_associated(data%datacptr)) then
      call c_f_pointer(data%datacptr, data%dataptr)
      status = set%setptr%size
    end if
    data%status = status
  end subroutine op_decl_dat_hdf5

  ! A type string in small letters, as C takes it.
  function op2f_small(type) result(string)
    character(len=*), intent(in) :: type
    character(kind=c_char, len=len_trim(type)+1) :: string
    integer :: n
    string = op2f_string(type)
    do n = 1, len_trim(type)
      if (lge(string(n:n), 'A') .and. lle(string(n:n), 'Z')) &
        string(n:n) = achar(iachar(string(n:n)) + 32)
    end do
  end function op2f_small

  subroutine op_dump_to_hdf5(file_name)
    character(len=*), intent(in) :: file_name
    call op2f_c_dump_to_hdf5(op2f_string(file_name))
  end subroutine op_dump_to_hdf5

  subroutine op_fetch_data_hdf5_file(data, file_name)
    type(op_dat), intent(in) :: data
    character(len=*), intent(in) :: file_name
    call op2f_c_fetch_data_hdf5_file(data%datacptr, op2f_string(file_name))
  end subroutine op_fetch_data_hdf5_file

  ! By the array that the dat was declared with.
  subroutine op2f_fetch_hdf5(data, file_name)
    type(c_ptr), intent(in) :: data
    character(len=*), intent(in) :: file_name
    call op2f_c_fetch_data_hdf5_file( &
      op2f_c_find_dat(data, op2f_string('op_fetch_data_hdf5_file2')), op2f_string(file_name))
  end subroutine op2f_fetch_hdf5

  subroutine op_fetch_data_hdf5_file2_i4(data, file_name)
    integer(4), intent(in), target :: data(*)
    character(len=*), intent(in) :: file_name
    call op2f_fetch_hdf5(c_loc(data), file_name)
  end subroutine op_fetch_data_hdf5_file2_i4

  subroutine op_fetch_data_hdf5_file2_r8(data, file_name)
    real(8), intent(in), target :: data(*)
    character(len=*), intent(in) :: file_name
    call op2f_fetch_hdf5(c_loc(data), file_name)
  end subroutine op_fetch_data_hdf5_file2_r8

  subroutine op_fetch_data_hdf5_file2_r8_2(data, file_name)
    real(8), intent(in), target :: data(1, *)
    character(len=*), intent(in) :: file_name
    call op2f_fetch_hdf5(c_loc(data), file_name)
  end subroutine op_fetch_data_hdf5_file2_r8_2

end module op2_fortran_hdf5_declarations
