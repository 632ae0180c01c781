/* SPDX-License-Identifier: Apache-2.0
 * What cublas.h has of CUDA 3's interface without a body: banded, packed and rank-2 forms, rotations of complex
 * numbers. The library refuses them by name. Part of cublas.h. */
#ifndef GPUKIT_CUBLAS_OLD_SELDOM_H
#define GPUKIT_CUBLAS_OLD_SELDOM_H

#ifdef __cplusplus
extern "C" {
#endif
#define GPUKIT_SELDOM(prefix, number, real) \
    void cublas##prefix##hbmv(char, int, int, number, const number *, int, const number *, int, number, number *, \
        int); \
    void cublas##prefix##hemv(char, int, number, const number *, int, const number *, int, number, number *, int); \
    void cublas##prefix##her(char, int, real, const number *, int, number *, int); \
    void cublas##prefix##her2(char, int, number, const number *, int, const number *, int, number *, int); \
    void cublas##prefix##her2k(char, char, int, int, number, const number *, int, const number *, int, real, \
        number *, int); \
    void cublas##prefix##hpmv(char, int, number, const number *, const number *, int, number, number *, int); \
    void cublas##prefix##hpr(char, int, real, const number *, int, number *); \
    void cublas##prefix##hpr2(char, int, number, const number *, int, const number *, int, number *); \
    void cublas##prefix##rot(int, number *, int, number *, int, real, number)
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

#define GPUKIT_SELDOM(prefix, number, real) \
    void cublas##prefix##rotm(int, number *, int, number *, int, const number *); \
    void cublas##prefix##rotmg(number *, number *, number *, const number *, number *); \
    void cublas##prefix##sbmv(char, int, int, number, const number *, int, const number *, int, number, number *, \
        int); \
    void cublas##prefix##spmv(char, int, number, const number *, const number *, int, number, number *, int); \
    void cublas##prefix##spr(char, int, number, const number *, int, number *); \
    void cublas##prefix##spr2(char, int, number, const number *, int, const number *, int, number *); \
    void cublas##prefix##syr2(char, int, number, const number *, int, const number *, int, number *, int)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
#undef GPUKIT_SELDOM

#define GPUKIT_SELDOM(prefix, number, real) \
    void cublas##prefix##gbmv(char, int, int, int, int, number, const number *, int, const number *, int, number, \
        number *, int); \
    void cublas##prefix##tbmv(char, char, char, int, int, const number *, int, number *, int); \
    void cublas##prefix##tbsv(char, char, char, int, int, const number *, int, number *, int); \
    void cublas##prefix##tpmv(char, char, char, int, const number *, number *, int); \
    void cublas##prefix##tpsv(char, char, char, int, const number *, number *, int)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

void cublasCrotg(cuComplex *, cuComplex, float *, cuComplex *);
void cublasCsrot(int, cuComplex *, int, cuComplex *, int, float, float);
void cublasCsscal(int, float, cuComplex *, int);
void cublasDrotg(double *, double *, double *, double *);
void cublasSrotg(float *, float *, float *, float *);
void cublasZdrot(int, cuDoubleComplex *, int, cuDoubleComplex *, int, double, double);
void cublasZdscal(int, double, cuDoubleComplex *, int);
void cublasZrotg(cuDoubleComplex *, cuDoubleComplex, double *, cuDoubleComplex *);
#ifdef __cplusplus
}
#endif
#endif
