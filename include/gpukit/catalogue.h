/* SPDX-License-Identifier: Apache-2.0
 *
 * The catalogue of GPUs and cloud instances as a C interface: link with -lgpukit-catalogue.
 * Every figure is a field by name; `gpukit gpus --csv` and `gpukit instances --json` print the
 * names. An unknown number is NAN, an unknown text "". Texts belong to the catalogue. A catalogue
 * may be read by several threads; opening and closing belong to one. */
#ifndef GPUKIT_CATALOGUE_H
#define GPUKIT_CATALOGUE_H

#include <stddef.h>

#ifndef GPUKIT_CATALOGUE_API
#define GPUKIT_CATALOGUE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GpukitCatalogue GpukitCatalogue;

/* path: a database, or NULL for the one that ships with gpukit, with the user's refreshed prices.
 * NULL when it cannot be opened; gpukit_catalogue_error() says why. Close it. */
GPUKIT_CATALOGUE_API GpukitCatalogue *gpukit_catalogue_open(const char *path);
GPUKIT_CATALOGUE_API void gpukit_catalogue_close(GpukitCatalogue *catalogue);
/* What went wrong in the last call of this thread that failed; "" when nothing has. */
GPUKIT_CATALOGUE_API const char *gpukit_catalogue_error(void);
/* Date of the facts, "2026-12-01". */
GPUKIT_CATALOGUE_API const char *gpukit_catalogue_as_of(const GpukitCatalogue *catalogue);

/* GPUs and accelerators are numbered from 0. */
GPUKIT_CATALOGUE_API size_t gpukit_catalogue_gpu_count(const GpukitCatalogue *catalogue);
/* By name, key or alias ("A10G", "NVIDIA A10G", "a10g"); -1 when unknown. */
GPUKIT_CATALOGUE_API long gpukit_catalogue_find_gpu(const GpukitCatalogue *catalogue,
                                                    const char *name);
/* A field of a GPU: number("bw_gbs") is 600.0 (1e9 bytes/s). NAN when unknown or not a number. */
GPUKIT_CATALOGUE_API double gpukit_catalogue_gpu_number(const GpukitCatalogue *catalogue,
                                                        size_t gpu, const char *field);
/* text("arch") is "Ampere". "" when unknown or not a text. */
GPUKIT_CATALOGUE_API const char *gpukit_catalogue_gpu_text(const GpukitCatalogue *catalogue,
                                                           size_t gpu, const char *field);

/* Instances are numbered from 0. */
GPUKIT_CATALOGUE_API size_t gpukit_catalogue_instance_count(const GpukitCatalogue *catalogue);
GPUKIT_CATALOGUE_API long gpukit_catalogue_find_instance(const GpukitCatalogue *catalogue,
                                                         const char *name);
GPUKIT_CATALOGUE_API double gpukit_catalogue_instance_number(const GpukitCatalogue *catalogue,
                                                             size_t instance, const char *field);
GPUKIT_CATALOGUE_API const char *gpukit_catalogue_instance_text(const GpukitCatalogue *catalogue,
                                                                size_t instance, const char *field);
/* Number of the instance's accelerator; -1 when it has none. */
GPUKIT_CATALOGUE_API long gpukit_catalogue_instance_gpu(const GpukitCatalogue *catalogue,
                                                        size_t instance);

typedef enum { GPUKIT_ONDEMAND, GPUKIT_SPOT, GPUKIT_CAPACITY_BLOCK } GpukitPriceKind;

typedef struct {
    double usd_h;      /* USD per hour of the whole instance, Linux; spot: the cheapest zone */
    double usd_h_high; /* the dearest zone; equal to usd_h for one price */
    const char *region, *zone, *date, *source;
    int age_days; /* -1: the date is not known */
} GpukitPrice;

/* region: "us-east-1", or "any" for the cheapest. 1 and *price, or 0 when there is none. */
GPUKIT_CATALOGUE_API int gpukit_catalogue_price(const GpukitCatalogue *catalogue, size_t instance,
                                                const char *region, GpukitPriceKind kind,
                                                GpukitPrice *price);

#ifdef __cplusplus
}
#endif
#endif
