# SPDX-License-Identifier: Apache-2.0
"""Mandelbrot from Python with numba's CUDA target, on gpukit's engine or a real GPU.

    pip install numba numba-cuda
    LD_LIBRARY_PATH=build/lib CUDA_HOME=/usr/local/cuda python examples/python/mandelbrot.py

numba turns the function into PTX with the toolkit's libnvvm; gpukit's libcuda.so.1 runs that.
Compile time is shown apart from compute. Checks a grid of points against plain Python; exit status 1
when one differs by more than one iteration (contraction to fused multiply-add)."""
import sys
import time

import numpy as np
from numba import cuda

WIDTH, HEIGHT, ITERATIONS = 512, 512, 256


@cuda.jit
def mandelbrot(image, iterations):
    y, x = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        cr = -2.0 + 3.0 * x / image.shape[1]
        ci = -1.5 + 3.0 * y / image.shape[0]
        zr = zi = 0.0
        k = 0
        while k < iterations and zr * zr + zi * zi <= 4.0:
            zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
            k += 1
        image[y, x] = k


def plain(x, y):
    c = complex(-2.0 + 3.0 * x / WIDTH, -1.5 + 3.0 * y / HEIGHT)
    z, k = 0j, 0
    while k < ITERATIONS and z.real**2 + z.imag**2 <= 4.0:
        z = z * z + c
        k += 1
    return k


def timed(image):
    start = time.perf_counter()
    mandelbrot[(HEIGHT // 16, WIDTH // 16), (16, 16)](image, ITERATIONS)
    cuda.synchronize()
    return time.perf_counter() - start


image = cuda.device_array((HEIGHT, WIDTH), np.int32)
first, second = timed(image), timed(image)
print(f"compile and first run {first * 1e3:.0f} ms, second run {second * 1e3:.1f} ms")
result = image.copy_to_host()
wrong = sum(
    abs(int(result[y, x]) - plain(x, y)) > 1
    for y in range(0, HEIGHT, 37)
    for x in range(0, WIDTH, 29)
)
print(f"{result.sum()} iterations in all, {wrong} of the checked points wrong")
sys.exit(wrong != 0)
