! airfoil_mesh.F90 - Reader of Airfoil's text meshes
!
! Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! new_grid.dat: a line "nnode ncell nedge nbedge"; per node "x y"; per cell its 4
! nodes; per edge its 2 nodes and 2 cells; per boundary edge its 2 nodes, its
! cell and its flag (1 wall, 2 far field). Numbers of elements count from 0;
! op_decl_map checks them.

module airfoil_mesh
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none

  type :: mesh
    integer(4) :: nnode, ncell, nedge, nbedge
    real(8), allocatable :: x(:, :)
    integer(4), allocatable :: cell(:, :), edge(:, :), ecell(:, :)
    integer(4), allocatable :: bedge(:, :), becell(:), bound(:)
  end type mesh

contains

  subroutine read_mesh(name, grid)
    character(len=*), intent(in) :: name
    type(mesh), intent(out) :: grid
    integer :: unit, status, n
    character(len=200) :: message
    open (newunit=unit, file=name, status='old', action='read', iostat=status, iomsg=message)
    if (status /= 0) call fail(name, message)
    read (unit, *, iostat=status, iomsg=message) grid%nnode, grid%ncell, grid%nedge, grid%nbedge
    call require(status, name, 'header', 0, message)
    if (min(grid%nnode, grid%nedge, grid%nbedge) < 0 .or. grid%ncell < 1) &
      call fail(name, 'the header announces no cells, or less')
    allocate (grid%x(2, grid%nnode), grid%cell(4, grid%ncell), grid%edge(2, grid%nedge), &
      grid%ecell(2, grid%nedge), grid%bedge(2, grid%nbedge), grid%becell(grid%nbedge), &
      grid%bound(grid%nbedge))
    do n = 1, grid%nnode
      read (unit, *, iostat=status, iomsg=message) grid%x(:, n)
      call require(status, name, 'node', n - 1, message)
    end do
    do n = 1, grid%ncell
      read (unit, *, iostat=status, iomsg=message) grid%cell(:, n)
      call require(status, name, 'cell', n - 1, message)
    end do
    do n = 1, grid%nedge
      read (unit, *, iostat=status, iomsg=message) grid%edge(:, n), grid%ecell(:, n)
      call require(status, name, 'edge', n - 1, message)
    end do
    do n = 1, grid%nbedge
      read (unit, *, iostat=status, iomsg=message) grid%bedge(:, n), grid%becell(n), grid%bound(n)
      call require(status, name, 'boundary edge', n - 1, message)
    end do
    close (unit)
  end subroutine read_mesh

  subroutine require(status, name, what, number, message)
    integer, intent(in) :: status, number
    character(len=*), intent(in) :: name, what, message
    character(len=12) :: text
    if (status == 0) return
    write (text, '(i0)') number
    call fail(name, what // ' ' // trim(text) // ': ' // message)
  end subroutine require

  subroutine fail(name, message)
    character(len=*), intent(in) :: name, message
    write (error_unit, '(4a)') 'airfoil: error: ', trim(name), ': ', trim(message)
    stop 1, quiet=.true.
  end subroutine fail

end module airfoil_mesh
