# The Debian packages, a component each: cpack makes those of what is built, and
# scripts/package.sh tries them. The libraries that a package needs are found by
# dpkg-shlibdeps; what compiling programs needs besides stands here.

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_VENDOR "op2-mlir")
set(CPACK_PACKAGE_CONTACT "op2-mlir maintainers <maintainers@op2-mlir.invalid>"
  CACHE STRING "Who the packages say maintains them")
# Each package has a description of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENTS_ALL)

# op2_package(<name> <section> <summary> [PACKAGES <ours>...] [DEPENDS <others>...]
#             [RECOMMENDS <package>...] [SUGGESTS <package>...])
# Of ours a package needs the same version.
function(op2_package name section summary)
  cmake_parse_arguments(ARG "" "" "PACKAGES;DEPENDS;RECOMMENDS;SUGGESTS" ${ARGN})
  string(TOUPPER ${name} key)
  list(TRANSFORM ARG_PACKAGES APPEND " (= ${PROJECT_VERSION})")
  foreach(field DEPENDS RECOMMENDS SUGGESTS)
    if(field STREQUAL DEPENDS)
      list(PREPEND ARG_DEPENDS ${ARG_PACKAGES})
    endif()
    list(JOIN ARG_${field} ", " packages)
    set(CPACK_DEBIAN_${key}_PACKAGE_${field} "${packages}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n\
OP2 programs describe loops over unstructured meshes; op2-mlir compiles them\n\
for all cores of a machine and for GPUs." PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${name} PARENT_SCOPE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${name})
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${name})
endfunction()

# What holds the page about loops holds the library that draws its plots.
foreach(name libop2 op2-compiler op2-fortran)
  install(FILES ${PROJECT_SOURCE_DIR}/third_party/uPlot/LICENSE
    RENAME copyright.uPlot DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
    COMPONENT ${name})
endforeach()
op2_package(libop2 libs "Runtime library of OP2 programs")
op2_package(libop2-dev libdevel "Headers and CMake package for OP2 programs"
  PACKAGES libop2)
# dpkg-shlibdeps misses it at random, because llvm-dev has a link to it.
set(llvm)
if(OP2_ENABLE_COMPILER)
  set(llvm libllvm${LLVM_VERSION_MAJOR})
endif()
op2_package(op2-tools science "Looks at meshes, and at loops in MLIR"
  PACKAGES libop2 DEPENDS ${llvm} SUGGESTS op2-compiler libop2-mpi)
if(TARGET op2_hdf5)
  op2_package(libop2-hdf5 libs "Reads and writes HDF5 files in OP2 programs"
    PACKAGES libop2)
endif()
if(TARGET op2_petsc)
  op2_package(libop2-petsc libs "Solves systems of OP2 programs by PETSc"
    PACKAGES libop2 RECOMMENDS libpetsc-real-dev)
endif()
if(TARGET op2_mpi)
  op2_package(libop2-mpi libs "Runs OP2 programs on several processes by MPI"
    PACKAGES libop2 RECOMMENDS libopenmpi-dev openmpi-bin)
endif()
if(TARGET op2cxx)
  op2_package(op2-compiler devel "C++ compiler for OP2 programs"
    PACKAGES libop2-dev
    DEPENDS clang-${LLVM_VERSION_MAJOR} libomp-${LLVM_VERSION_MAJOR}-dev ${llvm}
    SUGGESTS libop2-hdf5 libop2-petsc libop2-mpi op2-tools)
endif()
if(TARGET op2f)
  # The .mod files are flang's; its LLVM is that of op2-compiler.
  set(compiler)
  if(TARGET op2fc)
    set(compiler libomp-${LLVM_VERSION_MAJOR}-dev ${llvm})
  endif()
  op2_package(op2-fortran devel "Fortran modules and compiler for OP2 programs"
    PACKAGES libop2-dev DEPENDS flang-22 ${compiler} SUGGESTS libop2-hdf5 libop2-mpi gfortran)
endif()

include(CPack)
