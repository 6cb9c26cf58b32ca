#!/usr/bin/env bash
# Builds the Debian packages into build/packages, and tries them: they are
# installed on a fresh Debian, which compiles and runs the README's program.
#
#   scripts/package.sh             a fresh Debian by mmdebstrap (needs the network)
#   scripts/package.sh --extract   extracted to a folder, with this machine's
#                                  libraries and clang: no network, no root
set -euo pipefail
cd "$(dirname "$0")/.."

extract=0
case "${1:-}" in
  "") ;;
  --extract) extract=1 ;;
  *) echo "usage: scripts/package.sh [--extract]" >&2; exit 2 ;;
esac
if [ "$extract" -eq 0 ] && ! command -v mmdebstrap >/dev/null; then
  echo "package: error: mmdebstrap is not there, which makes a fresh Debian (Debian: mmdebstrap); --extract does without" >&2
  exit 1
fi

[ -f build/build.ninja ] || scripts/build.sh
cmake --build build -j "${OP2_JOBS:-$(nproc)}" >/dev/null
packages=$PWD/build/packages
rm -rf "$packages"
(cd build && cpack >packages.log 2>&1) || { cat build/packages.log >&2; exit 1; }
rm -r "$packages/_CPack_Packages"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt reads them as a user of its own, and the fresh Debian is no folder of ours.
chmod 755 "$work"
mkdir "$work/try"
# first_program <language> <document>: what stands in its first block of code.
first_program() {
  awk -v begin="^\`\`\`$1" '$0 ~ begin && !done { on = 1; next } /^```/ && on { on = 0; done = 1 } on' "$2"
}
first_program cpp README.md >"$work/try/heat.cpp"
first_program fortran docs/fortran.md >"$work/try/heat.F90"
cat >"$work/try/try.sh" <<'SH'
set -eu
cd "$(dirname "$0")"
op2c++ --version | head -n 1
op2c++ -O3 --op2-target=openmp,seq -Werror=op2-sequential heat.cpp -o heat
for target in openmp seq; do
  OP2_TARGET=$target ./heat | grep -x -e '-20 10 0 10'
done
op2c++ heat.cpp --op2-emit=op2 -o heat.mlir
op2-opt heat.mlir >/dev/null
if command -v op2fc >/dev/null; then
  op2fc -O2 --op2-target=openmp,seq -Werror=op2-sequential heat.F90 -o heat-fortran
  for target in openmp seq; do
    OP2_TARGET=$target ./heat-fortran | grep -x -e '  -30.00   30.00  -10.00   10.00'
  done
fi
op2-mesh generate quads 12 8 -o mesh.h5
op2-mesh info mesh.h5 >/dev/null
SH

if [ "$extract" -eq 1 ]; then
  for package in "$packages"/*.deb; do
    dpkg-deb --extract "$package" "$work/root"
  done
  # What they depend on exists; without the others a package is refused.
  apt-get --simulate install "$packages"/*.deb >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  if apt-get --simulate install "$packages"/op2-compiler_*.deb >"$work/log" 2>&1; then
    echo "package: error: op2-compiler can be installed without libop2-dev of its version" >&2
    exit 1
  fi
  grep -q 'op2-compiler : Depends: libop2-dev (= ' "$work/log"
  PATH="$work/root/usr/bin:$PATH" sh "$work/try/try.sh"
else
  . /etc/os-release
  mirror=http://deb.debian.org
  mmdebstrap --quiet --variant=minbase \
    --customize-hook="copy-in $packages $work/try /srv" \
    --customize-hook='chroot "$1" sh -c "apt-get install -qq --no-install-recommends /srv/packages/*.deb"' \
    --customize-hook='chroot "$1" sh /srv/try/try.sh >&2' \
    "$VERSION_CODENAME" /dev/null \
    "deb $mirror/debian $VERSION_CODENAME main" \
    "deb $mirror/debian $VERSION_CODENAME-updates main" \
    "deb $mirror/debian-security $VERSION_CODENAME-security main" \
    >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
  sed -n '/^op2c++ /,$p' "$work/log"
fi
du -h "$packages"/*.deb | sed "s|$packages/||"
echo "packages: work"
