/* SPDX-License-Identifier: Apache-2.0
 * Walks the folder, splits, decodes on the pool, and reports what could not be used. Training
 * itself never opens a picture file. */
#include "trainer/dataset.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/utf8.h"
#include "trainer/augment.h"
#include "trainer/image.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEST_PERCENT = 20, MAX_DEPTH = 16 };

typedef VEC(char *) Names;

typedef struct {
    char *path;
    int label, set;
    ImageStatus status;
    char *reason;
    uint64_t hash;
    size_t slot;
} Entry;

typedef VEC(Entry) Entries;

typedef struct {
    Dataset *data;
    Entries *entries;
    uint8_t *pixels;
    atomic_size_t done;
    bool progress;
} DecodeJob;

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Names in a folder, sorted, without those that begin with a dot. -errno when unreadable. */
static int list(Arena *arena, const char *path, Names *out)
{
    DIR *d = opendir(path);
    if (!d)
        return -errno;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            VEC_PUSH(*out, arena_strdup(arena, e->d_name));
    closedir(d);
    if (out->count)
        qsort(out->items, out->count, sizeof(char *), by_text);
    return 0;
}

static void add_bad(Dataset *data, const char *path, const char *reason)
{
    BadFile bad = {arena_strdup(data->arena, path), arena_strdup(data->arena, reason)};
    VEC_PUSH(data->bad, bad);
}

static void walk(Dataset *data, const char *path, const char *inside, int label, int set, int depth,
                 Entries *entries)
{
    Names names = {0};
    int error = depth > MAX_DEPTH ? -ELOOP : list(data->arena, path, &names);
    if (error)
        add_bad(data, path, arena_printf(data->arena, "cannot be read: %s", strerror(-error)));
    for (size_t i = 0; i < names.count; ++i) {
        char *child = arena_printf(data->arena, "%s/%s", path, names.items[i]);
        char *name = arena_printf(data->arena, "%s/%s", inside, names.items[i]);
        if (is_folder(child)) {
            walk(data, child, name, label, set, depth + 1, entries);
            continue;
        }
        int where = set;
        if (where < 0)
            where = aug_mix((uint32_t)hash_bytes(name, strlen(name), 1)) % 100 < TEST_PERCENT
                        ? SET_TEST
                        : SET_TRAIN;
        Entry entry = {.path = child, .label = label, .set = where};
        VEC_PUSH(*entries, entry);
    }
    VEC_FREE(names);
}

static bool looks_like_picture(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 ||
                   strcasecmp(dot, ".png") == 0);
}

static void decode(void *context, int job, int thread)
{
    DecodeJob *d = context;
    Entry *entry = &d->entries->items[job];
    size_t bytes = (size_t)d->data->side * (size_t)d->data->side * 3;
    uint8_t *out = d->pixels + entry->slot * bytes;
    char error[IMAGE_ERROR_SIZE];
    entry->status = image_load(entry->path, d->data->side, out, error);
    if (entry->status == IMAGE_OK)
        entry->hash = hash_bytes(out, bytes, 0);
    else
        entry->reason = xstrdup(error);
    size_t done = atomic_fetch_add(&d->done, 1) + 1;
    if (d->progress && thread == 0 && done % 64 == 0)
        fprintf(stderr, "\rdecoding %zu of %zu pictures ", done, d->entries->count);
}

/* Memory for the pictures: plain, or a mapped file without a name when they are too many. */
static uint8_t *picture_memory(Dataset *data, size_t bytes, unsigned long long limit, Diags *diags)
{
    if (!limit)
        limit = (unsigned long long)sysconf(_SC_PHYS_PAGES) *
                (unsigned long long)sysconf(_SC_PAGESIZE) / 2;
    int fd = -1;
    if (bytes > limit) {
        char *folder = fs_cache_dir("train");
        char *path = xasprintf("%s/pictures.XXXXXX", folder ? folder : "/tmp");
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            unlink(path);
        int error = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)bytes);
        if (error) {
            diag_add(diags, DIAG_ERROR, NULL, 0, 0,
                     "no room for the picture cache (%zu MiB) in %s: %s", bytes >> 20,
                     folder ? folder : "/tmp", strerror(error));
            diag_help(diags, "set GPUKIT_CACHE to a folder with room, or use a smaller --size");
        }
        free(folder);
        free(path);
        if (error) {
            if (fd >= 0)
                close(fd);
            return NULL;
        }
        data->on_disk = true;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    if (memory == MAP_FAILED) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "no memory for %zu MiB of pictures", bytes >> 20);
        return NULL;
    }
    data->memory_bytes = bytes;
    return memory;
}

static int match_set(const char *name)
{
    static const char *const train[] = {"train", "training", "training_set"};
    static const char *const test[] = {"test", "testing", "test_set", "val", "validation"};
    for (size_t i = 0; i < sizeof train / sizeof *train; ++i)
        if (strcasecmp(name, train[i]) == 0)
            return SET_TRAIN;
    for (size_t i = 0; i < sizeof test / sizeof *test; ++i)
        if (strcasecmp(name, test[i]) == 0)
            return SET_TEST;
    return -1;
}

static int class_index(Dataset *data, const char *name, bool may_add)
{
    for (int i = 0; i < data->classes; ++i)
        if (strcmp(data->names[i], name) == 0)
            return i;
    if (!may_add || data->classes == NET_MAX_CLASSES)
        return -1;
    data->names[data->classes] = name;
    return data->classes++;
}

/* Class folders below path. set: -1 splits by hash. */
static void walk_classes(Dataset *data, const char *path, int set, Entries *entries, Diags *diags)
{
    Names names = {0};
    int error = list(data->arena, path, &names);
    if (error)
        diag_add(diags, DIAG_ERROR, path, 0, 0, "cannot be read: %s", strerror(-error));
    for (size_t i = 0; i < names.count; ++i) {
        char *child = arena_printf(data->arena, "%s/%s", path, names.items[i]);
        if (!is_folder(child)) {
            ++data->ignored;
            continue;
        }
        if (!utf8_valid(names.items[i])) {
            diag_add(diags, DIAG_ERROR, child, 0, 0, "this folder's name is not UTF-8");
            diag_help(diags, "rename it: models and reports hold the class's name as text");
            continue;
        }
        int label = class_index(data, names.items[i], set != SET_TEST);
        if (label < 0) {
            diag_add(diags, DIAG_ERROR, child, 0, 0,
                     set == SET_TEST ? "this class is missing among the training pictures"
                                     : "more than %d classes",
                     NET_MAX_CLASSES);
            continue;
        }
        walk(data, child, names.items[i], label, set, 0, entries);
    }
    VEC_FREE(names);
}

static void find_files(Dataset *data, const char *dir, Entries *entries, Diags *diags)
{
    Names names = {0};
    const char *split[SETS] = {NULL, NULL};
    int error = list(data->arena, dir, &names);
    if (error) {
        diag_add(diags, DIAG_ERROR, dir, 0, 0, "cannot be read: %s", strerror(-error));
        diag_help(diags, "name a folder that holds one folder per class");
        return;
    }
    for (size_t i = 0; i < names.count; ++i) {
        char *child = arena_printf(data->arena, "%s/%s", dir, names.items[i]);
        int set = match_set(names.items[i]);
        if (set >= 0 && is_folder(child))
            split[set] = child;
    }
    VEC_FREE(names);
    if (split[SET_TRAIN] && split[SET_TEST]) {
        walk_classes(data, split[SET_TRAIN], SET_TRAIN, entries, diags);
        walk_classes(data, split[SET_TEST], SET_TEST, entries, diags);
    } else {
        walk_classes(data, dir, -1, entries, diags);
    }
}

/* Moves good pictures together: training set first, then the test set. */
static void gather(Dataset *data, Entries *entries, size_t bytes)
{
    size_t counts[SETS] = {0, 0}, train_room = 0;
    for (size_t i = 0; i < entries->count; ++i)
        train_room += entries->items[i].set == SET_TRAIN;
    for (int s = 0; s < SETS; ++s) {
        data->set[s].files = arena_alloc(data->arena, sizeof(DataFile) * (entries->count + 1));
        data->set[s].pixels = data->memory + (s == SET_TEST ? train_room * bytes : 0);
    }
    for (size_t i = 0; i < entries->count; ++i) {
        Entry *e = &entries->items[i];
        if (e->status != IMAGE_OK)
            continue;
        DataSet *set = &data->set[e->set];
        uint8_t *to = set->pixels + counts[e->set] * bytes;
        if (to != data->memory + e->slot * bytes)
            memmove(to, data->memory + e->slot * bytes, bytes);
        set->files[counts[e->set]++] = (DataFile){e->path, e->label};
        ++data->per_class[e->set][e->label];
        data->split_hash =
            hash_bytes(&e->hash, sizeof e->hash, data->split_hash + (uint64_t)e->set);
    }
    data->set[SET_TRAIN].count = counts[SET_TRAIN];
    data->set[SET_TEST].count = counts[SET_TEST];
}

static int by_hash(const void *a, const void *b)
{
    const Entry *x = *(Entry *const *)a, *y = *(Entry *const *)b;
    return x->hash < y->hash ? -1 : x->hash > y->hash ? 1 : x->set - y->set;
}

static void find_shared(Dataset *data, Entries *entries, Diags *diags)
{
    Entry **sorted = xmalloc(sizeof(Entry *) * (entries->count + 1)), *first[2] = {NULL, NULL};
    size_t n = 0;
    for (size_t i = 0; i < entries->count; ++i)
        if (entries->items[i].status == IMAGE_OK)
            sorted[n++] = &entries->items[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_hash);
    for (size_t i = 1; i < n; ++i)
        if (sorted[i]->hash == sorted[i - 1]->hash && sorted[i]->set != sorted[i - 1]->set) {
            if (!data->shared++)
                first[0] = sorted[i - 1], first[1] = sorted[i];
        }
    if (data->shared) {
        diag_add(diags, DIAG_WARNING, NULL, 0, 0,
                 "%zu picture%s stand%s in the training and in the test set: %s = %s", data->shared,
                 data->shared > 1 ? "s" : "", data->shared > 1 ? "" : "s", first[0]->path,
                 first[1]->path);
        diag_help(diags, "the test accuracy is too good by these; remove one of each pair");
    }
    free(sorted);
}

static void check_classes(Dataset *data, const char *dir, Diags *diags)
{
    Buf found = {0};
    size_t most = 0, least = (size_t)-1;
    for (int i = 0; i < data->classes; ++i) {
        size_t n = data->per_class[SET_TRAIN][i];
        buf_printf(&found, "%s%s (%zu train, %zu test)", i ? ", " : "", data->names[i], n,
                   data->per_class[SET_TEST][i]);
        most = n > most ? n : most;
        least = n < least ? n : least;
    }
    if (data->classes < 2) {
        diag_add(diags, DIAG_ERROR, dir, 0, 0, "training needs two classes or more; found %s",
                 data->classes ? buf_text(&found) : "no class folder");
        diag_help(diags, "put the pictures into one folder per class: %s/cat/*.jpg, %s/dog/*.jpg",
                  dir, dir);
    } else if (least == 0) {
        diag_add(diags, DIAG_ERROR, dir, 0, 0, "a class has no usable training picture; found %s",
                 buf_text(&found));
    } else if (data->set[SET_TEST].count == 0) {
        diag_add(diags, DIAG_ERROR, dir, 0, 0, "no test picture; found %s", buf_text(&found));
        diag_help(diags, "add pictures, or give %s/train and %s/test", dir, dir);
    } else if (most >= 10 * least) {
        diag_add(diags, DIAG_WARNING, dir, 0, 0, "the classes are very uneven: %s",
                 buf_text(&found));
        diag_help(diags, "look at the balanced accuracy, which counts each class the same");
    }
    buf_free(&found);
}

static void check_bad(Dataset *data, size_t files, double max_bad, Diags *diags)
{
    size_t bad = data->bad.count;
    if (!bad)
        return;
    bool over = (double)bad > max_bad * (double)(files ? files : 1);
    Buf first = {0};
    for (size_t i = 0; i < bad && i < 10; ++i)
        buf_printf(&first, "\n    %s: %s", data->bad.items[i].path, data->bad.items[i].reason);
    diag_add(diags, over ? DIAG_ERROR : DIAG_WARNING, NULL, 0, 0,
             "%zu of %zu files cannot be used%s%s", bad, files, bad > 10 ? ", the first ten:" : ":",
             buf_text(&first));
    if (over)
        diag_help(diags,
                  "more than %.3g%% are bad; remove them, or allow more with --max-bad PERCENT",
                  100 * max_bad);
    buf_free(&first);
}

bool dataset_load(const char *dir, const DatasetOptions *options, Pool *pool, Dataset *data,
                  Diags *diags)
{
    double start = clock_seconds();
    memset(data, 0, sizeof *data);
    data->arena = arena_new();
    data->side = options->side;
    Entries entries = {0};
    find_files(data, dir, &entries, diags);
    size_t bytes = (size_t)data->side * (size_t)data->side * 3, slots[SETS] = {0, 0};
    for (size_t i = 0; i < entries.count; ++i)
        slots[SET_TEST] += entries.items[i].set == SET_TRAIN;
    for (size_t i = 0; i < entries.count; ++i)
        entries.items[i].slot = slots[entries.items[i].set]++;
    if (!diags->errors && entries.count)
        data->memory = picture_memory(data, entries.count * bytes, options->memory_limit, diags);
    if (!diags->errors && entries.count) {
        DecodeJob job = {.data = data,
                         .entries = &entries,
                         .pixels = data->memory,
                         .progress = options->progress};
        pool_run(pool, (int)entries.count, decode, &job);
        if (options->progress)
            fprintf(stderr, "\r%40s\r", "");
        size_t files = 0;
        for (size_t i = 0; i < entries.count; ++i) {
            Entry *e = &entries.items[i];
            if (e->status == IMAGE_OTHER && !looks_like_picture(e->path))
                ++data->ignored;
            else
                ++files;
            if (e->status == IMAGE_BAD || (e->status == IMAGE_OTHER && looks_like_picture(e->path)))
                add_bad(data, e->path, e->reason);
            free(e->reason);
        }
        check_bad(data, files, options->max_bad, diags);
        gather(data, &entries, bytes);
        find_shared(data, &entries, diags);
    }
    if (!diags->errors)
        check_classes(data, dir, diags);
    VEC_FREE(entries);
    data->seconds = clock_seconds() - start;
    return diags->errors == 0;
}

void dataset_free(Dataset *data)
{
    if (data->memory)
        munmap(data->memory, data->memory_bytes);
    VEC_FREE(data->bad);
    arena_free(data->arena);
    memset(data, 0, sizeof *data);
}
