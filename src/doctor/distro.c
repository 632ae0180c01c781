/* SPDX-License-Identifier: Apache-2.0
 * Fixes as commands for this distribution: {names} in a text are replaced from distro.def. */
#include "doctor/distro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const struct {
    const char *family, *names, *columns[8];
} distros[] = {
#define DISTRO(family, names, ...) {#family, names, {__VA_ARGS__}},
#include "doctor/distro.def"
#undef DISTRO
};

static const char *const columns[] = {"install", "headers", "initramfs",       "hold",
                                      "driver",  "fabric",  "toolkit-install", "container"};
enum { DISTRO_COUNT = sizeof distros / sizeof *distros, COLUMNS = 8, MAX_DEPTH = 3 };

static bool word_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static int distro_row(const Doctor *doctor)
{
    for (int pass = 0; pass < 2; ++pass) {
        const char *words = pass ? doctor->os.like : doctor->os.id;
        char copy[256];
        snprintf(copy, sizeof copy, "%s", words ? words : "");
        for (char *rest = copy, *word; (word = strsep(&rest, " "));)
            for (int i = 0; i < DISTRO_COUNT - 1; ++i)
                if (word_in(distros[i].names, word))
                    return i;
    }
    return DISTRO_COUNT - 1;
}

const char *distro_family(const Doctor *doctor)
{
    return distros[distro_row(doctor)].family;
}

/* Tag of NVIDIA's repository: ubuntu2404, debian12, rhel9, fedora42, opensuse15, amzn2023. */
static const char *repository_tag(Doctor *doctor)
{
    const char *family = distro_family(doctor), *id = doctor->os.id ? doctor->os.id : "linux";
    const char *version = doctor->os.version ? doctor->os.version : "";
    if (doctor->box.wsl)
        return "wsl-ubuntu";
    static const struct {
        const char *codename, *tag;
    } based_on[] = {{"focal", "ubuntu2004"}, {"jammy", "ubuntu2204"}, {"noble", "ubuntu2404"}};
    for (size_t i = 0; doctor->os.codename && i < sizeof based_on / sizeof *based_on; ++i)
        if (strcmp(doctor->os.codename, based_on[i].codename) == 0)
            return based_on[i].tag; /* Mint, Pop and others number themselves differently */
    if (strcmp(family, "ubuntu") == 0)
        return arena_printf(doctor->arena, "ubuntu%.2s%s", version,
                            strchr(version, '.') ? strchr(version, '.') + 1 : "");
    int major = atoi(version);
    if (strcmp(id, "amzn") == 0 || strcmp(family, "fedora") == 0 || strcmp(family, "debian") == 0)
        return arena_printf(doctor->arena, "%s%d", strcmp(id, "amzn") == 0 ? "amzn" : family,
                            major);
    if (strcmp(family, "rhel") == 0)
        return arena_printf(doctor->arena, "rhel%d", major);
    if (strcmp(family, "suse") == 0)
        return arena_printf(doctor->arena, strcmp(id, "sles") == 0 ? "sles%d" : "opensuse%d",
                            major);
    return arena_printf(doctor->arena, "%s%d", id, major);
}

static const char *architecture(void)
{
    struct utsname name;
    return uname(&name) == 0 && strcmp(name.machine, "aarch64") == 0 ? "sbsa" : "x86_64";
}

/* The newest g++ on this machine that the first toolkit accepts, else the name to install. */
static const char *fitting_gcc(Doctor *doctor)
{
    int limit = doctor->toolkits.count ? doctor->toolkits.items[0].gcc_limit : 0, best = 0;
    for (size_t i = 0; i < doctor->compilers.count; ++i) {
        const Compiler *one = &doctor->compilers.items[i];
        if (!one->clang && one->major <= limit && one->major > best)
            best = one->major;
    }
    return best || limit ? arena_printf(doctor->arena, "g++-%d", best ? best : limit) : "g++-N";
}

static const char *name_value(Doctor *doctor, const char *name)
{
    for (int i = 0; i < COLUMNS; ++i)
        if (strcmp(name, columns[i]) == 0)
            return distros[distro_row(doctor)].columns[i];
    if (strcmp(name, "tag") == 0)
        return repository_tag(doctor);
    if (strcmp(name, "arch") == 0)
        return architecture();
    if (strcmp(name, "gcc") == 0)
        return fitting_gcc(doctor);
    if (strcmp(name, "toolkit") == 0)
        return doctor->toolkits.count ? doctor->toolkits.items[0].folder : "/usr/local/cuda";
    if (strcmp(name, "version") == 0) {
        const char *loaded = doctor->driver.loaded;
        return loaded ? arena_strndup(doctor->arena, loaded, strcspn(loaded, ".")) : "580";
    }
    return NULL;
}

static void expand(Doctor *doctor, const char *text, int depth, Buf *out)
{
    for (const char *p = text; *p;) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;
        size_t length = end ? (size_t)(end - p - 1) : 0;
        const char *value = NULL;
        if (length && length < 24)
            value = name_value(doctor, arena_strndup(doctor->arena, p + 1, length));
        if (value && depth < MAX_DEPTH) {
            expand(doctor, value, depth + 1, out);
            p = end + 1;
        } else {
            buf_putc(out, *p++);
        }
    }
}

const char *distro_expand(Doctor *doctor, const char *text)
{
    Buf out = {0};
    expand(doctor, text, 0, &out);
    const char *copy = arena_strdup(doctor->arena, buf_text(&out));
    buf_free(&out);
    return copy;
}
