/* Durations, generated models and explanations of single mappings against the oracle. */
#include "property/engine_run.h"
#include "property/mapping_laws.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>

typedef struct {
    int32_t mapping[MOST_MAPPING_STAGES];
    int parts;
    long double seconds[MOST_PARTS], throughput;
} Chosen;

static Chosen choose(MappingCase *each)
{
    Chosen c = {.parts = 2 * each->problem.stages + 1};
    random_mapping(&each->problem, &each->state, c.mapping);
    mapping_durations(&each->problem, c.mapping, c.seconds);
    c.throughput = mapping_throughput(each->problem.stages, c.seconds);
    return c;
}

/* ---- durations ---- */

static bool seconds_agree(const Chosen *want, const double *got, Text *why)
{
    for (int part = 0; part < want->parts; part++)
        if (!mapping_same(got[part], want->seconds[part], 1e-14L))
            return mapping_wrong(why, "part %d takes %.17g, not %.17Lg", part, got[part],
                                 want->seconds[part]);
    return true;
}

static bool durations(MappingCase *each, Text *why)
{
    bool agree = true;
    for (int time = 0; agree && time < 10; time++) {
        if (time > 0)
            mapping_change(each);
        Chosen want = choose(each);
        double got[MOST_PARTS];
        PepaError err = {0};
        if (amoget_durations(each->desc, want.mapping, got, &err) != PEPA_OK)
            agree = mapping_wrong(why, "%s", err.message);
        agree = agree && seconds_agree(&want, got, why);
        if (!agree)
            mapping_add(why, want.mapping, each->problem.stages);
    }
    return agree;
}

/* ---- models ---- */

static bool run_agrees(const MappingProblem *problem, const Chosen *want, const EngineRun *got,
                       Text *why)
{
    int states, transitions;
    mapping_chain_size(problem->stages, &states, &transitions);
    if (got->status != PEPA_OK)
        return mapping_wrong(why, "%s: %s", got->stage, got->err.message);
    if (got->info.states != states || got->info.transitions != transitions)
        return mapping_wrong(why, "%lld states, %lld transitions", (long long)got->info.states,
                             (long long)got->info.transitions);
    double found = engine_throughput(got, "process1");
    return mapping_same(found, want->throughput, 1e-9L) ||
           mapping_wrong(why, "throughput %.17g, not %.17Lg", found, want->throughput);
}

static bool model(MappingCase *each, Text *why)
{
    Chosen want = choose(each);
    char *text = NULL;
    PepaError err = {0};
    if (amoget_model(each->desc, want.mapping, &text, &err) != PEPA_OK)
        return mapping_wrong(why, "%s", err.message);
    EngineRun run = engine_run(text, NULL, NULL);
    bool agrees = run_agrees(&each->problem, &want, &run, why);
    if (!agrees)
        text_add(why, "\n%s", text);
    engine_run_free(&run);
    amoget_text_free(text);
    return agrees;
}

/* ---- explanations ---- */

/* Does the part depend on the resource? */
static bool uses(const MappingProblem *problem, const int32_t *mapping, int part,
                 const AmogetResource *resource)
{
    if (part % 2 == 1)
        return resource->kind == AMOGET_PROCESSOR && resource->a == mapping[part / 2];
    int from, to;
    mapping_move_ends(problem, mapping, part / 2, &from, &to);
    if (from == to)
        return resource->kind == AMOGET_WITHIN && resource->a == from;
    return resource->kind == AMOGET_LINK && ((resource->a == from && resource->b == to) ||
                                             (resource->a == to && resource->b == from));
}

/* The share of a part in the time per item by a difference quotient, d log C / d log s. */
static long double share_of(const Chosen *chosen, int part)
{
    const long double step = 1e-5L;
    long double log_time[2];
    for (int up = 0; up < 2; up++) {
        long double seconds[MOST_PARTS];
        for (int k = 0; k < chosen->parts; k++)
            seconds[k] = chosen->seconds[k];
        seconds[part] *= expl(up ? step : -step);
        log_time[up] = -logl(mapping_throughput(chosen->parts / 2, seconds));
    }
    return (log_time[1] - log_time[0]) / (2 * step);
}

/* Step squared, times a third derivative: far below. */
static const long double share_precision = 1e-8L;

static bool shares_agree(const Chosen *want, const AmogetExplanation *got, long double *share,
                         Text *why)
{
    double sum = 0;
    for (int part = 0; part < want->parts; part++) {
        share[part] = share_of(want, part);
        sum += got->share[part];
        if (!(got->share[part] >= 0) || fabsl(got->share[part] - share[part]) > share_precision)
            return mapping_wrong(why, "share of part %d: %.17g, not %.12Lg", part, got->share[part],
                                 share[part]);
    }
    return fabs(sum - 1) <= 1e-12 || mapping_wrong(why, "shares add up to %.17g", sum);
}

static bool resource_agrees(const MappingProblem *problem, const Chosen *want,
                            const long double *share, const AmogetResource *got, bool *seen,
                            Text *why)
{
    long double total = 0, seconds[MOST_PARTS];
    bool used = false;
    for (int part = 0; part < want->parts; part++) {
        bool here = uses(problem, want->mapping, part, got);
        if (here && seen[part])
            return mapping_wrong(why, "part %d belongs to two resources", part);
        used = used || here;
        seen[part] = seen[part] || here;
        total += here ? share[part] : 0;
        seconds[part] = want->seconds[part] / (here ? 2 : 1);
    }
    long double doubled = mapping_throughput(problem->stages, seconds);
    if (used && fabsl(got->share - total) <= share_precision &&
        mapping_same(got->doubled, doubled, 1e-9L) &&
        (got->kind == AMOGET_LINK || got->a == got->b))
        return true;
    return mapping_wrong(why,
                         "resource of kind %d, %d and %d: share %.17g, doubled %.17g; it should be "
                         "%.12Lg, %.17Lg",
                         got->kind, got->a, got->b, got->share, got->doubled, total, doubled);
}

static bool resources_agree(const MappingProblem *problem, const Chosen *want,
                            const long double *share, const AmogetExplanation *got, Text *why)
{
    bool seen[MOST_PARTS] = {false};
    for (int32_t i = 0; i < got->resource_count; i++) {
        if (!resource_agrees(problem, want, share, &got->resources[i], seen, why))
            return false;
        if (i > 0 && got->resources[i].share > got->resources[i - 1].share)
            return mapping_wrong(why, "resource %d has more than the one before it", i);
    }
    for (int part = 0; part < want->parts; part++)
        if (!seen[part])
            return mapping_wrong(why, "part %d belongs to no resource", part);
    return true;
}

static bool explanation_agrees(const MappingProblem *problem, const Chosen *want,
                               const AmogetExplanation *got, Text *why)
{
    long double share[MOST_PARTS];
    if (got->parts != want->parts)
        return mapping_wrong(why, "%d parts", got->parts);
    if (!mapping_same(got->throughput, want->throughput, 1e-9L))
        return mapping_wrong(why, "throughput %.17g, not %.17Lg", got->throughput,
                             want->throughput);
    if (!(got->solution.residual <= got->solution.tolerance))
        return mapping_wrong(why, "residual %g", got->solution.residual);
    return seconds_agree(want, got->seconds, why) && shares_agree(want, got, share, why) &&
           resources_agree(problem, want, share, got, why);
}

static bool explain(MappingCase *each, Text *why)
{
    AmogetRanker *ranker = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_ranker_new(&ranker, each->desc, NULL, &err), PEPA_OK, "%s", err.message);
    bool agrees = true;
    for (int time = 0; agrees && time < 2; time++) {
        if (time > 0)
            mapping_change(each);
        Chosen want = choose(each);
        AmogetExplanation *got = NULL;
        if (amoget_explain(ranker, want.mapping, NULL, &got, &err) != PEPA_OK)
            agrees = mapping_wrong(why, "%s", err.message);
        agrees = agrees && explanation_agrees(&each->problem, &want, got, why);
        if (!agrees)
            mapping_add(why, want.mapping, each->problem.stages);
        amoget_explanation_free(got);
    }
    amoget_ranker_free(ranker);
    return agrees;
}

/* ---- all of them ---- */

static const MappingLaw law[] = {{"durations", durations, 400, 1, 4, MOST_MAPPINGS},
                                 {"model", model, 250, 1, 4, MOST_MAPPINGS},
                                 {"explain", explain, 250, 1, 4, MOST_MAPPINGS}};
enum { LAWS = sizeof law / sizeof *law };

/* Parameters travel to another process, where functions may have other addresses: numbers only. */
ParameterizedTestParameters(amoget, mappings)
{
    return seeds_shards(LAWS);
}

ParameterizedTest(int *each, amoget, mappings)
{
    mapping_law_holds(&law[*each / SHARDS], *each % SHARDS);
}
