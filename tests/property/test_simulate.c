/* Simulation of random models: rates in every state against the traversal with numbers, and means of
 * many runs against the exact transient solution. */
#include <criterion/criterion.h>
#include <math.h>

#include "ctmc/numbers.h"
#include "ctmc/semantics/choices.h"
#include "exploring.h"
#include "parser/check.h"
#include "pepa_simulate.h"
#include "pepa_transient.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"

enum { MOST_STATES = 40, STEPS = 4, RUNS = 2000 };

/* ---- rates ------------------------------------------------------------------------------------ */

typedef struct {
    const System *s;
    Choices *choices;
    NumberMoves numbers;
    int32_t *cells;
    int64_t *counts;
    int64_t *wide;
} Comparison;

/* Which moves come first, worked out move by move. */
static int64_t order_of(Number n)
{
    const int64_t stated = number_priority(n);
    const int64_t priority = stated == PRIORITY_UNSTATED ? PRIORITY_DEFAULT : stated;
    return number_kind(n) == NUMBER_IMMEDIATE ? 10 * (int64_t)PRIORITY_MOST + priority : priority;
}

static int64_t first_order(Comparison *c)
{
    int64_t most = 0;
    for (int32_t e = 0; e < c->s->event_count; e++) {
        c->numbers.count = 0;
        if (c->s->events[e].label != LABEL_NONE)
            (void)number_moves_run(&c->numbers, c->s->events[e].prog, true);
        for (size_t i = 0; i < c->numbers.count; i++)
            most = order_of(c->numbers.rate[i]) > most ? order_of(c->numbers.rate[i]) : most;
    }
    return most;
}

/* What the choices keep is what the traversal finds in the same state. */
static const char *compare_state(Comparison *c)
{
    const System *s = c->s;
    double total = 0;
    for (int32_t i = 0; i < s->cell_count; i++)
        c->cells[i] = (int32_t)c->choices->cells[i];
    system_counts(s, c->cells, c->counts);
    const int64_t most = first_order(c);
    for (int32_t e = 0; e < s->event_count; e++) {
        if (s->events[e].label == LABEL_NONE)
            continue;
        c->numbers.count = 0;
        (void)number_moves_run(&c->numbers, s->events[e].prog, true);
        double exact = 0;
        for (size_t i = 0; i < c->numbers.count; i++)
            exact += order_of(c->numbers.rate[i]) == most ? c->numbers.rate[i].value : 0;
        const double got = choices_rate(c->choices, e);
        total += exact;
        if (!(fabs(got - exact) <= 1e-12 * exact))
            return "rate of an event";
    }
    if (choices_is_vanishing(c->choices) != (most > 10 * (int64_t)PRIORITY_MOST))
        return "whether time passes";
    return fabs(choices_total(c->choices) - total) <= 1e-12 * total ? NULL : "total rate";
}

/* From some of the states, by some activities. */
static const char *compare_walks(Comparison *c, const Chain *chain, uint64_t seed)
{
    const char *difference = NULL;
    Stream stream;
    stream_start(&stream, seed, 0);
    for (int32_t i = 0; i < chain->states.count && i < MOST_STATES && !difference; i++) {
        system_unpack(c->s, chain->states.state + (size_t)i * chain->states.words, c->cells);
        for (int32_t k = 0; k < c->s->cell_count; k++)
            c->wide[k] = c->cells[k];
        choices_go(c->choices, c->wide);
        difference = compare_state(c);
        for (int step = 0; step < STEPS && !difference && choices_total(c->choices) > 0; step++) {
            (void)choices_take(c->choices, &stream);
            difference = choices_stuck(c->choices) ? "stuck" : compare_state(c);
        }
    }
    return difference;
}

static const char *compare_rates(const Explored *x, uint64_t seed)
{
    const System *s = x->chain.system;
    ChoicePlan *plan = NULL;
    Choices choices = {0};
    Comparison c = {.s = s, .choices = &choices};
    c.cells = room((size_t)s->cell_count, sizeof *c.cells);
    c.counts = room((size_t)s->model->local_count, sizeof *c.counts);
    c.wide = room((size_t)s->cell_count, sizeof *c.wide);
    cr_assert_eq(choice_plan_new(&plan, s, &x->chain.rates, NULL), PEPA_OK);
    cr_assert_eq(choices_new(&choices, plan, NULL), PEPA_OK);
    number_moves_init(&c.numbers, s, &x->chain.rates, c.cells, c.counts);
    const char *difference = compare_walks(&c, &x->chain, seed);
    number_moves_free(&c.numbers);
    choices_free(&choices);
    choice_plan_free(plan);
    mem_free_all(c.cells, c.counts, c.wide);
    return difference;
}

SHARDED_TEST(simulate, rates_are_those_of_the_traversal)
{
    Seeds all = seeds(*shard, 1000);
    int compared = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel ref = seeds_any_model(seed, 500);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        DiagList diags = {0};
        Model *model = NULL;
        const char *difference = "text";
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, NULL) ==
            PEPA_OK) {
            difference = NULL;
            for (int aggregate = 0; aggregate < 2 && !difference; aggregate++) {
                Explored e;
                explored_new(&e, model, aggregate, 1, 100000);
                if (e.status == PEPA_OK) { /* else some rate has no meaning */
                    difference = compare_rates(&e, seed);
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

/* ---- means ------------------------------------------------------------------------------------ */

/* The populations of a chain, as measures. */
static PepaMeasures *populations_of(const PepaModel *model, const PepaChain *chain, double *most)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    PepaMeasures *measures = NULL;
    Text text = {0};
    *most = 0;
    for (int32_t l = 0; l < info.local_states; l++)
        text_add(&text, "population:\"%s\"\n", pepa_chain_local_name(chain, l));
    for (int32_t p = 0; p < info.positions; p++)
        *most += pepa_chain_position(chain, p).copies;
    cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
    PepaStatus status = pepa_measures_add(measures, "populations", text.text ? text.text : "",
                                          text.length, NULL, NULL, NULL);
    text_free(&text);
    if (status == PEPA_OK)
        return measures;
    pepa_measures_free(measures);
    return NULL;
}

/* A population is between 0 and the number of components n.  By Hoeffding's inequality the mean of N
 * runs is off by n sqrt(ln(2 / p) / 2 N) or more with a probability of at most p: 1e-14, so that all
 * comparisons of all models together fail by chance with less than 1e-9. */
static const char *compare_means(const PepaModel *model, const PepaChain *chain, uint64_t seed)
{
    const double p = 1e-14, time[] = {0.3, 2};
    const char *difference = NULL;
    double most;
    PepaMeasures *measures = populations_of(model, chain, &most);
    if (!measures)
        return NULL; /* a name that measures cannot have */
    const int32_t count = pepa_measures_count(measures);
    double *exact = room(2 * (size_t)count, sizeof *exact);
    PepaEstimate *got = room(2 * (size_t)count, sizeof *got);
    const double bound = most * sqrt(log(2 / p) / (2 * RUNS));
    const PepaSimulation how = {.time = time, .count = 2, .runs = RUNS, .seed = seed};
    if (pepa_transient_measures(chain, measures, &(PepaTransient){.time = time, .count = 2}, NULL,
                                exact, NULL, NULL) != PEPA_OK)
        difference = "transient";
    else if (pepa_simulate_measures(model, measures, &how, NULL, got, NULL, NULL) != PEPA_OK)
        difference = "simulate";
    for (int32_t i = 0; i < 2 * count && !difference; i++)
        if (!(fabs(got[i].value - exact[i]) <= bound + 1e-9))
            difference = "a mean is farther away than chance allows";
    mem_free_all(exact, got);
    pepa_measures_free(measures);
    return difference;
}

SHARDED_TEST(simulate, means_are_those_of_the_chain)
{
    Seeds all = seeds(*shard, 200);
    int compared = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel ref = seeds_any_model(seed, 200);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        PepaModel *model = NULL;
        PepaChain *chain = NULL;
        const char *difference = NULL;
        if (pepa_model_parse(&model, "random", text.text, strlen(text.text), NULL, NULL) ==
                PEPA_OK &&
            pepa_chain_derive(&chain, model, NULL, NULL) == PEPA_OK) {
            difference = compare_means(model, chain, seed);
            compared++;
        }
        if (difference)
            seeds_fail(&all, seed, difference, text.text);
        pepa_chain_free(chain);
        pepa_model_free(model);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all.failures, 0);
    cr_assert(compared > 0);
}
