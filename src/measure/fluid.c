/* Computes measures in the fluid limit. */
#include "measure/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 5000000 };

/* What is known of the model before there are equations. */
static PepaStatus compile(FluidModel *m, const PepaSettings *set, PepaError *err)
{
    Chain *c = &m->chain;
    PepaStatus status = rates_init(&c->rates, c->model, err);
    if (status == PEPA_OK)
        status = system_new(&c->system, c->model, &c->rates, !set->derive.separate_copies, err);
    if (status == PEPA_OK && c->rates.status != PEPA_OK)
        status = error_memory(err);
    for (int32_t i = 0; i < c->model->expr_count && status == PEPA_OK; i++)
        if (c->model->exprs[i].op == EXPR_PRIORITY)
            status = error_set(err, PEPA_EARG,
                               "priorities have no fluid limit: populations have those in them and "
                               "those without at once; pepa simulate and, for a chain, pepa solve "
                               "know them");
    if (status == PEPA_OK)
        status = rate_values_new(&c->now, &c->rates, err);
    return status;
}

PepaStatus fluid_model_new(FluidModel *m, const Model *model, const Query *query,
                           const PepaSettings *set, PepaError *err)
{
    *m = (FluidModel){.chain = {.model = model}, .query = query, .set = set};
    PepaStatus status = compile(m, set, err);
    if (status == PEPA_OK)
        status = population_new(&m->population, m->chain.system, &m->chain.rates, err);
    if (status == PEPA_OK)
        status = expressions_new(&m->e, query, &m->chain, err);
    if (status == PEPA_OK)
        status = fluid_values_new(&m->values, m->e, &m->chain.now, m->population, err);
    if (status == PEPA_OK)
        status = field_new(&m->field, m->population, err);
    if (status != PEPA_OK)
        fluid_model_free(m);
    return status;
}

void fluid_model_free(FluidModel *m)
{
    field_free(&m->field);
    fluid_values_free(&m->values);
    expressions_free(m->e);
    population_free(m->population);
    rate_values_free(&m->chain.now);
    system_free(m->chain.system);
    rates_free(&m->chain.rates);
    *m = (FluidModel){0};
}

int32_t fluid_model_single(const FluidModel *m)
{
    const Population *p = m->population;
    int32_t single = 0;
    for (int32_t i = 0; i < m->chain.system->slot_count; i++)
        single += p->variable[i] >= 0 && p->total[p->variable[i]] == 1;
    return single;
}

const FluidFound fluid_nothing_found = {.jump_action = -1,
                                        .doubt_action = -1,
                                        .negative_action = -1,
                                        .scarce = -1};

static int32_t move_action(const FluidModel *m, int32_t move)
{
    return move < 0 ? -1 : m->population->moves[move].action;
}

void fluid_put_choice(const FluidModel *m, ScarceChoice choice, double time, FluidFound *found)
{
    found->scarce = choice.variable;
    found->scarce_action = move_action(m, choice.move);
    found->scarce_other = move_action(m, choice.other);
    found->scarce_time = time;
}

/* Of a move whose rate has the kink. */
static int32_t kink_action(const FluidModel *m, int32_t kink)
{
    return m->population->moves[m->field.used_by[kink]].action;
}

/* What deviations are made from. */
typedef struct {
    FluidModel *m;
    FlowRange *range;      /* per flow */
    double *by_functional; /* of one item */
    double *bound;         /* as values: the most that deviations in the fluid limit can be */
    double *z, *value, *slope;
    FluidMoments *moments;
} MomentJob;

/* After fluid_values_at(flow): the most that the deviation of an item can be, to the first order in those
 * of its functionals. */
static double most_deviation(const MomentJob *job, const double *flow, size_t item)
{
    FluidModel *m = job->m;
    double sum = 0;
    fluid_values_slopes(&m->values, item, job->by_functional);
    for (int32_t f = 0; f < expressions_functionals(m->e); f++) {
        const int32_t k = m->values.flow[f];
        if (job->by_functional[f] != 0)
            sum += fabs(job->by_functional[f]) * range_deviation(job->range[k], flow[k]);
    }
    return sum;
}

/* Row j of values, at the field's evaluation.  job: NULL, or bounds as well. */
static void put_values(FluidModel *m, size_t j, double *value, const MomentJob *job)
{
    const size_t items = m->query->item_count;
    fluid_values_at(&m->values, m->field.value, value + j * items);
    for (size_t i = 0; i < items && job; i++)
        job->bound[j * items + i] = most_deviation(job, m->field.value, i);
}

static PepaStatus find_at_times(FluidModel *m, const double *time, size_t count, double *value,
                                const MomentJob *job, FluidFound *found, PepaError *err)
{
    Mean mean = {0};
    double *start = NULL;
    PepaStatus status = mem_new(start, m->field.r) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        field_start(&m->field, start);
        status = mean_new(&mean, &m->field, start, m->set->solve.tolerance, err);
    }
    for (size_t j = 0; j < count && status == PEPA_OK; j++) {
        status = mean_run(&mean, time[j], MOST_STEPS - ode_steps(mean.ode), m->set, err);
        if (status == PEPA_OK)
            put_values(m, j, value, job);
    }
    if (mean.ode) {
        found->steps = ode_steps(mean.ode);
        found->turns = ode_turns(mean.ode);
        found->jump_time = mean.jump_time;
        found->jump_action = mean.jump < 0 ? -1 : kink_action(m, mean.jump);
        found->negative_action = move_action(m, mean.negative);
        found->negative_time = mean.negative_time;
        fluid_put_choice(m, mean.choice, mean.choice_time, found);
    }
    mean_free(&mean);
    mem_free(start);
    return status;
}

/* z: where they settle. */
static PepaStatus find_settled(FluidModel *m, double *z, double *value, const MomentJob *job,
                               FluidFound *found, PepaError *err)
{
    PepaStatus status = settle(&m->field, m->set->solve.tolerance, m->set, z, &found->settled, err);
    if (status == PEPA_OK) {
        found->negative_action = move_action(m, field_negative(&m->field));
        fluid_put_choice(m, field_choice(&m->field), 0, found);
        put_values(m, 0, value, job);
    }
    found->steps = found->settled.steps;
    return status;
}

PepaStatus fluid_at_times(FluidModel *m, const double *time, size_t count, double *value,
                          FluidFound *found, PepaError *err)
{
    return find_at_times(m, time, count, value, NULL, found, err);
}

PepaStatus fluid_settled(FluidModel *m, double *value, FluidFound *found, PepaError *err)
{
    double *z = NULL;
    PepaStatus status = mem_new(z, m->field.r) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = find_settled(m, z, value, NULL, found, err);
    mem_free(z);
    return status;
}

/* ---- moments ----------------------------------------------------------------------------------- */

static double deviation_of(const MomentJob *job, const Smooth *look, size_t item)
{
    FluidModel *m = job->m;
    const size_t r = (size_t)m->field.r;
    fluid_values_slopes(&m->values, item, job->by_functional);
    memset(job->slope, 0, r * sizeof *job->slope);
    for (int32_t f = 0; f < expressions_functionals(m->e); f++) {
        const double *by = smooth_slope(look, m->values.flow[f]);
        for (size_t i = 0; i < r && job->by_functional[f] != 0; i++)
            job->slope[i] += job->by_functional[f] * by[i];
    }
    return sqrt(fmax(smooth_covariance(look, job->slope, job->slope), 0));
}

/* The action of the min or condition that is least decided. */
static int32_t undecided(const FluidModel *m, const Smooth *look)
{
    const Population *p = m->population;
    double nearest = 1;
    int32_t action = -1;
    for (size_t k = 0; k < p->kink_count; k++)
        if (fabs(look->first[k] - 0.5) < nearest) {
            nearest = fabs(look->first[k] - 0.5);
            action = kink_action(m, (int32_t)k);
        }
    return action;
}

static void put_moments(MomentJob *job, size_t at, FluidMoment *moment, FluidFound *found)
{
    const double rounding = 1e-12; /* of the largest value: what is less is as good as 0 */
    double largest = 0;
    FluidModel *m = job->m;
    const size_t items = m->query->item_count;
    const Smooth *look = fluid_moments_look(job->moments);
    fluid_values_at(&m->values, look->mean, job->value);
    for (size_t i = 0; i < items; i++) {
        const bool normal = found->closure == CLOSURE_NORMAL;
        moment[i].mean = normal ? job->value[i] : moment[i].fluid;
        moment[i].deviation =
            fmin(deviation_of(job, look, i),
                 normal ? most_deviation(job, look->mean, i) : job->bound[at * items + i]);
    }
    look = fluid_moments_shifted(job->moments);
    fluid_values_at(&m->values, look->mean, job->value);
    for (size_t i = 0; i < items; i++)
        largest = fmax(largest, fabs(job->value[i]));
    for (size_t i = 0; i < items; i++) {
        const double fluid = moment[i].fluid, second = job->value[i];
        const double size = fmax(fmax(fabs(second), fabs(fluid)), rounding * largest);
        const double share = fabs(second - fluid) / size;
        if (share > found->doubt) {
            found->doubt = share;
            found->doubt_time = at;
            found->doubt_item = i;
            found->doubt_action = undecided(m, look);
        }
    }
}

static PepaStatus find_all_moments(MomentJob *job, const double *time, size_t count,
                                   FluidMoment *moment, FluidFound *found, PepaError *err)
{
    FluidModel *m = job->m;
    PepaStatus status = PEPA_OK;
    found->doubt = 0;
    for (size_t j = 0; j < count && status == PEPA_OK; j++) {
        status = time
                     ? fluid_moments_run(job->moments, time[j], m->set, err)
                     : fluid_moments_settle(job->moments, job->z, found->settled.time, m->set, err);
        if (status == PEPA_OK)
            put_moments(job, j, moment + j * m->query->item_count, found);
    }
    return status;
}

/* With the next closure, if there is one. */
static bool resort(MomentJob *job, FluidFound *found, PepaStatus status, const PepaError *err)
{
    if (status != PEPA_ENOCONV || found->closure == CLOSURE_BOUNDS)
        return false;
    if (found->closure == CLOSURE_NORMAL)
        (void)snprintf(found->why, sizeof found->why, "%s", err->message);
    found->closure++;
    found->doubt = 0;
    fluid_moments_linearise(job->moments);
    return true;
}

static void put_bounds(const MomentJob *job, size_t count, FluidMoment *moment)
{
    for (size_t i = 0; i < count; i++) {
        moment[i].mean = moment[i].fluid;
        moment[i].deviation = isfinite(job->bound[i]) ? job->bound[i] : NAN;
    }
}

/* The fluid limit, and then the moments, which start from it in the long run. */
static PepaStatus find_moments(MomentJob *job, const double *time, size_t count,
                               FluidMoment *moment, FluidFound *found, PepaError *err)
{
    FluidModel *m = job->m;
    const size_t all = count * m->query->item_count;
    const double steps = 1e-7; /* their errors: smaller ones are below what is left out */
    flow_ranges(&m->field, job->range);
    PepaStatus status = time ? find_at_times(m, time, count, job->value, job, found, err)
                             : find_settled(m, job->z, job->value, job, found, err);
    for (size_t i = 0; i < all && status == PEPA_OK; i++)
        moment[i].fluid = job->value[i];
    if (status == PEPA_OK)
        status =
            fluid_moments_new(&job->moments, &m->field, fmax(m->set->solve.tolerance, steps), err);
    if (status != PEPA_OK)
        return status;
    do
        status = found->closure == CLOSURE_BOUNDS
                     ? PEPA_OK
                     : find_all_moments(job, time, count, moment, found, err);
    while (resort(job, found, status, err));
    if (found->closure == CLOSURE_BOUNDS)
        put_bounds(job, all, moment);
    found->moment_steps = fluid_moments_steps(job->moments);
    return status;
}

PepaStatus fluid_moments(FluidModel *m, const double *time, size_t count, FluidMoment *moment,
                         FluidFound *found, PepaError *err)
{
    MomentJob job = {.m = m};
    const bool ok = mem_new(job.z, m->field.r) && mem_new(job.slope, m->field.r) &&
                    mem_new(job.range, m->population->rates.count) &&
                    mem_new(job.bound, count * m->query->item_count) &&
                    mem_new(job.value, count * m->query->item_count) &&
                    mem_new(job.by_functional, expressions_functionals(m->e));
    const PepaStatus status =
        ok ? find_moments(&job, time, count, moment, found, err) : error_memory(err);
    fluid_moments_free(job.moments);
    mem_free_all(job.z, job.value, job.slope, job.by_functional, job.range, job.bound);
    return status;
}
