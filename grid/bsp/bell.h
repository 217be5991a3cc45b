/* Waiting in shared memory: bells and barriers that processes of one machine share.
 *
 * A process that waits looks a few times, giving the core to others between looks, and then sleeps in
 * the kernel (futex) until it is woken.  Both start as zeros. */
#ifndef GRID_BSP_BELL_H
#define GRID_BSP_BELL_H

#include <stdatomic.h>

#include "grid/bsp/transport.h"

/* Bytes of a cache line: cores that write to different ones do not disturb each other. */
enum { LINE = 64 };

/* A number that grows, and how many processes sleep until it does. */
typedef struct {
    _Alignas(LINE) atomic_uint value;
    atomic_uint sleepers;
} Bell;

typedef struct {
    _Alignas(LINE) atomic_uint arrived;
    Bell passed;
} Barrier;

/* Ring once more, and wake who sleeps. */
void bell_ring(Bell *bell);
/* Until the bell has rung `times` times in all (modulo 2^32). */
void bell_await(Bell *bell, unsigned times, Looks looks);
/* As bell_await, for half a second of sleep at most.  1: it has rung; 0: not yet. */
int bell_await_a_while(Bell *bell, unsigned times);
/* Look for that, without sleeping.  1: it has rung; 0: not yet. */
int bell_look(Bell *bell, unsigned times, Looks looks);
/* One of `count` processes is here.  How often `passed` rings until all are. */
unsigned barrier_arrive(Barrier *barrier, int count);

#endif
