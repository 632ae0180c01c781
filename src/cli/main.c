/* SPDX-License-Identifier: Apache-2.0
 * The gpukit program: finds the command in commands.def and runs it. */
#include "base/diag.h"

#include <stdio.h>
#include <string.h>

#define COMMAND(name, function, summary) int function(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
#define COMMAND(name, function, summary) {#name, function, summary},
#include "cli/commands.def"
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

int cmd_version(int argc, char **argv)
{
    (void)argc, (void)argv;
    puts("gpukit " GPUKIT_VERSION);
    return EXIT_CLEAN;
}

static void print_help(FILE *out)
{
    fputs("usage: gpukit COMMAND [OPTIONS]\n\n"
          "The GPU survival kit: run, check, measure and price CUDA code with or without a GPU.\n\n"
          "commands:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; ++i)
        fprintf(out, "  %-12s%s\n", commands[i].name, commands[i].summary);
    fputs("\n`gpukit COMMAND --help` describes each, with an example.\n"
          "exit codes: 0 clean, 1 findings, 2 usage, 3 environment\n",
          out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_CLEAN;
    }
    if (strcmp(argv[1], "--version") == 0)
        return cmd_version(argc - 1, argv + 1);
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "gpukit: unknown command '%s'\n  help: gpukit --help\n", argv[1]);
    return EXIT_USAGE;
}
