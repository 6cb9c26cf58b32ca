! airfoil_kernels.F90 - What is done for an element
!
! Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The numerics are those of examples/airfoil; what each kernel is for stands
! there as well.

module airfoil_kernels
  use airfoil_constants
  implicit none
contains

  ! Keeps the old solution.
  subroutine save_soln(q, qold)
    real(8), intent(in) :: q(4)
    real(8), intent(out) :: qold(4)
    qold = q
  end subroutine save_soln

  ! The largest stable time step of a cell, as the cell's area divided by it: the
  ! sum over the cell's edges of the fastest wave's speed times the edge's length.
  subroutine adt_calc(x1, x2, x3, x4, q, adt)
    real(8), intent(in) :: x1(2), x2(2), x3(2), x4(2), q(4)
    real(8), intent(out) :: adt
    real(8) :: ri, u, v, p, c
    ri = 1 / q(1)
    u = ri * q(2)
    v = ri * q(3)
    p = gm1 * (q(4) - 0.5d0 * ri * (q(2) * q(2) + q(3) * q(3)))
    c = sqrt(gam * p * ri)
    adt = (edge_speed(x1, x2, u, v, c) + edge_speed(x2, x3, u, v, c) + &
           edge_speed(x3, x4, u, v, c) + edge_speed(x4, x1, u, v, c)) / cfl
  end subroutine adt_calc

  ! Edge from a to b; flow velocity (u, v), speed of sound c.
  real(8) function edge_speed(a, b, u, v, c)
    real(8), intent(in) :: a(2), b(2), u, v, c
    real(8) :: dx, dy
    dx = b(1) - a(1)
    dy = b(2) - a(2)
    edge_speed = abs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy)
  end function edge_speed

  ! The flux through an interior edge: the mean of both sides', smoothed by the
  ! difference of the states; what leaves cell 2 enters cell 1.
  subroutine res_calc(x1, x2, q1, q2, adt1, adt2, res1, res2)
    real(8), intent(in) :: x1(2), x2(2), q1(4), q2(4), adt1, adt2
    real(8), intent(inout) :: res1(4), res2(4)
    real(8) :: dx, dy, ri, p1, p2, vol1, vol2, mu, f(4)
    dx = x1(1) - x2(1)
    dy = x1(2) - x2(2)
    ri = 1 / q1(1)
    p1 = gm1 * (q1(4) - 0.5d0 * ri * (q1(2) * q1(2) + q1(3) * q1(3)))
    vol1 = ri * (q1(2) * dy - q1(3) * dx)
    ri = 1 / q2(1)
    p2 = gm1 * (q2(4) - 0.5d0 * ri * (q2(2) * q2(2) + q2(3) * q2(3)))
    vol2 = ri * (q2(2) * dy - q2(3) * dx)
    mu = 0.5d0 * (adt1 + adt2) * eps
    f(1) = 0.5d0 * (vol1 * q1(1) + vol2 * q2(1)) + mu * (q1(1) - q2(1))
    f(2) = 0.5d0 * (vol1 * q1(2) + p1 * dy + vol2 * q2(2) + p2 * dy) + mu * (q1(2) - q2(2))
    f(3) = 0.5d0 * (vol1 * q1(3) - p1 * dx + vol2 * q2(3) - p2 * dx) + mu * (q1(3) - q2(3))
    f(4) = 0.5d0 * (vol1 * (q1(4) + p1) + vol2 * (q2(4) + p2)) + mu * (q1(4) - q2(4))
    res1 = res1 + f
    res2 = res2 - f
  end subroutine res_calc

  ! The flux through a boundary edge: a wall (flag 1) only bears the pressure;
  ! beyond the far field (flag 2) is the free stream.
  subroutine bres_calc(x1, x2, q1, adt1, res1, bound)
    real(8), intent(in) :: x1(2), x2(2), q1(4), adt1
    real(8), intent(inout) :: res1(4)
    integer(4), intent(in) :: bound
    real(8) :: dx, dy, ri, p1, p2, vol1, vol2, mu
    dx = x1(1) - x2(1)
    dy = x1(2) - x2(2)
    ri = 1 / q1(1)
    p1 = gm1 * (q1(4) - 0.5d0 * ri * (q1(2) * q1(2) + q1(3) * q1(3)))
    if (bound == 1) then
      res1(2) = res1(2) + p1 * dy
      res1(3) = res1(3) - p1 * dx
      return
    end if
    vol1 = ri * (q1(2) * dy - q1(3) * dx)
    ri = 1 / qinf(1)
    p2 = gm1 * (qinf(4) - 0.5d0 * ri * (qinf(2) * qinf(2) + qinf(3) * qinf(3)))
    vol2 = ri * (qinf(2) * dy - qinf(3) * dx)
    mu = adt1 * eps
    res1(1) = res1(1) + (0.5d0 * (vol1 * q1(1) + vol2 * qinf(1)) + mu * (q1(1) - qinf(1)))
    res1(2) = res1(2) + (0.5d0 * (vol1 * q1(2) + p1 * dy + vol2 * qinf(2) + p2 * dy) + &
                         mu * (q1(2) - qinf(2)))
    res1(3) = res1(3) + (0.5d0 * (vol1 * q1(3) - p1 * dx + vol2 * qinf(3) - p2 * dx) + &
                         mu * (q1(3) - qinf(3)))
    res1(4) = res1(4) + (0.5d0 * (vol1 * (q1(4) + p1) + vol2 * (qinf(4) + p2)) + &
                         mu * (q1(4) - qinf(4)))
  end subroutine bres_calc

  ! One stage of the time step.
  subroutine update(qold, q, res, adt, rms)
    real(8), intent(in) :: qold(4), adt
    real(8), intent(out) :: q(4)
    real(8), intent(inout) :: res(4), rms
    real(8) :: del, adti
    integer :: n
    adti = 1 / adt
    do n = 1, 4
      del = adti * res(n)
      q(n) = qold(n) - del
      res(n) = 0
      rms = rms + del * del
    end do
  end subroutine update

end module airfoil_kernels
