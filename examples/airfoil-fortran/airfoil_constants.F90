! airfoil_constants.F90 - Constants of the flow that kernels read
!
! Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module airfoil_constants
  implicit none
  real(8) :: gam     ! ratio of specific heats
  real(8) :: gm1     ! gam - 1
  real(8) :: cfl     ! Courant number
  real(8) :: eps     ! coefficient of the smoothing
  real(8) :: qinf(4) ! free stream: density, momenta, energy

contains

  ! The field's residuals belong to values that were rounded to single precision
  ! first.
  subroutine set_constants()
    real(8) :: mach, p, r, u, e
    gam = real(1.4, 8)
    gm1 = gam - 1
    cfl = real(0.9, 8)
    eps = real(0.05, 8)
    mach = real(0.4, 8)
    p = 1
    r = 1
    u = sqrt(gam * p / r) * mach
    e = p / (r * gm1) + 0.5d0 * u * u
    qinf = (/ r, r * u, 0.0d0, r * e /)
  end subroutine set_constants

end module airfoil_constants
