/* SPDX-License-Identifier: Apache-2.0
 * The gpukit program: finds the command in commands.def and runs it. */
#include "base/diag.h"
#include "base/options.h"

#include <stdbool.h>
#include <stdint.h>
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

/* Commands without an option table say so here. */
static bool has_table(const char *name)
{
    return strcmp(name, "version") != 0 && strcmp(name, "cc") != 0 && strcmp(name, "ptxas") != 0;
}

static void run_with(int command, const char *option)
{
    char *argv[] = {(char *)(uintptr_t)commands[command].name, (char *)(uintptr_t)option, NULL};
    commands[command].run(2, argv);
}

/* The whole man page, from the tables: `gpukit --man`. */
static int print_man(void)
{
    printf(".TH GPUKIT 1 \"\" \"gpukit " GPUKIT_VERSION "\" \"User Commands\"\n"
           ".SH NAME\ngpukit \\- run, check, measure and price CUDA code with or without a GPU\n"
           ".SH SYNOPSIS\n.B gpukit\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
           ".SH COMMANDS\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (has_table(commands[i].name)) {
            run_with(i, "--help-man");
            continue;
        }
        printf(".SS gpukit %s\n", commands[i].name);
        man_line(commands[i].summary, stdout);
    }
    puts(".SH EXIT STATUS\n0 clean, 1 findings, 2 usage, 3 environment; \\fBrun\\fR: the program's "
         "own.\n"
         ".SH ENVIRONMENT\n"
         ".TP\n.B GPUKIT_CACHE\nfolder of compiled programs and kernels "
         "(default \\fI~/.cache/gpukit\\fR)\n"
         ".TP\n.B GPUKIT_TRACE\nfile that receives what a program did with its device, as JSON "
         "lines\n"
         ".TP\n.B NO_COLOR\nno colours, even on a terminal");
    return EXIT_CLEAN;
}

/* Completion for bash, from the tables: `gpukit --completion`. */
static int print_completion(void)
{
    printf("# bash completion for gpukit " GPUKIT_VERSION "\n_gpukit()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words=\"");
    for (int i = 0; i < COMMAND_COUNT; ++i)
        printf("%s ", commands[i].name);
    puts("--help --version\"\n    else\n        case ${COMP_WORDS[1]} in");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (!has_table(commands[i].name))
            continue;
        printf("        %s) words=\"", commands[i].name);
        fflush(stdout);
        run_with(i, "--help-words");
        puts("\" ;;");
    }
    puts("        esac\n    fi\n"
         "    if [ \"$COMP_CWORD\" != 1 ] && [ \"${word#-}\" = \"$word\" ]; then\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n    else\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    fi\n}\n"
         "complete -o filenames -F _gpukit gpukit");
    return EXIT_CLEAN;
}

int main(int argc, char **argv)
{
    /* bin/nvcc and bin/ptxas of the toolkit folder are this program, for CMake and other callers. */
    const char *slash = strrchr(argv[0], '/');
    if (strcmp(slash ? slash + 1 : argv[0], "nvcc") == 0)
        return cmd_cc(argc, argv);
    if (strcmp(slash ? slash + 1 : argv[0], "ptxas") == 0)
        return cmd_ptxas(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_CLEAN;
    }
    if (strcmp(argv[1], "--version") == 0)
        return cmd_version(argc - 1, argv + 1);
    if (strcmp(argv[1], "--man") == 0)
        return print_man();
    if (strcmp(argv[1], "--completion") == 0)
        return print_completion();
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "gpukit: unknown command '%s'\n  help: gpukit --help\n", argv[1]);
    return EXIT_USAGE;
}
