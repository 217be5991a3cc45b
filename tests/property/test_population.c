/* Populations of random models: at whole numbers their rates are those of the chain, derivatives are
 * those of differences, and what is invariant stays so. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/stream.h"
#include "ctmc/numbers.h"
#include "exploring.h"
#include "fluid/dense_jacobian.h"
#include "fluid/mean.h"
#include "fluid/range.h"
#include "parser/check.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"

enum { MOST_STATES = 40, PLACES = 3 };

typedef struct {
    const Chain *chain;
    const System *s;
    Population *p;
    FluidField field;
    NumberMoves numbers;
    int32_t *cells;
    int64_t *counts;
    double *x, *z, *own, *exact; /* own, exact: per action of the model, as it is seen */
    FlowRange *range;            /* per flow */
} Compared;

/* ---- rates at whole numbers --------------------------------------------------------------------- */

static void put_populations(Compared *c)
{
    memset(c->x, 0, (size_t)c->p->variables * sizeof *c->x);
    for (int32_t i = 0; i < c->s->slot_count; i++) {
        const Slot *slot = &c->s->slots[i];
        const int32_t locals = c->s->components[slot->component].local_count;
        double *x = c->x + c->p->variable[i];
        for (int32_t l = 0; l < locals && slot->copies; l++)
            x[l] = c->cells[slot->cell + l];
        if (!slot->copies)
            x[c->cells[slot->cell]] = 1;
    }
}

/* No flow is outside the range that it is said to be in; the field is evaluated at whole numbers. */
static bool is_within(const Compared *c)
{
    for (size_t i = 0; i < c->p->rates.count; i++) {
        const double x = c->field.value[i], slack = 1e-9 * fabs(x);
        if (c->range[i].least > x + slack || c->range[i].most < x - slack)
            return false;
    }
    return true;
}

static const char *compare_state(Compared *c)
{
    const size_t bytes = (size_t)c->s->model->action_count * sizeof *c->own;
    memset(c->own, 0, bytes);
    memset(c->exact, 0, bytes);
    system_counts(c->s, c->cells, c->counts);
    put_populations(c);
    field_evaluate_at(&c->field, c->x);
    if (!is_within(c))
        return "range of a rate";
    for (size_t m = 0; m < c->p->move_count; m++)
        c->own[c->p->moves[m].seen] += c->field.value[c->p->moves[m].rate];
    for (int32_t e = 0; e < c->s->event_count; e++) {
        if (c->s->events[e].label == LABEL_NONE)
            continue;
        c->numbers.count = 0;
        (void)number_moves_run(&c->numbers, c->s->events[e].prog, true);
        for (size_t i = 0; i < c->numbers.count; i++)
            c->exact[c->s->events[e].action] += c->numbers.rate[i].value;
    }
    for (int32_t a = 0; a < c->s->model->action_count; a++)
        if (!(fabs(c->own[a] - c->exact[a]) <= 1e-9 * c->exact[a]))
            return "rate of an action";
    return NULL;
}

/* With immediate activities: rates as the chain has them, those of what takes no time included. */
static const char *compare_tangible(Compared *c, int32_t state)
{
    const size_t bytes = (size_t)c->s->model->action_count * sizeof *c->own;
    memset(c->own, 0, bytes);
    memset(c->exact, 0, bytes);
    put_populations(c);
    field_evaluate_at(&c->field, c->x);
    for (size_t m = 0; m < c->p->move_count; m++)
        c->own[c->p->moves[m].action] += c->field.value[c->p->moves[m].rate];
    for (int64_t k = c->chain->row[state]; k < c->chain->row[state + 1]; k++)
        c->exact[c->chain->actions[chain_action(c->chain, k)]] +=
            c->chain->now.term[c->chain->kind_term[chain_kind(c->chain, k)]];
    for (int32_t a = 0; a < c->s->model->action_count; a++)
        if (!(fabs(c->own[a] - c->exact[a]) <= 1e-9 * c->exact[a]))
            return "rate of an action, with immediate ones";
    return NULL;
}

static const char *compare_states(Compared *c)
{
    const char *difference = NULL;
    for (int32_t i = 0; i < c->chain->states.count && i < MOST_STATES && !difference; i++) {
        system_unpack(c->s, c->chain->states.state + (size_t)i * c->chain->states.words, c->cells);
        difference = c->s->preempts ? compare_tangible(c, i) : compare_state(c);
    }
    return difference;
}

/* ---- derivatives -------------------------------------------------------------------------------- */

static bool is_below_zero(const Compared *c)
{
    for (int32_t i = 0; i < c->p->variables; i++)
        if (c->field.x[i] < 0)
            return true;
    return false;
}

static const char *compare_derivatives(Compared *c, uint64_t seed)
{
    const int32_t r = c->field.r;
    const size_t size = (size_t)r + 1;
    double *jacobian = room(size * size, sizeof *jacobian), *at = room(size, sizeof *at),
           *up = room(size, sizeof *up), *down = room(size, sizeof *down);
    const char *difference = NULL;
    Stream stream;
    stream_start(&stream, seed, 0);
    for (int place = 0; place < PLACES && !difference; place++) {
        const double part = 0.05 + 0.9 * stream_uniform(&stream);
        /* From the start towards where everything is spread out, a little to one side. */
        for (int32_t i = 0; i < r; i++)
            c->z[i] = c->field.scale[i] * part * (0.2 + 0.1 * stream_uniform(&stream));
        field_evaluate(&c->field, c->z, NULL);
        dense_jacobian(&c->field, NULL, jacobian);
        field_change(&c->field, at, NULL);
        const bool below = is_below_zero(c);
        for (int32_t k = 0; k < r && !difference; k++) {
            const double kept = c->z[k], step = 1e-7 * c->field.scale[k];
            c->z[k] = kept + step;
            field_evaluate(&c->field, c->z, NULL);
            field_change(&c->field, up, NULL);
            c->z[k] = kept - step;
            field_evaluate(&c->field, c->z, NULL);
            field_change(&c->field, down, NULL);
            c->z[k] = kept;
            for (int32_t i = 0; i < r; i++) {
                const double right = (up[i] - at[i]) / step, left = (at[i] - down[i]) / step;
                /* Rounding errors of the values count 10^7 times. */
                const double size_of = 1 + fabs(right) + fabs(left) + 1e-5 * fabs(at[i]);
                const double got = jacobian[i * r + k];
                const bool smooth = fabs(right - left) <= 1e-4 * size_of && isfinite(size_of);
                /* A power of a number below 0 is a real one for whole exponents only. */
                const bool real = isfinite(got) || !below;
                if (smooth && real && !(fabs(got - right) <= 1e-3 * size_of))
                    difference = "derivative";
            }
        }
    }
    mem_free_all(jacobian, at, up, down);
    return difference;
}

/* ---- in time ------------------------------------------------------------------------------------ */

/* A rate that counts local states can be negative between whole numbers: does one make components, who
 * are there, go backwards? */
static bool goes_back(Compared *c)
{
    field_evaluate_at(&c->field, c->field.x);
    for (size_t m = 0; m < c->p->move_count && c->s->functional; m++) {
        const PopulationMove *move = &c->p->moves[m];
        bool there = c->field.value[move->rate] < 0;
        for (int32_t k = move->first; k < move->end_of_stays; k++)
            there = there && c->field.x[c->p->steps[k].from] > 0;
        if (there)
            return true;
    }
    return false;
}

/* Groups keep their components, and no population is below 0. */
static const char *follow(Compared *c)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    Mean mean = {0};
    const char *difference = NULL;
    field_start(&c->field, c->z);
    cr_assert_eq(mean_new(&mean, &c->field, c->z, 1e-8, &err), PEPA_OK);
    for (double time = 0.1; time < 20 && !difference; time *= 3) {
        if (mean_run(&mean, time, 20000, &set, &err) != PEPA_OK)
            break; /* a functional rate may have no limit */
        if (goes_back(c))
            break;
        for (int32_t i = 0; i < c->s->slot_count; i++) {
            double sum = 0;
            const int32_t first = c->p->variable[i],
                          locals = c->s->components[c->s->slots[i].component].local_count;
            for (int32_t l = 0; l < locals; l++) {
                sum += c->field.x[first + l];
                if (!(c->field.x[first + l] >= -1e-6 * c->p->total[first]))
                    difference = "a population below 0";
            }
            if (!(fabs(sum - c->p->total[first]) <= 1e-9 * c->p->total[first]))
                difference = "components are lost";
        }
    }
    mean_free(&mean);
    return difference;
}

/* ---- models ------------------------------------------------------------------------------------- */

static const char *compare(Compared *c, uint64_t seed)
{
    const char *difference = compare_states(c);
    if (!difference)
        difference = compare_derivatives(c, seed);
    return difference ? difference : follow(c);
}

/* NULL, too, if the model has no populations, or such of composites. */
static const char *compare_explored(const Explored *e, uint64_t seed, int *compared)
{
    const System *s = e->chain.system;
    Compared c = {.chain = &e->chain, .s = s};
    PepaError err = {0};
    const char *difference = NULL;
    if (population_new(&c.p, s, &e->chain.rates, &err) != PEPA_OK)
        return NULL;
    if (!c.p->composite) {
        cr_assert_eq(field_new(&c.field, c.p, &err), PEPA_OK);
        c.cells = room((size_t)s->cell_count, sizeof *c.cells);
        c.counts = room((size_t)s->model->local_count, sizeof *c.counts);
        c.x = room((size_t)c.p->variables, sizeof *c.x);
        c.z = room((size_t)c.field.r, sizeof *c.z);
        c.own = room((size_t)s->model->action_count, sizeof *c.own);
        c.exact = room((size_t)s->model->action_count, sizeof *c.exact);
        c.range = room(c.p->rates.count + 1, sizeof *c.range);
        flow_ranges(&c.field, c.range);
        number_moves_init(&c.numbers, s, &e->chain.rates, c.cells, c.counts);
        difference = compare(&c, seed);
        number_moves_free(&c.numbers);
        mem_free_all(c.cells, c.counts, c.x, c.z, c.own, c.exact, c.range);
        field_free(&c.field);
        ++*compared;
    }
    population_free(c.p);
    return difference;
}

static void compare_models(Seeds *all, bool immediate)
{
    int compared = 0;
    for (uint64_t seed; seeds_next(all, &seed);) {
        RefModel ref = immediate ? seeds_immediate_model(seed, 500, false) : seeds_model(seed, 500);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        DiagList diags = {0};
        Model *model = NULL;
        const char *difference = NULL;
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, NULL) ==
            PEPA_OK)
            for (int aggregate = 0; aggregate < 2 && !difference; aggregate++) {
                Explored e;
                explored_new(&e, model, aggregate, 1, 100000);
                if (e.status == PEPA_OK)
                    difference = compare_explored(&e, seed, &compared);
                explored_free(&e);
            }
        if (difference)
            seeds_fail(all, seed, difference, text.text);
        model_free(model);
        diag_free(&diags);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all->failures, 0);
    cr_assert(compared > 0);
}

SHARDED_TEST(population, at_whole_numbers_it_is_the_chain)
{
    Seeds all = seeds(*shard, 1000);
    compare_models(&all, false);
}

SHARDED_TEST(population, immediate_activities_are_those_of_the_chain)
{
    Seeds all = seeds(*shard, 1000);
    compare_models(&all, true);
}
