/* SPDX-License-Identifier: Apache-2.0
 * Every failure's recorded machine must give that finding and no other; its clean twin none. Each
 * row of checks.def must have its case file. */
#include "image.h"
#include "base/fs.h"
#include "doctor/codes.h"
#include "doctor/doctor.h"

#include <dirent.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
    Machine machine;
    Doctor doctor;
    char *json, *text;
} Run;

static const char *severities[] = {"note", "warning", "error"};

static void run_on(Run *run, const char *folder, const char *program)
{
    machine_init(&run->machine, folder);
    doctor_init(&run->doctor, &run->machine);
    run->doctor.limit = 20;
    doctor_probe(&run->doctor);
    doctor_check(&run->doctor);
    if (program) {
        const char *problem;
        bool good = program_inspect(
            &run->doctor, arena_printf(run->machine.arena, "%s%s", folder, program), &problem);
        if (!good)
            fail_msg("%s: %s", program, problem);
    }
    size_t count;
    FILE *memory = open_memstream(&run->text, &count);
    report_text(&run->doctor, memory, true);
    fclose(memory);
    run->json = report_json(&run->doctor);
}

static void run_end(Run *run)
{
    free(run->json);
    free(run->text);
    program_fini(&run->doctor);
    doctor_fini(&run->doctor);
    machine_fini(&run->machine);
}

static bool expected(const Image *image, const Finding *finding)
{
    char line[32];
    snprintf(line, sizeof line, "%s %s", check_rows[finding->check].id,
             severities[finding->severity]);
    for (size_t i = 0; i < image->expected.count; ++i)
        if (strcmp(image->expected.items[i], line) == 0)
            return true;
    return false;
}

/* The report's lines are broken at 80 columns: words are looked for in one long line. */
static char *one_line(const char *text)
{
    Buf out = {0};
    for (; *text; ++text)
        if (*text != '\n' && !(*text == ' ' && out.count && out.data[out.count - 1] == ' '))
            buf_putc(&out, *text);
        else if (*text == '\n' && out.count && out.data[out.count - 1] != ' ')
            buf_putc(&out, ' ');
    return out.data;
}

static int judge(const char *id, const char *variant, const Image *image, const Run *run)
{
    int wrong = 0;
    for (size_t i = 0; i < run->doctor.findings.count; ++i) {
        const Finding *finding = run->doctor.findings.items[i];
        if (!expected(image, finding)) {
            fprintf(stderr, "%s %s: not expected: %s %s: %s\n", id, variant,
                    check_rows[finding->check].id, severities[finding->severity], finding->seen);
            wrong++;
        }
        if (!finding->evidence.count || !finding->fix[0] || !finding->seen[0] ||
            strstr(finding->fix, "{install}")) {
            fprintf(stderr, "%s %s: a finding without evidence or fix\n", id, variant);
            wrong++;
        }
    }
    if (run->doctor.findings.count != image->expected.count) {
        fprintf(stderr, "%s %s: %zu findings, %zu expected\n", id, variant,
                run->doctor.findings.count, image->expected.count);
        wrong++;
    }
    char *flat = one_line(run->text);
    for (size_t i = 0; i < image->texts.count; ++i)
        if (!strstr(flat, image->texts.items[i])) {
            fprintf(stderr, "%s %s: the report lacks '%s'\n%s\n", id, variant,
                    image->texts.items[i], run->text);
            wrong++;
        }
    free(flat);
    struct json_object *all = json_tokener_parse(run->json), *list;
    if (!all || !json_object_object_get_ex(all, "findings", &list) ||
        json_object_array_length(list) != run->doctor.findings.count) {
        fprintf(stderr, "%s %s: the JSON report is not right\n", id, variant);
        wrong++;
    }
    json_object_put(all);
    return wrong;
}

static int try_variant(const char *path, const char *id, const char *variant)
{
    Image image = {0};
    Run run = {0};
    image_load(&image, path, variant);
    if (!image.lines) {
        fprintf(stderr, "%s: no '== %s'\n", path, variant);
        return 1;
    }
    bool broken = strcmp(variant, "broken") == 0;
    if (broken != (image.expected.count > 0)) {
        fprintf(stderr, "%s: broken must expect something, clean nothing\n", path);
        return 1;
    }
    char folder[512];
    snprintf(folder, sizeof folder, "%s/tests/doctor/images/%s-%s", BUILD_DIR, id, variant);
    remove_tree(folder);
    image_write(&image, folder);
    run_on(&run, folder, image.program);
    int wrong = judge(id, variant, &image, &run);
    run_end(&run);
    image_free(&image);
    if (!wrong)
        remove_tree(folder);
    return wrong;
}

static void test_cases(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < CHECK_COUNT; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/doctor/cases/%s.txt", SOURCE_DIR, check_rows[i].id);
        if (!fs_exists(path)) {
            fprintf(stderr, "%s: missing\n", path);
            wrong++;
            continue;
        }
        wrong += try_variant(path, check_rows[i].id, "broken");
        wrong += try_variant(path, check_rows[i].id, "clean");
    }
    assert_int_equal(wrong, 0);
}

/* More than one way to fail: files with any other name, of one variant or both. */
static void test_more_cases(void **state)
{
    (void)state;
    int wrong = 0, seen = 0;
    DIR *dir = opendir(SOURCE_DIR "/tests/doctor/cases");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[512], name[64];
        if (!strchr(entry->d_name, '-') || entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/doctor/cases/%s", SOURCE_DIR, entry->d_name);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(entry->d_name, "."), entry->d_name);
        Buf text = {0};
        assert_int_equal(fs_read(path, &text), 0);
        bool broken = strstr(text.data, "\n== broken") != NULL;
        buf_free(&text);
        wrong += try_variant(path, name, broken ? "broken" : "clean");
        seen++;
    }
    closedir(dir);
    assert_int_equal(wrong, 0);
    assert_true(seen >= 15);
}

static void load_base(const char *name, const char *folder, const char *extra)
{
    Image image = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/tests/doctor/base/%s.img", SOURCE_DIR, name);
    image_load(&image, path, NULL);
    if (extra) {
        char *file = xasprintf("%s.extra", folder);
        FILE *out = fopen(file, "w");
        assert_non_null(out);
        fputs(extra, out);
        fclose(out);
        image_load(&image, file, NULL);
        remove(file);
        free(file);
    }
    remove_tree(folder);
    image_write(&image, folder);
    image_free(&image);
}

#define FOLDER BUILD_DIR "/tests/doctor/images/one"

static void test_sick_driver_is_survived(void **state)
{
    (void)state;
    static const char *const ills[] = {"cuda init=hang", "cuda init=crash", "nvml init=crash"};
    for (int i = 0; i < 3; ++i) {
        Run run = {0};
        char *extra = xasprintf("answer %s\n", ills[i]);
        fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
        load_base("server", FOLDER, extra);
        free(extra);
        machine_init(&run.machine, FOLDER);
        doctor_init(&run.doctor, &run.machine);
        run.doctor.limit = 1;
        doctor_probe(&run.doctor);
        doctor_check(&run.doctor);
        assert_true(run.doctor.found[CHECK_D13]);
        const char *failed = i < 2 ? run.doctor.cuda.failed : run.doctor.nvml.failed;
        assert_non_null(failed);
        assert_non_null(strstr(failed, i ? "signal 6" : "no answer in 1 s"));
        run_end(&run);
    }
}

/* What was recorded, rebuilt and probed again must give the same report. */
static void test_record_round_trip(void **state)
{
    (void)state;
    Run first = {0}, second = {0};
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    load_base("server", FOLDER, "env CUDA_HOME=/usr/local/cuda\n");
    machine_init(&first.machine, FOLDER);
    first.machine.recording = true;
    doctor_init(&first.doctor, &first.machine);
    doctor_probe(&first.doctor);
    Buf recorded = {0};
    record_image(&first.doctor, &recorded);
    doctor_check(&first.doctor);
    first.json = report_json(&first.doctor);
    assert_null(strstr(recorded.data, "alice"));
    assert_null(strstr(recorded.data, "11111111-2222"));
    assert_non_null(strstr(recorded.data, "node /dev/nvidiactl")
                        ? recorded.data
                        : strstr(recorded.data, "file /dev/nvidiactl"));
    FILE *out = fopen(FOLDER ".img", "w");
    fputs(recorded.data, out);
    fclose(out);
    Image image = {0};
    image_load(&image, FOLDER ".img", NULL);
    image_write(&image, FOLDER "-again");
    run_on(&second, FOLDER "-again", NULL);
    assert_string_equal(first.json, second.json);
    image_free(&image);
    buf_free(&recorded);
    run_end(&first);
    run_end(&second);
    remove_tree(FOLDER "-again");
    remove(FOLDER ".img");
}

static void test_scrub(void **state)
{
    (void)state;
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    load_base("host", FOLDER, "env USER=alice\nfile /proc/sys/kernel/hostname\n| build7\n");
    Machine machine;
    machine_init(&machine, FOLDER);
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"on build7: ok", "on host: ok"},
        {"rebuild7 build77 build7.example", "rebuild7 build77 build7.example"},
        {"PATH=/home/alice/.cargo/bin:/homestead /usr/home/alicent",
         "PATH=/home/user/.cargo/bin:/homestead /usr/home/user"},
        {"/home/alice/x /home/bob/y", "/home/user/x /home/user/y"},
        {"GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee GPU-00000001-bbbb-cccc-dddd-eeeeeeeeeeee",
         "GPU-00000000-0000-0000-0000-000000000001 GPU-00000000-0000-0000-0000-000000000002"},
        {"ether 0c:c4:7a:12:34:56 inet 10.1.2.3", "ether 00:00:00:00:00:00 inet 0.0.0.0"},
        {"PCI 0000:01:00.0 driver 580.95.05", "PCI 0000:01:00.0 driver 580.95.05"},
        {"Serial Number : 1654922006536", "Serial Number : removed"},
        {"libcublas.so.12.6.3.3", "libcublas.so.12.6.3.3"},
        {"(alice@build7) root@10.0.0.1 a.b@c.org", "(user@host) name@example.org name@example.org"},
        {"docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *text = scrub(&machine, cases[i].in);
        if (cases[i].out)
            assert_string_equal(text, cases[i].out);
        else
            assert_null(strstr(text, "0123456789abcdef0123456789abcdef"));
        free(text);
    }
    machine_fini(&machine);
}

static void test_bundle(void **state)
{
    (void)state;
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    load_base("server", FOLDER,
              "env USER=alice\nenv LD_LIBRARY_PATH=/home/alice/lib\nfile "
              "/proc/sys/kernel/hostname\n| build7\n");
    Run run = {0};
    machine_init(&run.machine, FOLDER);
    run.machine.recording = true;
    doctor_init(&run.doctor, &run.machine);
    doctor_probe(&run.doctor);
    doctor_check(&run.doctor);
    assert_int_equal(bundle_write(&run.doctor, FOLDER ".tar"), 0);
    assert_true(bundle_write(&run.doctor, FOLDER "/no/such/folder/x.tar") < 0);
    Buf tar = {0};
    assert_int_equal(fs_read(FOLDER ".tar", &tar), 0);
    assert_int_equal(tar.count % 512, 0);
    static const char *const secrets[] = {"alice", "build7", "11111111-2222"};
    for (int i = 0; i < 3; ++i)
        assert_null(memmem(tar.data, tar.count, secrets[i], strlen(secrets[i])));
    assert_non_null(memmem(tar.data, tar.count, "H100", 4));
    buf_free(&tar);
    /* Another program must be able to read it. */
    assert_int_equal(
        system("tar -tf " FOLDER ".tar >" FOLDER ".list && test $(wc -l <" FOLDER ".list) = 3"), 0);
    remove(FOLDER ".tar");
    remove(FOLDER ".list");
    run_end(&run);
}

static void test_unreadable_is_named(void **state)
{
    (void)state;
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    load_base("server", FOLDER, "remove /dev/kmsg\n");
    Run run = {0};
    run_on(&run, FOLDER, NULL);
    assert_non_null(strstr(run.text, "not read: /dev/kmsg"));
    assert_false(doctor_has_problem(&run.doctor));
    run_end(&run);
}

static void test_program_inside_out(void **state)
{
    (void)state;
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    load_base("server", FOLDER,
              "program /opt/a needs=libc.so.6,libcuda.so.1 code=sm_90a,sm_80,compute_90@9.0\n"
              "program /opt/b needs=libc.so.6,libcuda.so.1 code=sm_100a\n"
              "program /opt/c needs=libc.so.6\n"
              "program /opt/d needs=libcudart.so.11.0,libc.so.6 code=sm_90\n"
              "file /opt/e\n| not a program\n");
    static const struct {
        const char *path;
        const char *verdict; /* NULL: refused */
        int finding;         /* CHECK_COUNT: none */
    } cases[] = {{"/opt/a", "yes, on the GPU", CHECK_COUNT},
                 {"/opt/b", "no: its GPU code", CHECK_D20},
                 {"/opt/c", "yes; it holds no CUDA code", CHECK_COUNT},
                 {"/opt/d", "no: a library is missing", CHECK_D23},
                 {"/opt/e", NULL, CHECK_COUNT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Run run = {0};
        machine_init(&run.machine, FOLDER);
        doctor_init(&run.doctor, &run.machine);
        doctor_probe(&run.doctor);
        doctor_check(&run.doctor);
        const char *problem;
        char *path = xasprintf("%s%s", FOLDER, cases[i].path);
        assert_int_equal(program_inspect(&run.doctor, path, &problem), cases[i].verdict != NULL);
        if (cases[i].verdict) {
            run.json = report_json(&run.doctor);
            assert_non_null(strstr(run.json, cases[i].verdict));
            assert_int_equal(run.doctor.findings.count, cases[i].finding < CHECK_COUNT);
            if (cases[i].finding < CHECK_COUNT)
                assert_true(run.doctor.found[cases[i].finding]);
        } else {
            assert_non_null(problem);
        }
        free(path);
        run_end(&run);
    }
}

/* Machines recorded by tests/doctor/record-machine on which all is well. */
static void test_recorded_machines(void **state)
{
    (void)state;
    const char *folder = SOURCE_DIR "/tests/doctor/machines";
    int seen = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!strstr(entry->d_name, ".img"))
            continue;
        Image image = {0};
        Run run = {0};
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
        remove_tree(FOLDER);
        image_load(&image, path, NULL);
        image_write(&image, FOLDER);
        run_on(&run, FOLDER, NULL);
        for (size_t i = 0; i < run.doctor.findings.count; ++i)
            if (run.doctor.findings.items[i]->severity > DIAG_NOTE)
                fail_msg("%s: %s", entry->d_name, run.text);
        assert_int_equal(run.doctor.cuda_init, 0);
        assert_true(kv_int(&run.doctor.cuda, 0, "count") > 0);
        assert_non_null(strstr(run.text, "CUDA works"));
        run_end(&run);
        image_free(&image);
        seen++;
    }
    if (dir)
        closedir(dir);
    if (!seen) {
        print_message("no recorded machine in tests/doctor/machines\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_more_cases),
        cmocka_unit_test(test_sick_driver_is_survived),
        cmocka_unit_test(test_record_round_trip),
        cmocka_unit_test(test_scrub),
        cmocka_unit_test(test_bundle),
        cmocka_unit_test(test_unreadable_is_named),
        cmocka_unit_test(test_program_inside_out),
        cmocka_unit_test(test_recorded_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
