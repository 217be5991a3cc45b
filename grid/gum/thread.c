/* Threads of tasks: coroutines on stacks of their own. */
#undef _FORTIFY_SOURCE /* its longjmp takes another stack for a mistake */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_STACK and its like */
#endif
#include "grid/gum/thread.h"

#include <fenv.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

void threads_init(Threads *threads, int32_t limit, size_t stack, void (*body)(Thread *thread))
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *threads = (Threads){.limit = limit,
                         .stack = (stack + page - 1) / page * page,
                         .page = page,
                         .body = body};
    threads->ready_end = &threads->ready;
}

static void release(Threads *threads, Thread *thread)
{
    (void)munmap(thread->area, threads->stack + threads->page);
    grid_buffer_free(&thread->answer);
    free(thread);
}

void threads_free(Threads *threads)
{
    for (Thread *each = threads->idle, *next; each; each = next) {
        next = each->next;
        release(threads, each);
    }
    for (Thread *each = threads->living, *next; each; each = next) {
        next = each->next_live;
        release(threads, each);
    }
    *threads = (Threads){0};
}

/* ---- switching ----------------------------------------------------------------------------------- */

/* Leave `from`, to go on there, for `to`. */
#ifdef THREAD_SWAPS
static void change(Place *from, Place *to)
{
    (void)swapcontext(from, to);
}

static void __attribute__((noreturn)) change_for_ever(Place *to)
{
    (void)setcontext(to);
    abort(); /* it returns only if the context is none */
}
#else
static void change(Place *from, Place *to)
{
    if (_setjmp(*from) == 0)
        _longjmp(*to, 1);
}

static void __attribute__((noreturn)) change_for_ever(Place *to)
{
    _longjmp(*to, 1);
}
#endif

static void round_as(int rounding)
{
    if (fegetround() != rounding)
        (void)fesetround(rounding);
}

/* A thread goes back to the event loop.  Its direction of rounding is its own. */
static void leave(Threads *threads, Thread *thread)
{
    const int rounding = fegetround();
    change(&thread->place, &threads->loop);
    round_as(rounding);
}

/* A stack runs one task after the other.  makecontext passes ints: two for a pointer each. */
static void begin(unsigned high, unsigned low, unsigned high_threads, unsigned low_threads)
{
    uintptr_t at = ((uintptr_t)high << 32) | low,
              of = ((uintptr_t)high_threads << 32) | low_threads;
    Thread *thread = (Thread *)at;
    Threads *threads = (Threads *)of;
    for (;;) {
        threads->body(thread);
        *thread->live_link = thread->next_live;
        if (thread->next_live)
            thread->next_live->live_link = thread->live_link;
        threads->live--;
        thread->next = threads->idle;
        threads->idle = thread;
        change(&thread->place, &threads->loop);
        round_as(threads->rounding);
    }
}

/* The event loop goes to the start of a thread's stack. */
static void go_to_start(Threads *threads, Thread *thread)
{
    const uintptr_t at = (uintptr_t)thread, of = (uintptr_t)threads;
    ucontext_t start;
    (void)getcontext(&start);
    start.uc_stack.ss_sp = (unsigned char *)thread->area + threads->page;
    start.uc_stack.ss_size = threads->stack;
    start.uc_link = NULL;
    makecontext(&start, (void (*)(void))begin, 4, (unsigned)(at >> 32), (unsigned)at,
                (unsigned)(of >> 32), (unsigned)of);
#ifdef THREAD_SWAPS
    (void)swapcontext(&threads->loop, &start);
#else
    if (_setjmp(threads->loop) == 0) {
        (void)setcontext(&start);
        abort(); /* it returns only if the context is none */
    }
#endif
}

/* ---- stacks -------------------------------------------------------------------------------------- */

static Thread *make(const Threads *threads)
{
    Thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->area = mmap(NULL, threads->stack + threads->page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (thread->area == MAP_FAILED) {
        free(thread);
        return NULL;
    }
    (void)mprotect(thread->area, threads->page, PROT_NONE);
    return thread;
}

static void append(Threads *threads, Thread *thread)
{
    thread->next = NULL;
    *threads->ready_end = thread;
    threads->ready_end = &thread->next;
}

Thread *threads_start(Threads *threads, struct GumRecord *task)
{
    Thread *thread = threads->idle;
    if (thread)
        threads->idle = thread->next;
    else if (!(thread = make(threads)))
        return NULL;
    thread->task = task;
    thread->awaits = NULL;
    thread->fetches = 0;
    thread->makes = 0;
    thread->ran = 0;
    thread->frame = NULL;
    thread->next_live = threads->living;
    thread->live_link = &threads->living;
    if (threads->living)
        threads->living->live_link = &thread->next_live;
    threads->living = thread;
    threads->live++;
    if (threads->live > threads->most)
        threads->most = threads->live;
    append(threads, thread);
    return thread;
}

void threads_enter(Threads *threads, Thread *thread)
{
    threads->rounding = fegetround();
    threads->current = thread;
    if (thread->begun) {
        change(&threads->loop, &thread->place);
    } else {
        thread->begun = 1;
        go_to_start(threads, thread);
    }
    threads->current = NULL;
    round_as(threads->rounding);
}

Thread *threads_next(Threads *threads)
{
    Thread *thread = threads->ready;
    if (!thread)
        return NULL;
    threads->ready = thread->next;
    if (!threads->ready)
        threads->ready_end = &threads->ready;
    return thread;
}

void threads_yield(Threads *threads)
{
    Thread *thread = threads->current;
    append(threads, thread);
    leave(threads, thread);
}

void threads_block(Threads *threads, Thread **waiting)
{
    Thread *thread = threads->current;
    thread->next_waiting = *waiting;
    *waiting = thread;
    threads->blocked++;
    leave(threads, thread);
}

void threads_leave(Threads *threads)
{
    change_for_ever(&threads->loop);
}

void threads_wake(Threads *threads, Thread **waiting)
{
    Thread *each = *waiting;
    *waiting = NULL;
    for (Thread *next; each; each = next) {
        next = each->next_waiting;
        each->awaits = NULL;
        each->fetches = 0;
        threads->blocked--;
        append(threads, each);
    }
}
