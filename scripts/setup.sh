#!/usr/bin/env bash
# Installs what the project is built with, where it is missing (Debian 12).
# Called by demo.sh and test.sh; does nothing on a machine that has it all.
set -euo pipefail

packages=(
  cmake ninja-build ccache git python3
  clang-22 lld-22 clang-format-22 libclang-rt-22-dev dpkg-dev help2man
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  libclang-22-dev libclang-common-22-dev libclang-cpp22
  libomp-22-dev g++ libgtest-dev libhdf5-dev hdf5-tools
  libopenmpi-dev openmpi-bin libptscotch-dev libeigen3-dev libpetsc-real-dev
  # Fortran: 40 MB to load, 820 MB installed (libflang-22-dev, which flang-22
  # depends on); gfortran, for tests of the modules, 11 MB and 40 MB.
  flang-22 gfortran
  # Optional: a browser, for the test of the page about loops: 98 MB to load,
  # 306 MB installed, a quarter of a minute.
  chromium-headless-shell
  # Tests of programs whose locale is not C.
  locales
)

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "setup: installing ${missing[*]}"
run=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: error: these Debian packages are missing and neither root nor sudo is at hand to install them:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    exit 1
  fi
  run=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { "${run[@]}" apt-get update &&
       "${run[@]}" apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: error: these Debian packages could not be installed (Debian 12 with bookworm-security has them all):" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 1
fi
rm -f "$log"
