#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_user.sh GPUKIT: what people type, rightly and wrongly; each case once went wrong.
gpukit=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GPUKIT_DEVICE=cpu
GPUKIT_CACHE=$work/cache
export GPUKIT_DEVICE GPUKIT_CACHE
failed=0
expect() { # NAME STATUS TEXT COMMAND...: the status, and the text somewhere in what is said
    name=$1 status=$2 text=$3
    shift 3
    got=$("$@" 2>&1)
    was=$?
    [ $was = "$status" ] || { echo "FAIL $name: exit status $was, not $status: $got"; failed=1; }
    case $got in
    *"$text"*) ;;
    *) echo "FAIL $name: '$text' is missing in: $got"; failed=1 ;;
    esac
}
# A header for host and device, precompiled, in every language that clang has: from C++20 on it is read
# like a module.
cat > standard.cu <<'EOS'
#include <algorithm>
#include <iostream>
#include <new>
__global__ void k(int *p) { *p = std::min(3, 4); }
int main()
{
    int *p, *host = new int;
    cudaMalloc(&p, sizeof *p);
    k<<<1, 1>>>(p);
    cudaMemcpy(host, p, sizeof *p, cudaMemcpyDeviceToHost);
    std::cout << *host << " in " << __cplusplus << std::endl;
    delete host;
}
EOS
expect "C++20" 0 "3 in 202002" "$gpukit" run -std=c++20 standard.cu
expect "C++20, compiled before" 0 "3 in 202002" "$gpukit" run -std=c++20 standard.cu

expect "a GPU that nobody knows" 2 "no such device 'XYZ'" "$gpukit" run --as XYZ standard.cu
expect "the program's own option in front of --" 2 "goes behind --: gpukit run standard.cu -- --size" "$gpukit" run standard.cu --size 4

cat > parent.cu <<'EOS'
#include <cstdio>
extern __device__ int twice(int);
__global__ void child(int *p) { *p = twice(*p) + 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 20;
    parent<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
}
EOS
echo '__device__ int twice(int x) { return 2 * x; }' > twice.cu
expect "two files' device code and a kernel's launch" 0 41 "$gpukit" run -rdc=true parent.cu twice.cu
expect "a wrong -rdc" 2 "true or false" "$gpukit" run -rdc=maybe parent.cu twice.cu

# Instructions that do not exist, and that gpukit lacks: named with the source's line, and the program,
# which looks at no error, ends.
for i in frobnicate.u32 tcgen05.wait::ld.sync.aligned; do
    cat > instruction.cu <<EOS
#include <cstdio>
__global__ void k(int *p)
{
    asm volatile("$i;");
}
int main()
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    k<<<1, 1>>>(p);
    std::printf("goes on\n");
}
EOS
    case $i in
    f*) text="unknown instruction 'frobnicate', in '_Z1kPi' at line 4 of its source" ;;
    *) text="instruction.cu:4: error: kernel _Z1kPi: instruction $i is not supported" ;;
    esac
    expect "$i" 3 "$text" "$gpukit" run instruction.cu
    case $got in *"goes on"*) echo "FAIL $i: the program went on"; failed=1 ;; esac
done
exit $failed
