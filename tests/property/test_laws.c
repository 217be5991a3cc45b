/* What must stay the same when a model is written, scaled, explored or solved otherwise. */
#include "property/engine_run.h"
#include "property/oracle.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MODELS = 1000, LARGE = 300 };

/* A law compares runs of one model's text; false: why says what differs. */
typedef bool (*Law)(const RefModel *model, const char *text, Text *why);

static bool same_shape(const EngineRun *a, const EngineRun *b, Text *why)
{
    if (a->status != PEPA_OK || b->status != PEPA_OK ||
        (a->info.states == b->info.states && a->info.transitions == b->info.transitions &&
         a->info.deadlocks == b->info.deadlocks &&
         a->info.bottom_components == b->info.bottom_components))
        return true;
    return engine_differs(why, "%lld states and %lld transitions, then %lld and %lld",
                          (long long)a->info.states, (long long)a->info.transitions,
                          (long long)b->info.states, (long long)b->info.transitions);
}

typedef bool (*Agree)(const EngineRun *a, const EngineRun *b, double scale, Text *why);

static bool reprinted(const RefModel *model, const char *text, RefPrinting how, Agree agree,
                      Text *why)
{
    Text other = ref_model_print(model, how);
    EngineRun a = engine_run(text, NULL, NULL), b = engine_run(other.text, NULL, NULL);
    bool holds = agree(&a, &b, how.scale > 0 ? how.scale : 1, why) && same_shape(&a, &b, why);
    engine_run_free(&a);
    engine_run_free(&b);
    text_free(&other);
    return holds;
}

/* P <L> Q is Q <L> P; terms without a name of their own are numbered otherwise in it. */
static bool symmetry(const RefModel *model, const char *text, Text *why)
{
    return reprinted(model, text, (RefPrinting){.mirror = true}, engine_throughputs_agree, why);
}

/* All active rates times c: the same distribution, throughputs times c. */
static bool scaling(const RefModel *model, const char *text, Text *why)
{
    return reprinted(model, text, (RefPrinting){.scale = 3.7}, engine_runs_agree, why);
}

static bool aggregation(const RefModel *model, const char *text, Text *why)
{
    (void)model;
    PepaSettings counted = engine_settings(), apart = engine_settings();
    counted.derive.separate_copies = 0;
    apart.derive.separate_copies = 1;
    EngineRun a = engine_run(text, NULL, &counted), b = engine_run(text, NULL, &apart);
    bool agree = engine_runs_agree(&a, &b, 1, why);
    if (agree && a.status == PEPA_OK && a.info.states > b.info.states)
        agree = engine_differs(why, "%lld states, %lld apart", (long long)a.info.states,
                               (long long)b.info.states);
    engine_run_free(&a);
    engine_run_free(&b);
    return agree;
}

static bool same_bytes(const EngineRun *a, const EngineRun *b, Text *why)
{
    if (a->status != PEPA_OK || memcmp(a->pi, b->pi, (size_t)a->info.states * sizeof *a->pi) == 0)
        return true;
    return engine_differs(why, "%s: pi is not the same to the last bit", a->solver.method);
}

/* The number of threads and the run do not show in the result. */
static bool determinism(const RefModel *model, const char *text, Text *why)
{
    (void)model;
    PepaSettings one = engine_settings(), many = engine_settings();
    many.threads = 3;
    EngineRun a = engine_run(text, NULL, &one), b = engine_run(text, NULL, &many);
    bool agree =
        engine_runs_agree(&a, &b, 1, why) && same_shape(&a, &b, why) && same_bytes(&a, &b, why);
    engine_run_free(&a);
    engine_run_free(&b);
    return agree;
}

/* ---- another value for a rate ---- */

static bool static_part_counts(const RefModel *model, const RefStatic *part, int rate)
{
    if (!part || part->kind == REF_LEAF)
        return false;
    if (part->kind == REF_NAMED)
        return static_part_counts(model, model->process[part->process].system, rate);
    return ref_rate_uses(model, part->copies, rate) ||
           static_part_counts(model, part->left, rate) ||
           static_part_counts(model, part->right, rate);
}

/* Parts of the static tree that are not used count too. */
static bool counts_copies(const RefModel *model, int rate)
{
    for (int p = 0; p < model->process_count; p++)
        if (static_part_counts(model, model->process[p].system, rate))
            return true;
    return static_part_counts(model, model->system, rate);
}

static bool term_is_functional(const RefModel *model, const RefTerm *term)
{
    if (term->kind == REF_PREFIX)
        return ref_rate_functional(model, term->rate) || term_is_functional(model, term->next);
    for (int i = 0; i < term->parts; i++)
        if (term_is_functional(model, term->part[i]))
            return true;
    return false;
}

static bool is_functional(const RefModel *model)
{
    for (int p = 0; p < model->process_count; p++)
        if (model->process[p].body && term_is_functional(model, model->process[p].body))
            return true;
    for (int r = 0; r < model->rate_count; r++)
        if (ref_rate_functional(model, model->rate[r].value))
            return true;
    return false;
}

/* A text is refused for any rate that is not positive.  A chain need not know those that are not
 * reached, but may answer for a model only if the reachable ones are positive. */
static bool reachable_rates_are_positive(const RefModel *model, int rate, double value)
{
    RefModel changed = *model;
    changed.arena = (Arena){0};
    changed.rate[rate].value = ref_number(&changed, value);
    OracleResult result = oracle_run(&changed, LARGE);
    bool positive = result.status == ORACLE_OK;
    oracle_result_free(&result);
    ref_model_free(&changed);
    return positive;
}

/* Setting the rate in the chain refuses where a fresh chain would have another structure or not
 * exist, and is the same as a fresh chain elsewhere. */
static bool set_as_defined(const RefModel *model, EngineRun *chain, const EngineRun *fresh,
                           int rate, double value, Text *why)
{
    PepaError err = {0};
    PepaStatus status = pepa_chain_set_rate(chain->chain, model->rate[rate].name, value, &err);
    bool structural = counts_copies(model, rate) || is_functional(model);
    if (status == PEPA_EARG && structural)
        return true;
    if (fresh->status == PEPA_EMODEL) {
        if (status == PEPA_EMODEL || structural)
            return true;
        if (status == PEPA_OK && reachable_rates_are_positive(model, rate, value))
            return true;
    } else if (status == PEPA_OK) {
        engine_solve(chain, NULL);
        return engine_runs_agree(chain, fresh, 1, why) && same_shape(chain, fresh, why);
    }
    return engine_differs(why, "set_rate: %s %s; fresh: %s %s", pepa_status_text(status),
                          err.message, pepa_status_text(fresh->status), fresh->err.message);
}

static bool set_rate(const RefModel *model, const char *text, Text *why)
{
    static const double factor[] = {0.3, 0.9, 1, 1.7, 12, 0, -1};
    uint64_t state = (uint64_t)model->process_count + 31 * (uint64_t)model->rate_count;
    int rate = (int)random_below(&state, (uint64_t)model->rate_count);
    const RefRate *definition = model->rate[rate].value;
    bool functional = ref_rate_functional(model, definition);
    double was = functional ? 1 : ref_rate_value(model, definition, NULL);
    double value = was * factor[random_below(&state, 7)];
    if (value > was && counts_copies(model, rate))
        value = was; /* twelve times as many explode */
    PepaDefine define = {model->rate[rate].name, value};
    PepaReading how = {.defines = &define, .define_count = 1};
    EngineRun original = engine_run(text, NULL, NULL), chain = engine_run(text, NULL, NULL);
    EngineRun fresh = engine_run(text, &how, NULL);
    bool agree = true;
    if (chain.status == PEPA_OK) {
        agree = set_as_defined(model, &chain, &fresh, rate, value, why);
        if (agree && !functional &&
            pepa_chain_set_rate(chain.chain, define.rate, was, NULL) == PEPA_OK) {
            engine_solve(&chain, NULL);
            agree =
                engine_runs_agree(&chain, &original, 1, why) && same_bytes(&chain, &original, why);
        }
    }
    if (!agree)
        text_add(why, "\n(%s = %.17g)", define.rate, value);
    engine_run_free(&original);
    engine_run_free(&chain);
    engine_run_free(&fresh);
    return agree;
}

/* Two rates set at once, and one after the other, are a fresh chain with both defined.  Where one
 * alone has no meaning the second way is not open. */
static bool set_rates(const RefModel *model, const char *text, Text *why)
{
    int count = model->rate_count;
    if (count < 2 || is_functional(model) || counts_copies(model, 0) || counts_copies(model, 1))
        return true;
    PepaDefine both[2];
    for (int i = 0; i < 2; i++)
        both[i] = (PepaDefine){model->rate[i].name,
                               ref_rate_value(model, model->rate[i].value, NULL) * (0.8 + 0.7 * i)};
    PepaReading how = {.defines = both, .define_count = 2};
    EngineRun once = engine_run(text, NULL, NULL), twice = engine_run(text, NULL, NULL);
    EngineRun fresh = engine_run(text, &how, NULL);
    bool agree = true;
    if (once.status == PEPA_OK && fresh.status == PEPA_OK) {
        PepaError err = {0};
        if (pepa_chain_set_rates(once.chain, both, 2, &err) != PEPA_OK)
            agree = engine_differs(why, "%s", err.message);
        engine_solve(&once, NULL);
        agree = agree && engine_runs_agree(&once, &fresh, 1, why) && same_shape(&once, &fresh, why);
        if (agree &&
            pepa_chain_set_rate(twice.chain, both[0].rate, both[0].value, NULL) == PEPA_OK &&
            pepa_chain_set_rate(twice.chain, both[1].rate, both[1].value, NULL) == PEPA_OK) {
            engine_solve(&twice, NULL);
            agree = same_bytes(&once, &twice, why);
        }
    }
    engine_run_free(&once);
    engine_run_free(&twice);
    engine_run_free(&fresh);
    return agree;
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    Law holds;
} law[] = {{"symmetry", symmetry},       {"scaling", scaling},   {"aggregation", aggregation},
           {"determinism", determinism}, {"set_rate", set_rate}, {"set_rates", set_rates}};
enum { LAWS = sizeof law / sizeof *law };

/* Parameters travel to another process, where functions may have other addresses: numbers only. */
ParameterizedTestParameters(laws, hold)
{
    return seeds_shards(LAWS);
}

ParameterizedTest(int *each, laws, hold)
{
    int which = *each / SHARDS;
    Seeds all = seeds(*each % SHARDS, MODELS);
    uint64_t seed;
    while (seeds_next(&all, &seed)) {
        RefModel model = seeds_any_model(seed, LARGE);
        Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
        text_add(&why, "%s: ", law[which].name);
        if (!law[which].holds(&model, text.text, &why))
            seeds_fail(&all, seed, why.text, text.text);
        text_free(&why);
        text_free(&text);
        ref_model_free(&model);
    }
    cr_assert(all.failures == 0);
}
