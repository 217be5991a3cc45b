/* Waiting in shared memory: bells and barriers that processes of one machine share. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include "grid/bsp/bell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

void bell_ring(Bell *bell)
{
    atomic_fetch_add(&bell->value, 1);
    if (atomic_load(&bell->sleepers) > 0)
        (void)syscall(SYS_futex, &bell->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int bell_look(Bell *bell, unsigned times, Looks looks)
{
    for (int i = 0; i < looks.pauses + looks.yields; i++) {
        if ((int)(atomic_load_explicit(&bell->value, memory_order_acquire) - times) >= 0)
            return 1;
        if (i < looks.pauses)
            pause_core();
        else
            (void)sched_yield(); /* the process that is waited for may need this core */
    }
    return 0;
}

/* Sleep until the bell has rung `times` times, or for `most` (NULL: for ever).  1: it has; 0: not yet. */
static int sleep_until(Bell *bell, unsigned times, const struct timespec *most)
{
    int rung, late = 0;
    atomic_fetch_add(&bell->sleepers, 1);
    for (;;) {
        unsigned now = atomic_load(&bell->value);
        rung = (int)(now - times) >= 0;
        if (rung || late)
            break;
        late = syscall(SYS_futex, &bell->value, FUTEX_WAIT, now, most, NULL, 0) != 0 &&
               errno == ETIMEDOUT;
    }
    atomic_fetch_sub(&bell->sleepers, 1);
    return rung;
}

void bell_await(Bell *bell, unsigned times, Looks looks)
{
    if (!bell_look(bell, times, looks))
        (void)sleep_until(bell, times, NULL);
}

int bell_await_a_while(Bell *bell, unsigned times)
{
    return sleep_until(bell, times, &(const struct timespec){.tv_nsec = 500000000});
}

unsigned barrier_arrive(Barrier *barrier, int count)
{
    unsigned round = atomic_load_explicit(&barrier->passed.value, memory_order_relaxed);
    if (atomic_fetch_add(&barrier->arrived, 1) + 1 == (unsigned)count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        bell_ring(&barrier->passed);
    }
    return round + 1;
}
