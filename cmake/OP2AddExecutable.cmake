# op2_add_executable(<name> <source>... [TARGETS <openmp|cuda|seq|emulator>...]
#                    [GPU_CHIPS <sm_80>...] [GPU_FORMAT <fatbin|cubin|ptx>]
#                    [STRICT] [MPI])
#
# An executable whose sources are compiled by op2c++ for the given targets
# (default: openmp); for cuda, GPU_CHIPS and GPU_FORMAT say what its device code
# is compiled to (default: op2c++'s). STRICT makes a loop that cannot be compiled
# an error; MPI makes a program that mpirun may start as several processes.
# The project's C++ compiler (GCC or Clang) stays what it is: op2c++ stands in
# front of the compile and link commands of this executable only, and runs
# clang 22 in that compiler's place.

function(op2_add_executable name)
  cmake_parse_arguments(ARG "STRICT;MPI" "GPU_FORMAT" "TARGETS;GPU_CHIPS" ${ARGN})
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "op2_add_executable(${name}): no sources given")
  endif()
  if(NOT EXISTS "${OP2_CXX}")
    message(FATAL_ERROR "op2_add_executable(${name}): this OP2 is installed "
      "without its compiler; expected ${OP2_CXX} (Debian: op2-compiler)")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS openmp)
  endif()
  list(JOIN ARG_TARGETS "," targets)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
    message(FATAL_ERROR
      "op2_add_executable(${name}): op2c++ takes the flags of GCC and Clang, "
      "this project uses ${CMAKE_CXX_COMPILER_ID}; configure it with "
      "-DCMAKE_CXX_COMPILER=clang++-22")
  endif()

  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  # As a launcher op2c++ takes the compiler's name as its first argument.
  set(launcher ${OP2_CXX} --op2-launch --op2-target=${targets})
  if(ARG_GPU_CHIPS)
    list(JOIN ARG_GPU_CHIPS "," chips)
    list(APPEND launcher --op2-gpu-chip=${chips})
  endif()
  if(ARG_GPU_FORMAT)
    list(APPEND launcher --op2-gpu-format=${ARG_GPU_FORMAT})
  endif()
  if(ARG_STRICT)
    list(APPEND launcher -Werror=op2-sequential)
  endif()
  if(ARG_MPI)
    list(APPEND launcher --op2-mpi)
  endif()
  set_target_properties(${name} PROPERTIES
    CXX_COMPILER_LAUNCHER "${launcher}"
    CXX_LINKER_LAUNCHER "${launcher}")
  # Objects are rebuilt when the compiler is.
  set_property(SOURCE ${ARG_UNPARSED_ARGUMENTS} APPEND PROPERTY
    OBJECT_DEPENDS "${OP2_PREFIX}/lib/libOP2Clang.so")
endfunction()
