/* SPDX-License-Identifier: Apache-2.0
 * The tables of tables.def as data, and access to one column of a row. */
#include "catalogue/store.h"

#include <math.h>
#include <string.h>

#define ROW(type, name, unit, label) {#name, CATALOGUE_##type, offsetof(OF, name), unit, label},

#define OF  CatalogueGpu
#define GPU ROW
static const CatalogueField gpu_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF       CatalogueInstanceRow
#define INSTANCE ROW
static const CatalogueField instance_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF    CataloguePrice
#define PRICE ROW
static const CatalogueField price_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF     CatalogueStreet
#define STREET ROW
static const CatalogueField street_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF    CatalogueModel
#define MODEL ROW
static const CatalogueField model_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF     CatalogueFamily
#define FAMILY ROW
static const CatalogueField family_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF       CatalogueCategory
#define CATEGORY ROW
static const CatalogueField category_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF   CatalogueCuda
#define CUDA ROW
static const CatalogueField cuda_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF   CatalogueFact
#define FACT ROW
static const CatalogueField fact_fields[] = {
#include "catalogue/tables.def"
};
#undef OF
#define OF     CatalogueSource
#define SOURCE ROW
static const CatalogueField source_fields[] = {
#include "catalogue/tables.def"
};
#undef OF

#define TABLE(id, name, file, fields, type)                                                        \
    [id] = {name, file, fields, (int)(sizeof(fields) / sizeof *(fields)), sizeof(type)}
const CatalogueTable catalogue_tables[TABLE_COUNT] = {
    TABLE(TABLE_GPU, "gpus", "gpus.tsv", gpu_fields, CatalogueGpu),
    TABLE(TABLE_INSTANCE, "instances", "instances.tsv", instance_fields, CatalogueInstanceRow),
    TABLE(TABLE_PRICE, "prices", "prices.tsv", price_fields, CataloguePrice),
    TABLE(TABLE_STREET, "street", "street_prices.tsv", street_fields, CatalogueStreet),
    TABLE(TABLE_MODEL, "models", "models.tsv", model_fields, CatalogueModel),
    TABLE(TABLE_FAMILY, "families", "families.tsv", family_fields, CatalogueFamily),
    TABLE(TABLE_CATEGORY, "categories", "categories.tsv", category_fields, CatalogueCategory),
    TABLE(TABLE_CUDA, "cuda", "cuda.tsv", cuda_fields, CatalogueCuda),
    TABLE(TABLE_FACT, "facts", "facts.tsv", fact_fields, CatalogueFact),
    TABLE(TABLE_SOURCE, "sources", "sources.tsv", source_fields, CatalogueSource),
};

const CatalogueField *catalogue_field(enum CatalogueTableId id, const char *name)
{
    for (int i = 0; i < catalogue_tables[id].field_count; ++i)
        if (strcmp(catalogue_tables[id].fields[i].name, name) == 0)
            return &catalogue_tables[id].fields[i];
    return NULL;
}

const char *catalogue_text(const CatalogueField *field, const void *row)
{
    if (field->type != CATALOGUE_TEXT)
        return "";
    return *(const char *const *)((const char *)row + field->offset);
}

double catalogue_real(const CatalogueField *field, const void *row)
{
    if (field->type != CATALOGUE_REAL)
        return NAN;
    return *(const double *)((const char *)row + field->offset);
}
