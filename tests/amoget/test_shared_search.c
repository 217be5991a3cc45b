/* Rankings that processes share: what one process finds, to the last bit, and the failures. */
#include "amoget/search/ranker.h"
#include "amoget/search/tuning.h"
#include "lattice.h"
#include "run_together.h"
#include "scale.h"

enum { MOST_SHOWN = 64 };

typedef struct {
    PepaStatus status;
    PepaError err;
    AmogetRanking ranking;
    AmogetEntry entry[MOST_SHOWN];
    int32_t mapping[MOST_SHOWN][MOST_STAGES];
    int32_t cuts; /* that the ranker keeps */
} Found;

typedef struct {
    const AmogetDescription *desc;
    AmogetSettings set;
    int32_t rounds;  /* rankings by one ranker */
    int32_t cancels; /* the process that cancels; -1: none */
    int32_t many;    /* stages from which a search begins with parts */
    int64_t
        late; /* after so many looks of process 1 at the clock its time is up, in the first round */
    Found alone, each[MOST_TOGETHER];
} Question;

static void note(const AmogetRanking *ranking, Found *out)
{
    out->ranking = *ranking;
    out->ranking.seconds = 0;
    out->ranking.entries = NULL;
    for (int64_t i = 0; i < ranking->count && i < MOST_SHOWN; i++) {
        out->entry[i] = ranking->entries[i];
        out->entry[i].mapping = NULL;
        memcpy(out->mapping[i], ranking->entries[i].mapping,
               (size_t)ranking->stages * sizeof *out->mapping[i]);
    }
}

/* A clock that stands still, and then is far ahead: for each thread its own.  Of the processes one has it. */
static _Thread_local int64_t looks_left;

static double standing(void)
{
    return looks_left-- > 0 ? 1 : 1e9;
}

static void rank_once(AmogetRanker *ranker, const AmogetSettings *set, Found *out)
{
    AmogetRanking *ranking = NULL;
    memset(out, 0, sizeof *out);
    out->status = amoget_rank(ranker, set, &ranking, &out->err);
    cr_assert_eq(out->status == PEPA_OK, ranking != NULL);
    if (ranking)
        note(ranking, out);
    amoget_ranking_free(ranking);
    out->cuts = ranker->cut_count;
}

static void look(const Question *q, const AmogetSettings *set, Found *out)
{
    AmogetRanker *ranker = NULL;
    memset(out, 0, sizeof *out);
    out->status = amoget_ranker_new(&ranker, q->desc, set, &out->err);
    if (ranker && q->many)
        ranker->many_stages = q->many;
    for (int32_t round = 0; round < q->rounds && out->status == PEPA_OK; round++)
        rank_once(ranker, set, out);
    amoget_ranker_free(ranker);
}

static int cancel(void *user, const AmogetProgress *now)
{
    (void)user;
    return now->solved > 0;
}

static void look_together(const PepaProcesses *p, void *user)
{
    Question *q = user;
    AmogetSettings set = q->set;
    set.processes = p;
    set.threads = 1 + p->rank % 2;
    if (p->rank == q->cancels)
        set.progress = cancel;
    look(q, &set, &q->each[p->rank]);
}

/* Of all processes: the ranking, with all that it counts, or the status and the message. */
static void compare(const Question *q, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        const Found *a = &q->each[k], *b = &q->alone;
        cr_assert_eq(a->status, b->status, "%d of %d: %s", k, count, a->err.message);
        cr_expect_str_eq(a->err.message, b->err.message);
        cr_expect_eq(a->err.limit, b->err.limit);
        cr_expect_eq(memcmp(&a->ranking, &b->ranking, sizeof a->ranking), 0,
                     "%d of %d: solved %g, not %g; chains %d, not %d", k, count, a->ranking.solved,
                     b->ranking.solved, (int)a->ranking.chains, (int)b->ranking.chains);
        cr_expect_eq(memcmp(a->entry, b->entry, sizeof a->entry), 0, "%d of %d", k, count);
        cr_expect_eq(memcmp(a->mapping, b->mapping, sizeof a->mapping), 0, "%d of %d", k, count);
        cr_expect(a->cuts == b->cuts || (a->status != PEPA_OK && a->cuts == 0));
    }
}

static void agree(const AmogetDescription *desc, AmogetSearch search, int64_t top, int32_t many)
{
    static Question q;
    memset(&q, 0, sizeof q);
    q = (Question){.desc = desc, .rounds = 2, .cancels = -1, .many = many};
    q.set.search = search;
    q.set.top = top;
    look(&q, &q.set, &q.alone);
    for (int32_t processes = 1; processes <= 8; processes += processes < 3 ? 1 : 5) {
        run_together(processes, look_together, &q);
        compare(&q, processes);
    }
}

Test(shared_search, all_kinds_of_search)
{
    AmogetDescription *desc = lattice(4, 4);
    int32_t mapping[4];
    for (int k = 0; k < 60; k++) {
        nth_mapping(4, 4, 4 * k + 1, mapping);
        cr_assert_eq(amoget_add_mapping(desc, mapping, NULL), PEPA_OK);
    }
    for (int sharing = 0; sharing < 2; sharing++)
        for (int transfer = 0; transfer < 2; transfer++) {
            cr_assert_eq(amoget_set_sharing(desc, (AmogetSharing)sharing, NULL), PEPA_OK);
            cr_assert_eq(amoget_set_transfer(desc, (AmogetTransfer)transfer, NULL), PEPA_OK);
            agree(desc, AMOGET_LISTED, 0, 0);
            agree(desc, AMOGET_ALL, 0, 0);
            agree(desc, AMOGET_BEST, 0, 0);
            agree(desc, AMOGET_BEST, 40, 0);
        }
    amoget_free(desc);
}

/* Fewer tasks than processes, and one mapping. */
Test(shared_search, fewer_mappings_than_processes)
{
    AmogetDescription *one = lattice(1, 1), *two = lattice(2, 1);
    agree(one, AMOGET_ALL, 0, 0);
    agree(one, AMOGET_BEST, 0, 0);
    agree(two, AMOGET_AUTO, 0, 0);
    agree(two, AMOGET_BEST, 3, 0);
    agree(two, AMOGET_LISTED, 0, 0); /* none are listed: an error */
    amoget_free(one);
    amoget_free(two);
}

/* Large batches; parts that are looked at first. */
Test(shared_search, batches_and_parts)
{
    AmogetDescription *desc = lattice(8, 3), *serial = lattice(5, 3);
    agree(desc, AMOGET_BEST, 0, 0);
    agree(desc, AMOGET_BEST, 0, 8);
    cr_assert_eq(amoget_set_sharing(serial, AMOGET_SERIAL, NULL), PEPA_OK);
    agree(serial, AMOGET_BEST, 4, 0);
    amoget_free(desc);
    amoget_free(serial);
}

/* ---- what goes wrong in one process ----------------------------------------------------------- */

/* One process cancels: all do. */
Test(shared_search, one_process_cancels)
{
    static Question q;
    AmogetDescription *desc = lattice(6, 5);
    for (int search = AMOGET_ALL; search <= AMOGET_BEST; search++) {
        memset(&q, 0, sizeof q);
        q = (Question){.desc = desc, .rounds = 1, .cancels = 1};
        q.set.search = (AmogetSearch)search;
        run_together(3, look_together, &q);
        for (int32_t k = 0; k < 3; k++) {
            cr_expect_eq(q.each[k].status, q.each[1].status, "%d: %d", k, (int)q.each[k].status);
            cr_expect(q.each[k].status == PEPA_ECANCEL || q.each[k].status == PEPA_OK);
            cr_expect_eq(memcmp(&q.each[k], &q.each[1], sizeof q.each[k]), 0);
        }
    }
    amoget_free(desc);
}

typedef struct {
    Question *q;
    Found stopped[MOST_TOGETHER];
} Late;

/* Process 1 runs out of time at some moment; afterwards all rank again, without a limit. */
static void look_late(const PepaProcesses *p, void *user)
{
    Late *late = user;
    AmogetRanker *ranker = NULL;
    AmogetSettings set = late->q->set;
    set.processes = p;
    cr_assert_eq(amoget_ranker_new(&ranker, late->q->desc, &set, NULL), PEPA_OK);
    double (*clock)(void) = ranker->clock;
    ranker->many_stages = late->q->many;
    if (p->rank == 1) {
        looks_left = late->q->late;
        ranker->clock = standing;
    }
    set.time_limit = 1e6;
    rank_once(ranker, &set, &late->stopped[p->rank]);
    ranker->clock = clock;
    set.time_limit = 0;
    rank_once(ranker, &set, &late->q->each[p->rank]);
    amoget_ranker_free(ranker);
}

/* All stop alike: with the same mapping and the same bound, and able to go on together.  Returns how
 * often they stopped with a mapping that was not proved to be the best. */
static int stop_late(Question *q, double best)
{
    static Late late;
    int stopped = 0;
    bool done = false;
    late.q = q;
    for (q->late = 1; !done; q->late += 1 + q->late / (run_is_long() ? 12 : 5)) {
        run_together(3, look_late, &late);
        for (int32_t k = 0; k < 3; k++) {
            const Found *a = &late.stopped[k], *b = &late.stopped[1], *after = &q->each[k];
            cr_assert(a->status == PEPA_OK || a->status == PEPA_ELIMIT, "%s", a->err.message);
            cr_assert_eq(memcmp(a, b, sizeof *a), 0, "%d looks: process %d, %s, %s", (int)q->late,
                         k, a->err.message, b->err.message);
            cr_assert(a->status != PEPA_OK || a->ranking.bound >= best * (1 - 1e-8));
            cr_assert_eq(after->status, PEPA_OK, "%s", after->err.message);
            cr_assert_float_eq(after->entry[0].throughput, best, 1e-9 * best);
            cr_assert(after->ranking.optimal);
        }
        done = late.stopped[0].status == PEPA_OK && late.stopped[0].ranking.optimal;
        stopped += late.stopped[0].status == PEPA_OK && !done;
    }
    return stopped;
}

Test(shared_search, time_of_one_process_runs_out)
{
    static Question q;
    int stopped = 0;
    AmogetDescription *desc = lattice(4, 4);
    cr_assert_eq(amoget_set_sharing(desc, AMOGET_SERIAL, NULL), PEPA_OK);
    for (int search = AMOGET_ALL; search <= AMOGET_BEST; search++)
        for (int32_t many = 4; many <= 40; many += 36) { /* beginning with parts, and without */
            memset(&q, 0, sizeof q);
            q = (Question){.desc = desc, .rounds = 1, .cancels = -1, .many = many};
            q.set.search = (AmogetSearch)search;
            look(&q, &q.set, &q.alone);
            cr_assert_eq(q.alone.status, PEPA_OK);
            if (search == AMOGET_BEST || many > 4)
                stopped += stop_late(&q, q.alone.entry[0].throughput);
        }
    cr_expect_gt(stopped, 5, "only %d searches stopped half-way", stopped);
    amoget_free(desc);
}

static PepaStatus count(void *user, int32_t index, int32_t worker, PepaError *err)
{
    (void)worker;
    atomic_fetch_add(&((atomic_int *)user)[index], 1);
    return index >= 70 && index % 7 == 3 ? error_set(err, PEPA_ENOCONV, "task %d", (int)index)
                                         : PEPA_OK;
}

typedef struct {
    atomic_int done[100];
    int32_t fails; /* the process that fails between tasks; -1: none */
} Counted;

/* Every task once, whether there are many or few; of failures the first; and a failure outside tasks
 * comes out wherever the others are. */
static void agree_often(const PepaProcesses *p, void *user)
{
    Counted *c = user;
    Agreement a;
    PepaError err = {0};
    agreement_begin(&a, p);
    const int32_t counts[] = {1, 70, 2, 0, 70, 3};
    for (int32_t i = 0; i < 6; i++)
        cr_expect_eq(agreement_tasks(&a, NULL, counts[i], count, c->done, &err), PEPA_OK);
    cr_expect_eq(agreement_tasks(&a, NULL, 100, count, c->done, &err), PEPA_ENOCONV);
    cr_expect_str_eq(err.message, "task 73");
    cr_expect_eq(agreement_any(&a, false), false);
    cr_expect_eq(agreement_any(&a, p->rank == p->count - 1), true);
    cr_expect_eq(agreement_on(&a, PEPA_OK, &err), PEPA_OK);
    if (c->fails < 0)
        return;
    PepaStatus status = p->rank == c->fails ? error_set(&err, PEPA_ENOMEM, "here") : PEPA_OK;
    if (status == PEPA_OK) {
        double one = 1;
        cr_expect_eq(agreement_tasks(&a, NULL, 70, count, c->done, &err), PEPA_ENOMEM);
        agreement_sum(&a, &one, 1);
        cr_expect(agreement_ends(&a) && agreement_any(&a, false));
        cr_expect_eq(one, 1);
    }
    cr_expect_eq(agreement_on(&a, status, &err), PEPA_ENOMEM);
    cr_expect_str_eq(err.message, "here");
}

Test(shared_search, agreement)
{
    for (int32_t processes = 1; processes <= 5; processes++) {
        static Counted c;
        memset(&c, 0, sizeof c);
        c.fails = -1;
        run_together(processes, agree_often, &c);
        for (int32_t i = 0; i <= 73; i++)
            cr_expect_eq(c.done[i],
                         i == 0   ? 6
                         : i == 1 ? 5
                         : i == 2 ? 4
                         : i < 70 ? 3
                                  : 1,
                         "task %d of %d processes: %d", i, processes, c.done[i]);
        c.fails = processes - 1;
        if (processes > 1)
            run_together(processes, agree_often, &c);
    }
}
