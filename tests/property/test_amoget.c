/* Rankings of mappings against full enumeration. */
#include "property/mapping_laws.h"
#include "property/random_model.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- the library's answer ---- */

static AmogetSettings settings(AmogetSearch search, int64_t top)
{
    AmogetSettings set = {0};
    set.search = search;
    set.top = top;
    return set;
}

/* NULL: why says what went wrong. */
static AmogetRanking *ask(AmogetRanker *ranker, const AmogetSettings *set, Text *why)
{
    AmogetRanking *ranking = NULL;
    PepaError err = {0};
    if (amoget_rank(ranker, set, &ranking, &err) != PEPA_OK)
        (void)mapping_wrong(why, "ranking: %s", err.message);
    return ranking;
}

static AmogetRanker *ranker_of(const AmogetDescription *desc, const AmogetSettings *set)
{
    AmogetRanker *ranker = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_ranker_new(&ranker, desc, set, &err), PEPA_OK, "%s", err.message);
    return ranker;
}

static AmogetRanking *ask_afresh(const AmogetDescription *desc, const AmogetSettings *set,
                                 Text *why)
{
    AmogetRanker *ranker = ranker_of(desc, set);
    AmogetRanking *ranking = ask(ranker, set, why);
    amoget_ranker_free(ranker);
    return ranking;
}

/* ---- against the oracle's ---- */

static bool entry_agrees(const MappingProblem *problem, const MappingEntry *want,
                         const AmogetEntry *got, Text *why)
{
    if (memcmp(got->mapping, want->mapping, (size_t)problem->stages * sizeof *got->mapping) == 0 &&
        mapping_same(got->throughput, want->throughput, 1e-9L) &&
        got->processors == want->processors && got->rank == want->rank &&
        !got->tied == !want->tied && fabs(got->stands_for - want->stands_for) < 0.5)
        return true;
    mapping_add(why, got->mapping, problem->stages);
    text_add(why, " %.17g, processors %d, rank %d, tied %d, stands for %g; it should be ",
             got->throughput, got->processors, got->rank, got->tied, got->stands_for);
    mapping_add(why, want->mapping, problem->stages);
    return mapping_wrong(why, " %.17Lg, %d, %d, %d, %d", want->throughput, want->processors,
                         want->rank, want->tied, want->stands_for);
}

/* Where rounding to 9 digits may go either way, the order may, too: then each is at least as good
 * as what should stand there. */
static bool entries_agree(const MappingProblem *problem, const MappingRanking *want,
                          const AmogetRanking *got, Text *why)
{
    if (got->count != want->count)
        return mapping_wrong(why, "%lld entries; there should be %d", (long long)got->count,
                             want->count);
    for (int i = 0; i < want->count; i++) {
        const MappingEntry *there = &want->entry[i];
        if (want->clear && !entry_agrees(problem, there, &got->entries[i], why))
            return mapping_wrong(why, "at place %d of %d", i, want->count);
        if (!want->clear && !mapping_same(got->entries[i].throughput, there->throughput, 2e-8L))
            return mapping_wrong(why, "%.17g at place %d, not %.17Lg", got->entries[i].throughput,
                                 i, there->throughput);
    }
    return true;
}

static bool summary_agrees(const MappingProblem *problem, double candidates, long double best,
                           const AmogetRanking *got, Text *why)
{
    int states, transitions;
    mapping_chain_size(problem->stages, &states, &transitions);
    if (got->stages != problem->stages || got->states != states || got->transitions != transitions)
        return mapping_wrong(why, "stages %d, states %d, transitions %lld", got->stages,
                             got->states, (long long)got->transitions);
    if (fabs(got->candidates - candidates) > 0 ||
        fabs(got->solved + got->pruned - candidates) > 0 || got->solved < 1 || got->pruned < 0 ||
        (got->search != AMOGET_BEST && got->pruned > 0))
        return mapping_wrong(why, "%s: %g candidates, %g solved, %g pruned; there are %g",
                             amoget_search_name(got->search), got->candidates, got->solved,
                             got->pruned, candidates);
    if (!got->optimal || !mapping_same(got->bound, best, 1e-8L))
        return mapping_wrong(why, "%s: optimal %d, bound %.17g; the best is %.17Lg",
                             amoget_search_name(got->search), got->optimal, got->bound, best);
    return true;
}

/* All mappings under `search`, the best `top` of them (0: as many as come unasked). */
static bool search_agrees(const MappingProblem *problem, const AmogetRanking *got, int64_t top,
                          Text *why)
{
    static MappingRanking want;
    if (got->search == AMOGET_BEST)
        mapping_rank_classes(problem, &want);
    else
        mapping_rank_all(problem, &want);
    if (got->search == AMOGET_BEST || top > 0)
        mapping_cut(&want, top > 0 ? (int)top : 1);
    double candidates = pow(problem->processors, problem->stages);
    return summary_agrees(problem, candidates, want.entry[0].throughput, got, why) &&
           entries_agree(problem, &want, got, why);
}

static bool searched(MappingCase *each, AmogetSearch search, Text *why)
{
    static const int64_t some[] = {0, 0, 1, 2, 3, 7, 1000};
    AmogetSettings set = settings(search, some[random_below(&each->state, 7)]);
    AmogetRanking *got = ask_afresh(each->desc, &set, why);
    bool agrees = got && search_agrees(&each->problem, got, set.top, why);
    if (agrees && search != AMOGET_AUTO && got->search != search)
        agrees = mapping_wrong(why, "carried out as %s", amoget_search_name(got->search));
    amoget_ranking_free(got);
    return agrees;
}

static bool all(MappingCase *each, Text *why)
{
    return searched(each, AMOGET_ALL, why);
}

static bool best(MappingCase *each, Text *why)
{
    return searched(each, AMOGET_BEST, why);
}

static bool unasked(MappingCase *each, Text *why)
{
    return searched(each, AMOGET_AUTO, why);
}

/* The library's own enumeration, from which what differs by exchanging alike processors goes. */
static void classes_of(const MappingProblem *problem, const AmogetRanking *from, MappingRanking *to)
{
    to->count = (int)from->count;
    to->clear = true;
    for (int i = 0; i < to->count; i++) {
        const AmogetEntry *entry = &from->entries[i];
        to->entry[i] = (MappingEntry){.throughput = entry->throughput,
                                      .processors = entry->processors,
                                      .rank = entry->rank,
                                      .stands_for = 1};
        memcpy(to->entry[i].mapping, entry->mapping, (size_t)from->stages * sizeof *entry->mapping);
    }
    mapping_keep_classes(problem, to);
}

/* The search by bounds against it: for lines too long for the oracle, and where the oracle does not
 * say what is tied. */
static bool best_of_enumerated(MappingCase *each, Text *why)
{
    static MappingRanking want;
    AmogetSettings every = settings(AMOGET_ALL, 0);
    AmogetSettings few = settings(AMOGET_BEST, (int64_t)random_below(&each->state, 6));
    AmogetRanking *enumerated = ask_afresh(each->desc, &every, why);
    AmogetRanking *got = ask_afresh(each->desc, &few, why);
    bool agrees = enumerated && got;
    if (agrees) {
        classes_of(&each->problem, enumerated, &want);
        mapping_cut(&want, few.top > 0 ? (int)few.top : 1);
        agrees = summary_agrees(&each->problem, enumerated->candidates, want.entry[0].throughput,
                                got, why) &&
                 entries_agree(&each->problem, &want, got, why);
    }
    amoget_ranking_free(enumerated);
    amoget_ranking_free(got);
    return agrees;
}

/* Throughputs that 9 digits may or may not tell apart: the library has to decide everywhere alike.
 */
static bool near_ties(MappingCase *each, Text *why)
{
    MappingProblem *problem = &each->problem;
    for (int j = 0; j < problem->processors; j++)
        problem->time[j] *= 1 + 3e-10 * (double)random_below(&each->state, 6);
    for (int i = 0; i < problem->stages; i++)
        problem->work[i] *= 1 + 3e-10 * (double)random_below(&each->state, 2);
    mapping_set_numbers(each->desc, problem);
    return best_of_enumerated(each, why);
}

/* ---- mappings that the description lists ---- */

enum { MOST_LISTED = 8 };

/* Some of them twice. */
static int list_some(MappingCase *each, int32_t *mappings)
{
    int count = 1 + (int)random_below(&each->state, MOST_LISTED), stages = each->problem.stages;
    PepaError err = {0};
    for (int i = 0; i < count; i++) {
        int32_t *mapping = mappings + (ptrdiff_t)i * stages;
        random_mapping(&each->problem, &each->state, mapping);
        if (i > 0 && random_below(&each->state, 3) == 0)
            memcpy(mapping, mappings, (size_t)stages * sizeof *mapping);
        cr_assert_eq(amoget_add_mapping(each->desc, mapping, &err), PEPA_OK, "%s", err.message);
    }
    return count;
}

static bool listed(MappingCase *each, Text *why)
{
    static MappingRanking want;
    int32_t mappings[MOST_LISTED * MOST_MAPPING_STAGES];
    int count = list_some(each, mappings);
    AmogetSettings set =
        settings(random_below(&each->state, 2) ? AMOGET_AUTO : AMOGET_LISTED,
                 random_below(&each->state, 2) ? 0 : (int64_t)random_below(&each->state, 9));
    mapping_rank(&each->problem, mappings, count, &want);
    if (set.top > 0)
        mapping_cut(&want, (int)set.top);
    AmogetRanking *got = ask_afresh(each->desc, &set, why);
    bool agrees = got &&
                  summary_agrees(&each->problem, count, want.entry[0].throughput, got, why) &&
                  entries_agree(&each->problem, &want, got, why);
    if (agrees && got->search != AMOGET_LISTED)
        agrees = mapping_wrong(why, "carried out as %s", amoget_search_name(got->search));
    amoget_ranking_free(got);
    return agrees;
}

/* ---- the same question asked otherwise ---- */

static bool same_entries(const AmogetRanking *a, const AmogetRanking *b, double precision,
                         Text *why)
{
    if (a->count != b->count)
        return mapping_wrong(why, "%lld and %lld entries", (long long)a->count,
                             (long long)b->count);
    for (int64_t i = 0; i < a->count; i++) {
        const AmogetEntry *x = &a->entries[i], *y = &b->entries[i];
        if (memcmp(x->mapping, y->mapping, (size_t)a->stages * sizeof *x->mapping) == 0 &&
            mapping_same(x->throughput, y->throughput, precision) &&
            x->processors == y->processors && x->rank == y->rank && x->tied == y->tied &&
            fabs(x->stands_for - y->stands_for) <= 0)
            continue;
        mapping_add(why, x->mapping, a->stages);
        mapping_add(why, y->mapping, a->stages);
        return mapping_wrong(why,
                             ": place %lld, %.17g and %.17g, processors %d and %d, rank %d and %d",
                             (long long)i, x->throughput, y->throughput, x->processors,
                             y->processors, x->rank, y->rank);
    }
    return true;
}

/* To the last bit, but for the time taken. */
static bool same_rankings(const AmogetRanking *a, const AmogetRanking *b, Text *why)
{
    if (a->search != b->search || a->stages != b->stages || a->states != b->states ||
        a->transitions != b->transitions || a->chains != b->chains || a->optimal != b->optimal ||
        fabs(a->candidates - b->candidates) > 0 || fabs(a->solved - b->solved) > 0 ||
        fabs(a->pruned - b->pruned) > 0 || fabs(a->bound - b->bound) > 0)
        return mapping_wrong(
            why,
            "solved %g and %g, pruned %g and %g, chains %lld and %lld, bound %.17g "
            "and %.17g",
            a->solved, b->solved, a->pruned, b->pruned, (long long)a->chains, (long long)b->chains,
            a->bound, b->bound);
    return same_entries(a, b, 0, why);
}

static AmogetSearch some_search(MappingCase *each)
{
    return random_below(&each->state, 2) ? AMOGET_BEST : AMOGET_ALL;
}

static bool threads(MappingCase *each, Text *why)
{
    AmogetSettings one = settings(some_search(each), (int64_t)random_below(&each->state, 4));
    if (random_below(&each->state, 4) == 0) {
        int32_t mappings[MOST_LISTED * MOST_MAPPING_STAGES];
        (void)list_some(each, mappings);
        one.search = AMOGET_LISTED;
    }
    AmogetSettings two = one;
    one.threads = 1;
    two.threads = 2;
    AmogetRanking *a = ask_afresh(each->desc, &one, why), *b = ask_afresh(each->desc, &two, why);
    bool agree = a && b && same_rankings(a, b, why);
    amoget_ranking_free(a);
    amoget_ranking_free(b);
    return agree;
}

/* A ranker that has answered before gives what a fresh one gives; how much it has to do for it may
 * differ, and the last bits of what it finds. */
static bool asked_again(MappingCase *each, Text *why)
{
    AmogetSettings set = settings(some_search(each), (int64_t)random_below(&each->state, 4));
    AmogetRanker *ranker = ranker_of(each->desc, &set);
    bool agree = true;
    for (int time = 0; agree && time < 4; time++) {
        if (time > 0)
            mapping_change(each);
        AmogetRanking *again = ask(ranker, &set, why), *fresh = ask_afresh(each->desc, &set, why);
        agree = again && fresh && same_entries(again, fresh, 1e-12, why) &&
                search_agrees(&each->problem, again, set.top, why);
        amoget_ranking_free(again);
        amoget_ranking_free(fresh);
        if (!agree)
            text_add(why, "(time %d, top %lld)", time, (long long)set.top);
    }
    amoget_ranker_free(ranker);
    return agree;
}

static void scale_pairs(MappingPairs *pairs, double by)
{
    pairs->local *= by;
    pairs->every *= by;
    for (int a = 0; a < MOST_MAPPING_PROCESSORS; a++)
        for (int b = 0; b < MOST_MAPPING_PROCESSORS; b++)
            pairs->pair[a][b] *= by;
}

/* All times and sizes by the same factor: the same ranking, and throughputs divided by it. */
static bool scaling(MappingCase *each, Text *why)
{
    static const double factor[] = {0.001, 0.3, 2, 3.7, 1024};
    double by = factor[random_below(&each->state, 5)];
    AmogetSettings set = settings(some_search(each), (int64_t)random_below(&each->state, 4));
    MappingProblem scaled = each->problem;
    scale_pairs(&scaled.latency, by);
    for (int j = 0; j < scaled.processors; j++)
        scaled.time[j] *= by;
    for (int k = 0; k <= scaled.stages; k++)
        scaled.output[k] *= by;
    AmogetRanking *before = ask_afresh(each->desc, &set, why);
    mapping_set_numbers(each->desc, &scaled);
    AmogetRanking *after = ask_afresh(each->desc, &set, why);
    bool agree = before && after && before->count == after->count;
    for (int64_t i = 0; agree && i < before->count; i++)
        if (!mapping_same(after->entries[i].throughput * by, before->entries[i].throughput, 2e-9L))
            agree = mapping_wrong(why, "place %lld: %.17g, times %g %.17g", (long long)i,
                                  before->entries[i].throughput, by, after->entries[i].throughput);
    amoget_ranking_free(before);
    amoget_ranking_free(after);
    return agree;
}

/* ---- all of them ---- */

static const MappingLaw law[] = {{"all", all, 500, 1, 4, 125},
                                 {"all of many", all, 20, 4, 4, MOST_MAPPINGS},
                                 {"best", best, 900, 1, 4, 125},
                                 {"best of many", best, 30, 4, 4, MOST_MAPPINGS},
                                 {"best of long lines", best_of_enumerated, 40, 5, 6, 243},
                                 {"near ties", near_ties, 300, 1, 4, 81},
                                 {"unasked", unasked, 100, 1, 4, 125},
                                 {"listed", listed, 400, 1, 4, MOST_MAPPINGS},
                                 {"threads", threads, 300, 1, 4, 125},
                                 {"asked again", asked_again, 200, 1, 4, 81},
                                 {"scaling", scaling, 200, 1, 4, 125}};
enum { LAWS = sizeof law / sizeof *law };

/* Parameters travel to another process, where functions may have other addresses: numbers only. */
ParameterizedTestParameters(amoget, rankings)
{
    return seeds_shards(LAWS);
}

ParameterizedTest(int *each, amoget, rankings)
{
    mapping_law_holds(&law[*each / SHARDS], *each % SHARDS);
}

/* Else the laws above would have looked at little. */
Test(amoget, problems_with_an_order_of_their_own)
{
    enum { TRIED = 200 };
    static MappingRanking ranking;
    int clear = 0, tied = 0, alike = 0;
    for (uint64_t seed = 1; seed <= TRIED; seed++) {
        MappingProblem problem = random_mapping_problem(seed, 1, 4, 81);
        mapping_rank_classes(&problem, &ranking);
        clear += ranking.clear;
        tied += ranking.entry[0].tied;
        alike += ranking.entry[0].stands_for > 1;
    }
    cr_expect(clear > TRIED * 9 / 10, "%d clear", clear);
    cr_expect(tied > TRIED / 20, "%d tied at the top", tied);
    cr_expect(alike > TRIED / 20, "%d stand for others", alike);
}
