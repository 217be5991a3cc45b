/* Finds the programs in which active and passive rates of one action type might meet. */
#include "ctmc/system/system.h"

enum { ACTIVE = 1, PASSIVE = 2 };

/* The kinds of rates that a slot has for an action; *together: both may meet in the slot. */
static int slot_kinds(const System *s, const RateTable *rates, const Prog *p, bool *together)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    int kinds = 0;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        if (offer->apparent == TERM_BY_STATE)
            kinds |= ACTIVE | PASSIVE;
        if (offer->apparent == TERM_BY_STATE || offer->apparent == TERM_MIXED)
            *together = true;
        for (int32_t i = offer->first; i < offer->end; i++)
            if (c->moves[i].term >= 0)
                kinds |= rates->passive[c->moves[i].term] ? PASSIVE : ACTIVE;
    }
    *together = *together || (s->slots[p->slot].copies && kinds == (ACTIVE | PASSIVE));
    return kinds;
}

/* kinds[] of the operands of `prog` are known: fill in its own; can both meet there? */
static bool find_kinds(const System *s, const RateTable *rates, int32_t prog, uint8_t *kinds)
{
    const Prog *p = &s->progs[prog];
    bool together = false;
    int any = 0, all = ACTIVE | PASSIVE;
    if (p->kind == PROG_SLOT) {
        kinds[prog] = (uint8_t)slot_kinds(s, rates, p, &together);
        return together;
    }
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next) {
        any |= kinds[child];
        all &= kinds[child];
    }
    /* A cooperation is active as soon as one side is. */
    kinds[prog] = (uint8_t)(p->kind == PROG_SYNC ? (any & ACTIVE) | (all & PASSIVE) : any);
    return p->kind != PROG_SYNC && any == (ACTIVE | PASSIVE);
}

PepaStatus system_suspect(System *s, const RateTable *rates, size_t *event_cap, PepaError *err)
{
    uint8_t *kinds = mem_alloc((size_t)s->prog_count, 1);
    uint8_t *suspect = mem_alloc((size_t)s->prog_count, 1);
    bool ok = kinds && suspect;
    for (int32_t i = s->prog_count; ok && i-- > 0;)
        suspect[i] = find_kinds(s, rates, i, kinds);
    for (int32_t i = 0; i < s->prog_count && ok; i++) {
        if (!suspect[i])
            continue;
        int32_t leaf = i;
        while (s->progs[leaf].kind != PROG_SLOT)
            leaf++;
        const Prog *p = &s->progs[leaf];
        int32_t action = s->components[s->slots[p->slot].component].action[p->action];
        ok = mem_reserve(&s->events, event_cap, (size_t)s->event_count + 1, sizeof *s->events);
        if (ok)
            s->events[s->event_count++] = (Event){LABEL_NONE, action, i, false};
    }
    mem_free_all(kinds, suspect);
    return ok ? PEPA_OK : error_memory(err);
}
