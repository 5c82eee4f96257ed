#!/usr/bin/env bash
# Qualify this machine: ./run_local.sh BACKEND BENCHMARK DEVICE [options of `loadproof qualify`]
#   BACKEND    tf | onnxruntime        BENCHMARK  resnet50 | bert        DEVICE  cpu | gpu
# Makes .venv with what these need, once. DATA_DIR and MODEL_DIR (both or neither) name the official
# data and models; OUTPUT_DIR names where evidence goes (output).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

[ $# -ge 3 ] || usage
case "$1/$3" in
onnxruntime/cpu) backend=onnxruntime extra=cpu venv=.venv ;;
onnxruntime/gpu) backend=onnxruntime extra=gpu venv=.venv-gpu ;;
tf/cpu) backend=tensorflow extra=tf venv=.venv ;;
tf/gpu) backend=tensorflow extra=tf-gpu venv=.venv-gpu ;;
*) usage ;;
esac
case "$2" in resnet50 | bert) benchmark=$2 ;; *) usage ;; esac
device=$3
shift 3

# The CPU and the GPU builds of the runtimes exclude each other, hence two environments.
source tests/environment.sh
prepare_environment "$venv" "$extra"

exec "$venv/bin/loadproof" qualify \
    --backend "$backend" --benchmark "$benchmark" --device "$device" "$@"
