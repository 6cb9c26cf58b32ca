#!/usr/bin/env bash
# Installs into a temporary prefix, then builds and runs an application against
# it in three ways: find_package(OP2), op2c++ by hand, op2c++ as CMake's compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install build --prefix "$work/prefix" >/dev/null

mkdir "$work/app"
cp examples/jacobi/*.cpp examples/jacobi/*.h "$work/app"
cp -r examples/common "$work/common"
cp -r examples/poisson "$work/poisson"
cat >"$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(OP2 REQUIRED)
op2_add_executable(jacobi jacobi.cpp TARGETS openmp seq cuda GPU_CHIPS sm_80 sm_90
  GPU_FORMAT ptx STRICT)
add_executable(jacobi_seq jacobi.cpp)
target_link_libraries(jacobi_seq PRIVATE OP2::op2)
if(TARGET OP2::op2_hdf5)
  add_executable(files files.cxx)
  target_link_libraries(files PRIVATE OP2::op2_hdf5)
endif()
if(TARGET OP2::op2_petsc)
  add_executable(poisson ../poisson/poisson.cpp)
  target_link_libraries(poisson PRIVATE OP2::op2_petsc)
endif()
CMAKE
cat >"$work/app/files.cxx" <<'CXX'
#include "op_seq.h"
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_decl_set(7, "set");
  op_dump_to_hdf5(argv[1]);
  op_printf("read %d\n", op_decl_set_hdf5(argv[1], "set")->size);
  op_exit();
}
CXX
# Loops in libraries, whoever links them; OP2 is found in a folder.
mkdir "$work/app/loops"
cat >>"$work/app/CMakeLists.txt" <<'CMAKE'
add_subdirectory(loops)
add_executable(by_project main.cpp)
target_link_libraries(by_project PRIVATE loops_static)
op2_add_executable(by_op2 main.cpp)
target_link_libraries(by_op2 PRIVATE loops_shared)
CMAKE
cat >"$work/app/loops/CMakeLists.txt" <<'CMAKE'
op2_add_library(loops_static STATIC loops.cpp TARGETS openmp seq STRICT)
op2_add_library(loops_shared SHARED loops.cpp STRICT)
CMAKE
cat >"$work/app/loops/loops.cpp" <<'CXX'
#include "op_seq.h"
static void twice(double *x) { *x *= 2; }
void runTwice(op_dat x) {
  op_par_loop(twice, "twice", x->set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
CXX
cat >"$work/app/main.cpp" <<'CXX'
#include "op_seq.h"
void runTwice(op_dat);
int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  double values[] = {1, 2};
  op_dat x = op_decl_dat(op_decl_set(2, "set"), 1, "double", values, "x");
  runTwice(x);
  op_fetch_data(x, values);
  op_printf("got %g\n", values[1]);
  op_exit();
}
CXX
cmake -S "$work/app" -B "$work/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
for program in by_project by_op2; do
  "$work/build/$program" >"$work/output"
  grep 'got 4' "$work/output"
  grep 'loop twice: compiled for openmp' "$work/output"
  # Neither uses HDF5, PETSc or MPI.
  if readelf -d "$work/build/$program" | grep 'NEEDED.*libop2_'; then
    echo "$program needs a library that it does not use" >&2
    exit 1
  fi
done
for target in openmp seq; do
  OP2_TARGET=$target "$work/build/jacobi" | grep 'Results check PASSED'
done
grep -aq '^.target sm_80' "$work/build/jacobi"
"$work/build/jacobi_seq" | grep 'Results check PASSED'
if [ -x "$work/build/files" ]; then
  "$work/build/files" "$work/a.h5" | grep 'read 7'
  "$work/prefix/bin/op2c++" "$work/app/files.cxx" -o "$work/files"
  "$work/files" "$work/a.h5" | grep 'read 7'
fi
if [ -x "$work/build/poisson" ]; then
  "$work/build/poisson" --cells=8 --by=petsc | grep 'Results check PASSED'
fi

# Makefiles compile again where keywords change; OP2 is found in one folder, and
# libraries are made in another.
mkdir "$work/keywords" "$work/keywords/find"
cp "$work/app/main.cpp" "$work/app/loops/loops.cpp" "$work/keywords"
echo 'find_package(OP2 REQUIRED)' >"$work/keywords/find/CMakeLists.txt"
cat >"$work/keywords/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(keywords CXX)
add_subdirectory(find)
op2_add_library(loops STATIC loops.cpp TARGETS ${targets})
op2_add_executable(program main.cpp)
target_link_libraries(program PRIVATE loops)
CMAKE
for targets in openmp seq; do
  cmake -S "$work/keywords" -B "$work/build5" -G "Unix Makefiles" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -Dtargets="$targets"
  cmake --build "$work/build5"
  "$work/build5/program" >"$work/output"
  grep "loop twice: compiled for $targets" "$work/output"
done
if cmake -S "$work/keywords" -B "$work/build5" -Dtargets=opemp 2>"$work/output"; then
  echo "CMake took an unknown target" >&2
  exit 1
fi
grep "unknown target 'opemp'" "$work/output"

# Fortran, in the development mode and by op2fc: modules and library by
# find_package, and the installed sources by another compiler.
if [ -e "$work/prefix/lib/libop2f.a" ]; then
  cp -r examples/airfoil-fortran "$work/fortran"
  rm "$work/fortran/CMakeLists.txt"
  cat >"$work/fortran/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app Fortran)
find_package(OP2 REQUIRED)
set(sources airfoil_constants.F90 airfoil_kernels.F90 airfoil_mesh.F90 airfoil.F90)
add_executable(airfoil ${sources})
target_link_libraries(airfoil PRIVATE OP2::op2_fortran)
op2_add_executable(compiled ${sources} TARGETS openmp seq STRICT)
if(TARGET OP2::op2_hdf5)
  op2_add_executable(files files.F90)
endif()
CMAKE
  cat >"$work/fortran/files.F90" <<'FORTRAN'
program files
  use op2_fortran_declarations
  use op2_fortran_hdf5_declarations
  type(op_set) :: set
  call op_init(0)
  call op_decl_set(7, set, 'set')
  call op_dump_to_hdf5('files.h5')
  call op_exit()
end program
FORTRAN
  cmake -S "$work/fortran" -B "$work/build4" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_Fortran_COMPILER=flang-22 -DCMAKE_BUILD_TYPE=Release
  cmake --build "$work/build4"
  build/bin/airfoil-mesh 20 30 "$work/small.dat"
  for program in airfoil compiled; do
    "$work/build4/$program" --mesh="$work/small.dat" --iterations=100 | grep 'Results check PASSED'
  done
  if [ -x "$work/build4/files" ]; then
    (cd "$work" && build4/files && ls files.h5)
  fi
  if command -v gfortran >/dev/null; then
    mkdir "$work/gfortran"
    modules=$work/prefix/include/op2/fortran
    (cd "$work/gfortran" && gfortran -O2 "$modules"/op2_fortran_{declarations,reference,rt_support}.F90 \
      ../fortran/airfoil_{constants,kernels,mesh}.F90 ../fortran/airfoil.F90 -o airfoil \
      -L../prefix/lib -lop2 -Wl,-rpath,"$work/prefix/lib")
    "$work/gfortran/airfoil" --mesh="$work/small.dat" --iterations=100 | grep 'Results check PASSED'
  fi
fi

"$work/prefix/bin/op2c++" -O2 -Werror=op2-sequential "$work/app/jacobi.cpp" -o "$work/by-hand"
"$work/by-hand" | grep 'Results check PASSED'

cat >"$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app CXX)
add_executable(jacobi jacobi.cpp)
CMAKE
cmake -S "$work/app" -B "$work/build2" -G Ninja \
  -DCMAKE_CXX_COMPILER="$work/prefix/bin/op2c++" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build2"
"$work/build2/jacobi" | grep 'Results check PASSED'
"$work/prefix/bin/op2-opt" --version >/dev/null

# Library and headers alone: CMake finds OP2, and refuses what needs op2c++.
for component in libop2 libop2-dev; do
  cmake --install build --prefix "$work/library" --component $component >/dev/null
done
cat >"$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app CXX)
find_package(OP2 REQUIRED)
if(COMPILED)
  op2_add_executable(jacobi jacobi.cpp)
else()
  add_executable(jacobi jacobi.cpp)
  target_compile_features(jacobi PRIVATE cxx_std_17)
  target_link_libraries(jacobi OP2::op2)
endif()
CMAKE
cmake -S "$work/app" -B "$work/build3" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/library" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build3"
"$work/build3/jacobi" | grep 'Results check PASSED'
if cmake "$work/build3" -DCOMPILED=ON 2>"$work/errors"; then
  echo "test-install: error: op2_add_executable works without op2c++" >&2
  exit 1
fi
grep 'op2_add_executable(jacobi): this OP2 is installed without its' "$work/errors"
echo "installed package: works"
