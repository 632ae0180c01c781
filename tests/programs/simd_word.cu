/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics on two halves and four bytes of a word (__vadd2 to __vsadu4), each against its
 * documented meaning in plain C. nvcc makes PTX's video instructions of some. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#define BOTH(X, name) X(name##2) X(name##4)
#define COMPARISONS(X, kind)                                                                       \
    BOTH(X, kind##eq) BOTH(X, kind##ne) BOTH(X, kind##ges) BOTH(X, kind##geu) BOTH(X, kind##gts)   \
    BOTH(X, kind##gtu) BOTH(X, kind##les) BOTH(X, kind##leu) BOTH(X, kind##lts) BOTH(X, kind##ltu)
#define BINARY(X)                                                                                  \
    BOTH(X, __vadd) BOTH(X, __vaddss) BOTH(X, __vaddus) BOTH(X, __vsub) BOTH(X, __vsubss)          \
    BOTH(X, __vsubus) BOTH(X, __vavgs) BOTH(X, __vavgu) BOTH(X, __vhaddu) BOTH(X, __vmaxs)         \
    BOTH(X, __vmaxu) BOTH(X, __vmins) BOTH(X, __vminu) BOTH(X, __vabsdiffs) BOTH(X, __vabsdiffu)   \
    BOTH(X, __vsads) BOTH(X, __vsadu) COMPARISONS(X, __vset) COMPARISONS(X, __vcmp)
#define UNARY(X) BOTH(X, __vabs) BOTH(X, __vabsss) BOTH(X, __vneg) BOTH(X, __vnegss)

#define NAME(f) #f,
static const char *const names[] = {BINARY(NAME) UNARY(NAME)};
enum { FUNCTIONS = sizeof names / sizeof *names };

__global__ void all(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    if (i >= n)
        return;
#define CALL2(f) out[at] = f(a[i], b[i]), at += n;
#define CALL1(f) out[at] = f(a[i]), at += n;
    BINARY(CALL2)
    UNARY(CALL1)
}

/* Element i of the word, of `bits` bits. */
static int element(unsigned word, int i, int bits, bool sign)
{
    int value = word >> i * bits & ((1u << bits) - 1);
    return sign && value >> (bits - 1) ? value - (1 << bits) : value;
}

static bool holds(const char *test, int x, int y) /* eq, ne, ge, gt, le, lt */
{
    return test[0] == 'e'   ? x == y
           : test[0] == 'n' ? x != y
           : test[0] == 'g' ? (test[1] == 'e' ? x >= y : x > y)
                            : (test[1] == 'e' ? x <= y : x < y);
}

static int half_up(int sum) /* .5 away from zero */
{
    return sum >= 0 ? (sum + 1) / 2 : (sum - 1) / 2;
}

static unsigned expected(const char *name, unsigned a, unsigned b)
{
    const char *op = name + 3; /* behind __v */
    int n = name[strlen(name) - 1] - '0', bits = 32 / n;
    char last = name[strlen(name) - 2];
    auto is = [&](const char *what) { return strncmp(op, what, strlen(op) - 1) == 0 && strlen(what) == strlen(op) - 1; };
    bool compares = strncmp(op, "set", 3) == 0 || strncmp(op, "cmp", 3) == 0;
    bool sign = (last == 's' && !is("addus") && !is("subus")) || is("abs") || is("neg");
    int high = (1 << (bits - sign)) - 1, low = sign ? -high - 1 : 0;
    unsigned word = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        int x = element(a, i, bits, sign), y = element(b, i, bits, sign), z;
        if (compares)
            z = holds(op + 3, x, y) ? (op[0] == 's' ? 1 : -1) : 0;
        else if (is("add") || is("sub"))
            z = op[0] == 'a' ? x + y : x - y;
        else if (is("addss") || is("addus"))
            z = std::min(std::max(x + y, low), high);
        else if (is("subss") || is("subus"))
            z = std::min(std::max(x - y, low), high);
        else if (is("avgs") || is("avgu"))
            z = half_up(x + y);
        else if (is("haddu"))
            z = (x + y) / 2;
        else if (is("maxs") || is("maxu"))
            z = std::max(x, y);
        else if (is("mins") || is("minu"))
            z = std::min(x, y);
        else if (is("absdiffs") || is("absdiffu") || is("sads") || is("sadu"))
            z = std::abs(x - y);
        else if (is("abs") || is("absss"))
            z = is("abs") ? std::abs(x) : std::min(std::abs(x), high);
        else if (is("neg") || is("negss"))
            z = is("neg") ? -x : std::min(-x, high);
        else
            abort();
        word |= ((unsigned)z & ((1u << bits) - 1)) << i * bits;
        sum += (unsigned)z;
    }
    return is("sads") || is("sadu") ? sum : word;
}

int main()
{
    const int n = 5000;
    const unsigned edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x80808080, 0x7f7f7f7f,
                              0x80008000, 0x7fff7fff, 0xffffffff, 0x80007fff, 0x7f80ff01, 0x01ff807f};
    std::vector<unsigned> a(n), b(n), out((size_t)n * FUNCTIONS);
    std::mt19937 random(12345);
    for (int i = 0; i < n; i++) {
        a[i] = i < 256 ? edges[i / 16] : random();
        b[i] = i < 256 ? edges[i % 16] : random();
    }
    unsigned *da, *db, *dout;
    cudaMalloc(&da, n * 4);
    cudaMalloc(&db, n * 4);
    cudaMalloc(&dout, out.size() * 4);
    cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
    all<<<(n + 255) / 256, 256>>>(da, db, dout, n);
    if (cudaMemcpy(out.data(), dout, out.size() * 4, cudaMemcpyDeviceToHost)) {
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    int bad = 0;
    for (int f = 0; f < FUNCTIONS; f++) {
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            unsigned want = expected(names[f], a[i], b[i]), got = out[(size_t)f * n + i];
            if (got != want && !wrong++)
                printf("%s(%#x, %#x) is %#x, %#x expected\n", names[f], a[i], b[i], got, want);
        }
        bad += wrong != 0;
    }
    printf("%d functions, %d wrong\n", FUNCTIONS, bad);
    return bad != 0;
}
