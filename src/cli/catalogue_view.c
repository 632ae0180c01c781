/* SPDX-License-Identifier: Apache-2.0
 * Formatting for the catalogue's commands. */
#include "cli/catalogue_view.h"
#include "base/buf.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

Catalogue *view_open(void)
{
    Diags diags;
    diags_init(&diags);
    Catalogue *c = catalogue_open(getenv("GPUKIT_CATALOGUE"), NULL, &diags);
    diags_print(&diags, stderr);
    diags_fini(&diags);
    return c;
}

int view_run(const Command *command, ViewRun *run, int argc, char **argv)
{
    int names;
    int parsed = options_parse(command, argc, argv, &names, NULL);
    if (parsed)
        return parsed == 1 ? EXIT_CLEAN : EXIT_USAGE;
    Catalogue *c = view_open();
    if (!c)
        return EXIT_ENVIRONMENT;
    int status = run(c, names, argv + 1);
    catalogue_close(c);
    return status;
}

void view_json(json_object *object)
{
    puts(json_object_to_json_string_ext(object,
                                        JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static char *ring(void)
{
    static char buffers[32][40];
    static int next;
    next = (next + 1) % 32;
    buffers[next][0] = 0;
    return buffers[next];
}

const char *view_usd(double usd)
{
    char *text = ring();
    if (isnan(usd))
        return text;
    if (usd < 0.001)
        snprintf(text, 40, "%.2e", usd);
    else
        snprintf(text, 40, "%.*f",
                 usd < 0.01    ? 5
                 : usd < 1     ? 4
                 : usd < 10    ? 3
                 : usd < 10000 ? 2
                               : 0,
                 usd);
    return text;
}

const char *view_number(double value)
{
    char *text = ring();
    if (!isnan(value))
        snprintf(text, 40, fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
    return text;
}

const char *view_rounded(double value)
{
    char *text = ring();
    if (!isnan(value))
        snprintf(text, 40, "%.0f", value);
    return text;
}

const char *view_gib(double mib)
{
    char *text = ring();
    if (!isnan(mib))
        snprintf(text, 40, "%.1f", mib / 1024);
    return text;
}

const char *view_age(int days)
{
    char *text = ring();
    if (days < 0)
        return "?";
    snprintf(text, 40, "%dd", days);
    return text;
}

const char *view_seconds(double seconds)
{
    char *text = ring();
    if (isnan(seconds))
        return text;
    if (seconds < 0.1)
        snprintf(text, 40, "%.2g ms", seconds * 1e3);
    else if (seconds < 100)
        snprintf(text, 40, "%.2g s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, 40, "%.0f min", seconds / 60);
    else if (seconds < 72 * 3600.0)
        snprintf(text, 40, "%.1f h", seconds / 3600);
    else if (seconds < 730 * 86400.0)
        snprintf(text, 40, "%.0f days", seconds / 86400);
    else
        snprintf(text, 40, "%.0f years", seconds / 86400 / 365.25);
    return text;
}

static const char *scaled(double value, const char *space)
{
    static const struct {
        double from;
        const char *name;
    } scales[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}};
    char *text = ring();
    if (isnan(value))
        return text;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
        if (value >= scales[i].from) {
            double x = value / scales[i].from;
            snprintf(text, 40, "%.*f%s%s", x < 10 && x != floor(x) ? 1 : 0, x, space,
                     scales[i].name);
            return text;
        }
    snprintf(text, 40, value < 10 ? "%.2g" : "%.0f", value);
    return text;
}

const char *view_count(double count)
{
    return scaled(count, " ");
}

const char *view_tokens(double value)
{
    return scaled(value, "");
}

void view_wrapped(FILE *out, int at, int margin, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " "), width = 0;
        for (size_t i = 0; i < length; ++i)
            width += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (at > margin && at + 1 + (int)width > 78) {
            fprintf(out, "\n%*s", margin, "");
            at = margin;
        } else if (at > margin) {
            fputc(' ', out);
            ++at;
        }
        fprintf(out, "%.*s", (int)length, text);
        at += (int)width;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void view_line(const char *label, const char *format, ...)
{
    va_list args;
    char text[2048];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!text[0])
        return;
    printf("  %-12s", label);
    view_wrapped(stdout, 14, 14, text);
}

void view_age_note(const Catalogue *c, int youngest, int oldest, const char *region)
{
    char from[11], to[11];
    if (oldest < 0)
        return;
    catalogue_date(c->today - oldest, from);
    catalogue_date(c->today - youngest, to);
    Buf note = {0};
    buf_printf(&note, "Prices: USD per hour, Linux, %s, seen %s", region, from);
    if (youngest != oldest)
        buf_printf(&note, " to %s", to);
    if (oldest > CATALOGUE_OLD_DAYS)
        buf_printf(&note, "; over %d days old: `gpukit catalogue refresh`", CATALOGUE_OLD_DAYS);
    buf_puts(&note, ". The bill may differ.");
    fputs(view_dim(), stdout);
    view_wrapped(stdout, 0, 0, buf_text(&note));
    fputs(view_plain(), stdout);
    buf_free(&note);
}

static const char *colour(const char *code)
{
    static int has = -1;
    if (has < 0)
        has = out_has_colour(stdout);
    return has ? code : "";
}

const char *view_bold(void)
{
    return colour("\033[1m");
}

const char *view_dim(void)
{
    return colour("\033[2m");
}

const char *view_plain(void)
{
    return colour("\033[0m");
}
