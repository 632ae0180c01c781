/* SPDX-License-Identifier: Apache-2.0
 *
 * The Mandelbrot set, one thread per pixel, written as a PNG picture. Neighbouring threads stop
 * after different numbers of rounds: the warp goes on until its last pixel is done.
 * usage: mandelbrot [WIDTH [HEIGHT [ITERATIONS [FILE.png]]]] */
#include "example.h"
#include "png.h"

#include <math.h>

/* Rounds until the orbit of (cx, cy) leaves the circle of radius 2. Each product that is added to
 * something goes through fmaf, so that processor and GPU round at the same places. */
__host__ __device__ inline int escape_time(float cx, float cy, int iterations)
{
    float x = 0, y = 0;
    int k = 0;
    while (k < iterations) {
        if (fmaf(x, x, y * y) > 4.0f)
            break;
        float next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(x + x, y, cy);
        x = next;
        ++k;
    }
    return k;
}

struct View {
    float left, top, step;
    int width, height, iterations;
};

__host__ __device__ inline int pixel(struct View view, int px, int py)
{
    float cx = fmaf((float)px, view.step, view.left);
    float cy = fmaf((float)py, -view.step, view.top);
    return escape_time(cx, cy, view.iterations);
}

__global__ void mandelbrot(struct View view, int *rounds)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < view.width && py < view.height)
        rounds[py * view.width + px] = pixel(view, px, py);
}

static void colour(int rounds, int iterations, unsigned char *rgb)
{
    if (rounds >= iterations) {
        rgb[0] = rgb[1] = rgb[2] = 0;
        return;
    }
    double t = sqrt((double)rounds / 64.0);
    for (int i = 0; i < 3; ++i)
        rgb[i] = (unsigned char)(127.5 - 127.5 * cos(6.2831853 * (0.95 * t + 0.02 - 0.09 * i)));
}

int main(int argc, char **argv)
{
    struct View view;
    view.width = argument(argc, argv, 1, 640);
    view.height = argument(argc, argv, 2, 480);
    view.iterations = argument(argc, argv, 3, 256);
    const char *file = argc > 4 ? argv[4] : "mandelbrot.png";
    float across = 3.2f, down = 2.4f; /* at least this much of the plane is in the picture */
    view.step = fmaxf(across / view.width, down / view.height);
    view.left = -0.7f - view.step * view.width / 2;
    view.top = view.step * view.height / 2;

    size_t pixels = (size_t)view.width * view.height;
    int *rounds = (int *)host_alloc(pixels, sizeof *rounds);
    int *device;
    CHECK(cudaMalloc(&device, pixels * sizeof *device));
    CHECK(cudaMemset(device, 0xff, pixels * sizeof *device));
    dim3 block(16, 16), grid(blocks_for(view.width, 16), blocks_for(view.height, 16));
    mandelbrot<<<grid, block>>>(view, device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(rounds, device, pixels * sizeof *device, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));

    int wrong = 0;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x)
            if (rounds[(size_t)y * view.width + x] != pixel(view, x, y) && wrong++ < 5)
                printf("wrong: pixel (%d, %d)\n", x, y);
    printf("mandelbrot: %d x %d pixels, %d differ from plain C\n", view.width, view.height, wrong);

    unsigned char *rgb = (unsigned char *)host_alloc(pixels, 3);
    for (size_t i = 0; i < pixels; ++i)
        colour(rounds[i], view.iterations, rgb + 3 * i);
    if (!png_write(file, rgb, view.width, view.height))
        return 1;
    printf("mandelbrot: wrote %s\n", file);
    free(rgb);
    free(rounds);
    return wrong ? 1 : 0;
}
