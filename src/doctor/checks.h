/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of checks share. */
#ifndef GPUKIT_DOCTOR_CHECKS_H
#define GPUKIT_DOCTOR_CHECKS_H

#include "doctor/doctor.h"

bool has_nvidia(const Doctor *doctor);
/* An error about driver or access was found already: what follows from it is not told again. */
bool is_explained(const Doctor *doctor);
void evidence_init(Doctor *doctor, Finding *finding); /* what nvmlInit and cuInit answered */
const char *log_line(const Doctor *doctor, const char *text); /* newest with text, or NULL */

#endif
