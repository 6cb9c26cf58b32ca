! Temporary dats made and freed in each step, overlays, fields of the structs, and
! dats by pointers that the library gave; files. The same text by each compiler
! and on ranks.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -cpp %if hdf5 %{ -DHDF5 %} -J. %s -o dats -Wl,--no-as-needed %op2mpilib %op2flib %if hdf5 %{ -lop2_hdf5 %}
! RUN: ./dats > out && FileCheck %s < out
! RUN: ./dats OP_NO_REALLOC > array && diff out array
! RUN: %if mpi %{ env OP2_RANKS=mirrored %mpirun -n 3 ./dats > ranks && diff out ranks %}
! RUN: %if mpi %{ env OP2_RANKS=mirrored OP2_RENUMBER=rcm %mpirun -n 2 ./dats > ranks && diff out ranks %}
! RUN: %op2fc -O1 -cpp %if hdf5 %{ -DHDF5 %} -J. -Wno-op2-sequential --op2-target=openmp,emulator %s -o compiled %if hdf5 %{ %op2hdf5lib %}
! RUN: env OP2_STRICT=0 OP2_TARGET=openmp OMP_NUM_THREADS=2 ./compiled > openmp && diff out openmp
! RUN: env OP2_STRICT=0 OP2_TARGET=emulator ./compiled > emulator && diff out emulator
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -cpp %if hdf5 %{ -DHDF5 %} -J. %s -o dats %op2gflib %if hdf5 %{ -lop2_hdf5 %} %}
! RUN: %if gfortran %{ ./dats > out && diff out %t.d/out %}

module dats_kernels
  implicit none
contains
  subroutine twice(from, to)
    integer(4) :: from(2), to(2)
    to = to + 2 * from
  end subroutine twice
  subroutine gather(a, b, row)
    integer(4) :: a(2), b(2), row(2)
    row(1) = a(1) + b(1)
    row(2) = a(2) - b(2)
  end subroutine gather
  subroutine one_more(x)
    integer(4) :: x(2)
    x = x + 1
  end subroutine one_more
end module dats_kernels

program dats
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
#ifdef HDF5
  use op2_fortran_hdf5_declarations
#endif
  use dats_kernels
  implicit none

  integer(4), parameter :: size = 10
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: x, rows, temporary
  integer(4), allocatable, target :: table(:), values(:, :), out(:)
  integer(4), target :: zeros(2, size) = 0, got(2 * size)
  integer(4), pointer :: map_values(:), dat_values(:)
  integer(8) :: number
  integer(4) :: n, step, freed
#ifdef HDF5
  type(op_dat) :: again
  integer(4) :: status
#endif

  call op_init(0)
  allocate (table(2 * (size - 1)), values(2, size))
  do n = 1, size - 1
    table(2 * n - 1:2 * n) = (/ n, n + 1 /)
  end do
  do n = 1, size
    values(:, n) = (/ n, 10 * n /)
  end do
  call op_decl_set(size, nodes, 'nodes')
  call op_decl_set(size - 1, edges, 'edges')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(nodes, 2, 'Integer(4)', values, x, 'x')
  call op_decl_dat(edges, 2, 'integer(4)', zeros(:, :size - 1), rows, 'rows')

  ! What programs read of the structs.
  call c_f_pointer(ends%mapptr%map, map_values, (/ 2 * (size - 1) /))
  call c_f_pointer(x%dataptr%dat, dat_values, (/ 2 * size /))
  ! CHECK: fields 10 10 2 0 1 2 8 1 10 2
  call show('fields', (/ nodes%setptr%size, nodes%setptr%core_size, ends%mapptr%dim, &
    map_values(1:2), x%dataptr%dim, x%dataptr%size, dat_values(1:3) /))

  ! Temporary dats: the same storage in each step, of zeros.
  do step = 1, 3
    call op_decl_dat_temp(nodes, 2, 'integer(4)', temporary, 'temporary')
    call op_par_loop_2(twice, nodes, &
      op_arg_dat(x, -1, op_id, 2, 'INTEGER(4)', op_read), &
      op_arg_dat(temporary, -1, op_id, 2, 'integer(4)', op_inc))
    call op_fetch_data(temporary, got)
    ! CHECK-NEXT: temporary 2 20 4 40
    ! CHECK-NEXT: temporary 2 20 4 40
    ! CHECK-NEXT: temporary 2 20 4 40
    call show('temporary', got(1:4))
    freed = op_free_dat_temp(temporary)
    if (freed /= 1) call show('not freed', (/ freed /))
  end do
  ! CHECK-NEXT: freed again -1
  call show('freed again', (/ op_free_dat_temp(temporary) /))

  call op_par_loop_3(gather, edges, &
    op_arg_dat(x, 1, ends, 2, 'integer(4)', op_read), &
    op_arg_dat(x, 2, ends, 2, 'integer(4)', op_read), &
    op_arg_dat(rows, -1, op_id, 2, 'integer(4)', op_write))
  call op_fetch_data(rows, got)
  ! CHECK-NEXT: rows 3 -10 5 -10
  call show('rows', got(1:4))

  ! An overlay has no handle: programs take it for the array of the dat.
  number = op_decl_dat_overlay(nodes, values)
  ! CHECK-NEXT: overlay 1
  call show('overlay', (/ merge(1, 0, number > x%dataptr%index) /))
  call op_par_loop_1(one_more, nodes, op_arg_dat(values, -1, op_id, 2, 'integer(4)', op_rw))
  call op_fetch_data(x, got)
  ! CHECK-NEXT: one more 2 11 3 21
  call show('one more', got(1:4))

  ! By a number, as of a Cray pointer.
  number = op_reset_data_ptr(values, 1)
  call c_f_pointer(transfer(number, c_null_ptr), dat_values, (/ 2 * size /))
  call op_par_loop_1(one_more, nodes, op_arg_dat(dat_values, -1, op_id, 2, 'integer(4)', op_rw))
  call op_fetch_data_idx(x, got, size, size)
  ! CHECK-NEXT: by number 12 102
  call show('by number', got(1:2))

  ! The table, as it was declared, also where ranks have their parts of it.
  call c_f_pointer(ends%mapptr%map, map_values, (/ 2 * (size - 1) /))
  ! CHECK-NEXT: table 0 1 1 2 8 9
  call show('table', (/ map_values(1:4), map_values(2 * size - 3:2 * size - 2) /))

#ifdef HDF5
  call op_fetch_data_hdf5_file(x, 'dats.h5')
  call op_barrier()
  call op_decl_dat_hdf5(nodes, 2, again, 'INTEGER(4)', 'dats.h5', 'x', status)
  call op_fetch_data(again, got)
  call show('file', got(1:4))
  call op_decl_dat_hdf5(nodes, 2, again, 'integer(4)', 'dats.h5', 'y', status)
  call show('missing', (/ status, again%status, merge(1, 0, associated(again%dataptr)) /))
#else
  call show('file', (/ 3, 12, 4, 22 /))
  call show('missing', (/ -1, -1, 0 /))
#endif
  ! CHECK-NEXT: file 3 12 4 22
  ! CHECK-NEXT: missing -1 -1 0
  call op_exit()

contains

  subroutine show(what, numbers)
    character(len=*), intent(in) :: what
    integer(4), intent(in) :: numbers(:)
    if (op_is_root() == 1) print '(a, *(1x, i0))', what, numbers
  end subroutine show

end program dats
