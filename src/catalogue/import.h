/* SPDX-License-Identifier: Apache-2.0
 *
 * Importers of public price files, each fed piece by piece. They find offers (Linux, shared
 * tenancy, USD) and hand them to a sink; what they cannot take they refuse with row and reason.
 *   skypilot   SkyPilot catalogue CSV          import_skypilot.c
 *   aws-csv    AWS Price List, regional CSV    import_aws_csv.c
 *   aws-json   AWS Price List, regional JSON   import_aws_json.c
 *   vantage    instances.json                  import_vantage.c */
#ifndef GPUKIT_CATALOGUE_IMPORT_H
#define GPUKIT_CATALOGUE_IMPORT_H

#include "catalogue/query.h"

typedef struct {
    const char *name, *region, *zone; /* zone "" for the whole region */
    CataloguePriceKind kind;
    double usd_h;
    /* of the type, for one that the catalogue does not know; NULL and NAN when not in the file */
    const char *accelerator, *host_arch;
    double accel_count, accel_mem_mib, vcpus, ram_gib;
    long row; /* line of the file, or number of the record */
} ImportOffer;

typedef struct {
    void *user;
    void (*offer)(void *user, const ImportOffer *offer);
    void (*refuse)(void *user, long row, const char *reason);
    void (*date)(void *user, const char *date); /* publication date inside the file */
    void (*skip)(void *user);                   /* a price of another system, tenancy or currency */
} ImportSink;

typedef struct Import Import;

/* Which format a file is in, from its first bytes; NULL when it is none of them. */
const char *import_sniff(const char *bytes, size_t count);
bool import_is_format(const char *name);
const char *import_format_names(void);

Import *import_new(const char *format, const ImportSink *sink);
/* False when the file is not in the format: import_error says where and why. */
bool import_feed(Import *import, const char *bytes, size_t count);
bool import_end(Import *import);
const char *import_error(const Import *import); /* NULL when there is none */
void import_free(Import *import);

/* Whether a type's name is that of an accelerated family: g, gr, p, inf, trn, dl, vt, f with a
 * digit, with or without "ml." before. */
bool import_is_accelerated(const char *name);
/* Strict number; false when the text is not one. */
bool import_number(const char *text, double *value);

/* --- one per format --- */
typedef struct {
    const char *name;
    void *(*make)(const ImportSink *sink);
    bool (*feed)(void *state, const char *bytes, size_t count);
    bool (*end)(void *state);
    const char *(*error)(const void *state);
    void (*drop)(void *state);
} ImportFormat;

extern const ImportFormat import_skypilot, import_aws_csv, import_aws_json, import_vantage;

#endif
