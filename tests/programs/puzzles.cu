/* SPDX-License-Identifier: Apache-2.0
 * The fourteen exercises of the collection "GPU Puzzles" (in CUDA for Python there) as CUDA C++, each in
 * the sizes it is given in and in larger ones, against the same computed on the host. All numbers are
 * small and whole, so that every order of summation gives the same result. */
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::vector<float> Numbers;

__global__ void map_add(float *out, const float *a)
{
    out[threadIdx.x] = a[threadIdx.x] + 10;
}

__global__ void zip_add(float *out, const float *a, const float *b)
{
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void guarded(float *out, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + 10;
}

__global__ void guarded_square(float *out, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        out[i * n + j] = a[i * n + j] + 10;
}

__global__ void broadcast(float *out, const float *a, const float *b, int n)
{
    int i = threadIdx.x, j = threadIdx.y;
    if (i < n && j < n)
        out[i * n + j] = a[i] + b[j];
}

__global__ void through_shared(float *out, const float *a, int n)
{
    extern __shared__ float cell[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cell[threadIdx.x] = a[i];
    __syncthreads();
    if (i < n)
        out[i] = cell[threadIdx.x] + 10;
}

/* The sum of the last three, one global read a thread: one block. */
__global__ void pool(float *out, const float *a, int n)
{
    extern __shared__ float cell[];
    int i = threadIdx.x;
    if (i < n)
        cell[i] = a[i];
    __syncthreads();
    if (i >= n)
        return;
    float sum = cell[i];
    for (int back = 1; back <= 2 && back <= i; ++back)
        sum += cell[i - back];
    out[i] = sum;
}

__global__ void dot(float *out, const float *a, const float *b, int n)
{
    extern __shared__ float cell[];
    int i = threadIdx.x;
    if (i < n)
        cell[i] = a[i] * b[i];
    __syncthreads();
    if (i == 0) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += cell[k];
        *out = sum;
    }
}

enum { CONV_BLOCK = 8, CONV_MAX = 4 };

/* Two global reads a thread: the block's part of a, and behind it the first of the next part or b. */
__global__ void convolve(float *out, const float *a, const float *b, int n, int width)
{
    __shared__ float part[CONV_BLOCK + CONV_MAX], weight[CONV_MAX];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    part[t] = i < n ? a[i] : 0;
    if (t < CONV_MAX) {
        int next = i + CONV_BLOCK;
        part[t + CONV_BLOCK] = next < n ? a[next] : 0;
    } else if (t - CONV_MAX < width) {
        weight[t - CONV_MAX] = b[t - CONV_MAX];
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < width; ++k)
        sum += part[t + k] * weight[k];
    out[i] = sum;
}

/* Sums by halves: out[batch][block] = the sum of a block's part of row `batch`. Rows are blockIdx.y. */
template <int BLOCK> __global__ void sums(float *out, const float *a, int n)
{
    __shared__ float cell[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    cell[t] = i < n ? a[blockIdx.y * n + i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        if (t % (2 * step) == 0)
            cell[t] += cell[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.y * gridDim.x + blockIdx.x] = cell[0];
}

template <int SIDE> __global__ void product(float *out, const float *a, const float *b, int n)
{
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * SIDE + x, j = blockIdx.y * SIDE + y;
    float sum = 0;
    for (int k = 0; k < n; k += SIDE) {
        left[x][y] = i < n && k + y < n ? a[i * n + k + y] : 0;
        right[x][y] = k + x < n && j < n ? b[(k + x) * n + j] : 0;
        __syncthreads();
        for (int s = 0; s < SIDE; ++s)
            sum += left[x][s] * right[s][y];
        __syncthreads();
    }
    if (i < n && j < n)
        out[i * n + j] = sum;
}

/* Arrays on the device; the output holds -1 everywhere, and one more of it stands behind. */
static float *a, *b, *out;
static int wrong, puzzles;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("CUDA error: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static float *upload(const Numbers &numbers)
{
    float *device;
    check(cudaMalloc(&device, numbers.size() * sizeof(float)));
    check(
        cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

static void begin(const Numbers &left, const Numbers &right, size_t outputs)
{
    a = upload(left);
    b = upload(right);
    out = upload(Numbers(outputs + 1, -1));
}

static void end(const char *name, Numbers want)
{
    want.push_back(-1);
    Numbers got(want.size());
    check(cudaGetLastError());
    check(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (size_t i = 0; i < got.size(); ++i)
        bad += got[i] != want[i];
    printf("%-22s %s\n", name, bad ? "wrong" : "right");
    wrong += bad != 0;
    ++puzzles;
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(out));
}

static Numbers counting(int n) /* 0 1 ... 12 0 1 ... */
{
    Numbers list(n);
    for (int i = 0; i < n; ++i)
        list[i] = (float)(i % 13);
    return list;
}

static Numbers plus_ten(Numbers list)
{
    for (float &x : list)
        x += 10;
    return list;
}

static void maps()
{
    begin(counting(4), {0}, 4);
    map_add<<<1, 4>>>(out, a);
    end("map", plus_ten(counting(4)));

    begin(counting(4), {5, 6, 7, 8}, 4);
    zip_add<<<1, 4>>>(out, a, b);
    end("zip", {5, 7, 9, 11});

    begin(counting(4), {0}, 4);
    guarded<<<1, 8>>>(out, a, 4);
    end("guards", plus_ten(counting(4)));

    for (int n : {2, 9}) {
        begin(counting(n * n), {0}, n * n);
        guarded_square<<<1, dim3(n + 1, n + 1)>>>(out, a, n);
        end("map 2D", plus_ten(counting(n * n)));
    }
    for (int n : {2, 20}) {
        begin(counting(n), counting(n), n * n);
        broadcast<<<1, dim3(n + 1, n + 1)>>>(out, a, b, n);
        Numbers want;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                want.push_back((float)(i % 13 + j % 13));
        end("broadcast", want);
    }
    for (int n : {9, 1000}) {
        begin(counting(n), {0}, n);
        guarded<<<(n + 3) / 4, 4>>>(out, a, n);
        end("blocks", plus_ten(counting(n)));
    }
    for (int n : {5, 50}) {
        begin(counting(n * n), {0}, n * n);
        guarded_square<<<dim3((n + 2) / 3, (n + 2) / 3), dim3(3, 3)>>>(out, a, n);
        end("blocks 2D", plus_ten(counting(n * n)));
    }
    for (int n : {8, 1001}) {
        begin(counting(n), {0}, n);
        through_shared<<<(n + 3) / 4, 4, 4 * sizeof(float)>>>(out, a, n);
        end("shared", plus_ten(counting(n)));
    }
}

static void sums_of_neighbours()
{
    for (int n : {8, 500}) {
        Numbers list = counting(n), want(n);
        for (int i = 0; i < n; ++i)
            want[i] = list[i] + (i > 0 ? list[i - 1] : 0) + (i > 1 ? list[i - 2] : 0);
        begin(list, {0}, n);
        pool<<<1, n, n * sizeof(float)>>>(out, a, n);
        end("pooling", want);

        float sum = 0;
        for (float x : list)
            sum += x * x;
        begin(list, list, 1);
        dot<<<1, n, n * sizeof(float)>>>(out, a, b, n);
        end("dot product", {sum});
    }
    const int sizes[][2] = {{6, 3}, {15, 4}, {333, 4}};
    for (const int *s : sizes) {
        int n = s[0], width = s[1];
        Numbers list = counting(n), weights = counting(width), want(n);
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < width && i + k < n; ++k)
                want[i] += list[i + k] * weights[k];
        begin(list, weights, n);
        convolve<<<(n + CONV_BLOCK - 1) / CONV_BLOCK, CONV_BLOCK>>>(out, a, b, n, width);
        end("1D convolution", want);
    }
}

static Numbers sums_of_blocks(const Numbers &list, int rows, int n, int block)
{
    Numbers want;
    for (int row = 0; row < rows; ++row)
        for (int start = 0; start < n; start += block) {
            want.push_back(0);
            for (int i = start; i < n && i < start + block; ++i)
                want.back() += list[row * n + i];
        }
    return want;
}

static void sums_by_halves()
{
    for (int n : {8, 15, 1000}) {
        Numbers list = counting(n), want = sums_of_blocks(list, 1, n, 8);
        begin(list, {0}, want.size());
        sums<8><<<(n + 7) / 8, 8>>>(out, a, n);
        end("prefix sum", want);
    }
    Numbers list = counting(5 * 700), want = sums_of_blocks(list, 5, 700, 256);
    begin(list, {0}, want.size());
    sums<256><<<dim3(3, 5), 256>>>(out, a, 700);
    end("axis sum, 256 threads", want);

    list = counting(4 * 6), want = sums_of_blocks(list, 4, 6, 8);
    begin(list, {0}, want.size());
    sums<8><<<dim3(1, 4), 8>>>(out, a, 6);
    end("axis sum", want);
}

static Numbers product_of(const Numbers &left, const Numbers &right, int n)
{
    Numbers want(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                want[i * n + j] += left[i * n + k] * right[k * n + j];
    return want;
}

int main()
{
    maps();
    sums_of_neighbours();
    sums_by_halves();
    for (int n : {2, 8, 50}) {
        Numbers left = counting(n * n), right(n * n);
        for (int i = 0; i < n * n; ++i)
            right[i] = left[i % n * n + i / n];
        begin(left, right, n * n);
        product<3><<<dim3((n + 2) / 3, (n + 2) / 3), dim3(3, 3)>>>(out, a, b, n);
        end("product", product_of(left, right, n));
        begin(left, right, n * n);
        product<16><<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(out, a, b, n);
        end("product, 16 wide", product_of(left, right, n));
    }
    printf("%d of %d right\n", puzzles - wrong, puzzles);
    return wrong != 0;
}
