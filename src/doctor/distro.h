/* SPDX-License-Identifier: Apache-2.0
 *
 * Fix texts for this distribution. {install}, {headers}, {initramfs}, {hold}, {driver}, {fabric},
 * {toolkit-install}, {container}: columns of distro.def. {tag}, {arch}: NVIDIA's repository.
 * {gcc}, {toolkit}, {version}: a fitting host compiler, the toolkit in use, the driver's branch. */
#ifndef GPUKIT_DOCTOR_DISTRO_H
#define GPUKIT_DOCTOR_DISTRO_H

#include "doctor/doctor.h"

const char *distro_family(const Doctor *doctor); /* "debian", ..., "other" */

#endif
