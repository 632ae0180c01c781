/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU device's events: entries of its table (device.h). */
#ifndef GPUKIT_RUNTIME_CPU_EVENT_H
#define GPUKIT_RUNTIME_CPU_EVENT_H

#include "base/handover.h"
#include "runtime/device.h"

int cpu_event_new(bool timing, bool blocking, DevEvent **out);
int cpu_event_free(DevEvent *event);
int cpu_event_record(DevEvent *event, DevQueue *queue);
int cpu_event_query(DevEvent *event);
int cpu_event_wait(DevEvent *event);
int cpu_event_elapsed(DevEvent *start, DevEvent *end, float *ms);
int cpu_queue_wait_event(DevQueue *queue, DevEvent *event);
/* For other processes. event_open: errors of handover_open, -ENOMEM; event_give: -ENOMEM. */
int cpu_event_give(DevEvent *event, HandoverTicket *ticket);
int cpu_event_open(const HandoverTicket *ticket, DevEvent **out);

/* After the host waited: shows what kernels printed; the sticky error. */
int cpu_after_wait(void);

#endif
