/* SPDX-License-Identifier: Apache-2.0
 *
 * All kernels of a training step for matrix units that take bf16 and tf32 (compute capability 8.0
 * and later) or fp16 (7.5); sums are fp32. Compiled once for each precision (device.h). A step is, in order:
 *
 *   k_choose   pictures, crops and flips of the step; clears the sums
 *   k_first    gather + crop + flip + normalise + convolution + sums + 2x2 winners (block 0)
 *   k_norm*    batch norm and ReLU of the winners
 *   k_conv*    convolution + sums + winners (blocks 1 to 3)
 *   k_head     average, fully connected, softmax, loss and their gradients
 *   k_spread*  gradient of a convolution's output from the pooled gradient
 *   k_dgrad*   gradient of a convolution's input, masked by ReLU, with its sums
 *   k_wgrad*   gradient of a convolution's weights, in parts
 *   k_first_back  block 0 again, and its weight gradient
 *   k_update   collects gradients, Nesterov step
 *   k_pack     copies of the weights for the next step's matrix products
 *
 * The winner of a window is found before batch norm: the largest value where the slope gamma is
 * positive, the smallest where it is negative. So a convolution writes it at once, and block 0's
 * full-size output is never stored: its backward pass computes it again. */
#include "device.h"

/* From net.h, which is not for CUDA. */
#define BN_EPS       1e-5f
#define BN_MOMENTUM  0.1f
#define MOMENTUM     0.9f
#define WEIGHT_DECAY 5e-4f

/* ---- order, crops (augment.h, the same functions as the CPU's) ---- */

#ifdef GPUKIT_EMULATE
#include "../augment.h"
#else
typedef gpu_u32 uint32_t;
typedef gpu_u64 uint64_t;
#define GPUKIT_TRAINER_NO_STDINT
#define AUG_FN DEV
#include "../augment.h"
#endif

KERNEL(k_choose, 1024, 1)
{
    gpu_u32 step = a.control->next;
    sync();
    if (tid() == 0) {
        a.control->step = step;
        if (!a.eval)
            a.control->next = step + 1;
    }
    for (gpu_u32 i = (gpu_u32)tid(); i < a.zeroed_count; i += 1024)
        a.zeroed[i] = 0;
    for (int i = tid(); i < a.batch; i += 1024) {
        GpuPick pick;
        int middle = (a.stored - a.size) / 2;
        if (a.eval) {
            gpu_u32 at = a.eval_base + (gpu_u32)i;
            pick.place = a.ring ? a.eval_place + (gpu_u32)i : at < a.counts[1] ? at : a.counts[1] - 1;
            pick.x = pick.y = middle;
            pick.flip = pick.label = 0;
        } else {
            gpu_u32 epoch = step / a.steps_per_epoch, within = step % a.steps_per_epoch;
            gpu_u32 at = (within * (gpu_u32)a.ranks + (gpu_u32)a.rank) * (gpu_u32)a.batch + (gpu_u32)i;
            gpu_u32 picture = aug_order(a.seed, epoch, at, a.counts[0]);
            AugCrop crop = aug_crop(a.seed, epoch, picture, (gpu_u32)(a.stored - a.size + 1));
            pick.place = a.ring ? step % (gpu_u32)a.ring * (gpu_u32)a.batch + (gpu_u32)i : picture;
            pick.x = crop.x;
            pick.y = crop.y;
            pick.flip = crop.flip;
            pick.label = a.labels[picture];
        }
        a.picks[i] = pick;
    }
}

/* ---- what the end of every convolution shares ---- */

/* Adds the threads' per-channel sums (eight channels each, chunk = tid % CHUNKS) in a fixed order
 * and then to the batch's totals. scratch: 4 warps * CHUNKS * 16 floats. */
template <int CHUNKS>
DEV void add_totals(float s[8], float q[8], float *scratch, gpu_i64 *totals, int channels, int first,
                    float scale)
{
    int lane = tid() & 31, warp = tid() >> 5;
#pragma unroll
    for (int mask = CHUNKS; mask < 32; mask <<= 1)
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            s[i] += shuffle_xor(s[i], mask);
            q[i] += shuffle_xor(q[i], mask);
        }
    if (lane < CHUNKS)
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            scratch[(warp * CHUNKS + lane) * 16 + i] = s[i];
            scratch[(warp * CHUNKS + lane) * 16 + 8 + i] = q[i];
        }
    sync();
    for (int i = tid(); i < CHUNKS * 16; i += GPU_CONV_THREADS) {
        float sum = 0;
#pragma unroll
        for (int w = 0; w < 4; ++w)
            sum += scratch[w * CHUNKS * 16 + i];
        int channel = first + (i >> 4) * 8 + (i & 7);
        add_i64(totals + (i & 8 ? channels : 0) + channel, fixed(sum, scale));
    }
}

/* Winners of the 2x2 windows of a tile in shared memory. */
template <int NT, int TW, int TH, int TI, int PITCH>
DEV void store_winners(const unsigned char *tile, const float *gamma, Element *pooled, int image,
                       int ty, int tx, int side, int channels, int first, int count)
{
    const int chunks = NT / 8, windows = TI * TH * TW / 4;
    int half = side / 2;
    for (int i = tid(); i < windows * chunks; i += GPU_CONV_THREADS) {
        int c = i % chunks, w = i / chunks;
        int wx = w % (TW / 2), wy = w / (TW / 2) % (TH / 2), im = w / (TW / 2 * (TH / 2));
        const unsigned char *p = tile + ((im * TH + 2 * wy) * TW + 2 * wx) * PITCH + c * 8 * BYTES;
        float best[8], v[8];
        load8(p, best);
#pragma unroll
        for (int k = 1; k < 4; ++k) {
            load8(p + ((k >> 1) * TW + (k & 1)) * PITCH, v);
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                bool up = gamma[first + c * 8 + j] >= 0;
                best[j] = (up ? v[j] > best[j] : v[j] < best[j]) || v[j] != v[j] ? v[j] : best[j];
            }
        }
        if (image + im < count)
            store8(pooled + ((((long long)(image + im) * half + ty * (TH / 2) + wy) * half +
                              tx * (TW / 2) + wx) * channels + first + c * 8), best);
    }
}

/* ---- convolution 3x3 as a matrix product without im2col ----
 * A thread block makes TI * TH * TW pixels by NT channels. The input tile with its border lies in
 * shared memory, SLICE of its channels at a time; weights pass through a ring of GPU_STAGES tiles.
 * Warps: WM along the pixels, WN along the channels. */
template <int CIN, int NT, int TW, int TH, int TI, int WM, int WN, bool BACK>
DEV void convolve(const Element *in, const Element *weights, int side, int cout, int count,
                  Element *out, Element *pooled, const float *gamma, const float *line,
                  const Element *winners, gpu_i64 *totals, float scale)
{
    const int SLICE = GPU_SLICE(MOST_CHANNELS, CIN), KC = GPU_DEPTH(BYTES, CIN), PARTS = SLICE / KC;
    const int M = TI * TH * TW, PITCH = SLICE * BYTES + ROW_PAD, HW = TW + 2, HH = TH + 2;
    const int STAGE = KC * NT * BYTES, CHUNKS = CIN / SLICE * 9 * PARTS;
    const int MT = M / WM / 16, NP = NT / WN / 16, HALO = TI * HH * HW * PITCH;
    unsigned char *halo = SHARED, *ring = halo + HALO;
    const int lane = tid() & 31, warp = tid() >> 5, wm = warp % WM, wn = warp / WM;
    const int across = side / TW, down = side / TH;
    const int tx = bid_x() % across, ty = bid_x() / across % down, image = bid_x() / (across * down) * TI;
    const unsigned char *source =
        (const unsigned char *)weights + (long long)bid_y() * (9 * CIN * NT * BYTES);

#define FETCH_SLICE(slice)                                                                         \
    for (int i = tid(); i < TI * HH * HW * (SLICE / PER_QUAD); i += GPU_CONV_THREADS) {            \
        int c = i % (SLICE / PER_QUAD), p = i / (SLICE / PER_QUAD);                                \
        int hx = p % HW, hy = p / HW % HH, im = p / (HW * HH);                                     \
        int x = tx * TW + hx - 1, y = ty * TH + hy - 1;                                            \
        int valid = x >= 0 && y >= 0 && x < side && y < side && image + im < count;                \
        const Element *from = in + (slice) * SLICE +                                               \
            (valid ? (((long long)(image + im) * side + y) * side + x) * CIN + c * PER_QUAD : 0);  \
        copy16(halo + p * PITCH + c * 16, from, valid);                                            \
    }
    FETCH_SLICE(0)
#pragma unroll
    for (int s = 0; s < GPU_STAGES - 1; ++s) {
        for (int i = tid(); i < STAGE / 16; i += GPU_CONV_THREADS)
            copy16(ring + s * STAGE + i * 16, source + s * STAGE + i * 16, 1);
        copy_commit();
    }

    int offset[MT];
    float acc[MT][NP * 2][4];
#pragma unroll
    for (int m = 0; m < MT; ++m) {
        int pixel = wm * (M / WM) + m * 16 + (lane & 15);
        int x = pixel % TW, y = pixel / TW % TH, im = pixel / (TW * TH);
        offset[m] = ((im * HH + y) * HW + x) * PITCH + (lane >> 4) * 16;
#pragma unroll
        for (int n = 0; n < NP * 2; ++n)
#pragma unroll
            for (int k = 0; k < 4; ++k)
                acc[m][n][k] = 0;
    }
    for (int s = 0; s < CHUNKS; ++s) {
        copy_wait<GPU_STAGES - 2>();
        sync();
        if (SLICE < CIN && s && s % (9 * PARTS) == 0) {
            FETCH_SLICE(s / (9 * PARTS))
            copy_commit();
            copy_wait<0>();
            sync();
        }
        int next = s + GPU_STAGES - 1;
        if (next < CHUNKS)
            for (int i = tid(); i < STAGE / 16; i += GPU_CONV_THREADS)
                copy16(ring + next % GPU_STAGES * STAGE + i * 16, source + next * STAGE + i * 16, 1);
        copy_commit();
        int tap = SLICE < CIN ? s / PARTS % 9 : s / PARTS;
        const unsigned char *from = halo + (tap / 3 * HW + tap % 3) * PITCH + s % PARTS * (KC * BYTES);
        const unsigned char *b = ring + s % GPU_STAGES * STAGE + wn * NP * 512 + lane * 16;
#pragma unroll
        for (int k = 0; k < KC / KSTEP; ++k) {
            gpu_u32 frag[MT][4];
            Quad wt[NP];
#pragma unroll
            for (int n = 0; n < NP; ++n)
                wt[n] = *(const Quad *)(b + (k * (NT / 16) + n) * 512);
#pragma unroll
            for (int m = 0; m < MT; ++m)
                ldmatrix(frag[m], from + offset[m] + k * 32);
#pragma unroll
            for (int m = 0; m < MT; ++m)
#pragma unroll
                for (int n = 0; n < NP; ++n) {
                    mma(acc[m][2 * n], frag[m], wt[n].v[0], wt[n].v[1]);
                    mma(acc[m][2 * n + 1], frag[m], wt[n].v[2], wt[n].v[3]);
                }
        }
    }
#undef FETCH_SLICE

    /* The tile, rounded, into shared memory; then out in whole rows of 16 bytes. */
    const int OUT = NT * BYTES + ROW_PAD, C = NT / 8, GROUPS = GPU_CONV_THREADS / C;
    copy_wait<0>();
    sync();
#pragma unroll
    for (int m = 0; m < MT; ++m)
#pragma unroll
        for (int n = 0; n < NP * 2; ++n) {
            unsigned char *p = halo + (wm * (M / WM) + m * 16 + (lane >> 2)) * OUT +
                               (wn * NP * 16 + n * 8 + (lane & 3) * 2) * BYTES;
            store2(p, acc[m][n][0], acc[m][n][1]);
            store2(p + 8 * OUT, acc[m][n][2], acc[m][n][3]);
        }
    sync();
    int c = tid() % C, first = bid_y() * NT;
    float s[8], q[8], slope[8], shift[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        s[i] = q[i] = 0;
        slope[i] = BACK ? line[first + c * 8 + i] : 0;
        shift[i] = BACK ? line[cout + first + c * 8 + i] : 0;
    }
    for (int p = tid() / C; p < M; p += GROUPS) {
        int x = p % TW, y = p / TW % TH, im = p / (TW * TH);
        long long at = (((long long)(image + im) * side + ty * TH + y) * side + tx * TW + x) * cout +
                       first + c * 8;
        if (image + im >= count)
            continue;
        float f[8];
        load8(halo + p * OUT + c * 8 * BYTES, f);
        if (BACK) {
            float w[8];
            load8(winners + at, w);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                f[i] = slope[i] * w[i] + shift[i] > 0 ? f[i] : 0;
                s[i] += f[i];
                q[i] += f[i] * w[i];
            }
        } else {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                s[i] += f[i];
                q[i] += f[i] * f[i];
            }
        }
        store8(out + at, f);
    }
    add_totals<C>(s, q, (float *)(halo + M * OUT), totals, cout, first, scale);
    if (!BACK)
        store_winners<NT, TW, TH, TI, OUT>(halo, gamma, pooled, image, ty, tx, side, cout, first, count);
}

#define FORWARD(name, at, CIN, TW, TH, TI, WM, WN)                                                 \
    KERNEL(name, GPU_CONV_THREADS, 2)                                                              \
    {                                                                                              \
        const GpuBlock &b = a.block[at];                                                           \
        convolve<CIN, GPU_TILE_FORWARD(at), TW, TH, TI, WM, WN, false>(                            \
            a.block[at - 1].act, b.wf, b.side, b.cout, a.batch, b.y, b.pooled, a.params + b.gamma, \
            0, 0, b.totals, GPU_SUM_SCALE);                                                                       \
    }
FORWARD(k_conv1, 1, 32, 32, 4, 1, 4, 1)
FORWARD(k_conv2, 2, 64, 16, 8, 1, 4, 1)
FORWARD(k_conv3, 3, 128, 8, 8, 2, 4, 1)

#define BACKWARD(name, at, CIN, TW, TH, TI, WM, WN)                                                \
    KERNEL(name, GPU_CONV_THREADS, 1)                                                              \
    {                                                                                              \
        const GpuBlock &b = a.block[at], &to = a.block[at - 1];                                    \
        convolve<CIN, GPU_TILE_BACKWARD(at), TW, TH, TI, WM, WN, true>(                            \
            b.y, b.wb, b.side, b.cin, a.batch, to.gpool, 0, 0, to.line, to.pooled, to.gtotals,     \
            GPU_GRAD_SCALE / gradient_scale(a));                                                   \
    }
BACKWARD(k_dgrad1, 1, 64, 32, 4, 1, 4, 1)
BACKWARD(k_dgrad2, 2, 128, 16, 8, 1, 4, 1)
BACKWARD(k_dgrad3, 3, 256, 8, 8, 1, 2, 2)

/* ---- block 0: three input channels ---- */

enum {
    FIRST_W = 32,
    FIRST_H = 4,
    FIRST_M = FIRST_W * FIRST_H,
    FIRST_C = 32,
    FIRST_PITCH = 32 * BYTES + ROW_PAD,
    FIRST_HALO = (FIRST_W + 2) * (FIRST_H + 2) * 3
};

/* Loads a tile's pictures, normalised, and lays them out as rows of 27 (32) inputs per pixel. */
DEV void first_rows(const GpuArgs &a, int image, int ty, int tx, float *halo, unsigned char *rows)
{
    GpuPick pick = a.picks[image];
    const gpu_u8 *from =
        a.pictures[a.eval] + (long long)pick.place * a.stored * a.stored * 3;
    for (int i = tid(); i < FIRST_HALO; i += GPU_CONV_THREADS) {
        int c = i % 3, hx = i / 3 % (FIRST_W + 2), hy = i / (3 * (FIRST_W + 2));
        int x = tx * FIRST_W + hx - 1, y = ty * FIRST_H + hy - 1;
        float v = 0;
        if (x >= 0 && y >= 0 && x < a.size && y < a.size) {
            int column = pick.x + (pick.flip ? a.size - 1 - x : x);
            float mean = c == 0 ? 0.488f : c == 1 ? 0.455f : 0.417f;
            float inverse = c == 0 ? 1 / 0.229f : c == 1 ? 1 / 0.224f : 1 / 0.225f;
            v = ((float)from[((pick.y + y) * a.stored + column) * 3 + c] * (1 / 255.0f) - mean) * inverse;
        }
        halo[i] = v;
    }
    sync();
    int x = tid() % FIRST_W, y = tid() / FIRST_W;
    float v[32];
#pragma unroll
    for (int k = 0; k < 32; ++k)
        v[k] = k < 27 ? halo[(y + k / 9) * ((FIRST_W + 2) * 3) + x * 3 + k % 9] : 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        store8(rows + tid() * FIRST_PITCH + k * 8 * BYTES, v + 8 * k);
    sync();
}

/* The tile's convolution, rounded, into tile[FIRST_M][FIRST_PITCH]. */
DEV void first_convolve(const GpuArgs &a, const unsigned char *rows, unsigned char *tile)
{
    int lane = tid() & 31, warp = tid() >> 5;
    const Quad *w = (const Quad *)a.block[0].wf;
    float acc[2][4][4];
#pragma unroll
    for (int i = 0; i < 32; ++i)
        acc[i / 16][i / 4 % 4][i % 4] = 0;
#pragma unroll
    for (int k = 0; k < 32 / KSTEP; ++k) {
        Quad wt[2] = {w[(k * 2) * 32 + lane], w[(k * 2 + 1) * 32 + lane]};
#pragma unroll
        for (int m = 0; m < 2; ++m) {
            gpu_u32 frag[4];
            ldmatrix(frag, rows + (warp * 32 + m * 16 + (lane & 15)) * FIRST_PITCH + (lane >> 4) * 16 + k * 32);
#pragma unroll
            for (int n = 0; n < 2; ++n) {
                mma(acc[m][2 * n], frag, wt[n].v[0], wt[n].v[1]);
                mma(acc[m][2 * n + 1], frag, wt[n].v[2], wt[n].v[3]);
            }
        }
    }
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            unsigned char *p =
                tile + (warp * 32 + m * 16 + (lane >> 2)) * FIRST_PITCH + (n * 8 + (lane & 3) * 2) * BYTES;
            store2(p, acc[m][n][0], acc[m][n][1]);
            store2(p + 8 * FIRST_PITCH, acc[m][n][2], acc[m][n][3]);
        }
    sync();
}

KERNEL(k_first, GPU_CONV_THREADS, 4)
{
    const GpuBlock &b = a.block[0];
    unsigned char *tile = SHARED, *rows = tile + FIRST_M * FIRST_PITCH;
    float *halo = (float *)(rows + FIRST_M * FIRST_PITCH);
    int across = a.size / FIRST_W, down = a.size / FIRST_H;
    int tx = bid_x() % across, ty = bid_x() / across % down, image = bid_x() / (across * down);
    first_rows(a, image, ty, tx, halo, rows);
    first_convolve(a, rows, tile);
    int c = tid() % 4;
    float s[8], q[8], f[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        s[i] = q[i] = 0;
    for (int p = tid() / 4; p < FIRST_M; p += GPU_CONV_THREADS / 4) {
        load8(tile + p * FIRST_PITCH + c * 8 * BYTES, f);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            s[i] += f[i];
            q[i] += f[i] * f[i];
        }
    }
    add_totals<4>(s, q, halo, b.totals, FIRST_C, 0, GPU_SUM_SCALE);
    store_winners<FIRST_C, FIRST_W, FIRST_H, 1, FIRST_PITCH>(tile, a.params + b.gamma, b.pooled, image,
                                                              ty, tx, a.size, FIRST_C, 0, a.batch);
}

/* scale, k1, k2 of the gradient line of batch norm for channel c: dx = scale*g - k1 - k2*y, with dx
 * and g as they are stored. */
DEV void gradient_line(const GpuArgs &a, const GpuBlock &b, int c, float out[3])
{
    double count = (double)a.batch * b.side * b.side;
    float mean = b.line[2 * b.cout + c], inverse = b.line[3 * b.cout + c];
    double dbeta = (double)b.gtotals[c] / (double)GPU_GRAD_SCALE;
    double dot = (double)b.gtotals[b.cout + c] / (double)GPU_GRAD_SCALE;
    double dgamma = (dot - (double)mean * dbeta) * (double)inverse;
    double scale = (double)a.params[b.gamma + (gpu_u32)c] * (double)inverse;
    double k2 = scale * (double)inverse * dgamma / count;
    out[0] = (float)scale;
    out[1] = (float)(scale * dbeta / count - k2 * (double)mean) * gradient_scale(a);
    out[2] = (float)k2 * gradient_scale(a);
}

/* Convolution again, its output's gradient, and the weight gradient of block 0. */
KERNEL(k_first_back, GPU_CONV_THREADS, 4)
{
    const GpuBlock &b = a.block[0];
    unsigned char *tile = SHARED, *rows = tile + FIRST_M * FIRST_PITCH;
    float *halo = (float *)(rows + FIRST_M * FIRST_PITCH), *coefficients = halo + FIRST_HALO;
    int lane = tid() & 31, warp = tid() >> 5, half = a.size / 2;
    int across = a.size / FIRST_W, down = a.size / FIRST_H, tiles = across * down * a.batch;
    float acc[2][4][4];
    for (int i = 0; i < 32; ++i)
        acc[i / 16][i / 4 % 4][i % 4] = 0;
    if (tid() < FIRST_C)
        gradient_line(a, b, tid(), coefficients + 3 * tid());
    for (int t = bid_x(); t < tiles; t += grid_x()) {
        int tx = t % across, ty = t / across % down, image = t / (across * down);
        first_rows(a, image, ty, tx, halo, rows);
        first_convolve(a, rows, tile);
        /* 32 windows of 4 chunks: one a thread */
        int c = tid() % 4, w = tid() / 4, wx = w % (FIRST_W / 2), wy = w / (FIRST_W / 2);
        long long at = (((long long)image * half + ty * (FIRST_H / 2) + wy) * half + tx * (FIRST_W / 2) + wx) *
                           FIRST_C + c * 8;
        float best[8], g[8], y[8];
        unsigned open = 0xff;
        load8(b.pooled + at, best);
        load8(b.gpool + at, g);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned char *p = tile + ((2 * wy + (k >> 1)) * FIRST_W + 2 * wx + (k & 1)) * FIRST_PITCH +
                               c * 8 * BYTES;
            load8(p, y);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const float *l = coefficients + 3 * (c * 8 + i);
                bool here = y[i] == best[i] && (open >> i & 1);
                open &= ~((unsigned)here << i);
                y[i] = (here ? l[0] * g[i] : 0) - l[1] - l[2] * y[i];
            }
            store8(p, y);
        }
        sync();
#pragma unroll
        for (int k = 0; k < 32 / KSTEP; ++k) {
            gpu_u32 in[2][4], out[2][4];
            int pixel = warp * 32 + k * KSTEP;
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                load_left(in[i], rows + (pixel + left_row(lane)) * FIRST_PITCH +
                                     (i * 16 + left_column(lane)) * BYTES, FIRST_PITCH);
                load_right(out[i], tile + (pixel + right_row(lane)) * FIRST_PITCH +
                                       (i * 16 + right_column(lane)) * BYTES, FIRST_PITCH);
            }
#pragma unroll
            for (int m = 0; m < 2; ++m)
#pragma unroll
                for (int n = 0; n < 4; ++n)
                    mma(acc[m][n], in[m], out[n >> 1][(n & 1) * 2], out[n >> 1][(n & 1) * 2 + 1]);
        }
        sync();
    }
    float *parts = (float *)SHARED; /* [4 warps][32][32] */
    sync();
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                parts[(warp * 32 + m * 16 + (lane >> 2) + (i >> 1) * 8) * 32 + n * 8 + (lane & 3) * 2 + (i & 1)] =
                    acc[m][n][i];
    sync();
    for (int i = tid(); i < 27 * 32; i += GPU_CONV_THREADS)
        add_i64(a.first_grad + i, fixed(parts[i] + parts[1024 + i] + parts[2048 + i] + parts[3072 + i],
                                        GPU_FIRST_SCALE / gradient_scale(a)));
}

/* ---- batch norm and ReLU ---- */

/* Slope, offset, mean and 1/deviation of channel c, from this batch or the running statistics. */
DEV void batch_line(const GpuArgs &a, const GpuBlock &b, int c, float out[4])
{
    float mean, variance;
    if (a.eval) {
        mean = a.running[b.mean + (gpu_u32)c];
        variance = a.running[b.var + (gpu_u32)c];
    } else {
        double count = (double)a.batch * b.side * b.side;
        double m = (double)b.totals[c] / (double)GPU_SUM_SCALE / count;
        double v = (double)b.totals[b.cout + c] / (double)GPU_SUM_SCALE / count - m * m;
        mean = (float)m;
        variance = (float)(v > 0 ? v : 0);
    }
    out[2] = mean;
    out[3] = root_inverse(variance + BN_EPS);
    out[0] = a.params[b.gamma + (gpu_u32)c] * out[3];
    out[1] = a.params[b.beta + (gpu_u32)c] - out[0] * mean;
}

/* Keeps the line for the backward pass and moves the running statistics: one thread block's job. */
DEV void keep_line(const GpuArgs &a, const GpuBlock &b, int c, const float line[4])
{
    for (int i = 0; i < 4; ++i)
        b.line[i * b.cout + c] = line[i];
    if (a.eval)
        return;
    double count = (double)a.batch * b.side * b.side;
    double m = (double)b.totals[c] / (double)GPU_SUM_SCALE / count;
    double v = (double)b.totals[b.cout + c] / (double)GPU_SUM_SCALE / count - m * m;
    float *mean = a.running + b.mean + c, *var = a.running + b.var + c;
    *mean = (float)((1 - 0.1) * (double)*mean + 0.1 * m);
    *var = (float)((1 - 0.1) * (double)*var + 0.1 * (v > 0 ? v : 0) * count / (count - 1));
}

DEV void normalise(const GpuArgs &a, int at)
{
    const GpuBlock &b = a.block[at];
    float *slope = (float *)SHARED, *shift = slope + b.cout;
    for (int c = tid(); c < b.cout; c += GPU_WIDE_THREADS) {
        float line[4];
        batch_line(a, b, c, line);
        slope[c] = line[0];
        shift[c] = line[1];
        if (bid_x() == 0)
            keep_line(a, b, c, line);
    }
    sync();
    long long all = (long long)a.batch * (b.side / 2) * (b.side / 2) * b.cout / 8;
    for (long long i = (long long)bid_x() * GPU_WIDE_THREADS + tid(); i < all;
         i += (long long)grid_x() * GPU_WIDE_THREADS) {
        int c = (int)(i % (b.cout / 8)) * 8;
        float v[8];
        load8(b.pooled + 8 * i, v);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float z = slope[c + k] * v[k] + shift[c + k];
            v[k] = z < 0 ? 0 : z; /* NaN passes, so that it shows in the loss */
        }
        store8(b.act + 8 * i, v);
    }
}

KERNEL(k_norm0, GPU_WIDE_THREADS, 4)
{
    normalise(a, 0);
}
KERNEL(k_norm1, GPU_WIDE_THREADS, 4)
{
    normalise(a, 1);
}
KERNEL(k_norm2, GPU_WIDE_THREADS, 4)
{
    normalise(a, 2);
}

/* ---- head: one image a thread block, one feature a thread ---- */

KERNEL(k_head, GPU_WIDE_THREADS, 2)
{
    const GpuBlock &b = a.block[GPU_BLOCKS - 1];
    float *f = (float *)SHARED, *z = f + GPU_WIDE_THREADS;
    int c = tid(), image = bid_x(), pixels = b.side * b.side / 4, lane = c & 31, warp = c >> 5;
    float line[4], sum = 0, active = 0, dot = 0;
    batch_line(a, b, c, line);
    if (image == 0)
        keep_line(a, b, c, line);
    const Element *p = b.pooled + (long long)image * pixels * b.cout + c;
    for (int i = 0; i < pixels; ++i) {
        float v = to_float(p[i * b.cout]), y = line[0] * v + line[1];
        sum += y < 0 ? 0 : y;
        if (y > 0) {
            active += 1;
            dot += v;
        }
    }
    f[c] = sum / (float)pixels;
    a.features[image * b.cout + c] = f[c];
    sync();
    for (int k = warp; k < a.classes; k += GPU_WIDE_THREADS / 32) {
        float part = 0;
        for (int i = lane; i < b.cout; i += 32)
            part += a.params[a.fc_weight + (gpu_u32)(k * b.cout + i)] * f[i];
        for (int mask = 16; mask; mask >>= 1)
            part += shuffle_xor(part, mask);
        if (lane == 0)
            z[k] = part + a.params[a.fc_bias + (gpu_u32)k];
    }
    sync();
    if (a.eval) {
        if (c < a.classes)
            a.logits[image * a.classes + c] = z[c];
        return;
    }
    if (c == 0) {
        int label = a.picks[image].label, best = 0;
        float total = 0, top = z[0], own = z[label];
        for (int k = 1; k < a.classes; ++k)
            if (!(z[k] <= top)) {
                top = z[k];
                best = k;
            }
        for (int k = 0; k < a.classes; ++k)
            total += exp2_fast((z[k] - top) * 1.44269504f);
        for (int k = 0; k < a.classes; ++k)
            z[k] = (exp2_fast((z[k] - top) * 1.44269504f) / total - (k == label ? 1.0f : 0.0f)) /
                   (float)a.batch;
        a.losses[2 * image] = log2_fast(total) * 0.69314718f - (own - top);
        a.losses[2 * image + 1] = best == label ? 1.0f : 0.0f;
    }
    sync();
    if (c < a.classes)
        a.dlogits[image * a.classes + c] = z[c];
    float g = 0;
    for (int k = 0; k < a.classes; ++k)
        g += z[k] * a.params[a.fc_weight + (gpu_u32)(k * b.cout + c)];
    g /= (float)pixels;
    a.ghead[image * b.cout + c] = g * gradient_scale(a);
    add_i64(b.gtotals + c, fixed(g * active, GPU_GRAD_SCALE));
    add_i64(b.gtotals + b.cout + c, fixed(g * dot, GPU_GRAD_SCALE));
}

/* ---- gradient of a convolution's output, written over the output ---- */

DEV void spread(const GpuArgs &a, int at)
{
    const GpuBlock &b = a.block[at];
    float *line = (float *)SHARED; /* [3][cout] */
    for (int c = tid(); c < b.cout; c += GPU_WIDE_THREADS) {
        float l[3];
        gradient_line(a, b, c, l);
        for (int i = 0; i < 3; ++i)
            line[i * b.cout + c] = l[i];
    }
    sync();
    int chunks = b.cout / 8, half = b.side / 2;
    int all = a.batch * half * half * chunks;
    for (int i = bid_x() * GPU_WIDE_THREADS + tid(); i < all; i += grid_x() * GPU_WIDE_THREADS) {
        int c = i % chunks * 8, w = i / chunks, wx = w % half, wy = w / half % half, image = w / (half * half);
        Element *y = b.y + (((long long)image * b.side + 2 * wy) * b.side + 2 * wx) * b.cout + c;
        float best[8], g[8], v[4][8];
        unsigned open = 0xff;
        load8(b.pooled + 8LL * i, best);
#pragma unroll
        for (int k = 0; k < 4; ++k)
            load8(y + ((k >> 1) * b.side + (k & 1)) * b.cout, v[k]);
        if (at == GPU_BLOCKS - 1) {
#pragma unroll
            for (int k = 0; k < 8; ++k)
                g[k] = b.line[c + k] * best[k] + b.line[b.cout + c + k] > 0
                           ? a.ghead[image * b.cout + c + k]
                           : 0;
        } else {
            load8(b.gpool + 8LL * i, g);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                bool here = v[k][j] == best[j] && (open >> j & 1);
                open &= ~((unsigned)here << j);
                v[k][j] = (here ? line[c + j] * g[j] : 0) - line[b.cout + c + j] -
                          line[2 * b.cout + c + j] * v[k][j];
            }
            store8(y + ((k >> 1) * b.side + (k & 1)) * b.cout, v[k]);
        }
    }
}

KERNEL(k_spread1, GPU_WIDE_THREADS, 2)
{
    spread(a, 1);
}
KERNEL(k_spread2, GPU_WIDE_THREADS, 2)
{
    spread(a, 2);
}
KERNEL(k_spread3, GPU_WIDE_THREADS, 2)
{
    spread(a, 3);
}

/* ---- weight gradient ----
 * A thread block takes one kernel row ky, IC input channels and 64 output channels (bid_y), and the
 * images of one split (bid_x). Rows of the product are (kx, input channel); the sum runs over
 * pixels, 64 a round, through BUFFERS buffers. Two warps along the rows, two along the channels. */
template <int at, int TW> DEV void weight_gradient(const GpuArgs &a)
{
    const int IC = GPU_WGRAD_INPUTS(BYTES, at), NT = 64, ROWS = 64 / TW, HW = TW + 2;
    const int APITCH = IC * BYTES + GPU_WGRAD_PAD(BYTES), DPITCH = NT * BYTES + GPU_WGRAD_PAD(BYTES);
    const int ASIZE = ROWS * HW * APITCH, STAGE = ASIZE + 64 * DPITCH;
    const int BUFFERS = GPU_WGRAD_BUFFERS(BYTES);
    const int MT = 3 * IC / 2 / 16;
    const GpuBlock &b = a.block[at];
    const Element *in = a.block[at - 1].act, *dout = b.y;
    int lane = tid() & 31, warp = tid() >> 5, wm = warp & 1, wn = warp >> 1, side = b.side;
    int ky = bid_y() % 3, ic = bid_y() / 3 % (b.cin / IC) * IC, oc = bid_y() / (3 * (b.cin / IC)) * NT;
    int first = (int)((long long)a.batch * bid_x() / b.splits);
    int last = (int)((long long)a.batch * (bid_x() + 1) / b.splits);
    int across = side / TW, rounds = (last - first) * (side / ROWS) * across;
    float acc[MT][4][4];
#pragma unroll
    for (int m = 0; m < MT; ++m)
#pragma unroll
        for (int n = 0; n < 16; ++n)
            acc[m][n / 4][n % 4] = 0;

    int offset[MT]; /* of this lane's row in the input tile, for the first KSTEP pixels */
#pragma unroll
    for (int m = 0; m < MT; ++m) {
        int row = wm * (3 * IC / 2) + m * 16 + left_column(lane), kx = row / IC;
        int pixel = left_row(lane);
        offset[m] = (pixel / TW * HW + pixel % TW + kx) * APITCH + row % IC * BYTES;
    }

    /* Round r's tiles into buffer r % BUFFERS. */
#define FETCH(round)                                                                               \
    if ((round) < rounds) {                                                                        \
        unsigned char *to = SHARED + (round) % BUFFERS * STAGE;                                    \
        int tx = (round) % across, ty = (round) / across % (side / ROWS);                          \
        long long image = first + (round) / (across * (side / ROWS));                              \
        for (int i = tid(); i < ROWS * HW * (IC / PER_QUAD); i += GPU_CONV_THREADS) {              \
            int c = i % (IC / PER_QUAD), p = i / (IC / PER_QUAD);                                  \
            int x = tx * TW + p % HW - 1, y = ty * ROWS + p / HW + ky - 1;                         \
            int valid = x >= 0 && y >= 0 && x < side && y < side;                                  \
            copy16(to + p * APITCH + c * 16,                                                       \
                   in + (valid ? ((image * side + y) * side + x) * b.cin + ic + c * PER_QUAD : 0), \
                   valid);                                                                         \
        }                                                                                          \
        for (int i = tid(); i < 64 * (NT / PER_QUAD); i += GPU_CONV_THREADS) {                     \
            int c = i % (NT / PER_QUAD), p = i / (NT / PER_QUAD);                                  \
            int x = tx * TW + p % TW, y = ty * ROWS + p / TW;                                      \
            copy16(to + ASIZE + p * DPITCH + c * 16,                                               \
                   dout + ((image * side + y) * side + x) * b.cout + oc + c * PER_QUAD, 1);        \
        }                                                                                          \
    }                                                                                              \
    copy_commit();

    for (int r = 0; r < BUFFERS - 1; ++r) {
        FETCH(r)
    }
    for (int r = 0; r < rounds; ++r) {
        copy_wait<BUFFERS - 2>();
        sync();
        FETCH(r + BUFFERS - 1)
        const unsigned char *left = SHARED + r % BUFFERS * STAGE;
        const unsigned char *right =
            left + ASIZE + right_row(lane) * DPITCH + (wn * 32 + right_column(lane)) * BYTES;
#pragma unroll
        for (int k = 0; k < 64 / KSTEP; ++k) {
            gpu_u32 d[2][4];
            load_right(d[0], right + k * KSTEP * DPITCH, DPITCH);
            load_right(d[1], right + k * KSTEP * DPITCH + 16 * BYTES, DPITCH);
            const int step = (k * KSTEP / TW * HW + k * KSTEP % TW) * APITCH;
#pragma unroll
            for (int m = 0; m < MT; ++m) {
                gpu_u32 f[4];
                load_left(f, left + offset[m] + step, APITCH);
#pragma unroll
                for (int n = 0; n < 4; ++n)
                    mma(acc[m][n], f, d[n >> 1][(n & 1) * 2], d[n >> 1][(n & 1) * 2 + 1]);
            }
        }
    }
#undef FETCH
    float *out = b.partial + (long long)bid_x() * 9 * b.cin * b.cout;
#pragma unroll
    for (int m = 0; m < MT; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                int row = wm * (3 * IC / 2) + m * 16 + (lane >> 2) + i * 8;
                int column = oc + wn * 32 + n * 8 + (lane & 3) * 2;
                float *p = out + ((long long)(ky * 3 + row / IC) * b.cin + ic + row % IC) * b.cout + column;
                p[0] = acc[m][n][2 * i];
                p[1] = acc[m][n][2 * i + 1];
            }
}

KERNEL(k_wgrad1, GPU_CONV_THREADS, 3)
{
    weight_gradient<1, 32>(a);
}
KERNEL(k_wgrad2, GPU_CONV_THREADS, 3)
{
    weight_gradient<2, 16>(a);
}
KERNEL(k_wgrad3, GPU_CONV_THREADS, 3)
{
    weight_gradient<3, 8>(a);
}

/* ---- update ---- */

/* Gradient of parameter i; at: its block, or GPU_BLOCKS for the head. */
DEV float gradient_of(const GpuArgs &a, gpu_u32 i, int at)
{
    if (at == GPU_BLOCKS) {
        int features = a.block[GPU_BLOCKS - 1].cout;
        float sum = 0;
        if (i >= a.fc_bias) {
#pragma unroll 32
            for (int n = 0; n < a.batch; ++n)
                sum += a.dlogits[n * a.classes + (int)(i - a.fc_bias)];
        } else {
            int k = (int)(i - a.fc_weight) / features, c = (int)(i - a.fc_weight) % features;
#pragma unroll 32
            for (int n = 0; n < a.batch; ++n)
                sum += a.dlogits[n * a.classes + k] * a.features[n * features + c];
        }
        return sum;
    }
    const GpuBlock &b = a.block[at];
    if (i >= b.beta)
        return (float)((double)b.gtotals[i - b.beta] / (double)GPU_GRAD_SCALE);
    if (i >= b.gamma) {
        int c = (int)(i - b.gamma);
        double dbeta = (double)b.gtotals[c], dot = (double)b.gtotals[b.cout + c];
        return (float)((dot - (double)b.line[2 * b.cout + c] * dbeta) * (double)b.line[3 * b.cout + c] /
                       (double)GPU_GRAD_SCALE);
    }
    if (at == 0)
        return (float)((double)a.first_grad[i - b.weight] / (double)GPU_FIRST_SCALE);
    const float *p = b.partial + (i - b.weight);
    long long stride = (long long)9 * b.cin * b.cout;
    float sum = 0;
#pragma unroll 16
    for (int s = 0; s < b.splits; ++s)
        sum += p[s * stride];
    return sum / gradient_scale(a);
}

KERNEL(k_update, GPU_WIDE_THREADS, 4)
{
    gpu_u32 i = (gpu_u32)(bid_x() * GPU_WIDE_THREADS + tid()), step = a.control->step;
    if (i == 0 && a.phase != GPU_APPLY) {
        float loss = 0, right = 0;
#pragma unroll 32
        for (int n = 0; n < a.batch; ++n) {
            loss += a.losses[2 * n];
            right += a.losses[2 * n + 1];
        }
        a.stats[2 * step] = loss / (float)a.batch;
        a.stats[2 * step + 1] = right;
    }
    if (i >= a.param_count)
        return;
    int at = 0;
    while (at < GPU_BLOCKS && i >= a.block[at].beta + (gpu_u32)a.block[at].cout)
        ++at;
    float p = a.params[i];
    float g = a.phase == GPU_APPLY ? a.grads[i] / (float)a.ranks : gradient_of(a, i, at);
    if (a.grads && a.phase != GPU_APPLY)
        a.grads[i] = g;
    if (a.phase == GPU_COLLECT)
        return;
    if (!(g - g == 0) && !a.control->bad)
        a.control->bad = 1;
    g += WEIGHT_DECAY * p;
    float m = MOMENTUM * a.momentum[i] + g;
    a.momentum[i] = m;
    a.params[i] = p - a.rates[step] * (g + MOMENTUM * m);
}

/* 16 bytes of a [depth][*] weight matrix in the order of the matrix unit's operand: the matrix is
 * cut into tiles of `tile` columns, those into slices of input channels, taps and pieces of KSTEP x
 * 16, and a piece into 32 lanes. Block 0 has one slice, of 27 rows and five of zeros. */
template <bool BACK> DEV void pack_piece(const GpuArgs &a, const GpuBlock &b, int q, int depth, int tile)
{
    int lane = q % 32, piece = q / 32, wide = tile / 16, deep = depth / KSTEP;
    int n0 = piece / wide / deep * tile + piece % wide * 16 + lane / 4, part = piece / wide % deep;
    int channels = BACK ? b.cout : b.cin, k0 = part * KSTEP;
    if (depth != 32) {
        int slice = GPU_SLICE(MOST_CHANNELS, channels), tap = k0 % (9 * slice) / slice;
        k0 = tap * channels + k0 / (9 * slice) * slice + k0 % slice;
    }
    float v[PER_QUAD];
#pragma unroll
    for (int i = 0; i < PER_QUAD; ++i) {
#if defined(TRAIN_TF32) || defined(TRAIN_FP32)
        int k = k0 + lane % 4 + (i & 1) * 4, n = n0 + (i >> 1) * 8;
#else
        int k = k0 + lane % 4 * 2 + (i >> 1 & 1) * 8 + (i & 1), n = n0 + (i >> 2) * 8;
#endif
        int at = BACK ? ((8 - k / b.cout) * b.cin + n) * b.cout + k % b.cout : k * b.cout + n;
        v[i] = !BACK && k >= 9 * b.cin ? 0 : a.params[b.weight + (gpu_u32)at];
    }
    ((Quad *)(BACK ? b.wb : b.wf))[q] = pack_quad(v);
}

/* The copies of all convolution weights; bid_y is the block. */
KERNEL(k_pack, GPU_WIDE_THREADS, 4)
{
    int at = bid_y(), i = bid_x() * GPU_WIDE_THREADS + tid();
    const GpuBlock &b = a.block[at];
    int depth = at == 0 ? 32 : 9 * b.cin, count = depth * b.cout / PER_QUAD;
    if (i < count)
        pack_piece<false>(a, b, i, depth, at == 0 ? 32 : 64);
    else if (at && i < 2 * count)
        pack_piece<true>(a, b, i - count, 9 * b.cout, at == 1 ? 32 : 64);
}
