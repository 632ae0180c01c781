/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means: points in the plane are given to the nearest of K centres, and each centre moves to the
 * middle of its points, until nothing changes. Coordinates are whole numbers, so the sums are exact
 * in any order and the result equals plain C's. The clusters become a PNG picture.
 * usage: kmeans [POINTS [CLUSTERS [FILE.png]]] */
#include "example.h"
#include "png.h"

#include <math.h>
#include <string.h>

enum { RANGE = 4096, MOST = 64, ROUNDS = 50, PICTURE = 512 };

typedef struct {
    int x, y;
} Point;

typedef struct {
    unsigned long long x, y;
    unsigned count, moved;
} Sum;

__host__ __device__ inline int nearest(Point p, const Point *centre, int k)
{
    int best = 0, best_square = 0x7fffffff;
    for (int c = 0; c < k; ++c) {
        int dx = p.x - centre[c].x, dy = p.y - centre[c].y, square = dx * dx + dy * dy;
        if (square < best_square)
            best = c, best_square = square;
    }
    return best;
}

__global__ void assign(const Point *point, int n, const Point *centre, int k, int *owner, Sum *sum)
{
    __shared__ Point near[MOST];
    __shared__ Sum own[MOST]; /* added up per block first: fewer threads meet at one address */
    for (int c = threadIdx.x; c < k; c += blockDim.x) {
        near[c] = centre[c];
        own[c].x = own[c].y = own[c].count = own[c].moved = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = nearest(point[i], near, k);
        if (owner[i] != c)
            atomicAdd(&own[c].moved, 1u);
        owner[i] = c;
        atomicAdd(&own[c].x, (unsigned long long)point[i].x);
        atomicAdd(&own[c].y, (unsigned long long)point[i].y);
        atomicAdd(&own[c].count, 1u);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < k; c += blockDim.x) {
        if (own[c].count == 0)
            continue;
        atomicAdd(&sum[c].x, own[c].x);
        atomicAdd(&sum[c].y, own[c].y);
        atomicAdd(&sum[c].count, own[c].count);
        atomicAdd(&sum[c].moved, own[c].moved);
    }
}

__global__ void recentre(Point *centre, Sum *sum, int k, unsigned *moved)
{
    int c = threadIdx.x;
    if (c < k) {
        if (sum[c].count) {
            centre[c].x = (int)(sum[c].x / sum[c].count);
            centre[c].y = (int)(sum[c].y / sum[c].count);
        }
        atomicAdd(moved, sum[c].moved);
        sum[c].x = sum[c].y = sum[c].count = sum[c].moved = 0;
    }
}

static int device_kmeans(const Point *point, int n, Point *centre, int k, int *owner)
{
    Point *dpoint, *dcentre;
    int *downer, rounds = 0;
    Sum *sum;
    unsigned *dmoved, moved = 1;
    CHECK(cudaMalloc(&dpoint, n * sizeof *point));
    CHECK(cudaMalloc(&dcentre, k * sizeof *centre));
    CHECK(cudaMalloc(&downer, n * sizeof *owner));
    CHECK(cudaMalloc(&sum, k * sizeof *sum));
    CHECK(cudaMalloc(&dmoved, sizeof moved));
    CHECK(cudaMemcpy(dpoint, point, n * sizeof *point, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dcentre, centre, k * sizeof *centre, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(downer, 0xff, n * sizeof *owner));
    CHECK(cudaMemset(sum, 0, k * sizeof *sum));
    for (; moved && rounds < ROUNDS; ++rounds) {
        CHECK(cudaMemset(dmoved, 0, sizeof moved));
        assign<<<blocks_for(n, 256), 256>>>(dpoint, n, dcentre, k, downer, sum);
        recentre<<<1, MOST>>>(dcentre, sum, k, dmoved);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&moved, dmoved, sizeof moved, cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(owner, downer, n * sizeof *owner, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(centre, dcentre, k * sizeof *centre, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dpoint));
    CHECK(cudaFree(dcentre));
    CHECK(cudaFree(downer));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(dmoved));
    return rounds;
}

static int plain_kmeans(const Point *point, int n, Point *centre, int k, int *owner)
{
    int rounds = 0, moved = 1;
    memset(owner, 0xff, n * sizeof *owner);
    for (; moved && rounds < ROUNDS; ++rounds) {
        Sum sum[MOST] = {};
        moved = 0;
        for (int i = 0; i < n; ++i) {
            int c = nearest(point[i], centre, k);
            moved += owner[i] != c;
            owner[i] = c;
            sum[c].x += point[i].x;
            sum[c].y += point[i].y;
            ++sum[c].count;
        }
        for (int c = 0; c < k; ++c)
            if (sum[c].count) {
                centre[c].x = (int)(sum[c].x / sum[c].count);
                centre[c].y = (int)(sum[c].y / sum[c].count);
            }
    }
    return rounds;
}

static void draw(const Point *point, int n, const Point *centre, int k, const int *owner,
                 unsigned char *rgb)
{
    memset(rgb, 255, (size_t)PICTURE * PICTURE * 3);
    for (int i = 0; i < n; ++i) {
        size_t at = (size_t)(point[i].y * PICTURE / RANGE) * PICTURE + point[i].x * PICTURE / RANGE;
        for (int j = 0; j < 3; ++j)
            rgb[at * 3 + j] =
                (unsigned char)(120 + 100 * cos(6.2831853 * ((double)owner[i] / k + j / 3.0)));
    }
    for (int c = 0; c < k; ++c)
        for (int d = -5; d <= 5; ++d)
            for (int line = 0; line < 2; ++line) {
                int x = centre[c].x * PICTURE / RANGE + (line ? 0 : d);
                int y = centre[c].y * PICTURE / RANGE + (line ? d : 0);
                if (x >= 0 && y >= 0 && x < PICTURE && y < PICTURE)
                    memset(rgb + ((size_t)y * PICTURE + x) * 3, 0, 3);
            }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20000), k = argument(argc, argv, 2, 8);
    const char *file = argc > 3 ? argv[3] : "kmeans.png";
    if (k > MOST) {
        fprintf(stderr, "kmeans: at most %d clusters\n", MOST);
        return 2;
    }
    Point *point = (Point *)host_alloc(n, sizeof *point), first[MOST], centre[MOST], expected[MOST];
    int *owner = (int *)host_alloc(n, sizeof *owner);
    int *plain = (int *)host_alloc(n, sizeof *plain);
    unsigned seed = 29;
    for (int i = 0; i < n; ++i) { /* clouds around eight places */
        int cloud = (int)(random_bits(&seed) % 8), spread = 300 + 60 * cloud;
        int dx = 0, dy = 0;
        for (int j = 0; j < 4; ++j) {
            dx += (int)(random_bits(&seed) % spread) - spread / 2;
            dy += (int)(random_bits(&seed) % spread) - spread / 2;
        }
        int x = 2048 + (int)(1400 * cos(cloud * 0.7853982)) + dx;
        int y = 2048 + (int)(1400 * sin(cloud * 0.7853982)) + dy;
        point[i].x = x < 0 ? 0 : x >= RANGE ? RANGE - 1 : x;
        point[i].y = y < 0 ? 0 : y >= RANGE ? RANGE - 1 : y;
    }
    for (int c = 0; c < k; ++c)
        first[c] = point[(long long)c * n / k];
    memcpy(centre, first, sizeof first);
    memcpy(expected, first, sizeof first);
    int rounds = device_kmeans(point, n, centre, k, owner);
    int plain_rounds = plain_kmeans(point, n, expected, k, plain);

    int wrong = rounds != plain_rounds;
    for (int i = 0; i < n; ++i)
        wrong += owner[i] != plain[i];
    for (int c = 0; c < k; ++c)
        wrong += centre[c].x != expected[c].x || centre[c].y != expected[c].y;
    printf("kmeans: %d points, %d clusters, %d rounds (plain C: %d), %d differences\n", n, k, rounds,
           plain_rounds, wrong);

    if (!wrong) {
        unsigned char *rgb = (unsigned char *)host_alloc((size_t)PICTURE * PICTURE, 3);
        draw(point, n, centre, k, owner, rgb);
        if (!png_write(file, rgb, PICTURE, PICTURE))
            return 1;
        printf("kmeans: wrote %s\n", file);
        free(rgb);
    }
    free(point);
    free(owner);
    free(plain);
    return wrong ? 1 : 0;
}
