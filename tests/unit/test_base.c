/* SPDX-License-Identifier: Apache-2.0
 * Arena, buffer, map, sizes. */
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/handles.h"
#include "base/map.h"
#include "base/options.h"
#include "base/scratch.h"
#include "base/utf8.h"

static void test_arena(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    char *first = arena_printf(arena, "%d-%s", 42, "x");
    for (int i = 0; i < 5000; ++i) {
        unsigned char *p = arena_alloc(arena, (size_t)(i % 300) + 1);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (int k = 0; k < i % 300 + 1; ++k)
            assert_int_equal(p[k], 0);
        memset(p, 0xff, (size_t)(i % 300) + 1);
    }
    arena_alloc(arena, 1 << 20);
    assert_string_equal(first, "42-x");
    arena_free(arena);
}

static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text, *clean; /* NULL: as it is */
    } cases[] = {
        {"", NULL},
        {"cat", NULL},
        {"h\xc3\xbcnd \xe7\x8b\x97 \xf0\x9f\x90\x95", NULL},
        {"\xf4\x8f\xbf\xbf", NULL},
        {"a\xff", "a\xef\xbf\xbd"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* overlong */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond */
        {"\xe7\x8b", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* cut */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *clean = utf8_clean(cases[i].text);
        assert_int_equal(utf8_valid(cases[i].text), cases[i].clean == NULL);
        assert_string_equal(clean, cases[i].clean ? cases[i].clean : cases[i].text);
        free(clean);
    }
}

static void test_map(void **state)
{
    (void)state;
    Map map = {0};
    int values[1000];
    char key[32];
    for (int i = 0; i < 1000; ++i) {
        snprintf(key, sizeof key, "k%d", i);
        map_set(&map, key, &values[i]);
    }
    for (int i = 0; i < 1000; ++i) {
        snprintf(key, sizeof key, "k%d", i);
        assert_ptr_equal(map_get(&map, key), &values[i]);
    }
    assert_null(map_get(&map, "k1000"));
    assert_ptr_equal(map_get_n(&map, "k12345", 3), &values[12]);
    map_free(&map);
}

static void test_sizes(void **state)
{
    (void)state;
    unsigned long long bytes;
    double seconds;
    assert_true(parse_size("24G", &bytes) && bytes == 24ull << 30);
    assert_true(parse_size("1.5KiB", &bytes) && bytes == 1536);
    assert_false(parse_size("-1", &bytes));
    assert_false(parse_size("12Q", &bytes));
    assert_true(parse_seconds("2m", &seconds) && seconds == 120);
    assert_false(parse_seconds("2 weeks", &seconds));
}

/* Numbers of options: what no command can mean (0 threads, a time of 0) is refused everywhere. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        OptType type;
        const char *arg, *given;
        int status;
    } cases[] = {
        {OPT_INT, "N", "0", 0},          {OPT_INT, "N", "-1", 2},
        {OPT_INT, "N", "1x", 2},         {OPT_INT, "N", "99999999999999999999", 2},
        {OPT_COUNT, "N", "1", 0},        {OPT_COUNT, "N", "0", 2},
        {OPT_COUNT, "1-64", "64", 0},    {OPT_COUNT, "1-64", "65", 2},
        {OPT_COUNT, "1-64", "0", 2},     {OPT_INT, "0-255", "0", 0},
        {OPT_REAL, "X", "0", 0},         {OPT_REAL, "X", "-0.5", 2},
        {OPT_REAL, "X", "nan", 2},       {OPT_REAL, "X", "inf", 2},
        {OPT_REAL, "0-100", "100.5", 2}, {OPT_POSITIVE, "X", "0.25", 0},
        {OPT_POSITIVE, "X", "0", 2},     {OPT_POSITIVE, "X", "", 2},
        {OPT_SIZE, "SIZE", "4K", 0},     {OPT_SIZE, "SIZE", "0", 2},
        {OPT_SIZE, "64K-64G", "64K", 0}, {OPT_SIZE, "64K-64G", "65G", 2},
        {OPT_SECONDS, "TIME", "5m", 0},  {OPT_SECONDS, "TIME", "0", 2},
        {OPT_SECONDS, "TIME", "0s", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        union {
            long whole;
            double real;
            unsigned long long bytes;
        } value = {0};
        const Option option = {0, "number", cases[i].type, &value, cases[i].arg, "a number"};
        const Command command = {"test", "", "", NULL, &option, 1, false};
        char *argv[] = {"test", "--number", (char *)cases[i].given, NULL};
        int operands;
        int status = options_parse(&command, 3, argv, &operands, NULL);
        if (status != cases[i].status)
            fail_msg("type %d, %s: %s gives %d", (int)cases[i].type, cases[i].arg, cases[i].given,
                     status);
    }
}

static void test_diags(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    diag_add(&diags, DIAG_ERROR, "a.ptx", 3, 7, "unknown instruction '%s'", "foo");
    diag_help(&diags, "see %s", "gpukit ptx --support");
    char *text = diags_text(&diags);
    assert_string_equal(text, "a.ptx:3:7: error: unknown instruction 'foo'\n"
                              "  help: see gpukit ptx --support\n");
    assert_int_equal(diags.errors, 1);
    free(text);
    diags_fini(&diags);
}

static void test_handles(void **state)
{
    (void)state;
    static Handles handles = HANDLES_NONE;
    int a = 0, b = 0, c = 0;
    handles_add(&handles, &a);
    handles_add(&handles, &b);
    assert_true(handles_has(&handles, &a) && handles_has(&handles, &b));
    assert_false(handles_has(&handles, &c) || handles_has(&handles, NULL));
    assert_true(handles_remove(&handles, &a));
    assert_false(handles_remove(&handles, &a) || handles_has(&handles, &a));
    assert_true(handles_has(&handles, &b));
    VEC_FREE(handles.items);
}

/* What a killed process leaves goes with the next folder; what a living one has stays. */
static void test_scratch(void **state)
{
    (void)state;
    char base[] = "/tmp/gpukit-test.XXXXXX", name[2] = "";
    int ready[2], done[2];
    assert_non_null(mkdtemp(base));
    assert_int_equal(pipe(ready) | pipe(done), 0);
    pid_t child = fork();
    if (child == 0) { /* two folders: one of a process that is killed */
        char *path = scratch_new(base);
        char *inside = xasprintf("%s/inside", path ? path : "/nonexistent");
        bool made = path && mkdir(inside, 0700) == 0;
        if (write(ready[1], made ? "y" : "n", 1) != 1 || read(done[0], name, 1) != 1)
            _exit(1);
        _exit(0);
    }
    assert_int_equal(read(ready[0], name, 1), 1);
    assert_string_equal(name, "y");
    char *own = scratch_new(base), *pattern = xasprintf("%s/gpukit.*", base);
    assert_non_null(own);
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    globfree(&found);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    char *same = xasprintf("%s/.", base); /* a process looks once at each name of a place */
    scratch_remove(scratch_new(same));
    free(same);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    assert_string_equal(found.gl_pathv[0], own);
    globfree(&found);
    scratch_remove(own);
    assert_int_equal(rmdir(base), 0);
    free(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),   cmocka_unit_test(test_map),
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_diags),   cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_handles), cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
