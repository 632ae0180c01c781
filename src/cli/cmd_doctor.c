/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor: what is wrong with this machine, or why a program does not run on it. */
#include "base/diag.h"
#include "base/fs.h"
#include "base/options.h"
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    bool json, verbose, install, wake;
    const char *explain, *bundle, *record, *root;
    double limit;
} Settings;

static int write_result(const char *path, const char *what, int code)
{
    if (code == 0)
        return EXIT_CLEAN;
    fprintf(stderr,
            "gpukit doctor: cannot write %s %s: %s\n  help: name a file in a folder that you may "
            "write to\n",
            what, path, strerror(-code));
    return EXIT_ENVIRONMENT;
}

static int save(Doctor *doctor, const Settings *settings)
{
    if (settings->record) {
        Buf image = {0};
        record_image(doctor, &image);
        int code = fs_write_atomic(settings->record, image.data, image.count);
        buf_free(&image);
        if (code == 0)
            fprintf(stderr, "wrote %s; read it once before you publish it\n", settings->record);
        return write_result(settings->record, "the image", code);
    }
    int code = bundle_write(doctor, settings->bundle);
    if (code == 0)
        fprintf(
            stderr,
            "wrote %s (report.txt, report.json, machine.img); serial numbers, host and user\n"
            "names, addresses and home paths are replaced. Read it once before you publish it.\n",
            settings->bundle);
    return write_result(settings->bundle, "the bundle", code);
}

static int explain_command(const Settings *settings)
{
    if (explain(settings->explain, stdout, settings->json))
        return EXIT_CLEAN;
    fprintf(stderr,
            "gpukit doctor: nothing is known about '%s'\n"
            "  help: paste the error line whole, or give the number, the name (cudaErrorNoDevice), "
            "an Xid\n"
            "        (\"Xid 79\") or one of doctor's ids (D01 to D%02d)\n",
            settings->explain, CHECK_COUNT);
    return EXIT_FINDINGS;
}

static int examine(Doctor *doctor, const Settings *settings, const char *program)
{
    bool waiting = isatty(STDERR_FILENO) && !settings->json;
    if (waiting)
        fputs("looking at this machine ...\r", stderr);
    doctor_probe(doctor);
    if (waiting)
        fputs("                           \r", stderr);
    if (settings->install) {
        if (settings->json) {
            char *text = install_json(doctor);
            puts(text);
            free(text);
        } else {
            install_text(doctor, stdout);
        }
        return EXIT_CLEAN;
    }
    doctor_check(doctor);
    if (program) {
        const char *problem;
        if (!program_inspect(doctor, program, &problem)) {
            fprintf(stderr,
                    "gpukit doctor: %s: %s\n  help: gpukit doctor ./PROGRAM, a program built by "
                    "nvcc or gpukit cc\n",
                    program, problem);
            return EXIT_USAGE;
        }
    }
    if (settings->bundle || settings->record)
        return save(doctor, settings);
    if (settings->json) {
        char *text = report_json(doctor);
        puts(text);
        free(text);
    } else {
        report_text(doctor, stdout, settings->verbose);
    }
    bool bad = program ? !program_runs(doctor) : doctor_has_problem(doctor);
    return bad ? EXIT_FINDINGS : EXIT_CLEAN;
}

int cmd_doctor(int argc, char **argv)
{
    Settings settings = {.limit = 30};
    const Option options[] = {
        {'j', "json", OPT_FLAG, &settings.json, NULL, "the report as JSON"},
        {'v', "verbose", OPT_FLAG, &settings.verbose, NULL,
         "also name the threads where others met the problem"},
        {0, "explain", OPT_TEXT, &settings.explain, "TEXT",
         "explain an error message, number, name or Xid"},
        {0, "install", OPT_FLAG, &settings.install, NULL,
         "print the steps to install driver and toolkit here"},
        {0, "bundle", OPT_TEXT, &settings.bundle, "FILE",
         "write a tar archive for a bug report, identifiers removed"},
        {0, "wake", OPT_FLAG, &settings.wake, NULL,
         "also ask a sleeping laptop card, which wakes it"},
        {0, "limit", OPT_SECONDS, &settings.limit, "TIME",
         "how long the driver may take to answer (30s)"},
        {0, "root", OPT_TEXT, &settings.root, "FOLDER",
         "examine a recorded machine image instead of this machine"},
        {0, "record", OPT_TEXT, &settings.record, "FILE",
         "record this machine as an image, identifiers removed"},
    };
    const Command command = {
        "doctor",
        "[PROGRAM]",
        "Says what is wrong with this machine for CUDA, or why PROGRAM does not run on it, with "
        "the commands that mend it.",
        "examples:\n"
        "  gpukit doctor                            the whole machine, one screen\n"
        "  gpukit doctor ./vector_add               can this program run here?\n"
        "  gpukit doctor --explain 700              what does this error number mean?\n"
        "  gpukit doctor --explain \"no kernel image is available\"\n"
        "  gpukit doctor --install                  how to install driver and toolkit\n"
        "  gpukit doctor --bundle report.tar        archive for a bug report\n\n"
        "A machine without a GPU is no problem: exit 0. Notes do not count as problems.\n"
        "With PROGRAM, exit 0 means that it runs here: on the GPU, or on the CPU engine of a "
        "machine\n"
        "with nothing wrong.\n"
        "Nothing is changed and no privilege is needed; what root would add is said.",
        options,
        sizeof options / sizeof *options,
        false};
    int operands;
    int done = options_parse(&command, argc, argv, &operands, NULL);
    if (done)
        return done == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (operands > 1) {
        fprintf(
            stderr,
            "gpukit doctor: one program at a time, not also '%s'\n  help: gpukit doctor --help\n",
            argv[2]);
        return EXIT_USAGE;
    }
    if (settings.explain)
        return explain_command(&settings);
    struct stat info;
    if (settings.root && (stat(settings.root, &info) != 0 || !S_ISDIR(info.st_mode))) {
        fprintf(stderr,
                "gpukit doctor: --root %s: not a folder\n  help: give the folder that holds proc/, "
                "sys/, dev/\n",
                settings.root);
        return EXIT_USAGE;
    }
    Machine machine;
    Doctor doctor;
    char *root = settings.root ? realpath(settings.root, NULL) : NULL;
    machine_init(&machine, root);
    machine.recording = settings.bundle || settings.record;
    doctor_init(&doctor, &machine);
    doctor.wake = settings.wake;
    doctor.limit = settings.limit > 0 ? settings.limit : 30;
    int code = examine(&doctor, &settings, operands ? argv[1] : NULL);
    program_fini(&doctor);
    doctor_fini(&doctor);
    machine_fini(&machine);
    free(root);
    return code;
}
