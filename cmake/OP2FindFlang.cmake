# OP2_ENABLE_FORTRAN=AUTO|ON|OFF: sets OP2_HAS_FORTRAN (0 or 1) and, if 1,
# OP2_FLANG, flang of the LLVM that the rest is built with, and enables the
# language. OP2_GFORTRAN, for tests, may be there as well.

set(OP2_ENABLE_FORTRAN AUTO CACHE STRING
  "Build libop2f and op2fc, for programs in Fortran: ON, OFF, or AUTO (if flang-22 is there)")
set_property(CACHE OP2_ENABLE_FORTRAN PROPERTY STRINGS AUTO ON OFF)

set(OP2_HAS_FORTRAN 0)
if(OP2_ENABLE_FORTRAN)
  # Not flang or flang-new: .mod files and the plugin belong to one version.
  find_program(OP2_FLANG flang-22 HINTS ${OP2_LLVM_PREFIX}/bin)
  mark_as_advanced(OP2_FLANG)
  if(OP2_FLANG)
    set(OP2_HAS_FORTRAN 1)
    message(STATUS "Fortran: ${OP2_FLANG}")
  elseif(OP2_ENABLE_FORTRAN STREQUAL "AUTO")
    message(STATUS "Fortran: not built, because flang-22 is not there "
      "(Debian: flang-22)")
  else()
    message(FATAL_ERROR "OP2_ENABLE_FORTRAN=${OP2_ENABLE_FORTRAN}: flang-22 is "
      "not there (Debian: flang-22); set OP2_FLANG if it is elsewhere")
  endif()
endif()
if(OP2_HAS_FORTRAN)
  set(CMAKE_Fortran_COMPILER ${OP2_FLANG})
  enable_language(Fortran)
  find_program(OP2_GFORTRAN gfortran)
  mark_as_advanced(OP2_GFORTRAN)
endif()
