# Libraries that solve systems of linear equations:
# OP2_ENABLE_EIGEN=AUTO|ON|OFF sets OP2_HAS_EIGEN (0 or 1) and, if 1,
# OP2_EIGEN_INCLUDE_DIR; OP2_ENABLE_PETSC=AUTO|ON|OFF sets OP2_HAS_PETSC and, if
# 1, OP2_PETSC_INCLUDE_DIR, OP2_PETSC_LIBRARY and OP2_PETSC_MPI_LIBRARIES: PETSc
# for real numbers in double precision, and the MPI that it was built with.

set(OP2_ENABLE_EIGEN AUTO CACHE STRING
  "op_solve, by Eigen's headers: ON, OFF, or AUTO (if Eigen is there)")
set(OP2_ENABLE_PETSC AUTO CACHE STRING
  "Build libop2_petsc, matrices and dats as PETSc's: ON, OFF, or AUTO (if PETSc is there)")
set_property(CACHE OP2_ENABLE_EIGEN OP2_ENABLE_PETSC PROPERTY STRINGS AUTO ON OFF)

set(OP2_HAS_EIGEN 0)
if(OP2_ENABLE_EIGEN)
  find_path(OP2_EIGEN_INCLUDE_DIR Eigen/SparseCore PATH_SUFFIXES eigen3)
  mark_as_advanced(OP2_EIGEN_INCLUDE_DIR)
  if(OP2_EIGEN_INCLUDE_DIR)
    set(OP2_HAS_EIGEN 1)
    message(STATUS "Eigen: ${OP2_EIGEN_INCLUDE_DIR}")
  elseif(OP2_ENABLE_EIGEN STREQUAL "AUTO")
    message(STATUS "Eigen: not there (Debian: libeigen3-dev); op_solve says so")
  else()
    message(FATAL_ERROR "OP2_ENABLE_EIGEN=${OP2_ENABLE_EIGEN}: Eigen/SparseCore "
      "is not there (Debian: libeigen3-dev)")
  endif()
endif()

set(OP2_HAS_PETSC 0)
if(OP2_ENABLE_PETSC)
  find_path(OP2_PETSC_INCLUDE_DIR petscksp.h PATH_SUFFIXES petsc)
  find_library(OP2_PETSC_LIBRARY NAMES petsc_real petsc)
  mark_as_advanced(OP2_PETSC_INCLUDE_DIR OP2_PETSC_LIBRARY)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS C)
  if(OP2_PETSC_INCLUDE_DIR AND OP2_PETSC_LIBRARY AND MPI_C_FOUND)
    set(OP2_HAS_PETSC 1)
    message(STATUS "PETSc: ${OP2_PETSC_LIBRARY}")
  elseif(OP2_ENABLE_PETSC STREQUAL "AUTO")
    message(STATUS "PETSc: not built, because petscksp.h, its library or MPI is "
      "not there (Debian: libpetsc-real-dev)")
  else()
    message(FATAL_ERROR "OP2_ENABLE_PETSC=${OP2_ENABLE_PETSC}: petscksp.h, its "
      "library or MPI is not there (Debian: libpetsc-real-dev)")
  endif()
endif()
