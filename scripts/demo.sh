#!/usr/bin/env bash
# The main job: builds the compiler, makes the 720,000-cell mesh, compiles the
# Airfoil example with op2c++ for OpenMP, runs it, prints the time per loop with
# the achieved GB/s, and checks the residual.
#
#   scripts/demo.sh [iterations]     (default 1000)
set -euo pipefail
cd "$(dirname "$0")/.."

iterations=${1:-1000}
echo "== build"
scripts/build.sh

demo=build/demo
mkdir -p "$demo"
mesh=$demo/new_grid.dat
if [ ! -s "$mesh" ]; then
  echo "== mesh: 720,000 cells"
  build/bin/airfoil-mesh 400 600 "$mesh.part"
  mv "$mesh.part" "$mesh" # whole or not at all
fi

echo "== compile examples/airfoil with op2c++ for OpenMP"
build/bin/op2c++ -O3 -march=native --op2-target=openmp -Werror=op2-sequential \
  examples/airfoil/airfoil.cpp -o "$demo/airfoil"

echo "== run: $iterations iterations on ${OMP_NUM_THREADS:-$(nproc)} threads"
OMP_PROC_BIND=${OMP_PROC_BIND:-true} "$demo/airfoil" --mesh="$mesh" --iterations="$iterations"
