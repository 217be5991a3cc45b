/* Rankings that processes share, which are threads here: what one process finds, to the last bit, and
 * the failures. */
#include "amoget/search/ranker.h"
#include "amoget/search/tuning.h"
#include "lattice.h"
#include "threads_together.h"

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
    Found alone, each[MOST_TOGETHER];
} Question;

static void look(const Question *q, const AmogetSettings *set, Found *out)
{
    AmogetRanker *ranker = NULL;
    memset(out, 0, sizeof *out);
    out->status = amoget_ranker_new(&ranker, q->desc, set, &out->err);
    if (ranker && q->many)
        ranker->many_stages = q->many;
    for (int32_t round = 0; round < q->rounds && out->status == PEPA_OK; round++) {
        AmogetRanking *ranking = NULL;
        out->status = amoget_rank(ranker, set, &ranking, &out->err);
        cr_assert_eq(out->status == PEPA_OK, ranking != NULL);
        if (!ranking)
            break;
        out->ranking = *ranking;
        out->ranking.seconds = 0;
        out->ranking.entries = NULL;
        for (int64_t i = 0; i < ranking->count && i < MOST_SHOWN; i++) {
            out->entry[i] = ranking->entries[i];
            out->entry[i].mapping = NULL;
            memcpy(out->mapping[i], ranking->entries[i].mapping,
                   (size_t)ranking->stages * sizeof *out->mapping[i]);
        }
        amoget_ranking_free(ranking);
    }
    out->cuts = ranker ? ranker->cut_count : 0;
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
    AmogetDescription *desc = lattice(9, 3), *serial = lattice(5, 4);
    agree(desc, AMOGET_BEST, 0, 0);
    agree(desc, AMOGET_BEST, 0, 8);
    cr_assert_eq(amoget_set_sharing(serial, AMOGET_SERIAL, NULL), PEPA_OK);
    agree(serial, AMOGET_BEST, 4, 0);
    amoget_free(desc);
    amoget_free(serial);
}
