/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat spreading in a plate with cold edges and three hot spots: a 5-point stencil, two buffers that
 * change places after each step, one launch per step (the end of a launch is the barrier between
 * steps). The last state becomes a PNG picture.
 * usage: heat [SIZE [STEPS [FILE.png]]] */
#include "example.h"
#include "png.h"

#include <math.h>

/* The same roundings on processor and GPU: both fused operations are written out. */
__host__ __device__ inline float next_heat(const float *in, int i, int width)
{
    float around = (in[i - 1] + in[i + 1]) + (in[i - width] + in[i + width]);
    return fmaf(0.2f, fmaf(-4.0f, in[i], around), in[i]);
}

__global__ void step(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = next_heat(in, y * n + x, n);
}

static void start(float *plate, int n)
{
    const float spots[3][3] = {{0.3f, 0.35f, 0.10f}, {0.7f, 0.3f, 0.07f}, {0.55f, 0.7f, 0.14f}};
    for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
            for (int s = 0; s < 3; ++s) {
                float dx = (float)x / n - spots[s][0], dy = (float)y / n - spots[s][1];
                if (dx * dx + dy * dy < spots[s][2] * spots[s][2])
                    plate[y * n + x] = 1000.0f;
            }
}

static void colour(float heat, unsigned char *rgb) /* black, red, yellow, white */
{
    float t = 3.0f * powf(heat / 1000.0f, 0.6f);
    for (int i = 0; i < 3; ++i)
        rgb[i] = (unsigned char)(255.0f * fminf(1.0f, fmaxf(0.0f, t - i)));
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 256), steps = argument(argc, argv, 2, 100), wrong = 0;
    const char *file = argc > 3 ? argv[3] : "heat.png";
    if (n < 3 || n > 16384) {
        fprintf(stderr, "heat: SIZE must be from 3 to 16384\n");
        return 2;
    }
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *plate = (float *)host_alloc(count, sizeof *plate);
    float *old = (float *)host_alloc(count, sizeof *old), *now = (float *)host_alloc(count, sizeof *now);
    start(plate, n);

    float *din, *dout;
    CHECK(cudaMalloc(&din, bytes));
    CHECK(cudaMalloc(&dout, bytes));
    CHECK(cudaMemcpy(din, plate, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dout, plate, bytes, cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid(blocks_for(n, 32), blocks_for(n, 8));
    for (int i = 0; i < steps; ++i) {
        step<<<grid, block>>>(din, dout, n);
        float *swap = din;
        din = dout;
        dout = swap;
    }
    CHECK(cudaGetLastError());

    start(old, n);
    start(now, n);
    for (int i = 0; i < steps; ++i) {
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x)
                now[y * n + x] = next_heat(old, y * n + x, n);
        float *swap = old;
        old = now;
        now = swap;
    }
    CHECK(cudaMemcpy(plate, din, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; ++i)
        if (plate[i] != old[i] && wrong++ < 5)
            printf("wrong: cell %zu is %g, not %g\n", i, plate[i], old[i]);
    printf("heat: %d x %d cells, %d steps, %d differ from plain C\n", n, n, steps, wrong);

    unsigned char *rgb = (unsigned char *)host_alloc(count, 3);
    for (size_t i = 0; i < count; ++i)
        colour(plate[i], rgb + 3 * i);
    if (!png_write(file, rgb, n, n))
        return 1;
    printf("heat: wrote %s\n", file);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    free(rgb);
    free(plate);
    free(old);
    free(now);
    return wrong ? 1 : 0;
}
