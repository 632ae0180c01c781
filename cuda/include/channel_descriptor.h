/* SPDX-License-Identifier: Apache-2.0
 * cudaCreateChannelDesc<T>(): the channel description of a texture element type. */
#ifndef GPUKIT_CHANNEL_DESCRIPTOR_H
#define GPUKIT_CHANNEL_DESCRIPTOR_H
#include "gpukit/letters_push.h"

#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define GPUKIT_CHANNEL1(type, bits, kind)                                                          \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>(void)                     \
    {                                                                                              \
        return cudaCreateChannelDesc(bits, 0, 0, 0, cudaChannelFormatKind##kind);                  \
    }
#define GPUKIT_CHANNELS(name, bits, kind)                                                          \
    GPUKIT_CHANNEL1(name##1, bits, kind)                                                           \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>(void)                  \
    {                                                                                              \
        return cudaCreateChannelDesc(bits, bits, 0, 0, cudaChannelFormatKind##kind);               \
    }                                                                                              \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>(void)                  \
    {                                                                                              \
        return cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKind##kind);         \
    }
GPUKIT_CHANNEL1(char, 8, Signed)
GPUKIT_CHANNEL1(signed char, 8, Signed)
GPUKIT_CHANNEL1(unsigned char, 8, Unsigned)
GPUKIT_CHANNEL1(short, 16, Signed)
GPUKIT_CHANNEL1(unsigned short, 16, Unsigned)
GPUKIT_CHANNEL1(int, 32, Signed)
GPUKIT_CHANNEL1(unsigned int, 32, Unsigned)
GPUKIT_CHANNEL1(float, 32, Float)
GPUKIT_CHANNELS(char, 8, Signed)
GPUKIT_CHANNELS(uchar, 8, Unsigned)
GPUKIT_CHANNELS(short, 16, Signed)
GPUKIT_CHANNELS(ushort, 16, Unsigned)
GPUKIT_CHANNELS(int, 32, Signed)
GPUKIT_CHANNELS(uint, 32, Unsigned)
GPUKIT_CHANNELS(float, 32, Float)
#undef GPUKIT_CHANNELS
#undef GPUKIT_CHANNEL1
#endif

#include "gpukit/letters_pop.h"
#endif
