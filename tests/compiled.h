/* A model compiled to a system, for tests of what works on systems. */
#ifndef PEPA_TESTS_COMPILED_H
#define PEPA_TESTS_COMPILED_H

#include "support.h"

typedef struct {
    Model *model;
    RateTable rates;
    System *system;
} Compiled;

static inline Compiled compiled_of(const char *text, bool aggregate)
{
    Compiled c = {.model = model_of(text)};
    PepaError err = {0};
    cr_assert_eq(rates_init(&c.rates, c.model, &err), PEPA_OK);
    cr_assert_eq(system_new(&c.system, c.model, &c.rates, aggregate, &err), PEPA_OK);
    return c;
}

static inline void compiled_free(Compiled *c)
{
    system_free(c->system);
    rates_free(&c->rates);
    model_free(c->model);
}

/* The event of an action, as it is seen; LABEL_NONE events only if `unnamed`.  -1: none. */
static inline int32_t event_of(const Compiled *c, const char *action, bool unnamed)
{
    for (int32_t e = 0; e < c->system->event_count; e++)
        if (strcmp(c->model->actions[c->system->events[e].action], action) == 0 &&
            (c->system->events[e].label == LABEL_NONE) == unnamed)
            return e;
    return -1;
}

#endif
