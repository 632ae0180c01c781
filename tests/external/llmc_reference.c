/* SPDX-License-Identifier: Apache-2.0
 * Makes a small random GPT-2 in llm.c's file formats, with what llm.c's own CPU code computes for it.
 * Compiled with llm.c's folder as an include folder (train_gpt2.c is included, not copied); writes into
 * the current folder: the checkpoint, the state for debugging (tokens, logits, loss, gradients), a
 * tokenizer, two token files, and losses.txt, the losses of ten steps on the state's batch. */
#define TESTING
#include "train_gpt2.c"

#include <sys/stat.h>

enum { LAYERS = 3, HEADS = 4, CHANNELS = 128, WORDS = 1031, PADDED = 1152, BATCH = 4, LENGTH = 64 };

static uint64_t state = 0x853c49e6748fea9bu;

static unsigned next_random(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33);
}

static float about_zero(float width) /* evenly in -width..width */
{
    return ((float)next_random() / 1073741824.0f - 1.0f) * width;
}

static FILE *begin(const char *path, int magic, int version, const int *rest, int count)
{
    int header[256] = {magic, version};
    memcpy(header + 2, rest, (size_t)count * sizeof(int));
    FILE *file = fopenCheck(path, "wb");
    fwrite(header, sizeof(int), 256, file);
    return file;
}

/* A text with something to learn: the next word follows from the last one three times in four. */
static int next_word(int word)
{
    return next_random() % 4 ? (word * 7 + 3) % WORDS : (int)(next_random() % WORDS);
}

static void write_tokens(const char *path, int count)
{
    FILE *file = begin(path, 20240520, 1, &count, 1);
    int word = 1;
    for (int i = 0; i < count; ++i) {
        uint16_t token = (uint16_t)(word = next_word(word));
        fwrite(&token, sizeof token, 1, file);
    }
    fclose(file);
}

static void write_checkpoint(const char *path)
{
    GPT2Config config = {.max_seq_len = LENGTH,
                         .vocab_size = WORDS,
                         .padded_vocab_size = PADDED,
                         .num_layers = LAYERS,
                         .num_heads = HEADS,
                         .channels = CHANNELS};
    size_t sizes[NUM_PARAMETER_TENSORS];
    fill_in_parameter_sizes(sizes, config);
    int rest[] = {LENGTH, WORDS, LAYERS, HEADS, CHANNELS, PADDED};
    FILE *file = begin(path, 20240326, 3, rest, 6);
    for (int tensor = 0; tensor < NUM_PARAMETER_TENSORS; ++tensor)
        for (size_t i = 0; i < sizes[tensor]; ++i) {
            int scale = tensor == 2 || tensor == 8 || tensor == 14; /* of the normalisations */
            float value = (scale ? 1.0f : 0.0f) + about_zero(0.12f);
            if (tensor == 0 && i >= (size_t)WORDS * CHANNELS)
                value = 0; /* words that there are not */
            fwrite(&value, sizeof value, 1, file);
        }
    fclose(file);
}

static void write_tokenizer(const char *path)
{
    int rest[] = {WORDS, WORDS - 1};
    FILE *file = begin(path, 20240328, 2, rest, 2);
    for (int i = 0; i < WORDS; ++i) {
        char word[16];
        unsigned char length = (unsigned char)snprintf(word, sizeof word, "w%d ", i);
        fwrite(&length, 1, 1, file);
        fwrite(word, 1, length, file);
    }
    fclose(file);
}

int main(void)
{
    mkdir("dev", 0777);
    mkdir("dev/data", 0777);
    mkdir("dev/data/tinyshakespeare", 0777);
    write_tokens("dev/data/tinyshakespeare/tiny_shakespeare_train.bin", BATCH * LENGTH * 20 + 1);
    write_tokens("dev/data/tinyshakespeare/tiny_shakespeare_val.bin", BATCH * LENGTH * 5 + 1);
    write_checkpoint("gpt2_124M.bin");
    write_tokenizer("gpt2_tokenizer.bin");

    int x[BATCH * LENGTH], y[BATCH * LENGTH], word = 2;
    for (int i = 0; i < BATCH * LENGTH; ++i) {
        x[i] = word;
        y[i] = word = next_word(word);
    }
    GPT2 model;
    gpt2_build_from_checkpoint(&model, "gpt2_124M.bin");
    FILE *losses = fopenCheck("losses.txt", "w");
    for (int step = 0; step < 10; ++step) {
        gpt2_forward(&model, x, y, BATCH, LENGTH);
        gpt2_zero_grad(&model);
        gpt2_backward(&model);
        if (step == 0) {
            int rest[] = {BATCH, LENGTH};
            FILE *file = begin("gpt2_124M_debug_state.bin", 20240327, 2, rest, 2);
            fwrite(x, sizeof x, 1, file);
            fwrite(y, sizeof y, 1, file);
            for (int i = 0; i < BATCH * LENGTH; ++i)
                fwrite(model.acts.logits + (size_t)i * PADDED, sizeof(float), WORDS, file);
            fwrite(&model.mean_loss, sizeof(float), 1, file);
            fwrite(model.grads_memory, sizeof(float), model.num_parameters, file);
            fclose(file);
        }
        fprintf(losses, "%.7f\n", model.mean_loss);
        gpt2_update(&model, 1e-4f, 0.9f, 0.999f, 1e-8f, 0.01f, step + 1);
    }
    fclose(losses);
    gpt2_free(&model);
    return 0;
}
