/* Events that always move the same components between the same local states. */
#include "ctmc/semantics/choices.h"

typedef struct {
    ChoicePlan *plan;
    size_t changes, change_cap, leaves, leaf_cap;
    uint8_t *seen; /* per program: among the leaves of the event */
} Fixing;

static bool add_change(Fixing *f, int32_t slot, int32_t local, int64_t by)
{
    if (!mem_grow(f->plan->fixed_change, f->change_cap, f->changes + 1))
        return false;
    f->plan->fixed_change[f->changes++] = (ChoiceChange){slot, local, by};
    return true;
}

/* The only activity of the only local state that is able; NULL if it depends on the state. */
static const LocalMove *only_move(const System *s, const Prog *prog, int32_t *from)
{
    const Component *c = &s->components[s->slots[prog->slot].component];
    if (prog->together || c->able_row[prog->action + 1] - c->able_row[prog->action] != 1)
        return NULL;
    *from = c->able[c->able_row[prog->action]];
    const LocalOffer *offer = component_offer(c, *from, prog->action);
    return offer->end - offer->first == 1 ? &c->moves[offer->first] : NULL;
}

static bool is_fixed(const System *s, int32_t prog)
{
    const Prog *p = &s->progs[prog];
    int32_t from;
    if (p->kind == PROG_SLOT)
        return only_move(s, p, &from) != NULL;
    bool fixed = p->kind == PROG_SYNC;
    for (int32_t child = p->first; fixed && child >= 0; child = s->progs[child].next)
        fixed = is_fixed(s, child);
    return fixed;
}

static bool list_changes(Fixing *f, int32_t prog)
{
    const System *s = f->plan->system;
    const Prog *p = &s->progs[prog];
    bool ok = true;
    if (p->kind == PROG_SLOT) {
        int32_t from = -1;
        const int32_t to = only_move(s, p, &from)->target;
        return to == from || (add_change(f, p->slot, from, -1) && add_change(f, p->slot, to, 1));
    }
    for (int32_t child = p->first; ok && child >= 0; child = s->progs[child].next)
        ok = list_changes(f, child);
    return ok;
}

/* The programs that see the local states of a change. */
static bool list_leaves(Fixing *f, const ChoiceChange *change)
{
    ChoicePlan *p = f->plan;
    const Component *c = &p->system->components[p->system->slots[change->slot].component];
    const int32_t *row = p->leaf_row + p->slot_action[change->slot];
    for (int32_t o = c->row[change->local]; o < c->row[change->local + 1]; o++)
        for (int32_t k = row[c->offers[o].action]; k < row[c->offers[o].action + 1]; k++) {
            if (f->seen[p->leaf[k]])
                continue;
            f->seen[p->leaf[k]] = 1;
            if (!mem_grow(p->fixed_leaf, f->leaf_cap, f->leaves + 1))
                return false;
            p->fixed_leaf[f->leaves++] = p->leaf[k];
        }
    return true;
}

static bool fix_event(Fixing *f, int32_t event)
{
    ChoicePlan *p = f->plan;
    ChoiceFixed *at = &p->fixed[event];
    *at = (ChoiceFixed){(int32_t)f->changes, (int32_t)f->changes, (int32_t)f->leaves,
                        (int32_t)f->leaves, is_fixed(p->system, p->system->events[event].prog)};
    if (!at->always)
        return true;
    bool ok = list_changes(f, p->system->events[event].prog);
    at->change_end = (int32_t)f->changes;
    for (int32_t i = at->change; ok && i < at->change_end; i++)
        ok = list_leaves(f, &p->fixed_change[i]);
    at->leaf_end = (int32_t)f->leaves;
    for (int32_t i = at->leaf; i < at->leaf_end; i++)
        f->seen[p->fixed_leaf[i]] = 0;
    return ok;
}

bool choice_plan_fix(ChoicePlan *p)
{
    const System *s = p->system;
    Fixing f = {.plan = p};
    bool ok = mem_new_zeroed(p->fixed, s->event_count + 1) && mem_new_zeroed(f.seen, s->prog_count);
    for (int32_t e = 0; ok && !s->functional && e < s->event_count; e++)
        ok = fix_event(&f, e) && f.changes < INT32_MAX / 2 && f.leaves < INT32_MAX / 2;
    mem_free(f.seen);
    return ok;
}
