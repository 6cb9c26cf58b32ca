# Finds LLVM, MLIR and (for the frontend) Clang, and sets them up for targets
# that follow. Tools link the shared libraries, the plugin has MLIR in itself
# (op2_link_mlir_statically); one program must never have both (two copies of
# every type id).

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

# op2_link_mlir_statically(target): a module that has of MLIR what it needs, and
# shows nobody that it has it. Every clang that loads the module is spared what
# it costs to load libMLIR.so, which is to enter 160000 addresses. LLVM stays
# shared. Where only libMLIR.so is installed, that is linked.
function(op2_link_mlir_statically target)
  file(GLOB libraries ${LLVM_LIBRARY_DIR}/libMLIR*.a)
  list(FILTER libraries EXCLUDE REGEX "libMLIR(CAPI|RegisterAll|MlirOpt|.*Test|.*Runner)")
  if(NOT libraries)
    target_link_libraries(${target} PRIVATE MLIR)
    return()
  endif()
  set(names ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${names} CONTENT [[
{
  local:
    extern "C++" {
      mlir::*;
      vtable?for?mlir::*;
      typeinfo?for?mlir::*;
      typeinfo?name?for?mlir::*;
      guard?variable?for?mlir::*;
    };
    *N4mlir*;
};
]] @ONLY)
  target_link_options(${target} PRIVATE
    -Wl,--gc-sections -Wl,--version-script=${names})
  # With their paths: the targets would bring the static LLVM along.
  target_link_libraries(${target} PRIVATE
    -Wl,--start-group ${libraries} -Wl,--end-group)
endfunction()

# op2_add_mlir_library(name sources... DEPENDS tablegen-targets...): an object
# library of compiler code, linked into the tools and into the Clang plugin.
function(op2_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  op2_use_mlir(${name})
  op2_reuse_parsed_mlir(${name})
  add_dependencies(${name} OP2IncGen ${ARG_DEPENDS})
endfunction()

# op2_reuse_parsed_mlir(target): MLIR's and LLVM's headers are parsed once for
# all of these targets.
function(op2_reuse_parsed_mlir target)
  if(OP2_ENABLE_PCH)
    op2_precompile_mlir()
    target_precompile_headers(${target} REUSE_FROM OP2MLIRHeaders)
    # Code from the same state as the headers: also in programs.
    target_compile_options(${target} PRIVATE -fPIC)
    set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  endif()
endfunction()

# Three quarters of a source's time are MLIR's headers. Of them only: this
# project's own change, and each source still says what it includes.
function(op2_precompile_mlir)
  if(TARGET OP2MLIRHeaders)
    return()
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/OP2MLIRHeaders.cpp "")
  add_library(OP2MLIRHeaders OBJECT ${CMAKE_BINARY_DIR}/OP2MLIRHeaders.cpp)
  op2_use_mlir(OP2MLIRHeaders)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Whoever parses the same headers gets the same file: for ccache.
    target_compile_options(OP2MLIRHeaders PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(OP2MLIRHeaders PRIVATE
    <mlir/Conversion/LLVMCommon/Pattern.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/GPU/IR/GPUDialect.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/LLVMIR/NVVMDialect.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/OpenMP/OpenMPDialect.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/UB/IR/UBOps.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/IRMapping.h>
    <mlir/IR/Matchers.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/DialectConversion.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>
    <llvm/Analysis/ValueTracking.h>
    <llvm/IR/DebugInfo.h>
    <llvm/IR/IRBuilder.h>
    <llvm/IR/InstIterator.h>
    <llvm/IR/IntrinsicInst.h>
    <llvm/IR/Module.h>)
endfunction()

# op2_use_mlir(target): definitions and warnings for a target that includes
# LLVM or MLIR headers.
function(op2_use_mlir target)
  target_compile_definitions(${target} PRIVATE ${OP2_LLVM_DEFINITIONS})
  op2_set_warnings(${target})
endfunction()
