#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh GPUKIT EXAMPLE.cu: the example must succeed, and must fail once its launches are removed,
# or it would say "passed" on a device that does nothing.
set -e
gpukit=$1 source=$2
name=$(basename "$source" .cu)
arch=$(sed -n 's/^ \* Needs --arch \(sm_[0-9a]*\).*/--arch \1/p' "$source")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$gpukit" run $arch "$source"
for picture in *.png; do
    [ -e "$picture" ] || continue
    [ "$(head -c 4 "$picture" | tail -c 3)" = PNG ] || { echo "$picture is not a PNG file"; exit 1; }
done
sed -E -z 's/[a-z_]+(<[A-Za-z0-9_, ]+>)?<<<[^;]*>>>\([^;]*\);/;/g' "$source" >"$name-idle.cu"
if cmp -s "$source" "$name-idle.cu" || grep -q '<<<' "$name-idle.cu"; then
    echo "launches were not removed from $name.cu"
    exit 1
fi
cp "$(dirname "$source")"/*.h . 2>/dev/null || true
if "$gpukit" run $arch "$name-idle.cu" >idle.txt 2>&1; then
    cat idle.txt
    echo "$name.cu succeeds although no kernel ran"
    exit 1
fi
grep -q . idle.txt || { echo "$name.cu failed without a word"; exit 1; }
! grep -q 'error:' idle.txt || { cat idle.txt; exit 1; } # it must fail at run time, not to compile
