/* SPDX-License-Identifier: Apache-2.0
 * Thread pool: workers sleep on a condition variable between runs. */
#include "trainer/pool.h"
#include "base/arena.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct Pool {
    int threads;
    pthread_t *workers;
    pthread_mutex_t lock;
    pthread_cond_t start, finish;
    unsigned generation;
    int running;
    bool quit;
    atomic_int next;
    int jobs;
    PoolFn *fn;
    void *context;
};

typedef struct {
    Pool *pool;
    int index;
} Worker;

static void take_jobs(Pool *pool, int thread)
{
    for (int job; (job = atomic_fetch_add(&pool->next, 1)) < pool->jobs;)
        pool->fn(pool->context, job, thread);
}

static void *work(void *argument)
{
    Worker *worker = argument;
    Pool *pool = worker->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->generation == seen && !pool->quit)
            pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->quit)
            break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        take_jobs(pool, worker->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->running == 0)
            pthread_cond_signal(&pool->finish);
    }
    pthread_mutex_unlock(&pool->lock);
    free(worker);
    return NULL;
}

Pool *pool_new(int threads)
{
    Pool *pool = xcalloc(1, sizeof *pool);
    cpu_set_t set;
    if (threads < 1)
        threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->finish, NULL);
    pool->workers = xcalloc((size_t)threads, sizeof(pthread_t));
    sigset_t all, old; /* Ctrl-C goes to the main thread */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (int i = 1; i < threads; ++i) {
        Worker *worker = xmalloc(sizeof *worker);
        *worker = (Worker){pool, i};
        if (pthread_create(&pool->workers[i], NULL, work, worker) != 0) {
            free(worker);
            pool->threads = i; /* fewer threads, same results */
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return pool;
}

void pool_free(Pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i < pool->threads; ++i)
        pthread_join(pool->workers[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->start);
    pthread_cond_destroy(&pool->finish);
    free(pool->workers);
    free(pool);
}

int pool_threads(const Pool *pool)
{
    return pool->threads;
}

void pool_run(Pool *pool, int jobs, PoolFn *fn, void *context)
{
    pool->jobs = jobs;
    pool->fn = fn;
    pool->context = context;
    atomic_store(&pool->next, 0);
    pthread_mutex_lock(&pool->lock);
    pool->running = pool->threads - 1;
    ++pool->generation;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    take_jobs(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0)
        pthread_cond_wait(&pool->finish, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
