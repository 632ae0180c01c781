/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofline: what a program with a given number of operations per byte can reach at most. */
#include "bench/bench.h"
#include "base/arena.h"
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 460, LEFT = 90, RIGHT = 40, TOP = 60, BOTTOM = 70 };

typedef struct {
    double low_x, high_x, low_y, high_y; /* powers of ten */
} Axes;

static double to_x(const Axes *a, double intensity)
{
    return LEFT + (log10(intensity) - a->low_x) / (a->high_x - a->low_x) * (WIDTH - LEFT - RIGHT);
}

static double to_y(const Axes *a, double rate)
{
    return HEIGHT - BOTTOM -
           (log10(rate) - a->low_y) / (a->high_y - a->low_y) * (HEIGHT - TOP - BOTTOM);
}

static void roof(Plot *plot, const Axes *a, double memory, double peak, uint32_t rgb,
                 const char *name)
{
    if (!(peak > 0))
        return;
    double ridge = peak / memory, low = pow(10, a->low_x), high = pow(10, a->high_x);
    plot_line(plot, to_x(a, low), to_y(a, low * memory), to_x(a, ridge), to_y(a, peak), 3, rgb);
    plot_line(plot, to_x(a, ridge), to_y(a, peak), to_x(a, high), to_y(a, peak), 3, rgb);
    plot_text(plot, WIDTH - RIGHT, to_y(a, peak) - 8, 9, PLOT_RIGHT, rgb, "%s %.3g GFLOP/s", name,
              peak);
    plot_line(plot, to_x(a, ridge), to_y(a, peak), to_x(a, ridge), HEIGHT - BOTTOM, 1, 0xbbbbbb);
    plot_text(plot, to_x(a, ridge), HEIGHT - BOTTOM - 6, 8, PLOT_LEFT, 0x666666, "%.2g", ridge);
}

int bench_roofline(const BenchResult *r, const char *base, Diags *diags)
{
    if (!(r->memory_gb_s > 0) || !(r->fp32_gflops > 0)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--plot: no rates to draw");
        return EXIT_FINDINGS;
    }
    Axes a = {-2, 3, floor(log10(r->memory_gb_s * 0.01)), ceil(log10(r->fp32_gflops))};
    Plot *plot = plot_new(WIDTH, HEIGHT);
    plot_text(plot, LEFT, 26, 11, PLOT_LEFT, 0, "Roofline: %.60s", r->device);
    plot_text(plot, LEFT, 44, 9, PLOT_LEFT, 0x444444, "memory %.3g GB/s, measured", r->memory_gb_s);
    for (double e = a.low_x; e <= a.high_x; ++e) {
        plot_line(plot, to_x(&a, pow(10, e)), TOP, to_x(&a, pow(10, e)), HEIGHT - BOTTOM, 1,
                  0xe4e4e4);
        plot_text(plot, to_x(&a, pow(10, e)), HEIGHT - BOTTOM + 18, 9, PLOT_MIDDLE, 0x444444, "%g",
                  pow(10, e));
    }
    for (double e = a.low_y; e <= a.high_y; ++e) {
        plot_line(plot, LEFT, to_y(&a, pow(10, e)), WIDTH - RIGHT, to_y(&a, pow(10, e)), 1,
                  0xe4e4e4);
        plot_text(plot, LEFT - 8, to_y(&a, pow(10, e)) + 4, 9, PLOT_RIGHT, 0x444444, "%g",
                  pow(10, e));
    }
    plot_text(plot, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 24, 10, PLOT_MIDDLE, 0,
              "operations per byte");
    plot_text(plot, 10, TOP - 22, 9, PLOT_LEFT, 0x444444, "GFLOP/s");
    roof(plot, &a, r->memory_gb_s, r->fp32_gflops, plot_colours[0], "fp32");
    roof(plot, &a, r->memory_gb_s, r->fp64_gflops, plot_colours[5], "fp64");
    char *svg = xasprintf("%s.svg", base), *png = xasprintf("%s.png", base);
    int error = plot_write_svg(plot, svg);
    const char *bad = error ? svg : png;
    if (!error)
        error = plot_write_png(plot, png);
    if (error)
        diag_add(diags, DIAG_ERROR, bad, 0, 0, "cannot be written: %s", strerror(-error));
    free(svg);
    free(png);
    plot_free(plot);
    return error ? EXIT_ENVIRONMENT : 0;
}
