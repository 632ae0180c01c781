/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the core: what streams and events do while their work is captured. */
#ifndef GPUKIT_RUNTIME_GRAPH_H
#define GPUKIT_RUNTIME_GRAPH_H

#include "runtime/rt.h"

/* Adds a node behind the stream's last one. */
int capture_add(RtStream *stream, const RtNode *what, RtNode **out);
int capture_record(RtStream *stream, RtEvent *event);
int capture_wait_event(RtStream *stream, RtEvent *event);
/* Ends the capture as failed; returns the error. */
int capture_invalidate(RtStream *stream, int error);
/* Work on the legacy stream while a global capture is going on: 0 or RT_CAPTURE_IMPLICIT. */
int capture_legacy_used(void);
void capture_drop(RtStream *stream);

#endif
