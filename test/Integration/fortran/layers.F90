! Loops over layers in Fortran: levels with every access, of one slot and of
! several, of one component and of two; columns of different depths, some empty;
! what kernels take by columns; numbers; sums. Against the same by hand.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %flang -g %s -o dev %op2flib && ./dev | FileCheck %s
! RUN: %op2fc -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o compiled
! RUN: env OP2_TARGET=seq ./compiled | FileCheck %s
! RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 ./compiled | FileCheck %s
! RUN: env OP2_TARGET=openmp OP2_OWNER=always OP2_CHECK=1 ./compiled | FileCheck %s
! RUN: env OP2_TARGET=emulator ./compiled | FileCheck %s
! RUN: %op2fc -O3 -march=x86-64-v3 -Werror=op2-sequential %s -o wide && ./wide | FileCheck %s
! RUN: %op2fc -O0 -g -Werror=op2-sequential %s -o debug && ./debug | FileCheck %s
! RUN: %if gfortran %{ mkdir -p %t.gf && cd %t.gf && %gfortran %s -o dev %op2gflib && ./dev | FileCheck %s %}
! RUN: %if mpi %{ cd %t.d && %op2fc -O1 -Werror=op2-sequential --op2-mpi %s -o ranks %}
! RUN: %if mpi %{ cd %t.d && env OP2_RANKS=whole OP2_PARTITION=random:3 %mpirun -n 3 ./ranks | FileCheck %s %}
!
! CHECK: flow 0
! CHECK-NEXT: walk 0
! CHECK-NEXT: column 0
! CHECK-NEXT: top 0
module layers_kernels
  implicit none
contains
  ! Two levels of two ends, two components each: what is above gets what is below.
  subroutine flow(t, r, factor)
    real(8), intent(in) :: t(2, 2, 2), factor
    real(8), intent(inout) :: r(2, 2, 2)
    integer :: i
    do i = 1, 2
      r(:, 1, i) = r(:, 1, i) + t(:, 2, 3 - i) * factor
      r(:, 2, i) = r(:, 2, i) - t(:, 1, i)
    end do
  end subroutine flow

  ! Levels of the column's own, of one slot, and no levels.
  subroutine walk(own, below, height, number, end, total, highest)
    integer(4), intent(inout) :: own(*), below(2)
    integer(4), intent(in) :: height, number, end
    integer(8), intent(inout) :: total
    integer(4), intent(inout) :: highest
    own(1) = own(1) * 2 + height + number
    below(1) = below(1) + end
    below(2) = below(2) + 1
    total = total + own(1)
    highest = max(highest, own(1))
  end subroutine walk

  subroutine top(x, y)
    integer(4), intent(in) :: x
    integer(4), intent(out) :: y
    y = x + 1
  end subroutine top
end module layers_kernels

program layers
  use op2_fortran_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use layers_kernels
  implicit none
  integer, parameter :: n = 40, levels = 12
  type(op_set) :: columns, nodes
  type(op_map) :: ends
  type(op_dat) :: heat, change, factors, numbers, counts, heights
  type(op_layers) :: all, some, highest_ones
  integer(4) :: table(2, n), ranges(2, n), own(levels, n), below(levels, n), height(n)
  integer(4) :: own_now(levels * n), below_now(levels * n)
  real(8) :: t(2, levels, n), r(2, levels, n), now(2 * levels * n), factor(n)
  integer(8) :: total, sum
  integer(4) :: highest, most, c, l, i, next

  call op_init(0)
  do c = 1, n
    table(:, c) = [c, mod(c, n) + 1]
    ranges(:, c) = [mod(c, 3) + 1, mod(c * 5, 12)]
    if (ranges(2, c) < ranges(1, c)) ranges(2, c) = ranges(1, c) - 1
    height(c) = mod(c, 7)
    factor(c) = mod(c, 4)
    do l = 1, levels
      t(:, l, c) = [mod(c + l, 9), mod(c * l, 5)]
      own(l, c) = mod(c * l, 11)
      below(l, c) = l
    end do
  end do
  r = 1
  call op_decl_set(n, columns, 'columns')
  call op_decl_set(n, nodes, 'nodes')
  call op_decl_map(columns, nodes, 2, table, ends, 'ends')
  call op_decl_layers(columns, 1, levels - 1, all, 'all')
  call op_decl_layers_varying(columns, ranges, some, 'some')
  call op_decl_layers(nodes, levels, levels, highest_ones)
  call op_decl_dat_layers(nodes, levels, 2, 'real(8)', t, heat, 'heat')
  call op_decl_dat_layers(nodes, levels, 2, 'real(8)', r, change, 'change')
  call op_decl_dat(columns, 1, 'real(8)', factor, factors, 'factors')
  call op_decl_dat_layers(columns, levels, 1, 'integer(4)', own, numbers, 'numbers')
  call op_decl_dat_layers(nodes, levels, 1, 'i4', below, counts)
  call op_decl_dat(columns, 1, 'integer(4)', height, heights, 'heights')

  call op_par_loop_3(flow, all, &
    op_arg_dat_layers(heat, -2, ends, 0, 2, 2, 'real(8)', OP_READ), &
    op_arg_dat_layers(change, -2, ends, 0, 2, 2, 'real(8)', OP_INC), &
    op_arg_dat(factors, -1, OP_ID, 1, 'real(8)', OP_READ))
  call op_fetch_data(change, now)
  do c = 1, n
    next = table(2, c)
    do l = 1, levels - 1
      r(:, l, c) = r(:, l, c) + t(:, l + 1, next) * factor(c)
      r(:, l + 1, c) = r(:, l + 1, c) - t(:, l, c)
      r(:, l, next) = r(:, l, next) + t(:, l + 1, c) * factor(c)
      r(:, l + 1, next) = r(:, l + 1, next) - t(:, l, next)
    end do
  end do
  call show('flow', count(now /= pack(r, .true.)))

  total = 5
  highest = -1
  call op_par_loop_7(walk, some, &
    op_arg_dat_layers(numbers, -1, OP_ID, 1, 1, 1, 'integer(4)', OP_RW), &
    op_arg_dat_layers(counts, 2, ends, 0, 2, 1, 'integer(4)', OP_INC), &
    op_arg_dat(heights, -1, OP_ID, 1, 'integer(4)', OP_READ), &
    op_arg_idx(-1, OP_ID), op_arg_idx(2, ends), &
    op_arg_gbl(total, 1, 'integer(8)', OP_INC), op_arg_gbl(highest, 1, 'integer(4)', OP_MAX))
  sum = 5
  most = -1
  do c = 1, n
    next = table(2, c)
    do l = ranges(1, c), ranges(2, c)
      own(l + 1, c) = own(l + 1, c) * 2 + height(c) + c
      below(l, next) = below(l, next) + next
      below(l + 1, next) = below(l + 1, next) + 1
      sum = sum + own(l + 1, c)
      most = max(most, own(l + 1, c))
    end do
  end do
  call op_fetch_data(numbers, own_now)
  call op_fetch_data(counts, below_now)
  call show('walk', count(own_now /= pack(own, .true.)) + count(below_now /= pack(below, .true.)))
  i = 0
  if (total /= sum .or. highest /= most) i = 1
  call show('column', i)

  ! The highest layer alone.
  call op_par_loop_2(top, highest_ones, &
    op_arg_dat_layers(counts, -1, OP_ID, 0, 1, 1, 'integer(4)', OP_READ), &
    op_arg_dat_layers(counts, -1, OP_ID, 0, 1, 1, 'integer(4)', OP_WRITE))
  below(levels, :) = below(levels, :) + 1
  call op_fetch_data(counts, below_now)
  call show('top', count(below_now /= pack(below, .true.)))
  call op_exit()

contains

  subroutine show(what, wrong)
    character(len=*), intent(in) :: what
    integer, intent(in) :: wrong
    if (op_is_root() == 1) print '(a, 1x, i0)', what, wrong
  end subroutine show

end program layers
