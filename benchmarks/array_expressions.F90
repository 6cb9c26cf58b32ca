! Kernels with array expressions beside the same with loops: nanoseconds an edge
! of a ring of a million edges, the least of ten calls.
!
!   build/bin/op2fc -O3 -march=native benchmarks/array_expressions.F90 -o arrays
!   OMP_NUM_THREADS=1 ./arrays

module kernels
  implicit none
contains
  subroutine norm_loop(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: d(3), s
    integer :: i
    s = 0
    do i = 1, 3
      d(i) = b(i) - a(i)
      s = s + d(i)**2
    end do
    s = 1 / (1 + sqrt(s))
    do i = 1, 3
      fa(i) = fa(i) + d(i) * s
      fb(i) = fb(i) - d(i) * s
    end do
  end subroutine norm_loop
  subroutine norm_array(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: d(3)
    d = b - a
    d = d / (1 + norm2(d))
    fa = fa + d
    fb = fb - d
  end subroutine norm_array

  subroutine mask_loop(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: f
    integer :: i
    do i = 1, 3
      f = b(i) - a(i)
      if (f > 0) then
        f = 2 * f
      else
        f = -f
      end if
      fa(i) = fa(i) + f
      fb(i) = fb(i) - f
    end do
  end subroutine mask_loop
  subroutine mask_array(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: f(3)
    f = b - a
    where (f > 0)
      f = 2 * f
    elsewhere
      f = -f
    end where
    fa = fa + f
    fb = fb - f
  end subroutine mask_array

  subroutine shift_loop(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: d(3)
    integer :: i
    do i = 1, 3
      d(i) = b(i) - a(i)
    end do
    do i = 3, 2, -1
      d(i) = d(i - 1)
    end do
    do i = 1, 3
      fa(i) = fa(i) + d(i)
      fb(i) = fb(i) - d(i)
    end do
  end subroutine shift_loop
  subroutine shift_array(a, b, fa, fb)
    real(8), intent(in) :: a(3), b(3)
    real(8), intent(inout) :: fa(3), fb(3)
    real(8) :: d(3)
    d = b - a
    d(2:3) = d(1:2)
    fa = fa + d
    fb = fb - d
  end subroutine shift_array
end module kernels

program array_expressions
  use op2_fortran_declarations
  use op2_fortran_reference
  use kernels
  implicit none
  integer, parameter :: n = 1000000
  type(op_set) :: nodes, edges
  type(op_map) :: ends
  type(op_dat) :: x, f
  integer, allocatable :: table(:, :)
  real(8), allocatable :: values(:, :)
  real(8) :: least(6)
  integer :: i, round

  allocate (table(2, n), values(3, n))
  do i = 1, n
    table(:, i) = [i, mod(i, n) + 1]
    values(:, i) = [mod(i, 7), mod(i, 11), mod(i, 13)]
  end do
  call op_init(0)
  call op_decl_set(n, nodes, 'nodes')
  call op_decl_set(n, edges, 'edges')
  call op_decl_map(edges, nodes, 2, table, ends, 'ends')
  call op_decl_dat(nodes, 3, 'real(8)', values, x, 'x')
  call op_decl_dat(nodes, 3, 'real(8)', values, f, 'f')
  least = huge(1d0)
  do round = 1, 10
    call run_norm_loop(least(1))
    call run_norm_array(least(2))
    call run_mask_loop(least(3))
    call run_mask_array(least(4))
    call run_shift_loop(least(5))
    call run_shift_array(least(6))
  end do
  print '(a, 2f8.2)', 'norm2 of three components: loops, array', least(1:2)
  print '(a, 2f8.2)', 'where, elsewhere:          loops, array', least(3:4)
  print '(a, 2f8.2)', 'a section that overlaps:   loops, array', least(5:6)
  call op_exit()

contains
  subroutine run_norm_loop(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(norm_loop, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_norm_loop
  subroutine run_norm_array(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(norm_array, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_norm_array
  subroutine run_mask_loop(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(mask_loop, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_mask_loop
  subroutine run_mask_array(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(mask_array, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_mask_array
  subroutine run_shift_loop(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(shift_loop, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_shift_loop
  subroutine run_shift_array(least)
    real(8), intent(inout) :: least
    real(8) :: start
    start = now()
    call op_par_loop_4(shift_array, edges, op_arg_dat(x, 1, ends, 3, 'real(8)', OP_READ), &
      op_arg_dat(x, 2, ends, 3, 'real(8)', OP_READ), op_arg_dat(f, 1, ends, 3, 'real(8)', OP_INC), &
      op_arg_dat(f, 2, ends, 3, 'real(8)', OP_INC))
    least = min(least, (now() - start) / n * 1d9)
  end subroutine run_shift_array
  real(8) function now()
    integer(8) :: ticks, rate
    call system_clock(ticks, rate)
    now = real(ticks, 8) / rate
  end function now
end program array_expressions
