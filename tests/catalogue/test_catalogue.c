/* SPDX-License-Identifier: Apache-2.0
 * The shipped catalogue: figures that other tools had wrong, names, quotes, units, dates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "catalogue/devices.h"
#include "catalogue/query.h"
#include "catalogue/tsv.h"

static Catalogue *c;

static int setup(void **state)
{
    (void)state;
    setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
    Diags diags;
    diags_init(&diags);
    c = catalogue_open(BUILD_DIR "/catalogue/catalogue.db", "", &diags);
    diags_print(&diags, stderr);
    diags_fini(&diags);
    return c ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    catalogue_close(c);
    return 0;
}

static const CatalogueInstance *instance(const char *name)
{
    const CatalogueInstance *in = catalogue_find_instance(c, name);
    if (!in)
        print_error("%s is missing\n", name);
    assert_non_null(in);
    return in;
}

static void near(double have, double want, double share)
{
    if (!(fabs(have - want) <= share * fabs(want)))
        print_error("have %g, want %g\n", have, want);
    assert_true(fabs(have - want) <= share * fabs(want));
}

/* vantage-sh/ec2instances.info#978, #979, #705, #724, #751, #776: compute capabilities that stood
 * wrong for months. */
static void test_compute_capability(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double cc;
    } want[] = {{"g6f.xlarge", 8.9},  {"g6.xlarge", 8.9},         {"g7e.2xlarge", 12.0},
                {"g7.2xlarge", 12.0}, {"p6-b300.48xlarge", 10.3}, {"p6-b200.48xlarge", 10.0},
                {"p5.48xlarge", 9.0}, {"p5e.48xlarge", 9.0},      {"g5.xlarge", 8.6},
                {"g6e.xlarge", 8.9},  {"p4d.24xlarge", 8.0},      {"g4dn.xlarge", 7.5},
                {"g5g.xlarge", 7.5},  {"p3.2xlarge", 7.0},        {"p2.xlarge", 3.7},
                {"g3.4xlarge", 5.2}};
    for (size_t i = 0; i < sizeof want / sizeof *want; ++i) {
        assert_non_null(instance(want[i].name)->gpu);
        near(instance(want[i].name)->gpu->cc, want[i].cc, 1e-9);
    }
}

/* Cyclenerd/aws-pricing#1, aws/aws-cli#8970: 22 or 24 GB, per GPU or in total. */
static void test_memory(void **state)
{
    (void)state;
    near(catalogue_mem_mib(instance("g5.xlarge")), 22888, 0);
    near(catalogue_mem_mib(instance("g5.48xlarge")), 22888, 0); /* per GPU, not 8 times */
    assert_int_equal(catalogue_device_count(instance("g5.48xlarge")), 8);
    near(catalogue_mem_mib(instance("g6e.12xlarge")), 45776, 0);
    near(catalogue_mem_mib(instance("p6-b200.48xlarge")), 183359, 0);
    near(catalogue_mem_mib(instance("p6-b300.48xlarge")), 275040, 0);
    near(catalogue_mem_mib(instance("g6f.xlarge")), 2861, 0); /* an eighth of an L4 */
    assert_int_equal(catalogue_device_count(instance("g6f.xlarge")), 1);
    near(catalogue_share(instance("g6f.xlarge")), 0.125, 0);
    near(catalogue_mem_mib(instance("p3.2xlarge")), 16e9 / 1048576, 0.001); /* nominal GB */
}

/* ec2instances.info#689: Trainium and Inferentia are accelerators, not zero GPUs. */
static void test_neuron_is_there(void **state)
{
    (void)state;
    near(instance("trn1.32xlarge")->row.gpu_count, 16, 0);
    assert_true(catalogue_is_neuron(instance("trn2.48xlarge")->gpu));
    near(instance("inf2.48xlarge")->row.gpu_count, 12, 0);
    assert_false(catalogue_is_cuda(instance("inf2.48xlarge")->gpu));
}

/* Pages of 2026 still say 98.32 USD for p5.48xlarge; skypilot#2780 re-priced history. */
static void test_prices(void **state)
{
    (void)state;
    CatalogueQuote q;
    assert_true(catalogue_quote(c, instance("p5.48xlarge"), "us-east-1", PRICE_ONDEMAND, &q));
    near(q.usd_h, 55.04, 0);
    assert_string_equal(q.date, "2026-07-20");
    assert_int_equal(q.age_days, 134);
    assert_true(q.source[0] != 0);
    void *rows;
    int count = catalogue_read(c, c->path, TABLE_PRICE, "history",
                               "name=? AND kind='ondemand' ORDER BY date", "p5.48xlarge", &rows);
    assert_true(count >= 1);
    near(((CataloguePrice *)rows)[0].usd_h, 98.32, 0);
    assert_string_equal(((CataloguePrice *)rows)[0].date, "2023-08-08");
    /* Spot shows the range over zones (skypilot#3111 asks for the cheapest). */
    assert_true(catalogue_quote(c, instance("p5.48xlarge"), "us-east-1", PRICE_SPOT, &q));
    near(q.usd_h, 14.246, 0);
    near(q.usd_h_max, 55.04, 0);
    /* Capacity Blocks (ec2instances.info#903): the price of most regions, and the exception. */
    assert_true(catalogue_quote(c, instance("p5e.48xlarge"), "us-east-2", PRICE_BLOCK, &q));
    near(q.usd_h, 39.80, 0);
    assert_true(catalogue_quote(c, instance("p5e.48xlarge"), "us-west-1", PRICE_BLOCK, &q));
    near(q.usd_h, 49.75, 0);
    assert_true(catalogue_quote(c, instance("p5e.48xlarge"), "any", PRICE_BLOCK, &q));
    near(q.usd_h, 39.80, 0);
    /* An ended Capacity Block price is history. */
    assert_false(catalogue_quote(c, instance("p4d.24xlarge"), "us-east-2", PRICE_BLOCK, &q));
    assert_false(catalogue_quote(c, instance("p5.48xlarge"), "eu-west-1", PRICE_ONDEMAND, &q));
    assert_false(catalogue_quote(c, instance("p5e.48xlarge"), "us-east-1", PRICE_ONDEMAND, &q));
}

/* rules.md: SageMaker costs 1.15 to 1.40 times EC2; a row outside would be a slip. */
static void test_managed_factor(void **state)
{
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < c->instances.count; ++i) {
        const CatalogueInstance *ml = &c->instances.items[i];
        CatalogueQuote managed, plain;
        if (strcmp(ml->row.service, "SageMaker") != 0)
            continue;
        const CatalogueInstance *twin = instance(ml->row.name + 3);
        assert_ptr_equal(twin->gpu, ml->gpu);
        if (!catalogue_quote(c, ml, "any", PRICE_ONDEMAND, &managed) ||
            !catalogue_quote(c, twin, "us-east-1", PRICE_ONDEMAND, &plain))
            continue;
        double factor = managed.usd_h / plain.usd_h;
        assert_true(factor > 1.14 && factor < 1.41);
        ++seen;
    }
    assert_int_equal(seen, 28);
}

static void test_units(void **state)
{
    (void)state;
    const CatalogueInstance *g5 = instance("g5.48xlarge");
    near(catalogue_in_unit(g5, 16.288, UNIT_gpu), 2.036, 1e-9);
    near(catalogue_in_unit(g5, 16.288, UNIT_gb), 16.288 / (8 * 22888 * 1048576e-9), 1e-9);
    near(catalogue_in_unit(g5, 16.288, UNIT_tflop), 16.288 / (8 * 70), 1e-9);
    near(catalogue_in_unit(g5, 16.288, UNIT_tbs), 16.288 / (8 * 0.6), 1e-9);
    assert_true(isnan(catalogue_in_unit(instance("m7i.xlarge"), 0.2, UNIT_gpu)));
    assert_int_equal(catalogue_find_unit("$/GPU-h"), UNIT_gpu);
    assert_int_equal(catalogue_find_unit("furlong"), -1);
}

static void test_names(void **state)
{
    (void)state;
    static const char *const same[][2] = {{"A100", "A100 SXM4 40GB"},
                                          {"a100-80gb", "A100 SXM4 80GB"},
                                          {"NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"},
                                          {"rtx4090", "RTX 4090"},
                                          {"GeForce RTX 4090", "RTX 4090"},
                                          {"V100-32GB", "V100 SXM2 32GB"},
                                          {"Tesla T4", "T4"},
                                          {"Trainium", "Trainium"},
                                          {"Radeon Pro V520", "Radeon Pro V520"},
                                          {"RTX PRO Server 6000", "RTX PRO 6000 Server"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
        const CatalogueGpu *gpu = catalogue_find_gpu(c, same[i][0]);
        assert_non_null(gpu);
        assert_string_equal(gpu->name, same[i][1]);
    }
    assert_null(catalogue_find_gpu(c, "H1000"));
    assert_null(catalogue_find_gpu(c, ""));
    /* No two GPUs answer to one name. */
    for (size_t i = 0; i < c->gpus.count; ++i) {
        assert_ptr_equal(catalogue_find_gpu(c, c->gpus.items[i].key), &c->gpus.items[i]);
        assert_ptr_equal(catalogue_find_gpu(c, c->gpus.items[i].name), &c->gpus.items[i]);
    }
}

/* Rates that must follow from other columns. */
static void test_rates_agree(void **state)
{
    (void)state;
    int checked = 0;
    for (size_t i = 0; i < c->gpus.count; ++i) {
        const CatalogueGpu *g = &c->gpus.items[i];
        double fp32 = g->cores * 2 * g->boost_mhz * 1e-6;
        if (strcmp(g->vendor, "NVIDIA") == 0 && !isnan(fp32) && !isnan(g->fp32_tflops)) {
            near(g->fp32_tflops, fp32, 0.05);
            ++checked;
        }
        if (!isnan(g->cc) && g->cc < 7)
            assert_true(isnan(g->fp16_tflops)); /* no tensor cores before Volta */
        if (!isnan(g->cc) && g->cc < 8.9)
            assert_true(isnan(g->fp8_tflops));
        if (!isnan(g->fp8_tflops) && !isnan(g->fp16_tflops))
            near(g->fp8_tflops, 2 * g->fp16_tflops, 0.03);
        if (!isnan(g->cc) && g->cc >= 9 && g->cc < 12)
            assert_true(!(g->rt_cores > 0)); /* no ray tracing on compute cards */
    }
    assert_true(checked > 50);
}

/* The devices compiled in and the catalogue tell the same of one GPU. */
static void test_devices_agree(void **state)
{
    (void)state;
    int count, compared = 0;
    const CatalogueDevice *d = catalogue_devices(&count);
    for (int i = 0; i < count; ++i) {
        const CatalogueGpu *g = catalogue_find_gpu(c, d[i].id);
        if (!g)
            g = catalogue_find_gpu(c, d[i].name);
        if (!g)
            continue;
        ++compared;
        near(g->cc, d[i].cc_major + d[i].cc_minor / 10.0, 1e-9);
        near(g->sms, d[i].sms, 0);
        near(g->cores, d[i].cores, 0);
        near(g->smem_per_sm_kb * 1024, d[i].shared_per_sm, 0);
        near(g->max_threads_per_sm, d[i].threads_per_sm, 0);
        near(g->max_blocks_per_sm, d[i].blocks_per_sm, 0);
        near(g->bw_gbs, d[i].gb_s, 0.001);
        near(g->fp32_tflops, d[i].fp32_tflops, 0.001);
        if (!isnan(g->l2_mb)) /* sheets say MB for MiB, and round */
            near(g->l2_mb * 1048576, (double)d[i].l2_bytes, 0.35);
        if (d[i].fp16_tensor_tflops > 0)
            near(g->fp16_tflops, d[i].fp16_tensor_tflops, 0.001);
    }
    assert_true(compared >= 15);
}

static void test_dates(void **state)
{
    (void)state;
    assert_int_equal(catalogue_day("1970-01-01"), INT_MIN); /* no price is that old */
    assert_int_equal(catalogue_day("2026-12-01"), 20788);
    assert_int_equal(catalogue_day("2024-02-29") + 1, catalogue_day("2024-03-01"));
    assert_int_equal(catalogue_day("2026-07"), catalogue_day("2026-07-01"));
    assert_int_equal(catalogue_day("2026"), catalogue_day("2026-01-01"));
    assert_int_equal(catalogue_day("2026-07-20T13:44:30Z"), catalogue_day("2026-07-20"));
    assert_int_equal(catalogue_day("2026-13"), INT_MIN);
    assert_int_equal(catalogue_day("yesterday"), INT_MIN);
    assert_int_equal(catalogue_day(""), INT_MIN);
    assert_int_equal(c->today, 20788);
}

static void test_size(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(stat(BUILD_DIR "/catalogue/catalogue.db", &st), 0);
    assert_true(st.st_size < 5 * 1000 * 1000);
    assert_true(c->gpus.count > 100 && c->instances.count > 130);
}

static void test_text_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wrong;
    } cases[] = {{"cuda\tmin_cc\tmax_cc\tsource\tdate\n12\t5\t9\tx\t2024\n", NULL},
                 {"cuda\tmin_cc\tmax_cc\tsource\tdate\r\n12\t5\t\tx\t2024\r\n", NULL},
                 {"cuda\tmin\tmax_cc\tsource\tdate\n", "header"},
                 {"cuda\tmin_cc\tmax_cc\tsource\tdate\n12\tfive\t9\tx\t2024\n", "min_cc: 'five'"},
                 {"cuda\tmin_cc\tmax_cc\tsource\tdate\n12\t-5\t9\tx\t2024\n", "min_cc: '-5'"},
                 {"cuda\tmin_cc\tmax_cc\tsource\tdate\n12\t5\t9\tx\n", "4 cells, expected 5"},
                 {"# schema 7\ncuda\tmin_cc\tmax_cc\tsource\tdate\n", "schema 7"},
                 {"", "no header"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Diags diags;
        Tsv tsv;
        diags_init(&diags);
        bool good = tsv_parse(diags.arena, &catalogue_tables[TABLE_CUDA], "cuda.tsv", cases[i].text,
                              strlen(cases[i].text), &tsv, &diags);
        assert_int_equal(good, cases[i].wrong == NULL);
        char *text = diags_text(&diags);
        if (cases[i].wrong)
            assert_non_null(strstr(text, cases[i].wrong));
        else
            assert_int_equal(tsv.count, 1);
        free(text);
        diags_fini(&diags);
    }
}

static void test_missing_database(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    assert_null(catalogue_open("/nonexistent/catalogue.db", "", &diags));
    assert_true(diags.errors > 0);
    assert_null(catalogue_open(BUILD_DIR "/CMakeCache.txt", "", &diags));
    diags_fini(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compute_capability),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_neuron_is_there),
                                       cmocka_unit_test(test_prices),
                                       cmocka_unit_test(test_managed_factor),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_rates_agree),
                                       cmocka_unit_test(test_devices_agree),
                                       cmocka_unit_test(test_dates),
                                       cmocka_unit_test(test_size),
                                       cmocka_unit_test(test_text_tables),
                                       cmocka_unit_test(test_missing_database)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
