/* SPDX-License-Identifier: Apache-2.0
 * Vectors of up to 16 bytes that some blocks write again and again while others read them: relaxed, volatile and
 * L2-cached accesses move the whole vector at once, as the look-back of CUB's scans takes for granted.
 * Every access is made in the ways that the engine tells apart: one address, addresses side by side, strided,
 * reversed and irregular ones, all lanes and some.
 * Needs --arch sm_90 */
#include <cstdio>
#include <cstdlib>

enum { LANES = 32, STEP = 3, SLOTS = LANES * STEP, TURNS = 20000 };
enum Place { ONE, ROW, STRIDED, BACK, MIXED, PLACES };

static const char *const place_name[PLACES] = {"one", "row", "strided", "back", "mixed"};

/* Writes a value whose 32-bit words are all `i` or of which the odd ones are its complement; tells whether what
 * is read is such a value. */
#define VECTOR(name, store, load, type, constraint, n, high, low)                                  \
    struct name {                                                                                  \
        enum { WORD = sizeof(type), BYTES = n * WORD };                                            \
        static const char *text()                                                                  \
        {                                                                                          \
            return #name;                                                                          \
        }                                                                                          \
        static __device__ void write(void *at, unsigned i)                                         \
        {                                                                                          \
            type a = high, b = low;                                                                \
            asm volatile(store ::"l"(at), constraint(a), constraint(b) : "memory");                \
        }                                                                                          \
        static __device__ bool is_torn(const void *at)                                             \
        {                                                                                          \
            type v[4] = {};                                                                        \
            load;                                                                                  \
            return v[1] != (type)~v[0] || (n == 4 && (v[2] != v[0] || v[3] != v[1]));              \
        }                                                                                          \
    };

#define LOAD2(text, constraint)                                                                    \
    asm volatile(text " {%0,%1}, [%2];"                                                            \
                 : "=" constraint(v[0]), "=" constraint(v[1])                                      \
                 : "l"(at)                                                                         \
                 : "memory")
#define LOAD4(text, constraint)                                                                    \
    asm volatile(text " {%0,%1,%2,%3}, [%4];"                                                      \
                 : "=" constraint(v[0]), "=" constraint(v[1]), "=" constraint(v[2]),               \
                   "=" constraint(v[3])                                                            \
                 : "l"(at)                                                                         \
                 : "memory")
#define WIDE ((unsigned long long)i << 32 | i)

VECTOR(relaxed_v2_u32, "st.relaxed.gpu.v2.u32 [%0], {%1,%2};", LOAD2("ld.relaxed.gpu.v2.u32", "r"),
       unsigned, "r", 2, i, ~i)
VECTOR(volatile_v4_u16, "st.volatile.v4.u16 [%0], {%1,%2,%1,%2};", LOAD4("ld.volatile.v4.u16", "h"),
       unsigned short, "h", 4, (unsigned short)i, (unsigned short)~i)
VECTOR(relaxed_v4_u32, "st.relaxed.gpu.v4.u32 [%0], {%1,%2,%1,%2};",
       LOAD4("ld.relaxed.gpu.v4.u32", "r"), unsigned, "r", 4, i, ~i)
VECTOR(release_v2_u64, "st.release.gpu.v2.u64 [%0], {%1,%2};", LOAD2("ld.acquire.gpu.v2.u64", "l"),
       unsigned long long, "l", 2, WIDE, ~WIDE)
VECTOR(cg_v4_u32, "st.global.cg.v4.u32 [%0], {%1,%2,%1,%2};", LOAD4("ld.global.cg.v4.u32", "r"),
       unsigned, "r", 4, i, ~i)
VECTOR(volatile_v2_b64, "st.volatile.global.v2.b64 [%0], {%1,%2};",
       LOAD2("ld.volatile.global.v2.b64", "l"), unsigned long long, "l", 2, WIDE, ~WIDE)
VECTOR(relaxed_b128, "{ .reg .b128 w; mov.b128 w, {%1,%2}; st.relaxed.sys.global.b128 [%0], w; }",
       asm volatile("{ .reg .b128 w; ld.relaxed.sys.global.b128 w, [%2]; mov.b128 {%0,%1}, w; }"
                    : "=l"(v[0]), "=l"(v[1])
                    : "l"(at)
                    : "memory"),
       unsigned long long, "l", 2, WIDE, ~WIDE)
VECTOR(exchanged_b128,
       "{ .reg .b128 w, o; mov.b128 w, {%1,%2}; atom.relaxed.gpu.global.exch.b128 o, [%0], w; }",
       asm volatile(
           "{ .reg .b128 w, z; mov.b128 z, {%3,%3}; atom.relaxed.gpu.global.cas.b128 w, [%2], z, z;"
           " mov.b128 {%0,%1}, w; }"
           : "=l"(v[0]), "=l"(v[1])
           : "l"(at), "l"(0ll)
           : "memory"),
       unsigned long long, "l", 2, WIDE, ~WIDE)

static __device__ int place_of(int place, const int *order)
{
    int lane = threadIdx.x;
    return place == ROW       ? lane
           : place == STRIDED ? lane * STEP
           : place == BACK    ? LANES - 1 - lane
           : place == MIXED   ? order[lane]
                              : SLOTS - 1;
}

template <class V, int PLACE>
__global__ void look(char *vectors, const int *order, unsigned *done, unsigned *torn)
{
    char *mine = vectors + place_of(PLACE, order) * V::BYTES;
    if (blockIdx.x == 0) {
        for (unsigned i = 1; i <= TURNS; ++i) {
            V::write(mine, i);
            if (threadIdx.x % 3 == 0) /* some lanes only */
                V::write(mine, ~i);
        }
        __threadfence();
        atomicAdd(done, 1);
        return;
    }
    for (unsigned ended = 0; ended < LANES;) {
        for (int k = 0; k < 100; ++k) {
            if (V::is_torn(mine))
                atomicAdd(torn, 1);
            if (threadIdx.x % 5 == 0 && V::is_torn(mine))
                atomicAdd(torn, 1);
        }
        ended = *(volatile unsigned *)done;
    }
}

static char *vectors;
static unsigned *counts;
static int *order;
static bool wrong;

template <class V, int PLACE> static void run()
{
    static char start[SLOTS * 16];
    unsigned got[2];
    for (size_t i = 0; i < sizeof start; ++i) /* what a writer of 0 leaves */
        start[i] = i / V::WORD % 2 ? -1 : 0;
    cudaMemset(counts, 0, sizeof got);
    cudaMemcpy(vectors, start, sizeof start, cudaMemcpyHostToDevice);
    look<V, PLACE><<<3, LANES>>>(vectors, order, counts, counts + 1);
    cudaError_t error = cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("%-16s %-8s %s, %u writers ended, %u torn\n", V::text(), place_name[PLACE],
                cudaGetErrorString(error), got[0], got[1]);
    wrong |= error || got[0] != LANES || got[1];
}

/* Past L1 but weak, a row is moved as a copy would move it, in pieces of the compiler's choice. */
template <class V, bool IS_STRONG = true> static void run_places()
{
    run<V, ONE>();
    if (IS_STRONG)
        run<V, ROW>();
    run<V, STRIDED>();
    run<V, BACK>();
    run<V, MIXED>();
}

int main()
{
    int mixed[LANES];
    for (int i = 0; i < LANES; ++i)
        mixed[i] = i * 7 % LANES * 2;
    cudaMalloc(&vectors, SLOTS * 16);
    cudaMalloc(&counts, 8);
    cudaMalloc(&order, sizeof mixed);
    cudaMemcpy(order, mixed, sizeof mixed, cudaMemcpyHostToDevice);
    run_places<relaxed_v2_u32>();
    run_places<volatile_v4_u16>();
    run_places<relaxed_v4_u32>();
    run_places<release_v2_u64>();
    run_places<cg_v4_u32, false>();
    run_places<volatile_v2_b64>();
    run_places<relaxed_b128>();
    run_places<exchanged_b128>();
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
