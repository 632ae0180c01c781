/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor from outside: exit codes, what it prints, time to start, a program built by a real
 * nvcc where there is one. */
#include "image.h"
#include "base/fs.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define HOME BUILD_DIR "/tests/doctor/images/cli"

static char *output; /* of the last run, standard output and error */

static int run(const char *format, ...)
{
    char arguments[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    char *command = xasprintf("%s/gpukit doctor %s 2>&1 </dev/null", BUILD_DIR, arguments);
    Buf text = {0};
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char piece[4096];
    for (size_t count; (count = fread(piece, 1, sizeof piece, pipe)) > 0;)
        buf_add(&text, piece, count);
    int status = pclose(pipe);
    free(command);
    free(output);
    output = xstrdup(buf_text(&text));
    buf_free(&text);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define EXPECT(code, words)                                                                        \
    do {                                                                                           \
        int got_ = (code);                                                                         \
        if (got_ < 0 || !strstr(output, words))                                                    \
            fail_msg("no '%s' in:\n%s", words, output);                                            \
    } while (0)

static void image(const char *name, const char *file, const char *variant)
{
    Image one = {0};
    char path[512], folder[512];
    snprintf(path, sizeof path, "%s/tests/doctor/%s", SOURCE_DIR, file);
    snprintf(folder, sizeof folder, "%s/%s", HOME, name);
    image_load(&one, path, variant);
    image_write(&one, folder);
    image_free(&one);
}

static int set_up(void **state)
{
    (void)state;
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    remove_tree(HOME);
    image("host", "base/host.img", NULL);
    image("server", "base/server.img", NULL);
    image("d18", "cases/D18.txt", "broken");
    image("d33", "cases/D33.txt", "broken");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(output);
    remove_tree(HOME);
    return 0;
}

static void test_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(run("--root %s/host", HOME), 0);
    EXPECT(0, "No GPU for CUDA here, and that is no fault");
    assert_int_equal(run("--root %s/server", HOME), 0);
    EXPECT(0, "CUDA works: 1 device(s).");
    EXPECT(0, "driver serves 13.0   toolkit 13.0   program -");
    assert_int_equal(run("--root %s/d18", HOME), 1);
    EXPECT(0, "[!!] D18");
    assert_int_equal(run("--root %s/d33", HOME), 0); /* a note is no problem */
    EXPECT(0, "[i ] D33");
    assert_int_equal(run("--explain 700"), 0);
    assert_int_equal(run("--explain nonsense"), 1);
    EXPECT(0, "help:");
    assert_int_equal(run("--help"), 0);
    EXPECT(0, "gpukit doctor --bundle report.tar");
    assert_int_equal(run("--nonsense"), 2);
    assert_int_equal(run("a b"), 2);
    EXPECT(0, "one program at a time, not also 'b'");
    assert_int_equal(run("--root /no/such/folder"), 2);
    assert_int_equal(run("/no/such/program"), 2);
    EXPECT(0, "/no/such/program: No such file or directory");
    assert_int_equal(run("%s/CMakeLists.txt", SOURCE_DIR), 2);
    EXPECT(0, "not a program (ELF file)");
    assert_int_equal(run("%s/tests/doctor/record-machine", SOURCE_DIR), 2);
    EXPECT(0, "a script");
    assert_int_equal(run("--bundle /no/such/folder/x.tar"), 3);
    EXPECT(0, "help: name a file in a folder that you may write to");
}

static void program(const char *name, const char *needs, const char *code)
{
    Arena *arena = arena_new();
    Buf elf = {0};
    image_elf(arena, &elf, needs, NULL, code);
    char *path = xasprintf("%s/%s", HOME, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(elf.data, 1, elf.count, file);
    fclose(file);
    free(path);
    buf_free(&elf);
    arena_free(arena);
}

static void test_program_exit_codes(void **state)
{
    (void)state;
    program("fits", "libc.so.6,libcuda.so.1", "sm_90");
    program("old", "libc.so.6,libcuda.so.1", "sm_80");
    program("plain", "libc.so.6", NULL);
    assert_int_equal(run("--root %s/server %s/fits", HOME, HOME), 0);
    EXPECT(0, "yes, on the GPU");
    assert_int_equal(run("--root %s/server %s/old", HOME, HOME), 1);
    EXPECT(0, "[!!] D20");
    /* gcc is too new there, which is no matter for a program that exists */
    assert_int_equal(run("--root %s/d18 %s/fits", HOME, HOME), 0);
    assert_int_equal(run("--root %s/host %s/plain", HOME, HOME), 0);
    assert_int_equal(run("--root %s/host %s/fits", HOME, HOME), 1);
    EXPECT(0, "the CPU engine needs PTX inside");
}

static void test_one_screen(void **state)
{
    (void)state;
    assert_int_equal(run("--root %s/server", HOME), 0);
    int lines = 0;
    for (char *line = output; *line; ++lines) {
        size_t width = strcspn(line, "\n");
        if (width > 80)
            fail_msg("%zu columns: %.*s", width, (int)width, line);
        line += width + (line[width] == '\n');
    }
    assert_true(lines <= 24);
    assert_null(strchr(output, '\033')); /* no colour into a pipe */
}

static void test_json(void **state)
{
    (void)state;
    assert_int_equal(run("--json --root %s/d18", HOME), 1);
    struct json_object *all = json_tokener_parse(output), *list, *first, *value;
    assert_non_null(all);
    assert_true(json_object_object_get_ex(all, "findings", &list));
    assert_int_equal(json_object_array_length(list), 1);
    first = json_object_array_get_idx(list, 0);
    static const char *const keys[] = {"id",    "severity", "title", "seen",
                                       "cause", "evidence", "fix",   "see"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        assert_true(json_object_object_get_ex(first, keys[i], &value));
    assert_true(json_object_object_get_ex(all, "gpus", &list));
    first = json_object_array_get_idx(list, 0);
    assert_true(json_object_object_get_ex(first, "memory_total", &value));
    assert_int_equal(json_object_get_int64(value), 85520809984);
    assert_true(json_object_object_get_ex(all, "problems", &value));
    assert_int_equal(json_object_get_int(value), 1);
    json_object_put(all);
}

static void test_install_every_family(void **state)
{
    (void)state;
    static const struct {
        const char *id, *like, *version, *wanted;
    } systems[] = {{"ubuntu", "debian", "24.04", "ubuntu2404"},
                   {"debian", "", "12", "debian12"},
                   {"linuxmint", "ubuntu debian", "22", "repos/ubuntu2404"},
                   {"rocky", "rhel centos fedora", "9.4", "rhel9"},
                   {"amzn", "fedora", "2023", "amzn2023"},
                   {"fedora", "", "42", "akmod-nvidia"},
                   {"opensuse-leap", "suse opensuse", "15.6", "zypper"},
                   {"arch", "", "", "pacman -S cuda"},
                   {"alpine", "", "3.20", "gpukit knows no commands for this distribution"}};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; ++i) {
        char *path = xasprintf("%s/host/etc/os-release", HOME);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "ID=%s\nID_LIKE=\"%s\"\nVERSION_ID=\"%s\"\n%s", systems[i].id,
                systems[i].like, systems[i].version,
                strcmp(systems[i].id, "linuxmint") == 0 ? "UBUNTU_CODENAME=noble\n" : "");
        fclose(file);
        free(path);
        assert_int_equal(run("--install --root %s/host", HOME), 0);
        EXPECT(0, systems[i].wanted);
        EXPECT(0, "compute-sanitizer");
        assert_null(strstr(output, "{"));
    }
}

/* This machine: whatever it is, the report must come, and a bundle without its host name. */
static void test_this_machine(void **state)
{
    (void)state;
    int code = run("--json");
    assert_true(code == 0 || code == 1);
    struct json_object *all = json_tokener_parse(output), *value, *cpu;
    assert_non_null(all);
    assert_true(json_object_object_get_ex(all, "cpu", &cpu) &&
                json_object_object_get_ex(cpu, "threads", &value));
    assert_int_equal(json_object_get_int(value), sysconf(_SC_NPROCESSORS_ONLN));
    json_object_put(all);
    assert_int_equal(run("--bundle %s/report.tar", HOME), 0);
    char *command =
        xasprintf("cd %s && tar -xf report.tar && test -s gpukit-doctor/machine.img", HOME);
    assert_int_equal(system(command), 0);
    free(command);
}

static int problems(void)
{
    struct json_object *all = json_tokener_parse(output), *value;
    assert_non_null(all);
    assert_true(json_object_object_get_ex(all, "problems", &value));
    int count = json_object_get_int(value);
    json_object_put(all);
    return count;
}

/* The recorder that people run elsewhere builds from its sources alone, and what it records of
 * this machine leads to the same findings as the machine itself. */
static void test_record_machine(void **state)
{
    (void)state;
    char *command = xasprintf("%s/tests/doctor/record-machine %s/record >%s/record.log 2>&1",
                              SOURCE_DIR, HOME, HOME);
    assert_int_equal(system(command), 0);
    free(command);
    Image one = {0};
    image_load(&one, HOME "/record/machine.img", NULL);
    image_write(&one, HOME "/recorded");
    image_free(&one);
    run("--json");
    int here = problems();
    run("--json --root %s/recorded", HOME);
    assert_int_equal(problems(), here);
}

static void test_starts_in_20_ms(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        run("--root %s/host", HOME);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
        best = ms < best ? ms : best;
    }
    print_message("fastest of 20 starts, with its shell: %.1f ms\n", best);
    assert_true(best < 20);
}

static void test_program_of_nvcc(void **state)
{
    (void)state;
    char *nvcc = fs_which("nvcc");
    if (!nvcc) {
        print_message("no nvcc here: not tried\n");
        skip();
    }
    char *command = xasprintf(
        "cd %s && echo '__global__ void k() {} int main() { k<<<1, 1>>>(); return 0; }' >k.cu && "
        "%s -cudart shared -gencode arch=compute_80,code=sm_80 -gencode "
        "arch=compute_90a,code=[sm_90a,compute_90a] -o k k.cu 2>nvcc.log",
        HOME, nvcc);
    int failed = system(command);
    free(command);
    free(nvcc);
    if (failed) {
        print_message("nvcc does not compile here: not tried\n");
        skip();
    }
    int code = run("--json %s/k", HOME);
    assert_true(code == 0 || code == 1);
    EXPECT(0, "\"architecture\":\"sm_80\"");
    EXPECT(0, "\"architecture\":\"sm_90a\"");
    EXPECT(0, "\"architecture\":\"compute_90a\"");
    EXPECT(0, "\"uses_cuda\":true");
    EXPECT(0, "libcudart.so.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_codes),           cmocka_unit_test(test_program_exit_codes),
        cmocka_unit_test(test_one_screen),           cmocka_unit_test(test_json),
        cmocka_unit_test(test_install_every_family), cmocka_unit_test(test_this_machine),
        cmocka_unit_test(test_record_machine),       cmocka_unit_test(test_starts_in_20_ms),
        cmocka_unit_test(test_program_of_nvcc),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
