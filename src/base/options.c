/* SPDX-License-Identifier: Apache-2.0
 * Table-driven command-line options. */
#include "base/options.h"
#include "base/arena.h"
#include "base/diag.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_size(const char *text, unsigned long long *bytes)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno || !(number >= 0))
        return false;
    static const char units[] = "KMGT";
    double scale = 1;
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit) {
        for (const char *u = units; u <= unit; ++u)
            scale *= 1024;
        ++end;
        if (strcmp(end, "iB") == 0 || strcmp(end, "B") == 0)
            end += strlen(end);
    } else if (*end == 'B') {
        ++end;
    }
    if (*end || number * scale > 1e19)
        return false;
    *bytes = (unsigned long long)(number * scale);
    return true;
}

bool parse_seconds(const char *text, double *seconds)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno || !(number >= 0))
        return false;
    double scale = strcmp(end, "") == 0 || strcmp(end, "s") == 0 ? 1
                   : strcmp(end, "ms") == 0                      ? 1e-3
                   : strcmp(end, "m") == 0                       ? 60
                   : strcmp(end, "h") == 0                       ? 3600
                   : strcmp(end, "d") == 0                       ? 86400
                                                                 : 0;
    *seconds = number * scale;
    return scale > 0;
}

static const Option *find_option(const Command *command, const char *name, size_t length)
{
    for (int i = 0; i < command->option_count; ++i) {
        const Option *o = &command->options[i];
        if (o->name && strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    }
    return NULL;
}

/* Is the option's argument, in the table, a range: "1-64"? */
static bool has_range(const Option *option)
{
    return option->arg && option->arg[0] >= '0' && option->arg[0] <= '9';
}

static bool in_range(const Option *option, double number)
{
    if (!has_range(option))
        return true;
    unsigned long long least = 0, most = 0;
    const char *dash = strchr(option->arg, '-');
    char *first = xasprintf("%.*s", (int)(dash - option->arg), option->arg);
    bool known = parse_size(first, &least) && parse_size(dash + 1, &most);
    free(first);
    return known && number >= (double)least && number <= (double)most;
}

static bool store(const Option *option, const char *text)
{
    char *end;
    errno = 0;
    switch (option->type) {
    case OPT_FLAG:
        *(bool *)option->value = true;
        return true;
    case OPT_TEXT:
        *(const char **)option->value = text;
        return true;
    case OPT_INT:
    case OPT_COUNT: {
        long number = *(long *)option->value = strtol(text, &end, 0);
        return end != text && !*end && !errno && number >= (option->type == OPT_COUNT) &&
               in_range(option, (double)number);
    }
    case OPT_REAL:
    case OPT_POSITIVE: {
        double number = *(double *)option->value = strtod(text, &end);
        return end != text && !*end && !errno && isfinite(number) && number >= 0 &&
               (number > 0 || option->type == OPT_REAL) && in_range(option, number);
    }
    case OPT_SIZE: {
        unsigned long long *bytes = option->value;
        return parse_size(text, bytes) && *bytes > 0 && in_range(option, (double)*bytes);
    }
    case OPT_SECONDS:
        return parse_seconds(text, option->value) && *(double *)option->value > 0;
    case OPT_LIST: {
        OptList *list = option->value;
        list->items = xrealloc(list->items, sizeof(char *) * (size_t)(list->count + 1));
        list->items[list->count++] = text;
        return true;
    }
    }
    return false;
}

static const char *expected(OptType type)
{
    switch (type) {
    case OPT_INT:
        return "a whole number of 0 or more";
    case OPT_COUNT:
        return "a whole number of 1 or more";
    case OPT_REAL:
        return "a number of 0 or more";
    case OPT_POSITIVE:
        return "a number above 0";
    case OPT_SIZE:
        return "a size above 0 such as 512M or 24G";
    case OPT_SECONDS:
        return "a time above 0 such as 10s or 5m";
    default:
        return "text";
    }
}

static int usage_error(const Command *command)
{
    fprintf(stderr, "  help: gpukit %s --help\n", command->command);
    return EXIT_USAGE;
}

int options_parse(const Command *command, int argc, char **argv, int *operands, int *after_dashes)
{
    int count = 0, behind = 0;
    bool only_operands = false;
    for (int i = 1; i < argc; ++i) {
        char *word = argv[i];
        if (only_operands || word[0] != '-' || word[1] == 0) {
            behind += only_operands;
            argv[1 + count++] = word;
            if (command->stop_at_operand && !only_operands && after_dashes == NULL)
                only_operands = true;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            options_help(command, stdout);
            return 1;
        }
        if (strcmp(word, "--help-man") == 0 || strcmp(word, "--help-words") == 0) {
            (strcmp(word, "--help-man") == 0 ? options_man : options_words)(command, stdout);
            return 1;
        }
        const Option *option = NULL;
        const char *argument = NULL;
        if (word[1] == '-') {
            size_t length = strcspn(word + 2, "=");
            option = find_option(command, word + 2, length);
            if (word[2 + length] == '=')
                argument = word + 3 + length;
        } else {
            for (int k = 0; k < command->option_count && !option; ++k)
                if (command->options[k].letter && command->options[k].letter == word[1])
                    option = &command->options[k];
            if (!option) /* single-dash long names, as compilers have them: -std=c++17 */
                option = find_option(command, word + 1, strcspn(word + 1, "="));
            if (option && option->letter == word[1] && word[2])
                argument = word + 2;
            else if (option && strchr(word, '='))
                argument = strchr(word, '=') + 1;
        }
        if (!option) {
            fprintf(stderr, "gpukit %s: unknown option %s\n", command->command, word);
            if (after_dashes && count)
                fprintf(stderr,
                        "  help: what is the program's own goes behind --: gpukit %s %s -- %s\n",
                        command->command, argv[1], word);
            return usage_error(command);
        }
        if (option->type == OPT_FLAG && argument) {
            fprintf(stderr, "gpukit %s: %s takes no argument\n", command->command, word);
            return usage_error(command);
        }
        if (option->type != OPT_FLAG && !argument) {
            if (i + 1 == argc) {
                fprintf(stderr, "gpukit %s: %s needs %s\n", command->command, word,
                        option->arg ? option->arg : "an argument");
                return usage_error(command);
            }
            argument = argv[++i];
        }
        if (!store(option, argument)) {
            fprintf(stderr, "gpukit %s: %.*s: '%s' is not %s%s\n", command->command,
                    (int)strcspn(word, "="), word, argument,
                    has_range(option) ? "in the range " : "",
                    has_range(option) ? option->arg : expected(option->type));
            return usage_error(command);
        }
    }
    *operands = count;
    if (after_dashes)
        *after_dashes = behind;
    return 0;
}

void options_help(const Command *command, FILE *out)
{
    fprintf(out, "usage: gpukit %s %s\n\n%s\n", command->command, command->usage, command->summary);
    if (command->option_count)
        fprintf(out, "\noptions:\n");
    for (int i = 0; i < command->option_count; ++i) {
        const Option *o = &command->options[i];
        char left[64];
        int n = 0;
        if (o->letter)
            n += snprintf(left + n, sizeof left - (size_t)n, "-%c%s", o->letter,
                          o->name ? ", " : "");
        if (o->name)
            n += snprintf(left + n, sizeof left - (size_t)n, "--%s", o->name);
        if (o->arg)
            snprintf(left + n, sizeof left - (size_t)n, " %s", o->arg);
        fprintf(out, strlen(left) > 24 ? "  %s\n%28s%s\n" : "  %-26s%.0s%s\n", left, "", o->help);
    }
    fprintf(out, "  %-26s%s\n", "-h, --help", "this text");
    if (command->details)
        fprintf(out, "\n%s\n", command->details);
    fprintf(out, "\nexit codes: 0 clean, 1 findings, 2 usage, 3 environment\n");
}

static void man_text(const char *text, FILE *out)
{
    bool line_start = true;
    for (; *text; ++text) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        line_start = *text == '\n';
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
}

void man_line(const char *text, FILE *out)
{
    man_text(text, out);
    fputc('\n', out);
}

void options_man(const Command *command, FILE *out)
{
    fprintf(out, ".SS gpukit %s\n.B gpukit %s\n", command->command, command->command);
    man_line(command->usage, out);
    fputs(".PP\n", out);
    man_line(command->summary, out);
    for (int i = 0; i < command->option_count; ++i) {
        const Option *o = &command->options[i];
        fputs(".TP\n", out);
        if (o->letter)
            fprintf(out, "\\fB\\-%c\\fR%s", o->letter, o->name ? ", " : "");
        if (o->name) {
            fputs("\\fB\\-\\-", out);
            man_text(o->name, out);
            fputs("\\fR", out);
        }
        if (o->arg) {
            fputs(" \\fI", out);
            man_text(o->arg, out);
            fputs("\\fR", out);
        }
        fputc('\n', out);
        man_line(o->help, out);
    }
    if (command->details) {
        fputs(".PP\n.nf\n", out);
        man_line(command->details, out);
        fputs(".fi\n", out);
    }
}

void options_words(const Command *command, FILE *out)
{
    for (int i = 0; i < command->option_count; ++i) {
        const Option *o = &command->options[i];
        if (o->name)
            fprintf(out, "--%s ", o->name);
        else
            fprintf(out, "-%c ", o->letter);
    }
    fputs("--help\n", out);
}
