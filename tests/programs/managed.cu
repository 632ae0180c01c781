/* SPDX-License-Identifier: Apache-2.0
 * Managed variables: host and device use them by name, initial values and addresses agree. Not
 * their registration across files (tests/source/test_cc.sh). */
#include <cstdio>

struct Node {
    int *pointer;
    int count;
};

__device__ __managed__ int number = 5;
__managed__ float array[100000] = {1, 2, 3};
static __managed__ __device__ double scale = 2.5;
__managed__ Node node;
__device__ int plain = 7;

__global__ void change()
{
    array[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        number += plain;
        scale *= 2;
        node.count++;
        *node.pointer = 42;
    }
}

static int expect(const char *what, double got, double wanted)
{
    if (got != wanted)
        printf("%s: %g, expected %g\n", what, got, wanted);
    return got != wanted;
}

int main()
{
    int bad = expect("number at start", number, 5) + expect("array at start", array[2], 3) +
              expect("scale at start", scale, 2.5) + expect("node at start", node.count, 0);
    scale = 3;
    node.pointer = &number;
    node.count = 4;
    array[50000] = 0.5f;
    change<<<1000, 100>>>();
    bad += expect("launch", cudaDeviceSynchronize(), cudaSuccess);
    bad += expect("number", number, 42) + expect("array", array[50000], 1.5) +
           expect("array at its end", array[99999], 1) + expect("scale", scale, 6) +
           expect("node", node.count, 5);
    cudaPointerAttributes attributes;
    bad += expect("attributes", cudaPointerGetAttributes(&attributes, &number), cudaSuccess);
    bad += expect("type", attributes.type, cudaMemoryTypeManaged);
    void *address = nullptr;
    bad += expect("symbol", cudaGetSymbolAddress(&address, number), cudaSuccess);
    bad += expect("its address", address == &number, 1);
    printf(bad ? "%d differences\n" : "managed variables agree\n", bad);
    return bad != 0;
}
