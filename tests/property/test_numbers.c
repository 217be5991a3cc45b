/* On random models the semantics over numbers gives what the terms of the rates come to. */
#include <criterion/criterion.h>
#include <math.h>

#include "ctmc/semantics/moves.h"
#include "ctmc/numbers.h"
#include "exploring.h"
#include "parser/check.h"
#include "property/seeds.h"

enum { MOST_STATES = 50 }; /* of a model that are looked at */

/* A term has at most some dozen operations, each with a relative error of 2^-53. */
static bool same_rate(const RateTable *rates, int32_t term, Number number)
{
    if (term < 0)
        return number_kind(number) == (term == TERM_MIXED ? NUMBER_MIXED : NUMBER_NONE);
    const Number same = number_of(0, (RateLevel)rates->level[term], rates->priority[term]);
    return number.sort == same.sort &&
           fabs(number.value - rates->value[term]) <= 1e-13 * rates->value[term];
}

static const char *compare_program(Moves *m, NumberMoves *n, int32_t prog)
{
    m->count = n->count = 0;
    MovesSummary all = moves_run(m, prog, true);
    Number apparent = number_moves_run(n, prog, true);
    if (!same_rate(m->rates, all.apparent, apparent))
        return "apparent rates";
    if (all.apparent < 0)
        return NULL;
    if (m->count != n->count)
        return "numbers of moves";
    for (size_t i = 0; i < m->count; i++) {
        if (!same_rate(m->rates, m->rate[i], n->rate[i]))
            return "rates of moves";
        if (m->words && memcmp(m->delta + i * m->words, n->delta + i * m->words,
                               m->words * sizeof *m->delta) != 0)
            return "targets";
    }
    return NULL;
}

static const char *compare_states(const Chain *c, RateTable *rates)
{
    const System *s = c->system;
    const char *difference = NULL;
    Moves m;
    NumberMoves n;
    PepaError err;
    cr_assert_eq(moves_init(&m, s, rates, &err), PEPA_OK);
    number_moves_init(&n, s, rates, m.cells, m.counts);
    for (int32_t i = 0; i < c->states.count && i < MOST_STATES && !difference; i++) {
        system_unpack(s, c->states.state + (size_t)i * c->states.words, m.cells);
        system_counts(s, m.cells, m.counts);
        for (int32_t e = 0; e < s->event_count && !difference; e++)
            difference = compare_program(&m, &n, s->events[e].prog);
    }
    moves_free(&m);
    number_moves_free(&n);
    return difference;
}

SHARDED_TEST(numbers, agree_with_terms)
{
    Seeds all = seeds(*shard, 1000);
    int compared = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel ref = seeds_any_model(seed, 500);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        DiagList diags = {0};
        PepaError err;
        Model *model = NULL;
        const char *difference = "text";
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, &err) ==
            PEPA_OK) {
            difference = NULL;
            for (int aggregate = 0; aggregate < 2 && !difference; aggregate++) {
                Explored e;
                explored_new(&e, model, aggregate, 1, 100000);
                if (e.status == PEPA_OK) { /* else some rate has no meaning */
                    difference = compare_states(&e.chain, &e.chain.rates);
                    compared++;
                }
                explored_free(&e);
            }
        }
        if (difference)
            seeds_fail(&all, seed, difference, text.text);
        model_free(model);
        diag_free(&diags);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all.failures, 0);
    cr_assert(compared > 0);
}
