/* SPDX-License-Identifier: Apache-2.0
 *
 * pick: from a job to ranked machines, with a reason for each machine that lost.
 *   pick_job.c       defaults, model shapes, precisions
 *   pick_memory.c    memory per GPU and how the job is spread over GPUs
 *   pick_time.c      seconds and tokens per second, with a band
 *   pick_guard.c     what a machine cannot do, whatever it costs
 *   pick_counters.c  counters of a measured CUDA program
 *   pick.c           the loop over machines, prices, ranking
 *   pick_buy.c       cards to buy
 * The rules and their sources stand beside the code; docs/architecture/catalogue.md lists them. */
#ifndef GPUKIT_CATALOGUE_PICK_H
#define GPUKIT_CATALOGUE_PICK_H

#include "catalogue/query.h"

typedef enum {
#define PICK_KIND(id, text) PICK_##id,
#include "catalogue/pick_kinds.def"
} PickKind;

/* Precisions of training and weights of inference. */
typedef struct {
    const char *name;
    double bytes, bytes_low, bytes_high; /* per parameter */
    double min_cc;                       /* hardware that has it; 0 = any CUDA GPU */
} PickFormat;

typedef struct {
    const char *name;
    double weights, gradients, states; /* bytes per parameter in mixed precision */
    double fp32_weights, fp32_gradients, fp32_states;
    double trainable; /* share of the parameters that is trained */
    double high;      /* sum to plan with at most; 0: the sum itself */
} PickRecipe;

const PickFormat *pick_format(const char *name); /* NULL when unknown */
const PickRecipe *pick_recipe(const char *name); /* NULL when unknown */
const char *pick_format_names(void);
const char *pick_recipe_names(void);

typedef struct {
    double params, active; /* active parameters per token (mixture of experts) */
    double layers, hidden, heads, kv_heads, head_dim, vocab;
    double kv_elems; /* values per token and layer; 2 x kv_heads x head_dim unless latent */
    bool latent;     /* multi-head latent attention: every GPU keeps the whole cache */
    double window, window_layers;
    double gflop_image, act_mb_image;
    bool assumed; /* shape taken from a model of about the size */
    const char *name;
} PickModel;

typedef enum { BUDGET_NONE, BUDGET_HOUR, BUDGET_MONTH, BUDGET_TOTAL } PickBudgetKind;

typedef struct {
    char *name;
    double launches;
    double block_threads, block_shared, registers; /* per block, bytes; per thread */
    double dram_bytes, l2_bytes;
    double flop_fp64, flop_fp32, flop_fp16, flop_tensor16, flop_tensor8, int_ops;
} PickKernel;

typedef struct {
    char *program;
    double min_cc, memory_bytes, copy_bytes, host_seconds;
    const CatalogueGpu *measured_on; /* NULL when not given */
    double measured_seconds;         /* GPU time on that GPU; NAN when not given */
    VEC(PickKernel) kernels;
} PickCounters;

typedef struct {
    PickKind kind;
    PickModel model;
    /* train */
    double tokens, images, epochs;
    const PickFormat *precision; /* NULL: BF16 where there is, else FP16 */
    const PickRecipe *recipe;
    double batch, context; /* micro-batch per GPU; sequences at once (inference) */
    bool vision;
    /* infer */
    const PickFormat *quant;
    double kv_bytes;
    /* graphics, video */
    bool no_rt, stream;
    const char *codec; /* h264, hevc, av1 */
    /* cuda */
    const PickCounters *counters;
    /* constraints; 0 or NULL: none */
    double memory_gb, total_memory_gb, min_ram_gib, min_vcpus, gpus, network_gbps, cuda;
    double budget;
    PickBudgetKind budget_kind;
    double deadline, hours; /* seconds; length of the job when it has no size of its own, hours */
    const char *region;     /* NULL: the default, with another region's price when there is none */
    const char *host_arch;  /* x86_64, arm64, any */
    const char *gpu_arch;
    const CatalogueGpu *gpu; /* only machines with this one */
    const char **exclude;
    int exclude_count;
    bool spot, blocks, managed, neuron, amd, previous, nvlink;
    int max_age; /* days; 0: any */
    int nodes;   /* machines at most */
} PickJob;

typedef struct {
    double low, mid, high;
} PickBand;

typedef struct {
    const CatalogueInstance *instance;
    CatalogueQuote quote;
    bool estimate; /* the price is EC2 times the SageMaker factor */
    CataloguePriceKind price_kind;
    int nodes, gpus, group, copies; /* GPUs of all nodes; GPUs per copy of the model; copies */
    int zero;                       /* ZeRO stage */
    bool recompute;
    PickBand need_mib; /* per GPU */
    double have_mib, headroom_mib;
    PickBand seconds; /* NAN when not known */
    PickBand rate;    /* tokens or images per second, NAN when not known */
    double usd_h, usd_h_max;
    PickBand usd_job;
    const char *fits, *bound, *note; /* arena */
} PickChoice;

typedef struct {
    const CatalogueInstance *instance;
    const char *code;   /* memory, price, budget, retired, ... */
    const char *reason; /* one sentence, arena */
    bool close;         /* met everything but price, budget or deadline */
    double usd_h;       /* of a close one whose price is known, else NAN */
} PickReject;

typedef struct {
    Arena *arena;
    VEC(PickChoice) ranked;
    VEC(PickReject) rejected;
    VEC(const char *) rules;    /* the rules used, with numbers */
    VEC(const char *) warnings; /* stale prices, constraints that cannot be met */
    bool by_job;                /* ranked by cost per job, not per hour */
    bool unit_job;              /* the size of the job was not given: a million tokens */
} PickResult;

/* Everything unset but the defaults. */
void pick_job_init(PickJob *job);
/* Fills the parts of the shape that are 0 from a known model of about that size. */
void pick_complete_model(const Catalogue *c, PickModel *model);
/* "7B", "350M", "1.5e9", "405b". */
bool pick_parse_count(const char *text, double *count);
/* "5/h", "300/month", "200". */
bool pick_parse_budget(const char *text, double *usd, PickBudgetKind *kind);

/* Reads counters in the schema of docs/architecture/catalogue.md. NULL after a Diag. */
PickCounters *pick_counters_read(const Catalogue *c, const char *path, Arena *arena, Diags *diags);
PickCounters *pick_counters_parse(const Catalogue *c, const char *file, const char *text,
                                  size_t size, Arena *arena, Diags *diags);

/* NULL when the job contradicts itself or names what the catalogue does not know; Diags say what.
 */
PickResult *pick_run(const Catalogue *c, const PickJob *job, Diags *diags);
void pick_free(PickResult *result);
json_object *pick_json(const Catalogue *c, const PickJob *job, const PickResult *result);

/* --- cards to buy --- */

typedef enum { BUY_LEARN, BUY_INFER, BUY_TRAIN, BUY_GRAPHICS } BuyUse;

typedef struct {
    const CatalogueGpu *gpu;
    const char *condition; /* new, used, list */
    double usd_low, usd_high;
    const char *date, *source;
    int age_days;    /* of the price, -1 unknown */
    double score;    /* what the use ranks by */
    const char *why; /* why it cannot do the job; NULL when it can */
} BuyOffer;

typedef struct {
    double budget;
    const BuyOffer *best;
    double
        break_even_hours; /* against the cheapest rented machine; INFINITY: never; NAN: unknown */
} BuyBracket;

typedef struct {
    Arena *arena;
    BuyUse use;
    VEC(BuyOffer) offers; /* cheapest first, also those that cannot do the job */
    VEC(BuyBracket) brackets;
    const BuyOffer *least;         /* the least one must spend; NULL when no card can do it */
    const CatalogueInstance *rent; /* cheapest machine for the job, NULL */
    double rent_usd_h, usd_kwh;
    const char *score_name; /* "tokens/s", ... */
} BuyResult;

/* budget: brackets up to it (0: up to 5000 USD). */
BuyResult *pick_buy(const Catalogue *c, const PickJob *job, BuyUse use, double budget,
                    double usd_kwh);
void pick_buy_free(BuyResult *result);
json_object *pick_buy_json(const BuyResult *result);

/* --- parts, for tests and pages --- */

/* Bytes of the KV cache. */
double pick_kv_bytes(const PickModel *model, double kv_bytes, double context, double batch);
/* Memory per GPU for inference, MiB, with the model over `group` GPUs and `batch` sequences. */
PickBand pick_infer_mib(const PickJob *job, int group, double batch);
/* Memory per GPU for training, MiB. */
PickBand pick_train_mib(const PickJob *job, int gpus, int zero, bool recompute);
/* Bytes per parameter of the recipe, undivided. */
double pick_recipe_bytes(const PickJob *job);
/* Share of the reported memory that a job may plan with. */
double pick_usable_share(const PickJob *job);
/* Finds the layout; false with *reason when none fits. */
bool pick_layout(const PickJob *job, PickChoice *choice, Arena *arena, const char **reason);
/* Dense rate in TFLOP/s that the job's arithmetic runs at on this GPU; NAN when unknown. */
double pick_peak(const PickJob *job, const CatalogueGpu *gpu);
/* Model FLOP utilisation to plan with. */
double pick_mfu(const CatalogueInstance *instance, int gpus);
/* Tokens per second of one group of GPUs that decodes `batch` sequences. */
PickBand pick_decode_rate(const PickJob *job, const CatalogueInstance *instance, int group,
                          double batch, const char **bound);
double pick_train_flop(const PickJob *job, bool recompute);
void pick_time(const PickJob *job, PickChoice *choice, Arena *arena);
PickBand pick_counters_seconds(const PickCounters *counters, const CatalogueGpu *gpu, double share,
                               const char **bound);
/* NULL when the machine can do the job in principle, else why not; *code names the kind. */
const char *pick_guard(const Catalogue *c, const PickJob *job, const CatalogueInstance *instance,
                       Arena *arena, const char **code);
/* The word is the instance, its family, category, GPU, GPU architecture or maker. */
bool pick_excludes(const CatalogueInstance *instance, const char *word);

#endif
