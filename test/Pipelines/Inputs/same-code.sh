#!/usr/bin/env bash
# same-code.sh FILE FOLDER OP2-OPT MLIR-TRANSLATE OP2C++...: what op2-opt makes of
# the op2 modules that op2c++ describes must be the LLVM IR that op2c++ compiles.
set -euo pipefail
file=$1 folder=$2 opt=$3 translate=$4
shift 4
name=$(basename "$file" .cpp)

# Names of modules, and numbers that tell types of one name apart.
normalize() {
  grep -vE '^; ModuleID|^source_filename' |
    sed -E 's/(%"?(struct|class)[^ ",*]*)\.[0-9]+/\1/g'
}

# Names of values are kept: their numbers would differ. Locations are part of
# the code (messages name them), so stages have them, by -g.
cd "$folder"
"$@" -O1 -g -fno-discard-value-names --op2-target=seq,openmp,emulator,cuda \
  --op2-gpu-format=ptx --op2-save-temps --op2-emit=op2 "$file" > "$name.mlir"
for target in seq openmp emulator cuda; do
  "$opt" --mlir-print-debuginfo "--op2-to-${target/cuda/gpu}=register-loops=1" \
    "$name.$target.op2.mlir" 2> "$name.$target.remarks" |
    "$translate" --mlir-to-llvmir | normalize > "$name.$target.opt.ll"
  grep -q "define .*@__op2_run_0" "$name.$target.opt.ll"
  normalize < "$name.$target.op2.ll" | cmp - "$name.$target.opt.ll"
done
