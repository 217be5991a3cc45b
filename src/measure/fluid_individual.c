/* Writes the model of one component in its mean field. */
#include "measure/fluid_individual.h"

#include <math.h>
#include <string.h>

/* Of a local state of the component in a slot, by its place there. */
static const char *local_name(const FluidModel *m, int32_t slot, int32_t place)
{
    const System *s = m->chain.system;
    return m->chain.model->locals[s->components[s->slots[slot].component].local[place]].name;
}

/* The slot, or -1. */
static int32_t slot_of(const FluidModel *m, const char *component)
{
    const System *s = m->chain.system;
    int32_t found = -1;
    for (int32_t i = 0; i < s->slot_count; i++) {
        if (m->population->variable[i] >= 0 && strcmp(local_name(m, i, 0), component) == 0 &&
            (found < 0 || s->slots[i].position < s->slots[found].position))
            found = i;
    }
    return found;
}

/* What the system equation has: the component with such a local state, or its first one. */
static const char *instead_of(const FluidModel *m, const char *component)
{
    const System *s = m->chain.system;
    for (int32_t i = 0; i < s->slot_count; i++)
        for (int32_t l = 0; l < s->components[s->slots[i].component].local_count; l++)
            if (strcmp(local_name(m, i, l), component) == 0)
                return local_name(m, i, 0);
    return local_name(m, 0, 0);
}

/* Rates at the populations of m->field.x, where a next to empty local state counts as one that has
 * just a few components: it has the same rate for each of them. */
static bool evaluate(FluidModel *m, double **populations)
{
    const double few = 1e-9;
    const Population *p = m->population;
    if (!mem_new(*populations, p->variables))
        return false;
    for (int32_t i = 0; i < p->variables; i++)
        (*populations)[i] = fmax(m->field.x[i], few * p->total[i]);
    field_evaluate_at(&m->field, *populations);
    return true;
}

static void write_activity(const FluidModel *m, const PopulationMove *move, int32_t target,
                           double rate, bool *any, Text *text)
{
    const Model *model = m->chain.model;
    if (!(rate > 0))
        return;
    text_add(text, "%s(%s, %.17g).%s", *any ? " + " : "", model->actions[move->seen], rate,
             model->locals[target].name);
    *any = true;
}

/* Local state `local` of the slot, and what it can do. */
static void write_local(const FluidModel *m, int32_t slot, int32_t local, const double *x,
                        Text *text)
{
    const Population *p = m->population;
    const Component *c = &m->chain.system->components[m->chain.system->slots[slot].component];
    const int32_t first = p->variable[slot], from = first + local;
    const char *name = m->chain.model->locals[c->local[local]].name;
    bool any = false;
    text_add(text, "%s = ", name);
    for (size_t i = 0; i < p->move_count; i++) {
        const PopulationMove *move = &p->moves[i];
        for (int32_t k = move->first; k < move->end_of_stays; k++)
            if (p->steps[k].from == from)
                write_activity(m, move, c->local[p->steps[k].to - first],
                               m->field.value[move->rate] / x[from], &any, text);
    }
    if (any)
        text_add(text, ";\n");
    else /* nothing ever leaves it */
        text_add(text, "(tau, 1).%s;\n", name);
}

static void find_timeless(const Model *model, const Component *c, bool *timeless)
{
    for (int32_t l = 0; l < c->local_count; l++) {
        const Local *local = &model->locals[c->local[l]];
        for (int32_t k = local->first; k < local->first + local->count; k++)
            if (model_is_immediate(model, model->activities[k].expr))
                timeless[model->activities[k].action] = true;
    }
}

PepaStatus fluid_individual(FluidModel *m, const char *component, bool *timeless, Text *text,
                            FluidFound *found, PepaError *err)
{
    const int32_t slot = slot_of(m, component);
    double *x = NULL, *z = NULL;
    Settled settled;
    if (slot < 0)
        return error_set(err, PEPA_EARG,
                         "no sequential component `%s` is in the system equation, but `%s`: in the "
                         "mean field, a probe watches one of these",
                         component, instead_of(m, component));
    if (m->population->initial[m->population->variable[slot]] == 0)
        return error_set(err, PEPA_EARG,
                         "`%s` takes no time: begin with a local state that does, to watch one "
                         "component in the mean field",
                         component);
    PepaStatus status = mem_new(z, m->field.r) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = settle(&m->field, m->set->solve.tolerance, m->set, z, &settled, err);
    if (status == PEPA_OK)
        fluid_put_choice(m, field_choice(&m->field), 0, found);
    if (status == PEPA_OK && !evaluate(m, &x))
        status = error_memory(err);
    const int32_t negative = status == PEPA_OK ? field_negative(&m->field) : -1;
    if (negative >= 0)
        status = error_set(
            err, PEPA_EMODEL,
            "where populations settle, the rate of `%.100s` is below 0: it counts local "
            "states, and is that between whole numbers of them, or in states of the model, "
            "where a simulation ends with an error: use pepa passage --simulate",
            m->chain.model->actions[m->population->moves[negative].action]);
    const Component *c = &m->chain.system->components[m->chain.system->slots[slot].component];
    find_timeless(m->chain.model, c, timeless);
    for (int32_t l = 0; l < c->local_count && status == PEPA_OK; l++)
        write_local(m, slot, l, x, text);
    text_add(text, "%s\n", component);
    if (status == PEPA_OK && text->failed)
        status = error_memory(err);
    mem_free_all(x, z);
    return status;
}
