/* A model that is compiled and planned, of which single states are expanded. */
#ifndef PEPA_TESTS_PLANNED_H
#define PEPA_TESTS_PLANNED_H

#include "compiled.h"
#include "ctmc/semantics/vanish.h"

typedef struct {
    Compiled c;
    Plans plans;
    Table kinds;
    Expander expander;
    Block block;
} Planned;

static inline Planned *planned(const char *text)
{
    Planned *p = mem_calloc(1, sizeof *p);
    PepaError err = {0};
    cr_assert_not_null(p);
    p->c = compiled_of(text, true);
    cr_assert(table_init(&p->kinds, 1));
    cr_assert_eq(plans_new(&p->plans, p->c.system, &err), PEPA_OK);
    cr_assert_eq(expander_init(&p->expander, p->c.system, &p->c.rates, &p->plans, &p->kinds, &err),
                 PEPA_OK);
    return p;
}

static inline void planned_free(Planned *p)
{
    expander_free(&p->expander);
    plans_free(&p->plans);
    table_free(&p->kinds);
    block_free(&p->block);
    compiled_free(&p->c);
    mem_free(p);
}

static inline const EventPlan *plan_of(const Planned *p, const char *action)
{
    return &p->plans.events[event_of(&p->c, action, false)];
}

static inline Expansion expand(Planned *p, const int32_t *cells)
{
    uint64_t packed[4];
    system_pack(p->c.system, cells, packed);
    cr_assert(block_begin(&p->block, 0, 1));
    return expand_state(&p->expander, packed, &p->block);
}

/* The rate at which an action leads to a state; 0: it does not. */
static inline double rate_to(const Planned *p, const char *action, const int32_t *cells)
{
    uint64_t packed[4];
    const size_t words = p->c.system->words;
    double rate = 0;
    system_pack(p->c.system, cells, packed);
    for (size_t i = 0; i < p->block.moves; i++)
        if (memcmp(p->block.target + i * words, packed, words * sizeof *packed) == 0 &&
            strcmp(p->c.model->actions[kind_action(&p->kinds, p->block.kind[i])], action) == 0)
            rate += p->c.rates.value[kind_term(&p->kinds, p->block.kind[i])];
    return rate;
}

#endif
