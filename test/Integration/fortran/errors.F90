! What is wrong with a call is said with names, values and what was expected;
! arguments and slots count from 1, and the loop has the name of its kernel.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -g -J. %s -o errors %op2flib
! RUN: %python %S/Inputs/each_error.py ./errors %s
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -J. %s -o errors %op2gflib %}
! RUN: %if gfortran %{ %python %S/Inputs/each_error.py ./errors %s %}

module errors_kernels
  implicit none
contains
  subroutine pass(x)
    real(8) :: x
    x = x
  end subroutine pass
  subroutine pass_all(x, y, z)
    real(8) :: x, y, z
    x = x + y + z
  end subroutine pass_all
end module errors_kernels

program errors
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use errors_kernels
  implicit none

  type(op_set) :: nodes, edges, other
  type(op_map) :: ends, none
  type(op_sparsity) :: meet
  type(op_mat) :: matrix
  type(op_subset) :: part
  type(op_layers) :: prisms
  integer(8) :: long(5)
  real(4) :: few(9)
  real(8), allocatable :: absent
  type(op_dat) :: heights, missing, twin
  character(len=40) :: what
  integer(4), target :: table(2, 3) = reshape((/ 1, 2, 2, 3, 3, 4 /), (/ 2, 3 /))
  integer(4), target :: unknown(2, 3), four(4) = 0
  real(8), target :: height(4) = 0, stranger(4), sum
  real(8) :: wide(2, 4) = 0
  real(4) :: narrow = 0
  integer(8) :: address
  integer(4) :: place
  logical :: flag = .false.
  external :: outside

  call get_command_argument(1, what)
  if (what == 'base') then
    ! EACH base: op_init_base: base_idx is 2; expected 0 or 1, the least value in tables of maps
    call op_init_base(0, 2)
  end if
  if (what == 'early') then
    ! EACH early: op_decl_set: called before op_init
    call op_decl_set(4, nodes, 'nodes')
  end if
  call op_init_base(0, 1)
  if (what == 'twice') then
    ! EACH twice: op_init: called twice without op_exit between
    call op_init_base(0, 1)
  end if
  call op_decl_set(4, nodes, 'nodes')
  call op_decl_set(3, edges, 'edges')
  call op_decl_set(4, other, 'other')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(nodes, 1, 'real(8)', height, heights, 'heights')

  select case (what)
  ! EACH memory: op_memalloc: -8 bytes; expected 0 or more
  case ('memory')
    call op_memalloc(address, -8)
  ! EACH low: op_decl_map low: element 1, slot 1 is 0; expected 1..4 (set nodes has 4 elements)
  case ('low')
    table(1, 1) = 0
    call op_decl_map(edges, nodes, 2, table, ends, 'low')
  ! EACH word: op_decl_dat x: unknown type string "real(16)"; expected "real(8)", "real(4)"
  case ('word')
    call op_decl_dat(nodes, 1, 'real(16)', height, missing, 'x')
  ! EACH kind: op_decl_dat x: type string is "real(4)", but the array is of type real(8)
  case ('kind')
    call op_decl_dat(nodes, 1, 'real(4)', height, missing, 'x')
  ! EACH short: op_decl_dat x: the array has 4 values; expected at least 8 (4 elements of set nodes, dim 2)
  case ('short')
    call op_decl_dat(nodes, 2, 'real(8)', height, missing, 'x')
  ! EACH apart: op_decl_dat x: the values of the array do not lie side by side; expected a contiguous array
  case ('apart')
    call op_decl_dat(nodes, 1, 'real(8)', wide(1, :), missing, 'x')
  ! EACH reverse: op_decl_const wide: the values of the array do not lie side by side; expected a contiguous array
  case ('reverse')
    call op_decl_const(wide(1, 4:1:-1), 4, 'wide')
  ! EACH apart-levels: op_decl_dat_layers x: the values of the array do not lie side by side; expected a contiguous array
  case ('apart-levels')
    call op_decl_dat_layers(nodes, 1, 1, 'real(8)', wide(2, :), missing, 'x')
  ! EACH temporary: op_decl_dat_temp x: unknown type string "complex"
  case ('temporary')
    call op_decl_dat_temp(nodes, 1, 'complex', missing, 'x')
  ! EACH constant: op_decl_const height: dim is 5, but the variable has 4 values
  case ('constant')
    call op_decl_const(height, 5, 'height')
  ! EACH set: op_get_set: no set was registered with number 7 by op_register_set
  case ('set')
    other = op_get_set(7)
  ! EACH undeclared: op_arg_dat: no dat was declared with the array at 0x
  case ('undeclared')
    call op_par_loop_1(pass, nodes, op_arg_dat(stranger, -1, op_id, 1, 'real(8)', op_rw))
  ! EACH nomap: op_arg_dat: no map was declared with the array at 0x
  case ('nomap')
    call op_par_loop_1(pass, edges, op_arg_dat(height, 1, unknown, 1, 'real(8)', op_inc))
  ! EACH twins: op_arg_dat: heights and twin were both declared with an array at 0x
  case ('twins')
    call op_decl_dat(nodes, 1, 'real(8)', height, twin, 'twin')
    call op_par_loop_1(pass, nodes, op_arg_dat(height, -1, op_id, 1, 'real(8)', op_rw))
  ! EACH scan: op_scan: operation is "product"; expected sum, min or max
  case ('scan')
    call op_scan(heights, heights, 'product')
  ! EACH key: op_renumber_by: dat heights holds 1 values of type double; expected
  case ('key')
    call op_renumber_by(nodes, heights)
  ! EACH mode: op_reset_data_ptr heights: mode is 3; expected 1 (a number) or 2 (the address of the values)
  case ('mode')
    address = op_reset_data_ptr(height, 3)
  ! EACH fetch: op_fetch_data heights: the dat holds double, but the array is of type integer(4)
  case ('fetch')
    call op_fetch_data(heights, four)
  ! EACH fetchshort: op_fetch_data heights: the array has 3 values; expected at least 4 (4 elements, dim 1)
  case ('fetchshort')
    call op_fetch_data(heights, stranger(2:4))
  ! EACH fetchrange: op_fetch_data_idx heights: the array has 2 values; expected at least 3 (3 elements, dim 1)
  case ('fetchrange')
    call op_fetch_data_idx(heights, stranger(1:2), 2, 4)
  ! EACH fetchzero: op_fetch_data_idx heights: elements 0..0; expected a range in 1..4
  case ('fetchzero')
    call op_fetch_data_idx(heights, stranger, 0, 0)
  ! EACH tableshort: op_decl_map x: the array has 6 values; expected at least 8 (4 elements of set nodes, dim 2)
  case ('tableshort')
    call op_decl_map(nodes, nodes, 2, table, ends, 'x')
  ! EACH tableapart: op_decl_map x: the values of the array do not lie side by side; expected a contiguous array
  case ('tableapart')
    call op_decl_map(edges, nodes, 1, table(1, :), ends, 'x')
  ! EACH elementsshort: op_decl_subset x: the array has 1 values; expected at least 2
  case ('elementsshort')
    call op_decl_subset(nodes, 2, four(4:4), part, 'x')
  ! EACH free: op_mpi_free_data: 0x{{[0-9a-f]+}} is not a dat that op_mpi_get_data has made, or was freed before
  case ('free')
    call op_mpi_free_data(heights)
  ! EACH slot: loop pass, argument 1: slots 3..3 of map ends; expected slots in 1..2
  case ('slot')
    call op_par_loop_1(pass, edges, op_arg_dat(heights, 3, ends, 1, 'real(8)', op_inc))
  ! EACH zero: loop pass, argument 1: index -1 is direct access and takes OP_ID, but a map is given
  case ('zero')
    call op_par_loop_1(pass, edges, op_arg_dat(heights, 0, ends, 1, 'real(8)', op_inc))
  ! EACH row: loop pass, argument 1: slots 1..3 of map ends; expected slots in 1..2
  case ('row')
    call op_par_loop_1(pass, edges, op_arg_dat(heights, -3, ends, 1, 'real(8)', op_inc))
  ! EACH rowmap: loop pass, argument 1: index -2 stands for 2 slots of a map, but the map is NULL (OP_ID)
  case ('rowmap')
    call op_par_loop_1(pass, edges, op_arg_dat(heights, -2, none, 1, 'real(8)', op_inc))
  ! EACH pairs: op_decl_sparsity x: 2 maps for rows and 1 for columns; expected pairs
  case ('pairs')
    call op_decl_sparsity((/ ends, ends /), (/ ends /), meet, 'x')
  ! EACH sparsity: op_decl_sparsity x, rows: the map is NULL
  case ('sparsity')
    call op_decl_sparsity(none, ends, meet, 'x')
  ! EACH mattype: op_decl_mat A: type string is "integer(4)"; expected "real(8)" or "real(4)"
  case ('mattype')
    call op_decl_sparsity(ends, ends, meet, 'meet')
    call op_decl_mat(meet, 1, 1, 'integer(4)', matrix, 'A')
  ! EACH matrow: op_arg_mat of A: the row index is 0; expected a slot 1..2 of map ends, or -n for its first n slots
  case ('matrow')
    call make_matrix()
    call op_par_loop_1(pass, edges, op_arg_mat(matrix, 0, ends, -2, ends, 1, 1, 'real(8)', op_inc))
  ! EACH matcol: op_arg_mat of A: the column index is 3; expected a slot 1..2 of map ends
  case ('matcol')
    call make_matrix()
    call op_par_loop_1(pass, edges, op_arg_mat(matrix, -2, ends, 3, ends, 1, 1, 'real(8)', op_inc))
  ! EACH entry: op_arg_mat of A: row index 1 and column index 2 mean one entry of an element
  case ('entry')
    call make_matrix()
    call op_par_loop_1(pass, edges, op_arg_mat(matrix, 1, ends, 2, ends, 1, 1, 'real(8)', op_inc))
  ! EACH matkind: loop pass, argument 1: type is float, but dat A holds double
  case ('matkind')
    call make_matrix()
    call op_par_loop_1(pass, edges, op_arg_mat(matrix, -2, ends, 2, ends, 1, 1, 'real(4)', op_inc))
  ! EACH csr: op_mat_get_csr A: the matrix holds double, but the array is of type real(4)
  case ('csr')
    call make_matrix()
    call op_mat_get_csr(matrix, long, four, few)
  ! EACH subset: op_decl_subset x: element 2 is 5; expected 1..4 (set nodes has 4 elements)
  case ('subset')
    call op_decl_subset(nodes, 2, (/ 4, 5 /), part, 'x')
  ! EACH nosubset: loop pass: the subset is NULL
  case ('nosubset')
    call op_par_loop_1(pass, part, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw))
  ! EACH layers: op_decl_layers x: layers from 3 to 1; expected 1 <= first <= last + 1
  case ('layers')
    call op_decl_layers(nodes, 3, 1, prisms, 'x')
  ! EACH column: op_decl_layers_varying x: column 2 has layers from 0 to 4; expected 1 <= first <= last + 1
  case ('column')
    call op_decl_layers_varying(nodes, reshape((/ 1, 4, 0, 4, 1, 1, 1, 1 /), (/ 2, 4 /)), prisms, 'x')
  ! EACH nolevels: op_decl_dat_layers x: 0 levels of 1 values; expected at least 1 of each
  case ('nolevels')
    call op_decl_dat_layers(nodes, 0, 1, 'real(8)', height, missing, 'x')
  ! EACH shortlevels: op_decl_dat_layers x: the array has 4 values; expected at least 12 (4 elements of set nodes, dim 3)
  case ('shortlevels')
    call op_decl_dat_layers(nodes, 3, 1, 'real(8)', height, missing, 'x')
  ! EACH levels: op_arg_dat_layers: 0 levels from 0 on; expected at least 1
  case ('levels')
    call op_decl_layers(nodes, 1, 1, prisms, 'x')
    call op_par_loop_1(pass, prisms, op_arg_dat_layers(heights, -1, op_id, 0, 0, 1, 'real(8)', op_rw))
  ! EACH reach: loop pass, argument 1: layers x reach level 3, but dat heights has levels 1..1 (rows of 1 values, 1 a level)
  case ('reach')
    call op_decl_layers(nodes, 1, 2, prisms, 'x')
    call op_par_loop_1(pass, prisms, op_arg_dat_layers(heights, -1, op_id, 1, 1, 1, 'real(8)', op_rw))
  ! EACH rows: loop pass, argument 1: dat heights has rows of 1 values, which are no levels of 2
  case ('rows')
    call op_decl_layers(nodes, 1, 1, prisms, 'x')
    call op_par_loop_1(pass, prisms, op_arg_dat_layers(heights, -1, op_id, 0, 1, 2, 'real(8)', op_rw))
  ! EACH nolayers: loop pass: the op_layers is NULL
  case ('nolayers')
    call op_par_loop_1(pass, prisms, op_arg_dat_layers(heights, -1, op_id, 0, 1, 1, 'real(8)', op_rw))
  ! EACH direct: loop pass, argument 1: index 2 needs a map, but the map is NULL (OP_ID)
  case ('direct')
    call op_par_loop_1(pass, nodes, op_arg_dat(heights, 2, op_id, 1, 'real(8)', op_rw))
  ! EACH handle: loop pass, argument 1: the dat is NULL
  case ('handle')
    call op_par_loop_1(pass, nodes, op_arg_dat(missing, -1, op_id, 1, 'real(8)', op_rw))
  ! EACH maphandle: loop pass, argument 1: index 1 needs a map, but the map is NULL
  case ('maphandle')
    call op_par_loop_1(pass, edges, op_arg_dat(heights, 1, none, 1, 'real(8)', op_inc))
  ! EACH elsewhere: loop pass, argument 1: dat heights lives on set nodes, but the loop runs over set other
  case ('elsewhere')
    call op_par_loop_1(pass, other, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw))
  ! EACH dim: loop pass_all, argument 2: dim is 2, but dat heights has dim 1
  case ('dim')
    call op_par_loop_3(pass_all, nodes, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw), &
      op_arg_dat(heights, -1, op_id, 2, 'real(8)', op_read), op_arg_gbl(sum, 1, 'real(8)', op_read))
  ! EACH type: loop pass_all, argument 2: type is float, but dat heights holds double
  case ('type')
    call op_par_loop_3(pass_all, nodes, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw), &
      op_arg_dat(heights, -1, op_id, 1, 'real(4)', op_read), op_arg_gbl(sum, 1, 'real(8)', op_read))
  ! EACH arraytype: loop pass, argument 1: type is "real(4) (but the variable is of type real(8))"
  case ('arraytype')
    call op_par_loop_1(pass, nodes, op_arg_dat(height, -1, op_id, 1, 'real(4)', op_rw))
  ! EACH narrow: loop pass, argument 1: type is "real(8) (but the variable is of type real(4))"
  case ('narrow')
    call op_par_loop_1(pass, nodes, op_arg_gbl(narrow, 1, 'real(8)', op_inc))
  ! EACH logical: loop pass, argument 1: type is "logical (which OP_INC, OP_MIN and OP_MAX do not take; reduce an integer)"
  case ('logical')
    call op_par_loop_1(pass, nodes, op_arg_gbl(flag, 1, 'logical', op_inc))
  ! EACH access: loop pass, argument 1: OP_WORK on dat heights; expected OP_READ
  case ('access')
    call op_par_loop_1(pass, nodes, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_work))
  ! EACH info: loop pass_all, argument 3: follows argument 2, which is no OP_MIN or OP_MAX of a global
  case ('info')
    call op_par_loop_3(pass_all, nodes, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw), &
      op_arg_gbl(sum, 1, 'real(8)', op_read), op_arg_info(place, 1, 'integer(4)', 2))
  ! EACH farinfo: loop pass_all, argument 3: follows argument 4; expected 1..3
  case ('farinfo')
    call op_par_loop_3(pass_all, nodes, op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_rw), &
      op_arg_gbl(sum, 1, 'real(8)', op_max), op_arg_info(place, 1, 'integer(4)', 4))
  ! EACH internal: loop (internal procedure), argument 1: slots 4..4 of map ends; expected slots in 1..2
  case ('internal')
    call op_par_loop_1(host_pass, edges, op_arg_dat(heights, 4, ends, 1, 'real(8)', op_inc))
  ! EACH no-global: loop pass, argument 1: the pointer to the global is NULL
  case ('no-global')
    call op_par_loop_1(pass, edges, op_arg_gbl(absent, 1, 'real(8)', op_read))
  ! EACH external: loop outside, argument 1: slots 4..4 of map ends
  case ('external')
    call op_par_loop_1(outside, edges, op_arg_dat(heights, 4, ends, 1, 'real(8)', op_inc))
  ! EACH index: op_dat_write_index: four and small were both declared with an array at 0x
  case ('index')
    call op_decl_dat(nodes, 1, 'integer(4)', four, missing, 'four')
    call op_decl_dat(edges, 1, 'integer(4)', four, missing, 'small')
    call op_dat_write_index(nodes, four)
  end select
  call op_exit()

contains

  subroutine make_matrix()
    call op_decl_sparsity(ends, ends, meet, 'meet')
    call op_decl_mat(meet, 1, 1, 'real(8)', matrix, 'A')
  end subroutine make_matrix

  subroutine host_pass(x)
    real(8) :: x
    if (flag) x = x + place
  end subroutine host_pass

end program errors

subroutine outside(x)
  real(8) :: x
  x = x
end subroutine outside
