! Poisson's equation on triangles of the unit square: a sparse matrix assembled by
! loops, values given on the boundary, solved, and compared with the exact
! solution; packed arguments and subsets. The same text by each compiler and on
! ranks.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -O1 -J. %s -o poisson -Wl,--no-as-needed %op2mpilib %op2flib
! RUN: ./poisson > out && FileCheck %s < out
! RUN: %if mpi %{ env OP2_RANKS=whole %mpirun -n 2 ./poisson > ranks && diff out ranks %}
! RUN: %op2fc -O1 -J. -Werror=op2-sequential --op2-report --op2-target=seq,openmp,emulator --op2-mpi %s -o compiled 2> report
! RUN: FileCheck %s --check-prefix=REPORT < report
! RUN: env OP2_RANKS=whole OP2_TARGET=seq ./compiled > seq && diff out seq
! RUN: env OP2_RANKS=whole OP2_TARGET=openmp OMP_NUM_THREADS=2 ./compiled > openmp && diff out openmp
! RUN: env OP2_RANKS=whole OP2_TARGET=emulator ./compiled > emulator && diff out emulator
! RUN: %if mpi %{ env OP2_RANKS=whole OP2_TARGET=openmp OMP_NUM_THREADS=1 %mpirun -n 2 ./compiled > ranks && diff out ranks %}
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -J. %s -o poisson %op2gflib %}
! RUN: %if gfortran %{ ./poisson > out && diff out %t.d/out %}
!
! REPORT-DAG: loop 'assemble': kernel raised
! REPORT-DAG: loop 'add_flux': kernel raised
! REPORT-DAG: loop 'reset': kernel raised

! CHECK:      matrix: 289 x 289, 1889 values
! CHECK-NEXT: rows add up: T
! CHECK-NEXT: first row: 1 2 18 19
! CHECK-NEXT: product by loop and library: T
! CHECK-NEXT: symmetric: T
! CHECK-NEXT: solved: T error below 0.01: T residual below 1e-8: T
! CHECK-NEXT: by zeroed rows: T
! CHECK-NEXT: subset: 64 of 64
! CHECK-NEXT: on the left: 17 times 3.0
! CHECK-NEXT: numbers and flags: 516
! CHECK-NEXT: union: 289 rows
! CHECK-NEXT: %%MatrixMarket matrix coordinate real general
! CHECK-NEXT: 289 289 1889

module poisson_kernels
  implicit none
  real(8), parameter :: pi = 3.14159265358979323846d0
contains
  subroutine source(x, is_boundary, exact, given, f)
    real(8), intent(in) :: x(2)
    integer(4), intent(in) :: is_boundary
    real(8), intent(out) :: exact, given, f
    exact = cos(pi * x(1)) * cos(pi * x(2))
    f = 2 * pi * pi * exact
    given = 0
    if (is_boundary /= 0) given = exact
  end subroutine source
  ! a(j, i): column j of row i.
  subroutine assemble(a, b, x, f)
    real(8), intent(inout) :: a(3, 3), b(3)
    real(8), intent(in) :: x(2, 3), f(3)
    real(8) :: g(2, 3), area
    integer :: i, j, after, before
    do i = 1, 3
      after = mod(i, 3) + 1
      before = mod(i + 1, 3) + 1
      g(1, i) = x(2, after) - x(2, before)
      g(2, i) = x(1, before) - x(1, after)
    end do
    area = 0.5d0 * abs((x(1, 2) - x(1, 1)) * (x(2, 3) - x(2, 1)) - &
                       (x(1, 3) - x(1, 1)) * (x(2, 2) - x(2, 1)))
    do i = 1, 3
      do j = 1, 3
        a(j, i) = a(j, i) + (g(1, i) * g(1, j) + g(2, i) * g(2, j)) / (4 * area)
      end do
      b(i) = b(i) + area / 12 * (f(1) + f(2) + f(3) + f(i))
    end do
  end subroutine assemble
  ! Column j of row i is not that of row j and column i.
  subroutine skew(a)
    real(8), intent(inout) :: a(3, 3)
    a(3, 1) = a(3, 1) + 1
  end subroutine skew
  subroutine add_flux(value, x, y)
    real(8), intent(in) :: value, x
    real(8), intent(inout) :: y
    y = y + value * x
  end subroutine add_flux
  subroutine reset(x)
    real(8), intent(out) :: x
    x = 0
  end subroutine reset
  subroutine copy(from, to)
    real(8), intent(in) :: from
    real(8), intent(out) :: to
    to = from
  end subroutine copy
  subroutine one(x)
    real(8), intent(out) :: x
    x = 1
  end subroutine one
  subroutine shift(x)
    real(8), intent(inout) :: x
    x = x + 2
  end subroutine shift
  subroutine numbered(number, total)
    integer(4), intent(in) :: number
    integer(4), intent(inout) :: total
    total = total + number
  end subroutine numbered
  subroutine difference(x, y, most)
    real(8), intent(in) :: x, y
    real(8), intent(inout) :: most
    most = max(most, abs(x - y))
  end subroutine difference
end module poisson_kernels

program poisson
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use poisson_kernels
  implicit none
  integer, parameter :: n = 16, nodes_count = (n + 1) * (n + 1), cells_count = 2 * n * n
  type(op_set) :: nodes, cells, entries
  type(op_map) :: corners, corners_again, rows, cols, through
  type(op_dat) :: x, is_boundary, exact, given, f, b, u, v, w, values, flag
  type(op_sparsity) :: meet, both
  type(op_mat) :: a, wide
  type(op_subset) :: border, left, some
  integer(4) :: cell(3, cells_count), flags(nodes_count), border_nodes(4 * n), i, j, k, here, &
    nrows, ncols, iterations, total
  integer(8) :: nvalues
  integer(8), allocatable :: rowptr(:)
  integer(4), allocatable :: colidx(:)
  real(8), allocatable :: numbers(:), diagonal(:, :)
  real(8) :: at(2, nodes_count), zeros(nodes_count) = 0, got(nodes_count), most, residual
  logical :: is_good
  character(len=80) :: line

  call op_init(0)
  k = 0
  total = 0
  do j = 0, n
    do i = 0, n
      here = j * (n + 1) + i + 1
      at(:, here) = (/ real(i, 8) / n, real(j, 8) / n /)
      flags(here) = 0
      if (i == 0 .or. i == n .or. j == 0 .or. j == n) then
        flags(here) = 1
        total = total + 1
        border_nodes(total) = here
      end if
      if (i == n .or. j == n) cycle
      cell(:, k + 1) = (/ here, here + 1, here + n + 2 /)
      cell(:, k + 2) = (/ here, here + n + 2, here + n + 1 /)
      k = k + 2
    end do
  end do
  call op_decl_set(nodes_count, nodes, 'nodes')
  call op_decl_set(cells_count, cells, 'cells')
  call op_decl_map(cells, nodes, 3, cell, corners, 'corners')
  call op_decl_map(cells, nodes, 3, cell, corners_again, 'corners again')
  call op_decl_dat(nodes, 2, 'real(8)', at, x, 'x')
  call op_decl_dat(nodes, 1, 'integer(4)', flags, is_boundary, 'is_boundary')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, exact, 'exact')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, given, 'given')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, f, 'f')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, b, 'b')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, u, 'u')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, v, 'v')
  call op_decl_dat(nodes, 1, 'real(8)', zeros, w, 'w')
  call op_decl_sparsity(corners, corners, meet, 'meet')
  call op_decl_sparsity((/ corners, corners_again /), (/ corners, corners_again /), both)
  call op_decl_mat(meet, 1, 1, 'real(8)', a, 'A')
  call op_decl_mat(both, 2, 2, 'r4', wide)
  call declare_subsets()

  call op_par_loop_5(source, nodes, &
    op_arg_dat(x, -1, OP_ID, 2, 'real(8)', OP_READ), &
    op_arg_dat(is_boundary, -1, OP_ID, 1, 'integer(4)', OP_READ), &
    op_arg_dat(exact, -1, OP_ID, 1, 'real(8)', OP_WRITE), &
    op_arg_dat(given, -1, OP_ID, 1, 'real(8)', OP_WRITE), &
    op_arg_dat(f, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_mat_zero(a)
  call assemble_all()

  call op_mat_get_size(a, nrows, ncols, nvalues)
  allocate (rowptr(nrows + 1), colidx(nvalues), numbers(nvalues), diagonal(nrows, ncols))
  call op_mat_get_csr(a, rowptr, colidx, numbers)
  if (op_is_root() == 1) then
    print '(a, i0, a, i0, a, i0, a)', 'matrix: ', nrows, ' x ', ncols, ', ', nvalues, ' values'
    is_good = rowptr(1) == 1 .and. rowptr(nrows + 1) == nvalues + 1
    do i = 1, nrows
      is_good = is_good .and. abs(sum(numbers(rowptr(i):rowptr(i + 1) - 1))) < 1d-12
    end do
    print '(a, l1)', 'rows add up: ', is_good
    print '(a, *(1x, i0))', 'first row:', colidx(rowptr(1):rowptr(2) - 1)
  end if

  ! y = A x by a loop over the entries.
  entries = op_mat_entries(a)
  values = op_mat_values(a)
  rows = op_mat_rows(a)
  cols = op_mat_cols(a)
  call op_par_loop_1(reset, nodes, op_arg_dat(v, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_par_loop_3(add_flux, entries, &
    op_arg_dat(values, -1, OP_ID, 1, 'real(8)', OP_READ), &
    op_arg_dat(exact, 1, cols, 1, 'real(8)', OP_READ), &
    op_arg_dat(v, 1, rows, 1, 'real(8)', OP_INC))
  call op_mat_mult(a, exact, w)
  most = distance(v, w)
  if (op_is_root() == 1) print '(a, l1)', 'product by loop and library: ', most < 1d-12

  ! Columns come first.
  call op_mat_zero(a)
  call op_par_loop_1(skew, cells, op_arg_mat(a, -3, corners, -3, corners, 1, 1, 'real(8)', OP_INC))
  call op_mat_get_csr(a, rowptr, colidx, numbers)
  diagonal = 0
  do i = 1, nrows
    diagonal(i, colidx(rowptr(i):rowptr(i + 1) - 1)) = numbers(rowptr(i):rowptr(i + 1) - 1)
  end do
  is_good = diagonal(1, n + 3) == 1 .and. diagonal(n + 3, 1) == 0 .and. diagonal(1, n + 2) == 1
  call op_mat_zero(a)
  call op_par_loop_1(reset, nodes, op_arg_dat(b, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call assemble_all()
  call op_mat_eliminate(a, is_boundary, given, b, 1d0)
  call op_mat_get_csr(a, rowptr, colidx, numbers)
  diagonal = 0
  do i = 1, nrows
    diagonal(i, colidx(rowptr(i):rowptr(i + 1) - 1)) = numbers(rowptr(i):rowptr(i + 1) - 1)
  end do
  is_good = is_good .and. all(abs(diagonal - transpose(diagonal)) < 1d-14)
  if (op_is_root() == 1) print '(a, l1)', 'symmetric: ', is_good

  iterations = op_solve(a, b, u, '-ksp_type cg -pc_type icc -ksp_rtol 1e-10')
  most = distance(u, exact)
  call op_mat_mult(a, u, v)
  residual = distance(v, b)
  if (op_is_root() == 1) print '(3(a, l1))', 'solved: ', iterations > 0, ' error below 0.01: ', &
    most > 1d-6 .and. most < 1d-2, ' residual below 1e-8: ', residual < 1d-8

  ! The same system by rows of the unit matrix, and no symmetry.
  call op_mat_zero(a)
  call op_par_loop_1(reset, nodes, op_arg_dat(b, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call assemble_all()
  call op_mat_zero_rows(a, is_boundary, 1d0)
  call op_par_loop_2(copy, border, op_arg_dat(given, -1, OP_ID, 1, 'real(8)', OP_READ), &
    op_arg_dat(b, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  call op_par_loop_1(reset, nodes, op_arg_dat(w, -1, OP_ID, 1, 'real(8)', OP_WRITE))
  iterations = op_solve(a, b, w, '-ksp_type preonly -pc_type lu')
  most = distance(u, w)
  if (op_is_root() == 1) print '(a, l1)', 'by zeroed rows: ', iterations == 1 .and. most < 1d-8

  call loops_over_subsets()

  call op_mat_get_size(wide, nrows, ncols, nvalues)
  if (op_is_root() == 1) print '(a, i0, a)', 'union: ', nrows / 2, ' rows'
  call op_print_mat_to_mtxfile(a, 'a.mtx')
  if (op_is_root() == 1) then
    open (unit=20, file='a.mtx', action='read')
    do i = 1, 2
      read (20, '(a)') line
      print '(a)', trim(line)
    end do
  end if
  call op_exit()

contains

  subroutine assemble_all()
    call op_par_loop_4(assemble, cells, &
      op_arg_mat(a, -3, corners, -3, corners, 1, 1, 'real(8)', OP_INC), &
      op_arg_dat(b, -3, corners, 1, 'real(8)', OP_INC), &
      op_arg_dat(x, -3, corners, 2, 'real(8)', OP_READ), &
      op_arg_dat(f, -3, corners, 1, 'real(8)', OP_READ))
  end subroutine assemble_all

  ! Subsets, of which ranks must know before the first loop.
  subroutine declare_subsets()
    integer(4) :: is_left(nodes_count), few(2), own(cells_count)
    type(op_map) :: self
    is_left = 0
    where (at(1, :) == 0) is_left = 1
    few = (/ 2, cells_count /)
    own = (/ (i, i = 1, cells_count) /)
    call op_decl_subset(nodes, 4 * n, border_nodes, border, 'border')
    call op_decl_dat(nodes, 1, 'integer(4)', is_left, flag, 'flag')
    call op_decl_subset_where(nodes, flag, left)
    call op_decl_subset(cells, 2, few, some, 'some')
    call op_decl_map(cells, cells, 1, own, self, 'self')
    through = op_compose_map(corners, self)
  end subroutine declare_subsets

  ! Direct arguments, through maps, numbers of elements, and a composed map.
  subroutine loops_over_subsets()
    integer(4) :: sum
    call op_par_loop_1(reset, nodes, op_arg_dat(v, -1, OP_ID, 1, 'real(8)', OP_WRITE))
    call op_par_loop_1(one, border, op_arg_dat(v, -1, OP_ID, 1, 'real(8)', OP_WRITE))
    call op_fetch_data(v, got)
    if (op_is_root() == 1) &
      print '(a, i0, a, i0)', 'subset: ', count(got == 1 .and. flags == 1), ' of ', 4 * n
    call op_par_loop_1(shift, left, op_arg_dat(v, -1, OP_ID, 1, 'real(8)', OP_RW))
    call op_fetch_data(v, got)
    if (op_is_root() == 1) &
      print '(a, i0, a, f3.1)', 'on the left: ', count(got == 3), ' times ', maxval(got)
    sum = 0
    call op_par_loop_2(numbered, some, op_arg_idx(-1, OP_ID), op_arg_gbl(sum, 1, 'integer(4)', OP_INC))
    call op_par_loop_2(numbered, some, op_arg_dat(flag, 3, corners, 1, 'integer(4)', OP_READ), &
      op_arg_gbl(sum, 1, 'integer(4)', OP_INC))
    call op_par_loop_2(numbered, some, op_arg_dat(flag, 3, through, 1, 'integer(4)', OP_READ), &
      op_arg_gbl(sum, 1, 'integer(4)', OP_INC))
    if (op_is_root() == 1) print '(a, i0)', 'numbers and flags: ', sum
  end subroutine loops_over_subsets

  real(8) function distance(p, q)
    type(op_dat), intent(in) :: p, q
    real(8) :: largest
    largest = 0
    call op_par_loop_3(difference, nodes, op_arg_dat(p, -1, OP_ID, 1, 'real(8)', OP_READ), &
      op_arg_dat(q, -1, OP_ID, 1, 'real(8)', OP_READ), op_arg_gbl(largest, 1, 'real(8)', OP_MAX))
    distance = largest
  end function distance

end program poisson
