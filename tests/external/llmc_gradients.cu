/* SPDX-License-Identifier: Apache-2.0
 * llm.c's own test accepts gradients within 0.01, which is more than most of them are: this one asks for
 * a relative error of each tensor. Compiled with llm.c's folder as an include folder; reads what
 * llmc_reference.c wrote. */
#define TESTING
#include "train_gpt2_fp32.cu"

static const char *const names[NUM_PARAMETER_TENSORS] = {
    "wte",  "wpe",  "ln1w", "ln1b", "qkvw",    "qkvb",    "attprojw", "attprojb",
    "ln2w", "ln2b", "fcw",  "fcb",  "fcprojw", "fcprojb", "lnfw",     "lnfb"};

/* |a - b| / |b|, as vectors */
static double distance(const float *a, const float *b, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; ++i) {
        difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        size += (double)b[i] * b[i];
    }
    return sqrt(difference / size);
}

static int judge(const char *name, double error)
{
    bool good = error < 1e-4;
    printf("%-10s relative error %.1e%s\n", name, error, good ? "" : " WRONG");
    return !good;
}

int main()
{
    cublasCheck(cublasCreate(&cublas_handle));
    cublas_compute_type = CUBLAS_COMPUTE_32F;
    GPT2 model;
    gpt2_build_from_checkpoint(&model, "gpt2_124M.bin");
    FILE *file = fopenCheck("gpt2_124M_debug_state.bin", "rb");
    int header[256], wrong = 0;
    freadCheck(header, sizeof(int), 256, file);
    int B = header[2], T = header[3], V = model.config.vocab_size, Vp = model.config.padded_vocab_size;
    int *x = (int *)mallocCheck(B * T * sizeof(int)), *y = (int *)mallocCheck(B * T * sizeof(int));
    float *logits = (float *)mallocCheck((size_t)B * T * V * sizeof(float)), loss;
    float *got = (float *)mallocCheck((size_t)B * T * Vp * sizeof(float));
    float *want = (float *)mallocCheck(model.num_parameters * sizeof(float));
    float *gradients = (float *)mallocCheck(model.num_parameters * sizeof(float));
    freadCheck(x, sizeof(int), B * T, file);
    freadCheck(y, sizeof(int), B * T, file);
    freadCheck(logits, sizeof(float), (size_t)B * T * V, file);
    freadCheck(&loss, sizeof(float), 1, file);
    freadCheck(want, sizeof(float), model.num_parameters, file);
    fcloseCheck(file);

    gpt2_forward(&model, x, NULL, B, T);
    cudaCheck(cudaMemcpy(got, model.acts.output, (size_t)B * T * Vp * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 1; i < B * T; ++i) /* without the padding */
        memmove(got + (size_t)i * V, got + (size_t)i * Vp, V * sizeof(float));
    wrong += judge("logits", distance(got, logits, (size_t)B * T * V));

    FILE *losses = fopenCheck("losses.txt", "r");
    for (int step = 0; step < 10; ++step) {
        gpt2_forward(&model, x, y, B, T);
        gpt2_zero_grad(&model);
        gpt2_backward(&model);
        if (step == 0) {
            cudaCheck(cudaMemcpy(gradients, model.grads_memory, model.num_parameters * sizeof(float),
                                 cudaMemcpyDeviceToHost));
            size_t at = 0;
            for (int i = 0; i < NUM_PARAMETER_TENSORS; at += model.param_sizes[i++])
                wrong += judge(names[i], distance(gradients + at, want + at, model.param_sizes[i]));
        }
        float expected = 0;
        wrong += fscanf(losses, "%f", &expected) != 1 || !(fabsf(model.mean_loss - expected) < 2e-5f * expected);
        printf("step %d: loss %.6f, by llm.c's CPU code %.6f\n", step, model.mean_loss, expected);
        gpt2_update(&model, 1e-4f, 0.9f, 0.999f, 1e-8f, 0.01f, step + 1);
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
