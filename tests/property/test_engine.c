/* The engine against the referee, on thousands of random models. */
#include "property/engine_run.h"
#include "property/oracle.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MODELS = 3000, LARGE = 500 };

/* vanishing: immediate activities are among the engine's transitions, as self-loops. */
static bool graph_agrees(const OracleGraph *want, bool vanishing, const PepaChainInfo *got,
                         Text *why)
{
    const size_t transitions = (size_t)got->transitions;
    if (want->states == (size_t)got->states &&
        (vanishing ? want->transitions <= transitions : want->transitions == transitions) &&
        want->deadlocks == (size_t)got->deadlocks && want->bottoms == got->bottom_components)
        return true;
    return engine_differs(why,
                          "states %lld, transitions %lld, deadlocks %d, bottom components %d; "
                          "they should be %zu, %zu, %zu, %d",
                          (long long)got->states, (long long)got->transitions, got->deadlocks,
                          got->bottom_components, want->states, want->transitions, want->deadlocks,
                          want->bottoms);
}

static bool value_agrees(const char *what, const char *name, double got, double want, Text *why)
{
    if (engine_same(got, want))
        return true;
    return engine_differs(why, "%s of %s: %.12g; it should be %.12g", what, name, got, want);
}

/* The engine lists exactly the actions that occur, but for those that occur before time begins. */
static bool throughputs_agree(const OracleResult *want, const EngineRun *got, Text *why)
{
    size_t most = want->throughput.count, least = 0;
    for (size_t i = 0; i < most; i++)
        least += want->vanishing == 0 || want->throughput.item[i].value > 0;
    if ((size_t)got->info.actions < least || (size_t)got->info.actions > most)
        return engine_differs(why, "%d actions occur; they should be %zu", got->info.actions, most);
    for (size_t i = 0; i < want->throughput.count; i++) {
        const char *name = want->throughput.item[i].name;
        double each = oracle_value(&want->throughput, name), asked;
        if (!value_agrees("throughput", name, engine_throughput(got, name), each, why))
            return false;
        if (each > 0 && pepa_throughput(got->chain, got->pi, name, &asked, NULL) != PEPA_OK)
            return engine_differs(why, "there is no throughput of %s", name);
        if (each > 0 && !value_agrees("throughput when asked for", name, asked, each, why))
            return false;
    }
    return true;
}

/* What occurs has its share, and what the engine lists beyond that has none. */
static bool position_agrees(const OraclePosition *want, const EngineRun *got, int32_t position,
                            int32_t first, Text *why)
{
    PepaPosition there = pepa_chain_position(got->chain, position);
    if (strcmp(there.component, want->component) != 0 || there.copies != want->copies)
        return engine_differs(why, "position %d is %d x %s; it should be %d x %s", position,
                              there.copies, there.component, want->copies, want->component);
    size_t found = 0;
    for (int32_t i = 0; i < there.local_count; i++) {
        const char *name = pepa_chain_local_name(got->chain, there.local[i]);
        double share = oracle_value(&want->share, name);
        if (!value_agrees("utilisation", name, got->share[first + i], share, why))
            return false;
        for (size_t k = 0; k < want->share.count; k++)
            found += strcmp(want->share.item[k].name, name) == 0;
    }
    return found == want->share.count ||
           engine_differs(why, "position %d lacks local states that occur", position);
}

static bool positions_agree(const OracleResult *want, const EngineRun *got, Text *why)
{
    if (want->position_count != (size_t)got->info.positions)
        return engine_differs(why, "%d positions; they should be %zu", got->info.positions,
                              want->position_count);
    int32_t first = 0;
    for (int32_t p = 0; p < got->info.positions; p++) {
        if (!position_agrees(&want->position[p], got, p, first, why))
            return false;
        first += pepa_chain_position(got->chain, p).local_count;
    }
    return true;
}

static bool populations_agree(const OracleResult *want, const EngineRun *got, Text *why)
{
    for (size_t i = 0; i < want->population.count; i++) {
        const char *name = want->population.item[i].name;
        if (!value_agrees("population", name, engine_population(got, name),
                          oracle_value(&want->population, name), why))
            return false;
    }
    return true;
}

static bool run_agrees(const OracleResult *want, const EngineRun *got, bool aggregate, Text *why)
{
    if (want->status != ORACLE_OK && got->status == PEPA_EMODEL &&
        strcmp(got->stage, "derive") == 0)
        return true;
    if (want->status != ORACLE_OK || got->status != PEPA_OK)
        return engine_differs(why, "%s: %s: %s; it should be: %s", got->stage,
                              pepa_status_text(got->status),
                              got->status == PEPA_OK ? "" : got->err.message,
                              oracle_status_text(want->status));
    return graph_agrees(aggregate ? &want->counted : &want->concrete, want->vanishing > 0,
                        &got->info, why) &&
           throughputs_agree(want, got, why) && positions_agree(want, got, why) &&
           populations_agree(want, got, why);
}

static bool text_agrees(const OracleResult *want, const char *text, bool aggregate, Text *why)
{
    PepaSettings set = engine_settings();
    set.derive.separate_copies = !aggregate;
    EngineRun run = engine_run(text, NULL, &set);
    bool agrees = run_agrees(want, &run, aggregate, why);
    if (!agrees)
        text_add(why, "\n(aggregation %s)", aggregate ? "on" : "off");
    engine_run_free(&run);
    return agrees;
}

/* The same of states explored as sets, of what can be so explored; counts that.  By elimination,
 * whose answers are as exact as the referee's. */
static bool sets_agree(const OracleResult *want, const char *text, bool aggregate, int *suited,
                       Text *why)
{
    PepaSettings set = engine_settings();
    set.derive.separate_copies = !aggregate;
    set.derive.explore = PEPA_SYMBOLIC;
    set.solve.method = PEPA_GTH;
    EngineRun run = engine_run(text, NULL, &set);
    bool unfit = run.status == PEPA_ELIMIT && strcmp(run.stage, "derive") == 0;
    bool agrees = unfit || (run_agrees(want, &run, aggregate, why) && run.info.symbolic);
    *suited += !unfit;
    if (!agrees)
        text_add(why, "\n(as sets, aggregation %s)", aggregate ? "on" : "off");
    engine_run_free(&run);
    return agrees;
}

/* The engine's own print of the model means the same, and prints as itself. */
static bool reprint_agrees(const OracleResult *want, const char *text, Text *why)
{
    PepaModel *model = NULL, *reread = NULL;
    char *print = NULL, *again = NULL;
    PepaError err = {0};
    bool agrees = pepa_model_parse(&model, "random", text, strlen(text), NULL, &err) == PEPA_OK &&
                  pepa_model_print(model, &print, &err) == PEPA_OK &&
                  pepa_model_parse(&reread, "print", print, strlen(print), NULL, &err) == PEPA_OK &&
                  pepa_model_print(reread, &again, &err) == PEPA_OK;
    if (!agrees)
        (void)engine_differs(why, "printing: %s", err.message);
    else if (strcmp(print, again) != 0)
        agrees = engine_differs(why, "the print prints differently:\n%s", again);
    else
        agrees = text_agrees(want, print, true, why);
    if (!agrees)
        text_add(why, "\nprinted as:\n%s", print ? print : "");
    pepa_text_free(print);
    pepa_text_free(again);
    pepa_model_free(model);
    pepa_model_free(reread);
    return agrees;
}

/* One model, which is freed. */
static void check(Seeds *all, uint64_t seed, RefModel model, int *suited)
{
    OracleResult want = oracle_run(&model, LARGE);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    if (!text_agrees(&want, text.text, true, &why) || !text_agrees(&want, text.text, false, &why) ||
        !sets_agree(&want, text.text, true, suited, &why) ||
        !sets_agree(&want, text.text, false, suited, &why) ||
        !reprint_agrees(&want, text.text, &why))
        seeds_fail(all, seed, why.text, text.text);
    text_free(&why);
    text_free(&text);
    oracle_result_free(&want);
    ref_model_free(&model);
}

SHARDED_TEST(engine, agrees_with_referee)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    int suited = 0, models = 0;
    for (; seeds_next(&all, &seed); models++)
        check(&all, seed, seeds_model(seed, LARGE), &suited);
    cr_assert(all.failures == 0);
    cr_assert(models < 100 || 5 * suited > models, "only %d of %d suit", suited, 2 * models);
}

SHARDED_TEST(engine, agrees_with_referee_on_immediate_actions)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    int suited = 0;
    while (seeds_next(&all, &seed))
        check(&all, seed, seeds_immediate_model(seed, LARGE, true), &suited);
    cr_assert(all.failures == 0);
}
