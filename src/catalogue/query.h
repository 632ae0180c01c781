/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to an open catalogue: find by name, what does it cost where, in which unit, how old is
 * that price, which CUDA still supports it. */
#ifndef GPUKIT_CATALOGUE_QUERY_H
#define GPUKIT_CATALOGUE_QUERY_H

#include "catalogue/store.h"

#include <json.h>

#define CATALOGUE_REGION   "us-east-1" /* when none is asked for */
#define CATALOGUE_OLD_DAYS 90          /* a price older than this is warned about */

/* Exact name, key or alias; letter case, spaces, '-', '_' and the maker's words do not matter. */
const CatalogueGpu *catalogue_find_gpu(const Catalogue *c, const char *name);
/* GPUs whose name contains the text; at most max into out, returns how many there are. */
int catalogue_match_gpus(const Catalogue *c, const char *text, const CatalogueGpu **out, int max);
const CatalogueInstance *catalogue_find_instance(const Catalogue *c, const char *name);
bool catalogue_is_family(const Catalogue *c, const char *family);
const CatalogueModel *catalogue_find_model(const Catalogue *c, const char *name);
bool catalogue_is_region_name(const char *text); /* has the form of one: eu-west-1 */

typedef enum { PRICE_ONDEMAND, PRICE_SPOT, PRICE_BLOCK } CataloguePriceKind;
extern const char *const catalogue_price_kinds[]; /* "ondemand", "spot", "block" */

typedef struct {
    double usd_h, usd_h_max; /* cheapest and dearest zone; equal when there is one price */
    const char *region, *zone, *date, *source;
    int age_days; /* -1: the date is not known */
} CatalogueQuote;

/* The newest price of the instance; region "any" = the cheapest region. False when there is none.
 */
bool catalogue_quote(const Catalogue *c, const CatalogueInstance *instance, const char *region,
                     CataloguePriceKind kind, CatalogueQuote *out);
/* A region that has an on-demand price when the one asked for has none (SageMaker rows of
 * us-west-2); NULL when there is none at all. */
const char *catalogue_other_region(const Catalogue *c, const CatalogueInstance *instance);

/* Memory of one accelerator as programs see it, MiB: reported by the API, else from the nominal
 * GB (1e9 bytes); NAN when unknown. Of a fractional GPU: the fraction's. */
double catalogue_mem_mib(const CatalogueInstance *instance);
/* Whole accelerators that a program sees: a fraction counts as one. */
int catalogue_device_count(const CatalogueInstance *instance);
/* The share of one accelerator behind a visible device: 1, or 0.125 .. 0.5. */
double catalogue_share(const CatalogueInstance *instance);
/* FP64 rate, TFLOP/s: the table's, else from the FP32 rate and the compute capability (CUDA C++
 * Programming Guide, throughput table). NAN when unknown. */
double catalogue_fp64(const CatalogueGpu *gpu);
bool catalogue_is_neuron(const CatalogueGpu *gpu);
bool catalogue_is_cuda(const CatalogueGpu *gpu); /* NVIDIA with a compute capability */

/* Units of price. */
typedef enum {
#define UNIT(id, name, what) UNIT_##id,
#include "catalogue/units.def"
    UNIT_COUNT
} CatalogueUnit;
extern const struct CatalogueUnitInfo {
    const char *id, *name, *what;
} catalogue_units[UNIT_COUNT];
/* USD per unit and hour, NAN when a figure is unknown. */
double catalogue_in_unit(const CatalogueInstance *instance, double usd_h, CatalogueUnit unit);
/* By name ("hour", "$/GPU-h"); -1 when unknown. */
int catalogue_find_unit(const char *name);

/* Objects for --json; the caller owns them. */
json_object *catalogue_row_json(enum CatalogueTableId id, const void *row);
json_object *catalogue_gpu_json(const Catalogue *c, const CatalogueGpu *gpu);
json_object *catalogue_instance_json(const Catalogue *c, const CatalogueInstance *instance);

#endif
