/* SPDX-License-Identifier: Apache-2.0
 * Decoders: every colour type and awkward file, made here with the libraries' own encoders; then
 * thousands of damaged copies, none of which may crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <jpeglib.h>
#include <png.h>

#include "base/arena.h"
#include "base/buf.h"
#include "trainer/augment.h"
#include "trainer/image.h"

enum { W = 60, H = 44, SIDE = 36 };

typedef struct {
    J_COLOR_SPACE space;
    int components;
    bool progressive;
    int orientation; /* 0: no EXIF */
    int width, height;
} JpegKind;

/* Left half red, right half blue (or dark and light). */
static void paint(uint8_t *p, int x, int width, int components)
{
    bool left = x < width / 2;
    if (components == 3)
        p[0] = left ? 220 : 20, p[1] = 20, p[2] = left ? 20 : 220;
    else if (components == 4) /* Adobe's inverted CMYK of the same colours */
        p[0] = left ? 220 : 20, p[1] = 20, p[2] = left ? 20 : 220, p[3] = 255;
    else
        p[0] = left ? 40 : 200;
}

static uint8_t *make_jpeg(const JpegKind *kind, size_t *count)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    uint8_t row[4 * 512];
    info.err = jpeg_std_error(&error);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = (JDIMENSION)kind->width;
    info.image_height = (JDIMENSION)kind->height;
    info.input_components = kind->components;
    info.in_color_space = kind->space;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (kind->progressive)
        jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    if (kind->orientation) {
        uint8_t exif[] = {'E', 'x',  'i', 'f', 0,
                          0,   'I',  'I', 42,  0,
                          8,   0,    0,   0,   1,
                          0,   0x12, 1,   3,   0,
                          1,   0,    0,   0,   (uint8_t)kind->orientation,
                          0,   0,    0,   0,   0,
                          0,   0};
        jpeg_write_marker(&info, JPEG_APP0 + 1, exif, sizeof exif);
    }
    for (int y = 0; y < kind->height; ++y) {
        for (int x = 0; x < kind->width; ++x)
            paint(row + x * kind->components, x, kind->width, kind->components);
        JSAMPROW r = row;
        jpeg_write_scanlines(&info, &r, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = size;
    return bytes;
}

static void png_add(png_structp png, png_bytep bytes, png_size_t count)
{
    buf_add(png_get_io_ptr(png), bytes, count);
}

static void png_done(png_structp png)
{
    (void)png;
}

static Buf make_png(int type, int depth, bool interlaced)
{
    Buf out = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, png_add, png_done);
    png_set_IHDR(png, info, W, H, depth, type,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_color palette[2] = {{220, 20, 20}, {20, 20, 220}};
    if (type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 2);
    png_write_info(png, info);
    if (depth < 8)
        png_set_packing(png);
    int parts = type == PNG_COLOR_TYPE_RGB          ? 3
                : type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
                : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                    : 1;
    uint8_t row[W * 8];
    int passes = interlaced ? png_set_interlace_handling(png) : 1;
    for (int pass = 0; pass < passes; ++pass)
        for (int y = 0; y < H; ++y) {
            memset(row, 0, sizeof row);
            for (int x = 0; x < W; ++x) {
                bool left = x < W / 2;
                uint8_t v[4] = {left ? 220 : 20, 20, left ? 20 : 220, left ? 255 : 0};
                if (type == PNG_COLOR_TYPE_PALETTE || depth == 1)
                    v[0] = type == PNG_COLOR_TYPE_PALETTE ? !left : left;
                else if (parts <= 2)
                    v[0] = left ? 40 : 200, v[1] = 255;
                for (int c = 0; c < parts; ++c) /* high byte first at depth 16 */
                    row[(x * parts + c) * (depth == 16 ? 2 : 1)] = v[c];
            }
            png_write_row(png, row);
        }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return out;
}

static ImageStatus decode(const void *bytes, size_t count, uint8_t out[SIDE * SIDE * 3],
                          char *error)
{
    memset(out, 77, SIDE * SIDE * 3);
    return image_decode(bytes, count, SIDE, out, error);
}

static const uint8_t *pixel(const uint8_t *out, int x, int y)
{
    return out + (y * SIDE + x) * 3;
}

static void near_colour(const uint8_t *p, int r, int g, int b)
{
    if (abs(p[0] - r) > 24 || abs(p[1] - g) > 24 || abs(p[2] - b) > 24)
        fail_msg("pixel is %d %d %d, not %d %d %d", p[0], p[1], p[2], r, g, b);
}

static void check_red_blue(const uint8_t *out)
{
    near_colour(pixel(out, 3, SIDE / 2), 220, 20, 20);
    near_colour(pixel(out, SIDE - 4, SIDE / 2), 20, 20, 220);
}

static void test_jpeg_kinds(void **state)
{
    (void)state;
    uint8_t out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    const JpegKind kinds[] = {
        {JCS_RGB, 3, false, 0, W, H},       {JCS_RGB, 3, true, 0, W, H},
        {JCS_CMYK, 4, false, 0, W, H},      {JCS_RGB, 3, false, 0, 300, 280},
        {JCS_GRAYSCALE, 1, false, 0, W, H},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        size_t count;
        uint8_t *bytes = make_jpeg(&kinds[i], &count);
        assert_int_equal(decode(bytes, count, out, error), IMAGE_OK);
        if (kinds[i].components == 1) {
            near_colour(pixel(out, 3, 9), 40, 40, 40);
            near_colour(pixel(out, SIDE - 4, 9), 200, 200, 200);
        } else {
            check_red_blue(out);
        }
        free(bytes);
    }
}

/* Red lies left in the file: where is it once the picture stands upright? */
static void test_orientation(void **state)
{
    (void)state;
    static const char right[9] = " lrrlttbb";
    uint8_t out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    for (int o = 1; o <= 8; ++o) {
        size_t count;
        uint8_t *bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, false, o, W, H}, &count);
        assert_int_equal(decode(bytes, count, out, error), IMAGE_OK);
        char expect = right[o];
        int x = expect == 'l' ? 3 : expect == 'r' ? SIDE - 4 : SIDE / 2;
        int y = expect == 't' ? 3 : expect == 'b' ? SIDE - 4 : SIDE / 2;
        near_colour(pixel(out, x, y), 220, 20, 20);
        near_colour(pixel(out, SIDE - 1 - x, SIDE - 1 - y), 20, 20, 220);
        free(bytes);
    }
}

static void test_png_kinds(void **state)
{
    (void)state;
    uint8_t out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    const struct {
        int type, depth;
        bool interlaced;
    } kinds[] = {
        {PNG_COLOR_TYPE_RGB, 8, false},        {PNG_COLOR_TYPE_RGB, 16, false},
        {PNG_COLOR_TYPE_PALETTE, 8, false},    {PNG_COLOR_TYPE_RGB_ALPHA, 8, false},
        {PNG_COLOR_TYPE_GRAY, 8, false},       {PNG_COLOR_TYPE_RGB, 8, true},
        {PNG_COLOR_TYPE_GRAY, 16, false},      {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 16, true}, {PNG_COLOR_TYPE_RGB_ALPHA, 16, false},
        {PNG_COLOR_TYPE_PALETTE, 1, true},     {PNG_COLOR_TYPE_GRAY, 1, false},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        Buf b = make_png(kinds[i].type, kinds[i].depth, kinds[i].interlaced);
        assert_int_equal(decode(b.data, b.count, out, error), IMAGE_OK);
        if (kinds[i].depth == 1 && kinds[i].type == PNG_COLOR_TYPE_GRAY) {
            near_colour(pixel(out, 3, 9), 255, 255, 255);
            near_colour(pixel(out, SIDE - 4, 9), 0, 0, 0);
        } else if (kinds[i].type == PNG_COLOR_TYPE_GRAY ||
                   kinds[i].type == PNG_COLOR_TYPE_GRAY_ALPHA) {
            near_colour(pixel(out, 3, 9), 40, 40, 40);
        } else if (kinds[i].type == PNG_COLOR_TYPE_RGB_ALPHA) {
            near_colour(pixel(out, 3, 9), 220, 20, 20);
            near_colour(pixel(out, SIDE - 4, 9), 255, 255, 255); /* transparent: white */
        } else {
            check_red_blue(out);
        }
        buf_free(&b);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    uint8_t out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    size_t count;
    uint8_t *bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, false, 0, 1, 1}, &count);
    assert_int_equal(decode(bytes, count, out, error), IMAGE_OK);
    near_colour(pixel(out, 5, 5), 20, 20, 220);
    near_colour(pixel(out, 30, 30), 20, 20, 220);
    free(bytes);
    bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, false, 0, 400, 3}, &count);
    assert_int_equal(decode(bytes, count, out, error), IMAGE_OK);
    free(bytes);
}

static void test_damaged(void **state)
{
    (void)state;
    uint8_t out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    size_t count;
    uint8_t *bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, false, 0, W, H}, &count);
    assert_int_equal(decode(bytes, count / 2, out, error), IMAGE_BAD);
    assert_non_null(strstr(error, "damaged JPEG"));
    assert_int_equal(decode(bytes, 20, out, error), IMAGE_BAD);
    assert_int_equal(decode("", 0, out, error), IMAGE_OTHER);
    assert_non_null(strstr(error, "empty"));
    assert_int_equal(decode("hello, I am text", 16, out, error), IMAGE_OTHER);
    for (size_t i = 0; i + 8 < count; ++i) /* 65500 x 65500 in the frame header */
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc0)
            bytes[i + 5] = bytes[i + 7] = 0xff, bytes[i + 6] = bytes[i + 8] = 0xdc;
    assert_int_equal(decode(bytes, count, out, error), IMAGE_BAD);
    assert_non_null(strstr(error, "over the limit"));
    free(bytes);
    Buf b = make_png(PNG_COLOR_TYPE_RGB, 8, false);
    assert_int_equal(decode(b.data, b.count / 2, out, error), IMAGE_BAD);
    assert_non_null(strstr(error, "damaged PNG"));
    assert_int_equal(decode(b.data, 8, out, error), IMAGE_BAD);
    assert_int_equal(decode("GIF89a\1\0\1\0\0\0\0;", 14, out, error), IMAGE_OTHER);
    b.data[b.count / 2] ^= 0x55;
    assert_int_equal(decode(b.data, b.count, out, error), IMAGE_BAD);
    buf_free(&b);
    /* 2 million by 2 million in the header, with its right checksum: refused before allocating */
    static const unsigned char vast[] = {
        0x89, 'P',  'N',  'G', '\r', '\n', 0x1a, '\n', 0,   0,   0,   13,   'I',  'H',  'D',
        'R',  0,    0x20, 0,   0,    0,    0x20, 0,    0,   8,   2,   0,    0,    0,    0x55,
        0xae, 0x52, 0xeb, 0,   0,    0,    0,    'I',  'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e};
    assert_int_equal(decode(vast, sizeof vast, out, error), IMAGE_BAD);
    assert_non_null(strstr(error, "2097152 x 2097152 pixels: over the limit"));
    assert_int_equal(image_load("/", SIDE, out, error), IMAGE_BAD);
    assert_int_equal(image_load("/nonexistent.jpg", SIDE, out, error), IMAGE_BAD);
    assert_non_null(strstr(error, "No such file"));
}

static void fuzz(const uint8_t *bytes, size_t count, uint32_t kind, int rounds)
{
    uint8_t *copy = xmalloc(count), out[SIDE * SIDE * 3];
    char error[IMAGE_ERROR_SIZE];
    for (int r = 0; r < rounds; ++r) {
        uint32_t n = 0, stream = kind * 10000000 + (uint32_t)r;
        size_t length = count;
        memcpy(copy, bytes, count);
        uint32_t changes = 1 + aug_draw(1, stream, n++) % 8;
        for (uint32_t c = 0; c < changes; ++c) {
            uint32_t at = aug_draw(1, stream, n++), how = aug_draw(1, stream, n++);
            size_t range = r % 3 == 0 ? count : count < 700 ? count : 700; /* headers more often */
            copy[at % range] = how % 3 == 0   ? 0xff
                               : how % 3 == 1 ? (uint8_t)(how >> 8)
                                              : copy[at % range] ^ (uint8_t)(1 << how % 8);
        }
        if (r % 5 == 0)
            length = aug_draw(1, stream, n++) % count;
        ImageStatus s = decode(copy, length, out, error);
        assert_true(s == IMAGE_OK || strlen(error) > 0);
    }
    free(copy);
}

static int longer = 1; /* the first argument: so many times the rounds */

static void test_fuzz(void **state)
{
    (void)state;
    size_t count;
    uint8_t *bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, false, 6, W, H}, &count);
    fuzz(bytes, count, 1, 4000 * longer);
    free(bytes);
    bytes = make_jpeg(&(JpegKind){JCS_RGB, 3, true, 0, W, H}, &count);
    fuzz(bytes, count, 2, 3000 * longer);
    free(bytes);
    bytes = make_jpeg(&(JpegKind){JCS_CMYK, 4, false, 0, W, H}, &count);
    fuzz(bytes, count, 3, 2000 * longer);
    free(bytes);
    Buf b = make_png(PNG_COLOR_TYPE_PALETTE, 8, true);
    fuzz((uint8_t *)b.data, b.count, 4, 3000 * longer);
    buf_free(&b);
    b = make_png(PNG_COLOR_TYPE_RGB_ALPHA, 16, false);
    fuzz((uint8_t *)b.data, b.count, 5, 3000 * longer);
    buf_free(&b);
}

int main(int argc, char **argv)
{
    longer = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jpeg_kinds), cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_png_kinds),  cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_damaged),    cmocka_unit_test(test_fuzz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
