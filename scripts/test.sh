#!/usr/bin/env bash
# Builds everything and runs all tests: style, unit, examples, lit, the same
# under sanitizers, the installed package and the Debian packages. Sufficient on a fresh Debian 12.
#
#   scripts/test.sh           all
#   scripts/test.sh --quick   without the large mesh, sanitizers and install
set -uo pipefail
cd "$(dirname "$0")/.."

quick=0
case "${1:-}" in
  "") ;;
  --quick) quick=1 ;;
  *) echo "usage: scripts/test.sh [--quick]" >&2; exit 2 ;;
esac

jobs=${OP2_JOBS:-$(nproc)}
passed=0
failed=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# Adds the counts in a log: ctest's "N tests failed out of M", lit's "Passed:".
count() {
  local log=$1 status=$2 total bad good
  total=$(sed -nE 's/.* ([0-9]+) tests failed out of ([0-9]+)$/\2/p' "$log" | tail -1)
  if [ -n "$total" ]; then
    bad=$(sed -nE 's/.* ([0-9]+) tests failed out of ([0-9]+)$/\1/p' "$log" | tail -1)
    passed=$((passed + total - bad)); failed=$((failed + bad))
    return
  fi
  good=$(sed -nE 's/^ *Passed *: *([0-9]+).*/\1/p' "$log" | tail -1)
  if [ -n "$good" ]; then
    bad=$(sed -nE 's/^ *(Failed|Unresolved|Timed Out) *: *([0-9]+).*/\2/p' "$log" |
          awk '{ n += $1 } END { print n + 0 }')
    passed=$((passed + good)); failed=$((failed + bad))
    return
  fi
  if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# step <title> <command...>: runs it, shows its output, books the result.
broken=0
failures=()
step() {
  local title=$1 log status start=$SECONDS
  shift
  log="$logs/$((RANDOM)).log"
  echo "== $title"
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  count "$log" "$status"
  if [ "$status" -ne 0 ]; then
    broken=1
    echo "== FAILED: $title (status $status)"
    # The names that ctest and lit list at the end.
    mapfile -t -O "${#failures[@]}" failures < <(
      echo "FAILED: $title (status $status)"
      grep -E '^[[:space:]]+([0-9]+ - .*\(|OP2 :: )' "$log")
  fi
  echo "== $title: $((SECONDS - start)) s"
}

finish() {
  [ "$broken" -eq 0 ] || printf '%s\n' "${failures[@]}"
  [ "$broken" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  echo "$passed passed, $failed failed"
  exit "$broken"
}

step "build" scripts/build.sh
[ "$broken" -eq 0 ] || finish

step "style" scripts/check-style.sh
labels=()
[ "$quick" -eq 0 ] || labels=(-LE large)
step "unit tests and examples" \
  ctest --test-dir build --output-on-failure -j "$jobs" "${labels[@]}"
lit=/usr/lib/llvm-22/bin/lit
step "lit" "$lit" -sv -j "$jobs" build/test
[ "$quick" -eq 0 ] || finish

sanitized_build() {
  cmake --preset sanitize && cmake --build build-sanitize -j "$jobs"
}
step "build with sanitizers" sanitized_build
export LSAN_OPTIONS="suppressions=$PWD/unittests/lsan.supp:print_suppressions=0"
step "unit tests and examples with sanitizers" \
  ctest --test-dir build-sanitize --output-on-failure -j "$jobs" -LE large
step "integration with sanitizers" "$lit" -sv -j "$jobs" build/test \
  --filter 'Integration/(cpp|errors)' \
  --param sanitize=address,undefined --param runtime="$PWD/build-sanitize/lib"
step "fused and delayed loops with AddressSanitizer" "$lit" -sv -j "$jobs" build/test \
  --filter 'Integration/(cpp/(by-pointer|chain|direct-rows|fus|matrix-chains|owned-sums|rais|split|tuning)|errors/fus|ranks/(by-pointer|chains))' \
  --param sanitize=address --param runtime="$PWD/build-sanitize/lib"

thread_build() {
  cmake --preset tsan && cmake --build build-tsan -j "$jobs" --target op2 op2_mpi
}
step "build with ThreadSanitizer" thread_build
step "threads with ThreadSanitizer" "$lit" -sv -j "$jobs" build/test \
  --filter 'Integration/threads' \
  --param sanitize=thread --param runtime="$PWD/build-tsan/lib"
step "installed package" scripts/test-install.sh
step "Debian packages" scripts/package.sh --extract
finish
