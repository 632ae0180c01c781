/* SPDX-License-Identifier: Apache-2.0
 * CUDA's functions in host code, against the same in a kernel. */
#include <cmath>
#include <cstdio>

enum { ROWS = 8 };

__global__ void no_number(double *y)
{
    y[0] = nan("");
    y[1] = nanf("1");
}

static __host__ __device__ void row(double x, double *y)
{
    y[0] = rsqrt(fabs(x)), y[1] = rcbrt(x), y[2] = sinpi(x), y[3] = cospi(x), y[4] = normcdf(x);
    y[5] = rsqrtf(fabsf((float)x)), y[6] = sinpif((float)x), y[7] = rsqrt(fabsf((float)x));
}

__global__ void rows(const double *x, double *y)
{
    row(x[threadIdx.x], y + ROWS * threadIdx.x);
}

int main()
{
    const double x[] = {0.1, -0.3, 0.5, 0.75, -1.0, 1.25, 2.5, -7.75, 13.0, 1e6 + 0.25};
    enum { COUNT = sizeof x / sizeof *x };
    double *dx, *dy, got[COUNT][ROWS], want[ROWS];
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof got);
    cudaMemset(dy, 0, sizeof got);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    rows<<<1, COUNT>>>(dx, dy);
    cudaMemcpy(got, dy, sizeof got, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < COUNT; i++) {
        row(x[i], want);
        for (int k = 0; k < ROWS; k++)
            if (!(fabs(got[i][k] - want[k]) <= (k < 5 ? 1e-14 : 1e-6) * (fabs(want[k]) + 0.01))) {
                printf("x %g, function %d: device %.17g, host %.17g\n", x[i], k, got[i][k], want[k]);
                bad++;
            }
    }
    no_number<<<1, 1>>>(dy);
    cudaMemcpy(want, dy, 2 * sizeof *want, cudaMemcpyDeviceToHost);
    bad += want[0] == want[0] || want[1] == want[1];
    printf(bad ? "%d differ\n" : "host and device agree\n", bad);
    return bad != 0;
}
