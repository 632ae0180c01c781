/* SPDX-License-Identifier: Apache-2.0
 * Images per second of one training step on the CPU: bench_trainer [THREADS] [BATCH] [SET] [SIZE].
 */
#include "base/arena.h"
#include "base/clock.h"
#include "trainer/augment.h"
#include "trainer/cpu.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 0, batch = argc > 2 ? atoi(argv[2]) : 128;
    const CpuKernels *kernels = cpu_kernels(argc > 3 ? argv[3] : NULL);
    int size = argc > 4 ? atoi(argv[4]) : 64, side = size + size / 8;
    if (!kernels || batch < 1 || size < NET_MULTIPLE || size % NET_MULTIPLE)
        return 2;
    Net net;
    NetState state;
    net_init(&net, size, 2);
    net_state_new(&net, &state);
    net_state_init(&net, &state, 1);
    Pool *pool = pool_new(threads);
    size_t need;
    CpuNet *cpu = cpu_new(&net, batch, pool, kernels, &state, &need);
    uint8_t *pixels = xmalloc((size_t)(batch * side * side * 3));
    CpuPicture *pictures = xcalloc((size_t)batch, sizeof *pictures);
    for (int i = 0; i < batch * side * side * 3; ++i)
        pixels[i] = (uint8_t)aug_draw(1, 2, (uint32_t)i);
    for (int n = 0; n < batch; ++n)
        pictures[n] =
            (CpuPicture){pixels + (size_t)(n * side * side * 3), side, n % 9, n % 7, n & 1, n & 1};
    double best = 1e9, right, loss = 0;
    for (int i = 0; i < 8; ++i) {
        double start = clock_seconds();
        loss = cpu_gradients(cpu, pictures, batch, &right);
        cpu_update(cpu, 0.01);
        double seconds = clock_seconds() - start;
        best = seconds < best ? seconds : best;
        printf("%s %.1f images/s\n", kernels->name, batch / seconds);
    }
    printf("%s, %d threads, batch %d, size %d: best %.1f images/s, %.1f MiB, loss %.3f\n",
           kernels->name, pool_threads(pool), batch, size, batch / best, (double)need / 1048576,
           loss);
    cpu_free(cpu);
    pool_free(pool);
    net_state_free(&state);
    free(pixels);
    free(pictures);
    return 0;
}
