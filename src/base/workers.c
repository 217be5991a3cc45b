/* Runs tasks on a team of threads that lives longer than one run. */
#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/mem.h"

enum {
    SPINS = 5000, /* steps of spinning, some hundred microseconds, before sleep: an estimate */
    PATIENT = 200 /* steps of waiting before each one yields the processor */
};

/* The gate counts the threads of a run.  The caller closes it when no task is left, and waits for
 * the threads counted.  A thread that wakes later finds it closed and sleeps again, so that nobody
 * waits for a thread without a task. */
#define GATE_OPEN 0x10000u

struct Workers {
    int32_t most, started; /* the caller included */
    WorkTask *task;        /* of the run, like what follows */
    void *user;
    int32_t count;
    char apart[CACHE_LINE]; /* data that many write shares no cache line with data that many read */
    atomic_int next;        /* the first task that nobody has taken */
    char next_apart[CACHE_LINE];
    atomic_uint gate;
    char gate_apart[CACHE_LINE];
    atomic_uint runs;              /* how many have begun */
    atomic_int asleep, numbered;   /* numbered: threads that have begun */
    atomic_bool stopping, waiting; /* waiting: the caller sleeps */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t thread[MOST_WORKERS];
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void workers_wait(int32_t waits)
{
    if (waits < PATIENT)
        relax();
    else
        (void)sched_yield();
}

static void work(Workers *w, int32_t worker)
{
    for (;;) {
        int32_t index = atomic_fetch_add(&w->next, 1);
        if (index >= w->count)
            return;
        w->task(w->user, index, worker);
    }
}

static bool enter(Workers *w)
{
    unsigned gate = atomic_load(&w->gate);
    while (gate & GATE_OPEN)
        if (atomic_compare_exchange_weak(&w->gate, &gate, gate + 1))
            return true;
    return false;
}

/* Wait until another run begins than the one last seen. */
static void await_run(Workers *w, unsigned seen)
{
    for (int32_t k = 0; k < SPINS; k++) {
        if (atomic_load(&w->runs) != seen || atomic_load(&w->stopping))
            return;
        relax();
    }
    (void)pthread_mutex_lock(&w->lock);
    atomic_fetch_add(&w->asleep, 1); /* before looking once more: who begins looks after that */
    while (atomic_load(&w->runs) == seen && !atomic_load(&w->stopping))
        (void)pthread_cond_wait(&w->wake, &w->lock);
    atomic_fetch_sub(&w->asleep, 1);
    (void)pthread_mutex_unlock(&w->lock);
}

static void tell(Workers *w, pthread_cond_t *who)
{
    (void)pthread_mutex_lock(&w->lock);
    (void)pthread_cond_broadcast(who);
    (void)pthread_mutex_unlock(&w->lock);
}

/* The last one out of a closed gate wakes the caller. */
static void leave(Workers *w)
{
    if (atomic_fetch_sub(&w->gate, 1) != 1 || !atomic_load(&w->waiting))
        return;
    tell(w, &w->done);
}

static void *worker_main(void *argument)
{
    Workers *w = argument;
    int32_t worker = atomic_fetch_add(&w->numbered, 1) + 1; /* 0 is the caller */
    for (unsigned seen = 0; !atomic_load(&w->stopping);) {
        await_run(w, seen);
        seen = atomic_load(&w->runs);
        if (!enter(w))
            continue;
        work(w, worker);
        leave(w);
    }
    return NULL;
}

static void wake(Workers *w)
{
    if (atomic_load(&w->asleep) != 0)
        tell(w, &w->wake);
}

int32_t workers_ready(Workers *w, int32_t count)
{
    int32_t most = !w ? 1 : count < w->most ? count : w->most;
    while (w && w->started < most &&
           pthread_create(&w->thread[w->started], NULL, worker_main, w) == 0)
        w->started++;
    if (w && w->started < most)
        w->most = most = w->started; /* no later attempt */
    return most;
}

Workers *workers_new(int32_t threads)
{
    Workers *w = mem_calloc(1, sizeof *w);
    if (w)
        *w = (Workers){.most = threads < 1              ? 1
                               : threads < MOST_WORKERS ? threads
                                                        : MOST_WORKERS,
                       .started = 1,
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .wake = PTHREAD_COND_INITIALIZER,
                       .done = PTHREAD_COND_INITIALIZER};
    return w;
}

void workers_free(Workers *w)
{
    if (!w)
        return;
    atomic_store(&w->stopping, true);
    wake(w);
    for (int32_t i = 1; i < w->started; i++)
        (void)pthread_join(w->thread[i], NULL);
    (void)pthread_cond_destroy(&w->done);
    (void)pthread_cond_destroy(&w->wake);
    (void)pthread_mutex_destroy(&w->lock);
    mem_free(w);
}

/* No more tasks: wait for those that are under way. */
static void close_gate(Workers *w)
{
    unsigned within = atomic_fetch_and(&w->gate, ~GATE_OPEN) & ~GATE_OPEN;
    for (int32_t k = 0; within && k < SPINS; k++) {
        workers_wait(k);
        within = atomic_load(&w->gate);
    }
    if (!within)
        return;
    (void)pthread_mutex_lock(&w->lock);
    atomic_store(&w->waiting, true); /* before looking once more, as in await_run */
    while (atomic_load(&w->gate) != 0)
        (void)pthread_cond_wait(&w->done, &w->lock);
    atomic_store(&w->waiting, false);
    (void)pthread_mutex_unlock(&w->lock);
}

void workers_run(Workers *w, int32_t count, WorkTask *task, void *user)
{
    if (count <= 1 || workers_ready(w, count) == 1) {
        for (int32_t i = 0; i < count; i++)
            task(user, i, 0);
        return;
    }
    w->task = task;
    w->user = user;
    w->count = count;
    atomic_store(&w->next, 0);
    atomic_store(&w->gate, GATE_OPEN);
    atomic_fetch_add(&w->runs, 1);
    wake(w);
    work(w, 0);
    close_gate(w);
}
