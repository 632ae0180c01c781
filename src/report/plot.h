/* SPDX-License-Identifier: Apache-2.0
 *
 * Plots as a list of rectangles, lines and texts, written as SVG or as PNG. Coordinates are pixels
 * from the upper left corner. */
#ifndef GPUKIT_REPORT_PLOT_H
#define GPUKIT_REPORT_PLOT_H

#include <stdint.h>

typedef struct Plot Plot;
typedef enum { PLOT_LEFT, PLOT_MIDDLE, PLOT_RIGHT } PlotAnchor;

Plot *plot_new(int width, int height); /* white */
void plot_free(Plot *plot);
/* rgb: 0xrrggbb. */
void plot_rect(Plot *plot, double x, double y, double width, double height, uint32_t rgb);
void plot_line(Plot *plot, double x0, double y0, double x1, double y1, double thick, uint32_t rgb);
/* (x, y): the anchor's end of the base line. size: height of a capital letter. In the PNG only
 * ASCII is drawn. */
void plot_text(Plot *plot, double x, double y, double size, PlotAnchor anchor, uint32_t rgb,
               const char *format, ...) __attribute__((format(printf, 7, 8)));
double plot_text_width(double size, const char *text); /* about */
/* 0, or -errno. */
int plot_write_svg(const Plot *plot, const char *path);
int plot_write_png(const Plot *plot, const char *path);

/* Colours that can be told apart, also without seeing colours. */
extern const uint32_t plot_colours[6];

#endif
