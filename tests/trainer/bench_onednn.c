/* SPDX-License-Identifier: Apache-2.0
 * oneDNN's convolutions of the network against gpukit's whole step on the same cores, turn by turn:
 * bench_onednn [THREADS] [BATCH] [ROUNDS] [direct|auto]. Each convolution, forward and both ways
 * back, fp32, in the layout that oneDNN chooses, direct or by the algorithm that it chooses
 * (Winograd). No reorders, batch norm, ReLU or pooling: the sum is a lower bound of a step built on
 * oneDNN. For oneDNN 2.x. */
#include "base/arena.h"
#include "base/clock.h"
#include "trainer/augment.h"
#include "trainer/cpu.h"

#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORWARD, BACK_DATA, BACK_WEIGHTS, KINDS, MEMORIES = 3 };

typedef struct {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t args[MEMORIES];
    double best;
    char how[64];
} Piece;

static dnnl_engine_t engine;
static dnnl_stream_t stream;
static dnnl_alg_kind_t algorithm = dnnl_convolution_auto;

static void check(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "bench_onednn: %s failed: status %d\n", what, (int)status);
    exit(3);
}

/* A memory of the layout that the primitive asked for, filled with small numbers. */
static dnnl_exec_arg_t memory(const_dnnl_primitive_desc_t from, dnnl_query_t what, int argument)
{
    dnnl_exec_arg_t arg = {.arg = argument};
    const dnnl_memory_desc_t *desc = dnnl_primitive_desc_query_md(from, what, 0);
    void *data;
    check(dnnl_memory_create(&arg.memory, desc, engine, DNNL_MEMORY_ALLOCATE), "memory");
    check(dnnl_memory_get_data_handle(arg.memory, &data), "memory");
    for (size_t i = 0; i < dnnl_memory_desc_get_size(desc) / sizeof(float); ++i)
        ((float *)data)[i] = (float)((int)(i * 7 % 13) - 6) * 0.01f;
    return arg;
}

static void make_block(const NetBlock *b, int batch, Piece piece[KINDS])
{
    const dnnl_dims_t input = {batch, b->cin, b->side, b->side},
                      output = {batch, b->cout, b->side, b->side}, kernel = {b->cout, b->cin, 3, 3},
                      one = {1, 1};
    dnnl_memory_desc_t src, dst, weights;
    check(dnnl_memory_desc_init_by_tag(&src, 4, input, dnnl_f32, dnnl_format_tag_any), "layout");
    check(dnnl_memory_desc_init_by_tag(&dst, 4, output, dnnl_f32, dnnl_format_tag_any), "layout");
    check(dnnl_memory_desc_init_by_tag(&weights, 4, kernel, dnnl_f32, dnnl_format_tag_any),
          "layout");
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t pd[KINDS];
    check(dnnl_convolution_forward_desc_init(&desc, dnnl_forward_training, algorithm, &src,
                                             &weights, NULL, &dst, one, one, one),
          "forward");
    check(dnnl_primitive_desc_create(&pd[FORWARD], &desc, NULL, engine, NULL), "forward");
    check(dnnl_convolution_backward_data_desc_init(&desc, algorithm, &src, &weights, &dst, one, one,
                                                   one),
          "backward data");
    check(dnnl_primitive_desc_create(&pd[BACK_DATA], &desc, NULL, engine, pd[FORWARD]),
          "backward data");
    check(dnnl_convolution_backward_weights_desc_init(&desc, algorithm, &src, &weights, NULL, &dst,
                                                      one, one, one),
          "backward weights");
    check(dnnl_primitive_desc_create(&pd[BACK_WEIGHTS], &desc, NULL, engine, pd[FORWARD]),
          "backward weights");
    piece[FORWARD].args[0] = memory(pd[FORWARD], dnnl_query_src_md, DNNL_ARG_SRC);
    piece[FORWARD].args[1] = memory(pd[FORWARD], dnnl_query_weights_md, DNNL_ARG_WEIGHTS);
    piece[FORWARD].args[2] = memory(pd[FORWARD], dnnl_query_dst_md, DNNL_ARG_DST);
    piece[BACK_DATA].args[0] = memory(pd[BACK_DATA], dnnl_query_diff_dst_md, DNNL_ARG_DIFF_DST);
    piece[BACK_DATA].args[1] = memory(pd[BACK_DATA], dnnl_query_weights_md, DNNL_ARG_WEIGHTS);
    piece[BACK_DATA].args[2] = memory(pd[BACK_DATA], dnnl_query_diff_src_md, DNNL_ARG_DIFF_SRC);
    piece[BACK_WEIGHTS].args[0] = memory(pd[BACK_WEIGHTS], dnnl_query_src_md, DNNL_ARG_SRC);
    piece[BACK_WEIGHTS].args[1] =
        memory(pd[BACK_WEIGHTS], dnnl_query_diff_dst_md, DNNL_ARG_DIFF_DST);
    piece[BACK_WEIGHTS].args[2] =
        memory(pd[BACK_WEIGHTS], dnnl_query_diff_weights_md, DNNL_ARG_DIFF_WEIGHTS);
    for (int k = 0; k < KINDS; ++k) {
        const char *how = "";
        dnnl_primitive_desc_query(pd[k], dnnl_query_impl_info_str, 0, &how);
        snprintf(piece[k].how, sizeof piece[k].how, "%s", how);
        check(dnnl_primitive_create(&piece[k].primitive, pd[k]), "primitive");
        dnnl_primitive_desc_destroy(pd[k]);
        piece[k].best = 1e9;
    }
}

static void run(Piece *p)
{
    double start = clock_seconds();
    check(dnnl_primitive_execute(p->primitive, stream, MEMORIES, p->args), "execution");
    check(dnnl_stream_wait(stream), "execution");
    double seconds = clock_seconds() - start;
    p->best = seconds < p->best ? seconds : p->best;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2, batch = argc > 2 ? atoi(argv[2]) : 128;
    int rounds = argc > 3 ? atoi(argv[3]) : 6, side = 72;
    if (argc > 4 && strcmp(argv[4], "direct") == 0)
        algorithm = dnnl_convolution_direct;
    if (threads < 1 || batch < 1 || rounds < 1)
        return 2;
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    setenv("OMP_NUM_THREADS", text, 1);
    Net net;
    NetState state;
    net_init(&net, 64, 2);
    net_state_new(&net, &state);
    net_state_init(&net, &state, 1);
    Pool *pool = pool_new(threads);
    size_t need;
    CpuNet *cpu = cpu_new(&net, batch, pool, cpu_kernels(NULL), &state, &need);
    uint8_t *pixels = xmalloc((size_t)(batch * side * side * 3));
    CpuPicture *pictures = xcalloc((size_t)batch, sizeof *pictures);
    for (int i = 0; i < batch * side * side * 3; ++i)
        pixels[i] = (uint8_t)aug_draw(1, 2, (uint32_t)i);
    for (int n = 0; n < batch; ++n)
        pictures[n] =
            (CpuPicture){pixels + (size_t)(n * side * side * 3), side, n % 9, n % 7, n & 1, n & 1};

    check(dnnl_engine_create(&engine, dnnl_cpu, 0), "engine");
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), "stream");
    static Piece piece[NET_BLOCKS][KINDS];
    for (int i = 0; i < NET_BLOCKS; ++i)
        make_block(&net.block[i], batch, piece[i]);
    double own = 1e9, sum = 0;
    for (int r = 0; r < rounds; ++r) {
        for (int i = 0; i < NET_BLOCKS; ++i)
            for (int k = 0; k < KINDS; ++k)
                if (i || k != BACK_DATA) /* nobody wants the gradient of the pictures */
                    run(&piece[i][k]);
        double start = clock_seconds(), right;
        cpu_gradients(cpu, pictures, batch, &right);
        cpu_update(cpu, 0.01);
        double seconds = clock_seconds() - start;
        own = seconds < own ? seconds : own;
    }
    static const char *const kinds[] = {"forward", "backward data", "backward weights"};
    for (int i = 0; i < NET_BLOCKS; ++i)
        for (int k = 0; k < KINDS; ++k)
            if (i || k != BACK_DATA) {
                printf("block %d %-17s %8.2f ms  %s\n", i + 1, kinds[k], 1e3 * piece[i][k].best,
                       piece[i][k].how);
                sum += piece[i][k].best;
            }
    const dnnl_version_t *version = dnnl_version();
    printf("oneDNN %d.%d.%d, convolutions alone: %.1f ms, %.1f images/s at best\n", version->major,
           version->minor, version->patch, 1e3 * sum, batch / sum);
    printf("gpukit (%s), the whole step:      %.1f ms, %.1f images/s; %d threads, batch %d\n",
           cpu_kernels(NULL)->name, 1e3 * own, batch / own, threads, batch);
    return 0;
}
