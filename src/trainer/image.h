/* SPDX-License-Identifier: Apache-2.0
 *
 * JPEG and PNG files to square RGB pictures of one size. The content decides, not the name; any
 * colour type is converted, EXIF orientation applied, transparency laid over white. */
#ifndef GPUKIT_TRAINER_IMAGE_H
#define GPUKIT_TRAINER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMAGE_ERROR_SIZE = 160,
    IMAGE_MAX_PIXELS = 1 << 26 /* larger ones are refused before anything is allocated */
};

typedef enum { IMAGE_OK, IMAGE_BAD, IMAGE_OTHER /* neither JPEG nor PNG */ } ImageStatus;

/* Decodes, takes the centre square and resizes it to out[side][side][3]. On failure error holds a
 * sentence. */
ImageStatus image_decode(const uint8_t *bytes, size_t count, int side, uint8_t *out,
                         char error[IMAGE_ERROR_SIZE]);
ImageStatus image_load(const char *path, int side, uint8_t *out, char error[IMAGE_ERROR_SIZE]);

/* A JPEG of rgb[height][width][3]; malloc'd, *count bytes. */
uint8_t *image_encode_jpeg(const uint8_t *rgb, int width, int height, int quality, size_t *count);

#endif
