// SPDX-License-Identifier: Apache-2.0
// Division of many numbers by one, which the CPU engine does by reciprocals: every quotient must be the
// host's, to the bit, for near and far exponents, specials and odd values, single and double.
#include <cstdio>
#include <cstring>
#include <vector>

template <class T> __global__ void divide(const T *a, const T *d, T *out, int n)
{
    int row = blockIdx.x; // the divisor is the same for the whole block
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[row * n + i] = a[i] / d[row];
}

static unsigned long long state = 88172645463325252ull;
static unsigned long long next()
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 2685821657736338717ull;
}

template <class T, class Bits> static T number(int kind)
{
    const int places = sizeof(T) == 4 ? 23 : 52, bias = sizeof(T) == 4 ? 127 : 1023;
    Bits fraction = (Bits)next() & (((Bits)1 << places) - 1), sign = (Bits)(next() & 1) << (8 * sizeof(T) - 1), u;
    if (kind == 0) { // near 1; fractions of all ones and of all zeros are the hard ones
        if (next() % 8 == 0)
            fraction = next() & 1 ? ((Bits)1 << places) - 1 - next() % 3 : next() % 3;
        u = ((Bits)(bias - 3 + next() % 7) << places) | fraction | sign;
    } else if (kind == 1) // any bits: infinities, NaNs, subnormals too
        u = (Bits)next();
    else // round about where reciprocals are given up
        u = ((Bits)(bias + (sizeof(T) == 4 ? 50 : 400) * (next() & 1 ? 1 : -1) - 2 + next() % 5) << places) | fraction | sign;
    T x;
    memcpy(&x, &u, sizeof x);
    return x;
}

template <class T, class Bits> static long check(const char *name)
{
    const int n = 4096, rows = 512;
    std::vector<T> a(n), d(rows), out((size_t)n * rows);
    for (int r = 0; r < rows; ++r)
        d[r] = number<T, Bits>(r % 16 == 15 ? 1 : r % 16 == 14 ? 2 : 0);
    for (int i = 0; i < n; ++i) // whole warps of ordinary numbers, and others
        a[i] = number<T, Bits>(i / 32 % 4 == 3 ? 1 + i % 2 : 0);
    a[5] = 0, a[6] = -(T)0;
    T *da, *dd, *dout;
    cudaMalloc(&da, n * sizeof(T)), cudaMalloc(&dd, rows * sizeof(T)), cudaMalloc(&dout, out.size() * sizeof(T));
    cudaMemcpy(da, a.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dd, d.data(), rows * sizeof(T), cudaMemcpyHostToDevice);
    divide<<<rows, 128>>>(da, dd, dout, n);
    if (cudaMemcpy(out.data(), dout, out.size() * sizeof(T), cudaMemcpyDeviceToHost))
        return 1;
    long wrong = 0;
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < n; ++i) {
            volatile T want = a[i] / d[r];
            T w = want, got = out[(size_t)r * n + i];
            bool same = w != w ? got != got : !memcmp(&w, &got, sizeof w);
            if (!same && wrong++ < 5)
                printf("%s: %a / %a = %a, not %a\n", name, (double)a[i], (double)d[r], (double)w, (double)got);
        }
    cudaFree(da), cudaFree(dd), cudaFree(dout);
    return wrong;
}

int main()
{
    long wrong = check<float, unsigned>("float") + check<double, unsigned long long>("double");
    printf("%s\n", wrong ? "FAIL" : "ok");
    return wrong != 0;
}
