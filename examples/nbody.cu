/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies that attract each other, every pair counted: much arithmetic on little data, which is what
 * GPUs like best. A block brings 128 bodies at a time into shared memory and all its threads use
 * them. Checked against plain C in double precision.
 * usage: nbody [BODIES [STEPS]] */
#include "example.h"

#include <math.h>

enum { BLOCK = 128 };

#define SOFTENING 1e-2f /* squared length that keeps close pairs finite */
#define TIME_STEP 1e-3f

__global__ void accelerate(const float4 *body, float4 *velocity, int n)
{
    __shared__ float4 near[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float ax = 0, ay = 0, az = 0;
    for (int base = 0; base < n; base += BLOCK) {
        int j = base + threadIdx.x;
        near[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0); /* w: mass 0 pulls nothing */
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k) {
            float dx = near[k].x - me.x, dy = near[k].y - me.y, dz = near[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float pull = near[k].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    if (i < n) {
        velocity[i].x += ax * TIME_STEP;
        velocity[i].y += ay * TIME_STEP;
        velocity[i].z += az * TIME_STEP;
    }
}

__global__ void move(float4 *body, const float4 *velocity, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    body[i].x += velocity[i].x * TIME_STEP;
    body[i].y += velocity[i].y * TIME_STEP;
    body[i].z += velocity[i].z * TIME_STEP;
}

struct Exact {
    double x, y, z, mass, vx, vy, vz;
};

static void exact_step(struct Exact *body, int n)
{
    for (int i = 0; i < n; ++i) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; ++j) {
            double dx = body[j].x - body[i].x, dy = body[j].y - body[i].y, dz = body[j].z - body[i].z;
            double square = dx * dx + dy * dy + dz * dz + SOFTENING;
            double pull = body[j].mass / (square * sqrt(square));
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        body[i].vx += ax * TIME_STEP;
        body[i].vy += ay * TIME_STEP;
        body[i].vz += az * TIME_STEP;
    }
    for (int i = 0; i < n; ++i) {
        body[i].x += body[i].vx * TIME_STEP;
        body[i].y += body[i].vy * TIME_STEP;
        body[i].z += body[i].vz * TIME_STEP;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000), steps = argument(argc, argv, 2, 5);
    size_t bytes = (size_t)n * sizeof(float4);
    float4 *body = (float4 *)host_alloc(n, sizeof *body);
    float4 *velocity = (float4 *)host_alloc(n, sizeof *velocity);
    struct Exact *exact = (struct Exact *)host_alloc(n, sizeof *exact);
    unsigned seed = 11;
    for (int i = 0; i < n; ++i) {
        body[i].x = random_unit(&seed) * 2 - 1;
        body[i].y = random_unit(&seed) * 2 - 1;
        body[i].z = random_unit(&seed) * 2 - 1;
        body[i].w = (0.5f + random_unit(&seed)) / n * 100;
        exact[i].x = body[i].x;
        exact[i].y = body[i].y;
        exact[i].z = body[i].z;
        exact[i].mass = body[i].w;
    }
    float4 *dbody, *dvelocity;
    CHECK(cudaMalloc(&dbody, bytes));
    CHECK(cudaMalloc(&dvelocity, bytes));
    CHECK(cudaMemcpy(dbody, body, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dvelocity, 0, bytes));
    for (int s = 0; s < steps; ++s) {
        accelerate<<<blocks_for(n, BLOCK), BLOCK>>>(dbody, dvelocity, n);
        move<<<blocks_for(n, BLOCK), BLOCK>>>(dbody, dvelocity, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(body, dbody, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(velocity, dvelocity, bytes, cudaMemcpyDeviceToHost));

    /* Velocities are compared: positions hardly move, and a program that does nothing would pass. */
    double worst = 0, fastest = 0;
    for (int s = 0; s < steps; ++s)
        exact_step(exact, n);
    for (int i = 0; i < n; ++i) {
        double dx = velocity[i].x - exact[i].vx, dy = velocity[i].y - exact[i].vy;
        double dz = velocity[i].z - exact[i].vz;
        double px = body[i].x - exact[i].x, py = body[i].y - exact[i].y, pz = body[i].z - exact[i].z;
        worst = fmax(worst, fmax(sqrt(dx * dx + dy * dy + dz * dz), sqrt(px * px + py * py + pz * pz)));
        fastest = fmax(fastest, sqrt(exact[i].vx * exact[i].vx + exact[i].vy * exact[i].vy +
                                     exact[i].vz * exact[i].vz));
    }
    int wrong = !(worst <= 1e-4 * fastest) && n > 1; /* also when worst is not a number */
    printf("nbody: %d bodies, %d steps, largest deviation from plain C in double %.2g of the top "
           "speed%s\n",
           n, steps, worst / fastest, wrong ? ": WRONG" : "");
    CHECK(cudaFree(dbody));
    CHECK(cudaFree(dvelocity));
    free(body);
    free(velocity);
    free(exact);
    return wrong ? 1 : 0;
}
