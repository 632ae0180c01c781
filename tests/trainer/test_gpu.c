/* SPDX-License-Identifier: Apache-2.0
 * The GPU back end on the emulated driver: a whole step against the double oracle, prediction
 * against the CPU back end, the same bits twice, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emulate.h"
#include "gpu_fixture.h"
#include "trainer/gang.h"
#include "trainer/train.h"

static void test_step(void **state)
{
    (void)state;
    for (int p = ORACLE_BF16; p < ORACLE_DOUBLE; ++p) {
        GpuFixture f;
        double loss_error = 0;
        gpu_fixture_new(&f, 64, 3, 9, 2);
        f.precision = (OracleRounding)p;
        double worst = gpu_compare_step(&f, 3, &loss_error, 0);
        diags_print(&f.diags, stderr);
        print_message("%s: gradients within %.2e, loss within %.2e\n", gpu_limits[p].name, worst,
                      loss_error);
        assert_true(worst >= 0 && worst < gpu_limits[p].step);
        assert_true(loss_error < 1e-3);
        gpu_fixture_free(&f);
    }
}

static void test_kernels(void **state)
{
    (void)state;
    for (int p = ORACLE_BF16; p < ORACLE_DOUBLE; ++p) {
        GpuFixture f;
        gpu_fixture_new(&f, 64, 2, 8, 2);
        f.precision = (OracleRounding)p;
        assert_int_equal(gpu_compare_kernels(&f, p == ORACLE_BF16 ? 2 : 1, 0), 0);
        gpu_fixture_free(&f);
    }
}

/* Prediction in batches that the set does not fill; running statistics. */
static void test_predict(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 64, 3, 6, 5);
    BackendConfig config = gpu_fixture_config(&f, 3);
    float logits[2][5 * 3];
    Backend *gpu = backend_gpu_open(&config), *cpu;
    assert_non_null(gpu);
    BackendPart part = {0, 0, 2, 0, 40, 0.02};
    BackendSums sums = {0};
    assert_int_equal(gpu->ops->run(gpu, &part, &sums), 0);
    assert_int_equal(sums.steps, 2);
    assert_int_equal(gpu->ops->predict(gpu, SET_TEST, logits[0]), 0);
    assert_int_equal(gpu->ops->get(gpu, &f.state), 0);
    config.precision = "fp32";
    cpu = backend_cpu_open(&config);
    assert_int_equal(cpu->ops->predict(cpu, SET_TEST, logits[1]), 0);
    for (int i = 0; i < 15; ++i)
        assert_true(fabs((double)logits[0][i] - (double)logits[1][i]) <
                    0.03 + 0.03 * fabs((double)logits[1][i]));
    gpu->ops->close(gpu);
    cpu->ops->close(cpu);
    gpu_fixture_free(&f);
}

/* Pictures beyond the GPU's memory come through a ring on the device, with the same bits: halves of
 * one step and of two. */
static void test_streamed_pictures(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 64, 2, 11, 3);
    NetState after[3];
    float logits[3][3 * 2];
    size_t usual = emulated_free_memory, step = 72 * 72 * 3;
    for (size_t i = 0; i < 3; ++i) {
        emulated_free_memory = i ? 8 * i * step : usual;
        BackendConfig config = gpu_fixture_config(&f, 1);
        Backend *gpu = backend_gpu_open(&config);
        assert_non_null(gpu);
        BackendSums sums = {0};
        /* parts that end within a half, a test between them, and the step from epoch to epoch */
        const BackendPart parts[] = {{0, 0, 1, 0, 22, 0.01},
                                     {0, 1, 2, 1, 22, 0.01},
                                     {0, 10, 1, 10, 22, 0.01},
                                     {1, 0, 1, 11, 22, 0.01}};
        for (int k = 0; k < 4; ++k) {
            assert_int_equal(gpu->ops->run(gpu, &parts[k], &sums), 0);
            if (k == 1)
                assert_int_equal(gpu->ops->predict(gpu, SET_TEST, logits[i]), 0);
        }
        net_state_new(&f.net, &after[i]);
        assert_int_equal(gpu->ops->get(gpu, &after[i]), 0);
        gpu->ops->close(gpu);
        assert_memory_equal(after[0].params, after[i].params, sizeof(float) * f.net.param_count);
        assert_memory_equal(logits[0], logits[i], sizeof logits[0]);
    }
    emulated_free_memory = usual;
    for (int i = 0; i < 3; ++i)
        net_state_free(&after[i]);
    gpu_fixture_free(&f);
}

/* A whole run on the made-up pictures, its files in a folder of its own; notes are kept. */
typedef struct {
    GpuFixture f;
    TrainOptions options;
    TrainResult result;
    char folder[40], *note[8];
    int notes;
} WholeRun;

static void keep_note(void *context, const char *text)
{
    WholeRun *w = context;
    if (w->notes < 8)
        w->note[w->notes++] = xstrdup(text);
}

static void whole_run_new(WholeRun *w, size_t pictures, size_t tested, TrainOptions options)
{
    memset(w, 0, sizeof *w);
    gpu_fixture_new(&w->f, 64, 2, pictures, tested);
    w->f.data.names[0] = "cat", w->f.data.names[1] = "dog";
    for (int s = 0; s < SETS; ++s)
        for (size_t i = 0; i < w->f.data.set[s].count; ++i)
            w->f.data.set[s].files[i].path = "made up";
    strcpy(w->folder, "/tmp/gpukit-run-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    w->options = options;
    w->options.out = xasprintf("%s/m", w->folder);
    w->options.size = 64;
    w->options.seed = 5;
    w->options.gpu = true;
    w->options.precision = "bf16";
    w->options.ranks = (Ranks){.ranks = 1};
}

static void whole_run_forget(WholeRun *w)
{
    while (w->notes)
        free(w->note[--w->notes]);
    train_result_free(&w->result);
}

static bool whole_run(WholeRun *w)
{
    TrainEvents events = {.context = w, .note = keep_note};
    whole_run_forget(w);
    return train_run(&w->options, &w->f.data, w->f.pool, &events, &w->result, &w->f.diags);
}

static void whole_run_free(WholeRun *w)
{
    char *command = xasprintf("rm -rf %s", w->folder);
    assert_int_equal(system(command), 0);
    free(command);
    free((char *)(uintptr_t)w->options.out);
    whole_run_forget(w);
    gpu_fixture_free(&w->f);
}

/* Too little memory for the batch: it is halved, said, and the run goes on; --resume takes the
 * halved batch up again. Too little for any: an error with figures. */
static void test_no_memory(void **state)
{
    (void)state;
    WholeRun w;
    whole_run_new(&w, 8, 2, (TrainOptions){.epochs = 1, .batch = 8, .rate = 0.05});
    size_t usual = emulated_memory_limit;
    emulated_memory_limit = 20 << 20;
    for (int resume = 0; resume < 2; ++resume) {
        w.options.resume = resume;
        bool ok = whole_run(&w);
        diags_print(&w.f.diags, stderr);
        assert_true(ok);
        assert_int_equal(w.f.diags.list.count, 0);
        assert_int_equal(w.result.batch, 4);
        assert_int_equal(w.result.history.count, 1);
        assert_int_equal(w.notes, 1);
        if (!resume) {
            assert_non_null(strstr(w.note[0], "MiB more needed"));
            assert_non_null(strstr(w.note[0], "--batch 4 and a rate of 0.025"));
        }
    }
    emulated_memory_limit = 8 << 20;
    w.options.resume = false;
    assert_false(whole_run(&w));
    assert_int_equal(w.f.diags.list.count, 1);
    assert_non_null(strstr(w.f.diags.list.items[0].text, "the GPU has no memory left"));
    assert_non_null(strstr(w.f.diags.list.items[0].help, "--batch"));
    emulated_memory_limit = usual;
    whole_run_free(&w);
}

/* A stand-in for NCCL: sums in the communicators' order when the group ends. */
static struct {
    float *values[8];
    size_t count;
    int n, joined;
} reduction;

static int fake_id(NcclId *id)
{
    strcpy(id->bytes, "the one");
    reduction.joined = 0;
    return 0;
}

static int fake_init(void **communicator, int ranks, NcclId id, int rank)
{
    assert_int_equal(ranks, 2);
    assert_string_equal(id.bytes, "the one");
    assert_int_equal(rank, reduction.joined++);
    *communicator = &reduction;
    return 0;
}

static int fake_destroy(void *communicator)
{
    return communicator != &reduction;
}

static int fake_start(void)
{
    reduction.n = 0;
    return 0;
}

static int fake_reduce(const void *from, void *to, size_t count, int type, int operation,
                       void *communicator, void *stream)
{
    assert_true(from == to && type == 7 && operation == 0 && communicator && stream);
    reduction.values[reduction.n++] = to;
    reduction.count = count;
    return 0;
}

static int fake_end(void)
{
    for (size_t i = 0; i < reduction.count; ++i) {
        float sum = 0;
        for (int k = 0; k < reduction.n; ++k)
            sum += reduction.values[k][i];
        for (int k = 0; k < reduction.n; ++k)
            reduction.values[k][i] = sum;
    }
    return 0;
}

static const char *fake_text(int error)
{
    (void)error;
    return "fake";
}

/* Two GPUs: each must hold the same parameters, near those of one GPU with the joint batch (batch
 * norm's statistics are per GPU), and the gradient of the joint batch up to that. */
static void test_gang(void **state)
{
    (void)state;
    static const Nccl nccl = {.get_id = fake_id,
                              .init_rank = fake_init,
                              .destroy = fake_destroy,
                              .group_start = fake_start,
                              .group_end = fake_end,
                              .all_reduce = fake_reduce,
                              .error_text = fake_text};
    nccl_replace(&nccl);
    GpuFixture f;
    gpu_fixture_new(&f, 64, 2, 8, 3);
    NetState after[2];
    double loss[2];
    float logits[2][6];
    for (int i = 0; i < 2; ++i) {
        BackendConfig config = gpu_fixture_config(&f, 6);
        config.gpus = i + 1;
        Backend *gpu = backend_gpu_open(&config);
        assert_non_null(gpu);
        BackendPart part = {0, 0, 1, 0, 10, 0.01};
        BackendSums sums = {0};
        assert_int_equal(gpu->ops->run(gpu, &part, &sums), 0);
        assert_int_equal(sums.steps, 1);
        loss[i] = sums.loss;
        assert_int_equal(gpu->ops->predict(gpu, SET_TEST, logits[i]), 0);
        net_state_new(&f.net, &after[i]);
        assert_int_equal(gpu->ops->get(gpu, &after[i]), 0);
        gpu->ops->close(gpu);
    }
    assert_true(fabs(loss[0] - loss[1]) < 0.1 * loss[0]);
    double *one = xcalloc(f.net.param_count, sizeof(double)), dot = 0, a = 0, b = 0;
    for (size_t i = 0; i < f.net.param_count; ++i) { /* directions of the two first steps */
        one[i] = (double)after[0].momentum[i];
        dot += one[i] * (double)after[1].momentum[i];
        a += one[i] * one[i];
        b += (double)after[1].momentum[i] * (double)after[1].momentum[i];
    }
    print_message("cosine of the two gradients %.3f, lengths %.4f %.4f\n", dot / sqrt(a * b),
                  sqrt(a), sqrt(b));
    assert_true(dot / sqrt(a * b) > 0.9);
    for (int i = 0; i < f.net.block[0].cout;
         ++i) /* averaged statistics: the mean of all pictures */
        assert_true(fabs((double)after[0].running[i] - (double)after[1].running[i]) < 1e-4);
    free(one);
    net_state_free(&after[0]);
    net_state_free(&after[1]);
    BackendConfig config = gpu_fixture_config(&f, 6);
    config.gpus = 4;
    assert_null(backend_gpu_open(&config));
    assert_non_null(strstr(f.diags.list.items[0].text, "evenly"));
    nccl_replace(NULL);
    gpu_fixture_free(&f);
}

/* The CPU's time for the same run: all of it measured, or one step and the rest estimated. */
static void test_cpu_time(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 64, 2, 8, 4);
    TrainOptions options = {
        .size = 64, .epochs = 3, .batch = 4, .seed = 5, .rate = 0.05, .ranks = {.ranks = 1}};
    TrainCpuTime whole, part;
    assert_true(train_time_cpu(&options, &f.data, f.pool, 60, &whole, &f.diags));
    assert_int_equal(whole.steps, 6);
    assert_int_equal(whole.total, 6);
    assert_true(whole.seconds >= 6 * 4 / whole.images_per_second);
    assert_true(train_time_cpu(&options, &f.data, f.pool, 0, &part, &f.diags));
    assert_int_equal(part.steps, 1);
    assert_int_equal(part.total, 6);
    assert_true(part.seconds >= 6 * 4 / part.images_per_second);
    assert_non_null(strstr(part.device, "CPU"));
    gpu_fixture_free(&f);
}

/* Weights that break in the second epoch: back to the checkpoint of the first, half the rate.
 */
static void test_recovery(void **state)
{
    (void)state;
    WholeRun w;
    whole_run_new(&w, 2, 1, (TrainOptions){.epochs = 3, .batch = 2, .rate = 0.04});
    emulated_poison = 2;
    bool ok = whole_run(&w);
    diags_print(&w.f.diags, stderr);
    assert_true(ok);
    assert_int_equal(emulated_poison, 0);
    assert_int_equal(w.result.retries, 1);
    assert_int_equal(w.result.history.count, 3);
    assert_int_equal(w.notes, 1);
    assert_non_null(strstr(w.note[0], "going back to the last checkpoint"));
    assert_true(fabs(w.result.history.items[1].rate - net_rate(0.02, 1, 3)) < 1e-9);
    for (size_t i = 0; i < 3; ++i)
        assert_true(isfinite(w.result.history.items[i].loss));
    whole_run_free(&w);
}

static void test_refusals(void **state)
{
    (void)state;
    GpuFixture f;
    gpu_fixture_new(&f, 48, 2, 6, 5);
    BackendConfig config = gpu_fixture_config(&f, 3);
    assert_null(backend_gpu_open(&config));
    assert_non_null(strstr(f.diags.list.items[0].text, "multiples of 64"));
    gpu_fixture_free(&f);
}

/* What a card takes: bf16 from 8.0 on, fp16 from 7.5 on, nothing before. */
static void test_capabilities(void **state)
{
    (void)state;
    static const struct {
        int capability;
        OracleRounding asked;
        const char *usual, *refusal, *help;
    } cases[] = {
        {90, ORACLE_BF16, "bf16", NULL, NULL},
        {80, ORACLE_FP16, "bf16", NULL, NULL},
        {75, ORACLE_FP16, "fp16", NULL, NULL},
        {75, ORACLE_BF16, "fp16", "compute capability 7.5; bf16 needs 8.0", "--precision fp16"},
        {75, ORACLE_FP32, "fp16", "compute capability 7.5; fp32 needs 8.0", "--precision fp16"},
        {70, ORACLE_FP16, "fp16", "compute capability 7.0; fp16 needs 7.5", "--device cpu"},
    };
    int usual = emulated_capability;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GpuFixture f;
        gpu_fixture_new(&f, 64, 2, 2, 1);
        f.precision = cases[i].asked;
        emulated_capability = cases[i].capability;
        BackendConfig config = gpu_fixture_config(&f, 1);
        assert_string_equal(backend_gpu_precision(0), cases[i].usual);
        Backend *gpu = backend_gpu_open(&config);
        assert_int_equal(gpu == NULL, cases[i].refusal != NULL);
        if (gpu) {
            gpu->ops->close(gpu);
        } else {
            assert_non_null(strstr(f.diags.list.items[0].text, cases[i].refusal));
            assert_non_null(strstr(f.diags.list.items[0].help, cases[i].help));
        }
        gpu_fixture_free(&f);
    }
    emulated_capability = usual;
}

int main(void)
{
    cuda_driver_replace(emulated_driver(), emulated_modules);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_predict),
        cmocka_unit_test(test_gang),
        cmocka_unit_test(test_streamed_pictures),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_cpu_time),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_capabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
