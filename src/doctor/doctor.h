/* SPDX-License-Identifier: Apache-2.0
 *
 * Doctor: probes fill in what is known about a machine, checks turn that into findings, reports
 * print both. One probe per file (probe_*.c); one row per failure in checks.def, its function in
 * checks_*.c. Nothing here prints; report.c does. */
#ifndef GPUKIT_DOCTOR_DOCTOR_H
#define GPUKIT_DOCTOR_DOCTOR_H

#include "base/diag.h"
#include "doctor/machine.h"

#include <stdio.h>

typedef enum {
#define CHECK(id, ...) CHECK_##id,
#include "doctor/checks.def"
#undef CHECK
    CHECK_COUNT
} CheckId;

typedef enum { AREA_driver, AREA_access, AREA_toolkit, AREA_speed } CheckArea;

typedef struct {
    const char *id; /* "D18" */
    DiagSeverity severity;
    CheckArea area;
    const char *title;
    const char *cause;
    const char *fix;      /* commands, one a line; {names} are filled in for the distribution */
    const char *reported; /* issue threads where people met it */
} CheckRow;
extern const CheckRow check_rows[CHECK_COUNT];

typedef struct {
    const char *file;  /* where it was read: a path, "nvml", "libcuda.so.1", "$NAME" */
    const char *value; /* what was there */
} Evidence;

typedef struct {
    CheckId check;
    DiagSeverity severity;
    const char *seen; /* one sentence with the values of this machine */
    const char *fix;
    VEC(Evidence) evidence;
} Finding;

typedef struct {
    const char *slot; /* 0000:01:00.0 */
    long vendor, device, class_code;
    const char *driver; /* nvidia, nouveau, amdgpu, ...; NULL: none */
    const char *runtime_status;
    const char *name;
    long width, width_max; /* lanes now and at best, 0 unknown */
    const char *narrow_at; /* slot on the way to the root port with fewer lanes than its best */
    long narrow_width, narrow_max;
    const char *speed; /* "32.0 GT/s PCIe"; an idle card reports a slow one */
} PciGpu;

typedef struct {
    long pid;
    const char *command;
} Process;

typedef struct {
    const char *folder;   /* as found: /usr/local/cuda-13.0 */
    const char *found_by; /* "PATH", "CUDA_HOME", "/usr/local/cuda", ... */
    int major, minor;     /* 0 when unknown */
    const char *nvcc;     /* path of nvcc, NULL when the toolkit has none */
    const char *missing;  /* "cicc libdevice" or NULL */
    int gcc_limit;        /* newest gcc major its headers accept, 0 unknown */
    int clang_limit;      /* exclusive in the header, stored as newest accepted */
    const char *host_config;
    bool plain_cospi; /* its cospi has no exception specification (glibc 2.41 and newer have one) */
    const char *cudnn, *nccl, *nvrtc; /* versions, NULL when absent */
} Toolkit;

typedef struct {
    const char *command; /* g++-12 */
    const char *path;
    int major;
    bool is_default;
    bool clang;
} Compiler;

typedef struct Program Program;

typedef struct {
    Machine *machine;
    Arena *arena;
    bool wake;    /* probe a sleeping laptop card too */
    double limit; /* seconds for a driver call */

    struct {
        const char *model, *simd, *caches;
        int cores, threads, sockets, nodes;
    } cpu;
    struct {
        long long total, available, swap; /* bytes, -1 unknown */
    } memory;

    VEC(PciGpu) gpus; /* display and 3D controllers */
    int nvidia_cards;
    bool nvidia_asleep;

    struct {
        const char *loaded;    /* version of the kernel module, NULL: not loaded */
        const char *flavour;   /* "open" or "closed" */
        const char *text;      /* /proc/driver/nvidia/version */
        const char *on_disk;   /* nvidia.ko for this kernel, NULL none */
        const char *elsewhere; /* kernel release that has one when this has not */
        bool uvm_loaded, uvm_node, ctl_node, dxg_node, switch_node;
        DeviceNode ctl, uvm;
        const char *bad_node; /* the node that could not be opened */
        DeviceNode bad;
        const char *release; /* kernel release */
        bool secure_boot;
        bool fabric_manager; /* a process nv-fabricmanager runs */
        long suspends;       /* successful suspends since boot */
        const char *uvm_disable_hmm;
    } driver;

    const char *nvml_path; /* library file, NULL: not installed */
    const char *cuda_path;
    Kv nvml, cuda;
    int cuda_init;    /* -1: not tried or no answer */
    int nvml_init;    /* -1: likewise */
    int cuda_version; /* 13000, 0 unknown */
    int nvml_count;   /* -1 unknown */

    VEC(Toolkit) toolkits; /* in the order in which a build would find them */
    VEC(Compiler) compilers;
    const char *conda; /* prefix or NULL */

    struct {
        const char *clang; /* the one that compiles CUDA for gpukit */
        const char *llvm;
        bool headers;
    } engine;

    struct {
        const char *name; /* "docker", "podman", "kubernetes", ... NULL: none */
        bool wsl;
        const char *virtual_machine;
        const char *docker;     /* the command, NULL when not installed */
        bool container_toolkit; /* NVIDIA's, for docker and podman */
    } box;
    struct {
        const char *id, *like, *version, *name, *codename; /* codename: of the Ubuntu beneath */
    } os;
    const char *kernel;
    int glibc_major, glibc_minor;
    bool root_user, cap_sys_admin, admin_only_counters, knows_admin_only;

    VEC(const char *) kernel_log; /* lines about the driver */
    bool kernel_log_readable;

    VEC(Process) holders; /* processes with a GPU node open; looked for when memory is missing */

    Program *program; /* gpukit doctor ./program */
    VEC(Finding *) findings;
    bool found[CHECK_COUNT];
} Doctor;

void doctor_init(Doctor *doctor, Machine *machine);
void doctor_fini(Doctor *doctor);
void doctor_probe(Doctor *doctor); /* all probes, cheap to dear */
void doctor_check(Doctor *doctor); /* all checks */

void probe_cpu(Doctor *doctor);
void probe_memory(Doctor *doctor);
void probe_pci(Doctor *doctor);
void probe_driver(Doctor *doctor);
void probe_nvml(Doctor *doctor);
void probe_cuda(Doctor *doctor);
void probe_toolkits(Doctor *doctor);
void probe_compilers(Doctor *doctor);
void probe_engine(Doctor *doctor);
void probe_box(Doctor *doctor);
void probe_rights(Doctor *doctor);
void probe_kernel_log(Doctor *doctor);
void probe_processes(Doctor *doctor);
/* Bytes in use on NVML's card that no listed process owns; -1 unknown. */
long long hidden_memory(const Doctor *doctor, int index);

/* Findings: the row's severity and fix unless changed afterwards. */
Finding *finding_add(Doctor *doctor, CheckId id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_evidence(Doctor *doctor, Finding *finding, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void finding_fix(Doctor *doctor, Finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool doctor_has_problem(const Doctor *doctor); /* anything worse than a note */

#define CHECK(id, ...) void check_##id(Doctor *doctor);
#include "doctor/checks.def"
#undef CHECK

/* "CUDA 13.0" numbers as the APIs count them: 13000. */
int version_pack(int major, int minor);
const char *version_text(Arena *arena, int packed); /* "13.0", "-" for 0 */

/* distro.c: {install}, {headers}, {initramfs}, ... in a fix replaced for this distribution. */
const char *distro_expand(Doctor *doctor, const char *text);

/* report.c */
void report_text(Doctor *doctor, FILE *out, bool verbose);
char *report_json(Doctor *doctor); /* malloc'd */
void report_program(Doctor *doctor, FILE *out);

/* explain.c: prints all that is known about a pasted message or number. false: nothing is. */
bool explain(const char *text, FILE *out, bool json);

/* install.c */
void install_text(Doctor *doctor, FILE *out);
char *install_json(Doctor *doctor);

/* record.c: the machine as one text file (an image) that the tests can rebuild; identifiers are
 * replaced. */
void record_image(Doctor *doctor, Buf *out);
/* Serial numbers, host and user names, home paths, addresses, UUIDs replaced. */
char *scrub(Machine *machine, const char *text); /* malloc'd */

/* bundle.c: report and image as a tar archive. 0, or -errno. */
int bundle_write(Doctor *doctor, const char *path);

/* program.c */
bool program_inspect(Doctor *doctor, const char *path, const char **problem);
/* It runs on the GPU, or on the CPU engine of a machine with no problem. */
bool program_runs(const Doctor *doctor);
void program_fini(Doctor *doctor);

#endif
