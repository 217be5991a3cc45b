/* Random models: the measures of the lumped chain are those of the chain; a chain whose copies are
 * kept apart, and one explored as sets, lump to as many blocks as the aggregated one. */
#include "pepa_lump.h"

#include "property/engine_run.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MODELS = 400, STATES = 400 };

static PepaChain *derive(const PepaModel *model, int separate, PepaExplore explore)
{
    const PepaSettings set = {
        .derive = {.separate_copies = separate, .explore = explore, .max_states = 4 * STATES}};
    PepaChain *chain = NULL;
    return pepa_chain_derive(&chain, model, &set, NULL) == PEPA_OK ? chain : NULL;
}

/* Some of the throughputs and populations, chosen by the seed. */
static PepaMeasures *some_measures(const PepaModel *model, const PepaChain *chain, uint64_t seed)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    Text text = {0};
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    for (int32_t a = 0; a < info.actions; a++)
        if (seed >> (a % 5) & 1)
            text_add(&text, "throughput:\"%s\"\n", pepa_chain_action_name(chain, a));
    for (int32_t l = 0; l < info.local_states; l++)
        if (seed >> (l % 7 + 1) & 1)
            text_add(&text, "population:\"%s\"\n", pepa_chain_local_name(chain, l));
    cr_assert_eq(pepa_measures_new(&measures, model, &err) ||
                     pepa_measures_add(measures, "some", text.text, text.length, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    text_free(&text);
    return measures;
}

/* *blocks: of the lumped chain.  Where the chain itself cannot be solved, there is nothing to
 * compare. */
static bool values_agree(const PepaChain *chain, const PepaMeasures *measures, int64_t *blocks,
                         Text *why)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    const size_t count = (size_t)pepa_measures_count(measures);
    const PepaSettings set = engine_settings();
    PepaLumping *lumping = NULL;
    PepaError err = {0};
    double *pi = mem_calloc((size_t)info.states, sizeof *pi);
    double *value = mem_calloc(2 * count + 1, sizeof *value), *want = value + count;
    PepaStatus lumped = pepa_lumping_new(&lumping, chain, measures, &set, &err);
    bool right = lumped == PEPA_OK;
    if (!right)
        (void)engine_differs(why, "lumping: %s", err.message);
    *blocks = right ? pepa_lumping_info(lumping).blocks : -1;
    if (right && *blocks > info.states)
        right = engine_differs(why, "%lld blocks", (long long)*blocks);
    if (right)
        lumped = pepa_lumping_solve(lumping, &set, NULL, value, NULL, &err);
    PepaStatus whole = pepa_solve_steady(chain, &set, pi, NULL, NULL);
    if (right && whole == PEPA_OK && lumped != PEPA_OK)
        right = engine_differs(why, "solving: %s", err.message);
    if (right && whole == PEPA_OK)
        right = pepa_measures_values(measures, chain, pi, want, NULL) == PEPA_OK;
    for (size_t i = 0; i < count && right && whole == PEPA_OK; i++)
        if (!engine_same(value[i], want[i]))
            right = engine_differs(why, "%s: lumped %.17g, should be %.17g",
                                   pepa_measures_name(measures, (int32_t)i), value[i], want[i]);
    pepa_lumping_free(lumping);
    mem_free_all(pi, value);
    return right;
}

static bool all_agree(const PepaModel *model, const PepaChain *chain, uint64_t seed, Text *why)
{
    PepaMeasures *measures = some_measures(model, chain, seed);
    int64_t blocks, others;
    bool right = values_agree(chain, measures, &blocks, why);
    for (int form = 0; form < 3 && right; form++) {
        PepaChain *other = derive(model, form != 1, form == 0 ? PEPA_EXPLICIT : PEPA_SYMBOLIC);
        right = !other || values_agree(other, measures, &others, why);
        if (right && other && others != blocks)
            right = engine_differs(why, "%lld blocks, and %lld in form %d", (long long)blocks,
                                   (long long)others, form);
        pepa_chain_free(other);
    }
    pepa_measures_free(measures);
    return right;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel random = seeds_model(seed, STATES);
    Text text = ref_model_print(&random, (RefPrinting){0}), why = {0};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    if (pepa_model_parse(&model, "random", text.text, text.length, NULL, NULL) == PEPA_OK)
        chain = derive(model, 0, PEPA_EXPLICIT);
    if (chain && !all_agree(model, chain, seed * 2654435761u >> 7, &why))
        seeds_fail(all, seed, why.text ? why.text : "", text.text);
    pepa_chain_free(chain);
    pepa_model_free(model);
    text_free(&text);
    text_free(&why);
    ref_model_free(&random);
}

SHARDED_TEST(lump, random_models)
{
    seeds_check(*shard, MODELS, check);
}
