#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_support.sh GPUKIT SOURCE: the support table says what the .def files say, and looks names up.
set -eu
gpukit=$1 source=$2
fail() { echo "$*"; exit 1; }
counts=$("$gpukit" support)
check() { # area file
    for pair in FULL:3 HINT:4 REFUSED:6; do
        wanted=$(grep -c "^${pair%:*}(" "$source/src/$2" || true)
        got=$(echo "$counts" | awk -v area="$1" -v back="$((7 - ${pair#*:}))" '$1 == area { print $(NF + 1 - back) }')
        [ "$wanted" = "$got" ] || fail "$1: $got rows of ${pair%:*}, the table has $wanted"
    done
}
check runtime runtime/api.def
check driver runtime/cuda_api.def
for area in cublas cublaslt cufft curand cusolver cusparse; do
    check $area libraries/$area.def
done
"$gpukit" support cudaMalloc | grep -qx 'cudaMalloc: supported (CUDA runtime API: libcudart)' || fail cudaMalloc
"$gpukit" support cublasXtSgemm | grep -qx 'cublasXtSgemm: refused (libcublas)' || fail cublasXtSgemm
"$gpukit" support cublasXt.h | grep -q refused || fail cublasXt.h
"$gpukit" support nvmlDeviceGetTemperature | grep -q absent || fail sensor
[ "$("$gpukit" support cudaBindTexture | cut -d' ' -f2 | tr '\n' ' ')" = "refused supported " ] || fail cudaBindTexture
"$gpukit" support nvml | grep -q '^  nvmlInit_v2$' || fail "rows of nvml"
status=0
"$gpukit" support noSuchName >/dev/null 2>&1 || status=$?
[ $status = 1 ] || fail "an unknown name ends with $status"
"$gpukit" support --json curand cudaFree | python3 -c '
import json, sys
rows = json.load(sys.stdin)
assert rows[0]["area"] == "curand" and rows[0]["supported"] + rows[0]["refused"] == len(rows[0]["rows"])
assert rows[1] == {"area": "runtime", "name": "cudaFree", "state": "supported"}'
# A refused function says its name and fails.
cat >"${TMPDIR:-/tmp}/refused-$$.c" <<'END'
#include <stdio.h>
int cublasXtCreate(void **handle);
int main(void) { printf("%d\n", cublasXtCreate(0)); return 0; }
END
cc "${TMPDIR:-/tmp}/refused-$$.c" -o "${TMPDIR:-/tmp}/refused-$$" -L "$(dirname "$gpukit")/lib" -lcublas
said=$(LD_LIBRARY_PATH=$(dirname "$gpukit")/lib "${TMPDIR:-/tmp}/refused-$$" 2>&1)
rm -f "${TMPDIR:-/tmp}/refused-$$" "${TMPDIR:-/tmp}/refused-$$.c"
[ "$said" = "gpukit: cublasXtCreate is not supported
15" ] || fail "cublasXtCreate: $said"
