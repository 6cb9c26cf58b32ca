! flang says that two dummy arguments are never the same memory (LLVM's issue
! 89829). That holds for one call; of the next element the second may be what
! the first was. Nothing of that must be left where loops inline kernels.
!
! REQUIRES: flang
! RUN: mkdir -p %t.d && cd %t.d
! RUN: %op2fc -O0 --op2-target=seq,openmp -Werror=op2-sequential %s -o O0 && env OP2_TARGET=seq ./O0 | FileCheck %s
! RUN: %op2fc -O1 --op2-target=seq,openmp -Werror=op2-sequential %s -o O1 && env OP2_TARGET=seq ./O1 | FileCheck %s
! RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 ./O1 | FileCheck %s
! RUN: %op2fc -O2 --op2-target=seq,openmp -Werror=op2-sequential %s -o O2 && env OP2_TARGET=seq ./O2 | FileCheck %s
! RUN: %op2fc -O3 --op2-target=seq,openmp -Werror=op2-sequential %s -o O3 && env OP2_TARGET=seq ./O3 | FileCheck %s
! RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 ./O3 | FileCheck %s
! RUN: %op2fc -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
! RUN: %flang -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FLANG

! CHECK: 3000. 3. 3. 3.
! IR-NOT: dummy arg data
! FLANG: dummy arg data/_QMturnsFaddEa

module turns
  implicit none
contains
  subroutine add(a, b)
    real(8), intent(inout) :: a, b
    a = a + 1
    b = b + 1
  end subroutine add
end module turns

program main
  use op2_fortran_declarations
  use op2_fortran_reference
  use turns
  implicit none
  integer, parameter :: m = 1000
  type(op_set) :: edges, nodes
  type(op_map) :: ends
  type(op_dat) :: d
  integer :: table(2 * m), i
  real(8) :: x(m)
  call op_init(0)
  ! In turn x(1) and x(m), x(2) and x(1), x(3) and x(2), ...
  do i = 1, m
    table(2 * i - 1) = i
    table(2 * i) = mod(i + m - 2, m) + 1
  end do
  x = 1
  call op_decl_set(m, edges, "edges")
  call op_decl_set(m, nodes, "nodes")
  call op_decl_map(edges, nodes, 2, table, ends, "ends")
  call op_decl_dat(nodes, 1, "real(8)", x, d, "d")
  call op_par_loop_2(add, edges, op_arg_dat(d, 1, ends, 1, "real(8)", OP_RW), &
                                 op_arg_dat(d, 2, ends, 1, "real(8)", OP_RW))
  call op_fetch_data(d, x)
  print *, sum(x), x(1), x(2), x(m)
  call op_exit()
end program main
