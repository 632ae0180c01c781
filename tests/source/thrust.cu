// SPDX-License-Identifier: Apache-2.0
// Thrust and CUB as Debian packages them (libthrust-dev): sort, reduce, transform and scan by the library,
// a block's sum by CUB inside a kernel, all checked against the host.
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

static const int COUNT = 50000;
enum { BLOCK = 128, BLOCKS = 10 };

__global__ void block_sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, BLOCK> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    int sum = Reduce(temp).Sum(in[blockIdx.x * BLOCK + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

static int failures;

static void expect(bool right, const char *what)
{
    if (!right)
        std::printf("%s: wrong\n", what);
    failures += !right;
}

int main()
{
    thrust::host_vector<int> numbers(COUNT);
    for (int &x : numbers)
        x = std::rand() % 2001 - 1000;
    thrust::host_vector<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    thrust::host_vector<int> sums(COUNT);
    int sum = 0;
    for (int i = 0; i < COUNT; i++)
        sums[i] = sum += numbers[i];

    thrust::device_vector<int> device = numbers, other(COUNT);
    expect(thrust::reduce(device.begin(), device.end()) == sum, "reduce");
    thrust::inclusive_scan(device.begin(), device.end(), other.begin());
    expect(other == sums, "inclusive_scan");

    size_t bytes = 0;
    int *in = thrust::raw_pointer_cast(device.data()), *out = thrust::raw_pointer_cast(other.data());
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, COUNT);
    thrust::device_vector<char> space(bytes);
    cub::DeviceRadixSort::SortKeys(thrust::raw_pointer_cast(space.data()), bytes, in, out, COUNT);
    expect(other == sorted, "DeviceRadixSort");

    block_sums<<<BLOCKS, BLOCK>>>(in, out);
    for (int b = 0; b < BLOCKS; b++) {
        int begin = b * BLOCK, before = begin ? sums[begin - 1] : 0;
        expect(other[b] == sums[begin + BLOCK - 1] - before, "BlockReduce");
    }

    thrust::sort(device.begin(), device.end(), thrust::greater<int>());
    thrust::transform(device.begin(), device.end(), device.begin(), thrust::negate<int>());
    thrust::host_vector<int> back = device;
    for (int &x : sorted)
        x = -x;
    std::sort(sorted.begin(), sorted.end());
    expect(back == sorted, "sort and transform");
    std::printf("%s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
