#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh BUILD ptx|code|box [SECONDS]: clang's libFuzzer with AddressSanitizer and UBSan on what gpukit reads
# from strangers (tests/fuzz/fuzz.c says which part is which). Seeds: the PTX of the tests, of the instruction
# corpus and of random kernels from an ordinary build in ./build, if there is one. Findings stay in
# BUILD/found; what was learnt in BUILD/corpus-PART.
build=$1 part=$2 seconds=${3:-60}
here=$(cd "$(dirname "$0")/.." && pwd)
case $part in
ptx) room=20000 libraries="fatbin source ptx ir base" system="-llz4 -lzstd" ;;
code) room=16000 libraries="codegen analysis ptx ir base" system="-L$(llvm-config-19 --libdir) -lLLVM" ;;
box) room=20000 libraries="fatbin source base" system="-llz4 -lzstd" ;;
*)
    echo "usage: $0 BUILD ptx|code|box [SECONDS]" >&2
    exit 2
    ;;
esac
set -e
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang-19 -DGPUKIT_TESTS=OFF \
    -DGPUKIT_SANITIZE=address,undefined,fuzzer-no-link >"$build.log" 2>&1 || { cat "$build.log"; exit 3; }
rm -f "$build.log"
targets='' archives=''
for l in $libraries; do
    targets="$targets gk_$l"
    archives="$archives $build/lib/libgk_$l.a"
done
# shellcheck disable=SC2086
cmake --build "$build" --target $targets
upper=$(echo "$part" | tr '[:lower:]' '[:upper:]')
# shellcheck disable=SC2086
clang-19 -g -O1 -fsanitize=address,undefined,fuzzer -fno-sanitize-recover=undefined -D_GNU_SOURCE \
    -DFUZZ_"$upper" -I"$here/include" -I"$here/src" -I"$(llvm-config-19 --includedir)" \
    "$here/tests/fuzz/fuzz.c" $archives $system -lm -o "$build/fuzz_$part"
corpus=$build/corpus-$part
mkdir -p "$corpus" "$build/found"
if [ "$part" = box ]; then
    for arch in "-arch=sm_80" "-rdc=true -arch=sm_90"; do # objects with fat binaries, as it writes them
        # shellcheck disable=SC2086
        [ ! -x "$here/build/gpukit" ] || "$here/build/gpukit" cc $arch -c -o "$corpus/${arch#-}.o" \
            "$here/examples/vector_add.cu"
    done
else
    cp "$here"/tests/ptx/*.ptx "$corpus"
    if [ -x "$here/build/tests/test_ops" ]; then
        "$here/build/tests/test_ops" --ptx | awk -v to="$corpus/ops" '/^\.version/ { ++n } n { print > (to n) }'
        for seed in $(seq 60); do "$here/build/tests/test_flow" --print "$seed" >"$corpus/flow$seed"; done
    fi
fi
exec "$build/fuzz_$part" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=$room \
    -artifact_prefix="$build/found/" "$corpus"
