#include "runtime/device.h"
#include <stdio.h>
static int gpu_open(char *why, size_t room)
{
    snprintf(why, room, "no GPU support in this build");
    return 100;
}
const Device gpu_device = {.kind = "gpu", .open = gpu_open};
