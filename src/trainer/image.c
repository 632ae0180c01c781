/* SPDX-License-Identifier: Apache-2.0
 * Decoders (libjpeg-turbo, libpng), orientation, centre square and resize. Neither library's errors
 * leave this file: both come back by longjmp and become a sentence. */
#include "trainer/image.h"
#include "base/arena.h"
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>
#include <jerror.h>
#include <png.h>

enum { MAX_SCANS = 200 /* of a progressive file: more is an attack, not a picture */ };

/* A decoded picture: top-left of the used square, and how it is turned (EXIF 1 to 8). */
typedef struct {
    uint8_t *rgb;
    int width, height, orientation;
} Raster;

/* ---- resize ---- */

/* Source position, along the square's edge, of output pixel i (before turning). */
static void square_pixel(const Raster *r, int square, double fx, double fy, int *x, int *y)
{
    int left = (r->width - square) / 2, top = (r->height - square) / 2;
    int a = (int)fx, b = (int)fy, last = square - 1, px = a, py = b;
    switch (r->orientation) {
    case 2:
        px = last - a;
        break;
    case 3:
        px = last - a, py = last - b;
        break;
    case 4:
        py = last - b;
        break;
    case 5:
        px = b, py = a;
        break;
    case 6:
        px = b, py = last - a;
        break;
    case 7:
        px = last - b, py = last - a;
        break;
    case 8:
        px = last - b, py = a;
        break;
    default:
        break;
    }
    *x = left + px;
    *y = top + py;
}

/* The centre square, turned upright, into a buffer of its own. */
static uint8_t *upright_square(const Raster *r, int square)
{
    uint8_t *out = malloc((size_t)square * (size_t)square * 3);
    if (!out)
        return NULL;
    for (int j = 0; j < square; ++j) {
        uint8_t *row = out + (size_t)j * (size_t)square * 3;
        int x, y;
        square_pixel(r, square, 0, j, &x, &y);
        if (r->orientation <= 1) {
            memcpy(row, r->rgb + ((size_t)y * (size_t)r->width + (size_t)x) * 3,
                   (size_t)square * 3);
            continue;
        }
        for (int i = 0; i < square; ++i) {
            square_pixel(r, square, i, j, &x, &y);
            memcpy(row + 3 * i, r->rgb + ((size_t)y * (size_t)r->width + (size_t)x) * 3, 3);
        }
    }
    return out;
}

/* Catmull-Rom cubic, stretched when shrinking so that it covers all source pixels (no aliasing). */
static double cubic(double x)
{
    x = x < 0 ? -x : x;
    if (x < 1)
        return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/* Source pixels of one output pixel and their weights, which add up to one. */
typedef struct {
    int first, count;
    const float *weight;
} Span;

static Span *make_spans(int from, int to)
{
    double step = (double)from / to, stretch = step > 1 ? step : 1;
    int most = (int)(4 * stretch) + 3;
    Span *spans = malloc((sizeof(Span) + sizeof(float) * (size_t)most) * (size_t)to);
    if (!spans)
        return NULL;
    float *weight = (float *)(spans + to);
    for (int i = 0; i < to; ++i, weight += most) {
        double centre = (i + 0.5) * step, sum = 0;
        int first = (int)(centre - 2 * stretch), last = (int)(centre + 2 * stretch) + 1, n = 0;
        first = first < 0 ? 0 : first;
        last = last > from ? from : last;
        for (int k = first; k < last && n < most; ++k, ++n)
            sum += (double)(weight[n] = (float)cubic((k + 0.5 - centre) / stretch));
        for (int k = 0; k < n; ++k)
            weight[k] = (float)((double)weight[k] / sum);
        spans[i] = (Span){first, n, weight};
    }
    return spans;
}

static bool resize_square(const uint8_t *in, int from, uint8_t *out, int to)
{
    size_t width = (size_t)to * 3;
    Span *spans = make_spans(from, to);
    float *rows = malloc(sizeof(float) * (size_t)from * width),
          *sum = malloc(sizeof(float) * width);
    bool ok = spans && rows && sum;
    for (int y = 0; y < from && ok; ++y) /* along the rows */
        for (int i = 0; i < to; ++i) {
            const uint8_t *p = in + ((size_t)y * (size_t)from + (size_t)spans[i].first) * 3;
            float red = 0, green = 0, blue = 0, *to_row = rows + (size_t)y * width + 3 * (size_t)i;
            for (int k = 0; k < spans[i].count; ++k, p += 3) {
                red += spans[i].weight[k] * (float)p[0];
                green += spans[i].weight[k] * (float)p[1];
                blue += spans[i].weight[k] * (float)p[2];
            }
            to_row[0] = red, to_row[1] = green, to_row[2] = blue;
        }
    for (int j = 0; j < to && ok; ++j) {
        memset(sum, 0, sizeof(float) * width);
        for (int k = 0; k < spans[j].count; ++k) {
            const float *row = rows + (size_t)(spans[j].first + k) * width;
            for (size_t i = 0; i < width; ++i)
                sum[i] += spans[j].weight[k] * row[i];
        }
        for (size_t i = 0; i < width; ++i)
            out[(size_t)j * width + i] = (uint8_t)(sum[i] < 0        ? 0
                                                   : sum[i] > 254.5f ? 255
                                                                     : sum[i] + 0.5f);
    }
    free(spans);
    free(rows);
    free(sum);
    return ok;
}

static ImageStatus finish(const Raster *r, int side, uint8_t *out, char *error)
{
    int square = r->width < r->height ? r->width : r->height;
    uint8_t *centre = upright_square(r, square);
    bool ok = centre && resize_square(centre, square, out, side);
    free(centre);
    if (!ok)
        snprintf(error, IMAGE_ERROR_SIZE, "no memory for %d x %d pixels", r->width, r->height);
    return ok ? IMAGE_OK : IMAGE_BAD;
}

static bool too_large(double width, double height, char *error)
{
    if (width * height <= IMAGE_MAX_PIXELS)
        return false;
    snprintf(error, IMAGE_ERROR_SIZE, "%.0f x %.0f pixels: over the limit of %d million", width,
             height, IMAGE_MAX_PIXELS / 1000000);
    return true;
}

/* ---- JPEG ---- */

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf back;
    char text[JMSG_LENGTH_MAX];
    bool cut_short;
} JpegError;

static void jpeg_failed(j_common_ptr info)
{
    JpegError *e = (JpegError *)info->err;
    e->base.format_message(info, e->text);
    longjmp(e->back, 1);
}

/* Warnings: a file that ends early or breaks off inside a scan is damaged; the rest is let pass. */
static void jpeg_warned(j_common_ptr info, int level)
{
    JpegError *e = (JpegError *)info->err;
    if (level >= 0)
        return;
    ++e->base.num_warnings;
    int code = e->base.msg_code;
    if (!e->cut_short &&
        (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE)) {
        e->cut_short = true;
        e->base.format_message(info, e->text);
    }
}

static void jpeg_progress(j_common_ptr info)
{
    if (((j_decompress_ptr)info)->input_scan_number > MAX_SCANS) {
        snprintf(((JpegError *)info->err)->text, JMSG_LENGTH_MAX, "more than %d scans", MAX_SCANS);
        longjmp(((JpegError *)info->err)->back, 1);
    }
}

static unsigned exif_number(const uint8_t *p, int bytes, bool little)
{
    unsigned value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= (unsigned)p[i] << 8 * (little ? i : bytes - 1 - i);
    return value;
}

/* Orientation from an EXIF block (TIFF header, first directory, tag 0x0112); 1 if there is none. */
static int exif_orientation(const uint8_t *p, size_t count)
{
    if (count < 14 || memcmp(p, "Exif\0\0", 6) != 0)
        return 1;
    p += 6, count -= 6;
    bool little = p[0] == 'I';
    size_t at = exif_number(p + 4, 4, little);
    if (at + 2 > count)
        return 1;
    unsigned entries = exif_number(p + at, 2, little);
    for (at += 2; entries-- && at + 12 <= count; at += 12)
        if (exif_number(p + at, 2, little) == 0x0112) {
            unsigned value = exif_number(p + at + 8, 2, little);
            return value >= 1 && value <= 8 ? (int)value : 1;
        }
    return 1;
}

static void cmyk_row_to_rgb(const uint8_t *in, uint8_t *out, int width, bool inverted)
{
    for (int i = 0; i < width; ++i, in += 4, out += 3)
        for (int c = 0; c < 3; ++c) {
            int ink = inverted ? in[c] : 255 - in[c], black = inverted ? in[3] : 255 - in[3];
            out[c] = (uint8_t)(ink * black / 255);
        }
}

/* The smallest eighth that still has twice the output's side: most of the decoding is never done,
 * and the resize keeps its sharpness. */
static void choose_scale(struct jpeg_decompress_struct *info, int side)
{
    unsigned least =
        info->image_width < info->image_height ? info->image_width : info->image_height;
    info->scale_denom = 8;
    for (info->scale_num = 1; info->scale_num < 8; ++info->scale_num)
        if (least * info->scale_num / 8 >= 2 * (unsigned)side)
            break;
}

static void read_rows(struct jpeg_decompress_struct *info, Raster *r, uint8_t *row)
{
    bool inverted = info->saw_Adobe_marker;
    while (info->output_scanline < info->output_height) {
        uint8_t *out = r->rgb + (size_t)info->output_scanline * (size_t)r->width * 3;
        JSAMPROW target = row ? row : out;
        jpeg_read_scanlines(info, &target, 1);
        if (row)
            cmyk_row_to_rgb(row, out, r->width, inverted);
    }
}

static ImageStatus decode_jpeg(const uint8_t *bytes, size_t count, int side, uint8_t *out,
                               char *error)
{
    struct jpeg_decompress_struct info;
    struct jpeg_progress_mgr progress = {.progress_monitor = jpeg_progress};
    JpegError e;
    memset(&e, 0, sizeof e);
    info.err = jpeg_std_error(&e.base);
    e.base.error_exit = jpeg_failed;
    e.base.emit_message = jpeg_warned;
    uint8_t *volatile pixels = NULL, *volatile row = NULL;
    if (setjmp(e.back)) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        free(row);
        snprintf(error, IMAGE_ERROR_SIZE, "damaged JPEG: %.130s", e.text);
        return IMAGE_BAD;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, bytes, (unsigned long)count);
    jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&info, TRUE);
    if (too_large(info.image_width, info.image_height, error)) {
        jpeg_destroy_decompress(&info);
        return IMAGE_BAD;
    }
    Raster r = {.orientation = 1};
    for (jpeg_saved_marker_ptr m = info.marker_list; m; m = m->next)
        if (m->marker == JPEG_APP0 + 1 && r.orientation == 1)
            r.orientation = exif_orientation(m->data, m->data_length);
    bool four = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = four ? JCS_CMYK : JCS_RGB;
    info.dct_method = JDCT_ISLOW;
    choose_scale(&info, side);
    jpeg_start_decompress(&info);
    r.width = (int)info.output_width;
    r.height = (int)info.output_height;
    r.rgb = pixels = malloc((size_t)r.width * (size_t)r.height * 3);
    if (four)
        row = malloc((size_t)r.width * 4);
    if (!pixels || (four && !row)) {
        snprintf(e.text, sizeof e.text, "no memory for %d x %d pixels", r.width, r.height);
        longjmp(e.back, 1);
    }
    read_rows(&info, &r, row);
    if (e.cut_short)
        longjmp(e.back, 1);
    jpeg_destroy_decompress(&info);
    ImageStatus status = finish(&r, side, out, error);
    free(pixels);
    free(row);
    return status;
}

uint8_t *image_encode_jpeg(const uint8_t *rgb, int width, int height, int quality, size_t *count)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    info.err = jpeg_std_error(&error);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(size_t)(rgb + (size_t)info.next_scanline * (size_t)width * 3);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = size;
    return bytes;
}

/* ---- PNG ---- */

typedef struct {
    const uint8_t *bytes;
    size_t count, at;
    jmp_buf back;
    char text[IMAGE_ERROR_SIZE];
} PngInput;

static void png_failed(png_structp png, png_const_charp text)
{
    PngInput *in = png_get_error_ptr(png);
    snprintf(in->text, sizeof in->text, "damaged PNG: %.130s", text);
    longjmp(in->back, 1);
}

static void png_warned(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void png_take(png_structp png, png_bytep out, png_size_t count)
{
    PngInput *in = png_get_io_ptr(png);
    if (count > in->count - in->at)
        png_error(png, "the file ends early");
    memcpy(out, in->bytes + in->at, count);
    in->at += count;
}

/* RGBA over white, in place, to RGB. */
static void drop_alpha(uint8_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c)
            pixels[3 * i + (size_t)c] = (uint8_t)((pixels[4 * i + (size_t)c] * pixels[4 * i + 3] +
                                                   255 * (255 - pixels[4 * i + 3]) + 127) /
                                                  255);
}

static ImageStatus decode_png(const uint8_t *bytes, size_t count, int side, uint8_t *out,
                              char *error)
{
    PngInput in = {.bytes = bytes, .count = count};
    png_structp volatile png = NULL;
    png_infop volatile info = NULL;
    uint8_t *volatile pixels = NULL;
    png_bytep *volatile rows = NULL;
    ImageStatus volatile status = IMAGE_BAD;
    if (setjmp(in.back)) {
        snprintf(error, IMAGE_ERROR_SIZE, "%s", in.text);
        goto done;
    }
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &in, png_failed, png_warned);
    info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        snprintf(error, IMAGE_ERROR_SIZE, "no memory for the PNG reader");
        goto done;
    }
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); /* ours below comes with a better sentence */
    png_set_chunk_malloc_max(png, 16 << 20);
    png_set_read_fn(png, &in, png_take);
    png_read_info(png, info);
    Raster r = {.orientation = 1};
    png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (too_large(width, height, error))
        goto done;
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    r.width = (int)width;
    r.height = (int)height;
    pixels = malloc((size_t)width * height * 4);
    rows = malloc(sizeof(png_bytep) * height);
    if (!pixels || !rows) {
        snprintf(error, IMAGE_ERROR_SIZE, "no memory for %d x %d pixels", r.width, r.height);
        goto done;
    }
    for (png_uint_32 y = 0; y < height; ++y)
        rows[y] = pixels + (size_t)y * width * 4;
    png_read_image(png, rows);
    png_read_end(png, NULL);
    drop_alpha(pixels, (size_t)width * height);
    r.rgb = pixels;
    status = finish(&r, side, out, error);
done:
    if (png) {
        png_structp p = png;
        png_infop i = info;
        png_destroy_read_struct(&p, &i, NULL);
    }
    free(pixels);
    free((void *)rows);
    return status;
}

/* ---- entry ---- */

ImageStatus image_decode(const uint8_t *bytes, size_t count, int side, uint8_t *out,
                         char error[IMAGE_ERROR_SIZE])
{
    static const uint8_t png_start[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (count >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff)
        return decode_jpeg(bytes, count, side, out, error);
    if (count >= 8 && memcmp(bytes, png_start, 8) == 0)
        return decode_png(bytes, count, side, out, error);
    snprintf(error, IMAGE_ERROR_SIZE,
             count ? "neither a JPEG nor a PNG file" : "the file is empty");
    return IMAGE_OTHER;
}

ImageStatus image_load(const char *path, int side, uint8_t *out, char error[IMAGE_ERROR_SIZE])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(error, IMAGE_ERROR_SIZE, "cannot be read: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return IMAGE_BAD;
    }
    if (!S_ISREG(st.st_mode) || st.st_size > 1 << 30) {
        snprintf(error, IMAGE_ERROR_SIZE,
                 S_ISREG(st.st_mode) ? "over 1 GiB" : "not a regular file");
        close(fd);
        return IMAGE_BAD;
    }
    size_t count = (size_t)st.st_size, got = 0;
    uint8_t *bytes = malloc(count ? count : 1);
    int failed = bytes ? 0 : ENOMEM;
    while (!failed && got < count) {
        ssize_t n = read(fd, bytes + got, count - got);
        if (n > 0)
            got += (size_t)n;
        else if (n == 0)
            break;
        else if (errno != EINTR)
            failed = errno;
    }
    close(fd);
    ImageStatus status = IMAGE_BAD;
    if (failed)
        snprintf(error, IMAGE_ERROR_SIZE, "cannot be read: %s", strerror(failed));
    else
        status = image_decode(bytes, got, side, out, error);
    free(bytes);
    return status;
}
