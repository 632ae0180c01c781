/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two runs copied the same bytes back, and how far apart they are if not. What the bytes
 * mean is not known: they are taken as the type under which the differing words look most sensible
 * (see looks_like). */
#include "compare/compare.h"

#include "base/buf.h"
#include "base/fs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Floats count up with their bits, apart from the sign: differences of that order are ULP. */
static int64_t order32(uint32_t bits)
{
    return bits & 0x80000000u ? -(int64_t)(bits & 0x7fffffffu) : (int64_t)bits;
}

static int64_t order64(uint64_t bits)
{
    return bits >> 63 ? -(int64_t)(bits & INT64_MAX) : (int64_t)bits;
}

static bool sensible(double value) /* zero, or of a size that people compute with */
{
    return value == 0 || (isfinite(value) && fabs(value) > 1e-15 && fabs(value) < 1e15);
}

typedef struct {
    uint64_t different, words, floats, words8, doubles;
    double float_ulp, double_ulp, integer;
} Scan;

static void scan_words(const char *a, const char *b, size_t bytes, Scan *scan)
{
    for (size_t i = 0; i < bytes; ++i)
        scan->different += a[i] != b[i];
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t x, y;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        if (x == y)
            continue;
        float fx, fy;
        memcpy(&fx, &x, 4);
        memcpy(&fy, &y, 4);
        ++scan->words;
        scan->floats += sensible((double)fx) && sensible((double)fy);
        scan->float_ulp = fmax(scan->float_ulp, fabs((double)(order32(x) - order32(y))));
        scan->integer = fmax(scan->integer, fabs((double)(int32_t)x - (double)(int32_t)y));
    }
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        if (x == y)
            continue;
        double dx, dy;
        memcpy(&dx, &x, 8);
        memcpy(&dy, &y, 8);
        ++scan->words8;
        scan->doubles += sensible(dx) && sensible(dy);
        int64_t i64x = order64(x), i64y = order64(y);
        uint64_t apart =
            i64x > i64y ? (uint64_t)i64x - (uint64_t)i64y : (uint64_t)i64y - (uint64_t)i64x;
        scan->double_ulp = fmax(scan->double_ulp, (double)apart);
    }
}

static void describe(const Scan *scan, BytesDifference *out)
{
    bool floats = scan->floats * 10 >= scan->words * 9;
    bool doubles = scan->words8 && scan->doubles * 10 >= scan->words8 * 9;
    out->different = scan->different;
    if (doubles && (!floats || scan->double_ulp < scan->float_ulp * 0x1p29)) {
        out->type = floats ? "float" : "double";
        out->words = floats ? scan->words : scan->words8;
        out->most = floats ? scan->float_ulp : scan->double_ulp;
    } else if (floats) {
        out->type = "float";
        out->words = scan->words;
        out->most = scan->float_ulp;
    } else {
        out->type = "int";
        out->words = scan->words;
        out->most = scan->integer;
    }
}

void bytes_compare(const ModeResult *reference, const ModeResult *other, BytesDifference *out)
{
    const Trace *a = &reference->first, *b = &other->first;
    memset(out, 0, sizeof *out);
    out->compared = a->back.count || b->back.count;
    out->equal = true;
    out->bytes = a->dtoh_bytes;
    if (a->back.count != b->back.count) {
        out->equal = false;
        out->shape = true;
        return;
    }
    for (size_t i = 0; i < a->back.count; ++i) {
        if (a->back.items[i].bytes != b->back.items[i].bytes) {
            out->equal = false;
            out->shape = true;
            return;
        }
        out->equal = out->equal && a->back.items[i].hash == b->back.items[i].hash;
    }
    if (out->equal)
        return;
    Buf mine = {0}, theirs = {0};
    if (!fs_read(reference->bytes_file, &mine) && !fs_read(other->bytes_file, &theirs)) {
        Scan scan = {0};
        for (size_t i = 0; i < a->back.count; ++i) {
            const TraceBytes *x = &a->back.items[i], *y = &b->back.items[i];
            if (x->hash != y->hash && x->offset + x->bytes <= mine.count &&
                y->offset + y->bytes <= theirs.count)
                scan_words(mine.data + x->offset, theirs.data + y->offset, x->bytes, &scan);
        }
        describe(&scan, out);
    }
    buf_free(&mine);
    buf_free(&theirs);
}
