/* Programs in which active and passive rates of one action type might meet. */
#include "ctmc/system/system.h"

enum { ACTIVE = 1, PASSIVE = 2 };

/* The kinds of rates that a component has for an action; *together: both in one local state. */
static int component_kinds(const System *s, const RateTable *rates, const Prog *p, bool *together)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    int kinds = 0;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        if (offer->apparent == TERM_BY_STATE) {
            kinds |= ACTIVE | PASSIVE;
            *together = true;
        }
        if (offer->apparent == TERM_MIXED)
            *together = true;
        for (int32_t i = offer->first; i < offer->end; i++)
            if (c->moves[i].term >= 0)
                kinds |= rates->passive[c->moves[i].term] ? PASSIVE : ACTIVE;
    }
    return kinds;
}

/* Fill in kinds[] of every program of the tree `prog`; suspect[]: both can meet there. */
static void kinds_of(const System *s, const RateTable *rates, int32_t prog, uint8_t *kinds,
                     uint8_t *suspect)
{
    const Prog *p = &s->progs[prog];
    bool together = false;
    int any = 0, all = ACTIVE | PASSIVE;
    if (p->kind == PROG_SLOT) {
        any = component_kinds(s, rates, p, &together);
        if (s->slots[p->slot].copies && any == (ACTIVE | PASSIVE))
            together = true;
    }
    for (int32_t child = p->first; p->kind != PROG_SLOT && child >= 0;
         child = s->progs[child].next) {
        kinds_of(s, rates, child, kinds, suspect);
        any |= kinds[child];
        all &= kinds[child];
    }
    /* A cooperation is active as soon as one side is. */
    kinds[prog] = (uint8_t)(p->kind == PROG_SYNC ? (any & ACTIVE) | (all & PASSIVE) : any);
    suspect[prog] = together || (p->kind != PROG_SYNC && any == (ACTIVE | PASSIVE));
}

PepaStatus system_suspect(System *s, const RateTable *rates, size_t *event_cap, PepaError *err)
{
    uint8_t *kinds = mem_calloc((size_t)s->prog_count, 1);
    uint8_t *suspect = mem_calloc((size_t)s->prog_count, 1);
    uint8_t *child = mem_calloc((size_t)s->prog_count, 1);
    bool ok = kinds && suspect && child;
    for (int32_t i = 0; i < s->prog_count && ok; i++)
        for (int32_t c = s->progs[i].kind == PROG_SLOT ? -1 : s->progs[i].first; c >= 0;
             c = s->progs[c].next)
            child[c] = 1;
    for (int32_t i = 0; i < s->prog_count && ok; i++)
        if (!child[i])
            kinds_of(s, rates, i, kinds, suspect);
    for (int32_t i = 0; i < s->prog_count && ok; i++) {
        if (!suspect[i])
            continue;
        int32_t leaf = i;
        while (s->progs[leaf].kind != PROG_SLOT)
            leaf = s->progs[leaf].first;
        const Prog *p = &s->progs[leaf];
        int32_t action = s->components[s->slots[p->slot].component].action[p->action];
        ok = mem_reserve(&s->events, event_cap, (size_t)s->event_count + 1, sizeof *s->events);
        if (ok)
            s->events[s->event_count++] = (Event){LABEL_NONE, action, i};
    }
    mem_free(kinds);
    mem_free(suspect);
    mem_free(child);
    return ok ? PEPA_OK : error_memory(err);
}
