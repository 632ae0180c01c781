/* SPDX-License-Identifier: Apache-2.0
 * The window of device addresses: who may touch what, allocation, reuse, registered memory. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "launch/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

/* Whether this process can write the byte, without dying of it. */
static bool host_can_write(uint64_t address)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    bool can = read(ends[0], (void *)address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return can;
}

static void test_device_side(void **state)
{
    (void)state;
    uint64_t small, large;
    assert_int_equal(mem_alloc(MEM_DEVICE, 1000, 0, 0, &small), 0);
    assert_int_equal(mem_alloc(MEM_DEVICE, 5 * MIB, 0, 0, &large), 0);
    assert_int_equal(small % 256, 0);
    assert_int_equal(large % (2 * MIB), 0);
    assert_false(host_can_write(small));
    assert_false(host_can_write(large));
    assert_true(host_can_write(small + GK_DELTA));
    assert_true(host_can_write(large + GK_DELTA + 5 * MIB - 1));
    memset(mem_reach(large), 7, 5 * MIB);
    assert_int_equal(((uint8_t *)(large + GK_DELTA))[5 * MIB - 1], 7);
    assert_false(host_can_write(large + GK_DELTA + 6 * MIB)); /* the page behind stays unmapped */
    MemInfo info;
    assert_true(mem_find(small + 999, &info));
    assert_int_equal(info.address, small);
    assert_int_equal(info.bytes, 1000);
    assert_null(info.host);
    assert_false(mem_find(small + 1000, &info));
    assert_true(mem_covers(large + MIB, 4 * MIB));
    assert_false(mem_covers(large + MIB, 4 * MIB + 1));
    assert_int_equal(mem_free(small + 1, 1u << MEM_DEVICE), -EINVAL);
    assert_int_equal(mem_free(small, 1u << MEM_PINNED), -EINVAL);
    assert_int_equal(mem_free(small, 1u << MEM_DEVICE), 0);
    assert_int_equal(mem_free(small, 1u << MEM_DEVICE), -EINVAL); /* double free */
    assert_int_equal(mem_free(large, 1u << MEM_DEVICE), 0);
    assert_false(host_can_write(large + GK_DELTA)); /* use after free faults */
}

static void test_both_sides(void **state)
{
    (void)state;
    for (uint64_t bytes = 100; bytes < 8 * MIB; bytes *= 1000) {
        uint64_t at;
        assert_int_equal(mem_alloc(MEM_MANAGED, bytes, 0, 0, &at), 0);
        assert_true(host_can_write(at));
        strcpy((char *)at, "host");
        assert_string_equal((char *)mem_reach(at), "host");
        ((char *)(at + GK_DELTA))[0] = 'm';
        assert_string_equal((char *)at, "most");
        assert_int_equal(mem_free(at, 1u << MEM_MANAGED), 0);
        uint64_t again;
        assert_int_equal(mem_alloc(MEM_PINNED, bytes, 0, 0, &again), 0);
        assert_true(host_can_write(again));
        assert_int_equal(mem_free(again, 1u << MEM_PINNED), 0);
    }
}

static void test_limit(void **state)
{
    (void)state;
    uint64_t used, limit, first, second;
    mem_usage(&used, &limit);
    assert_int_equal(used, 0);
    assert_int_equal(mem_alloc(MEM_DEVICE, limit + 1, 0, 0, &first), -ENOMEM);
    assert_int_equal(mem_alloc(MEM_DEVICE, limit - MIB, 0, 0, &first), 0);
    assert_int_equal(mem_alloc(MEM_DEVICE, 2 * MIB, 0, 0, &second), -ENOMEM);
    assert_int_equal(mem_alloc(MEM_DEVICE, MIB, 0, 0, &second), 0);
    assert_int_equal(mem_free(first, ~0u), 0);
    assert_int_equal(mem_free(second, ~0u), 0);
    mem_usage(&used, &limit);
    assert_int_equal(used, 0);
    assert_int_equal(mem_alloc(MEM_DEVICE, 0, 0, 0, &first), -EINVAL);
}

/* Random allocations: none may overlap, contents must survive, all is given back. */
static void test_random(void **state)
{
    (void)state;
    enum { LIVE = 200, STEPS = 5000 };
    struct {
        uint64_t at, bytes;
        MemKind kind;
    } live[LIVE] = {{0, 0, MEM_DEVICE}};
    uint64_t seed = 12345;
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int i = (int)((seed >> 33) % LIVE);
        if (live[i].at) {
            const uint32_t *tag = mem_reach(live[i].at);
            const uint8_t *end = (uint8_t *)mem_reach(live[i].at) + live[i].bytes - 1;
            assert_int_equal(tag[0], (uint32_t)i * 7919u);
            assert_int_equal(*end, (uint8_t)(live[i].bytes > 4 ? i : *end));
            assert_int_equal(mem_free(live[i].at, 1u << live[i].kind), 0);
            live[i].at = 0;
        } else {
            uint64_t top = (uint64_t)1 << (3 + (seed >> 40) % 20);
            live[i].bytes = 4 + (seed >> 20) % top;
            live[i].kind = (seed >> 60) % 3 ? MEM_DEVICE : MEM_MANAGED;
            assert_int_equal(mem_alloc(live[i].kind, live[i].bytes, 0, 0, &live[i].at), 0);
            for (int j = 0; j < LIVE; j++)
                if (j != i && live[j].at)
                    assert_true(live[i].at + live[i].bytes <= live[j].at ||
                                live[j].at + live[j].bytes <= live[i].at);
            if (live[i].bytes > 4)
                ((uint8_t *)mem_reach(live[i].at))[live[i].bytes - 1] = (uint8_t)i;
            *(uint32_t *)mem_reach(live[i].at) = (uint32_t)i * 7919u;
            if (live[i].bytes > 4 && live[i].bytes < 8)
                ((uint8_t *)mem_reach(live[i].at))[live[i].bytes - 1] = (uint8_t)i;
        }
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i].at)
            assert_int_equal(mem_free(live[i].at, ~0u), 0);
    uint64_t used, limit;
    mem_usage(&used, &limit);
    assert_int_equal(used, 0);
}

static void test_registered(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__ /* pages of the host's memory are replaced */
    skip();
#endif
    char *pages = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 65536; i++)
        pages[i] = (char)i;
    uint64_t device;
    assert_int_equal(mem_register(pages + 100, 40000, MEM_REGISTERED, 5, &device), 0);
    for (int i = 0; i < 65536; i++)
        assert_int_equal(pages[i], (char)i);
    char *reach = (char *)(device + GK_DELTA);
    assert_int_equal(reach[0], 100);
    reach[1] = 'k';
    assert_int_equal(pages[101], 'k');
    pages[102] = 'h';
    assert_int_equal(reach[2], 'h');
    MemInfo info;
    assert_true(mem_find((uint64_t)pages + 200, &info));
    assert_int_equal(info.kind, MEM_REGISTERED);
    assert_ptr_equal(info.host, pages + 100);
    assert_true(mem_covers((uint64_t)pages + 100, 40000));
    assert_false(mem_covers((uint64_t)pages + 101, 40000));
    assert_int_equal(mem_register(pages + 30000, 100, MEM_REGISTERED, 0, &device), -EEXIST);
    assert_int_equal(mem_unregister(pages, MEM_REGISTERED), -EINVAL);
    assert_int_equal(mem_unregister(pages + 100, MEM_REGISTERED), 0);
    assert_int_equal(mem_unregister(pages + 100, MEM_REGISTERED), -EINVAL);
    assert_int_equal(pages[101], 'k');
    munmap(pages, 65536);
    assert_int_equal(mem_register(pages, 4096, MEM_REGISTERED, 0, &device),
                     -EINVAL); /* not mapped any more */
}

static void test_device_pointer_on_host(void **state)
{
    (void)state;
    uint64_t at;
    assert_int_equal(mem_alloc(MEM_DEVICE, 4096, 0, 0, &at), 0);
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile int *)at = 1;
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    assert_int_equal(mem_free(at, ~0u), 0);
}

static void test_scratch(void **state)
{
    (void)state;
    char *a = mem_scratch_new(10000, 1 << 20), *b = mem_scratch_new(1, 0);
    assert_non_null(a);
    assert_non_null(b);
    memset(a, 1, 10000);
    *b = 1;
    assert_false(host_can_write((uint64_t)a - 1));
    assert_false(host_can_write((uint64_t)a + 12288));
    assert_false(host_can_write((uint64_t)a + (1 << 20)));
    mem_scratch_free(a);
    mem_scratch_free(b);
    mem_scratch_free(NULL);
}

int main(void)
{
    if (mem_init(1024 * MIB))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_side), cmocka_unit_test(test_both_sides),
        cmocka_unit_test(test_limit),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_registered),  cmocka_unit_test(test_device_pointer_on_host),
        cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
