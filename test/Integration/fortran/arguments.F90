! Each form of argument, in the development mode of both compilers and compiled
! for each target, with tables of maps from 0 and from 1, alone and on ranks. All
! values are integers, or are printed as such: every way gives the same text.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -J. %s -o arguments -Wl,--no-as-needed %op2mpilib %op2flib
! RUN: ./arguments 1 > out && FileCheck %s < out
! RUN: ./arguments 0 > out0 && diff out out0
! RUN: env OP2_CHECK=1 OP2_RENUMBER=rcm ./arguments 1 > renumbered && diff out renumbered
! RUN: %if mpi %{ env OP2_RANKS=whole %mpirun -n 3 ./arguments 1 > ranks && diff out ranks %}
! RUN: %if mpi %{ env OP2_RANKS=whole not %mpirun -n 2 ./arguments 1 copy 2>&1 | FileCheck %s --check-prefix=PARTS %}
! PARTS: op_copy_map_to_fort ends: ranks have their parts of the table; expected the call before op_partition and the first loop
! Loops that name dats or maps by arrays are not compiled.
! RUN: %op2fc -O1 -J. --op2-target=seq,openmp,emulator %s -o compiled 2> warnings
! RUN: FileCheck %s --check-prefix=ARRAYS < warnings
! ARRAYS: arguments.F90:[[#]]:3: warning: loop 'spread' is not compiled and runs sequentially: argument 2 is not a call of op_arg_dat
! ARRAYS: arguments.F90:[[#]]:3: warning: loop 'number' is not compiled and runs sequentially: argument 3 is not a call of op_arg_dat
! ARRAYS-NOT: warning
! RUN: env OP2_STRICT=0 OP2_TARGET=seq ./compiled 1 > seq && diff out seq
! RUN: env OP2_STRICT=0 OP2_TARGET=openmp OMP_NUM_THREADS=3 ./compiled 0 OP_PART_SIZE=4 > openmp && diff out openmp
! RUN: env OP2_STRICT=0 OP2_TARGET=emulator ./compiled 1 > emulator && diff out emulator
! RUN: %if mpi %{ %op2fc -O1 -J. -Wno-op2-sequential --op2-mpi %s -o compiled %}
! RUN: %if mpi %{ env OP2_STRICT=0 OP2_RANKS=whole %mpirun -n 3 ./compiled 1 > ranks && diff out ranks %}
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran -J. %s -o arguments %op2gflib %}
! RUN: %if gfortran %{ ./arguments 0 > out && FileCheck %s < out %}

module arguments_kernels
  implicit none
  integer(4), save :: scale = 1
contains
  ! Direct and through both slots; a dummy of rank 2, one of assumed size.
  subroutine spread(edge, first, second)
    integer(4), intent(in) :: edge(*)
    integer(4), intent(inout) :: first(2, 1), second(2)
    first(1, 1) = first(1, 1) + edge(1)
    second(2) = second(2) + scale * edge(1)
  end subroutine spread

  subroutine number(own, first, second, numbers)
    integer(4) :: own, first, second
    integer(4), intent(out) :: numbers(3)
    numbers = (/ own, first, second /)
  end subroutine number

  ! What is least and greatest, and where.
  subroutine limits(value, own, least, at_least, greatest, at_greatest, copy)
    real(8) :: value(1), least(1), greatest(1), copy(2)
    integer(4) :: own(1), at_least(1), at_greatest(1)
    if (value(1) < least(1)) then
      least = value
      at_least = own
    end if
    if (value(1) > greatest(1)) then
      greatest = value
      at_greatest = own
      copy = value(1)
    end if
  end subroutine limits

  ! What is off is not present.
  subroutine maybe(has, extra, result, factor)
    logical :: has
    integer(4), optional :: extra, factor
    integer(4) :: result
    if ((present(extra) .neqv. has) .or. (present(factor) .neqv. has)) result = result - 1000000
    if (has) then
      result = result + extra * factor
    else
      result = result + 1000
    end if
  end subroutine maybe

  ! Globals of each kind and rank.
  subroutine globals(i4, i8, r4, r8, l, sum4, sum8, all)
    integer(4) :: i4
    integer(8) :: i8(2), sum8(2)
    real(4) :: r4(2, 2)
    real(8) :: r8(2, 2, 2)
    logical :: l(1, 1, 1, 2)
    real(8) :: sum4
    integer(4) :: all
    if (l(1, 1, 1, 1) .and. .not. l(1, 1, 1, 2)) sum4 = sum4 + sum(r4) + sum(r8)
    sum8 = sum8 + i8
    all = all + i4
  end subroutine globals

  subroutine add(values, n, sum)
    integer(4) :: n, values(n), sum(1)
    sum(1) = sum(1) + values(n)
  end subroutine add
end module arguments_kernels

program arguments
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use arguments_kernels
  implicit none

  integer(4), parameter :: size = 12
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: edge_values, sums, numbers, heights, results
  integer(4), target :: table(2, size), table_of_rows(2 * size)
  integer(4), target :: values(size), zeros(2, size), places(3, size), fetched(3 * size), out(size)
  real(8), target :: height(size)
  real(8) :: least, greatest, copied(2)
  integer(4) :: e, base, at_least, at_greatest, dim, total, largest
  integer(4) :: factor
  character(len=8) :: word
  integer(4) :: i4
  integer(8) :: i8(2), sum8(2)
  real(4) :: r4(2, 2)
  real(8) :: r8(2, 2, 2), sum4
  logical :: l(1, 1, 1, 2), on

  call get_command_argument(1, word)
  read (word, *) base
  call op_init_base(0, base)
  do e = 1, size
    table(:, e) = (/ e, mod(e, size) + 1 /) + base - 1
    values(e) = e
    height(e) = mod(5 * e, size)
  end do
  zeros = 0
  places = 0
  table_of_rows = reshape(table, (/ 2 * size /))
  call op_decl_set(size, nodes, 'nodes')
  call op_decl_set(size, edges, 'edges')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(edges, 1, 'integer(4)', values, edge_values, 'edge_values')
  call op_decl_dat(nodes, 2, 'i4', zeros, sums, 'sums')
  call op_decl_dat(edges, 3, 'integer*4', places, numbers, 'numbers')
  call op_decl_dat(nodes, 1, 'real(8)', height, heights, 'heights')
  call op_decl_dat(nodes, 1, 'integer(4)', values, results)
  call op_partition('', '', nodes, ends, heights)

  ! Direct, and through each slot.
  scale = 10
  call op_par_loop_3(spread, edges, &
    op_arg_dat(edge_values, -1, op_id, 1, 'integer(4)', op_read), &
    op_arg_dat(sums, 1, ends, 2, 'integer(4)', op_inc), &
    op_arg_dat(sums, 2, ends, 2, 'integer(4)', op_inc))
  call op_fetch_data(sums, fetched)
  ! CHECK: sums 1 120 2 10 3 20
  call show('sums', fetched, 6)

  ! By the arrays that they were declared with, of rank 2 and (which is another
  ! array) not.
  call op_par_loop_3(spread, edges, &
    op_arg_dat(edge_values, -1, op_id, 1, 'integer(4)', op_read), &
    op_arg_dat(zeros, 1, table, 2, 'integer(4)', op_inc), &
    op_opt_arg_dat(.true., zeros, 2, table, 2, 'integer(4)', op_inc))
  call op_fetch_data(sums, fetched)
  ! CHECK: sums, by arrays 2 240 4 20 6 40
  call show('sums, by arrays', fetched, 6)

  ! Numbers, from 1 in each case.
  call op_par_loop_4(number, edges, &
    op_arg_idx(-1, op_id), op_arg_idx(1, ends), op_arg_idx(2, table), &
    op_arg_dat(numbers, -1, op_id, 3, 'integer(4)', op_write))
  call op_fetch_data(numbers, fetched)
  ! CHECK: numbers 1 1 2 2 2 3
  call show('numbers', fetched, 6)
  ! CHECK: last 12 12 1
  call show('last', fetched(3 * size - 2:), 3)
  call op_fetch_data_idx(numbers, fetched, 5, 6)
  ! CHECK: idx 5 5 6 6 6 7
  call show('idx', fetched, 6)

  ! Least and greatest.
  least = 1000
  greatest = -1000
  at_least = 0
  at_greatest = 0
  copied = 0
  call op_par_loop_7(limits, nodes, &
    op_arg_dat(heights, -1, op_id, 1, 'real(8)', op_read), op_arg_idx(-1, op_id), &
    op_arg_gbl(least, 1, 'real(8)', op_min), op_arg_info(at_least, 1, 'integer(4)', 3), &
    op_arg_gbl(greatest, 1, 'real(8)', op_max), op_arg_info(at_greatest, 1, 'integer(4)', 5), &
    op_arg_info(copied, 2, 'real(8)', 5))
  ! CHECK: limits 0 12 11 7 11 11
  call show('limits', (/ int(least), at_least, int(greatest), at_greatest, int(copied) /), 6)

  ! Optional arguments.
  factor = 3
  do e = 1, 2
    on = e == 1
    call op_par_loop_4(maybe, edges, &
      op_arg_gbl(on, 1, 'logical', op_read), &
      op_opt_arg_dat(on, edge_values, -1, op_id, 1, 'integer(4)', op_read), &
      op_arg_dat(results, 1, ends, 1, 'integer(4)', op_inc), &
      op_opt_arg_gbl(on, factor, 1, 'integer(4)', op_read))
  end do
  call op_fetch_data(results, out)
  ! CHECK: optional 1004 1008 1012
  call show('optional', out, 3)

  ! Globals.
  i4 = 2
  i8 = (/ 3_8, 5000000000_8 /)
  r4 = 1
  r8 = 0.5d0
  l = .false.
  l(1, 1, 1, 1) = .true.
  sum4 = 1
  sum8 = 0
  total = 0
  call op_par_loop_8(globals, nodes, &
    op_arg_gbl(i4, 1, 'integer(4)', op_read), op_arg_gbl(i8, 2, 'integer(8)', op_read), &
    op_arg_gbl(r4, 4, 'real(4)', op_read), op_arg_gbl(r8, 8, 'real*8', op_read), &
    op_arg_gbl(l, 2, 'logical', op_read), op_arg_gbl(sum4, 1, 'real(8)', op_inc), &
    op_arg_gbl(sum8, 2, 'i8', op_inc), op_arg_gbl(total, 1, 'integer(4)', op_inc))
  ! CHECK: globals 97 36 60 24
  call show('globals', (/ int(sum4), int(sum8(1)), int(sum8(2) / 1000000000_8), total /), 4)

  ! A dim that only the run knows, and a kernel that sees its host's variables.
  dim = 3
  total = 0
  call op_par_loop_3(add, edges, &
    op_arg_dat(numbers, -1, op_id, dim, 'integer(4)', op_read), &
    op_arg_gbl(dim, 1, 'integer(4)', op_read), op_arg_gbl(total, 1, 'integer(4)', op_inc))
  largest = -1
  call op_par_loop_2(greatest_of, edges, &
    op_arg_dat(numbers, -1, op_id, dim, 'integer(4)', op_read), &
    op_arg_gbl(largest, 1, 'integer(4)', op_max))
  ! CHECK: run time 78 15
  call show('run time', (/ total, largest /), 2)
  call get_command_argument(2, word)
  if (word == 'copy') print *, op_copy_map_to_fort(table)
  call op_exit()

contains

  subroutine greatest_of(row, most)
    integer(4) :: row(*), most
    most = max(most, maxval(row(1:dim)) + factor)
  end subroutine greatest_of

  subroutine show(what, numbers, count)
    character(len=*), intent(in) :: what
    integer(4), intent(in) :: numbers(*), count
    if (op_is_root() == 1) print '(a, *(1x, i0))', what, numbers(1:count)
  end subroutine show

end program arguments
