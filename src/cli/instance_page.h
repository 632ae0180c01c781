/* SPDX-License-Identifier: Apache-2.0
 * The page of one instance and the beginner's guide. */
#ifndef GPUKIT_CLI_INSTANCE_PAGE_H
#define GPUKIT_CLI_INSTANCE_PAGE_H

#include "catalogue/query.h"

void instance_page(const Catalogue *c, const CatalogueInstance *instance, bool blank_before);
void instance_guide(const Catalogue *c);

#endif
