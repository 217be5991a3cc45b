/* Whichever way the engine is made to go, the answer is right, or none is given and the error says
 * why. */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "family_text.h"
#include "pepa_evidence.h"
#include "property/exact.h"
#include "property/forcing.h"
#include "property/seeds.h"

enum { MODELS = 2400, LARGE = 150, TIMES = 16, ENOUGH = 600, MANY = 20000 };

typedef struct {
    EngineRun plain; /* one by one, nothing forced */
    Exact exact;
    PepaSettings set;
    PepaEvidence evidence;
    int64_t runs, answers, taken[FORCED];
    Text *why;
} Trial;

/* ---- what may come of it --------------------------------------------------------------------- */

/* A failure has a reason that was forced, and an error that says so. */
static bool excused(const Trial *t, const EngineRun *run)
{
    const int64_t sets =
        forcing_count(FORCE_COSTLY) + forcing_count(FORCE_ALONE) + forcing_count(FORCE_SETS_MEMORY);
    const int64_t memory = forcing_count(FORCE_MEMORY), fill = forcing_count(FORCE_FILL);
    const int64_t iterations = forcing_count(FORCE_STALL) + forcing_count(FORCE_ITERATIONS);
    const bool chosen = t->set.solve.method != PEPA_AUTO;
    bool may = run->status == PEPA_ELIMIT
                   ? memory > 0 ||
                         (!run->chain && (sets > 0 || t->set.derive.explore == PEPA_SYMBOLIC ||
                                          forcing_most_one_by_one() < 100)) ||
                         (chosen && fill > 0)
                   : run->status == PEPA_ENOCONV && (iterations > 0 || memory > 0 || chosen ||
                                                     forcing_count(FORCE_VISITS) > 0);
    if (may && run->err.code == run->status && run->err.message[0])
        return true;
    return engine_differs(t->why, "%s, %s: %s", pepa_status_text(run->status), run->stage,
                          run->err.message);
}

/* Each method that stopped short is in the trail; where there is no answer, no entry gave it. */
static bool well_told(const Trial *t, const EngineRun *run)
{
    const PepaSolveEvidence *e = &t->evidence.solve;
    const PepaDeriveEvidence *d = &t->evidence.derive;
    if ((d->explored == PEPA_EXPLORED_ABANDONED) != (d->abandoned != PEPA_SEARCH_NOT_ABANDONED) &&
        d->explored != PEPA_EXPLORED_REQUESTED && d->explored != PEPA_EXPLORED_AFTER_ALL &&
        d->explored != PEPA_EXPLORED_FEW)
        return engine_differs(t->why, "explored as %d, abandoned as %d", d->explored, d->abandoned);
    if ((d->explored == PEPA_EXPLORED_SHARED || d->explored == PEPA_EXPLORED_AFTER_ALL) !=
            (run->info.symbolic != 0) &&
        d->explored != PEPA_EXPLORED_REQUESTED)
        return engine_differs(t->why, "as sets: %d, explored as %d", run->info.symbolic,
                              d->explored);
    if (run->status != PEPA_OK)
        return true;
    if (e->attempts > 0 &&
        (e->answer < 0 || !(e->attempt[e->answer].residual <= run->solver.tolerance) ||
         strcmp(e->attempt[e->answer].method, run->solver.method) != 0))
        return engine_differs(t->why, "entry %d of %d gave the answer of %s", e->answer,
                              e->attempts, run->solver.method);
    const char *more = strstr(run->solver.trail, "; and so on");
    const bool cut = more || strlen(run->solver.trail) + 1 == sizeof run->solver.trail;
    for (int32_t i = 0; i < e->attempts && i < PEPA_MOST_ATTEMPTS && !cut; i++) {
        const PepaAttempt *a = &e->attempt[i];
        if ((a->end == PEPA_ENDED_STALLED || a->end == PEPA_ENDED_ITERATIONS) && i != e->answer &&
            !strstr(run->solver.trail, a->method))
            return engine_differs(t->why, "the trail `%s` lacks %s", run->solver.trail, a->method);
    }
    return true;
}

/* As near as the residual allows, and to 1e-8 unless the answer comes with a caution.
 * Probabilities of ending in each component by visits have an error of their own. */
static bool is_right(const Trial *t, const EngineRun *run, const int32_t *place)
{
    const long double most = 1e-8L;
    Text why = {0};
    Miss miss;
    bool right = exact_answer(&t->exact, run, place, &miss, &why) ||
                 (forcing_count(FORCE_VISITS) > 0 && miss.distance <= most);
    if (!right)
        text_add(t->why, "%s", why.text);
    text_free(&why);
    if (!right || miss.distance <= most || run->solver.caution[0])
        return right;
    return engine_differs(t->why, "off by %Lg", miss.distance);
}

static bool run_forced(Trial *t, const char *text, uint64_t seed)
{
    t->runs++;
    t->set.evidence = &t->evidence;
    forcing_begin(seed);
    EngineRun run = engine_run(text, NULL, &t->set);
    bool right = run.status == PEPA_OK || excused(t, &run);
    forcing_end(t->taken);
    if (right && run.chain) {
        int32_t *place = mem_alloc(t->exact.n, sizeof *place);
        if (!place)
            abort();
        t->answers += run.status == PEPA_OK;
        right = exact_match(&t->exact, &run, place, t->why) && well_told(t, &run) &&
                (run.status != PEPA_OK || is_right(t, &run, place));
        mem_free(place);
    }
    if (!right) {
        text_add(t->why,
                 "\n(explore %d, copies apart %d, by %s, seed of forcing %" PRIu64 "; %s; %s)\n",
                 t->set.derive.explore, t->set.derive.separate_copies,
                 pepa_method_name(t->set.solve.method), seed,
                 run.solver.method ? run.solver.method : "", run.solver.trail);
        for (int k = 0; k < FORCED; k++)
            if (forcing_count((Force)k))
                text_add(t->why, "%s %" PRId64 ", ", force_name[k], forcing_count((Force)k));
    }
    engine_run_free(&run);
    return right;
}

/* ---- ways ------------------------------------------------------------------------------------ */

static const PepaExplore ways[] = {PEPA_EXPLORE_AUTO, PEPA_EXPLORE_AUTO, PEPA_EXPLORE_AUTO,
                                   PEPA_SYMBOLIC,     PEPA_SYMBOLIC,     PEPA_EXPLICIT};

/* One model, forced again and again.  False: t->why. */
static bool model_holds(Trial *t, const char *text, uint64_t seed)
{
    bool right = true;
    for (int apart = 0; apart < 2 && right; apart++) {
        PepaSettings plain = {.derive.separate_copies = apart, .solve.tolerance = 1e-12};
        t->plain = engine_run(text, NULL, &plain);
        if (t->plain.status != PEPA_OK) {
            engine_run_free(&t->plain);
            return true;
        }
        exact_new(&t->exact, &t->plain);
        for (int k = 0; k < TIMES / 2 && right; k++) {
            uint64_t state = seed * 1000 + (uint64_t)(k + TIMES * apart);
            t->set = (PepaSettings){.memory = INT64_C(1) << 40};
            t->set.derive.separate_copies = apart;
            t->set.derive.explore = ways[random_below(&state, sizeof ways / sizeof *ways)];
            t->set.solve.tolerance = 1e-12;
            t->set.solve.max_iter = 3000;
            if (random_below(&state, 5) == 0)
                t->set.solve.method = (PepaMethod)random_below(&state, PEPA_METHOD_COUNT);
            right = run_forced(t, text, state);
        }
        exact_free(&t->exact);
        engine_run_free(&t->plain);
    }
    return right;
}

/* No decision is left out, and many runs end with an answer. */
static void expect_use(const Trial *t, int64_t enough)
{
    cr_log_info("%" PRId64 " answers of %" PRId64, t->answers, t->runs);
    for (int k = 0; k < FORCED; k++) {
        cr_log_info("%-26s %" PRId64, force_name[k], t->taken[k]);
        cr_expect(t->runs < enough || t->taken[k] > 0, "never forced: %s", force_name[k]);
    }
    cr_expect(t->runs < enough || 3 * t->answers > t->runs, "%" PRId64 " answers of %" PRId64,
              t->answers, t->runs);
}

SHARDED_TEST(forcing, random_models)
{
    Seeds all = seeds(*shard, MODELS);
    Trial t = {0};
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel model = seeds_model(seed, LARGE);
        Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
        t.why = &why;
        if (!model_holds(&t, text.text, seed))
            seeds_fail(&all, seed, why.text, text.text);
        text_free(&why);
        text_free(&text);
        ref_model_free(&model);
    }
    cr_assert(all.failures == 0);
    expect_use(&t, MANY);
}

/* Whatever the scale: every decision is forced on these, so that none is left out for want of
 * models that have it. */
Test(forcing, families)
{
    static const char *const texts[] = {
        "P = (a, 1).Q + (c, 1e-7).R; Q = (b, 2).P; R = (d, 1).S;\n"
        "S = (e, 2).R + (f, 3e-7).P; X = (g, 1).Y; Y = (h, 1).X; P || X || X[3]",
        "P = (a, 1).Q + (b, 3).R; Q = (c, 1).Q; R = (d, 1).S; S = (e, 2).R; P || P || P",
    };
    static const char *const families[] = {"pipeline 4", "clients 5", "tandem 7",   "kanban 1",
                                           "polling 4",  "cluster 1", "webserver 1"};
    Trial t = {0};
    for (uint64_t round = 0; round < 5; round++) {
        Text why = {0};
        t.why = &why;
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            cr_assert(model_holds(&t, family_text(families[i]), 100 * round + i), "%s: %s",
                      families[i], why.text);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            cr_assert(model_holds(&t, texts[i], 100 * round + 50 + i), "%s: %s", texts[i],
                      why.text);
        text_free(&why);
    }
    cr_assert_geq(t.runs, ENOUGH);
    expect_use(&t, ENOUGH);
}
