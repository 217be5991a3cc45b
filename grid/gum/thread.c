/* Threads of tasks: coroutines on stacks of their own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_STACK and its like */
#endif
#include "grid/gum/thread.h"

#include <stdlib.h>
#include <sys/mman.h>
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

/* makecontext passes ints: two for a pointer each. */
static void begin(unsigned high, unsigned low, unsigned high_threads, unsigned low_threads)
{
    uintptr_t at = ((uintptr_t)high << 32) | low,
              of = ((uintptr_t)high_threads << 32) | low_threads;
    Thread *thread = (Thread *)at;
    Threads *threads = (Threads *)of;
    threads->body(thread);
    *thread->live_link = thread->next_live;
    if (thread->next_live)
        thread->next_live->live_link = thread->live_link;
    threads->live--;
    thread->next = threads->idle;
    threads->idle = thread;
    threads_leave(threads);
}

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

static void prepare(Threads *threads, Thread *thread)
{
    uintptr_t at = (uintptr_t)thread, of = (uintptr_t)threads;
    (void)getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = (unsigned char *)thread->area + threads->page;
    thread->context.uc_stack.ss_size = threads->stack;
    thread->context.uc_link = NULL;
    makecontext(&thread->context, (void (*)(void))begin, 4, (unsigned)(at >> 32), (unsigned)at,
                (unsigned)(of >> 32), (unsigned)of);
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
    prepare(threads, thread);
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
    threads->current = thread;
    (void)swapcontext(&threads->loop, &thread->context);
    threads->current = NULL;
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
    (void)swapcontext(&thread->context, &threads->loop);
}

void threads_block(Threads *threads, Thread **waiting)
{
    Thread *thread = threads->current;
    thread->next_waiting = *waiting;
    *waiting = thread;
    threads->blocked++;
    (void)swapcontext(&thread->context, &threads->loop);
}

void threads_leave(Threads *threads)
{
    (void)setcontext(&threads->loop);
    abort(); /* setcontext returns only if the context is none */
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
