/* SPDX-License-Identifier: Apache-2.0
 *
 * libcufft against the sums that define the transform: 1D to 3D, all six kinds, batches, strides
 * and embedded layouts, in place and not; documented statuses; stream order. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <cufft.h>
#include <limits.h>
#include <stdbool.h>

#define OK(call) assert_int_equal(call, CUFFT_SUCCESS)

/* sum over j of x(j) exp(direction 2 pi i j k / n), along every dimension */
static Number transform(const Number *x, const int *n, int rank, const int *k, int direction)
{
    Number sum = 0;
    int total = 1;
    for (int i = 0; i < rank; i++)
        total *= n[i];
    for (int p = 0; p < total; p++) {
        int rest = p;
        double turn = 0;
        for (int i = rank - 1; i >= 0; rest /= n[i], i--)
            turn += (double)(rest % n[i]) * k[i] / n[i];
        sum += x[p] * cexp(direction * 2 * M_PI * I * turn);
    }
    return sum;
}

/* Every frequency of one transform, into out. */
static void reference(const Number *x, const int *n, int rank, int direction, Number *out)
{
    int total = 1, k[3];
    for (int i = 0; i < rank; i++)
        total *= n[i];
    for (int p = 0; p < total; p++) {
        int rest = p;
        for (int i = rank - 1; i >= 0; rest /= n[i], i--)
            k[i] = rest % n[i];
        out[p] = transform(x, n, rank, k, direction);
    }
}

static const int shapes[][4] = {{1, 16}, {1, 15}, {1, 1}, {2, 6, 10}, {2, 5, 7}, {3, 4, 3, 6}};
enum { SHAPES = sizeof shapes / sizeof *shapes, BATCH = 3 };

static int total_of(const int *shape)
{
    int total = 1;
    for (int i = 0; i < shape[0]; i++)
        total *= shape[1 + i];
    return total;
}

static void complex_to_complex(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++)
        for (int v = 0; v < SHAPES; v++)
            for (int direction = -1; direction <= 1; direction += 2)
                for (int in_place = 0; in_place < 2; in_place++) {
                    int rank = shapes[v][0], n[3], total = total_of(shapes[v]);
                    memcpy(n, shapes[v] + 1, sizeof n);
                    Array x = array_new(wide ? Z : C, (size_t)(total * BATCH));
                    Array y = array_new(wide ? Z : C, (size_t)(total * BATCH));
                    cufftHandle plan;
                    OK(cufftPlanMany(&plan, rank, n, NULL, 1, 0, NULL, 1, 0,
                                     wide ? CUFFT_Z2Z : CUFFT_C2C, BATCH));
                    void *to = in_place ? x.device : y.device;
                    if (wide)
                        OK(cufftExecZ2Z(plan, x.device, to, direction));
                    else
                        OK(cufftExecC2C(plan, x.device, to, direction));
                    OK(cufftDestroy(plan));
                    for (int b = 0; b < BATCH; b++)
                        reference(x.host + b * total, n, rank, direction, y.host + b * total);
                    if (in_place) {
                        memcpy(x.host, y.host, sizeof *x.host * x.count);
                        expect_array("in place", &x, 8);
                    } else {
                        expect_array("out of place", &y, 8);
                    }
                    array_free(&x);
                    array_free(&y);
                }
}

/* Real data and their half spectrum, packed and (in place) padded; there and back gives n times. */
static void real_transforms(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++)
        for (int v = 0; v < SHAPES; v++)
            for (int in_place = 0; in_place < 2; in_place++) {
                int rank = shapes[v][0], n[3], total = total_of(shapes[v]), type = wide ? D : S;
                memcpy(n, shapes[v] + 1, sizeof n);
                int last = n[rank - 1], half = last / 2 + 1, rows = total / last;
                int width = in_place ? 2 * half : last;
                Array real = array_new(type, (size_t)(rows * width * BATCH));
                Array spectrum = array_new(wide ? Z : C, (size_t)(rows * half * BATCH));
                cufftHandle forward, back;
                OK(cufftPlanMany(&forward, rank, n, NULL, 1, 0, NULL, 1, 0,
                                 wide ? CUFFT_D2Z : CUFFT_R2C, BATCH));
                OK(cufftPlanMany(&back, rank, n, NULL, 1, 0, NULL, 1, 0,
                                 wide ? CUFFT_Z2D : CUFFT_C2R, BATCH));
                Array result = in_place ? real : spectrum;
                result.type = wide ? Z : C;
                result.count = spectrum.count;
                if (wide)
                    OK(cufftExecD2Z(forward, real.device, result.device));
                else
                    OK(cufftExecR2C(forward, real.device, result.device));
                Number *x = calloc((size_t)total, sizeof *x), *y = calloc((size_t)total, sizeof *y);
                result.host = calloc(result.count, sizeof *result.host);
                for (int b = 0; b < BATCH; b++) {
                    for (int p = 0; p < total; p++)
                        x[p] = real.host[(b * rows + p / last) * width + p % last];
                    reference(x, n, rank, -1, y);
                    for (int p = 0; p < rows * half; p++)
                        result.host[b * rows * half + p] = y[p / half * last + p % half];
                }
                expect_array("spectrum", &result, 8);
                free(result.host);
                if (wide)
                    OK(cufftExecZ2D(back, result.device, real.device));
                else
                    OK(cufftExecC2R(back, result.device, real.device));
                Number *got = download(&real);
                for (int p = 0; p < total * BATCH; p++) {
                    size_t at = (size_t)(p / last * width + p % last);
                    expect_number("there and back", type, got[at] / total, real.host[at]);
                }
                free(got);
                free(x);
                free(y);
                OK(cufftDestroy(forward));
                OK(cufftDestroy(back));
                array_free(&real);
                array_free(&spectrum);
            }
}

/* Columns of a matrix with other data between them: strides, distances and embedding. */
static void layouts(void **state)
{
    (void)state;
    int n[2] = {4, 6}, in_embed[2] = {5, 8}, out_embed[2] = {4, 7};
    enum { IN_STRIDE = 2, OUT_STRIDE = 3, IN_DIST = 90, OUT_DIST = 100 };
    Array x = array_new(Z, IN_DIST * BATCH + 100), y = array_new(Z, OUT_DIST * BATCH + 100);
    cufftHandle plan;
    size_t work = 1;
    OK(cufftCreate(&plan));
    OK(cufftMakePlanMany(plan, 2, n, in_embed, IN_STRIDE, IN_DIST, out_embed, OUT_STRIDE, OUT_DIST,
                         CUFFT_Z2Z, BATCH, &work));
    OK(cufftExecZ2Z(plan, x.device, y.device, CUFFT_FORWARD));
    OK(cufftDestroy(plan));
    for (int b = 0; b < BATCH; b++) {
        Number in[24], out[24];
        for (int p = 0; p < 24; p++)
            in[p] = x.host[b * IN_DIST + (p / 6 * 8 + p % 6) * IN_STRIDE];
        reference(in, n, 2, -1, out);
        for (int p = 0; p < 24; p++)
            y.host[b * OUT_DIST + (p / 6 * 7 + p % 6) * OUT_STRIDE] = out[p];
    }
    expect_array("embedded", &y, 8); /* and nothing between was touched */
    array_free(&x);
    array_free(&y);
}

static void statuses(void **state)
{
    (void)state;
    cufftHandle plan;
    size_t work;
    assert_int_equal(cufftPlan1d(NULL, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
    assert_int_equal(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
    assert_int_equal(cufftPlan1d(&plan, 8, (cufftType)5, 1), CUFFT_INVALID_TYPE);
    assert_int_equal(cufftPlan1d(&plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
    assert_int_equal(cufftExecC2C(77, (void *)16, (void *)16, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    OK(cufftEstimate2d(64, 64, CUFFT_R2C, &work));
    OK(cufftPlan2d(&plan, 8, 8, CUFFT_C2C));
    float *p;
    cudaMalloc((void **)&p, 8192);
    assert_int_equal(cufftExecZ2Z(plan, (void *)p, (void *)p, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    assert_int_equal(cufftExecC2C(plan, (void *)p, (void *)p, 3), CUFFT_INVALID_VALUE);
    assert_int_equal(cufftSetStream(plan, (cudaStream_t)(void *)&work), CUFFT_INVALID_VALUE);
    OK(cufftGetSize(plan, &work));
    /* The handle may go while its work waits. */
    OK(cufftExecC2C(plan, (void *)p, (void *)p, CUFFT_FORWARD));
    OK(cufftDestroy(plan));
    assert_int_equal(cufftDestroy(plan), CUFFT_INVALID_PLAN);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    /* outside the allocation: as a kernel's fault */
    OK(cufftPlan1d(&plan, 4096, CUFFT_C2C, 1));
    OK(cufftExecC2C(plan, (void *)p, (void *)p, CUFFT_FORWARD));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cufftDestroy(plan));
    OK(gpukit_reset(NULL));
    /* spans beyond all counting */
    int n[3] = {INT_MAX, INT_MAX, 3};
    OK(cufftPlanMany(&plan, 3, n, n, INT_MAX, INT_MAX, n, INT_MAX, INT_MAX, CUFFT_C2C, 7));
    cudaMalloc((void **)&p, 8192);
    OK(cufftExecC2C(plan, (void *)p, (void *)p, CUFFT_FORWARD));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cufftDestroy(plan));
    OK(gpukit_reset(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complex_to_complex),
                                       cmocka_unit_test(real_transforms), cmocka_unit_test(layouts),
                                       cmocka_unit_test(statuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
