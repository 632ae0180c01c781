/* SPDX-License-Identifier: Apache-2.0
 * Two pieces of PTX linked at run time: a kernel and the function that it calls.
 * Needs --arch sm_80 */
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <nvJitLink.h>
#include <cuda_runtime.h>

static int wrong;
#define IS(call, expected)                                                                         \
    do {                                                                                           \
        long long got = (long long)(call), want = (long long)(expected);                           \
        if (got != want)                                                                           \
            printf("line %d: %s gives %lld, not %lld\n", __LINE__, #call, got, want), wrong++;     \
    } while (0)

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
static const char caller[] = HEAD ".extern .func (.param .b32 r) shift(.param .b32 a);\n"
                                  ".visible .entry k(.param .b64 out)\n"
                                  "{\n.reg .b64 p;\n.reg .b32 t, v;\nld.param.u64 p, [out];\nmov.u32 t, %tid.x;\n"
                                  "{\n.param .b32 a; .param .b32 r;\nst.param.b32 [a], t;\ncall (r), shift, (a);\n"
                                  "ld.param.b32 v, [r];\n}\n"
                                  "mad.wide.u32 p, t, 4, p;\nst.global.u32 [p], v;\nret;\n}\n";
static const char callee[] = HEAD ".visible .func (.param .b32 r) shift(.param .b32 a)\n"
                                  "{\n.reg .b32 v;\nld.param.b32 v, [a];\nshl.b32 v, v, 3;\nadd.u32 v, v, 5;\n"
                                  "st.param.b32 [r], v;\nret;\n}\n";

static void *library;
template <class F> static F *link_call(const char *name)
{
    return (F *)dlsym(library, name);
}
#define LINK(name) link_call<decltype(name)>(#name)

__global__ void nothing(int *p) { *p = 1; }

int main()
{
    library = dlopen("libnvJitLink.so.13", RTLD_NOW);
    if (!library) {
        printf("FAIL: no libnvJitLink.so.13\n");
        return 1;
    }
    nvJitLinkHandle link;
    const char *none[] = {"-lto"}, *odd[] = {"-arch=sm_80", "-no-such"}, *good[] = {"-arch=sm_80", "-lto", "-ptx"};
    const char *abstract[] = {"-arch=compute_80"};
    char text[4096] = "";
    size_t size = 0;
    IS(LINK(nvJitLinkCreate)(&link, 1, none), NVJITLINK_ERROR_MISSING_ARCH);
    IS(LINK(nvJitLinkDestroy)(&link), 0);
    IS(LINK(nvJitLinkCreate)(&link, 1, abstract), NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS);
    IS(LINK(nvJitLinkDestroy)(&link), 0);
    IS(LINK(nvJitLinkCreate)(&link, 2, odd), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    IS(LINK(nvJitLinkGetErrorLogSize)(link, &size), 0);
    IS(size, strlen("unrecognized option: -no-such\n") + 1);
    IS(LINK(nvJitLinkGetErrorLog)(link, text), 0);
    IS(strcmp(text, "unrecognized option: -no-such\n"), 0);
    IS(LINK(nvJitLinkDestroy)(&link), 0);
    IS(link == nullptr, 1);

    IS(LINK(nvJitLinkCreate)(&link, 3, good), 0);
    IS(LINK(nvJitLinkGetErrorLogSize)(link, &size), 0);
    IS(size, 0);
    IS(LINK(nvJitLinkAddData)(link, NVJITLINK_INPUT_PTX, "hello", 6, "x"), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
    IS(LINK(nvJitLinkAddData)(link, NVJITLINK_INPUT_NONE, caller, sizeof caller, "x"), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
    IS(LINK(nvJitLinkAddData)(link, NVJITLINK_INPUT_PTX, nullptr, 0, "x"), NVJITLINK_ERROR_INVALID_INPUT);
    IS(LINK(nvJitLinkAddFile)(link, NVJITLINK_INPUT_PTX, "/no/such/file"), NVJITLINK_ERROR_INVALID_INPUT);
    IS(LINK(nvJitLinkAddData)(link, NVJITLINK_INPUT_PTX, caller, sizeof caller, "caller"), 0);
    IS(LINK(nvJitLinkAddData)(link, NVJITLINK_INPUT_ANY, callee, sizeof callee, "callee"), 0);
    IS(LINK(nvJitLinkComplete)(link), 0);
    IS(LINK(nvJitLinkGetLinkedPtxSize)(link, &size), 0);
    IS(size < sizeof text, 1);
    IS(LINK(nvJitLinkGetLinkedPtx)(link, text), 0);
    IS(size, strlen(text) + 1);
    IS(LINK(nvJitLinkGetLinkedCubinSize)(link, &size), 0);
    char *code = new char[size];
    IS(LINK(nvJitLinkGetLinkedCubin)(link, code), 0);
    IS(LINK(nvJitLinkDestroy)(&link), 0);

    cudaLibrary_t loaded;
    cudaKernel_t kernel;
    IS(cudaLibraryLoadData(&loaded, code, nullptr, nullptr, 0, nullptr, nullptr, 0), 0);
    unsigned kernels = 0;
    IS(cudaLibraryGetKernelCount(&kernels, loaded), 0);
    IS(kernels, 1);
    IS(cudaLibraryGetKernel(&kernel, loaded, "k"), 0);
    unsigned *out, host[32];
    cudaMalloc(&out, sizeof host);
    void *arguments[] = {&out};
    IS(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0), 0);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; i++)
        if (host[i] != 8 * i + 5)
            wrong++;
    int one = 0;
    nothing<<<1, 1>>>((int *)out);
    cudaMemcpy(&one, out, 4, cudaMemcpyDeviceToHost);
    IS(one, 1);
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
