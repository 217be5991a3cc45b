/* Threads of tasks: coroutines on stacks of their own, which one event loop enters and which leave to
 * it when they wait or when their slice is over.
 *
 * A stack is an area with a page below it that cannot be accessed, so that a recursion that is too deep
 * ends in a signal and not in other data.  Pages get memory when they are used.  Stacks are used again.
 * No MPI here.
 *
 * Why stacks of their own: a task that waits on the stack of another, nested, cannot go on before what
 * was begun on top of it has ended, and nesting has no bound. */
#ifndef GRID_GUM_THREAD_H
#define GRID_GUM_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "grid/core/buffer.h"

/* Switching by setjmp and longjmp takes a tenth of the time of swapcontext, which asks the system to set the
 * signal mask each time.  AddressSanitizer and shadow stacks (bit 2 of __CET__) follow swapcontext alone. */
#if defined __SANITIZE_ADDRESS__ || (defined __CET__ && (__CET__ & 2))
#define THREAD_SWAPS 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define THREAD_SWAPS 1
#endif
#endif
#ifdef THREAD_SWAPS
#include <ucontext.h>
typedef ucontext_t Place;
#else
#include <setjmp.h>
typedef jmp_buf Place;
#endif

struct GumRecord;
struct Frame;

typedef struct Thread Thread;
struct Thread {
    Place place;          /* where it goes on */
    int begun;            /* 0: at the start of its stack */
    Thread *next;         /* ready, or idle */
    Thread *next_waiting; /* for the same result */
    Thread *next_live, **live_link;
    struct GumRecord *task;   /* what it began with */
    struct GumRecord *awaits; /* the result that it waits for; NULL: none */
    int fetches;              /* 1 + the process whose data it waits for; 0: none */
    int makes;                /* it has made sparks */
    double ran;               /* seconds, up to when it left last */
    struct Frame *frame;      /* profile: the task that it is in */
    GridBuffer answer; /* to the process whose task it was; while it is made, the run may fail */
    void *area;        /* the stack, its guard page first */
};

typedef struct {
    Place loop;                 /* where the event loop goes on */
    int rounding;               /* the loop's direction, in which a task begins */
    Thread *current;            /* NULL: the event loop */
    Thread *ready, **ready_end; /* in the order in which they became ready */
    Thread *idle;               /* have ended: stacks to be used again */
    Thread *living;             /* all that have begun and not ended */
    int32_t live, limit, blocked, most;
    size_t stack, page;           /* bytes */
    void (*body)(Thread *thread); /* what each runs */
} Threads;

void threads_init(Threads *threads, int32_t limit, size_t stack, void (*body)(Thread *thread));
/* Nothing of them runs any more. */
void threads_free(Threads *threads);
/* A new thread for a task, which is ready.  NULL: out of memory. */
Thread *threads_start(Threads *threads, struct GumRecord *task);
/* The event loop: run a thread, until it leaves. */
void threads_enter(Threads *threads, Thread *thread);
/* The first that is ready, which is no more; NULL: none. */
Thread *threads_next(Threads *threads);
/* A thread: back to the event loop.  Ready: goes on later; */
void threads_yield(Threads *threads);
/* waiting: until threads_wake; */
void threads_block(Threads *threads, Thread **waiting);
/* for ever: the run ends. */
void threads_leave(Threads *threads) __attribute__((noreturn));
/* All that wait here become ready. */
void threads_wake(Threads *threads, Thread **waiting);

#endif
