/* SPDX-License-Identifier: Apache-2.0
 * The commands gpus, instances, catalogue and pick as a user runs them: exit codes, 80 columns,
 * JSON that parses, and how long they take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"

static char folder[] = "/tmp/gpukit-cli-XXXXXX";

/* Standard output and error together; returns the exit code. */
static int run(const char *arguments, Buf *out)
{
    char command[1024], block[4096];
    snprintf(command, sizeof command, BUILD_DIR "/gpukit %s 2>&1", arguments);
    out->count = 0;
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t got;
    while ((got = fread(block, 1, sizeof block, pipe)) > 0)
        buf_add(out, block, got);
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void says(const Buf *out, const char *words)
{
    if (!strstr(buf_text(out), words))
        print_error("no '%s' in:\n%s\n", words, buf_text(out));
    assert_non_null(strstr(buf_text(out), words));
}

static int setup(void **state)
{
    (void)state;
    setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
    if (!mkdtemp(folder))
        return -1;
    setenv("XDG_DATA_HOME", folder, 1);
    return 0;
}

static int teardown(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void test_exit_codes(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        int code;
        const char *words;
    } cases[] = {
        {"gpus", 0, "RTX 5090"},
        {"gpus a10g", 0, "80 SMs"},
        {"gpus --min-memory 100 --cc 9", 0, "H200"},
        {"gpus --min-memory 10000", 1, "none meets"},
        {"gpus nosuchcard", 2, "no GPU 'nosuchcard'"},
        {"gpus --sort colour", 2, "no column 'colour'"},
        {"gpus --vendor Intel", 2, "there are: NVIDIA"},
        {"gpus --help", 0, "examples:"},
        {"instances", 0, "g4dn"},
        {"instances g5.xlarge", 0, "on demand   1.006 USD/h, us-east-1, 2026-07-20 (134d)"},
        {"instances p5.48xlarge", 0, "2023-08-08: on demand 98.32"},
        {"instances g5", 0, "g5.48xlarge"},
        {"instances --category training", 0, "p4d.24xlarge"},
        {"instances --category cooking", 2, "there are: training"},
        {"instances --gpu h200", 0, "p5en.48xlarge"},
        {"instances --gpu h2000", 2, "no GPU 'h2000'"},
        {"instances g5.xlargo", 2, "no instance or family"},
        {"instances --sort furlong", 2, "cannot sort by"},
        {"instances --region moon", 2, "not the name of a region"},
        {"instances g6 --max-age 30", 1, "older than 30 days refused"},
        {"instances --guide", 0, "Managed (SageMaker)"},
        {"catalogue", 0, "never"},
        {"catalogue sources", 0, "skypilot-aws *"},
        {"catalogue history p4d.24xlarge", 0, "32.77"},
        {"catalogue history nothing", 2, "no instance"},
        {"catalogue dance", 2, "unknown word"},
        {"catalogue refresh --from /nonexistent.csv", 3, "No such file"},
        {"catalogue refresh --from " SOURCE_DIR "/LICENSE", 1, "not a price file"},
        {"catalogue refresh --format xml --from x", 2, "no format 'xml'"},
        {"catalogue refresh --date 2099-01-01 --from x", 2, "up to today"},
        {"pick", 2, "which job?"},
        {"pick --infer 8B", 0, "g6.xlarge"},
        {"pick --infer huge", 2, "llama-3.1-8b"},
        {"pick --infer 8B --train 7B", 2, "one job at a time"},
        {"pick --infer 8B --quant int3", 2, "--quant"},
        {"pick --infer 8B --budget 5/fortnight", 2, "--budget"},
        {"pick --infer 8B --exclude g99", 2, "g99"},
        {"pick --infer 8B --arch Amper", 2, "neither a host"},
        {"pick --infer 8B --budget 100", 2, "needs the job's size"},
        {"pick --infer 405B --budget 1/h", 1, "fail on budget"},
        {"pick --infer 70B --arch arm64", 1, "fail on memory"},
        {"pick --infer 8B --model llama-3.1-8b --max-age 10", 1, "134 days old"},
        {"pick --layers 32 --hidden 4096 --kv-heads 8 --head-dim 128 --vocab 128256", 0,
         "g6.xlarge"},
        {"pick --infer 8B --region eu-west-1", 1, "no on-demand price in eu-west-1"},
        {"pick --graphics", 0, "no RT cores"},
        {"pick --video --codec av1", 0, "g6.xlarge"},
        {"pick --video --codec vp9", 2, "--codec"},
        {"pick --memory 40 --spot", 0, "taken away"},
        {"pick --train 7B --optimizer lora --tokens 50M --budget 20 --deadline 6h", 0,
         "the least cost for the job"},
        {"pick --train resnet-50 --images 1.28M --epochs 90 --batch 64", 0, "forward passes"},
        {"pick --cuda /nonexistent.json", 2, "No such file"},
        {"pick --buy", 0, "RTX 3060 12GB"},
        {"pick --buy --infer 70B --quant int4 --budget 1000", 1, "No card"},
        {"pick --buy --budget 5/h", 2, "a sum for the card"},
        {"pick --compare l4 a10g rtx-4090", 0, "8B 4-bit"},
        {"pick --compare l4", 2, "2 to 16"},
        {"pick --compare l4 x99", 2, "x99"},
        {"pick something --infer 8B", 2, "given by options"},
        {"pick --infer 8B --batch zero", 2, "is not a number"},
        {"pick --memory -5", 2, "--memory: '-5' is not a number above 0"},
        {"pick --infer 8B --context nan", 2, "--context: 'nan'"},
        {"gpus --min-memory -1", 2, "--min-memory: '-1' is not a number of 0 or more"},
        {"instances -n -3", 2, "-n: '-3' is not a whole number of 1 or more"}};
    Buf out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int code = run(cases[i].arguments, &out);
        if (code != cases[i].code)
            print_error("gpukit %s: exit %d, want %d:\n%.600s\n", cases[i].arguments, code,
                        cases[i].code, buf_text(&out));
        assert_int_equal(code, cases[i].code);
        says(&out, cases[i].words);
    }
    buf_free(&out);
}

/* Without --wide everything fits a terminal of 80 columns (addresses and paths aside). */
static void test_columns(void **state)
{
    (void)state;
    static const char *const commands[] = {"gpus",
                                           "gpus h200",
                                           "gpus a10g l4",
                                           "gpus --rent",
                                           "instances",
                                           "instances --all",
                                           "instances --category inference",
                                           "instances --managed",
                                           "instances --sort tbs",
                                           "instances p5.48xlarge",
                                           "instances p6e-gb200.36xlarge",
                                           "instances ml.g5.xlarge",
                                           "instances --guide",
                                           "instances --region any",
                                           "pick --infer 8B",
                                           "pick --infer 70B --why",
                                           "pick --infer 405B",
                                           "pick --infer 70B --batch 64 --tokens 1T",
                                           "pick --train 7B --tokens 1B",
                                           "pick --train 405B --nodes 16 --tokens 1T",
                                           "pick --graphics",
                                           "pick --video",
                                           "pick --memory 24 --managed",
                                           "pick --buy",
                                           "pick --buy --infer 13B --quant int4",
                                           "pick --compare l4 a10g rtx-4090",
                                           "pick --compare g5.xlarge g6e.xlarge p4d.24xlarge",
                                           "catalogue history p5.48xlarge"};
    Buf out = {0};
    int too_wide = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        run(commands[i], &out);
        for (char *line = out.data; line && *line;) {
            char *end = strchr(line, '\n');
            int width = 0;
            for (const char *p = line; *p && p != end; ++p)
                width += (*p & 0xc0) != 0x80;
            if (width > 80)
                print_error("gpukit %s: %d columns: %.*s\n", commands[i], width,
                            (int)(end ? end - line : 200), line);
            too_wide += width > 80;
            assert_null(
                memchr(line, '\033',
                       end ? (size_t)(end - line) : strlen(line))); /* no terminal, no colour */
            line = end ? end + 1 : NULL;
        }
    }
    assert_int_equal(too_wide, 0);
    buf_free(&out);
}

static void test_json(void **state)
{
    (void)state;
    static const char *const commands[] = {"gpus --json",
                                           "gpus h100 --json",
                                           "instances --json",
                                           "instances g5.xlarge --json",
                                           "catalogue --json",
                                           "catalogue sources --json",
                                           "catalogue history p5.48xlarge --json",
                                           "pick --infer 8B --json",
                                           "pick --infer 405B --budget 1/h --json",
                                           "pick --train 7B --tokens 1B --json",
                                           "pick --graphics --json",
                                           "pick --buy --json",
                                           "pick --compare l4 g5.xlarge --json"};
    Buf out = {0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        run(commands[i], &out);
        json_object *root = json_tokener_parse(buf_text(&out));
        if (!root)
            print_error("gpukit %s: %.300s\n", commands[i], buf_text(&out));
        assert_non_null(root);
        json_object_put(root);
    }
    buf_free(&out);
}

static int lines_of(const Buf *out)
{
    int lines = 0;
    for (size_t i = 0; i < out->count; ++i)
        lines += out->data[i] == '\n';
    return lines;
}

static void test_csv(void **state)
{
    (void)state;
    Buf out = {0};
    assert_int_equal(run("gpus --csv", &out), 0);
    assert_int_equal(strncmp(out.data, "key,name,aliases,", 17), 0);
    assert_true(lines_of(&out) > 100);
    assert_int_equal(run("instances --csv", &out), 0);
    assert_int_equal(strncmp(out.data, "NAME,GPU,N,", 11), 0);
    buf_free(&out);
}

/* Sorting by any unit: each row at least as dear as the one before. */
static void test_sort(void **state)
{
    (void)state;
    Buf out = {0};
    assert_int_equal(run("instances --sort gb --json", &out), 0);
    json_object *root = json_tokener_parse(buf_text(&out)), *prices, *units, *value;
    double last = 0;
    int seen = 0;
    for (size_t i = 0; i < json_object_array_length(root); ++i) {
        json_object *price = NULL, *kind;
        json_object_object_get_ex(json_object_array_get_idx(root, i), "prices", &prices);
        for (size_t k = 0; k < json_object_array_length(prices); ++k) {
            json_object *p = json_object_array_get_idx(prices, k);
            json_object_object_get_ex(p, "kind", &kind);
            if (strcmp(json_object_get_string(kind), "ondemand") == 0)
                price = p;
        }
        if (!price || !json_object_object_get_ex(price, "units", &units) ||
            !json_object_object_get_ex(units, "$/GB-h", &value) || !value)
            continue;
        assert_true(json_object_get_double(value) >= last - 1e-12);
        last = json_object_get_double(value);
        ++seen;
    }
    assert_true(seen > 50);
    json_object_put(root);
    buf_free(&out);
}

static double child_cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/* Each command answers in under 20 ms: processor time with the shell around it, the best of a few
 * runs, as the machine may be busy with other tests. None opens libcurl or LLVM. */
static void test_time(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "gpus", "instances", "instances p5.48xlarge", "pick --infer 8B", "pick --buy", "catalogue"};
    Buf out = {0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        double best = 1, wall = 1;
        for (int n = 0; n < 8; ++n) {
            double from = clock_seconds(), cpu = child_cpu();
            run(commands[i], &out);
            wall = clock_seconds() - from < wall ? clock_seconds() - from : wall;
            best = child_cpu() - cpu < best ? child_cpu() - cpu : best;
        }
        print_message("gpukit %s: %.1f ms, %.1f ms of processor time\n", commands[i], wall * 1e3,
                      best * 1e3);
#if !defined(__SANITIZE_ADDRESS__)
        assert_true(best < 0.020);
#endif
    }
    buf_free(&out);
    FILE *pipe = popen("ldd " BUILD_DIR "/gpukit 2>/dev/null", "r");
    char line[512];
    while (pipe && fgets(line, sizeof line, pipe)) {
        assert_null(strstr(line, "libcurl"));
        assert_null(strstr(line, "libLLVM"));
    }
    if (pipe)
        pclose(pipe);
}

/* From a file to the tables and back to the shipped prices. */
static void test_refresh(void **state)
{
    (void)state;
    char path[64], command[160];
    Buf out = {0};
    static const char file[] =
        "InstanceType,Price,SpotPrice,Region,AvailabilityZone\n"
        "g5.xlarge,0.9,0.31,us-east-1,use1-az1\ng5.xlarge,0.9,0.29,us-east-1,use1-az2\n"
        "g6.xlarge,-1,,us-east-1,use1-az1\n";
    snprintf(path, sizeof path, "%s/vms.csv", folder);
    assert_int_equal(fs_write_atomic(path, file, sizeof file - 1), 0);
    snprintf(command, sizeof command, "catalogue refresh --from %s --date 2026-11-30 --dry-run",
             path);
    assert_int_equal(run(command, &out), 1); /* one row was refused */
    says(&out, "1.006 -> 0.9000");
    says(&out, "row 4: g6.xlarge in us-east-1: ondemand price -1 is not above zero");
    says(&out, "nothing was written");
    assert_int_equal(run("catalogue", &out), 0);
    says(&out, "never");
    snprintf(command, sizeof command, "catalogue refresh --from %s --date 2026-11-30", path);
    assert_int_equal(run(command, &out), 1);
    assert_int_equal(run("instances g5.xlarge", &out), 0);
    says(&out, "on demand   0.9000 USD/h, us-east-1, 2026-11-30 (1d), vms.csv");
    assert_int_equal(run("pick --memory 24 --spot -n 1", &out), 0);
    says(&out, "g5.xlarge");
    assert_int_equal(run("catalogue history g5.xlarge", &out), 0);
    says(&out, "2026-07-20  ondemand  us-east-1");
    assert_int_equal(run("catalogue reset", &out), 0);
    assert_int_equal(run("instances g5.xlarge", &out), 0);
    says(&out, "on demand   1.006 USD/h");
    /* The default sources can be replaced by the user's own table. */
    char table[512], own[128];
    snprintf(own, sizeof own, "%s/gpukit/catalogue/sources.tsv", folder);
    int length =
        snprintf(table, sizeof table,
                 "# schema 1\nkey\tformat\tis_default\turl\tnote\nmine\tskypilot\t1\t%s\tmy copy\n"
                 "other\tskypilot\t0\t/nonexistent\t\n",
                 path);
    assert_int_equal(fs_write_atomic(own, table, (size_t)length), 0);
    assert_int_equal(run("catalogue sources", &out), 0);
    says(&out, "mine *");
    assert_int_equal(run("catalogue refresh", &out), 1);
    says(&out, "1.006 -> 0.9000");
    assert_int_equal(run("catalogue refresh --from mine", &out), 1); /* by its name; nothing new */
    says(&out, "0 changed (0 on demand)");
    assert_int_equal(run("catalogue refresh --from other", &out), 3);
    assert_int_equal(fs_write_atomic(own, "nonsense\n", 9), 0);
    assert_int_equal(run("catalogue refresh", &out), 3);
    says(&out, "sources.tsv:1: error: the header does not name the columns");
    unlink(own);
    assert_int_equal(run("catalogue reset", &out), 0);
    buf_free(&out);
}

/* A measured program: 12 GB of DRAM traffic take the longer the less bandwidth there is. */
static void test_counters(void **state)
{
    (void)state;
    char path[64], command[160];
    Buf out = {0};
    static const char file[] =
        "{\"schema\":\"gpukit-counters-1\",\"program\":\"add\",\"min_cc\":8.0,"
        "\"kernels\":[{\"name\":\"add\",\"launches\":100000,\"dram_bytes\":12e15}]}";
    snprintf(path, sizeof path, "%s/add.json", folder);
    assert_int_equal(fs_write_atomic(path, file, sizeof file - 1), 0);
    snprintf(command, sizeof command, "pick --cuda %s --why", path);
    assert_int_equal(run(command, &out), 0);
    says(&out, "the program needs compute capability 8.0");
    says(&out, "runs no CUDA");
    snprintf(command, sizeof command, "pick --cuda %s --json --deadline 90m", path);
    assert_int_equal(run(command, &out), 0);
    json_object *root = json_tokener_parse(buf_text(&out)), *ranked, *bound;
    assert_true(json_object_object_get_ex(root, "ranked", &ranked));
    assert_true(json_object_array_length(ranked) >
                0); /* 12e15 / (0.85 x 3352e9) = 70 min on H100 */
    json_object_object_get_ex(json_object_array_get_idx(ranked, 0), "bound", &bound);
    assert_string_equal(json_object_get_string(bound), "bandwidth");
    says(&out, "takes about 13.1 h, the deadline is 1.5 h"); /* L4: 12e15 / (0.85 x 300e9) */
    json_object_put(root);
    buf_free(&out);
}

/* Only a refresh makes folders. */
static void test_writes_nothing(void **state)
{
    (void)state;
    char place[64];
    Buf out = {0};
    snprintf(place, sizeof place, "%s/nothing", folder);
    setenv("XDG_DATA_HOME", place, 1);
    static const char *const commands[] = {"gpus", "instances", "pick --infer 8B", "catalogue",
                                           "catalogue sources"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        assert_int_equal(run(commands[i], &out), 0);
    assert_false(fs_exists(place));
    setenv("XDG_DATA_HOME", folder, 1);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit_codes),
                                       cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_sort),
                                       cmocka_unit_test(test_counters),
                                       cmocka_unit_test(test_writes_nothing),
                                       cmocka_unit_test(test_refresh),
                                       cmocka_unit_test(test_time)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
