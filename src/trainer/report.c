/* SPDX-License-Identifier: Apache-2.0
 * The HTML report. */
#include "trainer/report.h"
#include "base/fs.h"
#include "base/utf8.h"
#include "trainer/image.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 240, LEFT = 48, BOTTOM = 28, MISTAKES = 24 };

static void escape(Buf *b, const char *text)
{
    char *clean = utf8_clean(text);
    for (const char *c = clean; *c; ++c)
        switch (*c) {
        case '<':
            buf_puts(b, "&lt;");
            break;
        case '>':
            buf_puts(b, "&gt;");
            break;
        case '&':
            buf_puts(b, "&amp;");
            break;
        case '"':
            buf_puts(b, "&quot;");
            break;
        default:
            buf_putc(b, *c);
        }
    free(clean);
}

static void base64(Buf *b, const uint8_t *p, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned v = (unsigned)p[i] << 16 | (i + 1 < count ? (unsigned)p[i + 1] << 8 : 0) |
                     (i + 2 < count ? (unsigned)p[i + 2] : 0);
        buf_putc(b, digits[v >> 18]);
        buf_putc(b, digits[v >> 12 & 63]);
        buf_putc(b, i + 1 < count ? digits[v >> 6 & 63] : '=');
        buf_putc(b, i + 2 < count ? digits[v & 63] : '=');
    }
}

typedef struct {
    const char *label, *colour;
    size_t offset; /* of the double in TrainEpoch */
} Curve;

static double value_of(const TrainEpoch *e, const Curve *c)
{
    return *(const double *)(const void *)((const char *)e + c->offset);
}

static void chart(Buf *b, const TrainResult *r, const char *title, const Curve *curves, int count,
                  double top, const char *format)
{
    size_t n = r->history.count;
    for (size_t i = 0; i < n && top <= 0; ++i)
        for (int k = 0; k < count; ++k)
            top = value_of(&r->history.items[i], &curves[k]) > -top
                      ? -value_of(&r->history.items[i], &curves[k])
                      : top;
    top = top < 0 ? -top : top > 0 ? top : 1;
    buf_printf(b, "<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
               title, WIDTH, HEIGHT, title);
    for (int g = 0; g <= 4; ++g) {
        double y = 10 + (HEIGHT - BOTTOM - 10) * (1 - g / 4.0);
        buf_printf(b,
                   "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                   "x=\"%d\" y=\"%.1f\" "
                   "text-anchor=\"end\">",
                   LEFT, WIDTH - 10, y, y, LEFT - 6, y + 4);
        buf_printf(b, format, top * g / 4);
        buf_puts(b, "</text>\n");
    }
    for (int k = 0; k < count; ++k) {
        /* A single epoch is a line without length, which round ends make a dot. */
        buf_printf(b,
                   "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" "
                   "stroke-linecap=\"round\" points=\"",
                   curves[k].colour, n > 1 ? 2 : 8);
        for (size_t i = 0; i < (n > 1 ? n : 2 * n); ++i) {
            double v = value_of(&r->history.items[n > 1 ? i : 0], &curves[k]);
            double x = LEFT + (WIDTH - LEFT - 10) * (n > 1 ? (double)i / (double)(n - 1) : 0.5);
            v = v < 0 ? 0 : v > top ? top : v;
            buf_printf(b, "%.1f,%.1f ", x, 10 + (HEIGHT - BOTTOM - 10) * (1 - v / top));
        }
        buf_printf(b, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", LEFT + 10 + 150 * k,
                   HEIGHT - 6, curves[k].colour, curves[k].label);
    }
    buf_printf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">epoch %zu</text>\n</svg>\n",
               WIDTH - 10, HEIGHT - 6, n);
}

static void matrix(Buf *b, const Dataset *data, const TrainResult *r)
{
    buf_puts(b, "<h2>Confusion matrix</h2>\n<table id=\"matrix\"><tr><th>truth \\ answer</th>");
    for (int k = 0; k < data->classes; ++k) {
        buf_puts(b, "<th>");
        escape(b, data->names[k]);
        buf_puts(b, "</th>");
    }
    buf_puts(b, "<th>right</th></tr>\n");
    for (int i = 0; i < data->classes; ++i) {
        size_t all = 0;
        for (int k = 0; k < data->classes; ++k)
            all += r->confusion[i][k];
        buf_puts(b, "<tr><th>");
        escape(b, data->names[i]);
        buf_puts(b, "</th>");
        for (int k = 0; k < data->classes; ++k)
            buf_printf(b, "<td class=\"%s\">%zu</td>", i == k ? "yes" : "no", r->confusion[i][k]);
        buf_printf(b, "<td>%.1f%%</td></tr>\n",
                   all ? 100.0 * (double)r->confusion[i][i] / (double)all : 0.0);
    }
    buf_puts(b, "</table>\n");
}

static void mistakes(Buf *b, const Dataset *data, const TrainResult *r)
{
    const DataSet *set = &data->set[SET_TEST];
    double p[NET_MAX_CLASSES];
    if (!r->wrong_count) {
        buf_puts(b, "<p>No test picture was answered wrongly.</p>\n");
        return;
    }
    buf_printf(b, "<h2>Most confidently wrong (%zu of %zu)</h2>\n<div class=\"grid\">\n",
               r->wrong_count < MISTAKES ? r->wrong_count : (size_t)MISTAKES, r->wrong_count);
    for (size_t i = 0; i < r->wrong_count && i < MISTAKES; ++i) {
        size_t at = r->wrong[i], count, bytes = (size_t)data->side * (size_t)data->side * 3;
        train_softmax(r->logits + at * (size_t)data->classes, data->classes, p);
        int best = 0;
        for (int k = 1; k < data->classes; ++k)
            best = p[k] > p[best] ? k : best;
        uint8_t *jpeg =
            image_encode_jpeg(set->pixels + at * bytes, data->side, data->side, 85, &count);
        buf_puts(b, "<figure><img alt=\"\" src=\"data:image/jpeg;base64,");
        base64(b, jpeg, count);
        free(jpeg);
        buf_puts(b, "\"><figcaption>");
        escape(b, data->names[best]);
        buf_printf(b, " %.1f%%, is ", 100 * p[best]);
        escape(b, data->names[set->files[at].label]);
        buf_puts(b, "<br><small>");
        escape(b, set->files[at].path);
        buf_puts(b, "</small></figcaption></figure>\n");
    }
    buf_puts(b, "</div>\n");
}

static void facts(Buf *b, const TrainOptions *o, const Dataset *data, const TrainResult *r,
                  const TrainCpuTime *cpu)
{
    size_t n = r->history.count;
    double speed = 0;
    for (size_t i = 0; i < n; ++i) /* the best epoch: the first also warms up */
        speed = r->history.items[i].images_per_second > speed
                    ? r->history.items[i].images_per_second
                    : speed;
    buf_printf(b,
               "<p class=\"big\">Test accuracy <b id=\"accuracy\">%.2f%%</b> (95%% interval %.2f "
               "to %.2f%%), "
               "%zu of %zu pictures</p>\n<table>\n",
               100 * r->accuracy, 100 * r->low, 100 * r->high, r->right, r->tested);
    buf_puts(b, "<tr><th>device</th><td>");
    escape(b, r->device ? r->device : "");
    buf_printf(b, ", %s, %.0f MiB</td></tr>\n", o->precision, (double)r->device_memory / 1048576);
    buf_printf(
        b, "<tr><th>pictures</th><td>%zu for training, %zu for testing, %zu not usable</td></tr>\n",
        data->set[SET_TRAIN].count, data->set[SET_TEST].count, data->bad.count);
    buf_printf(b,
               "<tr><th>run</th><td>%zu of %d epochs, batch %d, size %d, peak rate %g, seed "
               "%llu</td></tr>\n",
               n, o->epochs, r->batch, o->size, o->rate, (unsigned long long)o->seed);
    buf_printf(
        b,
        "<tr><th>time</th><td>decoding %.2f s, device start-up %.2f s, training and testing %.2f s"
        "</td></tr>\n",
        data->seconds, r->start_seconds, r->seconds);
    buf_printf(b, "<tr><th>speed</th><td>%.0f images/s in the best epoch</td></tr>\n", speed);
    if (cpu)
        buf_printf(b,
                   "<tr><th>the same on %s</th><td>%s%.1f s (%ld of %ld steps measured), %.0f "
                   "images/s</td></tr>\n",
                   cpu->device, cpu->steps < cpu->total ? "about " : "", cpu->seconds, cpu->steps,
                   cpu->total, cpu->images_per_second);
    buf_printf(b, "<tr><th>balanced accuracy</th><td>%.2f%%</td></tr>\n", 100 * r->balanced);
    buf_printf(b, "<tr><th>best epoch</th><td>%d</td></tr>\n</table>\n", r->best_epoch);
}

int report_write(const char *path, const TrainOptions *options, const Dataset *data,
                 const TrainResult *result, const TrainCpuTime *cpu)
{
    static const Curve accuracy[] = {
        {"training", "#c60", offsetof(TrainEpoch, train_accuracy)},
        {"test", "#06c", offsetof(TrainEpoch, test_accuracy)},
    };
    static const Curve loss[] = {
        {"training", "#c60", offsetof(TrainEpoch, loss)},
        {"test", "#06c", offsetof(TrainEpoch, test_loss)},
    };
    Buf b = {0};
    buf_puts(
        &b,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>gpukit "
        "train</title>\n"
        "<style>body{font:15px sans-serif;max-width:700px;margin:2em auto;padding:0 1em;color:#222}"
        "svg{width:100%;font-size:11px}line.grid{stroke:#ddd}table{border-collapse:collapse}"
        "th,td{padding:3px 10px;text-align:left;border-bottom:1px solid #ddd}.big{font-size:1.2em}"
        "td.yes{background:#dfd}td.no{background:#fee}div.grid{display:flex;flex-wrap:wrap;gap:"
        "10px}"
        "figure{margin:0;width:150px}figure img{width:100%;image-rendering:auto}"
        "small{overflow-wrap:anywhere;color:#666}</style></head>\n<body>\n<h1>Training "
        "report</h1>\n");
    facts(&b, options, data, result, cpu);
    chart(&b, result, "Accuracy", accuracy, 2, 1, "%.2f");
    chart(&b, result, "Loss", loss, 2, 0, "%.2f");
    matrix(&b, data, result);
    mistakes(&b, data, result);
    if (data->bad.count) {
        buf_printf(&b, "<h2>Files that could not be used (%zu)</h2>\n<ul id=\"bad\">\n",
                   data->bad.count);
        for (size_t i = 0; i < data->bad.count; ++i) {
            buf_puts(&b, "<li>");
            escape(&b, data->bad.items[i].path);
            buf_puts(&b, ": ");
            escape(&b, data->bad.items[i].reason);
            buf_puts(&b, "</li>\n");
        }
        buf_puts(&b, "</ul>\n");
    }
    buf_puts(&b, "</body></html>\n");
    int error = fs_write_atomic(path, b.data, b.count);
    buf_free(&b);
    return error;
}
