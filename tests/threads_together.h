/* PepaProcesses whose processes are threads of the test: messages are copies, in order. */
#ifndef PEPA_TESTS_THREADS_TOGETHER_H
#define PEPA_TESTS_THREADS_TOGETHER_H

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_shared.h"

enum { MOST_TOGETHER = 8, MOST_SUMMED = 1 << 14 };

typedef struct Letter Letter;
struct Letter {
    Letter *next;
    int32_t number; /* of the exchange; letters of one are in order */
    int64_t count;
    double *entry;
};

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_barrier_t barrier;
    int32_t count;
    int64_t next;                     /* number to be taken */
    const char *bytes[MOST_TOGETHER]; /* of a swap */
    const int64_t *counts[MOST_TOGETHER];
    double table[MOST_TOGETHER][MOST_SUMMED];
    Letter *box[MOST_TOGETHER][MOST_TOGETHER]; /* from, to */
} Room;

typedef struct {
    Room *room;
    int32_t rank;
    PepaProcesses processes;
} Member;

typedef struct {
    const PepaExchange *what;
    double *x; /* under way */
} Opened;

static inline void together_reduce(void *user, double *x, int32_t n, bool largest)
{
    Member *m = user;
    Room *r = m->room;
    cr_assert_leq(n, MOST_SUMMED);
    memcpy(r->table[m->rank], x, (size_t)n * sizeof *x);
    pthread_barrier_wait(&r->barrier);
    for (int32_t i = 0; i < n; i++) {
        x[i] = r->table[0][i];
        for (int32_t k = 1; k < r->count; k++)
            x[i] = !largest ? x[i] + r->table[k][i] : r->table[k][i] > x[i] ? r->table[k][i] : x[i];
    }
    pthread_barrier_wait(&r->barrier);
}

static inline void together_sum(void *user, double *x, int32_t n)
{
    together_reduce(user, x, n, false);
}

static inline void together_largest(void *user, double *x, int32_t n)
{
    together_reduce(user, x, n, true);
}

static inline void *together_open(void *user, const PepaExchange *exchange)
{
    (void)user;
    Opened *o = calloc(1, sizeof *o);
    if (o)
        o->what = exchange;
    return o;
}

static inline int64_t together_entries(const PepaPiece *piece, int32_t count)
{
    int64_t all = 0;
    for (int32_t i = 0; i < count; i++)
        all += piece[i].count;
    return all;
}

static inline void together_start(void *user, void *opened, double *x)
{
    Member *m = user;
    Opened *o = opened;
    cr_assert_null(o->x, "started twice");
    o->x = x;
    for (int32_t i = 0; i < o->what->partner_count; i++) {
        const PepaPartner *p = &o->what->partner[i];
        cr_assert_neq(p->process, m->rank);
        if (p->sent_count > 0) {
            Letter *letter = calloc(1, sizeof *letter), **last;
            letter->count = together_entries(p->sent, p->sent_count);
            letter->entry = malloc((size_t)letter->count * sizeof *letter->entry);
            letter->number = o->what->number;
            for (int64_t k = 0, at = 0; k < p->sent_count; at += p->sent[k++].count)
                memcpy(letter->entry + at, x + p->sent[k].first,
                       (size_t)p->sent[k].count * sizeof *x);
            pthread_mutex_lock(&m->room->lock);
            for (last = &m->room->box[m->rank][p->process]; *last; last = &(*last)->next)
                ;
            *last = letter;
            pthread_cond_broadcast(&m->room->changed);
            pthread_mutex_unlock(&m->room->lock);
        }
    }
}

static inline void together_receive(Member *m, const PepaPartner *p, int32_t number, double *x)
{
    Room *r = m->room;
    Letter **at, *letter = NULL;
    pthread_mutex_lock(&r->lock);
    while (!letter) {
        for (at = &r->box[p->process][m->rank]; *at && (*at)->number != number; at = &(*at)->next)
            ;
        letter = *at;
        if (letter)
            *at = letter->next;
        else
            pthread_cond_wait(&r->changed, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    cr_assert_eq(letter->count, together_entries(p->received, p->received_count));
    for (int64_t k = 0, from = 0; k < p->received_count; from += p->received[k++].count)
        memcpy(x + p->received[k].first, letter->entry + from,
               (size_t)p->received[k].count * sizeof *x);
    free(letter->entry);
    free(letter);
}

static inline void together_finish(void *user, void *opened)
{
    Opened *o = opened;
    for (int32_t i = 0; o->x && i < o->what->partner_count; i++)
        if (o->what->partner[i].received_count > 0)
            together_receive(user, &o->what->partner[i], o->what->number, o->x);
    o->x = NULL;
}

static inline void together_close(void *user, void *opened)
{
    (void)user;
    free(opened);
}

static inline void together_deal(void *user)
{
    const Member *m = user;
    pthread_barrier_wait(&m->room->barrier);
    m->room->next = 0;
    pthread_barrier_wait(&m->room->barrier);
}

static inline int64_t together_take(void *user)
{
    const Member *m = user;
    pthread_mutex_lock(&m->room->lock);
    const int64_t number = m->room->next++;
    pthread_mutex_unlock(&m->room->lock);
    return number;
}

static inline void together_poll(void *user)
{
    (void)user;
}

static inline void together_swap(void *user, const void *sent, const int64_t *count, void *received,
                                 int64_t *come, int64_t most)
{
    const Member *m = user;
    Room *r = m->room;
    r->bytes[m->rank] = sent;
    r->counts[m->rank] = count;
    pthread_barrier_wait(&r->barrier);
    for (int32_t p = 0; p < r->count; p++) {
        come[p] = r->counts[p][m->rank];
        cr_assert(come[p] >= 0 && come[p] <= most);
        memcpy((char *)received + p * most, r->bytes[p] + m->rank * most, (size_t)come[p]);
    }
    pthread_barrier_wait(&r->barrier);
}

/* What one process does; `user` is shared. */
typedef void Work(const PepaProcesses *processes, void *user);

typedef struct {
    Member member;
    Work *work;
    void *user;
} TogetherJob;

static inline void *together_run_one(void *user)
{
    TogetherJob *job = user;
    job->work(&job->member.processes, job->user);
    return NULL;
}

/* All do it at the same time.
 *   part  per process: of the work; or NULL */
static inline void run_together_as(int32_t count, const double *part, Work *work, void *user)
{
    static Room room;
    TogetherJob job[MOST_TOGETHER];
    pthread_t thread[MOST_TOGETHER];
    memset(&room, 0, sizeof room);
    room.count = count;
    pthread_mutex_init(&room.lock, NULL);
    pthread_cond_init(&room.changed, NULL);
    pthread_barrier_init(&room.barrier, NULL, (unsigned)count);
    for (int32_t k = 0; k < count; k++) {
        job[k] = (TogetherJob){.member = {.room = &room, .rank = k}, .work = work, .user = user};
        job[k].member.processes = (PepaProcesses){.count = count,
                                                  .rank = k,
                                                  .user = &job[k].member,
                                                  .sum = together_sum,
                                                  .largest = together_largest,
                                                  .open = together_open,
                                                  .start = together_start,
                                                  .finish = together_finish,
                                                  .close = together_close,
                                                  .deal = together_deal,
                                                  .take = together_take,
                                                  .poll = together_poll,
                                                  .swap = together_swap,
                                                  .part = part};
    }
    for (int32_t k = 0; k < count; k++)
        cr_assert_eq(pthread_create(&thread[k], NULL, together_run_one, &job[k]), 0);
    for (int32_t k = 0; k < count; k++)
        (void)pthread_join(thread[k], NULL);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < count; k++)
            cr_assert_null(room.box[i][k], "a message was not received");
    pthread_barrier_destroy(&room.barrier);
    pthread_cond_destroy(&room.changed);
    pthread_mutex_destroy(&room.lock);
}

static inline void run_together(int32_t count, Work *work, void *user)
{
    run_together_as(count, NULL, work, user);
}

#endif
