# OP2_ENABLE_HDF5=AUTO|ON|OFF: sets OP2_HAS_HDF5 (0 or 1) and, if 1,
# OP2_HDF5_INCLUDE_DIR and OP2_HDF5_LIBRARY, HDF5's serial C library.

set(OP2_ENABLE_HDF5 AUTO CACHE STRING
  "Build libop2_hdf5, reading and writing HDF5 files: ON, OFF, or AUTO (if HDF5 is there)")
set_property(CACHE OP2_ENABLE_HDF5 PROPERTY STRINGS AUTO ON OFF)

set(OP2_HAS_HDF5 0)
if(OP2_ENABLE_HDF5)
  find_path(OP2_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(OP2_HDF5_LIBRARY NAMES hdf5_serial hdf5
    PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(OP2_HDF5_INCLUDE_DIR OP2_HDF5_LIBRARY)
  if(OP2_HDF5_INCLUDE_DIR AND OP2_HDF5_LIBRARY)
    set(OP2_HAS_HDF5 1)
    message(STATUS "HDF5 I/O: ${OP2_HDF5_LIBRARY}")
  elseif(OP2_ENABLE_HDF5 STREQUAL "AUTO")
    message(STATUS "HDF5 I/O: not built, because hdf5.h or libhdf5 is not "
      "there (Debian: libhdf5-dev)")
  else()
    message(FATAL_ERROR "OP2_ENABLE_HDF5=${OP2_ENABLE_HDF5}: hdf5.h or "
      "libhdf5 is not there (Debian: libhdf5-dev); set OP2_HDF5_INCLUDE_DIR "
      "and OP2_HDF5_LIBRARY if they are elsewhere")
  endif()
endif()
