/* SPDX-License-Identifier: Apache-2.0
 * The commands as users run them: the drawn sample is learned, a resumed run has the bits of an
 * unbroken one (after Ctrl-C and after kill -9), bad input gives a sentence, model files and the
 * report are what they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include <json-c/json.h>

#include "base/arena.h"
#include "base/fs.h"
#include "trainer/augment.h"
#include "trainer/model.h"
#include "trainer/safetensors.h"

static char folder[] = "/tmp/gpukit-train-XXXXXX";

/* Runs a shell command in the test's folder with $G as the program; output in *text. */
static int shell(Buf *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int shell(Buf *text, const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    char *all = xasprintf("cd %s && { %s ; } 2>&1", folder, command);
    FILE *pipe = popen(all, "r");
    char block[4096];
    free(all);
    buf_free(text);
    for (size_t n; (n = fread(block, 1, sizeof block, pipe)) > 0;)
        buf_add(text, block, n);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void contains(const Buf *text, const char *part)
{
    if (!strstr(buf_text(text), part))
        fail_msg("'%s' is missing in: %s", part, buf_text(text));
}

static Buf file(const char *name)
{
    Buf b = {0};
    char *path = xasprintf("%s/%s", folder, name);
    assert_int_equal(fs_read(path, &b), 0);
    free(path);
    return b;
}

static void same_file(const char *a, const char *b)
{
    Buf x = file(a), y = file(b);
    assert_int_equal(x.count, y.count);
    assert_memory_equal(x.data, y.data, x.count);
    buf_free(&x);
    buf_free(&y);
}

static int setup(void **state)
{
    (void)state;
    setenv("G", BUILD_DIR "/gpukit", 1);
    if (!mkdtemp(folder))
        return -1;
    setenv("GPUKIT_CACHE", folder, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    Buf b = {0};
    shell(&b, "cd / && rm -rf %s", folder);
    buf_free(&b);
    return 0;
}

static void test_sample(void **state)
{
    (void)state;
    Buf t = {0};
    assert_int_equal(shell(&t, "$G train --make-sample faces"), 0);
    assert_int_equal(
        shell(&t, "$G train faces --device cpu --epochs 10 --out m.st --json log --report r.html"),
        0);
    contains(&t, "test accuracy");
    Buf log = file("log");
    struct json_object *last = json_tokener_parse(strstr(log.data, "{\"end\"")), *v;
    assert_non_null(last);
    assert_true(json_object_object_get_ex(last, "test_accuracy", &v));
    assert_true(json_object_get_double(v) >= 0.95);
    assert_true(json_object_object_get_ex(last, "tested", &v));
    assert_true(json_object_get_int(v) >= 30);
    int epochs = 0;
    for (const char *p = log.data; (p = strstr(p, "{\"epoch\"")); ++p)
        ++epochs;
    assert_int_equal(epochs, 10);
    json_object_put(last);
    buf_free(&log);
    /* Faces of another seed, never seen: at most one in twenty wrong. */
    assert_int_equal(shell(&t, "$G train --make-sample other --seed 99 --count 60 && "
                               "$G classify m.st other/cat/*.jpg | grep -c '\tcat\t'"),
                     0);
    contains(&t, "next:");
    assert_true(
        atoi(strrchr(buf_text(&t), ' ') ? strchr(strstr(buf_text(&t), "next:"), '\n') : "0") >= 28);
    assert_int_equal(shell(&t, "$G classify m.st other/dog/*.jpg | grep -c '\tdog\t'"), 0);
    assert_true(atoi(buf_text(&t)) >= 28);
    buf_free(&t);
}

static void test_resume(void **state)
{
    (void)state;
    Buf t = {0};
    const char *run = "$G train --make-sample tiny --count 60 >/dev/null;"
                      "R='train tiny --device cpu --size 32 --epochs 6 --batch 8 -q'";
    assert_int_equal(shell(&t, "%s; $G $R --out whole", run), 0);
    /* kill -9 after the second epoch has been logged, then resume with another thread count */
    assert_int_equal(
        shell(
            &t,
            "%s; rm -f klog; $G $R --out killed --json klog & p=$!; "
            "until [ $(cat klog 2>/dev/null | grep -c epoch) -ge 2 ]; do sleep 0.01; done; "
            "kill -9 $p; wait $p; : >killed.checkpoint.$p.abcdef; : >killed.checkpoint.$$.abcdef; "
            "test -s killed.checkpoint && $G $R --out killed --resume --threads 1 && "
            "test ! -e killed.checkpoint.$p.abcdef && rm killed.checkpoint.$$.abcdef",
            run),
        0);
    same_file("whole", "killed");
    Model m[2]; /* the checkpoints differ in the recorded times only */
    for (int i = 0; i < 2; ++i) {
        Diags diags;
        char *progress, *path = xasprintf("%s/%s.checkpoint", folder, i ? "killed" : "whole");
        diags_init(&diags);
        assert_true(model_load(path, &m[i], &progress, &diags));
        diags_fini(&diags);
        free(progress);
        free(path);
    }
    assert_memory_equal(m[0].state.momentum, m[1].state.momentum,
                        sizeof(float) * m[0].net.param_count);
    model_free(&m[0]);
    model_free(&m[1]);
    buf_free(&t);
}

static void test_ctrl_c(void **state)
{
    (void)state;
    Buf t = {0};
    const char *run = "R='train tiny --device cpu --size 32 --epochs 6 --batch 8 -q'";
    static const struct {
        const char *signal;
        int code;
    } cases[] = {{"INT", 130}, {"TERM", 143}};
    for (int i = 0; i < 2; ++i) {
        int code = shell(&t,
                         "%s; rm -f cut* clog; set -m; $G $R --out cut --json clog & p=$!; "
                         "while [ ! -s clog ]; do sleep 0.01; done; kill -%s $p; wait $p",
                         run, cases[i].signal);
        assert_int_equal(code, cases[i].code);
        contains(&t, "--resume");
        assert_int_equal(shell(&t, "%s; $G $R --out cut --resume", run), 0);
        same_file("whole", "cut");
    }
    buf_free(&t);
}

/* The losses in a log of epochs. */
static int losses(const char *name, double out[16])
{
    Buf log = file(name);
    int n = 0;
    for (const char *p = log.data; n < 16 && (p = strstr(p, "\"loss\": ")); ++p)
        out[n++] = atof(p + 8);
    buf_free(&log);
    return n;
}

static void test_other_run(void **state)
{
    (void)state;
    Buf t = {0};
    const char *run =
        "train tiny --device cpu --size 32 --epochs 6 --batch 8 -q --out whole --resume";
    assert_int_equal(shell(&t, "$G %s --seed 2", run), 1);
    contains(&t, "--seed differs");
    assert_int_equal(
        shell(&t,
              "rm -rf tiny2; cp -r tiny tiny2; rm tiny2/cat/cat.0001.jpg tiny2/cat/cat.0002.jpg;"
              "$G train tiny2 --device cpu --size 32 --epochs 6 --batch 8 -q --out whole --resume"),
        1);
    contains(&t, "the pictures");
    assert_int_equal(
        shell(&t,
              "head -c 5000 whole.checkpoint >bad.checkpoint; $G train tiny --device cpu --size 32 "
              "--epochs 6 --batch 8 -q --out bad --resume"),
        1);
    contains(&t, "bad.checkpoint");
    /* steps too small to learn: it ends two epochs after the best one */
    assert_int_equal(shell(&t,
                           "$G train tiny --device cpu --size 32 --epochs 30 --batch 8 -q --rate "
                           "1e-12 --early-stop 2 --out early --json early.log"),
                     0);
    contains(&t, "stopped early: no better test accuracy since epoch ");
    double all[16];
    int best = atoi(strstr(buf_text(&t), "since epoch ") + strlen("since epoch "));
    assert_int_equal(losses("early.log", all), best + 2);
    assert_int_equal(
        shell(&t,
              "$G train tiny --device cpu --size 32 --epochs 1 --batch 8 -q --out /proc/none/m"),
        3);
    contains(&t, "/proc/none/m: cannot be written: No such file or directory");
    assert_int_equal(shell(&t, "$G train tiny --device cpu -q --report tiny"), 3);
    contains(&t, "tiny: cannot be written: Is a directory");
    buf_free(&t);
}

static void test_bad_input(void **state)
{
    (void)state;
    Buf t = {0};
    const char *run = "train bad --device cpu --size 32 --epochs 1 --batch 8 -q --out b.st";
    assert_int_equal(shell(&t, "$G train nowhere --device cpu"), 1);
    contains(&t, "No such file");
    assert_int_equal(shell(&t, "mkdir empty; $G train empty --device cpu"), 1);
    contains(&t, "found no class folder");
    assert_int_equal(shell(&t, "mkdir -p one; cp -r tiny/cat one/; $G train one --device cpu"), 1);
    contains(&t, "two classes or more; found cat");
    assert_int_equal(shell(&t, "cp -r tiny hollow; rm hollow/dog/*; $G train hollow --device cpu"),
                     1);
    contains(&t, "no usable training picture");
    /* a few bad files: named and skipped; .DS_Store and notes: ignored */
    assert_int_equal(
        shell(&t,
              "cp -r tiny bad; printf x >bad/cat/.DS_Store; echo note >bad/cat/readme.txt;"
              "head -c 700 tiny/cat/cat.0001.jpg >bad/cat/cut.jpg; : >bad/dog/nothing.png;"
              "cp bad/dog/dog.0001.jpg bad/dog/really_a_jpeg.png; printf 'GIF89a\\1\\0\\1\\0' "
              ">bad/dog/really_a_gif.jpg; ln -s nowhere bad/dog/gone.jpg; ln -s turn bad/dog/turn;"
              "$G %s --report bad.html; cat bad.html",
              run),
        0);
    contains(&t, "5 of 66 files cannot be used");
    static const char *const reasons[] = {"cut.jpg: damaged JPEG",
                                          "nothing.png: the file is empty",
                                          "really_a_gif.jpg: neither a JPEG nor a PNG file",
                                          "gone.jpg: cannot be read: No such file or directory",
                                          "turn: cannot be read: Too many levels of symbolic links",
                                          "Files that could not be used (5)"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
        contains(&t, reasons[i]);
    assert_null(strstr(buf_text(&t), "readme.txt"));
    contains(&t, "stroke-width=\"8\""); /* one epoch: dots */
    assert_int_equal(
        shell(&t, "for i in 1 2 3 4 5 6 7 8 9; do echo text >bad/cat/t$i.jpg; done; $G %s", run),
        1);
    contains(&t, "more than 10% are bad");
    contains(&t, "the first ten:");
    assert_int_equal(shell(&t, "$G %s --max-bad 50", run), 0);
    assert_int_equal(
        shell(&t, "mkdir -p split/train split/test; cp -r tiny/cat tiny/dog split/train;"
                  "mkdir split/test/cat split/test/dog; cp tiny/cat/cat.000*.jpg split/test/cat;"
                  "cp tiny/dog/dog.000*.jpg split/test/dog;"
                  "$G train split --device cpu --size 32 --epochs 1 --batch 8 -q --out b.st"),
        0);
    contains(&t, "in the training and in the test set");
    assert_int_equal(
        shell(&t, "$G train tiny --device cpu --size 32 --epochs 1 --batch 64 -q --out b.st"), 1);
    contains(&t, "do not fill one batch of 64");
    assert_int_equal(
        shell(
            &t,
            "$G train tiny --device cpu --size 32 --epochs 2 --batch 8 -q --out n.st --rate 1e30"),
        1);
    contains(&t, "the loss is not finite");
    contains(&t, "again with half the learning rate");
    assert_int_equal(
        shell(&t,
              "mkdir -p uneven/a uneven/b; cp tiny/cat/* uneven/a; cp tiny/dog/dog.0001.jpg "
              "tiny/dog/dog.0003.jpg uneven/b;"
              "$G train uneven --device cpu --size 32 --epochs 1 --batch 8 -q --out b.st; true"),
        0);
    contains(&t, "uneven");
    /* names: any text is a class's name, other bytes are none; a file's may be anything */
    assert_int_equal(
        shell(&t,
              "mkdir -p 'odd/ca<t>&\"' 'odd/h\xc3\xbcnd, `x`'; cp tiny/cat/* 'odd/ca<t>&\"';"
              "cp tiny/dog/* 'odd/h\xc3\xbcnd, `x`'; for d in odd/ca*; do : >\"$d/$(printf "
              "'bad\\377').jpg\"; done;"
              "$G train odd --device cpu --size 32 --epochs 1 --batch 8 -q --out 'an odd one' "
              "--report odd.html && $G export 'an odd one' --onnx odd.onnx && "
              "$G classify --json 'an odd one' odd/ca*/bad* odd/ca*/cat.0001.jpg; cat odd.html"),
        0);
    contains(&t, "<th>ca&lt;t&gt;&amp;&quot;</th><th>h\xc3\xbcnd, `x`</th>");
    contains(&t, "bad\xef\xbf\xbd.jpg: the file is empty");
    contains(&t, "/bad\xef\xbf\xbd.jpg\",\"error\":\"the file is empty\"");
    contains(&t, "\"class\":\"");
    assert_int_equal(shell(&t, "mkdir \"odd/$(printf '\\377')\"; $G train odd --device cpu -q"), 1);
    contains(&t, "this folder's name is not UTF-8");
    static const char *const usage[] = {"--size 50",       "--epochs 0",
                                        "--device tpu",    "--precision bf16 --device cpu",
                                        "--gpus 99",       "--wrong",
                                        "--threads -1",    "--threads 5000",
                                        "--early-stop -1", "--gpus 2 --device cpu"};
    for (size_t i = 0; i < sizeof usage / sizeof *usage; ++i) {
        assert_int_equal(shell(&t, "$G train tiny %s", usage[i]), 2);
        contains(&t, "--help");
    }
    buf_free(&t);
}

/* Files and folders that may not be read: named with the system's reason. Root may read all, so
 * this runs as nobody. */
static void test_permissions(void **state)
{
    (void)state;
    Buf t = {0};
    const char *as = getuid() ? "" : "setpriv --reuid 65534 --regid 65534 --clear-groups";
    if (shell(&t,
              "chmod 755 .; cp -r tiny locked; chmod 0 locked/cat/cat.0001.jpg; "
              "mkdir locked/dog/inner; chmod 0 locked/dog/inner; "
              "%s test -x $G && ! %s cat locked/cat/cat.0001.jpg",
              as, as) != 0) {
        print_message("nobody cannot run the program here: permissions were not tested\n");
        buf_free(&t);
        return;
    }
    assert_int_equal(
        shell(&t,
              "mkdir -m 777 free; HOME=/ GPUKIT_CACHE=free %s $G train locked --device "
              "cpu --size 32 --epochs 1 --batch 8 -q --out free/m",
              as),
        0);
    contains(&t, "cat.0001.jpg: cannot be read: Permission denied");
    contains(&t, "inner: cannot be read: Permission denied");
    assert_int_equal(shell(&t,
                           "chmod 0 locked/dog; HOME=/ %s $G train locked --device cpu --size 32 "
                           "--epochs 1 --batch 8 -q --out free/m",
                           as),
                     1);
    contains(&t, "dog: cannot be read: Permission denied");
    contains(&t, "no usable training picture");
    shell(&t, "chmod -R 755 locked free");
    buf_free(&t);
}

/* A full disk, here a limit on the file's size: the checkpoint before stays as it was. */
static void test_disk_full(void **state)
{
    (void)state;
    Buf t = {0};
    const char *run = "train tiny --device cpu --size 32 --epochs 3 --batch 8 -q --out full";
    assert_int_equal(shell(&t, "$G %s --time-limit 0.001s && cp full.checkpoint before", run), 0);
    assert_int_equal(shell(&t, "trap '' XFSZ; ulimit -f 4000; $G %s --resume", run), 1);
    contains(&t, "full.checkpoint: error: the checkpoint cannot be written: File too large");
    contains(&t, "the previous checkpoint is kept");
    same_file("before", "full.checkpoint");
    assert_int_equal(shell(&t, "ls full*"), 0);
    assert_null(strstr(buf_text(&t), "tmp"));
    assert_int_equal(shell(&t, "$G %s --resume", run), 0);
    buf_free(&t);
}

/* The second request to stop does not wait for the end of the step. */
static void test_second_signal(void **state)
{
    (void)state;
    Buf t = {0};
    assert_int_equal(
        shell(&t, "set -m; $G train tiny --device cpu --size 512 --batch 32 --epochs 1 --out slow "
                  "2>slow.log & p=$!; until grep -q decoded slow.log; do sleep 0.02; done; "
                  "sleep 0.3; kill -INT $p; sleep 0.1; kill -INT $p; wait $p; code=$?; "
                  "cat slow.log; exit $code"),
        130);
    assert_null(strstr(buf_text(&t), "stopped; the checkpoint"));
    buf_free(&t);
}

/* Pictures beyond the limit go to a cache file, with the same result. */
static void test_cache_file(void **state)
{
    (void)state;
    Buf t = {0};
    assert_int_equal(
        shell(&t,
              "$G train tiny --device cpu --size 32 --epochs 6 --batch 8 --memory 1K --out disk"),
        0);
    contains(&t, "to a cache file");
    same_file("whole", "disk");
    buf_free(&t);
}

static bool has_open_mpi(void)
{
    Buf t = {0};
    bool has = shell(&t, "mpirun --version | grep 'Open MPI'") == 0;
    if (!has)
        print_message("no Open MPI here: two ranks were not run\n");
    buf_free(&t);
    return has;
}

#define MPIRUN "timeout 120 mpirun --allow-run-as-root --oversubscribe "

/* Two ranks with half a batch each follow the curve of one with the whole batch. */
static void test_ranks(void **state)
{
    (void)state;
    if (!has_open_mpi())
        return;
    Buf t = {0};
    const char *run = "$G train tiny --device cpu --size 32 --epochs 3 --batch 8 --threads 1 -q";
    /* Under a leak checker Open MPI's own leaks would count: its plugins are unloaded by then. */
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
    assert_int_equal(shell(&t, "%s --out r1 --json r1.log", run), 0);
    assert_int_equal(shell(&t, MPIRUN "-n 2 %s --out r2 --json r2.log", run), 0);
    double one[16], two[16];
    assert_int_equal(losses("r1.log", one), 3);
    assert_int_equal(losses("r2.log", two), 3);
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(one[i] - two[i]) < 2e-3 * one[i]);
    /* A signal to one rank stops and saves all, and all exit with its code. mpirun turns its own
     * Ctrl-C into SIGTERM for its ranks and returns 1. */
    const char *six = "train tiny --device cpu --size 32 --epochs 6 --batch 8 --threads 1 -q";
    assert_int_equal(shell(&t, MPIRUN "-n 2 $G %s --out r6", six), 0);
    for (int whole = 0; whole < 2; ++whole) {
        int code = shell(&t,
                         "rm -f rlog pid.*; set -m; " MPIRUN
                         "-n 2 sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec $G %s --out rcut "
                         "--json rlog' & p=$!; while [ ! -s rlog ]; do sleep 0.01; done; "
                         "%s; kill -INT $p; wait $j",
                         six, whole ? "j=$p" : "j=$p; p=$(cat pid.1)");
        assert_int_equal(code, whole ? 1 : 130);
        assert_int_equal(shell(&t, "grep -c signal rlog; test -s rcut.checkpoint"), 0);
        assert_int_equal(shell(&t, MPIRUN "-n 2 $G %s --out rcut --resume", six), 0);
        same_file("r6", "rcut");
        assert_int_equal(shell(&t, "rm rcut*"), 0);
    }
    assert_int_not_equal(shell(&t, MPIRUN "-n 3 %s --out r3", run), 0);
    contains(&t, "cannot be shared by 3 ranks");
    /* ranks that see other files would never end */
    const char *each = "sh -c 'cd at$OMPI_COMM_WORLD_RANK && $G train tiny --device cpu --size 32 "
                       "--epochs 3 --batch 8 --threads 1 -q --out m --resume'";
    assert_int_equal(shell(&t,
                           "mkdir at0 at1; cp -r tiny at0; cp -r tiny at1; rm "
                           "at1/tiny/cat/cat.0001.jpg; " MPIRUN "-n 2 %s",
                           each),
                     1);
    contains(&t, "the processes do not find the same pictures");
    assert_int_equal(shell(&t,
                           "cp tiny/cat/cat.0001.jpg at1/tiny/cat; cp r2.checkpoint "
                           "at0/m.checkpoint; " MPIRUN "-n 2 %s",
                           each),
                     1);
    contains(&t, "the processes do not find the same checkpoint");
    unsetenv("LSAN_OPTIONS");
    buf_free(&t);
}

static void test_no_gpu(void **state)
{
    (void)state;
    Buf t = {0};
    int code = shell(&t, "$G train tiny --device gpu --epochs 1 -q --batch 8 --out g.st");
    if (code == 0) {
        print_message("a GPU is here: its absence is not tested\n");
        buf_free(&t);
        return;
    }
    assert_int_equal(code, 3);
    contains(&t, "--device cpu");
    assert_int_equal(shell(&t, "$G train tiny --size 64 --epochs 1 --batch 8 -q --out g.st"), 0);
    contains(&t, "training on the CPU");
    /* a driver library from before the functions that are needed */
    char *compiler = fs_which("cc");
    if (compiler) {
        assert_int_equal(
            shell(&t, "mkdir -p old; echo 'int cuInit(unsigned f) { return (int)f; }' >old.c; cc "
                      "-shared -fPIC old.c -o old/libcuda.so.1; LD_LIBRARY_PATH=old $G train tiny "
                      "--device gpu --epochs 1 -q --batch 8 --out g.st"),
            3);
        contains(&t, "the NVIDIA driver is too old");
    }
    free(compiler);
    buf_free(&t);
}

/* The GPU kernels as they are shipped, on gpukit's own engine with too little device memory: the
 * batch is halved and said so, and the loss is the CPU's up to bf16. */
static void test_engine(void **state)
{
    (void)state;
    Buf t = {0};
    /* with what the tests trainer_engine_* have compiled */
    setenv("GPUKIT_CACHE", BUILD_DIR "/tests/engine-cache", 1);
    assert_int_equal(shell(&t,
                           "mkdir -p few/cat few/dog; cp tiny/cat/cat.000[0-6].jpg few/cat; "
                           "cp tiny/dog/dog.000[0-6].jpg few/dog;"
                           "$G train few --device cpu --size 64 --epochs 1 --batch 4 --rate 0.0125 "
                           "-q --out f1 --json f1.log"),
                     0);
    int code = shell(&t, "$G run --memory 20M $G -- train few --device gpu --size 64 --epochs 1 "
                         "--batch 8 --rate 0.025 -q --out f2 --json f2.log");
    if (code == 3 && strstr(buf_text(&t), "without GPU training kernels")) {
        print_message("built without GPU kernels: the engine did not train\n");
        setenv("GPUKIT_CACHE", folder, 1);
        buf_free(&t);
        return;
    }
    assert_int_equal(code, 0);
    contains(&t, "MiB more needed");
    contains(&t, "going on with --batch 4 and a rate of 0.0125");
    double cpu[16], gpu[16];
    assert_int_equal(losses("f1.log", cpu), 1);
    assert_int_equal(losses("f2.log", gpu), 1);
    assert_true(fabs(cpu[0] - gpu[0]) < 0.005 * cpu[0]);
    /* Two devices of the engine and a stand-in for NCCL: near the joint batch on the CPU, but for
     * batch norm's statistics, which are per GPU. */
    const char *run = "few --size 64 --epochs 1 --batch 8 --rate 0.025 -q";
    assert_int_equal(shell(&t, "$G train %s --device cpu --out f3 --json f3.log", run), 0);
    assert_int_equal(shell(&t,
                           "LD_LIBRARY_PATH=%s/tests/nccl $G run --devices 2 $G -- train %s "
                           "--device gpu --gpus 2 --out f4 --json f4.log",
                           BUILD_DIR, run),
                     0);
    contains(&t, " on 2 x NVIDIA H200 (sums by NCCL)");
    assert_int_equal(losses("f3.log", cpu), 1);
    assert_int_equal(losses("f4.log", gpu), 1);
    assert_true(fabs(cpu[0] - gpu[0]) < 0.02 * cpu[0]);
    /* The same without NCCL, or with NVIDIA's, which cannot start on the engine. Late operations
     * and memory full of NaN must not change a bit. */
    assert_int_equal(shell(&t,
                           "$G run --late 2 --fill 255 --devices 2 $G -- train %s --device gpu "
                           "--gpus 2 --out f7",
                           run),
                     0);
    contains(&t, " on 2 x NVIDIA H200 (sums by the host)");
    same_file("f4", "f7");
    if (has_open_mpi()) { /* the same with a process for each GPU: by MPI, and by the stand-in */
        setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
        const char *rank = "$G -- train few --size 64 --epochs 1 --batch 8 --rate 0.025 -q";
        assert_int_equal(
            shell(&t, MPIRUN "-n 2 $G run --late 2 --fill 255 %s --device gpu --out f5", rank), 0);
        contains(&t, " on 2 x NVIDIA H200 (sums by MPI)");
        same_file("f4", "f5");
        assert_int_equal(shell(&t,
                               "LD_LIBRARY_PATH=%s/tests/nccl " MPIRUN
                               "-n 2 $G run --devices 2 %s --device gpu --out f6",
                               BUILD_DIR, rank),
                         0);
        contains(&t, " on 2 x NVIDIA H200 (sums by NCCL)");
        same_file("f4", "f6");
        unsetenv("LSAN_OPTIONS");
    }
    setenv("GPUKIT_CACHE", folder, 1);
    buf_free(&t);
}

static void test_classify(void **state)
{
    (void)state;
    Buf t = {0};
    assert_int_equal(shell(&t, "$G classify m.st faces/cat/cat.0001.jpg missing.jpg "
                               "faces/dog/dog.0001.jpg 2>/dev/null"),
                     1);
    contains(&t, "cat.0001.jpg\t");
    contains(&t, "dog.0001.jpg\t");
    assert_int_equal(shell(&t, "$G classify m.st --json missing.jpg faces/cat/cat.0001.jpg"), 1);
    struct json_object *o = json_tokener_parse(strchr(buf_text(&t), '\n') + 1), *p, *v;
    assert_true(json_object_object_get_ex(o, "probabilities", &p));
    double sum = 0;
    json_object_object_foreach(p, name, value)
    {
        (void)name;
        sum += json_object_get_double(value);
    }
    assert_true(fabs(sum - 1) < 1e-6);
    assert_true(json_object_object_get_ex(o, "class", &v));
    json_object_put(o);
    assert_int_equal(shell(&t, "echo nonsense >no.st; $G classify no.st faces/cat/cat.0001.jpg"),
                     1);
    contains(&t, "no.st");
    assert_int_equal(shell(&t, "$G classify m.st"), 2);
    assert_int_equal(shell(&t, "$G export m.st --onnx m.onnx && $G export m.st"), 2);
    Buf onnx = file("m.onnx");
    assert_true(onnx.count > 1500000);
    buf_free(&onnx);
    buf_free(&t);
}

/* Damaged model files: a sentence, never a crash. */
static void test_model_fuzz(void **state)
{
    (void)state;
    Buf whole = file("m.st");
    char *path = xasprintf("%s/fuzz.st", folder);
    int accepted = 0, refused = 0;
    for (uint32_t r = 0; r < 400; ++r) {
        Buf copy = {0};
        buf_add(&copy, whole.data, r % 4 == 0 ? aug_draw(3, r, 0) % whole.count : whole.count);
        for (uint32_t c = 0; c < 1 + r % 5 && copy.count; ++c)
            copy.data[aug_draw(3, r, 2 * c + 1) % (copy.count < 3000 ? copy.count : 3000)] =
                (char)aug_draw(3, r, 2 * c + 2);
        FILE *f = fopen(path, "wb");
        fwrite(copy.data ? copy.data : "", 1, copy.count, f);
        fclose(f);
        buf_free(&copy);
        Diags diags;
        Model model;
        char *progress = NULL;
        diags_init(&diags);
        if (model_load(path, &model, &progress, &diags)) {
            ++accepted;
            model_free(&model);
        } else {
            ++refused;
            assert_true(diags.errors > 0);
        }
        free(progress);
        diags_fini(&diags);
    }
    assert_true(refused > 200);
    free(path);
    buf_free(&whole);
    print_message("%d damaged files refused, %d harmless\n", refused, accepted);
}

/* The report in a browser: the page as rendered holds the figures and a real picture height. */
static void test_report(void **state)
{
    (void)state;
    Buf t = {0}, html = file("r.html");
    contains(&html, "id=\"accuracy\"");
    contains(&html, "<polyline");
    contains(&html, "id=\"matrix\"");
    assert_null(strstr(html.data, "http://"));
    assert_null(strstr(html.data, "https://"));
    buf_free(&html);
    char *browser = fs_which("chromium");
    if (!browser)
        browser = fs_which("google-chrome");
    if (!browser) {
        print_message("no Chromium here: the report was not rendered\n");
        buf_free(&t);
        return;
    }
    assert_int_equal(
        shell(&t,
              "timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir=chrome "
              "--window-size=800,1400 --screenshot=shot.png r.html >/dev/null 2>&1 && "
              "timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir=chrome "
              "--dump-dom r.html 2>/dev/null",
              browser, browser),
        0);
    contains(&t, "Confusion matrix");
    contains(&t, "</html>");
    Buf shot = file("shot.png");
    assert_true(shot.count > 10000); /* not a blank page */
    buf_free(&shot);
    free(browser);
    buf_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_ctrl_c),        cmocka_unit_test(test_other_run),
        cmocka_unit_test(test_cache_file),    cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_permissions),   cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_second_signal), cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_no_gpu),        cmocka_unit_test(test_engine),
        cmocka_unit_test(test_classify),      cmocka_unit_test(test_model_fuzz),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
