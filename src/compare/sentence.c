/* SPDX-License-Identifier: Apache-2.0
 *
 * What the figures mean, in words. The size from which the GPU pays follows from a straight line:
 * the processor needs c per unit of size, the GPU a fixed time for its launches and copies and g
 * per unit, transfers included. */
#include "compare/compare.h"

#include "base/buf.h"

#include <math.h>
#include <stdlib.h>

/* Fixed cost of one launch and of one copy on a GPU, ms: typical figures of current cards, used
 * only to say from what size on a GPU pays. */
static const double launch_ms = 0.005, copy_ms = 0.010;

static void put_factor(Buf *out, double factor)
{
    buf_printf(out, factor >= 100 ? "%.0fx" : factor >= 10 ? "%.0fx" : "%.1fx", factor);
}

static void put_size(Buf *out, double part)
{
    if (part >= 0.9)
        buf_printf(out, "about %.1f times the data", part);
    else
        buf_printf(out, "about 1/%.0f of the data", fmax(1, 1 / part));
}

static void put_gpu(Buf *out, const CompareResult *r, const char *gpu, const char *how,
                    double transfers, double kernels, bool bound)
{
    const ModeResult *cpu = &r->modes[MODE_cores];
    double c = cpu->best.kernels, g = transfers + kernels;
    double fixed = (double)cpu->first.launches * launch_ms + cpu->first.copies * copy_ms;
    buf_printf(out, " The %s (%s) needs %s%.3g ms to compute and %s%.3g ms for the transfers", gpu,
               how, bound ? "at least " : "", kernels, bound ? "at least " : "", transfers);
    if (g >= c) {
        buf_puts(out, transfers >= c
                          ? ", so it does not pay at any size: moving the data takes longer than "
                            "computing here."
                          : ", so it does not pay at any size.");
        return;
    }
    buf_puts(out, bound ? ", so it can gain " : ", a gain of ");
    if (bound)
        buf_puts(out, "at most ");
    put_factor(out, c / (g + fixed));
    buf_puts(out, " over all cores with transfers counted, and pays from ");
    put_size(out, fixed / (c - g));
    buf_puts(out, " of this run on.");
}

char *compare_sentence(const CompareResult *r)
{
    const ModeResult *serial = &r->modes[MODE_serial], *simd = &r->modes[MODE_simd];
    const ModeResult *cores = &r->modes[MODE_cores], *gpu = &r->modes[MODE_gpu];
    Buf out = {0};
    if (!serial->ran || !simd->ran || !cores->ran || cores->best.kernels <= 0 ||
        simd->best.kernels <= 0)
        return xstrdup("");
    buf_puts(&out, "Pipelines keep even the serial code busy; on top of that SIMD gave ");
    put_factor(&out, serial->best.kernels / simd->best.kernels);
    buf_printf(&out, " and %d core%s ", cores->best.threads, cores->best.threads == 1 ? "" : "s");
    put_factor(&out, simd->best.kernels / cores->best.kernels);
    buf_puts(&out, ", together ");
    put_factor(&out, serial->best.kernels / cores->best.kernels);
    buf_puts(&out, ".");
    if (gpu->ran)
        put_gpu(&out, r, gpu->best.gpu ? gpu->best.gpu : "GPU", "measured",
                gpu->best.htod + gpu->best.dtoh, gpu->best.kernels, false);
    else if (r->recorded.present)
        put_gpu(&out, r, r->recorded.gpu, "recorded", r->recorded.htod + r->recorded.dtoh,
                r->recorded.kernels, false);
    else
        put_gpu(&out, r, r->bound.gpu, "a bound, not measured", r->bound.htod + r->bound.dtoh,
                r->bound.kernels, true);
    return out.data;
}
