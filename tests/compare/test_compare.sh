#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_compare.sh GPUKIT SOURCE_DIR: all modes agree; a lane that never runs is noticed; JSON, plots,
# records and messages about bad input.
set -eu
gpukit=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "FAILED: $1"; [ -z "${2:-}" ] || cat "$2"; exit 1; }
status() { set +e; "$@" >out.txt 2>err.txt; code=$?; set -e; }

# A program that does not check itself, so that only the comparison can notice.
cat >square.cu <<'CU'
#include <cstdio>
__global__ void square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i] + 1.5f;
}
int main()
{
    const int n = 5000;
    static float h[n];
    float *in, *out;
    for (int i = 0; i < n; ++i)
        h[i] = i * 0.37f;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    square<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[n - 1]);
    return 0;
}
CU
status "$gpukit" compare --no-gpu --repeat 1 --plot plot square.cu
[ $code = 0 ] || fail "exit $code where all modes agree" err.txt
[ "$(grep -c 'equal$' out.txt)" = 2 ] || fail "the other two modes must be equal" out.txt
grep -q '^H200, bound .*>=' out.txt || fail "no bound" out.txt
grep -q 'SIMD gave' out.txt || fail "no summary" out.txt
grep -q '<svg' plot.svg || fail "no SVG plot"
[ "$(head -c 4 plot.png | tail -c 3)" = PNG ] || fail "no PNG plot"

for mode in serial simd; do
    [ $mode = serial ] && continue # scalar code has no lanes to leave out
    status env GPUKIT_COMPARE_BREAK=$mode:13 "$gpukit" compare --no-gpu --repeat 1 square.cu
    [ $code = 1 ] || fail "a broken lane in $mode must give exit 1, not $code" out.txt
    # lane 13 of 157 warps: the last has only 8 threads; 156 wrong words
    grep -q 'DIFFER: 156 floats' out.txt || fail "156 floats must differ" out.txt
done

status "$gpukit" compare --no-gpu --repeat 1 --json square.cu
[ $code = 0 ] || fail "--json: exit $code" err.txt
python3 - <<'PY' || fail "JSON" out.txt
import json
result = json.load(open("out.txt"))[0]
modes = {m["mode"]: m for m in result["modes"]}
assert set(modes) == {"serial", "simd", "cores", "gpu"}, set(modes)
for name in ("serial", "simd", "cores"):
    m = modes[name]
    assert m["kind"] == "measured" and m["compute_ms"] > 0 and m["compile_ms"] > 0, m
    assert m["to_device_bytes"] == 20000 and m["back_bytes"] == 20000, m
    assert [(k["kernel"], k["launches"]) for k in m["kernels"]] == [("square(float const*, float*, int)", 1)]
assert modes["serial"]["bytes_equal"] and modes["simd"]["bytes_equal"]
assert modes["gpu"]["kind"] == "bound" and modes["gpu"]["fp32_operations"] == 2 * 5000, modes["gpu"]
assert not result["failed"]
PY

# A program that does not look at its errors, one that hangs, one that does nothing; a file as input.
sed 's/out\[i\] = in\[i\]/out[i + (1 << 28)] = in[i]/' square.cu >fault.cu
status "$gpukit" compare --no-gpu --repeat 1 fault.cu
[ $code = 1 ] && grep -q 'FAILED: a kernel failed with CUDA error 700' out.txt || fail "a fault" out.txt
sed 's/if (i < n)/while (n)/' square.cu >endless.cu
status "$gpukit" compare --no-gpu --repeat 1 --time-limit 200ms endless.cu
[ $code = 1 ] && grep -q 'CUDA error 702' out.txt || fail "an endless kernel" out.txt
echo 'int main() { return 0; }' >nothing.cu
status "$gpukit" compare --no-gpu --repeat 1 nothing.cu
[ $code = 1 ] && grep -q 'made no CUDA call' out.txt && ! grep -q 'null\|/serial.trace\|bound' out.txt ||
    fail "a program without CUDA" out.txt
sed 's/return 0;/return getchar() != 55;/' square.cu >reads.cu
echo 7 >input.txt
status "$gpukit" compare --no-gpu --repeat 1 --std c++20 reads.cu <input.txt
[ $code = 0 ] || fail "a file as standard input of each run" out.txt

status "$gpukit" compare --no-gpu missing.cu
[ $code != 0 ] && [ -s err.txt ] || fail "a missing file needs a message"
status "$gpukit" compare --no-gpu --gpu Voodoo2 square.cu
[ $code = 2 ] && grep -q 'Voodoo2' err.txt && grep -q 'H200' err.txt || fail "unknown GPU" err.txt
status "$gpukit" compare --no-gpu --repeat 0 square.cu
[ $code = 2 ] || fail "--repeat 0"
status "$gpukit" compare --no-gpu --repeat 1 --record "$folder/r.tsv" square.cu
[ $code = 3 ] && grep -q 'did not run on a GPU' err.txt || fail "--record without a GPU" err.txt
echo 'int main() { return 7; }' >seven.cu
status "$gpukit" compare --no-gpu --repeat 1 seven.cu
[ $code = 1 ] && grep -q 'status 7' out.txt || fail "a program that fails" out.txt
if ls /tmp/gpukit-compare.* >/dev/null 2>&1; then
    for left in /tmp/gpukit-compare.*; do # another comparison may be running
        [ -n "$(find "$left" -maxdepth 0 -mmin +10)" ] && fail "left behind: $left"
    done
fi
echo "compare: all as expected"
