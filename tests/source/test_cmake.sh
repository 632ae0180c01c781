#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CMake's CUDA language builds a project with gpukit's toolkit folder, and with nvcc at hand its objects
# link with gpukit's archive: test_cmake.sh BUILD SOURCE_DIR WORK_FOLDER
set -u
build=$1 project=$2/tests/source/cmake_project work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
GPUKIT_CACHE=$work/cache
export GPUKIT_CACHE
toolkit=$build/lib/gpukit/toolkit
fail() {
    echo "FAILED: $1"
    tail -30 log | sed 's/^/    /'
    exit 1
}
cmake -S "$project" -B project -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER="$toolkit/bin/nvcc" >log 2>&1 ||
    fail "cmake does not take the compiler"
grep -q 'CUDA compiler identification is NVIDIA 13' log || fail "identification"
grep -q 'Found CUDAToolkit: .*gpukit/toolkit/include' log || fail "find_package(CUDAToolkit)"
cmake --build project >log 2>&1 || fail "the project does not build"
"$build/gpukit" run project/app >log 2>&1
grep -qx '20 301 30 40 50 107 two words' log || fail "what app prints"
project/host >log 2>&1
grep -qx '0 1 0' log || fail "what host prints"
grep -q 'visible .entry .*doubled' project/CMakeFiles/module.dir/kernels.ptx || fail "the PTX module"
touch "$project/api.h" && cmake --build project >log 2>&1
grep -q 'main.cu.o' log || fail "a changed header does not rebuild main.cu"
cmake --build project >log 2>&1
grep -q 'Building' log && fail "a second build builds again"

if command -v nvcc >/dev/null; then
    cp "$project"/part?.cu "$project"/kernels.cu "$project/api.h" .
    cat >both.cu <<'C'
#include "api.h"
#include <cstdio>
int main() { printf("%d %d\n", from_kernels(4), from_parts(5)); }
C
    nvcc -arch=sm_80 -c kernels.cu -o kernels.o >log 2>&1 && nvcc -arch=sm_80 -c both.cu -o both.o >log 2>&1 &&
        nvcc -arch=sm_80 -dc part1.cu part2.cu >log 2>&1 || fail "nvcc"
    "$build/gpukit" cc both.o kernels.o part1.o part2.o -o both >log 2>&1 || fail "nvcc's objects do not link"
    ./both >log 2>&1
    grep -qx '8 305' log || fail "what nvcc's objects print"
    g++ both.o kernels.o -Wl,--defsym,_Z10from_partsi=_Z12from_kernelsi -o plain \
        -L"$toolkit/lib64" -lcudart_static -lpthread -ldl -lrt >log 2>&1 || fail "g++ with the archive"
    ./plain >log 2>&1
    grep -qx '8 10' log || fail "what g++'s program prints"
else
    echo "nvcc is not here: its objects were not tried"
fi
echo "cmake: all checks pass"
