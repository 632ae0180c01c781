/* SPDX-License-Identifier: Apache-2.0
 *
 * The catalogue in memory: opened from the database that ships with gpukit and, when there is
 * one, the user's refreshed prices beside it. Everything in a Catalogue is owned by it and const.
 * Unknown numbers are NAN, unknown texts "". */
#ifndef GPUKIT_CATALOGUE_STORE_H
#define GPUKIT_CATALOGUE_STORE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"

#include <stdbool.h>

#define CATALOGUE_SCHEMA 1
#define CATALOGUE_FILE   "catalogue/catalogue.db" /* below fs_resource() */

typedef const char *CatalogueTEXT;
typedef double CatalogueREAL;
typedef enum { CATALOGUE_TEXT, CATALOGUE_REAL } CatalogueType;

#define MEMBER(type, name, unit, label) Catalogue##type name;

typedef struct {
#define GPU MEMBER
#include "catalogue/tables.def"
} CatalogueGpu;

typedef struct {
#define INSTANCE MEMBER
#include "catalogue/tables.def"
} CatalogueInstanceRow;

typedef struct {
#define PRICE MEMBER
#include "catalogue/tables.def"
} CataloguePrice;

typedef struct {
#define STREET MEMBER
#include "catalogue/tables.def"
} CatalogueStreet;

typedef struct {
#define MODEL MEMBER
#include "catalogue/tables.def"
} CatalogueModel;

typedef struct {
#define FAMILY MEMBER
#include "catalogue/tables.def"
} CatalogueFamily;

typedef struct {
#define CATEGORY MEMBER
#include "catalogue/tables.def"
} CatalogueCategory;

typedef struct {
#define CUDA MEMBER
#include "catalogue/tables.def"
} CatalogueCuda;

typedef struct {
#define FACT MEMBER
#include "catalogue/tables.def"
} CatalogueFact;

typedef struct {
#define SOURCE MEMBER
#include "catalogue/tables.def"
} CatalogueSource;
#undef MEMBER

/* An instance with its links resolved. */
typedef struct {
    CatalogueInstanceRow row;
    const CatalogueGpu *gpu;       /* NULL without an accelerator */
    const CatalogueFamily *family; /* NULL when the family has no row */
    bool imported;                 /* only known from a refresh */
    int first_price, price_count;  /* its range of Catalogue.prices */
} CatalogueInstance;

/* One column of a table. */
typedef struct {
    const char *name;
    CatalogueType type;
    size_t offset;
    const char *unit, *label;
} CatalogueField;

typedef struct {
    const char *name; /* of the SQL table */
    const char *file; /* text table in data/catalogue */
    const CatalogueField *fields;
    int field_count;
    size_t row_bytes;
} CatalogueTable;

enum CatalogueTableId {
    TABLE_GPU,
    TABLE_INSTANCE,
    TABLE_PRICE,
    TABLE_STREET,
    TABLE_MODEL,
    TABLE_FAMILY,
    TABLE_CATEGORY,
    TABLE_CUDA,
    TABLE_FACT,
    TABLE_SOURCE,
    TABLE_COUNT
};
extern const CatalogueTable catalogue_tables[TABLE_COUNT];

typedef struct {
    Arena *arena;
    VEC(CatalogueGpu) gpus;
    VEC(CatalogueInstance) instances;
    VEC(CataloguePrice) prices; /* current ones, grouped by instance */
    VEC(CatalogueStreet) streets;
    VEC(CatalogueModel) models;
    VEC(CatalogueFamily) families;
    VEC(CatalogueCategory) categories;
    VEC(CatalogueCuda) cudas;
    VEC(CatalogueSource) sources;
    Map gpu_by_key, instance_by_name;
    const char *path, *user_path; /* databases; user_path NULL when never refreshed */
    const char *as_of;            /* newest date of the shipped tables */
    const char *refreshed;        /* date of the last refresh, NULL */
    int today;                    /* days since 1970-01-01, see catalogue_today() */
} Catalogue;

/* path: NULL for the database that ships with gpukit. user: path of the refreshed prices, NULL for
 * the usual place (fs_data_dir), "" for none. On failure returns NULL and adds to diags what is
 * wrong and what to do. */
Catalogue *catalogue_open(const char *path, const char *user, Diags *diags);
void catalogue_close(Catalogue *catalogue);

/* Reads one table of facts that are seldom needed (facts, history) into rows of the arena.
 * where: SQL condition with one ? for text, or NULL. Returns the count; rows in *rows. */
int catalogue_read(const Catalogue *catalogue, const char *path, enum CatalogueTableId id,
                   const char *sql_table, const char *where, const char *text, void **rows);

/* Fields by name. */
const CatalogueField *catalogue_field(enum CatalogueTableId id, const char *name);
const char *catalogue_text(const CatalogueField *field, const void *row);
double catalogue_real(const CatalogueField *field, const void *row); /* NAN for TEXT fields */

/* The file with the user's refreshed prices, whether or not it exists; malloc'd, NULL when there is
 * no place for it. make: its folder is made (only a refresh needs that). */
char *catalogue_user_path(bool make);

/* Dates: "2026", "2026-07" and "2026-07-20" to days since 1970-01-01 (a missing month or day
 * counts as the first); INT_MIN when it is not a date. */
int catalogue_day(const char *date);
/* Today, or the day of $SOURCE_DATE_EPOCH. */
int catalogue_today(void);
void catalogue_date(int day, char out[11]);

#endif
