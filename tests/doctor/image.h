/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine images for the doctor tests: text -> folder tree. Lines, beside those that
 * src/doctor/record.c writes (file, exec, dir, link, node, stub):
 *   base NAME            start from tests/doctor/base/NAME.img
 *   remove PATH          with everything below it
 *   answer nvml|cuda KEY=VALUE      changes a stub's answer; an empty value removes it
 *   env NAME=VALUE       adds to proc/self/environ; an empty value removes the variable
 *   program PATH [needs=A,B] [rpath=P] [code=sm_90,compute_90@8.0]   an ELF file with a fat binary
 *   == broken, == clean  what follows is for that variant only
 *   expect ID SEVERITY   a finding that the variant must have (and no other)
 *   text WORDS           must occur in the report
 *   check PROGRAM        runs doctor on that program too */
#ifndef GPUKIT_TESTS_DOCTOR_IMAGE_H
#define GPUKIT_TESTS_DOCTOR_IMAGE_H

#include "base/arena.h"
#include "base/buf.h"

#include <stdbool.h>

typedef struct {
    char kind; /* f x d l n s p */
    const char *path, *text;
} Item;

typedef struct {
    Arena *arena;
    VEC(Item) items;
    VEC(const char *) expected; /* "D01 error" */
    VEC(const char *) texts;
    const char *program;
    int lines; /* of this variant, 0: the file has no such variant */
} Image;

/* Reads path for the variant ("broken", "clean", or NULL for a plain image). Fails the test with
 * file and line on anything it does not know. */
void image_load(Image *image, const char *path, const char *variant);
void image_write(const Image *image, const char *folder); /* an empty or absent folder */
void image_free(Image *image);
/* An ELF file that needs libraries and holds a fat binary; code as in the program line. */
void image_elf(Arena *arena, Buf *out, const char *needs, const char *rpath, const char *code);
void remove_tree(const char *folder);

#endif
