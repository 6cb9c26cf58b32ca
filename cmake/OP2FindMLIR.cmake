# Finds LLVM, MLIR and (for the frontend) Clang, and sets them up for targets
# that follow. Everything links the shared libraries; the static ones must
# never be mixed in (two copies of every type id).

list(PREPEND CMAKE_PREFIX_PATH ${OP2_LLVM_PREFIX})
find_package(LLVM 22.1 REQUIRED CONFIG)
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

separate_arguments(OP2_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
# The ABI macro is the compiler's default here; defining it again warns.
list(FILTER OP2_LLVM_DEFINITIONS EXCLUDE REGEX _GLIBCXX_USE_CXX11_ABI)

if(OP2_ENABLE_FRONTEND)
  find_package(Clang REQUIRED CONFIG)
endif()

# For directories added from here on; mlir_tablegen reads this property too.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# op2_add_mlir_library(name sources... DEPENDS tablegen-targets...): an object
# library of compiler code, linked into the tools and into the Clang plugin.
function(op2_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  op2_use_mlir(${name})
  add_dependencies(${name} OP2IncGen ${ARG_DEPENDS})
endfunction()

# op2_use_mlir(target): definitions and warnings for a target that includes
# LLVM or MLIR headers.
function(op2_use_mlir target)
  target_compile_definitions(${target} PRIVATE ${OP2_LLVM_DEFINITIONS})
  op2_set_warnings(${target})
endfunction()
