/* SPDX-License-Identifier: Apache-2.0
 *
 * Plots: see plot.h. The PNG is drawn with four samples per pixel and an own small font, so that no
 * font or drawing library is needed. */
#include "report/plot.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint32_t plot_colours[6] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00};

typedef enum { SHAPE_RECT, SHAPE_LINE, SHAPE_TEXT } ShapeKind;

typedef struct {
    ShapeKind kind;
    double x0, y0, x1, y1, thick; /* text: thick is the size */
    uint32_t rgb;
    PlotAnchor anchor;
    char *text;
} Shape;

struct Plot {
    int width, height;
    VEC(Shape) shapes;
};

Plot *plot_new(int width, int height)
{
    Plot *plot = xcalloc(1, sizeof *plot);
    plot->width = width;
    plot->height = height;
    return plot;
}

void plot_free(Plot *plot)
{
    if (!plot)
        return;
    for (size_t i = 0; i < plot->shapes.count; ++i)
        free(plot->shapes.items[i].text);
    VEC_FREE(plot->shapes);
    free(plot);
}

void plot_rect(Plot *plot, double x, double y, double width, double height, uint32_t rgb)
{
    VEC_PUSH(plot->shapes, ((Shape){SHAPE_RECT, x, y, x + width, y + height, 0, rgb, 0, NULL}));
}

void plot_line(Plot *plot, double x0, double y0, double x1, double y1, double thick, uint32_t rgb)
{
    VEC_PUSH(plot->shapes, ((Shape){SHAPE_LINE, x0, y0, x1, y1, thick, rgb, 0, NULL}));
}

void plot_text(Plot *plot, double x, double y, double size, PlotAnchor anchor, uint32_t rgb,
               const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0)
        abort();
    va_end(list);
    VEC_PUSH(plot->shapes, ((Shape){SHAPE_TEXT, x, y, 0, 0, size, rgb, anchor, text}));
}

double plot_text_width(double size, const char *text)
{
    return (double)strlen(text) * size * 6 / 7;
}

/* ---- SVG ---- */

static void put_escaped(Buf *out, const char *text)
{
    for (; *text; ++text) {
        if (*text == '<')
            buf_puts(out, "&lt;");
        else if (*text == '>')
            buf_puts(out, "&gt;");
        else if (*text == '&')
            buf_puts(out, "&amp;");
        else
            buf_putc(out, *text);
    }
}

int plot_write_svg(const Plot *plot, const char *path)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    Buf out = {0};
    buf_printf(&out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
               plot->width, plot->height, plot->width, plot->height);
    for (size_t i = 0; i < plot->shapes.count; ++i) {
        const Shape *s = &plot->shapes.items[i];
        if (s->kind == SHAPE_RECT) {
            buf_printf(&out,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                       "fill=\"#%06x\"/>\n",
                       s->x0, s->y0, s->x1 - s->x0, s->y1 - s->y0, s->rgb);
        } else if (s->kind == SHAPE_LINE) {
            buf_printf(&out,
                       "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\" "
                       "stroke-width=\"%.1f\"/>\n",
                       s->x0, s->y0, s->x1, s->y1, s->rgb, s->thick);
        } else {
            buf_printf(&out,
                       "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"%s\" "
                       "fill=\"#%06x\">",
                       s->x0, s->y0, s->thick * 1.4, anchors[s->anchor], s->rgb);
            put_escaped(&out, s->text);
            buf_puts(&out, "</text>\n");
        }
    }
    buf_puts(&out, "</svg>\n");
    int status = fs_write_atomic(path, out.data, out.count);
    buf_free(&out);
    return status;
}

/* ---- PNG ---- */

typedef struct {
    int width, height;
    unsigned char *rgb;
} Canvas;

static const unsigned char glyphs[128][9] = {
#define GLYPH(c, ...) [c] = {__VA_ARGS__},
#include "report/font.def"
#undef GLYPH
};

static void blend(Canvas *canvas, int x, int y, uint32_t rgb, double share)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
        return;
    unsigned char *p = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)x) * 3;
    for (int i = 0; i < 3; ++i) {
        double colour = rgb >> (16 - 8 * i) & 255;
        p[i] = (unsigned char)(p[i] + (colour - p[i]) * share + 0.5);
    }
}

static double overlap(double low, double high, int pixel)
{
    double from = fmax(low, pixel), to = fmin(high, pixel + 1);
    return to > from ? to - from : 0;
}

static void fill(Canvas *canvas, double x0, double y0, double x1, double y1, uint32_t rgb)
{
    for (int y = (int)floor(y0); y < y1; ++y)
        for (int x = (int)floor(x0); x < x1; ++x)
            blend(canvas, x, y, rgb, overlap(x0, x1, x) * overlap(y0, y1, y));
}

static void stroke(Canvas *canvas, const Shape *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length = hypot(dx, dy), reach = s->thick / 2 + 1;
    if (length == 0)
        return;
    dx /= length, dy /= length;
    for (int y = (int)(fmin(s->y0, s->y1) - reach); y <= fmax(s->y0, s->y1) + reach; ++y)
        for (int x = (int)(fmin(s->x0, s->x1) - reach); x <= fmax(s->x0, s->x1) + reach; ++x) {
            double px = x + 0.5 - s->x0, py = y + 0.5 - s->y0, along = px * dx + py * dy;
            double off = fabs(px * dy - py * dx);
            double beyond = fmax(fmax(-along, along - length), 0);
            double share = s->thick / 2 + 0.5 - hypot(off, beyond);
            if (share > 0)
                blend(canvas, x, y, s->rgb, fmin(share, 1));
        }
}

static void write_text(Canvas *canvas, const Shape *s)
{
    double dot = s->thick / 7, width = plot_text_width(s->thick, s->text) - dot;
    double x = s->x0 - (s->anchor == PLOT_LEFT ? 0 : s->anchor == PLOT_MIDDLE ? width / 2 : width);
    for (const char *c = s->text; *c; ++c, x += 6 * dot) {
        const unsigned char *rows = glyphs[(unsigned char)*c & 127];
        for (int row = 0; row < 9; ++row)
            for (int column = 0; column < 5; ++column)
                if (rows[row] >> (4 - column) & 1) {
                    double left = x + column * dot, top = s->y0 + (row - 7) * dot;
                    fill(canvas, left, top, left + dot, top + dot, s->rgb);
                }
    }
}

static int write_png(const Canvas *canvas, const char *path)
{
    FILE *file = fopen(path, "wbe");
    if (!file)
        return -errno;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->width,
                       .height = (png_uint_32)canvas->height,
                       .format = PNG_FORMAT_RGB};
    int good = png_image_write_to_stdio(&image, file, 0, canvas->rgb, 0, NULL);
    png_image_free(&image);
    if (fclose(file) || !good)
        return -EIO;
    return 0;
}

int plot_write_png(const Plot *plot, const char *path)
{
    Canvas canvas = {plot->width, plot->height, NULL};
    size_t bytes = (size_t)plot->width * (size_t)plot->height * 3;
    canvas.rgb = xmalloc(bytes);
    memset(canvas.rgb, 255, bytes);
    for (size_t i = 0; i < plot->shapes.count; ++i) {
        const Shape *s = &plot->shapes.items[i];
        if (s->kind == SHAPE_RECT)
            fill(&canvas, s->x0, s->y0, s->x1, s->y1, s->rgb);
        else if (s->kind == SHAPE_LINE)
            stroke(&canvas, s);
        else
            write_text(&canvas, s);
    }
    int status = write_png(&canvas, path);
    free(canvas.rgb);
    return status;
}
