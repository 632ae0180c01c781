# SPDX-License-Identifier: Apache-2.0
"""Mandelbrot from Python with numba's CUDA target, on gpukit's engine or a real GPU.

    pip install numba numba-cuda
    LD_LIBRARY_PATH=build/lib CUDA_HOME=/usr/local/cuda python examples/python/mandelbrot.py [PICTURE.png]

numba turns the function into PTX with the toolkit's libnvvm; gpukit's libcuda.so.1 runs that. Compiling,
the first launch (the engine compiles the PTX then), compute and the copy back are timed apart, since the
first two would otherwise be taken for compute. Every point is compared with plain numpy. The kernel may
fuse a product and a sum into one rounding, which numpy does not, so points at the edge of the set may
differ: exit status 1 when more than one in a thousand does."""
import struct
import sys
import time
import zlib

try:
    import numpy as np
    from numba import cuda
    from numba.core import types
except ImportError as missing:
    sys.exit(f"mandelbrot.py needs {missing.name}: pip install numba numba-cuda")

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


def plain():
    """The same with numpy, a whole picture at each step; a point that has left stays away."""
    cr = -2.0 + 3.0 * np.arange(WIDTH)[None, :] / WIDTH
    ci = -1.5 + 3.0 * np.arange(HEIGHT)[:, None] / HEIGHT
    zr, zi = np.zeros((2, HEIGHT, WIDTH))
    image = np.zeros((HEIGHT, WIDTH), np.int32)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(ITERATIONS):
            inside = zr * zr + zi * zi <= 4.0
            image += inside
            zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
    return image


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - start) * 1e3


def launch():
    mandelbrot[(HEIGHT // 16, WIDTH // 16), (16, 16)](image, ITERATIONS)
    cuda.synchronize()


def write_png(path, values):
    """Grey: dark where points leave at once, black inside the set."""
    grey = np.where(values == ITERATIONS, 0, 40 + 215 * np.sqrt(values / ITERATIONS)).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)))
        file.write(chunk(b"IEND", b""))


if not cuda.is_available():
    sys.exit("mandelbrot.py: no CUDA driver found: set LD_LIBRARY_PATH to the folder of gpukit's libcuda.so.1")
image = cuda.device_array((HEIGHT, WIDTH), np.int32)
signature = (types.Array(types.int32, 2, "C"), types.int64)
_, compiling = timed(lambda: mandelbrot.compile(signature))
_, first = timed(launch)
compute = min(timed(launch)[1] for _ in range(5))
result, copying = timed(image.copy_to_host)
expected, numpy_time = timed(plain)

print(f"numba compiles to PTX          {compiling:8.1f} ms")
print(f"first launch (PTX is compiled) {first:8.1f} ms")
print(f"compute, best of 5 launches    {compute:8.1f} ms")
print(f"copy to the host               {copying:8.1f} ms")
print(f"numpy on the CPU               {numpy_time:8.1f} ms, {numpy_time / compute:.1f} times the compute")
differing = int(np.count_nonzero(result != expected))
print(f"{result.sum()} iterations in all; {differing} of {result.size} points differ from numpy's")
if len(sys.argv) > 1:
    write_png(sys.argv[1], result)
sys.exit(differing * 1000 > result.size)
