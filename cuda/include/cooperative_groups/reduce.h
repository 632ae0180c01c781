/* SPDX-License-Identifier: Apache-2.0
 * Collective reduce of cooperative groups. */
#include "details_collectives.h"
