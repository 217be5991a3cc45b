/* Which events are worth trying in a state: each event gets a set of slots one of which must be
 * able to take part wherever the event is possible, chosen so that they seldom are. */
#include "ctmc/system/component.h"

/* The share of its states in which a program can be expected to be ready. */
static double readiness(const System *s, int32_t prog)
{
    const Prog *p = &s->progs[prog];
    if (p->kind == PROG_SLOT) {
        const Component *c = &s->components[s->slots[p->slot].component];
        return (double)(c->able_row[p->action + 1] - c->able_row[p->action]) / c->local_count;
    }
    double sum = 0, least = 1e300;
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next) {
        double r = readiness(s, child);
        sum += r;
        least = r < least ? r : least;
    }
    return p->kind == PROG_SYNC ? least : sum;
}

typedef struct {
    int32_t at, event;
} Trigger;
typedef struct {
    Trigger *items;
    size_t count, cap;
} TriggerList;

static bool add_slot(const System *s, const Prog *p, int32_t event, TriggerList *list)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        if (!mem_reserve(&list->items, &list->cap, list->count + 1, sizeof *list->items))
            return false;
        list->items[list->count++] = (Trigger){s->slot_trigger[p->slot] + c->able[k], event};
    }
    return true;
}

static bool add_prog(const System *s, int32_t prog, int32_t event, TriggerList *list)
{
    const Prog *p = &s->progs[prog];
    if (p->kind == PROG_SLOT)
        return add_slot(s, p, event, list);
    if (p->kind != PROG_SYNC) {
        bool ok = true;
        for (int32_t child = p->first; child >= 0 && ok; child = s->progs[child].next)
            ok = add_prog(s, child, event, list);
        return ok;
    }
    int32_t best = p->first;
    double least = readiness(s, best);
    for (int32_t child = s->progs[best].next; child >= 0; child = s->progs[child].next) {
        double r = readiness(s, child);
        if (r < least) {
            least = r;
            best = child;
        }
    }
    return add_prog(s, best, event, list);
}

PepaStatus system_trigger(System *s, PepaError *err)
{
    TriggerList list = {0};
    int32_t places = 0;
    bool ok = true;
    s->slot_trigger = mem_alloc((size_t)s->slot_count, sizeof *s->slot_trigger);
    if (!s->slot_trigger)
        return error_memory(err);
    for (int32_t i = 0; i < s->slot_count; i++) {
        s->slot_trigger[i] = places;
        places += s->components[s->slots[i].component].local_count;
    }
    for (int32_t e = 0; e < s->event_count && ok; e++)
        ok = add_prog(s, s->events[e].prog, e, &list);
    s->trigger_first = mem_calloc((size_t)places + 2, sizeof *s->trigger_first);
    s->trigger_event = mem_alloc(list.count, sizeof *s->trigger_event);
    ok = ok && s->trigger_first && s->trigger_event;
    if (ok) {
        int32_t *first = s->trigger_first;
        for (size_t i = 0; i < list.count; i++)
            first[list.items[i].at + 2]++;
        for (int32_t i = 0; i < places; i++)
            first[i + 2] += first[i + 1];
        for (size_t i = 0; i < list.count; i++)
            s->trigger_event[first[list.items[i].at + 1]++] = list.items[i].event;
    }
    mem_free(list.items);
    return ok ? PEPA_OK : error_memory(err);
}
