# OP2_ENABLE_MPI=AUTO|ON|OFF: sets OP2_HAS_MPI (0 or 1) and, if 1,
# OP2_MPI_INCLUDE_DIRS, OP2_MPI_LIBRARIES, OP2_MPI_PROGRAM_LIBRARIES (with the
# bindings for C++ of MPI 2, which mpi.h of Open MPI declares and code that is
# not optimized asks for), OP2_MPIEXEC, and OP2_HAS_PTSCOTCH
# with OP2_PTSCOTCH_INCLUDE_DIR and OP2_PTSCOTCH_LIBRARIES.

set(OP2_ENABLE_MPI AUTO CACHE STRING
  "Build libop2_mpi, for programs on several processes: ON, OFF, or AUTO (if MPI is there)")
set_property(CACHE OP2_ENABLE_MPI PROPERTY STRINGS AUTO ON OFF)

set(OP2_HAS_MPI 0)
set(OP2_HAS_PTSCOTCH 0)
if(OP2_ENABLE_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(OP2_HAS_MPI 1)
    set(OP2_MPI_INCLUDE_DIRS ${MPI_CXX_INCLUDE_DIRS})
    set(OP2_MPI_PROGRAM_LIBRARIES ${MPI_CXX_LIBRARIES})
    set(OP2_MPI_LIBRARIES ${MPI_CXX_LIBRARIES})
    list(FILTER OP2_MPI_LIBRARIES EXCLUDE REGEX "mpi_cxx")
    set(OP2_MPIEXEC ${MPIEXEC_EXECUTABLE})
    message(STATUS "MPI: ${OP2_MPI_LIBRARIES}")
  elseif(OP2_ENABLE_MPI STREQUAL "AUTO")
    message(STATUS "MPI: not built, because mpi.h or its library is not there "
      "(Debian: libopenmpi-dev, openmpi-bin)")
  else()
    message(FATAL_ERROR "OP2_ENABLE_MPI=${OP2_ENABLE_MPI}: mpi.h or its "
      "library is not there (Debian: libopenmpi-dev, openmpi-bin)")
  endif()
endif()
if(OP2_HAS_MPI)
  # Numbers of 64 bits, if there is a choice.
  find_path(OP2_PTSCOTCH_INCLUDE_DIR ptscotch.h
    PATH_SUFFIXES scotch-int64 scotch)
  find_library(OP2_PTSCOTCH_LIBRARY ptscotch PATH_SUFFIXES scotch-int64)
  find_library(OP2_SCOTCH_LIBRARY scotch PATH_SUFFIXES scotch-int64)
  find_library(OP2_PTSCOTCH_ERROR_LIBRARY ptscotcherr
    PATH_SUFFIXES scotch-int64)
  mark_as_advanced(OP2_PTSCOTCH_INCLUDE_DIR OP2_PTSCOTCH_LIBRARY
    OP2_SCOTCH_LIBRARY OP2_PTSCOTCH_ERROR_LIBRARY)
  if(OP2_PTSCOTCH_INCLUDE_DIR AND OP2_PTSCOTCH_LIBRARY AND
     OP2_SCOTCH_LIBRARY AND OP2_PTSCOTCH_ERROR_LIBRARY)
    set(OP2_HAS_PTSCOTCH 1)
    set(OP2_PTSCOTCH_LIBRARIES ${OP2_PTSCOTCH_LIBRARY} ${OP2_SCOTCH_LIBRARY}
      ${OP2_PTSCOTCH_ERROR_LIBRARY})
    message(STATUS "PT-Scotch: ${OP2_PTSCOTCH_LIBRARY}")
  else()
    message(STATUS "PT-Scotch: not there (Debian: libptscotch-dev); ranks "
      "divide meshes into blocks")
  endif()
endif()
