/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool of threads that share out numbered jobs. Results must not depend on which thread takes
 * which job; reductions go by job number. */
#ifndef GPUKIT_TRAINER_POOL_H
#define GPUKIT_TRAINER_POOL_H

typedef struct Pool Pool;
typedef void PoolFn(void *context, int job, int thread);

enum { POOL_MOST = 1024 };

Pool *pool_new(int threads); /* up to POOL_MOST; 0: one per processor this process may use */
void pool_free(Pool *pool);
int pool_threads(const Pool *pool);
/* Runs fn for jobs 0..jobs-1 on all threads, the caller's included, and waits. */
void pool_run(Pool *pool, int jobs, PoolFn *fn, void *context);

#endif
