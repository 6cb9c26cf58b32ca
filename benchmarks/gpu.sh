#!/usr/bin/env bash
# Correctness and speed on a GPU. Needs the CUDA driver and python3; no toolkit,
# no compiler. The work is in gpu.py; benchmarks/README.md says how to use it.
#
#   benchmarks/gpu.sh --build FOLDER     compile all variants into FOLDER
#   FOLDER/gpu.sh                        run them, where the GPU is
exec python3 "$(dirname "$0")/gpu.py" "$@"
