/* Explorations of one model by one thread and by several, to be compared byte by byte. */
#ifndef PEPA_TESTS_EXPLORING_H
#define PEPA_TESTS_EXPLORING_H

#include <string.h>

#include "ctmc/chain.h"
#include "settings.h"

typedef struct {
    Chain chain;
    DiagList diags;
    PepaError err;
    PepaStatus status;
} Explored;

/* threads: they join in as soon as two states wait. */
static inline void explored_new(Explored *e, const Model *model, int aggregate, int threads,
                                int64_t max_states)
{
    PepaSettings set = settings_for_tests();
    *e = (Explored){.chain = {.model = model}};
    set.derive.separate_copies = !aggregate;
    set.threads = threads;
    set.derive.max_states = max_states;
    e->status = rates_init(&e->chain.rates, model, &e->err);
    if (e->status == PEPA_OK)
        e->status = system_new(&e->chain.system, model, &e->chain.rates, aggregate, &e->err);
    if (e->status == PEPA_OK)
        e->status = chain_explore(&e->chain, &set, 2, &e->diags, &e->err);
    if (e->status == PEPA_OK)
        e->status = rate_values_new(&e->chain.now, &e->chain.rates, &e->err);
}

static inline void explored_free(Explored *e)
{
    Chain *chain = mem_alloc(1, sizeof *chain);
    if (chain)
        *chain = e->chain;
    chain_free(chain);
    diag_free(&e->diags);
}

static inline bool explored_alike(const void *a, const void *b, size_t count, size_t size)
{
    return count * size == 0 || memcmp(a, b, count * size) == 0;
}

/* A transition that leads back to where it begins, of which the chain says that there is none. */
static inline bool explored_loop_untold(const Chain *c)
{
    for (int32_t s = 0; s < c->states.count && !c->loops; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (c->target[k] == s)
                return true;
    return false;
}

/* What differs between two explorations, or NULL. */
static inline const char *explored_difference(const Explored *a, const Explored *b)
{
    const Chain *x = &a->chain, *y = &b->chain;
    if (a->status != b->status)
        return "status";
    if (a->diags.count != b->diags.count)
        return "number of findings";
    for (size_t i = 0; i < a->diags.count; i++)
        if (strcmp(a->diags.items[i].message, b->diags.items[i].message) != 0)
            return "findings";
    if (a->status != PEPA_OK)
        return strcmp(a->err.message, b->err.message) == 0 ? NULL : "message";
    size_t n = (size_t)x->states.count, m = (size_t)x->transitions;
    if (x->states.count != y->states.count || x->transitions != y->transitions)
        return "size";
    if (!explored_alike(x->states.state, y->states.state, n * x->states.words, 8))
        return "states";
    if (explored_loop_untold(x) || x->loops != y->loops)
        return "loops";
    if (!explored_alike(x->row, y->row, n + 1, sizeof *x->row) || x->deadlocks != y->deadlocks)
        return "rows";
    if (!explored_alike(x->target, y->target, m, sizeof *x->target))
        return "targets";
    if ((x->narrow == NULL) != (y->narrow == NULL) ||
        (x->narrow && !explored_alike(x->narrow, y->narrow, m, sizeof *x->narrow)) ||
        (x->wide && !explored_alike(x->wide, y->wide, m, sizeof *x->wide)))
        return "kinds of transitions";
    size_t kinds = (size_t)x->kind_count, actions = (size_t)x->action_count;
    if (x->kind_count != y->kind_count ||
        !explored_alike(x->kind_action, y->kind_action, kinds, sizeof *x->kind_action) ||
        !explored_alike(x->kind_term, y->kind_term, kinds, sizeof *x->kind_term))
        return "kinds";
    if (x->action_count != y->action_count ||
        !explored_alike(x->actions, y->actions, actions, sizeof *x->actions))
        return "actions";
    size_t terms = (size_t)x->rates.count;
    if (x->rates.count != y->rates.count ||
        !explored_alike(x->rates.terms, y->rates.terms, terms, sizeof *x->rates.terms) ||
        !explored_alike(x->rates.value, y->rates.value, terms, sizeof *x->rates.value))
        return "terms";
    return NULL;
}

/* Explores with 1, 2, 3 and 8 threads; what differs, or NULL. */
static inline const char *explored_by_all(const Model *model, int aggregate, int64_t max_states)
{
    static const int threads[] = {2, 3, 8};
    const char *difference = NULL;
    Explored alone, together;
    explored_new(&alone, model, aggregate, 1, max_states);
    for (size_t i = 0; i < sizeof threads / sizeof *threads && !difference; i++) {
        explored_new(&together, model, aggregate, threads[i], max_states);
        difference = explored_difference(&alone, &together);
        explored_free(&together);
    }
    explored_free(&alone);
    return difference;
}

#endif
