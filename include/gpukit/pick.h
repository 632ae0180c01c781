/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines ranked for a job, as a C interface: what `gpukit pick` does. A job is made of settings
 * by name; the names are the options of the command without dashes in front:
 *
 *     GpukitPickJob *job = gpukit_pick_job_new(catalogue);
 *     gpukit_pick_set(job, "infer", "8B");
 *     gpukit_pick_set(job, "quant", "int4");
 *     gpukit_pick_set(job, "budget", "2/h");
 *     GpukitPickResult *result = gpukit_pick_run(job); */
#ifndef GPUKIT_PICK_H
#define GPUKIT_PICK_H

#include "gpukit/catalogue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GpukitPickJob GpukitPickJob;
typedef struct GpukitPickResult GpukitPickResult;

/* Borrows the catalogue until the job and its results are freed. */
GPUKIT_CATALOGUE_API GpukitPickJob *gpukit_pick_job_new(const GpukitCatalogue *catalogue);
GPUKIT_CATALOGUE_API void gpukit_pick_job_free(GpukitPickJob *job);
/* value NULL or "" for the options without an argument ("spot"). 1, or 0 when the name or the value
 * is not known: gpukit_catalogue_error(). */
GPUKIT_CATALOGUE_API int gpukit_pick_set(GpukitPickJob *job, const char *name, const char *value);

/* NULL when the job contradicts itself; gpukit_catalogue_error(). A result without ranked machines
 * is not an error. Free it. */
GPUKIT_CATALOGUE_API GpukitPickResult *gpukit_pick_run(const GpukitPickJob *job);
GPUKIT_CATALOGUE_API void gpukit_pick_result_free(GpukitPickResult *result);

typedef struct {
    const char *name, *fits; /* "g6.xlarge", "TP2 x4" */
    double cost_usd_h;
    double cost_usd_job, cost_usd_job_low, cost_usd_job_high; /* NAN when the time is not known */
    double est_seconds, est_seconds_low, est_seconds_high;
    double need_gb_per_gpu, have_gb_per_gpu; /* 1e9 bytes */
    double rate;                             /* tokens or images per second, NAN */
    int price_age_days;
} GpukitPickMachine;

/* Best first. 1 and *machine, or 0 behind the end. Texts belong to the result. */
GPUKIT_CATALOGUE_API size_t gpukit_pick_ranked_count(const GpukitPickResult *result);
GPUKIT_CATALOGUE_API int gpukit_pick_ranked(const GpukitPickResult *result, size_t rank,
                                            GpukitPickMachine *machine);
GPUKIT_CATALOGUE_API size_t gpukit_pick_rejected_count(const GpukitPickResult *result);
GPUKIT_CATALOGUE_API int gpukit_pick_rejected(const GpukitPickResult *result, size_t index,
                                              const char **name, const char **reason);
/* All of it as JSON, as `gpukit pick --json` prints it; belongs to the result. */
GPUKIT_CATALOGUE_API const char *gpukit_pick_json(GpukitPickResult *result);

#ifdef __cplusplus
}
#endif
#endif
