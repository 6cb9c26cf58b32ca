#!/usr/bin/env bash
# Formatting of all C and C++ sources, which folder includes which, ids of messages,
# and what must not be in the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t sources < <(git ls-files -co --exclude-standard -- '*.cpp' '*.h' ':!test/*')
clang-format-22 --dry-run -Werror "${sources[@]}"

scripts/check-includes.py
scripts/check-messages.py

# Absolute paths of somebody's machine.
if git grep -nE '(^|[^[:alnum:]_.$}])/(home|root|work|Users)/' -- . ':!scripts/check-style.sh'; then
  echo "check-style: error: paths of one machine in the repository" >&2
  exit 1
fi
echo "style: ${#sources[@]} files"
