#!/usr/bin/env bash
# Sets up the machine and builds everything into build/. Prints the folder.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
# A build tree of another checkout, or with other tools, is not reused.
if [ -f build/CMakeCache.txt ] &&
   ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/CMakeCache.txt; then
  rm -rf build
fi
# Clones at the same depth share what ccache keeps, but for sources that take
# parsed headers (OP2_ENABLE_PCH): these know where they are.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
cmake --preset default -DOP2_ENABLE_WERROR=ON "$@" >build.log 2>&1 || { cat build.log >&2; exit 1; }
rm -f build.log
cmake --build build -j "${OP2_JOBS:-$(nproc)}"
