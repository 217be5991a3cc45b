/* The differential equations of a model's text, for tests. */
#ifndef PEPA_TESTS_FLUID_FLUIDS_H
#define PEPA_TESTS_FLUID_FLUIDS_H

#include "compiled.h"
#include "fluid/field.h"

typedef struct {
    Compiled c;
    Population *p;
    FluidField field;
} Fluid;

static inline Fluid fluid_of(const char *text)
{
    Fluid f = {.c = compiled_of(text, true)};
    PepaError err = {0};
    cr_assert_eq(population_new(&f.p, f.c.system, &f.c.rates, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(field_new(&f.field, f.p, &err), PEPA_OK, "%s", err.message);
    return f;
}

static inline void fluid_free(Fluid *f)
{
    field_free(&f->field);
    population_free(f->p);
    compiled_free(&f->c);
}

/* The variable of a local state, which is in one slot only. */
static inline int32_t variable_named(const Fluid *f, const char *name)
{
    const System *s = f->c.system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Component *c = &s->components[s->slots[i].component];
        for (int32_t l = 0; l < c->local_count && f->p->variable[i] >= 0; l++)
            if (strcmp(f->c.model->locals[c->local[l]].name, name) == 0)
                return f->p->variable[i] + l;
    }
    cr_assert_fail("no local state %s", name);
    return -1;
}

#endif
