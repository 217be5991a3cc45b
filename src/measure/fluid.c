/* Computes measures in the fluid limit. */
#include "measure/fluid.h"

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
    if (status == PEPA_OK && c->system->preempts)
        status = error_set(err, PEPA_EARG,
                           "differential equations know neither immediate activities nor "
                           "priorities; a chain does: pepa solve, pepa transient");
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
    int32_t single = 0;
    for (int32_t i = 0; i < m->chain.system->slot_count; i++)
        single += m->chain.system->slots[i].copies == 0;
    return single;
}

PepaStatus fluid_at_times(FluidModel *m, const double *time, size_t count, double *value,
                          FluidFound *found, PepaError *err)
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
            fluid_values_at(&m->values, m->field.value, value + j * m->query->item_count);
    }
    if (mean.ode)
        *found = (FluidFound){.steps = ode_steps(mean.ode), .turns = ode_turns(mean.ode)};
    mean_free(&mean);
    mem_free(start);
    return status;
}

PepaStatus fluid_settled(FluidModel *m, double *value, FluidFound *found, PepaError *err)
{
    double *z = NULL;
    PepaStatus status = mem_new(z, m->field.r) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = settle(&m->field, m->set->solve.tolerance, m->set, z, &found->settled, err);
    if (status == PEPA_OK)
        fluid_values_at(&m->values, m->field.value, value);
    found->steps = found->settled.steps;
    mem_free(z);
    return status;
}
