/* SPDX-License-Identifier: Apache-2.0
 * The table of checks and the findings that they make. What each check looks for is in
 * checks_driver.c, checks_toolkit.c, checks_access.c and checks_speed.c. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ERROR   DIAG_ERROR
#define WARNING DIAG_WARNING
#define NOTE    DIAG_NOTE
const CheckRow check_rows[CHECK_COUNT] = {
#define CHECK(id, severity, area, title, cause, fix, reported)                                     \
    {#id, severity, AREA_##area, title, cause, fix, reported},
#include "doctor/checks.def"
#undef CHECK
};
#undef ERROR
#undef WARNING
#undef NOTE

static void (*const functions[CHECK_COUNT])(Doctor *) = {
#define CHECK(id, ...) check_##id,
#include "doctor/checks.def"
#undef CHECK
};

/* What explains other findings comes first: a card owned by nouveau also has no module, no
 * library and no device, but only the first is worth telling. */
static const CheckId first[] = {CHECK_D34, CHECK_D28, CHECK_D25, CHECK_D26, CHECK_D27,
                                CHECK_D04, CHECK_D03, CHECK_D02, CHECK_D22, CHECK_D15,
                                CHECK_D01, CHECK_D06, CHECK_D08, CHECK_D31, CHECK_D29};

void doctor_check(Doctor *doctor)
{
    bool done[CHECK_COUNT] = {false};
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i) {
        functions[first[i]](doctor);
        done[first[i]] = true;
    }
    for (int i = 0; i < CHECK_COUNT; ++i)
        if (!done[i])
            functions[i](doctor);
}

Finding *finding_add(Doctor *doctor, CheckId id, const char *format, ...)
{
    Finding *finding = ARENA_NEW(doctor->arena, Finding);
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    finding->check = id;
    finding->severity = check_rows[id].severity;
    finding->seen = arena_strdup(doctor->arena, text);
    finding->fix = distro_expand(doctor, check_rows[id].fix);
    doctor->found[id] = true;
    VEC_PUSH(doctor->findings, finding);
    return finding;
}

void finding_evidence(Doctor *doctor, Finding *finding, const char *file, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    Evidence one = {arena_strdup(doctor->arena, file), arena_strdup(doctor->arena, text)};
    VEC_PUSH(finding->evidence, one);
}

void finding_fix(Doctor *doctor, Finding *finding, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    finding->fix = distro_expand(doctor, text);
}

bool doctor_has_problem(const Doctor *doctor)
{
    for (size_t i = 0; i < doctor->findings.count; ++i)
        if (doctor->findings.items[i]->severity > DIAG_NOTE)
            return true;
    return false;
}
