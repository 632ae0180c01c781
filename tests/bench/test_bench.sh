#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_bench.sh GPUKIT: figures are there, positive and in proportion; bad input is refused.
set -eu
gpukit=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$gpukit" bench cpu --size 4M --json --plot roof >cpu.json
"$gpukit" bench engine --size 4M --json >engine.json
python3 - <<'PY'
import json
cpu, engine = json.load(open("cpu.json")), json.load(open("engine.json"))
for result, count in ((cpu, 6), (engine, 14)):
    rates = {r["measured"]: r for r in result["rates"]}
    assert len(rates) == count, rates
    assert all(r["value"] > 0 for r in result["rates"]), result
    f32, f64 = rates["fused multiply-add, fp32"]["value"], rates["fused multiply-add, fp64"]["value"]
    assert 0.05 < f64 / f32 < 5, (f32, f64)
assert cpu["kind"] == "cpu" and engine["kind"] == "engine"
PY
grep -q 'operations per byte' roof.svg
[ "$(head -c 4 roof.png | tail -c 3)" = PNG ]
for arguments in "" "tpu" "cpu --size 1" "cpu --threads 0"; do
    code=0
    # shellcheck disable=SC2086
    "$gpukit" bench $arguments >/dev/null 2>err.txt || code=$?
    [ $code = 2 ] && [ -s err.txt ] || { echo "bench $arguments: exit $code"; exit 1; }
done
if [ ! -e /dev/nvidiactl ]; then
    code=0
    "$gpukit" bench gpu >/dev/null 2>err.txt || code=$?
    [ $code = 3 ] && grep -q 'no gpu' err.txt || { echo "bench gpu: exit $code"; cat err.txt; exit 1; }
fi
