// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that store to one place by one instruction: whose value lasts. PTX leaves it open; here it is as
// on an H200: 128 bytes are taken at a time, the later lanes' last, and of those taken together the lowest lane's
// value stays. Global and shared memory, 1 to 16 bytes, any subset of lanes, addresses equal, in runs or scattered.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { PLACES = 32, ROUNDS = 40 };
static unsigned bad;

template <class T> __device__ T of(int lane)
{
    T v;
    memset(&v, lane, sizeof v);
    return v;
}

template <class T> __global__ void scattered(T *out, const int *index, unsigned active)
{
    __shared__ T s[PLACES];
    int lane = threadIdx.x;
    s[lane] = of<T>(99);
    __syncwarp();
    T v = of<T>(lane);
    int i = index[lane];
    if (active >> lane & 1) {
        out[i] = v;
        s[i] = v;
    }
    __syncwarp();
    out[PLACES + lane] = s[lane];
}

// x: a run of threadIdx.x, equal for each y; place 0 by all
template <class T> __global__ void runs(T *out, unsigned active)
{
    int lane = threadIdx.y * blockDim.x + threadIdx.x;
    if (active >> lane & 1) {
        out[1 + threadIdx.x] = of<T>(lane);
        out[0] = of<T>(lane);
    }
}

template <class T> __global__ void run_of_all(T *out)
{
    out[threadIdx.x] = of<T>(threadIdx.y * blockDim.x + threadIdx.x);
}

static int lasting(const int *place, int of, unsigned active, size_t bytes)
{
    int together = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8, last = -1;
    for (int first = 0; first < 32; first += together)
        for (int lane = first + together - 1; lane >= first; --lane)
            if (active >> lane & 1 && place[lane] == of)
                last = lane;
    return last < 0 ? 99 : last;
}

template <class T> void expect(const char *what, const T *got, int want, unsigned active, int place)
{
    unsigned char bytes[sizeof(T)];
    memset(bytes, want, sizeof bytes);
    if (memcmp(got, bytes, sizeof bytes) && bad++ < 20)
        printf("%s, %zu bytes, lanes %08x, place %d: lane %d, expected %d\n", what, sizeof(T), active, place,
               *(const unsigned char *)got, want);
}

template <class T> void all()
{
    T *out, got[2 * PLACES];
    int *index, place[32], zero[32] = {};
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&index, sizeof place);
    for (int round = 0; round < ROUNDS; ++round) {
        unsigned active = round % 2 ? ~0u : (unsigned)rand() << 16 ^ (unsigned)rand();
        int groups = 1 << round % 6;
        for (int &p : place)
            p = rand() % groups;
        cudaMemcpy(index, place, sizeof place, cudaMemcpyHostToDevice);
        cudaMemset(out, 99, sizeof got);
        scattered<<<1, 32>>>(out, index, active);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int p = 0; p < PLACES; ++p) {
            expect("global", got + p, lasting(place, p, active, sizeof(T)), active, p);
            expect("shared", got + PLACES + p, lasting(place, p, active, sizeof(T)), active, p);
        }
        int width = 1 << round % 6;
        for (int lane = 0; lane < 32; ++lane)
            place[lane] = lane % width;
        cudaMemset(out, 99, sizeof got);
        runs<<<1, dim3(width, 32 / width)>>>(out, active);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        expect("one place", got, lasting(zero, 0, active, sizeof(T)), active, 0);
        for (int p = 0; p < width; ++p)
            expect("runs", got + 1 + p, lasting(place, p, active, sizeof(T)), active, p);
        run_of_all<<<1, dim3(width, 32 / width)>>>(out);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int p = 0; p < width; ++p)
            expect("runs of all lanes", got + p, lasting(place, p, ~0u, sizeof(T)), ~0u, p);
    }
    cudaFree(out);
    cudaFree(index);
}

int main()
{
    all<unsigned char>();
    all<unsigned short>();
    all<float>();
    all<unsigned>();
    all<double>();
    all<uint2>();
    all<uint4>();
    all<double2>();
    if (cudaDeviceSynchronize() != cudaSuccess)
        bad = 1;
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad ? 1 : 0;
}
