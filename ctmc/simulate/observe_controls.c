/* Chooses what is observed for control variates.
 *
 * Of each action the number of completions less the integral of its rate is a martingale; so is the
 * sum, over its completions, of how many components are in some local state just before, less the
 * integral of the product of its rate and this number.  By how much an activity changes the potential
 * (the solution of Poisson's equation) of what is measured depends most on what surrounds those who
 * take part: components that do other activities with them.
 * Source: Henderson, Glynn, "Approximating martingales for variance reduction in Markov process
 * simulation", Mathematics of Operations Research 27 (2002). */
#include "ctmc/simulate/observe.h"

enum { MOST_SLOTS = 64 }; /* sets of slots are words */

/* Which slots take part in an event. */
static uint64_t slots_of(const System *s, int32_t event)
{
    uint64_t set = 0;
    const int32_t root = s->events[event].prog;
    for (int32_t p = root; p < s->progs[root].end; p++)
        if (s->progs[p].kind == PROG_SLOT && !slot_is_constant(s, s->progs[p].slot))
            set |= UINT64_C(1) << s->progs[p].slot;
    return set;
}

static uint64_t slots_of_action(const System *s, int32_t action)
{
    uint64_t set = 0;
    for (int32_t e = 0; e < s->event_count; e++)
        set |= s->events[e].label == action ? slots_of(s, e) : 0;
    return set;
}

static uint64_t neighbours(const System *s, uint64_t slots)
{
    uint64_t set = 0;
    for (int32_t e = 0; e < s->event_count; e++) {
        const uint64_t with = slots_of(s, e);
        set |= with & slots ? with : 0;
    }
    return set;
}

static bool is_same(const StateCode *code, const Observed *a, int32_t slot, int32_t local)
{
    if (a->kind == OBSERVE_LOCAL)
        return a->a == slot && a->first == local;
    return a->kind == OBSERVE_COUNT && a->end == a->first + 1 &&
           code->place[a->first].slot == slot && code->place[a->first].local == local;
}

typedef struct {
    const System *system;
    const StateCode *code;
    Observed *observed;
    int32_t count;
} Choice;

static int32_t find_flow(const Choice *c, int32_t action)
{
    int32_t i = 0;
    while (i < c->count && !(c->observed[i].kind == OBSERVE_FLOW && c->observed[i].a == action))
        i++;
    return i;
}

static int32_t find_local(Choice *c, int32_t slot, int32_t local)
{
    int32_t i = 0;
    while (i < c->count && !is_same(c->code, &c->observed[i], slot, local))
        i++;
    if (i == c->count)
        c->observed[c->count++] = (Observed){.kind = OBSERVE_LOCAL, .a = slot, .first = local};
    return i;
}

/* Products of a flow with numbers in the slots, at most `left`; how many are left then.  How many are
 * in a slot's first local state follows from the others. */
static int32_t add_products(Choice *c, int32_t flow, uint64_t slots, int32_t left)
{
    const System *s = c->system;
    for (int32_t k = 0; k < s->slot_count && k < MOST_SLOTS; k++) {
        const int32_t locals = s->components[s->slots[k].component].local_count;
        for (int32_t l = 1; l < locals && left > 0 && slots >> k & 1; l++, left--) {
            const int32_t with = find_local(c, k, l);
            c->observed[c->count++] = (Observed){.kind = OBSERVE_PRODUCT, .a = flow, .first = with};
        }
    }
    return left;
}

static uint64_t counted(const System *s)
{
    uint64_t set = 0;
    for (int32_t k = 0; k < s->slot_count; k++)
        set |= s->slots[k].copies > 0 ? UINT64_C(1) << k : 0;
    return set;
}

int32_t observe_add_controls(const System *system, const StateCode *code, Observed *observed,
                             int32_t count)
{
    Choice c = {system, code, observed, count};
    int32_t flows = 0;
    if (system->event_count > OBSERVE_CONTROL_EVENTS)
        return count;
    for (int32_t e = 0; e < system->event_count; e++) {
        const int32_t label = system->events[e].label;
        if (label >= 0 && find_flow(&c, label) == c.count)
            c.observed[c.count++] = (Observed){.kind = OBSERVE_FLOW, .a = label};
    }
    for (int32_t i = 0; i < c.count; i++)
        flows += c.observed[i].kind == OBSERVE_FLOW;
    if (flows == 0 || system->slot_count > MOST_SLOTS || system->preempts ||
        system->model->durations)
        return c.count;
    for (int32_t i = 0, all = c.count; i < all; i++) {
        if (c.observed[i].kind != OBSERVE_FLOW)
            continue;
        const uint64_t own = slots_of_action(system, c.observed[i].a);
        const int32_t left =
            add_products(&c, i, own & counted(system), OBSERVE_CONTROL_PRODUCTS / flows);
        (void)add_products(&c, i, neighbours(system, own) & ~own, left);
    }
    return c.count;
}
