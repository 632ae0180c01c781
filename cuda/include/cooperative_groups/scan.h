/* SPDX-License-Identifier: Apache-2.0
 * Collective scan of cooperative groups. */
#include "details_collectives.h"
