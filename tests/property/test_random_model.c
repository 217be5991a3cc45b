/* The generator: repeatable, within its bounds, and leaving out nothing that it is there for. */
#include "property/oracle.h"
#include "property/random_model.h"

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
    enum { PIECES = sizeof piece / sizeof *piece };
    int seen[PIECES] = {0};
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        RefModel model = model_of(seed);
        Text text = ref_model_print(&model, (RefPrinting){0});
        for (int i = 0; i < PIECES; i++)
            seen[i] += strstr(text.text, piece[i]) != NULL;
        text_free(&text);
        ref_model_free(&model);
    }
    for (int i = 0; i < PIECES; i++)
        cr_expect(seen[i] > 0, "'%s' is in none of %d models", piece[i], MODELS);
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
