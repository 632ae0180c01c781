/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvidia-ml: the described devices as monitoring programs see them, beside what the CUDA runtime
 * says of the same ones; sensors that are not there; documented errors. */
#include "device_values.h"

#include <nvml.h>
#include <unistd.h>

#define OK(call) assert_int_equal(call, NVML_SUCCESS)

static void described(void **state)
{
    (void)state;
    unsigned count = 0;
    OK(nvmlInit());
    OK(nvmlDeviceGetCount(&count));
    assert_int_equal(count, 2);
    for (unsigned i = 0; i < count; i++) {
        struct cudaDeviceProp prop;
        nvmlDevice_t device, again;
        char name[96], uuid[96], wanted[96], bus[32], cuda_bus[32];
        int major, minor, n;
        unsigned value, pending;
        nvmlPciInfo_t pci;
        assert_int_equal(cudaGetDeviceProperties(&prop, (int)i), cudaSuccess);
        OK(nvmlDeviceGetHandleByIndex(i, &device));
        OK(nvmlDeviceGetIndex(device, &value));
        assert_int_equal(value, i);
        OK(nvmlDeviceGetName(device, name, sizeof name));
        assert_string_equal(name, prop.name);
        OK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
        assert_int_equal(major * 10 + minor, prop.major * 10 + prop.minor);
        OK(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
        n = sprintf(wanted, "GPU-");
        for (int k = 0; k < 16; k++)
            n += sprintf(wanted + n, k == 4 || k == 6 || k == 8 || k == 10 ? "-%02x" : "%02x",
                         (unsigned char)prop.uuid.bytes[k]);
        assert_string_equal(uuid, wanted);
        OK(nvmlDeviceGetHandleByUUID(uuid, &again));
        assert_ptr_equal(again, device);
        OK(nvmlDeviceGetPciInfo(device, &pci));
        assert_int_equal(cudaDeviceGetPCIBusId(cuda_bus, sizeof cuda_bus, (int)i), cudaSuccess);
        assert_string_equal(pci.busIdLegacy, cuda_bus);
        sprintf(bus, "%08X:%02X:%02X.0", pci.domain, pci.bus, pci.device);
        assert_string_equal(pci.busId, bus);
        OK(nvmlDeviceGetHandleByPciBusId(bus, &again));
        assert_ptr_equal(again, device);
        OK(nvmlDeviceGetMigMode(device, &value, &pending));
        assert_int_equal(value, NVML_DEVICE_MIG_DISABLE);
        OK(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &value));
        int khz = 0;
        cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, (int)i);
        assert_int_equal(value, khz / 1000);
    }
    OK(nvmlShutdown());
}

static void memory_and_processes(void **state)
{
    (void)state;
    nvmlDevice_t device;
    nvmlMemory_t before, after;
    nvmlMemory_v2_t second = {.version = nvmlMemory_v2};
    nvmlProcessInfo_t process;
    unsigned count = 1;
    void *p;
    OK(nvmlInit());
    OK(nvmlDeviceGetHandleByIndex(0, &device));
    OK(nvmlDeviceGetMemoryInfo(device, &before));
    assert_true(before.total == before.free + before.used);
    assert_int_equal(cudaMalloc(&p, 64 << 20), cudaSuccess);
    OK(nvmlDeviceGetMemoryInfo(device, &after));
    assert_true(after.used >= before.used + (64 << 20));
    OK(nvmlDeviceGetMemoryInfo_v2(device, &second));
    assert_true(second.used == after.used && second.total == after.total);
    second.version = 7;
    assert_int_equal(nvmlDeviceGetMemoryInfo_v2(device, &second), NVML_ERROR_INVALID_ARGUMENT);
    OK(nvmlDeviceGetComputeRunningProcesses(device, &count, &process));
    assert_int_equal(count, 1);
    assert_int_equal(process.pid, getpid());
    assert_true(process.usedGpuMemory == after.used);
    count = 0;
    assert_int_equal(nvmlDeviceGetComputeRunningProcesses(device, &count, NULL),
                     NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 1);
    cudaFree(p);
    OK(nvmlShutdown());
}

static void errors(void **state)
{
    (void)state;
    nvmlDevice_t device;
    unsigned value;
    char small[4], text[96];
    int version;
    nvmlUtilization_t load;
    assert_int_equal(nvmlDeviceGetCount(&value), NVML_ERROR_UNINITIALIZED);
    assert_int_equal(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
    OK(nvmlInit());
    assert_int_equal(nvmlDeviceGetHandleByIndex(9, &device), NVML_ERROR_INVALID_ARGUMENT);
    assert_int_equal(nvmlDeviceGetHandleByUUID("GPU-0", &device), NVML_ERROR_NOT_FOUND);
    assert_int_equal(nvmlDeviceGetName((nvmlDevice_t)(void *)text, text, sizeof text),
                     NVML_ERROR_INVALID_ARGUMENT);
    OK(nvmlDeviceGetHandleByIndex(1, &device));
    assert_int_equal(nvmlDeviceGetName(device, small, sizeof small), NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value),
                     NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(nvmlDeviceGetPowerUsage(device, &value), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(nvmlDeviceGetUtilizationRates(device, &load), NVML_ERROR_NOT_SUPPORTED);
    OK(nvmlSystemGetDriverVersion(text, sizeof text));
    assert_true(strncmp(text, "gpukit ", 7) == 0);
    OK(nvmlSystemGetCudaDriverVersion(&version));
    int runtime = 0;
    cudaDriverGetVersion(&runtime);
    assert_int_equal(version, runtime);
    assert_string_equal(nvmlErrorString(NVML_ERROR_NOT_FOUND), "Not Found");
    assert_string_equal(nvmlErrorString((nvmlReturn_t)12345), "Unknown Error");
    OK(nvmlShutdown());
}

int main(void)
{
    setenv("GPUKIT_DEVICES", "2", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors), cmocka_unit_test(described),
                                       cmocka_unit_test(memory_and_processes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
