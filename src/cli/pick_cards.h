/* SPDX-License-Identifier: Apache-2.0
 * pick --buy and pick --compare. */
#ifndef GPUKIT_CLI_PICK_CARDS_H
#define GPUKIT_CLI_PICK_CARDS_H

#include "catalogue/pick.h"

int pick_compare(const Catalogue *c, int names, char **name, bool json);
int pick_buy_print(const Catalogue *c, const PickJob *job, const char *budget, double usd_kwh,
                   bool json);

#endif
