/* The generator: repeatable, within its bounds, and leaving out nothing that it is there for. */
#include "property/oracle.h"
#include "property/random_model.h"
#include "property/room.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MODELS = 600 };

static RefModel model_of(uint64_t seed)
{
    RandomKnobs knobs = random_knobs_default();
    return random_model(seed, &knobs);
}

Test(random_model, same_seed_same_model)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        RefModel a = model_of(seed), b = model_of(seed), other = model_of(seed + 1);
        Text text = ref_model_print(&a, (RefPrinting){0});
        Text same = ref_model_print(&b, (RefPrinting){0});
        Text different = ref_model_print(&other, (RefPrinting){0});
        cr_expect_str_eq(text.text, same.text);
        cr_expect_str_neq(text.text, different.text);
        text_free(&different);
        text_free(&same);
        text_free(&text);
        ref_model_free(&other);
        ref_model_free(&b);
        ref_model_free(&a);
    }
}

static RefModel immediate_model(uint64_t seed)
{
    return seeds_immediate_model(seed, random_knobs_default().max_states, true);
}

/* Each of the pieces of text is in some model. */
static void expect_pieces(RefModel (*make)(uint64_t), const char *const *piece, int pieces)
{
    int *seen = room((size_t)pieces, sizeof *seen);
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        RefModel model = make(seed);
        Text text = ref_model_print(&model, (RefPrinting){0});
        for (int i = 0; i < pieces; i++)
            seen[i] += strstr(text.text, piece[i]) != NULL;
        text_free(&text);
        ref_model_free(&model);
    }
    for (int i = 0; i < pieces; i++)
        cr_expect(seen[i] > 0, "'%s' is in none of %d models", piece[i], MODELS);
    mem_free(seen);
}

/* Every spelling and operator that the language has turns up. */
Test(random_model, covers_the_language)
{
    static const char *const piece[] = {" + ",    " - ",  " * ",     " / ",     "(-",    "min(",
                                        "max(",   "pow(", "exp(",    "log(",    "sqrt(", "T)",
                                        "infty)", "_)",   "* infty", "infty *", "tau",   "Stop",
                                        " <*> ",  " || ", " <> ",    "/{",      " / <",  "[2]",
                                        "[1]",    "[n]",  "]{",      "][",      ":=",    "#",
                                        "/*",     "//",   "% ",      "(1 + P",  "> (",   "[3 - 2]",
                                        " * T)",  "}[",   "Stop = ", "0.037",   "+ (("};
    expect_pieces(model_of, piece, (int)(sizeof piece / sizeof *piece));
}

Test(random_model, covers_immediate_actions_and_priorities)
{
    static const char *const piece[] = {", immediate)", " : immediate)", "0.5 : immediate",
                                        "tau.",         "serve.",        "(serve[0], ",
                                        "(serve[3], ",  "serve[2].",     "tau[1].",
                                        "], infty)",    "], immediate)", "* min1 : immediate",
                                        ") : immediate"};
    expect_pieces(immediate_model, piece, (int)(sizeof piece / sizeof *piece));
}

/* Many models have vanishing states, several in some, and an answer nevertheless; some have every
 * kind of fault; time begins in a vanishing state in some, and priorities decide in some. */
Test(random_model, covers_the_outcomes_of_immediate_actions)
{
    int status[ORACLE_TOO_LARGE + 1] = {0}, vanishing = 0, several = 0, busy = 0, decided = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        size_t limit = (size_t)random_knobs_default().max_states;
        RefModel model = immediate_model(seed);
        RefModel equal = seeds_immediate_model(seed, (int)limit, false);
        OracleResult r = oracle_run(&model, limit), without = oracle_run(&equal, limit);
        double rate = 0;
        for (size_t i = 0; i < r.throughput.count; i++)
            rate += (double)r.throughput.item[i].value;
        status[r.status]++;
        vanishing += r.vanishing > 0;
        several += r.vanishing > 2;
        busy += r.vanishing > 0 && rate > 0 && r.concrete.states > 1;
        decided += r.status == ORACLE_OK && without.status == ORACLE_OK &&
                   r.concrete.transitions != without.concrete.transitions;
        oracle_result_free(&without);
        oracle_result_free(&r);
        ref_model_free(&equal);
        ref_model_free(&model);
    }
    cr_expect(status[ORACLE_TOO_LARGE] == 0 && status[ORACLE_OK] * 4 > MODELS * 3);
    cr_expect(status[ORACLE_TIMELESS] > 10 && status[ORACLE_MIXED] > 0 &&
                  status[ORACLE_UNDRIVEN] > 0,
              "faults: %d, %d, %d", status[ORACLE_TIMELESS], status[ORACLE_MIXED],
              status[ORACLE_UNDRIVEN]);
    cr_expect(vanishing * 3 > MODELS && several * 10 > MODELS && busy * 5 > MODELS,
              "%d, %d, %d of %d", vanishing, several, busy, MODELS);
    cr_expect(decided > 50, "%d", decided);
}

/* A useful mixture: most models have an answer, with life in it, and every kind of fault, several
 * bottom components, deadlocks and saving by counting are among them. */
Test(random_model, covers_the_outcomes)
{
    int status[ORACLE_TOO_LARGE + 1] = {0}, busy = 0, several = 0, dead = 0, saved = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        RandomKnobs knobs = random_knobs_default();
        RefModel model = model_of(seed);
        OracleResult r = oracle_run(&model, (size_t)knobs.max_states);
        double rate = 0;
        for (size_t i = 0; i < r.throughput.count; i++)
            rate += (double)r.throughput.item[i].value;
        status[r.status]++;
        busy += rate > 0 && r.counted.states > 3;
        several += r.concrete.bottoms > 1;
        dead += r.concrete.deadlocks > 0;
        saved += r.counted.states < r.concrete.states;
        oracle_result_free(&r);
        ref_model_free(&model);
    }
    cr_expect(status[ORACLE_TOO_LARGE] == 0, "the bound on states does not hold");
    cr_expect(status[ORACLE_OK] * 10 > MODELS * 8, "%d models have an answer", status[ORACLE_OK]);
    cr_expect(status[ORACLE_UNDRIVEN] > 0 && status[ORACLE_MIXED] > 0 &&
                  status[ORACLE_BAD_RATE] > 0,
              "faults: %d, %d, %d", status[ORACLE_UNDRIVEN], status[ORACLE_MIXED],
              status[ORACLE_BAD_RATE]);
    cr_expect(busy * 2 > MODELS, "%d models do something", busy);
    cr_expect(several > 20 && dead > 20 && saved > 50, "%d, %d, %d", several, dead, saved);
}
