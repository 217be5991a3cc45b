/* The referee on immediate actions against itself by another road: as timed activities that become
 * ever faster, without any vanishing state. */
#include "property/oracle.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MODELS = 2000, LARGE = 120 };

/* Rates up to 50 or so, numbers of copies, and weights from 1/50: what is neglected is of the order
 * of 1e5 / HASTE at most, and elimination without subtraction does not mind stiffness. */
static const double HASTE = 1e14, NEAR = 1e-9;

/* Fast activities may do what immediate ones may not: let others go before them, and so lead
 * elsewhere.  The limit is the same where they go nowhere else and end in as many components. */
static bool comparable(const OracleResult *limit, const OracleResult *fast)
{
    return limit->status == ORACLE_OK && fast->status == ORACLE_OK && limit->vanishing > 0 &&
           fast->concrete.states == limit->concrete.states + limit->vanishing &&
           fast->concrete.bottoms == limit->concrete.bottoms;
}

static bool values_agree(const OracleValues *limit, const OracleValues *fast, Text *why)
{
    for (size_t i = 0; i < fast->count; i++) {
        const char *name = fast->item[i].name;
        double got = oracle_value(limit, name), want = oracle_value(fast, name);
        if (fabs(got - want) <= NEAR * fmax(1, fabs(want)))
            continue;
        text_add(why, "%s: %.15g; in the limit %.15g", name, got, want);
        return false;
    }
    return true;
}

SHARDED_TEST(oracle_limit, ever_faster)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    int compared = 0, models = 0;
    for (; seeds_next(&all, &seed); models++) {
        RefModel model = seeds_immediate_model(seed, LARGE, false);
        OracleResult limit = oracle_run(&model, LARGE),
                     fast = oracle_run_hasty(&model, LARGE, HASTE);
        Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
        bool suited = comparable(&limit, &fast);
        compared += suited;
        if (suited && (!values_agree(&limit.throughput, &fast.throughput, &why) ||
                       !values_agree(&limit.population, &fast.population, &why)))
            seeds_fail(&all, seed, why.text, text.text);
        text_free(&why);
        text_free(&text);
        oracle_result_free(&fast);
        oracle_result_free(&limit);
        ref_model_free(&model);
    }
    cr_assert(all.failures == 0);
    cr_assert(models < 100 || 8 * compared > models, "%d of %d compared", compared, models);
}
