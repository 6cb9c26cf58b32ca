# op2_add_executable(<name> <source>... [TARGETS <openmp|cuda|seq|emulator>...]
#                    [GPU_CHIPS <sm_80>...] [GPU_FORMAT <fatbin|cubin|ptx>]
#                    [STRICT] [MPI])
# op2_add_library(<name> [STATIC|SHARED|MODULE|OBJECT] <source>... [TARGETS ...
#                 as above])
#
# An executable or library whose C++ sources are compiled by op2c++, and whose
# Fortran sources by op2fc, for the given targets (default: openmp); for cuda,
# GPU_CHIPS and GPU_FORMAT say what its device code is compiled to (default:
# op2c++'s). STRICT makes a loop that cannot be compiled an error; MPI makes a
# program that mpirun may start as several processes. Any executable may link the
# library; loops that only add_library() knows run sequentially.
# The project's C++ compiler (GCC or Clang) stays what it is: op2c++ stands in
# front of the compile and link commands of these targets only, and runs
# clang 22 in that compiler's place. The project's Fortran compiler is flang,
# whose .mod files no other compiler reads.

# Functions are known everywhere, variables only where find_package was called.
foreach(variable OP2_CXX OP2_FC OP2_PREFIX OP2_OPENMP_LIBDIR)
  set_property(GLOBAL PROPERTY ${variable} "${${variable}}")
endforeach()

function(op2_add_executable name)
  op2_add_target(op2_add_executable add_executable ${name} ${ARGN})
endfunction()

function(op2_add_library name)
  op2_add_target(op2_add_library add_library ${name} ${ARGN})
endfunction()

# For those two: `caller` for messages, `add` makes the target.
function(op2_add_target caller add name)
  foreach(variable OP2_CXX OP2_FC OP2_PREFIX)
    get_property(${variable} GLOBAL PROPERTY ${variable})
  endforeach()
  cmake_parse_arguments(ARG "STRICT;MPI" "GPU_FORMAT" "TARGETS;GPU_CHIPS" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  set(type EXECUTABLE)
  if(add STREQUAL "add_library")
    list(REMOVE_ITEM sources STATIC SHARED MODULE OBJECT)
    set(type LIBRARY)
  endif()
  if(NOT sources)
    message(FATAL_ERROR "${caller}(${name}): no sources given")
  endif()
  set(fortran ${sources})
  list(FILTER fortran INCLUDE REGEX "\\.([fF]|for|FOR|ftn|FTN|fpp|FPP|[fF](77|90|95|03|08|18))$")
  set(cxx ${sources})
  if(fortran)
    list(REMOVE_ITEM cxx ${fortran})
  endif()
  if(cxx AND NOT EXISTS "${OP2_CXX}")
    message(FATAL_ERROR "${caller}(${name}): this OP2 is installed "
      "without its compiler; expected ${OP2_CXX} (Debian: op2-compiler)")
  endif()
  if(fortran AND NOT EXISTS "${OP2_FC}")
    message(FATAL_ERROR "${caller}(${name}): this OP2 is installed "
      "without its Fortran compiler; expected ${OP2_FC} (Debian: op2-fortran)")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS openmp)
  endif()
  foreach(target ${ARG_TARGETS})
    if(NOT target MATCHES "^(seq|openmp|emulator|cuda)$")
      message(FATAL_ERROR "${caller}(${name}): unknown target '${target}'; "
        "expected TARGETS seq, openmp, emulator, cuda")
    endif()
  endforeach()
  list(JOIN ARG_TARGETS "," targets)
  if(cxx AND NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
    message(FATAL_ERROR
      "${caller}(${name}): op2c++ takes the flags of GCC and Clang, "
      "this project uses ${CMAKE_CXX_COMPILER_ID}; configure it with "
      "-DCMAKE_CXX_COMPILER=clang++-22")
  endif()
  if(fortran AND NOT CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang")
    message(FATAL_ERROR
      "${caller}(${name}): op2fc reads and writes flang's .mod files, "
      "this project uses '${CMAKE_Fortran_COMPILER_ID}'; configure it with "
      "-DCMAKE_Fortran_COMPILER=flang-22, and enable the language Fortran")
  endif()

  cmake_language(CALL ${add} ${name} ${ARG_UNPARSED_ARGUMENTS})
  # As a launcher the driver takes the compiler's name as its first argument.
  set(options --op2-launch --op2-target=${targets})
  if(ARG_GPU_CHIPS)
    list(JOIN ARG_GPU_CHIPS "," chips)
    list(APPEND options --op2-gpu-chip=${chips})
  endif()
  if(ARG_GPU_FORMAT)
    list(APPEND options --op2-gpu-format=${ARG_GPU_FORMAT})
  endif()
  if(ARG_STRICT)
    list(APPEND options -Werror=op2-sequential)
  endif()
  if(ARG_MPI)
    list(APPEND options --op2-mpi)
  endif()
  # Objects are rebuilt when the compiler is, or gets other options: CMake's
  # Makefiles do not know those of launchers.
  set(given "${CMAKE_CURRENT_BINARY_DIR}/${name}.op2-options")
  file(CONFIGURE OUTPUT "${given}" CONTENT "${options}\n")
  if(cxx)
    target_include_directories(${name} PRIVATE "${OP2_PREFIX}/include/op2")
    set_target_properties(${name} PROPERTIES
      CXX_COMPILER_LAUNCHER "${OP2_CXX};${options}"
      CXX_LINKER_LAUNCHER "${OP2_CXX};${options}")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${given}")
    set_property(SOURCE ${cxx} APPEND PROPERTY OBJECT_DEPENDS
      "${given}" "${OP2_CXX}" "${OP2_PREFIX}/lib/libOP2Clang.so")
    # GCC's tools cannot read what Clang leaves for link-time optimization.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      foreach(configuration "" ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
        string(TOUPPER "_${configuration}" suffix)
        string(REGEX REPLACE "_$" "" suffix "${suffix}")
        set_target_properties(${name} PROPERTIES
          INTERPROCEDURAL_OPTIMIZATION${suffix} OFF)
      endforeach()
    endif()
  endif()
  if(fortran)
    # CMake links Fortran without a launcher.
    set_target_properties(${name} PROPERTIES
      Fortran_COMPILER_LAUNCHER "${OP2_FC};${options}")
    set_property(SOURCE ${fortran} APPEND PROPERTY OBJECT_DEPENDS
      "${given}" "${OP2_FC}" "${OP2_PREFIX}/lib/libOP2Flang.so")
    # Two programs of one source have modules of one name.
    get_target_property(modules ${name} Fortran_MODULE_DIRECTORY)
    if(NOT modules)
      set_target_properties(${name} PROPERTIES Fortran_MODULE_DIRECTORY
        "${CMAKE_CURRENT_BINARY_DIR}/${name}.modules")
    endif()
    if(type STREQUAL "LIBRARY")
      target_include_directories(${name} PUBLIC
        "$<BUILD_INTERFACE:$<TARGET_PROPERTY:${name},Fortran_MODULE_DIRECTORY>>")
    endif()
  endif()
  if(type STREQUAL "LIBRARY")
    op2_link(${name} PUBLIC "${fortran}" ${ARG_MPI})
  elseif(fortran)
    op2_link(${name} PRIVATE "${fortran}" ${ARG_MPI})
  endif()
endfunction()

# op2_link(<target> <PUBLIC|PRIVATE> <Fortran sources> <is for several processes>):
# what op2c++ and op2fc link.
function(op2_link name scope fortran is_mpi)
  get_property(openmp GLOBAL PROPERTY OP2_OPENMP_LIBDIR)
  set(libraries OP2::op2 omp)
  # Items that come several times, as in libraries, are linked once: each has
  # what says how to link it.
  macro(prepend library mode)
    list(PREPEND libraries
      "-Wl,--push-state,${mode},$<TARGET_FILE:OP2::${library}>,--pop-state")
    get_target_property(actual OP2::${library} ALIASED_TARGET)
    if(actual)
      add_dependencies(${name} ${actual})
    endif()
  endmacro()
  foreach(library op2_hdf5 op2_petsc)
    if(TARGET OP2::${library})
      prepend(${library} --as-needed)
    endif()
  endforeach()
  # It calls those.
  if(fortran)
    list(PREPEND libraries OP2::op2_fortran)
  endif()
  if(is_mpi)
    if(NOT TARGET OP2::op2_mpi)
      message(FATAL_ERROR "${caller}(${name}): MPI: this OP2 was built without "
        "MPI")
    endif()
    prepend(op2_mpi --no-as-needed)
  endif()
  target_link_directories(${name} ${scope} "${openmp}")
  target_link_options(${name} ${scope} "-Wl,-rpath,${openmp}")
  target_link_libraries(${name} ${scope} ${libraries})
endfunction()
