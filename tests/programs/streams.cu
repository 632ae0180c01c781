// SPDX-License-Identifier: Apache-2.0
// Grids that write more than caches keep: the CPU engine's stores go past the caches then. Sums written to
// aligned and unaligned places, in place, with a ragged end, and read again by the next kernel at once.
#include <cstdio>
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void grow(float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = 2 * c[i] + 1;
}

int main()
{
    const int room = (3 << 20) + 64;
    std::vector<float> a(room), b(room), c(room);
    for (int i = 0; i < room; ++i)
        a[i] = (float)(i % 4093), b[i] = (float)(i % 509);
    float *da, *db, *dc;
    cudaMalloc(&da, room * sizeof(float)), cudaMalloc(&db, room * sizeof(float)), cudaMalloc(&dc, room * sizeof(float));
    cudaMemcpy(da, a.data(), room * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), room * sizeof(float), cudaMemcpyHostToDevice);
    long wrong = 0;
    for (int offset = 0; offset < 17; offset += offset ? 15 : 1) // 0, 1, 16: a line, none, the next line
        for (int n = 3 << 20; n > (3 << 20) - 40; n -= 33) {
            cudaMemset(dc, 0, room * sizeof(float));
            add<<<(n + 255) / 256, 256>>>(da, db, dc + offset, n);
            grow<<<(n + 255) / 256, 256>>>(dc + offset, n);
            if (cudaMemcpy(c.data(), dc, room * sizeof(float), cudaMemcpyDeviceToHost))
                return 1;
            for (int i = 0; i < room; ++i) {
                bool inside = i >= offset && i < offset + n;
                float want = inside ? 2 * (a[i - offset] + b[i - offset]) + 1 : 0;
                if (c[i] != want && wrong++ < 5)
                    printf("offset %d, %d numbers: c[%d] is %g, not %g\n", offset, n, i, c[i], want);
            }
        }
    printf("%s\n", wrong ? "FAIL" : "ok");
    cudaFree(da), cudaFree(db), cudaFree(dc);
    return wrong != 0;
}
