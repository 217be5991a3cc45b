/* Computes measures in the fluid limit. */
#include "measure/fluid.h"

#include <string.h>

enum { MOST_STEPS = 5000000 };

PepaStatus fluid_model_new(FluidModel *m, const Model *model, const PepaSettings *set,
                           PepaError *err)
{
    Chain *c = &m->chain;
    *m = (FluidModel){.chain = {.model = model}};
    PepaStatus status = rates_init(&c->rates, model, err);
    if (status == PEPA_OK)
        status = system_new(&c->system, model, &c->rates, !set->derive.separate_copies, err);
    if (status == PEPA_OK && c->rates.status != PEPA_OK)
        status = error_memory(err);
    if (status == PEPA_OK)
        status = rate_values_new(&c->now, &c->rates, err);
    if (status == PEPA_OK)
        status = population_new(&m->population, c->system, &c->rates, err);
    if (status == PEPA_OK)
        status = field_new(&m->field, m->population, err);
    if (status != PEPA_OK)
        fluid_model_free(m);
    return status;
}

void fluid_model_free(FluidModel *m)
{
    field_free(&m->field);
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

/* The measures joined to the model. */
static PepaStatus join(FluidModel *m, const Query *query, Expressions **e, FluidValues *values,
                       PepaError *err)
{
    PepaStatus status = expressions_new(e, query, &m->chain, err);
    return status == PEPA_OK ? fluid_values_new(values, *e, &m->chain.now, &m->field, err) : status;
}

PepaStatus fluid_at_times(FluidModel *m, const Query *query, const double *time, size_t count,
                          const PepaSettings *set, double *value, FluidFound *found, PepaError *err)
{
    Expressions *e = NULL;
    FluidValues values = {0};
    Mean mean = {0};
    double *start = NULL;
    PepaStatus status = join(m, query, &e, &values, err);
    if (status == PEPA_OK && !mem_new(start, m->field.r))
        status = error_memory(err);
    if (status == PEPA_OK) {
        field_start(&m->field, start);
        status = mean_new(&mean, &m->field, start, set->solve.tolerance, err);
    }
    for (size_t j = 0; j < count && status == PEPA_OK; j++) {
        status = mean_run(&mean, time[j], MOST_STEPS - ode_steps(mean.ode), set, err);
        if (status == PEPA_OK)
            fluid_values_at(&values, value + j * query->item_count);
    }
    if (mean.ode)
        *found = (FluidFound){.steps = ode_steps(mean.ode), .turns = ode_turns(mean.ode)};
    mean_free(&mean);
    mem_free(start);
    fluid_values_free(&values);
    expressions_free(e);
    return status;
}

PepaStatus fluid_settled(FluidModel *m, const Query *query, const PepaSettings *set, double *value,
                         FluidFound *found, PepaError *err)
{
    Expressions *e = NULL;
    FluidValues values = {0};
    double *z = NULL;
    PepaStatus status = join(m, query, &e, &values, err);
    if (status == PEPA_OK && !mem_new(z, m->field.r))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = settle(&m->field, set->solve.tolerance, set, z, &found->settled, err);
    if (status == PEPA_OK)
        fluid_values_at(&values, value);
    found->steps = found->settled.steps;
    mem_free(z);
    fluid_values_free(&values);
    expressions_free(e);
    return status;
}
