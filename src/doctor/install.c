/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor --install: the steps that put driver and toolkit on this distribution, and the
 * commands worth knowing afterwards. It prints; it installs nothing. */
#include "doctor/distro.h"

#include <json-c/json.h>
#include <string.h>

static const struct {
    const char *command, *shows, *remark;
} tools[] = {
#define TOOL(command, shows, remark) {command, shows, remark},
#include "doctor/tools.def"
#undef TOOL
};
enum { TOOL_COUNT = sizeof tools / sizeof *tools, MAX_STEPS = 8 };

typedef struct {
    const char *title, *commands;
} Step;

static int steps_for(Doctor *doctor, Step steps[MAX_STEPS])
{
    int n = 0;
    const char *windows =
        "# in WSL the driver is Windows' own: install it there (nvidia.com/drivers), and never a\n"
        "# Linux driver in here; then check:\nnvidia-smi";
    const char *inside = "# in a container the driver is the host's: install it there, and on the "
                         "host\n{container}\n"
                         "# then start the container with the GPU: docker run --gpus all ...";
    const char *none =
        "# no NVIDIA card is visible here: skip this step, gpukit's CPU engine needs no driver;\n"
        "# on a machine with a card:\n{driver}\nsudo reboot";
    const char *have = "# already there; nothing to do";
    bool box = doctor->box.name != NULL;
    steps[n++] = (Step){"driver", doctor->box.wsl          ? windows
                                  : doctor->cuda_init == 0 ? have
                                  : box                    ? inside
                                  : !doctor->nvidia_cards
                                      ? none
                                      : "{driver}\nsudo reboot\n# afterwards: nvidia-smi"};
    steps[n++] =
        (Step){"toolkit (nvcc, libraries); never a second one from the distribution on top",
               doctor->toolkits.count ? have : "{toolkit-install}"};
    steps[n++] = (Step){"PATH, in ~/.bashrc", "export PATH={toolkit}/bin:$PATH"};
    if (!doctor->engine.clang)
        steps[n++] = (Step){"gpukit's CPU engine", "{install} clang-19"};
    steps[n++] = (Step){"see that it works", "gpukit doctor"};
    for (int i = 0; i < n; ++i)
        steps[i].commands = distro_expand(doctor, steps[i].commands);
    return n;
}

void install_text(Doctor *doctor, FILE *out)
{
    Step steps[MAX_STEPS];
    int count = steps_for(doctor, steps);
    fprintf(out, "Driver and toolkit on %s (family: %s). Nothing is installed by this command.\n",
            doctor->os.name ? doctor->os.name : "this system", distro_family(doctor));
    if (strcmp(distro_family(doctor), "other") == 0)
        fputs("gpukit knows no commands for this distribution; the steps say what is needed.\n",
              out);
    for (int i = 0; i < count; ++i) {
        fprintf(out, "\n%d. %s\n", i + 1, steps[i].title);
        Names lines = split(doctor->arena, steps[i].commands, '\n');
        for (size_t k = 0; k < lines.count; ++k)
            fprintf(out, "   %s\n", lines.items[k]);
    }
    fputs("\nCommands worth knowing\n", out);
    for (int i = 0; i < TOOL_COUNT; ++i)
        fprintf(out, "  %-38s%s\n    %s\n", tools[i].command, tools[i].shows, tools[i].remark);
}

char *install_json(Doctor *doctor)
{
    Step steps[MAX_STEPS];
    int count = steps_for(doctor, steps);
    struct json_object *all = json_object_new_object(), *list = json_object_new_array();
    json_object_object_add(all, "family", json_object_new_string(distro_family(doctor)));
    for (int i = 0; i < count; ++i) {
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "step", json_object_new_string(steps[i].title));
        json_object_object_add(one, "commands", json_object_new_string(steps[i].commands));
        json_object_array_add(list, one);
    }
    json_object_object_add(all, "steps", list);
    list = json_object_new_array();
    for (int i = 0; i < TOOL_COUNT; ++i) {
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "command", json_object_new_string(tools[i].command));
        json_object_object_add(one, "shows", json_object_new_string(tools[i].shows));
        json_object_object_add(one, "remark", json_object_new_string(tools[i].remark));
        json_object_array_add(list, one);
    }
    json_object_object_add(all, "commands", list);
    char *copy = xstrdup(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY |
                                                                 JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(all);
    return copy;
}
