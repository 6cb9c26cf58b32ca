! What all programs of fortran.py use: results, printed as one number.
module fuzz_support
  use op2_fortran_declarations
  use op2_fortran_rt_support
  implicit none
  interface show
    module procedure show_i4, show_i8, show_r4, show_r8
  end interface show
contains
  subroutine show_bits(name, bits)
    character(len=*), intent(in) :: name
    integer(8), intent(in) :: bits(:)
    integer(8) :: hash
    integer :: i
    hash = 5
    do i = 1, size(bits)
      hash = ieor(ishftc(hash, 7), bits(i)) + i
    end do
    if (op_is_root() == 1) print '(a, 1x, i0)', name, hash
  end subroutine show_bits

  subroutine show_i4(name, values)
    character(len=*), intent(in) :: name
    integer(4), intent(in) :: values(:)
    call show_bits(name, int(values, 8))
  end subroutine show_i4

  subroutine show_i8(name, values)
    character(len=*), intent(in) :: name
    integer(8), intent(in) :: values(:)
    call show_bits(name, values)
  end subroutine show_i8

  subroutine show_r4(name, values)
    character(len=*), intent(in) :: name
    real(4), intent(in) :: values(:)
    integer :: i
    call show_bits(name, [(int(transfer(values(i), 0), 8), i = 1, size(values))])
  end subroutine show_r4

  subroutine show_r8(name, values)
    character(len=*), intent(in) :: name
    real(8), intent(in) :: values(:)
    integer :: i
    call show_bits(name, [(transfer(values(i), 0_8), i = 1, size(values))])
  end subroutine show_r8
end module fuzz_support
