/* SPDX-License-Identifier: Apache-2.0
 * Reading traces and records, comparing bytes, the summary's arithmetic, drawing. */
#include "base/buf.h"
#include "base/fs.h"
#include "compare/compare.h"
#include "report/plot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gpukit-test-compare.XXXXXX";

static char *write_file(const char *name, const void *bytes, size_t count)
{
    char *path = xasprintf("%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    return path;
}

static const char trace_text[] =
    "{\"event\":\"context\",\"device\":\"cpu\",\"driver\":13000,\"threads\":2,\"name\":\"NVIDIA "
    "H200\",\"ms\":0.5}\n"
    "{\"event\":\"copy\",\"kind\":\"HtoD\",\"bytes\":100,\"ms\":2}\n"
    "{\"event\":\"compile\",\"kernel\":\"k\",\"compiled\":1,\"ms\":50}\n"
    "{\"event\":\"launch\",\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1],\"shared\":0,"
    "\"ms\":3}\n"
    "{\"event\":\"launch\",\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1],\"shared\":0,"
    "\"ms\":null}\n"
    "{\"event\":\"copy\",\"kind\":\"DtoH\",\"bytes\":16,\"hash\":\"00000000000000ff\",\"offset\":0,"
    "\"ms\":1}\n"
    "{\"event\":\"end\",\"launches\":2,\"lost\":0,\"f32\":7,\"f64\":0,\"ms\":60}\n";

static void reads_a_trace(void **state)
{
    (void)state;
    char *path = write_file("trace", trace_text, strlen(trace_text));
    Diags diags;
    diags_init(&diags);
    Trace t;
    assert_int_equal(trace_read(path, &t, &diags), 0);
    assert_string_equal(t.gpu, "NVIDIA H200");
    assert_true(t.context == 0.5 && t.htod == 2 && t.dtoh == 1 && t.compile == 50 &&
                t.kernels == 3);
    assert_int_equal(t.htod_bytes, 100);
    assert_int_equal(t.untimed, 1);
    assert_int_equal(t.launches, 2);
    assert_int_equal(t.f32, 7);
    assert_int_equal(t.back.count, 1);
    assert_int_equal(t.back.items[0].hash, 255);
    assert_int_equal(t.by_kernel.count, 1);
    assert_int_equal(t.by_kernel.items[0].launches, 2);
    trace_fini(&t);
    diags_fini(&diags);
    free(path);
}

static void refuses_damaged_traces(void **state)
{
    (void)state;
    Diags diags;
    Trace t;
    diags_init(&diags);
    char *path = write_file("cut", trace_text, 200); /* no end */
    assert_int_equal(trace_read(path, &t, &diags), -1);
    assert_int_equal(diags.errors, 1);
    assert_int_equal(trace_read("/nonexistent/trace", &t, &diags), -1);
    assert_int_equal(diags.errors, 2);
    diags_fini(&diags);
    free(path);
    /* random damage must never crash; whatever is accepted has an end */
    unsigned seed = 1;
    for (int round = 0; round < 2000; ++round) {
        char text[sizeof trace_text];
        memcpy(text, trace_text, sizeof text);
        for (int k = 0; k < 1 + round % 4; ++k) {
            seed = seed * 1664525u + 1013904223u;
            text[(seed >> 8) % (sizeof text - 1)] = (char)(seed >> 24);
        }
        path = write_file("fuzz", text, sizeof text - 1);
        diags_init(&diags);
        if (trace_read(path, &t, &diags) == 0)
            trace_fini(&t);
        else
            assert_true(diags.errors > 0);
        diags_fini(&diags);
        free(path);
    }
}

static void make_mode(ModeResult *m, const char *name, const void *bytes, size_t count,
                      uint64_t hash)
{
    memset(m, 0, sizeof *m);
    m->ran = true;
    m->bytes_file = write_file(name, bytes, count);
    m->first.dtoh_bytes = count;
    VEC_PUSH(m->first.back, ((TraceBytes){count, hash, 0}));
}

static void free_mode(ModeResult *m)
{
    free(m->bytes_file);
    trace_fini(&m->first);
}

static void measures_differences(void **state)
{
    (void)state;
    ModeResult a, b;
    BytesDifference d;
    float x[4] = {1, 2, -3, 4}, y[4] = {1, nextafterf(nextafterf(2, 3), 3), -3, 4};
    make_mode(&a, "a", x, sizeof x, 1);
    make_mode(&b, "b", y, sizeof y, 2);
    bytes_compare(&a, &b, &d);
    assert_false(d.equal);
    assert_string_equal(d.type, "float");
    assert_int_equal(d.words, 1);
    assert_true(d.most == 2);
    free_mode(&b);
    make_mode(&b, "b", x, sizeof x, 1);
    bytes_compare(&a, &b, &d);
    assert_true(d.equal);
    VEC_PUSH(b.first.back, ((TraceBytes){4, 1, 16})); /* one copy more */
    bytes_compare(&a, &b, &d);
    assert_false(d.equal);
    assert_true(d.shape);
    free_mode(&a);
    free_mode(&b);
    double p[3] = {1.1, 2.2, 3.3}, q[3] = {1.1, nextafter(2.2, 3), 3.3};
    make_mode(&a, "a", p, sizeof p, 1);
    make_mode(&b, "b", q, sizeof q, 2);
    bytes_compare(&a, &b, &d);
    assert_string_equal(d.type, "double");
    assert_true(d.most == 1);
    free_mode(&a);
    free_mode(&b);
    int32_t m[4] = {5, 6, 7, 8}, n[4] = {5, 6, 17, 8};
    make_mode(&a, "a", m, sizeof m, 1);
    make_mode(&b, "b", n, sizeof n, 2);
    bytes_compare(&a, &b, &d);
    assert_string_equal(d.type, "int");
    assert_true(d.most == 10);
    free_mode(&a);
    free_mode(&b);
}

static void finds_records(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\nprogram\targuments\n"
        "sum\t4\tNVIDIA H200\t13.0\t2026-12-02\t100\t5\t1\t0.25\t2\t64\t128\t00000000000000aa\n"
        "sum\t8\tNVIDIA H200\t13.0\t2026-12-02\t100\t5\t1\t0.50\t2\t64\t128\t00000000000000bb\n";
    char *path = write_file("records", text, strlen(text));
    Diags diags;
    diags_init(&diags);
    CompareRecord r;
    assert_int_equal(record_find(path, "sum", "8", &r, &diags), 0);
    assert_true(r.present && r.kernels == 0.5 && r.dtoh_bytes == 128);
    assert_string_equal(r.hash, "00000000000000bb");
    free(r.gpu), free(r.driver), free(r.date), free(r.hash);
    assert_int_equal(record_find(path, "sum", "16", &r, &diags), 0);
    assert_false(r.present);
    assert_int_equal(record_find("/nonexistent/records", "sum", "8", &r, &diags), 0);
    assert_false(r.present);
    free(path);
    path = write_file("records", "sum\t8\tGPU\t13\tdate\tfast\t1\t1\t1\t1\t1\t1\tx\n", 34);
    assert_true(record_find(path, "sum", "8", &r, &diags) != 0);
    assert_int_equal(diags.errors, 1);
    assert_int_equal(diags.list.items[0].line, 1);
    diags_fini(&diags);
    free(path);
}

static void says_when_a_gpu_pays(void **state)
{
    (void)state;
    CompareResult r = {0};
    for (int m = 0; m < 3; ++m)
        r.modes[m].ran = true;
    r.modes[MODE_serial].best.kernels = 100;
    r.modes[MODE_simd].best.kernels = 10;
    r.modes[MODE_cores].best.kernels = 5;
    r.modes[MODE_cores].best.threads = 2;
    r.modes[MODE_cores].first.launches = 1;
    r.recorded = (CompareRecord){.gpu = (char *)(uintptr_t) "G",
                                 .htod = 0.5,
                                 .kernels = 0.25,
                                 .dtoh = 0.25,
                                 .present = true};
    char *text = compare_sentence(&r);
    assert_non_null(strstr(text, "SIMD gave 10x"));
    assert_non_null(strstr(text, "2 cores 2.0x"));
    assert_non_null(strstr(text, "together 20x"));
    assert_non_null(strstr(text, "a gain of 5.0x")); /* 5 / (1 + 0.005) */
    assert_non_null(strstr(text, "about 1/800 of")); /* 0.005 / (5 - 1) */
    free(text);
    r.recorded.htod = 9; /* the transfers alone take longer */
    text = compare_sentence(&r);
    assert_non_null(strstr(text, "does not pay at any size"));
    free(text);
}

static void draws_both_formats(void **state)
{
    (void)state;
    Plot *plot = plot_new(80, 40);
    plot_rect(plot, 10, 10, 20, 20, 0xff0000);
    plot_line(plot, 0, 39.5, 80, 39.5, 1, 0x0000ff);
    plot_text(plot, 40, 20, 7, PLOT_LEFT, 0, "A<b&%d", 7);
    char *svg = xasprintf("%s/p.svg", folder), *png = xasprintf("%s/p.png", folder);
    assert_int_equal(plot_write_svg(plot, svg), 0);
    assert_int_equal(plot_write_png(plot, png), 0);
    Buf text = {0};
    assert_int_equal(fs_read(svg, &text), 0);
    assert_non_null(strstr(text.data, "A&lt;b&amp;7"));
    buf_free(&text);
    assert_int_equal(fs_read(png, &text), 0);
    assert_memory_equal(text.data, "\x89PNG", 4);
    buf_free(&text);
    assert_true(plot_write_svg(plot, "/dev/null/p.svg") < 0);
    assert_true(plot_write_png(plot, "/dev/null/p.png") < 0);
    plot_free(plot);
    free(svg);
    free(png);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"trace", "cut",     "fuzz",  "a",
                                        "b",     "records", "p.svg", "p.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char *path = xasprintf("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_trace),        cmocka_unit_test(refuses_damaged_traces),
        cmocka_unit_test(measures_differences), cmocka_unit_test(finds_records),
        cmocka_unit_test(says_when_a_gpu_pays), cmocka_unit_test(draws_both_formats),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
