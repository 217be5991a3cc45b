/* Chooses which slots trigger which events: each event gets a set of slots one of which must be
 * able to take part wherever the event is possible, chosen so that they are rarely able to. */
#include "ctmc/system/system.h"

/* The share of its states in which a program can be expected to be ready, given those of its
 * operands.  left_out[child] is set for the operands of a synchronisation but the one that is ready
 * most rarely. */
static double find_readiness(const System *s, int32_t prog, const double *readiness,
                             uint8_t *left_out)
{
    const Prog *p = &s->progs[prog];
    double sum = 0;
    int32_t least = -1;
    if (p->kind == PROG_SLOT) {
        const Component *c = &s->components[s->slots[p->slot].component];
        return (double)(c->able_row[p->action + 1] - c->able_row[p->action]) / c->local_count;
    }
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next) {
        sum += readiness[child];
        if (least < 0 || readiness[child] < readiness[least])
            least = child;
    }
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
        left_out[child] = p->kind == PROG_SYNC && child != least;
    return p->kind == PROG_SYNC ? readiness[least] : sum;
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
        if (!mem_grow(list->items, list->cap, list->count + 1))
            return false;
        list->items[list->count++] = (Trigger){s->slot_trigger[p->slot] + c->able[k], event};
    }
    return true;
}

static bool add_event(System *s, int32_t event, const uint8_t *left_out, TriggerList *list)
{
    const int32_t root = s->events[event].prog, end = s->progs[root].end;
    int32_t cells = 0;
    for (int32_t p = root; p < end;) {
        bool skip = p != root && left_out[p];
        if (!skip && s->progs[p].kind == PROG_SLOT) {
            cells += s->slots[s->progs[p].slot].copies ? 2 : 1;
            if (!add_slot(s, &s->progs[p], event, list))
                return false;
        }
        p = skip ? s->progs[p].end : p + 1;
    }
    s->events[event].several_triggers = cells > 1;
    return true;
}

static void add_starter(System *s, int32_t cell, int32_t at, int32_t values, bool counted)
{
    if (s->trigger_first[at + values] > s->trigger_first[at])
        s->starters[s->starter_count++] = (Starter){cell, at, counted};
}

static void find_starters(System *s)
{
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        int32_t locals = s->components[slot->component].local_count;
        if (!slot->copies)
            add_starter(s, slot->cell, s->slot_trigger[i], locals, false);
        for (int32_t l = 0; l < locals && slot->copies; l++)
            add_starter(s, slot->cell + l, s->slot_trigger[i] + l, 1, true);
    }
}

PepaStatus system_trigger(System *s, PepaError *err)
{
    TriggerList list = {0};
    int32_t places = 0;
    double *readiness = mem_alloc((size_t)s->prog_count, sizeof *readiness);
    uint8_t *left_out = mem_calloc((size_t)s->prog_count, 1);
    s->slot_trigger = mem_alloc((size_t)s->slot_count, sizeof *s->slot_trigger);
    bool ok = readiness && left_out && s->slot_trigger;
    for (int32_t p = s->prog_count; ok && p-- > 0;)
        readiness[p] = find_readiness(s, p, readiness, left_out);
    for (int32_t i = 0; ok && i < s->slot_count; i++) {
        s->slot_trigger[i] = places;
        places += s->components[s->slots[i].component].local_count;
    }
    for (int32_t e = 0; e < s->event_count && ok; e++)
        ok = add_event(s, e, left_out, &list);
    ok = ok && mem_new_zeroed(s->trigger_first, (size_t)places + 2) &&
         mem_new(s->trigger_event, list.count) && mem_new(s->starters, s->cell_count);
    if (ok) {
        int32_t *first = s->trigger_first;
        for (size_t i = 0; i < list.count; i++)
            first[list.items[i].at + 2]++;
        for (int32_t i = 0; i < places; i++)
            first[i + 2] += first[i + 1];
        for (size_t i = 0; i < list.count; i++)
            s->trigger_event[first[list.items[i].at + 1]++] = list.items[i].event;
        find_starters(s);
    }
    mem_free_all(list.items, readiness, left_out);
    return ok ? PEPA_OK : error_memory(err);
}
