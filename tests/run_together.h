/* PepaProcesses of a test: one at a time has its turn, until it waits for another; whose turn is next is chosen at
 * random, the same way at each run.  Messages are copies, in order. */
#ifndef PEPA_TESTS_RUN_TOGETHER_H
#define PEPA_TESTS_RUN_TOGETHER_H

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "pepa_shared.h"

/* Turns change by sigsetjmp and siglongjmp, in a tenth of the time of swapcontext, where nothing but swapcontext may leave a
 * stack: not for AddressSanitizer, shadow stacks (bit 2 of __CET__) and fortified libraries. */
#if defined __SANITIZE_ADDRESS__ || _FORTIFY_SOURCE > 0 || (defined __CET__ && (__CET__ & 2))
#define TOGETHER_SWAPS 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define TOGETHER_SWAPS 1
#endif
#endif
#ifndef TOGETHER_SWAPS
#include <setjmp.h>
#endif

enum {
    MOST_TOGETHER = 8,
    MOST_SUMMED = 1 << 14,
    STACK_TOGETHER = 8 << 20,
    MOST_VAIN_TURNS = 100000
};

typedef struct Letter Letter;
struct Letter {
    Letter *next;
    int32_t number; /* of the exchange; letters of one are in order */
    int64_t count;
    double *entry;
};

typedef struct {
    int32_t count, now, ended; /* processes; whose turn it is; how many have ended */
    int64_t vain;              /* turns since one could go on */
    uint32_t random;           /* state of a generator (Marsaglia, J. Stat. Softw. 8, 2003) */
    pthread_t thread;          /* in which all have their turns */
    ucontext_t test, of[MOST_TOGETHER]; /* where the test goes on, a process begins */
#ifndef TOGETHER_SWAPS
    sigjmp_buf on[MOST_TOGETHER]; /* where each that has begun goes on */
    bool begun[MOST_TOGETHER];
#endif
    void *stack[MOST_TOGETHER]; /* kept for the next run */
    bool over[MOST_TOGETHER];
    int64_t meetings[MOST_TOGETHER];  /* that it has come to */
    atomic_int_fast64_t next;         /* number to be taken */
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

/* From the process `here` to the one whose turn it is. */
static inline void together_switch(Room *r, int32_t here)
{
#ifdef TOGETHER_SWAPS
    (void)swapcontext(&r->of[here], &r->of[r->now]);
#else
    if (sigsetjmp(r->on[here], 0) != 0)
        return;
    if (r->begun[r->now])
        siglongjmp(r->on[r->now], 1);
    r->begun[r->now] = true;
    (void)setcontext(&r->of[r->now]);
#endif
}

/* Another one's turn. */
static inline void together_turn(Room *r)
{
    const int32_t here = r->now;
    do {
        r->random ^= r->random << 13;
        r->random ^= r->random >> 17;
        r->random ^= r->random << 5;
        r->now = (int32_t)(r->random % (uint32_t)r->count);
    } while (r->over[r->now]);
    if (r->now != here)
        together_switch(r, here);
}

/* It cannot go on before others have. */
static inline void together_wait(Room *r)
{
    cr_assert_lt(r->vain++, MOST_VAIN_TURNS, "all processes wait for each other");
    together_turn(r);
}

/* All come to it before one goes on. */
static inline void together_meet(Room *r, int32_t rank)
{
    const int64_t meeting = ++r->meetings[rank];
    for (int32_t k = 0; k < r->count; k++)
        while (r->meetings[k] < meeting)
            together_wait(r);
    r->vain = 0;
}

static inline void together_reduce(void *user, double *x, int32_t n, bool largest)
{
    Member *m = user;
    Room *r = m->room;
    cr_assert_leq(n, MOST_SUMMED);
    memcpy(r->table[m->rank], x, (size_t)n * sizeof *x);
    together_meet(r, m->rank);
    for (int32_t i = 0; i < n; i++) {
        x[i] = r->table[0][i];
        for (int32_t k = 1; k < r->count; k++)
            x[i] = !largest ? x[i] + r->table[k][i] : r->table[k][i] > x[i] ? r->table[k][i] : x[i];
    }
    together_meet(r, m->rank);
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
            for (last = &m->room->box[m->rank][p->process]; *last; last = &(*last)->next)
                ;
            *last = letter;
        }
    }
}

static inline void together_receive(Member *m, const PepaPartner *p, int32_t number, double *x)
{
    Room *r = m->room;
    Letter **at, *letter = NULL;
    while (!letter) {
        for (at = &r->box[p->process][m->rank]; *at && (*at)->number != number; at = &(*at)->next)
            ;
        letter = *at;
        if (letter)
            *at = letter->next;
        else
            together_wait(r);
    }
    r->vain = 0;
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
    together_meet(m->room, m->rank);
    atomic_store(&m->room->next, 0);
    together_meet(m->room, m->rank);
}

/* Others may go first, unless one of the process's own threads asks: it goes on beside those. */
static inline void together_poll(void *user)
{
    const Member *m = user;
    if (pthread_equal(pthread_self(), m->room->thread))
        together_turn(m->room);
}

static inline int64_t together_take(void *user)
{
    const Member *m = user;
    together_poll(user);
    return atomic_fetch_add(&m->room->next, 1);
}

static inline void together_swap(void *user, const void *sent, const int64_t *count, void *received,
                                 int64_t *come, int64_t most)
{
    const Member *m = user;
    Room *r = m->room;
    r->bytes[m->rank] = sent;
    r->counts[m->rank] = count;
    together_meet(r, m->rank);
    for (int32_t p = 0; p < r->count; p++) {
        come[p] = r->counts[p][m->rank];
        cr_assert(come[p] >= 0 && come[p] <= most);
        memcpy((char *)received + p * most, r->bytes[p] + m->rank * most, (size_t)come[p]);
    }
    together_meet(r, m->rank);
}

/* What one process does; `user` is shared. */
typedef void Work(const PepaProcesses *processes, void *user);

typedef struct {
    Member member;
    Work *work;
    void *user;
} TogetherJob;

static TogetherJob together_job[MOST_TOGETHER];

static inline void together_run_one(int rank)
{
    TogetherJob *job = &together_job[rank];
    Room *r = job->member.room;
    job->work(&job->member.processes, job->user);
    r->over[rank] = true;
    r->vain = 0;
    if (++r->ended < r->count)
        together_turn(r);
    (void)setcontext(&r->test);
}

/* Not inlined: what calls getcontext keeps no variables in registers. */
__attribute__((noinline)) static void together_prepare(Room *r, int rank)
{
    if (!r->stack[rank])
        r->stack[rank] = malloc(STACK_TOGETHER);
    cr_assert(r->stack[rank] && getcontext(&r->of[rank]) == 0);
    r->of[rank].uc_stack = (stack_t){.ss_sp = r->stack[rank], .ss_size = STACK_TOGETHER};
    makecontext(&r->of[rank], (void (*)(void))together_run_one, 1, rank);
}

/* All do it, in turns.
 *   part  per process: of the work; or NULL */
static inline void run_together_as(int32_t count, const double *part, Work *work, void *user)
{
    static Room r;
    r.count = count;
    r.now = r.ended = 0;
    r.vain = 0;
    r.random = 2463534242;
    r.thread = pthread_self();
    for (int32_t k = 0; k < count; k++) {
        TogetherJob *job = &together_job[k];
        *job = (TogetherJob){.member = {.room = &r, .rank = k}, .work = work, .user = user};
        job->member.processes = (PepaProcesses){.count = count,
                                                .rank = k,
                                                .user = &job->member,
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
        r.over[k] = false;
#ifndef TOGETHER_SWAPS
        r.begun[k] = k == 0;
#endif
        r.meetings[k] = 0;
        together_prepare(&r, (int)k);
    }
    cr_assert_eq(swapcontext(&r.test, &r.of[0]), 0);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < count; k++)
            cr_assert_null(r.box[i][k], "a message was not received");
}

static inline void run_together(int32_t count, Work *work, void *user)
{
    run_together_as(count, NULL, work, user);
}

#endif
