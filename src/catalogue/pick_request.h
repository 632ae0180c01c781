/* SPDX-License-Identifier: Apache-2.0
 * Settings by name that become a job. */
#ifndef GPUKIT_CATALOGUE_PICK_REQUEST_H
#define GPUKIT_CATALOGUE_PICK_REQUEST_H

#include "catalogue/pick.h"

typedef struct {
    const Catalogue *c;
    Arena *arena;
    PickJob job;
    bool has_kind;
} PickRequest;

void pick_request_init(PickRequest *request, const Catalogue *c);
void pick_request_fini(PickRequest *request);
/* False when the name or the value is not known. */
bool pick_request_set(PickRequest *request, const char *name, const char *value);
/* The job, its model completed; texts are borrowed from the request. False when no job was named.
 */
bool pick_request_job(const PickRequest *request, PickJob *job);

void pick_copy_model(PickModel *to, const CatalogueModel *from);
/* A host (x86_64, arm64, any) or a GPU architecture; text is borrowed. */
void pick_set_arch(PickJob *job, const char *text);

#endif
