/* SPDX-License-Identifier: Apache-2.0
 * The public C interface (include/gpukit/catalogue.h, pick.h) over the catalogue and pick. */
#include "gpukit/catalogue.h"
#include "gpukit/pick.h"
#include "catalogue/pick_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct GpukitCatalogue {
    Catalogue *c;
};

struct GpukitPickJob {
    PickRequest request;
};

struct GpukitPickResult {
    const Catalogue *c;
    PickJob job;
    PickResult *result;
    json_object *json;
};

static _Thread_local char last_error[512];

const char *gpukit_catalogue_error(void)
{
    return last_error;
}

static void keep_error(const Diags *diags)
{
    char *text = diags_text(diags);
    snprintf(last_error, sizeof last_error, "%s", text);
    free(text);
}

GpukitCatalogue *gpukit_catalogue_open(const char *path)
{
    Diags diags;
    diags_init(&diags);
    Catalogue *c = catalogue_open(path, NULL, &diags);
    if (!c)
        keep_error(&diags);
    diags_fini(&diags);
    if (!c)
        return NULL;
    GpukitCatalogue *catalogue = xcalloc(1, sizeof *catalogue);
    catalogue->c = c;
    return catalogue;
}

void gpukit_catalogue_close(GpukitCatalogue *catalogue)
{
    if (catalogue)
        catalogue_close(catalogue->c);
    free(catalogue);
}

const char *gpukit_catalogue_as_of(const GpukitCatalogue *catalogue)
{
    return catalogue->c->as_of;
}

size_t gpukit_catalogue_gpu_count(const GpukitCatalogue *catalogue)
{
    return catalogue->c->gpus.count;
}

long gpukit_catalogue_find_gpu(const GpukitCatalogue *catalogue, const char *name)
{
    const CatalogueGpu *gpu = name ? catalogue_find_gpu(catalogue->c, name) : NULL;
    return gpu ? (long)(gpu - catalogue->c->gpus.items) : -1;
}

static double number(enum CatalogueTableId id, const void *row, const char *name)
{
    const CatalogueField *field = row && name ? catalogue_field(id, name) : NULL;
    return field ? catalogue_real(field, row) : NAN;
}

static const char *text(enum CatalogueTableId id, const void *row, const char *name)
{
    const CatalogueField *field = row && name ? catalogue_field(id, name) : NULL;
    return field ? catalogue_text(field, row) : "";
}

static const void *gpu_at(const GpukitCatalogue *catalogue, size_t gpu)
{
    return gpu < catalogue->c->gpus.count ? &catalogue->c->gpus.items[gpu] : NULL;
}

static const CatalogueInstance *instance_at(const GpukitCatalogue *catalogue, size_t instance)
{
    return instance < catalogue->c->instances.count ? &catalogue->c->instances.items[instance]
                                                    : NULL;
}

double gpukit_catalogue_gpu_number(const GpukitCatalogue *catalogue, size_t gpu, const char *field)
{
    return number(TABLE_GPU, gpu_at(catalogue, gpu), field);
}

const char *gpukit_catalogue_gpu_text(const GpukitCatalogue *catalogue, size_t gpu,
                                      const char *field)
{
    return text(TABLE_GPU, gpu_at(catalogue, gpu), field);
}

size_t gpukit_catalogue_instance_count(const GpukitCatalogue *catalogue)
{
    return catalogue->c->instances.count;
}

long gpukit_catalogue_find_instance(const GpukitCatalogue *catalogue, const char *name)
{
    const CatalogueInstance *in = name ? catalogue_find_instance(catalogue->c, name) : NULL;
    return in ? (long)(in - catalogue->c->instances.items) : -1;
}

double gpukit_catalogue_instance_number(const GpukitCatalogue *catalogue, size_t instance,
                                        const char *field)
{
    const CatalogueInstance *in = instance_at(catalogue, instance);
    return number(TABLE_INSTANCE, in ? &in->row : NULL, field);
}

const char *gpukit_catalogue_instance_text(const GpukitCatalogue *catalogue, size_t instance,
                                           const char *field)
{
    const CatalogueInstance *in = instance_at(catalogue, instance);
    return text(TABLE_INSTANCE, in ? &in->row : NULL, field);
}

long gpukit_catalogue_instance_gpu(const GpukitCatalogue *catalogue, size_t instance)
{
    const CatalogueInstance *in = instance_at(catalogue, instance);
    return in && in->gpu ? (long)(in->gpu - catalogue->c->gpus.items) : -1;
}

int gpukit_catalogue_price(const GpukitCatalogue *catalogue, size_t instance, const char *region,
                           GpukitPriceKind kind, GpukitPrice *price)
{
    const CatalogueInstance *in = instance_at(catalogue, instance);
    CatalogueQuote q;
    if (!in || !region || kind > GPUKIT_CAPACITY_BLOCK ||
        !catalogue_quote(catalogue->c, in, region, (CataloguePriceKind)kind, &q))
        return 0;
    *price = (GpukitPrice){q.usd_h, q.usd_h_max, q.region, q.zone, q.date, q.source, q.age_days};
    return 1;
}

/* ---- pick ---- */

GpukitPickJob *gpukit_pick_job_new(const GpukitCatalogue *catalogue)
{
    GpukitPickJob *job = xcalloc(1, sizeof *job);
    pick_request_init(&job->request, catalogue->c);
    return job;
}

void gpukit_pick_job_free(GpukitPickJob *job)
{
    if (job)
        pick_request_fini(&job->request);
    free(job);
}

int gpukit_pick_set(GpukitPickJob *job, const char *name, const char *value)
{
    if (name && pick_request_set(&job->request, name, value))
        return 1;
    snprintf(last_error, sizeof last_error, "no setting '%s' with the value '%s'", name ? name : "",
             value ? value : "");
    return 0;
}

GpukitPickResult *gpukit_pick_run(const GpukitPickJob *job)
{
    GpukitPickResult *r = xcalloc(1, sizeof *r);
    Diags diags;
    diags_init(&diags);
    r->c = job->request.c;
    if (!pick_request_job(&job->request, &r->job))
        diag_add(&diags, DIAG_ERROR, NULL, 0, 0, "no job: train, infer, graphics, video or memory");
    else
        r->result = pick_run(r->c, &r->job, &diags);
    if (!r->result) {
        keep_error(&diags);
        free(r);
        r = NULL;
    }
    diags_fini(&diags);
    return r;
}

void gpukit_pick_result_free(GpukitPickResult *result)
{
    if (!result)
        return;
    pick_free(result->result);
    json_object_put(result->json);
    free(result);
}

size_t gpukit_pick_ranked_count(const GpukitPickResult *result)
{
    return result->result->ranked.count;
}

int gpukit_pick_ranked(const GpukitPickResult *result, size_t rank, GpukitPickMachine *machine)
{
    if (rank >= result->result->ranked.count)
        return 0;
    const PickChoice *p = &result->result->ranked.items[rank];
    *machine = (GpukitPickMachine){.name = p->instance->row.name,
                                   .fits = p->fits,
                                   .cost_usd_h = p->usd_h,
                                   .cost_usd_job = p->usd_job.mid,
                                   .cost_usd_job_low = p->usd_job.low,
                                   .cost_usd_job_high = p->usd_job.high,
                                   .est_seconds = p->seconds.mid,
                                   .est_seconds_low = p->seconds.low,
                                   .est_seconds_high = p->seconds.high,
                                   .need_gb_per_gpu = p->need_mib.mid * 1048576e-9,
                                   .have_gb_per_gpu = p->have_mib * 1048576e-9,
                                   .rate = p->rate.mid,
                                   .price_age_days = p->quote.age_days};
    return 1;
}

size_t gpukit_pick_rejected_count(const GpukitPickResult *result)
{
    return result->result->rejected.count;
}

int gpukit_pick_rejected(const GpukitPickResult *result, size_t index, const char **name,
                         const char **reason)
{
    if (index >= result->result->rejected.count)
        return 0;
    *name = result->result->rejected.items[index].instance->row.name;
    *reason = result->result->rejected.items[index].reason;
    return 1;
}

const char *gpukit_pick_json(GpukitPickResult *result)
{
    if (!result->json)
        result->json = pick_json(result->c, &result->job, result->result);
    return json_object_to_json_string_ext(result->json,
                                          JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
}
