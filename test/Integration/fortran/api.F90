! Every name of the Fortran API, called once, by each compiler; the names here,
! in the modules and in docs/compatibility.md are the same.
!
! REQUIRES: flang, hdf5
! RUN: %python %S/Inputs/api_names.py %s %source %build
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -J. %s -o api %op2flib -lop2_hdf5
! RUN: env OP2_STRICT=0 ./api one two > out && FileCheck %s < out
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -J. %s -o api %op2gflib -lop2_hdf5 %}
! RUN: %if gfortran %{ env OP2_STRICT=0 ./api one two > out && FileCheck %s < out %}
! RUN: cd %t.d
! Fortran's and C's lines keep their order in files.
! CHECK: Fortran's line
! CHECK-NEXT: C's line
! CHECK-NEXT: Fortran's next line
! CHECK: one two
! CHECK: index = 0
! CHECK: dat name = values, type = double
! CHECK: map name = ends, dim = 2
! CHECK: access = OP_READ
! CHECK: by hand (by the program)
! CHECK: region
! CHECK: all done
! RUN: FileCheck %s --check-prefix=DUMP < values.txt
! DUMP: 0, 0 -> +1.000000000000000E+00
! DUMP: 3, 0 -> +4.000000000000000E+00
! RUN: FileCheck %s --check-prefix=MAP < ends.txt
! MAP: 0 --> 0 1
! MAP: 2 --> 2 3
! RUN: diff values.txt label_7
! RUN: FileCheck %s --check-prefix=TEXT < print.txt
! TEXT: 4 1
! TEXT: +1.000000000000000E+00
! RUN: diff print.txt print2.txt
! RUN: not ./api decrement 2>&1 | FileCheck %s --check-prefix=DECREMENT
! DECREMENT: op2 error: decrement_all_maps: the library's tables count from 0 and stay so; expected op_init_base with the least value
! RUN: not ./api increment 2>&1 | FileCheck %s --check-prefix=INCREMENT
! INCREMENT: op2 error: increment_all_maps: the library's tables
! RUN: not ./api g_index 2>&1 | FileCheck %s --check-prefix=GINDEX
! GINDEX: op2 error: op_get_g_index: not there; op_dat_write_index and op_arg_idx give elements their numbers
! RUN: not ./api halo 2>&1 | FileCheck %s --check-prefix=HALO
! HALO: op2 error: op_mpi_probe_halo_index: not there; the lists of imported elements are the library's
! RUN: not ./api cuda 2>&1 | FileCheck %s --check-prefix=CUDA
! CUDA: op2 error: {{.*}}CUDA

module api_kernels
  implicit none
contains
  subroutine copy(from, to)
    real(8) :: from(1), to(1)
    to = from
  end subroutine copy
  subroutine double_level(x)
    real(8) :: x
    x = 2 * x
  end subroutine double_level
  subroutine ones(a, x)
    real(8) :: a(2, 2), x(2)
    a = a + 1 + 0 * x(1)
  end subroutine ones
  ! Leaves the diagonal, and 100 more.
  subroutine all_entries(value, component, is_diagonal, row, column)
    real(8) :: value
    integer(4) :: component, is_diagonal, row, column
    value = value * is_diagonal + component
    if (row == column) value = value + 100
  end subroutine all_entries
  subroutine set_to_number(number, x)
    integer(4) :: number
    real(8) :: x
    x = number
  end subroutine set_to_number
  subroutine all_kinds(x, y, flag, which, least, place, value)
    real(8) :: x(1), y(1), least(1), value(1)
    integer(4) :: flag(1), which(1), place(1)
    if (flag(1) /= which(1)) y = 0
    if (x(1) < least(1)) then
      least = x
      place = which
      value = 10 * x
    end if
  end subroutine all_kinds
end module api_kernels

program api
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use op2_fortran_hdf5_declarations
  use api_kernels
  implicit none

  type(op_set) :: nodes, edges, cells, read_nodes, again
  type(op_map) :: ends, ends_long, read_ends
  type(op_dat) :: values, numbers, scratch, read_values, copied
  type(op_sparsity) :: meet
  type(op_mat) :: matrix
  type(op_subset) :: part, no_part
  type(op_layers) :: prisms, wet
  type(op_dat) :: levels
  type(op_map) :: self, places
  integer(8) :: rowptr(5), nvalues
  integer(4) :: colidx(10), nrows, ncols
  real(8) :: entries(10)
  type(op_set_core), pointer :: set_core
  type(op_map_core), pointer :: map_core
  type(op_dat_core), pointer :: dat_core
  type(op_arg) :: argument, arguments(2)
  character(len=80) :: what, word
  integer(4), target :: table(6) = (/ 1, 2, 2, 3, 3, 4 /)
  integer(4), target :: scratch_numbers(4) = 0, rank, out, n, seven = 7
  integer(8) :: table_long(6) = (/ 1, 2, 2, 3, 3, 4 /), address
  real(8), target :: array(4) = (/ 1, 2, 3, 4 /), got(4), grid(2, 4), least, info, gamma = 1.4d0
  real(8), pointer :: at(:)
  integer(4), pointer :: table_at(:)
  real(8) :: time
  integer(4) :: place
  logical :: is_on

  what = ''
  if (command_argument_count() > 0) call get_command_argument(1, what)

  ! Each way to begin once; a run ends with op_exit.
  call op_init(0)
  call op_exit()
  call op_init_base(0, 1)
  call op_exit()
  call op_init_soa(0, 0)
  call op_exit()
  call op_mpi_init_base(0, 0, 0, 0)
  call op_exit()
  call op_mpi_init_soa(0, 0, 0, 0)
  call op_exit()
  call op_mpi_init_base_soa(0, 0, 0, 1, 0)
  call op_exit()
  call op_init_base_soa(0, 1, 0)

  print '(a)', "Fortran's line"
  call op_print("C's line")
  print '(a)', "Fortran's next line"
  if (what == 'one') then
    call get_command_argument(2, word)
    print '(a, 1x, a)', trim(what), trim(word)
  end if
  call require(max_name_len == 100 .and. bsize_default == 256, 'constants')
  call require(all((/ op_read, op_write, op_rw, op_inc, op_min, op_max, op_work /) == &
    (/ 1, 2, 3, 4, 5, 6, 7 /)), 'accesses')
  call require(.not. associated(op_gbl%mapptr), 'OP_GBL')

  ! Declarations.
  call op_decl_set(4, nodes, 'nodes')
  call op_decl_set(3, edges, 'edges')
  call op_decl_set(0, cells)
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_map_long(edges, nodes, 2, table_long, ends_long, 'ends_long')
  call op_force_part(table)
  call op_decl_dat(nodes, 1, 'real(8)', array, values, 'values')
  call op_decl_dat(nodes, 1, 'integer(4)', scratch_numbers, numbers, 'numbers')
  call op_decl_const(gamma, 1, 'gamma')
  call op_decl_dat_temp(nodes, 1, 'r8', scratch, 'scratch')
  set_core => nodes%setptr
  map_core => ends%mapptr
  dat_core => values%dataptr
  call require(set_core%size == 4 .and. map_core%dim == 2 .and. dat_core%size == 8, 'cores')
  call op_decl_sparsity(ends, ends, meet, 'meet')
  call op_decl_mat(meet, 1, 1, 'real(8)', matrix, 'matrix')
  call op_decl_subset(nodes, 2, (/ 1, 4 /), part, 'part')
  call op_decl_subset_where(nodes, numbers, no_part, 'no part')
  call op_decl_layers(nodes, 1, 2, prisms, 'prisms')
  call op_decl_layers_varying(nodes, reshape((/ 1, 2, 2, 2, 2, 1, 1, 1 /), (/ 2, 4 /)), wet, 'wet')
  call op_decl_dat_layers(nodes, 2, 1, 'real(8)', (/ 1d0, 2d0, 1d0, 2d0, 1d0, 2d0, 1d0, 2d0 /), levels, 'levels')
  self = op_compose_map(ends, ends_of_edges())
  call op_register_set(3, edges)
  again = op_get_set(3)
  call require(c_associated(again%setcptr, edges%setcptr), 'op_get_set')

  ! What ends the program.
  select case (what)
  case ('decrement')
    call decrement_all_maps()
  case ('increment')
    call increment_all_maps()
  case ('g_index')
    print *, op_get_g_index(nodes)
  case ('halo')
    call op_mpi_probe_halo_index(nodes, 1, rank, out)
  case ('cuda')
    arguments(1) = op_arg_dat(values, -1, op_id, 1, 'real(8)', op_read)
    n = op_mpi_halo_exchanges_cuda(nodes%setcptr, 1, arguments)
    call op_mpi_wait_all_cuda(1, arguments)
    call op_mpi_set_dirtybit_cuda(1, arguments)
  end select

  call op_partition('PTSCOTCH', 'KWAY', nodes, ends, values)
  call op_partition2('PTSCOTCH', 'KWAY', nodes, table, array)
  call require(op_is_partitioned() == 1, 'op_is_partitioned')

  ! Loops.
  call op_par_loop_2(copy, nodes, &
    op_arg_dat(values, -1, op_id, 1, 'real(8)', op_read), &
    op_arg_dat(scratch, -1, op_id, 1, 'real(8)', op_write))
  least = 100
  place = 0
  info = 0
  is_on = .true.
  call op_par_loop_7(all_kinds, nodes, &
    op_opt_arg_dat(is_on, values, -1, op_id, 1, 'real(8)', op_read), &
    op_arg_dat(scratch, -1, op_id, 1, 'real(8)', op_rw), &
    op_opt_arg_gbl(is_on, seven, 1, 'integer(4)', op_read), &
    op_arg_idx(-1, op_id), &
    op_arg_gbl(least, 1, 'real(8)', op_min), &
    op_arg_info(place, 1, 'integer(4)', 5), &
    op_arg_info(info, 1, 'real(8)', 5))
  call require(least == 1 .and. place == 1 .and. info == 10, 'op_par_loop_7')

  ! Values.
  call op_fetch_data(values, got)
  call require(all(got == array), 'op_fetch_data')
  ! Also to arrays of several dimensions, and to sections.
  grid = 0
  call op_fetch_data(values, grid(2, :))
  call require(all(grid(2, :) == array) .and. all(grid(1, :) == 0), 'op_fetch_data to a section')
  call op_fetch_data(values, grid)
  call require(grid(2, 1) == array(2) .and. grid(1, 2) == array(3), 'op_fetch_data to a grid')
  got = 0
  call op_fetch_data_idx(values, got, 2, 3)
  call require(all(got(1:2) == array(2:3)) .and. got(3) == 0, 'op_fetch_data_idx')
  call op_get_dat(values)
  call op_put_dat(values)
  call op_get_dat_mpi(values)
  call op_put_dat_mpi(values)
  call op_upload_all()
  call op_print_dat_to_binfile(values, 'print.bin')
  call op_print_dat_to_txtfile(values, 'print.txt')
  call op_print_dat_to_txtfile2(array, 'print2.txt')
  call require(dumpopdat(values, 'values.txt') == 0, 'dumpOpDat')
  call require(dumpopmap(ends, 'ends.txt') == 0, 'dumpOpMap')
  call require(dumpopdatfromdevice(values, 'label', 7) == 0, 'dumpOpDatFromDevice')

  ! Matrices.
  call op_mat_zero(matrix)
  call op_par_loop_2(ones, edges, op_arg_mat(matrix, -2, ends, -2, ends, 1, 1, 'real(8)', op_inc), &
    op_arg_dat(scratch, -2, self, 1, 'real(8)', op_read))
  call op_mat_get_size(matrix, nrows, ncols, nvalues)
  call require(nrows == 4 .and. ncols == 4 .and. nvalues == 10, 'op_mat_get_size')
  call op_mat_get_csr(matrix, rowptr, colidx, entries)
  call require(all(rowptr == (/ 1, 3, 6, 9, 11 /)) .and. all(colidx == (/ 1, 2, 1, 2, 3, 2, 3, 4, 3, 4 /)) &
    .and. all(entries == (/ 1, 1, 1, 2, 1, 1, 2, 1, 1, 1 /)), 'op_mat_get_csr')
  call op_mat_mult(matrix, values, scratch)
  call op_fetch_data(scratch, got)
  call require(all(got == (/ 3, 8, 12, 7 /)), 'op_mat_mult')
  again = op_mat_entries(matrix)
  call require(op_get_size(again) == 10, 'op_mat_entries')
  call op_par_loop_5(all_entries, again, &
    op_arg_dat(op_mat_values(matrix), -1, op_id, 1, 'real(8)', op_rw), &
    op_arg_dat(op_mat_components(matrix), -1, op_id, 1, 'integer(4)', op_read), &
    op_arg_dat(op_mat_diagonals(matrix), -1, op_id, 1, 'integer(4)', op_read), &
    op_arg_idx(1, op_mat_rows(matrix)), op_arg_idx(1, op_mat_cols(matrix)))
  places = op_mat_places(matrix, ends, ends)
  call require(places%mapptr%dim == 4, 'op_mat_places')
  call op_mat_zero_rows(matrix, numbers, 1d0)
  call op_mat_eliminate(matrix, numbers, values, scratch, 1d0)
  call op_print_mat_to_mtxfile(matrix, 'matrix.mtx')
  call require(op_solve(matrix, scratch, values, '-ksp_type preonly -pc_type lu') == 1, 'op_solve')
  call op_fetch_data(values, got)
  call require(all(abs(got * (/ 101, 102, 102, 101 /) - (/ 3, 8, 12, 7 /)) < 1d-9), 'solution')
  call op_par_loop_2(copy, part, &
    op_arg_dat(scratch, -1, op_id, 1, 'real(8)', op_read), &
    op_arg_dat(values, -1, op_id, 1, 'real(8)', op_write))
  call op_par_loop_2(copy, no_part, &
    op_arg_dat(scratch, -1, op_id, 1, 'real(8)', op_read), &
    op_arg_dat(values, -1, op_id, 1, 'real(8)', op_write))
  call op_fetch_data(values, entries)
  call require(entries(1) == 3 .and. entries(4) == 7 .and. all(entries(2:3) == got(2:3)), 'subsets')
  call op_par_loop_1(double_level, prisms, &
    op_arg_dat_layers(levels, -1, op_id, 0, 1, 1, 'real(8)', op_rw))
  call op_par_loop_1(double_level, wet, &
    op_arg_dat_layers(levels, -1, op_id, 0, 1, 1, 'real(8)', op_rw))
  call op_fetch_data(levels, entries)
  call require(sum(entries(1:8)) == 36, 'layers')
  call op_par_loop_2(set_to_number, nodes, op_arg_idx(-1, op_id), &
    op_arg_dat(values, -1, op_id, 1, 'real(8)', op_write))

  ! Sizes.
  call require(op_get_size(nodes) == 4 .and. op_get_global_set_offset(nodes) == 0, 'op_get_size')
  call require(op_get_size_local(nodes) == 4 .and. op_get_size_local_core(nodes) == 4 .and. &
    op_get_size_local_exec(nodes) == 4 .and. op_get_size_local_full(nodes) == 4, 'local sizes')
  call require(get_set_size(nodes%setcptr) == 4, 'get_set_size')
  call require(get_associated_set_size(values) == 4, 'get_associated_set_size')

  ! Addresses.
  address = op_get_data_ptr(values)
  call c_f_pointer(transfer(address, c_null_ptr), at, (/ 4 /))
  call require(all(at == array), 'op_get_data_ptr')
  call require(op_get_data_ptr(transfer(c_loc(array), address)) == address, 'op_get_data_ptr, i8')
  call require(op_reset_data_ptr(scratch_numbers, 2) == op_get_data_ptr(numbers), &
    'op_reset_data_ptr')
  call c_f_pointer(transfer(op_get_data_ptr(numbers), c_null_ptr), table_at, (/ 4 /))
  call op_dat_write_index(nodes, table_at)
  call require(all(table_at == (/ 1, 2, 3, 4 /)), 'op_dat_write_index')
  call c_f_pointer(transfer(op_get_map_ptr(ends), c_null_ptr), table_at, (/ 6 /))
  call require(all(table_at == table - 1), 'op_get_map_ptr')
  call c_f_pointer(transfer(op_copy_map_to_fort(table), c_null_ptr), table_at, (/ 6 /))
  call require(all(table_at == table), 'op_copy_map_to_fort')
  address = op_reset_map_ptr(table_at)
  call require(address == op_get_map_ptr(ends), 'op_reset_map_ptr')
  call c_f_pointer(transfer(address, c_null_ptr), table_at, (/ 6 /))
  call op_memalloc(address, 64)
  call require(address /= 0, 'op_memalloc')

  ! Ranks and loops by hand.
  call op_mpi_rank(rank)
  call require(rank == 0 .and. op_mpi_size() == 1 .and. op_is_root() == 1, 'ranks')
  call op_barrier()
  copied = op_mpi_get_data(values%datacptr)
  call c_f_pointer(copied%dataptr%dat, at, (/ 4 /))
  call require(all(at == array), 'op_mpi_get_data')
  call op_mpi_free_data(copied)
  call op_disable_mpi_reductions(.false.)
  arguments(1) = op_arg_dat(values, 1, ends, 1, 'real(8)', op_read)
  arguments(2) = op_arg_gbl(least, 1, 'real(8)', op_inc)
  call require(op_mpi_halo_exchanges(edges%setcptr, 2, arguments) == 3, 'op_mpi_halo_exchanges')
  call op_mpi_test_all(2, arguments)
  call op_mpi_test_all_grouped(2, arguments)
  call op_mpi_wait_all(2, arguments)
  call op_mpi_set_dirtybit(2, arguments)
  call require(op_mpi_halo_exchanges_grouped(edges%setcptr, 2, arguments, 1) == 3, 'grouped')
  call op_mpi_wait_all_grouped(2, arguments, 1)
  call op_get_all_cuda(2, arguments)
  call op_put_all_cuda(2, arguments)
  call op_mpi_reduce_combined(arguments, 2)
  call op_mpi_reduce_double(arguments(2), arguments(2)%data)
  call op_mpi_reduce_float(arguments(2), arguments(2)%data)
  call op_mpi_reduce_int(arguments(2), arguments(2)%data)
  call op_mpi_reduce_bool(arguments(2), arguments(2)%data)
  call op_trigger_halo_exchanges(1, 'by hand', edges, arguments(1), arguments(2))
  call require(getsetsizefromoparg(arguments(1)) == 4, 'getSetSizeFromOpArg')
  call require(getmapdimfromoparg(arguments(1)) == 2, 'getMapDimFromOpArg')
  call require(gethybridgpu() == 0 .and. round32f(33) == 64, 'getHybridGPU, round32f')
  call op_dump_arg(arguments(1))
  call setkerneltime(0, 'by hand' // c_null_char, 0.5d0, 8.0, 8.0, 3)

  ! Numbers of elements; results stay in the program's order.
  call op_renumber_ptr(table_at)
  call op_renumber(ends)
  call op_fetch_data(values, got)
  call require(all(got == array), 'op_renumber')
  call op_renumber_by(nodes, numbers)
  call op_fetch_data(values, got)
  call require(all(got == array), 'op_renumber_by')
  call op_scan(values, scratch, 'sum')
  call op_fetch_data(scratch, got)
  call require(all(got == (/ (sum(array(:n)), n = 1, 4) /)), 'op_scan')

  ! Files.
  call op_dump_to_hdf5('api.h5')
  call op_fetch_data_hdf5_file(values, 'one.h5')
  call op_fetch_data_hdf5_file2(array, 'two.h5')
  call require(op_decl_dat_overlay(nodes, array) > 2, 'op_decl_dat_overlay')

  ! The rest of the program.
  call op_disable_device_execution(.false.)
  call require(logical(op_check_whitelist('copy')), 'op_check_whitelist')
  call op_check_fallback_mode('copy')
  call op_timers(time)
  call op_timers_core(time)
  call require(time > 0, 'op_timers')
  call op_timing_output()
  call op_diagnostic_output()
  call op_profile_start('api')
  call op_profile_enter('region')
  call op_profile_enter_kernel('kernel', 'seq', 'direct')
  call op_profile_exit()
  call op_profile_next('next')
  call op_profile_end()
  call op_profile_output()
  call op_profile_output_json('profile.json')
  call op_free_subset(no_part)
  call require(.not. c_associated(no_part%subsetcptr), "op_free_subset")
  call require(op_free_dat_temp(scratch) == 1, 'op_free_dat_temp')
  call op_exit()

  ! Maps in files that the library has written count from 0.
  call op_init_base(0, 0)
  call op_decl_set_hdf5(edges, 'api.h5', 'edges')
  call op_decl_set_hdf5(n, read_nodes, 'api.h5', 'nodes')
  call op_decl_map_hdf5(edges, read_nodes, 2, read_ends, 'api.h5', 'ends', rank)
  call op_decl_dat_hdf5(read_nodes, 1, read_values, 'real(8)', 'two.h5', 'values', out)
  call require(n == 4 .and. rank == 3 .and. out == 4, 'HDF5')
  call op_fetch_data(read_values, got)
  call require(all(got == array), 'op_decl_dat_hdf5')
  call op_exit()
  print '(a)', 'all done'

contains

  type(op_map) function ends_of_edges() result(map)
    integer(4) :: own(3) = (/ 1, 2, 3 /)
    call op_decl_map(edges, edges, 1, own, map, 'own')
  end function ends_of_edges

  subroutine require(isso, name)
    logical, intent(in) :: isso
    character(len=*), intent(in) :: name
    if (isso) return
    print '(a, a)', 'wrong: ', name
    stop 1
  end subroutine require

end program api
