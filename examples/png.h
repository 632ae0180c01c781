/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes 8-bit RGB pictures as PNG (RFC 2083) without any library, so that examples compile with
 * nothing but a C compiler. Deflate (RFC 1951) is one block of fixed Huffman codes; the only
 * matches are repeats of the last byte, which after the "sub" filter is what flat areas become. */
#ifndef EXAMPLE_PNG_H
#define EXAMPLE_PNG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *data;
    size_t count, room;
    unsigned bits; /* not yet written, lowest first */
    int bit_count;
} PngBytes;

static inline void png_byte(PngBytes *out, unsigned byte)
{
    if (out->count == out->room) {
        out->room = out->room ? out->room * 2 : 4096;
        out->data = (unsigned char *)realloc(out->data, out->room);
        if (!out->data)
            abort();
    }
    out->data[out->count++] = (unsigned char)byte;
}

static inline void png_word(PngBytes *out, unsigned word) /* big-endian */
{
    for (int shift = 24; shift >= 0; shift -= 8)
        png_byte(out, word >> shift & 255);
}

static inline void png_bits(PngBytes *out, unsigned value, int count)
{
    out->bits |= value << out->bit_count;
    for (out->bit_count += count; out->bit_count >= 8; out->bit_count -= 8, out->bits >>= 8)
        png_byte(out, out->bits & 255);
}

static inline void png_huffman(PngBytes *out, unsigned code, int count) /* highest bit first */
{
    for (int i = count - 1; i >= 0; --i)
        png_bits(out, code >> i & 1, 1);
}

static inline void png_symbol(PngBytes *out, unsigned symbol) /* RFC 1951, 3.2.6 */
{
    if (symbol < 144)
        png_huffman(out, 0x30 + symbol, 8);
    else if (symbol < 256)
        png_huffman(out, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        png_huffman(out, symbol - 256, 7);
    else
        png_huffman(out, 0xc0 + symbol - 280, 8);
}

static inline void png_repeat(PngBytes *out, int length) /* 3..258 bytes at distance 1 */
{
    if (length == 258) {
        png_symbol(out, 285);
    } else {
        int extra = 0, base = length - 3;
        while (base >> extra >= 8)
            ++extra;
        png_symbol(out, 257 + (unsigned)(extra * 4 + (base >> extra)));
        png_bits(out, (unsigned)base & ((1u << extra) - 1), extra);
    }
    png_huffman(out, 0, 5);
}

static inline void png_deflate(PngBytes *out, const unsigned char *data, size_t count)
{
    unsigned a = 1, b = 0; /* Adler-32 */
    png_byte(out, 0x78);
    png_byte(out, 0x01);
    png_bits(out, 3, 3); /* last block, fixed codes */
    for (size_t i = 0; i < count;) {
        int run = 0;
        while (i > 0 && run < 258 && i + (size_t)run < count &&
               data[i + (size_t)run] == data[i - 1])
            ++run;
        if (run >= 3)
            png_repeat(out, run);
        else
            png_symbol(out, data[i]), run = 1;
        i += (size_t)run;
    }
    png_symbol(out, 256);
    if (out->bit_count)
        png_bits(out, 0, 8 - out->bit_count);
    for (size_t i = 0; i < count; ++i)
        a = (a + data[i]) % 65521, b = (b + a) % 65521;
    png_word(out, b << 16 | a);
}

static inline void png_chunk(FILE *file, const char *type, const unsigned char *data, size_t count)
{
    PngBytes head = {0}, tail = {0};
    unsigned crc = 0xffffffffu;
    png_word(&head, (unsigned)count);
    for (int i = 0; i < 4; ++i)
        png_byte(&head, (unsigned char)type[i]);
    for (size_t i = 4; i < 8 + count; ++i) {
        crc ^= i < 8 ? head.data[i] : data[i - 8];
        for (int k = 0; k < 8; ++k)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    png_word(&tail, ~crc);
    fwrite(head.data, 1, 8, file);
    fwrite(data, 1, count, file);
    fwrite(tail.data, 1, 4, file);
    free(head.data);
    free(tail.data);
}

/* rgb: height rows of width pixels of three bytes. 1 on success; 0 when the file cannot be written,
 * which is then said on standard error. */
static inline int png_write(const char *path, const unsigned char *rgb, int width, int height)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return 0;
    }
    size_t row = (size_t)width * 3;
    unsigned char *filtered = (unsigned char *)malloc((row + 1) * (size_t)height);
    if (!filtered)
        abort();
    for (int y = 0; y < height; ++y) {
        const unsigned char *in = rgb + (size_t)y * row;
        unsigned char *out = filtered + (size_t)y * (row + 1);
        *out++ = 1; /* "sub": difference to the pixel on the left */
        for (size_t x = 0; x < row; ++x)
            out[x] = (unsigned char)(x < 3 ? in[x] : in[x] - in[x - 3]);
    }
    PngBytes header = {0}, body = {0};
    png_word(&header, (unsigned)width);
    png_word(&header, (unsigned)height);
    png_byte(&header, 8); /* bits */
    png_byte(&header, 2); /* RGB */
    for (int i = 0; i < 3; ++i)
        png_byte(&header, 0);
    png_deflate(&body, filtered, (row + 1) * (size_t)height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    png_chunk(file, "IHDR", header.data, header.count);
    png_chunk(file, "IDAT", body.data, body.count);
    png_chunk(file, "IEND", (const unsigned char *)"", 0);
    free(header.data);
    free(body.data);
    free(filtered);
    int failed = ferror(file);
    if (fclose(file) || failed) {
        perror(path);
        return 0;
    }
    return 1;
}

#endif
