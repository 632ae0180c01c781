/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures measured once on a real GPU, kept as a table of tab-separated columns with a head line:
 *
 *   program arguments gpu driver date context_ms compile_ms htod_ms kernel_ms dtoh_ms htod_bytes
 *   dtoh_bytes dtoh_hash
 *
 * Lines that begin with # are comments. `gpukit compare --record FILE` on a machine with a GPU adds
 * rows; a later row for the same program and arguments wins. */
#include "compare/compare.h"

#include "base/buf.h"
#include "base/fs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                    \
    "program\targuments\tgpu\tdriver\tdate\tcontext_ms\tcompile_ms\thtod_ms\tkernel_ms\tdtoh_ms\t" \
    "htod_bytes\tdtoh_bytes\tdtoh_hash\n"
enum { COLUMN_COUNT = 13 };

static void forget(CompareRecord *r)
{
    free(r->gpu);
    free(r->driver);
    free(r->date);
    free(r->hash);
    memset(r, 0, sizeof *r);
}

static bool number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0;
}

static bool fill(CompareRecord *r, char *const cell[COLUMN_COUNT])
{
    double values[7];
    for (int i = 0; i < 7; ++i)
        if (!number(cell[5 + i], &values[i]))
            return false;
    forget(r);
    *r = (CompareRecord){.gpu = xstrdup(cell[2]),
                         .driver = xstrdup(cell[3]),
                         .date = xstrdup(cell[4]),
                         .hash = xstrdup(cell[12]),
                         .context = values[0],
                         .compile = values[1],
                         .htod = values[2],
                         .kernels = values[3],
                         .dtoh = values[4],
                         .htod_bytes = (uint64_t)values[5],
                         .dtoh_bytes = (uint64_t)values[6],
                         .present = true};
    return true;
}

int record_find(const char *path, const char *program, const char *arguments, CompareRecord *out,
                Diags *diags)
{
    Buf text = {0};
    memset(out, 0, sizeof *out);
    int error = fs_read(path, &text), line = 0;
    if (error) {
        buf_free(&text);
        return error == -ENOENT ? 0 : error;
    }
    char *rest = text.data;
    for (char *start; rest && (start = strsep(&rest, "\n")) && !diags->errors;) {
        ++line;
        if (!*start || *start == '#' || strncmp(start, "program\t", 8) == 0)
            continue;
        char *cell[COLUMN_COUNT];
        int count = 0;
        for (char *word; count < COLUMN_COUNT && (word = strsep(&start, "\t"));)
            cell[count++] = word;
        bool whole = count == COLUMN_COUNT && !start;
        if (whole && (strcmp(cell[0], program) || strcmp(cell[1], arguments)))
            continue;
        if (!whole || !fill(out, cell)) {
            diag_add(diags, DIAG_ERROR, path, line, 0, "not %d columns with figures in 6 to 12",
                     COLUMN_COUNT);
            diag_help(diags, "the columns are: %s", COLUMNS);
        }
    }
    buf_free(&text);
    if (diags->errors)
        forget(out);
    return diags->errors ? -EINVAL : 0;
}

int record_add(const char *path, const CompareResult *result, const char *date, Diags *diags)
{
    const ModeResult *r = &result->modes[MODE_gpu];
    if (!r->ran) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--record: the program did not run on a GPU");
        diag_help(diags, "%s", r->why ? r->why : "there is no GPU here: see gpukit doctor");
        return EXIT_ENVIRONMENT;
    }
    bool fresh = !fs_exists(path);
    FILE *file = fopen(path, "ae");
    if (!file) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot be written: %s", strerror(errno));
        return EXIT_ENVIRONMENT;
    }
    if (fresh)
        fputs(COLUMNS, file);
    const Trace *t = r->best.gpu ? &r->best : &r->first;
    fprintf(file, "%s\t%s\t%s\t%d.%d\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%llu\t%llu\t%016llx\n",
            result->program, result->arguments, t->gpu, t->driver / 1000, t->driver % 1000 / 10,
            date, r->first.context, r->first.module + r->first.compile, t->htod, t->kernels,
            t->dtoh, (unsigned long long)t->htod_bytes, (unsigned long long)t->dtoh_bytes,
            (unsigned long long)compare_hash(&r->first));
    int bad = ferror(file);
    if (fclose(file) || bad) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot be written: %s", strerror(errno));
        return EXIT_ENVIRONMENT;
    }
    return 0;
}
