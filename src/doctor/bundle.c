/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor --bundle: a tar archive (POSIX ustar, written here: three small files) with the
 * report as text and as JSON and the machine's image, identifiers replaced in all of them. */
#include "base/fs.h"
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 512 };

static void add_file(Buf *tar, const char *name, const char *text)
{
    static const char zeros[2 * BLOCK];
    char head[BLOCK] = {0};
    size_t size = strlen(text);
    snprintf(head, 100, "gpukit-doctor/%s", name);
    snprintf(head + 100, 8, "%07o", 0644u);
    snprintf(head + 108, 8, "%07o", 0u); /* owner and group: nobody in particular */
    snprintf(head + 116, 8, "%07o", 0u);
    snprintf(head + 124, 12, "%011o", (unsigned)size);
    snprintf(head + 136, 12, "%011o", (unsigned)time(NULL));
    memset(head + 148, ' ', 8);
    head[156] = '0';
    memcpy(head + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; ++i)
        sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum);
    buf_add(tar, head, BLOCK);
    buf_add(tar, text, size);
    buf_add(tar, zeros, (BLOCK - size % BLOCK) % BLOCK);
}

int bundle_write(Doctor *doctor, const char *path)
{
    static const char zeros[2 * BLOCK];
    Buf tar = {0}, image = {0};
    char *text = NULL;
    size_t count = 0;
    FILE *memory = open_memstream(&text, &count);
    if (!memory)
        return -12;
    report_text(doctor, memory, true);
    fclose(memory);
    char *json = report_json(doctor);
    char *clean_text = scrub(doctor->machine, text), *clean_json = scrub(doctor->machine, json);
    record_image(doctor, &image);
    add_file(&tar, "report.txt", clean_text);
    add_file(&tar, "report.json", clean_json);
    add_file(&tar, "machine.img", buf_text(&image));
    buf_add(&tar, zeros, sizeof zeros);
    int result = fs_write_atomic(path, tar.data, tar.count);
    free(text);
    free(json);
    free(clean_text);
    free(clean_json);
    buf_free(&image);
    buf_free(&tar);
    return result;
}
