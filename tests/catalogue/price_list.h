/* SPDX-License-Identifier: Apache-2.0
 * Price lists of any size in AWS's formats, for the tests and for measuring: most products are of
 * no interest (other systems, tenancies, reserved terms), as in the real files. */
#ifndef GPUKIT_TESTS_PRICE_LIST_H
#define GPUKIT_TESTS_PRICE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Calls take(user, bytes, count) piece by piece until about `bytes` were made or take returns
 * false. json: the JSON list, else the CSV. */
void price_list(bool json, unsigned long long bytes, bool (*take)(void *, const char *, size_t),
                void *user);

#endif
