/* SPDX-License-Identifier: Apache-2.0
 * gpukit export: a trained model as an ONNX file. */
#include "base/diag.h"
#include "base/options.h"
#include "trainer/model.h"

#include <stdio.h>
#include <string.h>

int cmd_export(int argc, char **argv)
{
    const char *onnx = NULL;
    const Option options[] = {
        {0, "onnx", OPT_TEXT, &onnx, "FILE", "the file to write"},
    };
    const Command command = {
        .command = "export",
        .usage = "MODEL --onnx FILE",
        .summary = "Write a trained model as an ONNX file.",
        .details =
            "The ONNX model takes \"image\" [N][3][size][size], float values 0 to 1, and returns\n"
            "\"logits\" and \"probabilities\". Batch norm is folded into the convolutions.\n\n"
            "example: gpukit export model.safetensors --onnx model.onnx",
        .options = options,
        .option_count = 1,
    };
    int count, done = options_parse(&command, argc, argv, &count, NULL);
    if (done)
        return done == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (count != 1 || !onnx) {
        fprintf(
            stderr,
            "gpukit export: one MODEL and --onnx FILE are needed\n  help: gpukit export --help\n");
        return EXIT_USAGE;
    }
    Diags diags;
    Model model;
    diags_init(&diags);
    int code = EXIT_CLEAN;
    if (!model_load(argv[1], &model, NULL, &diags)) {
        code = EXIT_FINDINGS;
    } else {
        int error = model_export_onnx(onnx, &model);
        if (error) {
            diag_add(&diags, DIAG_ERROR, onnx, 0, 0, "cannot be written: %s", strerror(-error));
            code = EXIT_ENVIRONMENT;
        } else {
            printf("wrote %s: input image [N, 3, %d, %d], RGB from 0 to 1 (normalised inside); "
                   "outputs "
                   "logits and probabilities\n",
                   onnx, model.net.size, model.net.size);
        }
        model_free(&model);
    }
    diags_print(&diags, stderr);
    diags_fini(&diags);
    return code;
}
