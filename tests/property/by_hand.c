#include "property/by_hand.h"

#include <criterion/criterion.h>

/* Elimination without subtraction in long double on at most 64 states: exact to double rounding. */
static const double TIGHT = 1e-14;

void hand_expect(double got, double want, const char *what)
{
    double scale = want < 0 ? -want : want;
    double off = got < want ? want - got : got - want;
    cr_expect(off <= TIGHT * (scale > 1 ? scale : 1), "%s: %.17g, not %.17g", what, got, want);
}

const RefTerm *hand_timed(RefModel *m, const char *action, double rate, int p)
{
    return ref_prefix(m, ref_action(m, action), ref_number(m, rate), ref_constant(m, p));
}

const RefTerm *hand_passive(RefModel *m, const char *action, double weight, int p)
{
    return ref_passive(m, ref_action(m, action), ref_number(m, weight), ref_constant(m, p));
}

const RefTerm *hand_immediate(RefModel *m, const char *action, double weight, int p)
{
    return ref_immediate(m, ref_action(m, action), ref_number(m, weight), ref_constant(m, p));
}

const RefTerm *hand_prior(RefModel *m, int priority, const RefTerm *prefix)
{
    RefTerm *same = ref_prefix(m, prefix->action, prefix->rate, prefix->next);
    same->level = prefix->level;
    same->priority = priority;
    return same;
}

const RefTerm *hand_either(RefModel *m, const RefTerm *a, const RefTerm *b)
{
    const RefTerm *part[] = {a, b};
    return ref_choice(m, part, 2);
}

const RefStatic *hand_leaf(RefModel *m, int process)
{
    return ref_leaf(m, ref_constant(m, process));
}

uint32_t hand_set(RefModel *m, const char *action)
{
    return UINT32_C(1) << ref_action(m, action);
}

void hand_expect_graph(OracleGraph got, size_t states, size_t transitions, size_t deadlocks,
                       int bottoms)
{
    cr_expect(got.states == states && got.transitions == transitions &&
                  got.deadlocks == deadlocks && got.bottoms == bottoms,
              "states %zu, transitions %zu, deadlocks %zu, bottoms %d", got.states, got.transitions,
              got.deadlocks, got.bottoms);
}

void hand_expect_all(const OracleValues *got, const HandKnown *known, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hand_expect(oracle_value(got, known[i].name), known[i].value, known[i].name);
}

void hand_expect_throughputs(RefModel *m, const HandKnown *known, size_t count)
{
    OracleResult r = oracle_run(m, 100);
    cr_expect(r.status == ORACLE_OK, "%s", oracle_status_text(r.status));
    hand_expect_all(&r.throughput, known, count);
    cr_expect(r.throughput.count == count, "%zu actions occur", r.throughput.count);
    oracle_result_free(&r);
    ref_model_free(m);
}

void hand_expect_status(const RefModel *m, OracleStatus want)
{
    OracleResult r = oracle_run(m, 100);
    cr_expect(r.status == want, "%s; it should be: %s", oracle_status_text(r.status),
              oracle_status_text(want));
    oracle_result_free(&r);
}
