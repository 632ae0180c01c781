/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublasLt against plain loops: operand orders, batches, bias, relu, gelu and their gradients,
 * in float and bfloat16; 8-bit floats with scales; what is refused. */
#include "device_values.h"

#include <cublasLt.h>
#include <stdbool.h>

#define OK(call) assert_int_equal(call, CUBLAS_STATUS_SUCCESS)
enum { M = 11, N = 7, K = 5, BATCH = 2 };

static cublasLtHandle_t handle;

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}
static double gelu_gradient(double x)
{
    return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
}

static cublasLtMatrixLayout_t layout(cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld,
                                     int order)
{
    cublasLtMatrixLayout_t out;
    OK(cublasLtMatrixLayoutCreate(&out, type, rows, cols, ld));
    int32_t batch = BATCH, kind = order;
    int64_t stride = (int64_t)rows * (int64_t)cols * 2;
    OK(cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_ORDER, &kind, sizeof kind));
    OK(cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                        sizeof batch));
    OK(cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                        sizeof stride));
    return out;
}

static double at(const Array *a, size_t batch, int rows, int cols, int order, int i, int j)
{
    size_t ld = (size_t)(order ? cols : rows);
    return creal(a->host[batch * (size_t)(rows * cols * 2) +
                         (order ? (size_t)i * ld + (size_t)j : (size_t)j * ld + (size_t)i)]);
}

static void products(void **state)
{
    (void)state;
    static const cublasLtEpilogue_t epilogues[] = {
        CUBLASLT_EPILOGUE_DEFAULT,     CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS,   CUBLASLT_EPILOGUE_GELU,          CUBLASLT_EPILOGUE_GELU_BIAS,
        CUBLASLT_EPILOGUE_GELU_AUX,    CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU,
        CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA,        CUBLASLT_EPILOGUE_BGRADB};
    for (size_t v = 0; v < sizeof epilogues / sizeof *epilogues; v++)
        for (int form = 0; form < 8; form++) {
            cublasLtEpilogue_t e = epilogues[v];
            bool gradient = e == CUBLASLT_EPILOGUE_BGRADA || e == CUBLASLT_EPILOGUE_BGRADB;
            int ta = form & 1, tb = form >> 1 & 1, row_d = form >> 2;
            int ar = ta ? K : M, ac = ta ? M : K, br = tb ? N : K, bc = tb ? K : N;
            Array a = array_new(S, M * K * 2 * BATCH), b = array_new(S, K * N * 2 * BATCH);
            Array c = array_new(S, M * N * 2 * BATCH), d = array_new(S, M * N * 2 * BATCH);
            Array bias = array_new(S, M), aux = array_new(S, M * N * 2 * BATCH);
            cublasLtMatrixLayout_t la =
                layout(CUDA_R_32F, (uint64_t)ar, (uint64_t)ac, row_d ? ac : ar, row_d);
            cublasLtMatrixLayout_t lb = layout(CUDA_R_32F, (uint64_t)br, (uint64_t)bc, br, 0);
            cublasLtMatrixLayout_t lc = layout(CUDA_R_32F, M, N, row_d ? N : M, row_d);
            cublasLtMatmulDesc_t desc;
            OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
            int32_t op_a = ta, op_b = tb;
            int64_t ld = M, stride = M * N * 2;
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, 4));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, 4));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &e, sizeof e));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.device,
                                              sizeof bias.device));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                                              &aux.device, sizeof aux.device));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, 8));
            OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
                                              &stride, 8));
            cublasLtMatmulPreference_t preference;
            cublasLtMatmulHeuristicResult_t found;
            int count = 0;
            OK(cublasLtMatmulPreferenceCreate(&preference));
            OK(cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, lc, preference, 1, &found,
                                              &count));
            assert_int_equal(count, 1);
            float alpha = 0.75f, beta = gradient ? 0 : 0.5f;
            OK(cublasLtMatmul(handle, desc, &alpha, a.device, la, b.device, lb, &beta, c.device, lc,
                              d.device, lc, &found.algo, NULL, 0, NULL));
            double sums[M] = {0};
            for (size_t p = 0; p < BATCH; p++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < M; i++) {
                        double sum = 0;
                        for (int k = 0; k < K; k++)
                            sum += at(&a, p, ar, ac, row_d, ta ? k : i, ta ? i : k) *
                                   at(&b, p, br, bc, 0, tb ? j : k, tb ? k : j);
                        double value =
                            0.75 * sum + (gradient ? 0 : 0.5) * at(&c, p, M, N, row_d, i, j);
                        Number *other = &aux.host[p * M * N * 2 + (size_t)(j * M + i)];
                        if (e & CUBLASLT_EPILOGUE_BIAS)
                            value += creal(bias.host[i]);
                        if (e == CUBLASLT_EPILOGUE_GELU_AUX || e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS)
                            *other = value;
                        if (e & CUBLASLT_EPILOGUE_RELU)
                            value = fmax(value, 0);
                        else if (e & CUBLASLT_EPILOGUE_GELU)
                            value = gelu(value);
                        else if ((e & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU)
                            value *= gelu_gradient(creal(*other));
                        if (p == BATCH - 1)
                            sums[i] += value;
                        d.host[p * M * N * 2 + (size_t)(row_d ? i * N + j : j * M + i)] = value;
                    }
            expect_array("D", &d, 4);
            expect_array("aux", &aux, 4);
            /* gradients of a bias: the last batch writes them, the stride being 0 */
            if (e == CUBLASLT_EPILOGUE_DGELU_BGRAD) {
                for (int i = 0; i < M; i++)
                    bias.host[i] = sums[i];
                expect_array("bgrad", &bias, 8);
            } else if (gradient) {
                for (int i = 0; i < (e == CUBLASLT_EPILOGUE_BGRADA ? M : N); i++) {
                    bias.host[i] = 0;
                    for (int k = 0; k < K; k++)
                        bias.host[i] += e == CUBLASLT_EPILOGUE_BGRADA
                                            ? at(&a, 1, ar, ac, row_d, ta ? k : i, ta ? i : k)
                                            : at(&b, 1, br, bc, 0, tb ? i : k, tb ? k : i);
                }
                expect_array("bgrada", &bias, 8);
            }
            cublasLtMatmulPreferenceDestroy(preference);
            cublasLtMatmulDescDestroy(desc);
            cublasLtMatrixLayoutDestroy(la);
            cublasLtMatrixLayoutDestroy(lb);
            cublasLtMatrixLayoutDestroy(lc);
            Array *all[] = {&a, &b, &c, &d, &bias, &aux};
            for (int i = 0; i < 6; i++)
                array_free(all[i]);
        }
}

static float from_e4m3(uint8_t byte)
{
    int exponent = byte >> 3 & 15;
    float value = ldexpf((float)((byte & 7) + (exponent ? 8 : 0)), (exponent ? exponent : 1) - 10);
    return byte & 0x80 ? -value : value;
}

/* 8-bit inputs with scales, 8-bit and bfloat16 results: every value within half a unit of its last
 * place, and the largest value reported. */
static void fp8(void **state)
{
    (void)state;
    for (int to_fp8 = 0; to_fp8 < 2; to_fp8++) {
        uint8_t a[16 * 16], b[16 * 16];
        for (int i = 0; i < 256; i++) {
            a[i] = (uint8_t)(i & 0x80) | (uint8_t)(0x20 + i % 40);
            b[i] = (uint8_t)((i * 7) & 0x80) | (uint8_t)(0x18 + i % 56);
        }
        float scales[4] = {0.5f, 4, 0.125f, -1};
        unsigned char *device;
        cudaMalloc((void **)&device, 4096);
        cudaMemcpy(device, a, sizeof a, cudaMemcpyHostToDevice);
        cudaMemcpy(device + 512, b, sizeof b, cudaMemcpyHostToDevice);
        cudaMemcpy(device + 1024, scales, sizeof scales, cudaMemcpyHostToDevice);
        cublasLtMatmulDesc_t desc;
        cublasLtMatrixLayout_t in, out, c;
        OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        OK(cublasLtMatrixLayoutCreate(&in, CUDA_R_8F_E4M3, 16, 16, 16));
        OK(cublasLtMatrixLayoutCreate(&c, CUDA_R_16BF, 16, 16, 16));
        OK(cublasLtMatrixLayoutCreate(&out, to_fp8 ? CUDA_R_8F_E4M3 : CUDA_R_16BF, 16, 16, 16));
        int32_t transposed = 1;
        OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, 4));
        static const cublasLtMatmulDescAttributes_t places[] = {
            CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
            CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER};
        for (int i = 0; i < 4; i++) {
            void *p = device + 1024 + 4 * i;
            OK(cublasLtMatmulDescSetAttribute(desc, places[i], &p, sizeof p));
        }
        float alpha = 1, beta = 0;
        OK(cublasLtMatmul(handle, desc, &alpha, device, in, device + 512, in, &beta, device + 2048,
                          c, device + 3072, out, NULL, NULL, 0, NULL));
        uint16_t result[256];
        cudaMemcpy(result, device + 3072, sizeof result, cudaMemcpyDeviceToHost);
        cudaMemcpy(scales, device + 1024, sizeof scales, cudaMemcpyDeviceToHost);
        double most = 0;
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++) {
                double sum = 0;
                for (int k = 0; k < 16; k++)
                    sum += (double)from_e4m3(a[i * 16 + k]) * from_e4m3(b[j * 16 + k]);
                sum *= 2;
                most = fmax(most, fabs(sum));
                sum *= 0.125;
                int n = j * 16 + i;
                uint32_t wide = (uint32_t)result[n] << 16;
                float bfloat;
                memcpy(&bfloat, &wide, 4);
                double got = to_fp8 ? (double)from_e4m3(((uint8_t *)result)[n]) : (double)bfloat;
                double wanted = to_fp8 ? fmax(-448, fmin(448, sum)) : sum;
                double bound = fabs(sum) * (to_fp8 ? 0x1p-4 : 0x1p-8) + (to_fp8 ? 0x1p-10 : 1e-6);
                if (!(fabs(got - wanted) <= bound))
                    fail_msg("fp8 %d: %g, expected %g", to_fp8, got, wanted);
            }
        assert_true(fabs((double)scales[3] - most) <= most * 1e-5);
        cublasLtMatmulDescDestroy(desc);
        cublasLtMatrixLayoutDestroy(in);
        cublasLtMatrixLayoutDestroy(out);
        cublasLtMatrixLayoutDestroy(c);
        cudaFree(device);
    }
}

static void refused(void **state)
{
    (void)state;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t a, b, wrong;
    cublasLtMatmulAlgo_t algo; /* any number of a GPU's algorithms is the one that there is */
    OK(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F,
                              CUDA_R_64F, CUDA_R_64F, 10, &algo));
    const cublasLtMatmulTile_t tile = CUBLASLT_MATMUL_TILE_16x16;
    OK(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile,
                                            sizeof tile));
    assert_int_equal(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F,
                                            CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, -1, &algo),
                     CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, 4, 4, 4));
    OK(cublasLtMatrixLayoutCreate(&b, CUDA_R_32F, 4, 4, 4));
    OK(cublasLtMatrixLayoutCreate(&wrong, CUDA_R_32F, 3, 4, 4));
    float one = 1, *p;
    cudaMalloc((void **)&p, 256);
    assert_int_equal(
        cublasLtMatmul(handle, desc, &one, p, a, p, wrong, &one, p, a, p, a, NULL, NULL, 0, NULL),
        CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(
        cublasLtMatmul(NULL, desc, &one, p, a, p, b, &one, p, a, p, a, NULL, NULL, 0, NULL),
        CUBLAS_STATUS_NOT_INITIALIZED);
    int32_t order = CUBLASLT_ORDER_COL32;
    OK(cublasLtMatrixLayoutSetAttribute(b, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, 4));
    assert_int_equal(
        cublasLtMatmul(handle, desc, &one, p, a, p, b, &one, p, a, p, a, NULL, NULL, 0, NULL),
        CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(cublasLtMatrixLayoutSetAttribute(b, CUBLASLT_MATRIX_LAYOUT_LD, &order, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    size_t written = 0;
    OK(cublasLtMatrixLayoutGetAttribute(b, CUBLASLT_MATRIX_LAYOUT_LD, NULL, 0, &written));
    assert_int_equal(written, 8);
    cublasLtMatmulDescDestroy(desc);
    cublasLtMatrixLayoutDestroy(a);
    cublasLtMatrixLayoutDestroy(b);
    cublasLtMatrixLayoutDestroy(wrong);
    cudaFree(p);
}

static int create(void **state)
{
    (void)state;
    return cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(fp8),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, create, NULL);
}
