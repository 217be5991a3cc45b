/* One-sided communication of MPI: each process writes into the memory of the others.
 *
 * Each process has a window with two slots for each process, which are used in turn, as what came in the
 * last superstep can still be read in this one.  When a superstep ends it puts the start of each buffer
 * into a slot of its receiver; when all that is done, it puts the number of the exchange beside it,
 * which the receiver looks at.  What does not fit follows in messages, as do answers to gets.
 *
 * So one exchange takes three latencies one after another: the data, word that it is there, the number.
 * Within a machine, or where the network writes into memory by itself, it may be quicker than
 * messages, as nothing is matched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/messages.h"
#include "grid/core/clock.h"

/* A slot: the number of the exchange whose start is in it.  Each starts at a line of memory. */
enum { LINE = 64, SLOT = LINE + (FIRST_MESSAGE + LINE - 1) / LINE * LINE };

struct Window {
    MPI_Win win;
    int locked;
    unsigned char *slots; /* of this process: two by process */
    uint64_t *rounds;     /* by process: exchanges with it, from 1 */
};

#ifdef SMPI_H

/* Looking at memory takes no simulated time: nothing would ever come. */
static int window_open(Transport *t)
{
    (void)t;
    return 1;
}

#else

/* Where the slot for a process is in a window. */
static size_t slot_at(int process, uint64_t round)
{
    return (2 * (size_t)process + round % 2) * SLOT;
}

/* 0; -1: this MPI makes no window here. */
static int make_window(Transport *t, Window *w)
{
    MPI_Errhandler handler;
    void *slots = NULL;
    int *model, has_model = 0;
    const size_t size = 2 * (size_t)t->nprocs * SLOT;
    (void)MPI_Comm_get_errhandler(t->comm, &handler);
    (void)MPI_Comm_set_errhandler(t->comm, MPI_ERRORS_RETURN);
    int status = MPI_Win_allocate((MPI_Aint)size, 1, MPI_INFO_NULL, t->comm, &slots, &w->win);
    (void)MPI_Comm_set_errhandler(t->comm, handler);
    (void)MPI_Errhandler_free(&handler);
    if (status != MPI_SUCCESS) {
        w->win = MPI_WIN_NULL;
        return -1;
    }
    w->slots = slots;
    (void)MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &model, &has_model);
    if (!has_model || *model != MPI_WIN_UNIFIED) /* what others put would not be seen by looking */
        return -1;
    for (int p = 0; p < t->nprocs; p++)
        for (uint64_t round = 0; round < 2; round++)
            memset(w->slots + slot_at(p, round), 0, LINE);
    (void)MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win);
    w->locked = 1;
    (void)MPI_Win_sync(w->win);
    (void)MPI_Barrier(t->comm); /* no number is put before it is zero */
    return 0;
}

static void window_close(Transport *t)
{
    Messages *m = t->state;
    if (m && m->window) {
        if (m->window->locked)
            (void)MPI_Win_unlock_all(m->window->win);
        if (m->window->win != MPI_WIN_NULL)
            (void)MPI_Win_free(&m->window->win);
        free(m->window->rounds);
        free(m->window);
    }
    messages_close(t);
}

static int window_open(Transport *t)
{
    int status = messages_open(t), worst = 0;
    if (status)
        return status;
    Window *w = ((Messages *)t->state)->window = calloc(1, sizeof *w);
    uint64_t *rounds = malloc((size_t)t->nprocs * sizeof *rounds);
    int failed = !w || !rounds;
    (void)MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, t->comm);
    if (w)
        *w = (Window){.win = MPI_WIN_NULL, .rounds = rounds};
    /* Some MPIs have no windows of a process alone, which needs none. */
    if (worst || (t->nprocs > 1 && make_window(t, w))) {
        if (!w)
            free(rounds);
        window_close(t);
        return worst ? -1 : 1;
    }
    for (int p = 0; p < t->nprocs; p++)
        rounds[p] = 1;
    return 0;
}

/* Starts of buffers, then numbers. */
static int put_firsts(Transport *t)
{
    Messages *m = t->state;
    const Window *w = m->window;
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (!m->waits[p])
            continue;
        const int size = (int)messages_first(t, p);
        (void)MPI_Put(t->out[p].bytes, size, MPI_BYTE, p,
                      (MPI_Aint)(slot_at(t->pid, w->rounds[p]) + LINE), size, MPI_BYTE, w->win);
    }
    (void)MPI_Win_flush_all(w->win);
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (!m->waits[p])
            continue;
        (void)MPI_Accumulate(&w->rounds[p], 1, MPI_UINT64_T, p,
                             (MPI_Aint)slot_at(t->pid, w->rounds[p]), 1, MPI_UINT64_T, MPI_REPLACE,
                             w->win);
        if (messages_send_rest(t, p))
            return -1;
    }
    (void)MPI_Win_flush_all(w->win);
    return 0;
}

/* Takes those whose number is there; how many.  *status: of messages_take. */
static int look(Transport *t, const Group *group, int *status)
{
    Messages *m = t->state;
    const Window *w = m->window;
    int some = 0;
    (void)MPI_Win_sync(w->win);
    for (int i = 0; i < t->nprocs - 1 && *status == 0; i++) {
        int p = m->order[i];
        const unsigned char *slot = w->slots + slot_at(p, w->rounds[p]);
        if (!m->waits[p] ||
            __atomic_load_n((const uint64_t *)(const void *)slot, __ATOMIC_ACQUIRE) != w->rounds[p])
            continue;
        m->waits[p] = 0;
        some++;
        *status = messages_take(t, group, p, slot + LINE);
    }
    return some;
}

static int take_firsts(Transport *t, const Group *group)
{
    int left = group->count - 1, status = 0, arrived;
    Backoff backoff;
    backoff_reset(&backoff);
    for (int looks = 0; left > 0 && status == 0; looks++) {
        left -= look(t, group, &status);
        if (left == 0 || status)
            break;
        /* MPI moves data of others only while it is called; and it gives the core to them. */
        (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_FIRST, t->comm, &arrived, MPI_STATUS_IGNORE);
        if (looks >= t->looks.pauses + t->looks.yields)
            backoff_wait(&backoff, HUGE_VAL);
    }
    return status;
}

static int window_exchange(Transport *t, const Group *group)
{
    const Window *w = ((Messages *)t->state)->window;
    messages_begin(t, group);
    int status = group->count > 1 ? put_firsts(t) : 0;
    status = status ? status : take_firsts(t, group);
    if (status)
        return status;
    messages_finish(t, group);
    for (int i = 0; i < group->count; i++)
        w->rounds[group->members[i]]++;
    return 0;
}

#endif

const TransportKind transport_window = {.name = "window",
                                        .open = window_open,
#ifndef SMPI_H
                                        .close = window_close,
                                        .exchange = window_exchange,
#endif
                                        .room = messages_room,
                                        .reply = messages_reply,
                                        .replies = messages_replies};
