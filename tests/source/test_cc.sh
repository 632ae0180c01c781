#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpukit cc and gpukit run from the outside: test_cc.sh GPUKIT SOURCE_DIR WORK_FOLDER
set -u
gpukit=$1 here=$2/tests/source work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
GPUKIT_CACHE=$work/cache
export GPUKIT_CACHE
failed=0
check() { # what, then a command that must succeed
    what=$1
    shift
    if ! "$@" >out 2>&1; then
        echo "FAILED: $what"
        sed 's/^/    /' out | head -20
        failed=1
    fi
}
status() { # expected status, text that must be said, command
    want=$1 text=$2
    shift 2
    "$@" >out 2>&1
    got=$?
    if [ $got -ne "$want" ] || ! grep -q -- "$text" out; then
        echo "FAILED: '$*' gave $got, expected $want and '$text'"
        sed 's/^/    /' out | head -20
        failed=1
    fi
}

cat >main.cu <<'C'
#include <cstdio>
__global__ void square(int *p) { p[threadIdx.x] *= p[threadIdx.x] + ADD; }
int from_other();
int main(int argc, char **argv)
{
    int *p;
    if (cudaMallocManaged(&p, 128))
        return 9;
    for (int i = 0; i < 32; ++i)
        p[i] = i;
    square<<<1, 32>>>(p);
    if (cudaDeviceSynchronize())
        return 8;
    printf("%d %d %s\n", p[5], from_other(), argc > 1 ? argv[1] : "-");
    return argc > 2 ? 7 : 0;
}
C
echo 'extern "C" int plain(); int from_other() { return plain(); }' >other.cpp
echo 'int plain(void) { return 42; }' >plain.c

check "link three languages" "$gpukit" cc -O2 -DADD=1 -o app main.cu other.cpp plain.c
check "the program runs" sh -c './app hello | grep -qx "30 42 hello"'
check "gpukit run takes it" sh -c "'$gpukit' run ./app -- x | grep -qx '30 42 x'"
printf '%s\n' '#include <cstdio>' '#define F "d\n"' 'int main(int c, char **) { int a[] = {c * 7 / 2.0}; printf("%"F, a[0]); }' >narrow.cu
status 0 '^3$' "$gpukit" run narrow.cu # g++ warns of both, so does nvcc
status 0 'g++ -o "a.out" -Wl,--start-group "-L' "$gpukit" cc -dryrun missing.cu
check "its link line, by another compiler" sh -c "'$gpukit' cc -DADD=1 -c main.cu other.cpp plain.c &&
    eval g++ main.o other.o plain.o \$('$gpukit' cc -dryrun -o dry missing.cu 2>&1 | sed -n 's/.*g++//p') && GPUKIT_LIBRARY_DIR=$(dirname "$gpukit")/lib ./dry hello | grep -qx '30 42 hello'"
check "a program named like a source" sh -c "cp app app.cc && '$gpukit' run ./app.cc z | grep -qx '30 42 z'"
check "nor does compare compile it" sh -c "cp app app.o && '$gpukit' compare --no-gpu --repeat 1 ./app.o >out 2>&1; ! grep -i 'ld:\|error:' out"
status 0 "square.*: every instruction exact" "$gpukit" run --device cpu --fidelity ./app
echo '__global__ void root(float *p) { *p = rsqrtf(*p) / 3; } int main(void) { float *p; cudaMallocManaged(&p, 4); *p = 2; root<<<1, 1>>>(p); return cudaDeviceSynchronize(); }' >root.cu
status 0 "root.*: rsqrt.approx div.approx with the hardware's bits; all else exact" \
    "$gpukit" run --device cpu --fidelity -use_fast_math root.cu
echo '__global__ void null(int *p) { *p = 1; } int main(void) { null<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() == 700 ? 9 : 0; }' >null.cu
status 9 "kernel null.*, block (0,0,0).* a null pointer" "$gpukit" run --device cpu -v null.cu
check "and without -v nothing" sh -c "'$gpukit' run --device cpu null.cu >out 2>&1; ! test -s out"
status 7 "30 42 a" "$gpukit" run -DADD=1 main.cu other.cpp plain.c -- a b
check "objects" sh -c "'$gpukit' cc -c -DADD=2 main.cu && '$gpukit' cc -c other.cpp && '$gpukit' cc -c plain.c"
check "link objects" "$gpukit" cc main.o other.o plain.o -o app2
check "they run" sh -c './app2 | grep -qx "35 42 -"'
check "ptx" sh -c "'$gpukit' cc -ptx -arch=compute_75 -DADD=1 main.cu -o m.ptx && grep -q 'target sm_75' m.ptx"
check "fatbin" sh -c "'$gpukit' cc -fatbin -DADD=1 main.cu -o m.fatbin && test -s m.fatbin"
check "shared library" sh -c "'$gpukit' cc -shared -Xcompiler -fPIC plain.c -o libplain.so && nm -D libplain.so | grep -q plain"
check "archive" sh -c "'$gpukit' cc -lib plain.c -o libplain.a && ar t libplain.a | grep -q ."
check "make rule" sh -c "'$gpukit' cc -M -DADD=1 main.cu | grep -q 'main.o:.*main.cu'"
check "make rule beside the object" sh -c "'$gpukit' cc -MD -c -DADD=1 main.cu -o d.o && grep -q main.cu d.d"
check "options nvcc has" "$gpukit" cc -c -DADD=1 -std=c++17 -g -lineinfo --expt-relaxed-constexpr \
    -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=[sm_90,compute_90] -Xptxas -v \
    -Xcompiler -Wall,-Wextra -rdc=false --default-stream per-thread -use_fast_math -Wno-deprecated-gpu-targets main.cu -o opt.o
check "options file" sh -c "echo '-DADD=3 -c' >flags && '$gpukit' cc --options-file flags main.cu -o f.o && test -s f.o"
cat >part1.cu <<'C'
#include <cstdio>
extern __device__ int counter;
__device__ int twice(int);
__global__ void k(int *p) { *p = twice(21) + counter; counter = 5; }
int get();
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, 1>>>(p);
    if (cudaDeviceSynchronize())
        return 8;
    printf("%d %d\n", *p, get());
}
C
cat >part2.cu <<'C'
__device__ int counter = 8;
__device__ int twice(int x) { return 2 * x; }
int get()
{
    int v;
    cudaMemcpyFromSymbol(&v, counter, 4);
    return v;
}
C
check "separate compilation" sh -c "'$gpukit' cc -dc part1.cu && '$gpukit' cc -rdc=true -c part2.cu && '$gpukit' cc part1.o part2.o -o parts && ./parts | grep -qx '50 5'"
check "separate compilation with an archive" sh -c "'$gpukit' cc -lib part2.o -o libpart2.a && '$gpukit' cc part1.o -L. -lpart2 -o parts2 && ./parts2 | grep -qx '50 5'"
cat >host3.cpp <<'C'
int from_device();
int main() { return from_device() - 11; }
C
cat >part3.cu <<'C'
__device__ int eleven();
__global__ void ask(int *p) { *p = eleven(); }
int from_device()
{
    int *p;
    if (cudaMallocManaged(&p, 4))
        return -1;
    ask<<<1, 1>>>(p);
    return cudaDeviceSynchronize() ? -2 : *p;
}
C
echo '__device__ int eleven() { return 11; }' >part4.cu
check "device code of an archive that no host code asks for" sh -c "'$gpukit' cc -dc part3.cu part4.cu && ar rcs libdevice4.a part3.o part4.o && '$gpukit' cc host3.cpp -L. -ldevice4 -o parts3 && ./parts3"
check "device link, then the host's own linker" sh -c "'$gpukit' cc -dlink part3.o part4.o -o dlink.o && c++ host3.cpp part3.o part4.o dlink.o -L'${gpukit%/*}/lib' -lcudart_static -o parts4 && ./parts4"
cp part1.cu part1.cpp
check "-x cu" sh -c "'$gpukit' cc -x cu -dc part1.cpp -o part1x.o && '$gpukit' cc part1x.o part2.o -o parts5 && ./parts5 | grep -qx '50 5'"
check "make rule with a target" sh -c "'$gpukit' cc -MMD -MP -MT here.o -MF rule.d -c -DADD=1 main.cu -o d.o && grep -q '^here.o:' rule.d && grep -q '^main.cu:' rule.d && ! grep -q pch rule.d"
check "-run with arguments" sh -c "'$gpukit' cc -run -run-args x,y -DADD=1 main.cu other.cpp plain.c -o ran | grep -qx '30 42 x'; test -x ran"
check "options from the environment" sh -c "NVCC_PREPEND_FLAGS='-DADD=7' NVCC_APPEND_FLAGS='-o e.o' '$gpukit' cc -c main.cu && test -s e.o"
check "folder of outputs" sh -c "mkdir -p here && '$gpukit' cc -c plain.c -odir here && test -s here/plain.o"
check "shared runtime" sh -c "'$gpukit' cc -cudart shared -DADD=1 main.cu other.cpp plain.c -o shared && readelf -d shared | grep -q 'libcudart.so.13' && ./shared | grep -qx '30 42 -'"
cat >nested.cuh <<'C'
template <int N> __global__ void leaf(int *p, double add, short more) { atomicAdd(p, N * (int)add + more); }
inline __device__ void grow(int *p) { leaf<3>
    <<<2, dim3(4)>>>(p, 2, 7); }
C
cat >nested.cu <<'C'
#include "nested.cuh"
#include <cstdio>
__global__ void last(int *p);
__global__ void tree(int *p, int depth)
{
    grow(p);
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    if (depth) // tree<<<9, 9>>>(p, depth)
        tree<<<1, 1>>>(p, depth - 1);
}
__global__ void last(int *p) { atomicAdd(p, 1000); }
__global__ void lastly(int *p, unsigned more, int = 0) { atomicAdd(p, more); }
// Told apart by exact types (3, 5), by their number (7), by number and first type (11), as a template (13).
__global__ void many(int *p, int a) { atomicAdd(p, 3 * a); }
__global__ void many(int *p, float a) { atomicAdd(p, 5 * (int)a); }
__global__ void many(int *p, int a, unsigned b, short) { atomicAdd(p, 7 * a + b); }
__global__ void many(int *p, int a, int b) { atomicAdd(p, 11 * a + b); }
__global__ void many(short *, int, int) {}
template <typename T> __global__ void deduced(T *p, T a) { atomicAdd(p, 13 * a); }
template <typename T> struct Tree {
    T *at;
    __device__ void grow() { many<<<1, 1>>>(at, T(1)); }
};
__global__ void overloads(int *p)
{
    Tree<int>{p}.grow();
    for (int i = 0; i < 2; ++i)
        if (i)
            many<<<1, 1>>>(p, 2.5f);
        else
            many<<<1, 1>>>(p, 1, /* , */ 0, i);
    many<<<1, 1>>>(p, 1, true);
    deduced<<<1, 1>>>(p, 1);
}
__global__ void second(int *p)
{
    int *memory, value = 30000;
    cudaStream_t stream;
    if (cudaMalloc(&memory, sizeof *memory) || cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking))
        return;
    *memory = value;
    lastly<<<1, 2, 0, stream>>>(p, 100000, 0);
    cudaMemcpyAsync(p + 1, memory, sizeof value, cudaMemcpyDeviceToDevice, stream);
    cudaMemsetAsync(p + 2, 0, sizeof value, stream);
    cudaStreamDestroy(stream);
    if (cudaGetLastError() != cudaSuccess)
        printf("%s\\n", cudaGetErrorString(cudaPeekAtLastError()));
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 12);
    p[0] = 0;
    p[2] = 9;
    tree<<<1, 1>>>(p, 2);
    second<<<1, 1>>>(p);
    overloads<<<1, 1>>>(p);
    int error = cudaDeviceSynchronize();
    printf("%d %d %d %d\n", error, p[0], p[1], p[2]);
    BROKEN
}
C
check "PTX of the program's own kernels and no others" sh -c "'$gpukit' cc -ptx root.cu -o own.ptx && test \$(grep -c '[.]entry' own.ptx) = 1"
# Two files with a static kernel, static, constant and const variables of the same names.
for n in 3 5; do
    cat >static$n.cu <<END
static __device__ int shift = 1;
static __constant__ int scale;
static __device__ const int table[2] = {$n, $n$n};
__device__ const int plain[2] = {$n$n, $n};
namespace { __device__ const int hidden = $n$n; }
static __global__ void kernel(int *p) { *p = *p * scale + shift + table[*p % 2] + plain[*p % 2] + hidden; }
int apply$n(int v)
{
    int *p, k = $n;
    cudaMalloc(&p, 4);
    cudaMemcpyToSymbol(scale, &k, 4);
    cudaMemcpyToSymbol(shift, &k, 4);
    int known[4];
    cudaMemcpyFromSymbol(known, table, 8);
    cudaMemcpyFromSymbol(known + 2, plain, 4);
    cudaMemcpyFromSymbol(known + 3, hidden, 4);
    if (known[0] != k || known[1] != k * 11 || known[2] != k * 11 || known[3] != k * 11)
        return -1;
    cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    return v;
}
END
done
cat >static.cu <<'END'
#include <cstdio>
int apply3(int), apply5(int);
int main() { printf("%d %d\n", apply3(7), apply5(7)); }
END
check "static kernels of separate files" sh -c "'$gpukit' cc -rdc=true static3.cu static5.cu static.cu -o static && ./static | grep -qx '93 155'"
check "and for several architectures" sh -c "'$gpukit' cc -rdc=true -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=compute_90 static3.cu static5.cu static.cu -o static && ./static | grep -qx '93 155'"
check "launches from device code" sh -c "'$gpukit' cc -rdc=true -DBROKEN= nested.cu -o nested && ./nested | grep -qx '0 203357 30000 0'"
status 1 "nested.cu:60:5: error: use of undeclared identifier 'BROKEN'" "$gpukit" cc -rdc=true nested.cu -o nested
check "make rule beside rewritten launches" sh -c "'$gpukit' cc -dc -MMD -MF nested.d -DBROKEN= nested.cu && grep -q 'nested.cuh' nested.d && ! grep -q launches\\. nested.d"
mkdir -p cccl/thrust
echo '#define MINE 6' >cccl/thrust/gpukit_test.h
echo '#include <thrust/gpukit_test.h>' >uses.h
echo '#include "uses.h"
int main() { return MINE; }' >uses.cu
check "the user's CCCL" sh -c "GPUKIT_CCCL=$work/cccl '$gpukit' cc uses.cu -o uses && { ./uses; test \$? = 6; }"
status 0 "sm_20: PTX for sm_50 is made" "$gpukit" cc -arch=sm_20 -c -DADD=1 main.cu -o old.o
cat >omp.cu <<'C'
#include <omp.h>
int main()
{
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < 100; ++i)
        n += i;
    return n == 4950 && omp_get_max_threads() > 0 ? 0 : 1;
}
C
check "which host compiler" sh -c "'$gpukit' cc .c -Xcompiler --version | grep -q 'clang version [0-9]'"
check "its version" sh -c "'$gpukit' cc .c -Xcompiler '-dumpfullversion -dumpversion' | grep -qx '[0-9.]*'"
status 2 "'.c' does not exist" "$gpukit" cc .c -Xcompiler -Wall
cat >words.cu <<'C'
#include <cstdio>
__global__ void kernel() { static_assert(NUMBER == 4, "the device pass has it, too"); }
int main() { puts(NAME); }
C
check "several words after -Xcompiler" sh -c "'$gpukit' cc -Xcompiler \"-Wall -DNUMBER=4 -DNAME='\\\"ab\\\"'\" words.cu -o words && ./words | grep -qx ab"
check "and after -Xlinker" sh -c "'$gpukit' cc -DNUMBER=4 -DNAME=__FILE__ -Xlinker '-rpath /some/place' words.cu -o words && readelf -d words | grep -q /some/place"
mkdir -p theirs && echo '#error not ours' | tee theirs/cuda_fp16.hpp >theirs/cuda_fp16.h && echo '#include <cuda_fp16.h>' >half.cu
for folder in -Itheirs "-I theirs" -isystem=theirs "-isystem theirs"; do
    check "NVIDIA's headers by $folder" "$gpukit" cc $folder -c half.cu
done
status 1 NUMBER "$gpukit" cc -Xcompiler '-Wall -DNAME=0' words.cu
check "OpenMP in host code" sh -c "'$gpukit' cc -Xcompiler -fopenmp omp.cu -o omp && ./omp"
mkdir -p foreign
echo 'int cudnn_here(void) { return 1; }' >cudnn.c
check "a library by NVIDIA's name" sh -c "cc -shared -fPIC -Wl,-soname,libcudnn.so.9 cudnn.c -o foreign/libcudnn.so.9 && ln -sf libcudnn.so.9 foreign/libcudnn.so"
echo 'extern "C" int cudnn_here(); int main() { return cudnn_here() - 1 + cudaFree(0); }' >mixed.cu
check "a program with both" "$gpukit" cc mixed.cu -o mixed -Lforeign -lcudnn -Xlinker "-rpath,$work/foreign"
status 0 "mixes gpukit's libraries with NVIDIA's.*foreign/libcudnn.so.9" ./mixed
# NVIDIA's runtime asks gpukit's driver for tables of its own: as a library, or inside the program.
cat >tables.c <<'C'
#include <dlfcn.h>
int tables_asked(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*ask)(const void **, const void *) = driver ? (int (*)(const void **, const void *))dlsym(driver, "cuGetExportTable") : 0;
    const void *table = "";
    int error = ask ? ask(&table, "") : -1;
    return error == 803 && !table ? 0 : 1;
}
C
echo 'int tables_asked(void); int main(void) { return tables_asked(); }' >tables_main.c
check "a runtime by NVIDIA's name" cc -shared -fPIC -Wl,-soname,libcudart.so.13 tables.c -o foreign/libcudart.so.13
check "its program" cc tables_main.c -o shared_tables foreign/libcudart.so.13 "-Wl,--disable-new-dtags,-rpath,$work/foreign"
check "a static runtime" cc tables_main.c tables.c -o static_tables
library=$(dirname "$gpukit")/lib
status 0 "mixes gpukit's libraries with NVIDIA's.*foreign/libcudart.so.13" env LD_LIBRARY_PATH="$library" ./shared_tables
status 0 "static_tables contains NVIDIA's CUDA runtime, linked statically" env LD_LIBRARY_PATH="$library" ./static_tables
rm foreign/libcudart.so.13
# On a GPU a program with cuBLAS has NVIDIA's libraries, or is told how to get them.
mkdir -p nvidia/lib64
echo '#include <stdio.h>
int cublasCreate_v2(void **handle) { *handle = 0; return puts("NVIDIA made this handle") < 0; }' >cublas.c
check "a cuBLAS by NVIDIA's name" cc -shared -fPIC -Wl,-soname,libcublas.so.13 cublas.c -o nvidia/lib64/libcublas.so.13
echo '#include <cublas_v2.h>
int main() { cublasHandle_t handle; return cublasCreate(&handle); }' >blas.cu
check "its program" "$gpukit" cc -cudart shared blas.cu -o blas -lcublas
status 0 "NVIDIA made this handle" env CUDA_HOME="$work/nvidia" "$gpukit" run --device gpu ./blas
status 0 "NVIDIA made this handle" env CUDA_HOME="$work/nvidia" "$gpukit" run --device gpu blas.cu -lcublas
check "on the CPU with gpukit's" sh -c "CUDA_HOME='$work/nvidia' '$gpukit' run --device cpu ./blas >out && ! grep NVIDIA out"
echo '#include <cublas_v2.h>
int main() { cublasHandle_t handle; return cudaFree(0) || cublasCreate(&handle); }' >blas.cu
check "its program with the runtime inside" "$gpukit" cc blas.cu -o blas_static -lcublas
status 3 "cc -cudart shared" "$gpukit" run --device gpu ./blas_static
cat >managed1.cu <<'C'
#include <stdio.h>
__managed__ int counter = 3;
extern __managed__ int other[4];
__device__ void bump();
__global__ void k() { counter++; other[1] += counter; bump(); }
int main()
{
    printf("%d %d ", counter, other[2]);
    other[1] = 5;
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %d\n", counter, other[1]);
}
C
cat >managed2.cu <<'C'
extern __managed__ int counter;
__managed__ int other[4] = {0, 0, 9};
static __managed__ int mine = 10;
__device__ void bump() { counter += mine; }
C
check "managed variables of separate files" sh -c "'$gpukit' cc -rdc=true managed1.cu managed2.cu -o managed && ./managed | grep -qx '3 9 14 9'"
check "managed variables behind a device link" sh -c "'$gpukit' cc -dc managed1.cu managed2.cu && '$gpukit' cc -dlink managed1.o managed2.o -o managed.o && '$gpukit' cc managed1.o managed2.o managed.o -o managed2 && ./managed2 | grep -qx '3 9 14 9'"
check "managed variables in PTX" sh -c "'$gpukit' cc -ptx managed2.cu -o - | grep -q 'global .attribute(.managed) .*other\[16\]'"
cat >nvcc.cu <<'C'
#include <stdio.h>
#ifndef __NVCC__
#error nvcc says so
#endif
__device__ void checked(cudaError_t e) { if (e) printf("%s\n", cudaGetErrorString(e)); }
template <typename T> __global__ void dot(T *p) { *p = __dp4a(p[1], p[2], 3); __nanosleep(1); }
template __global__ void dot<int>(int *);
__global__ void k(int *p) { register int i = threadIdx.x; p[i] = i; }
int main() { return 0; }
C
check "what only nvcc takes" "$gpukit" cc nvcc.cu -o nvcc
mkdir -p library/deep
cat >library/deep/loops.h <<'C'
#define UNROLL #pragma unroll
template <typename F> __global__ void each(int *v, F f)
{
    UNROLL
    for (int i = 0; i < 4; ++i)
        f(v[i]);
}
template <typename F> void launch(int *v, F f) { each<<  <1, 1>> >(v, f); }
C
echo '#include "deep/loops.h"' >library/loops.h
cat >loops.cu <<'C'
#include <cstdio>
#include <loops.h>
struct Twice { __device__ void operator()(int &x) { x *= 2; } };
int main()
{
    int *v, h[4] = {1, 2, 3, 4};
    cudaMalloc(&v, sizeof h);
    cudaMemcpy(v, h, sizeof h, cudaMemcpyDefault);
    launch(v, Twice());
    cudaMemcpy(h, v, sizeof h, cudaMemcpyDefault);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
}
C
check "and in a library's headers" sh -c "'$gpukit' cc -Ilibrary loops.cu -o loops && ./loops | grep -qx '2 4 6 8'"
check "__NVCC__ in host sources" sh -c "printf '#ifndef __NVCC__\n#error nvcc\n#endif\n' >nvcc.cpp && '$gpukit' cc -c nvcc.cpp -o nvcc.o"
if [ -e /usr/include/cub/cub.cuh ]; then
    echo '#include <cub/cub.cuh>' >cub.cu
    check "CUB of the distribution" "$gpukit" cc -c cub.cu -o cub.o
fi
cat >arch.cu <<'C'
#include <stdio.h>
__global__ void k(int *p)
{
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#endif
}
int main()
{
    int *p, v;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", v);
}
C
check "PTX of several architectures" "$gpukit" cc -gencode arch=compute_90,code=sm_90 -gencode arch=compute_75,code=sm_75 -gencode arch=compute_75,code=compute_75 arch.cu -o arch
check "the one that suits the device" sh -c "test \"\$(for d in V100 T4 A100 H200; do GPUKIT_AS=\$d ./arch; done | paste -sd' ')\" = '750 750 750 900'"
check "old architectures" sh -c "'$gpukit' cc -arch=compute_20 -code=sm_20,compute_20 arch.cu -o arch && ./arch | grep -qx 500"
# HPC makefiles say -DN=1024; T is a name in NVIDIA's own headers.
check "macros of one letter" sh -c "for l in A B C D E F G H I J K L M N O P Q R S U V W X Y Z; do echo -D\$l=7; done |
    GPUKIT_NO_PCH=1 xargs '$gpukit' cc -c arch.cu -o letters.o"
check "and small ones" sh -c "printf '__global__ void kernel(float *out_) { *out_ = sinf(*out_) + atan2(2.0, 3.0); }\nint main() {}\n' >small.cu &&
    for l in a b c d e f g h i j k l m n o p q r s t u v w x y z; do echo -D\$l=7; done |
    GPUKIT_NO_PCH=1 xargs '$gpukit' cc -c small.cu -o letters.o"
check "macros that the system's headers look at" sh -c "printf '#include <string>\n__global__ void k();\nint main() { return sizeof(std::string) != 8; }\n' >abi.cu &&
    '$gpukit' cc -D_XOPEN_SOURCE=600 -D_GLIBCXX_USE_CXX11_ABI=0 abi.cu -o abi 2>abi.err && ./abi && test ! -s abi.err"
check "old C" sh -c "printf 'main() { return twice(0); }\ntwice(x) { return 2 * x; }\n' >old.c && '$gpukit' cc old.c -o old && ./old"
check "-code makes no PTX" sh -c "'$gpukit' cc -arch=compute_75 -code=sm_75,sm_80 arch.cu -o arch && ./arch | grep -qx 750"
check "help" sh -c "'$gpukit' cc --help | grep -q -- --gpu-architecture"
check "version" sh -c "'$gpukit' cc --version | grep -q release"
status 2 "unknown option -q" "$gpukit" cc -q main.cu
status 0 "fat binary with PTX is written" "$gpukit" cc -cubin -DADD=1 main.cu -o main.cubin
status 2 "--relocatable-link is not supported" "$gpukit" cc --relocatable-link main.o
status 2 "sm_81" "$gpukit" cc -arch=sm_81 main.cu
status 2 "no input" "$gpukit" cc
status 2 "does not exist" "$gpukit" cc nothing.cu
status 2 "true or false" "$gpukit" cc -ftz=maybe main.cu
status 1 "main.cu:2:.*ADD" "$gpukit" cc -c main.cu
status 0 "not an option of nvcc" "$gpukit" cc -c -fno-inline plain.c -o w.o
status 2 "No such file" "$gpukit" run missing.cu
status 3 "cannot be run" "$gpukit" run ./missing
status 2 "device takes" "$gpukit" run --device tpu ./app
status 2 "unknown GPU architecture" "$gpukit" run --arch sm_1 main.cu
: >empty && chmod +x empty
GPUKIT_CACHE=/proc/nowhere
check "no cache, still runs" sh -c "GPUKIT_CACHE=/proc/nowhere '$gpukit' run -DADD=1 main.cu other.cpp plain.c -- y | grep -qx '30 42 y'"
[ $failed -eq 0 ] && echo "cc: all checks pass"
exit $failed
