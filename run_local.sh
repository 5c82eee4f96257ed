#!/usr/bin/env bash
# Qualify this machine: ./run_local.sh BACKEND BENCHMARK DEVICE [options of `loadproof qualify`]
#   BACKEND    tf | onnxruntime        BENCHMARK  resnet50 | bert        DEVICE  cpu | gpu
# Makes .venv with what these need, once. DATA_DIR and MODEL_DIR (both or neither) name the official
# data and models; OUTPUT_DIR names where evidence goes (output).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
    sed -n '2,5s/^# \{0,1\}//p' run_local.sh
}
refuse() {
    echo "run_local.sh: $1" >&2
    usage >&2
    exit 2
}

for word in "$@"; do
    case "$word" in -h | --help) usage && exit 0 ;; esac
done
[ $# -ge 3 ] || refuse "three words are needed, not $#"
case "$1" in onnxruntime) backend=onnxruntime ;; tf | tensorflow) backend=tensorflow ;; *) refuse "no backend '$1'" ;; esac
case "$2" in resnet50 | bert) benchmark=$2 ;; *) refuse "no benchmark '$2'" ;; esac
case "$3" in cpu | gpu) device=$3 ;; *) refuse "no device '$3'" ;; esac
shift 3
case "$backend/$device" in
onnxruntime/*) extra=$device ;;
tensorflow/cpu) extra=tf ;;
tensorflow/gpu) extra=tf-gpu ;;
esac
venv=.venv
[ "$device" = cpu ] || venv=.venv-gpu

# The CPU and the GPU builds of the runtimes exclude each other, hence two environments.
source tests/environment.sh
prepare_environment "$venv" "$extra"

exec "$venv/bin/loadproof" qualify \
    --backend "$backend" --benchmark "$benchmark" --device "$device" "$@"
