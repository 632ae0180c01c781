/* SPDX-License-Identifier: Apache-2.0
 * Writes a generated price list to stdout: make_price_list json|csv MEGABYTES. For measuring
 *     make_price_list json 500 >list.json; time gpukit catalogue refresh --dry-run --from list.json
 */
#include "price_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take(void *user, const char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, user) == count;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    price_list(strcmp(argv[1], "json") == 0, strtoull(argv[2], NULL, 10) * 1000000, take, stdout);
    return 0;
}
