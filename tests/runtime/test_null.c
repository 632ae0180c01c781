/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function that libcuda, libcudart, NVML and the compute libraries offer, called with nothing
 * but zeros: an error or a success, never a signal. Each call has a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls what the table `rows` of src/ marks as there. */
static void call_all(const char *rows, const char *file, const char *start)
{
    char path[512], line[256], name[128];
    snprintf(path, sizeof path, BUILD_DIR "/lib/%s", file);
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        fail_msg("%s", dlerror());
    snprintf(path, sizeof path, SOURCE_DIR "/src/%s", rows);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    int crashed = 0, called = 0;
    while (fgets(line, sizeof line, table)) {
        /* not what compilers call, nor the one that returns a structure */
        if (strstr(line, "(__cuda") || strstr(line, "(cudaCreateChannelDesc)"))
            continue;
        if (sscanf(line, "FULL(%127[A-Za-z0-9_]", name) != 1 &&
            sscanf(line, "HINT(%127[A-Za-z0-9_]", name) != 1 &&
            sscanf(line, "SENSOR(%127[A-Za-z0-9_]", name) != 1)
            continue;
        typedef intptr_t Ten(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                             intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);
        Ten *function;
        void *symbol = dlsym(library, name);
        if (!symbol)
            continue; /* of another version */
        memcpy(&function, &symbol, sizeof function);
        called++;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
            for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
                signal(faults[i], SIG_DFL); /* cmocka's would go on with the tests */
            alarm(20);
            void *before = start ? dlsym(library, start) : NULL;
            if (before) {
                int (*init)(unsigned);
                memcpy(&init, &before, sizeof init);
                init(0);
                int (*retain)(void **, int), (*current)(void *);
                void *context, *retains = dlsym(library, "cuDevicePrimaryCtxRetain"),
                               *currents = dlsym(library, "cuCtxSetCurrent");
                if (retains && currents) { /* libcuda: what answers needs a context */
                    memcpy(&retain, &retains, sizeof retain);
                    memcpy(&current, &currents, sizeof current);
                    if (!retain(&context, 0))
                        current(context);
                }
            }
            function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) {
            fprintf(stderr, "%s: signal %d\n", name, WTERMSIG(status));
            crashed++;
        }
    }
    fclose(table);
    assert_true(called >= 20);
    assert_int_equal(crashed, 0);
}

#define TEST(name, rows, file, start)                                                              \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        call_all(rows, file, start);                                                               \
    }
TEST(driver, "runtime/cuda_api.def", "libcuda.so.1", "cuInit")
TEST(runtime, "runtime/api.def", "libcudart.so.13", NULL)
TEST(nvml, "libraries/nvml.def", "libnvidia-ml.so.1", "nvmlInitWithFlags")
TEST(blas, "libraries/cublas.def", "libcublas.so.13", NULL)
TEST(blas_lt, "libraries/cublaslt.def", "libcublasLt.so.13", NULL)
TEST(fft, "libraries/cufft.def", "libcufft.so.12", NULL)
TEST(rand, "libraries/curand.def", "libcurand.so.10", NULL)
TEST(solver, "libraries/cusolver.def", "libcusolver.so.12", NULL)
TEST(sparse, "libraries/cusparse.def", "libcusparse.so.12", NULL)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver),  cmocka_unit_test(test_runtime),
        cmocka_unit_test(test_nvml),    cmocka_unit_test(test_blas),
        cmocka_unit_test(test_blas_lt), cmocka_unit_test(test_fft),
        cmocka_unit_test(test_rand),    cmocka_unit_test(test_solver),
        cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
