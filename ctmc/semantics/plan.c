#include "ctmc/semantics/plan.h"

#include <string.h>

enum {
    MOST_ENTRIES = 4096,    /* of a program of several slots */
    MOST_OF_SLOT = 1 << 17, /* of a single one */
    MOST_TOLD_APART = 64    /* moves of an entry that are compared with each other */
};

typedef struct {
    Plans *plans;
    bool no_memory;
} Planner;

/* ---- digits -------------------------------------------------------------------------------- */

/* How many entries it takes to know all about a program: a product that may be large. */
static double span_of(const System *s, int32_t prog)
{
    const Prog *p = &s->progs[prog];
    double product = 1;
    if (p->kind == PROG_SLOT) {
        const Slot *slot = &s->slots[p->slot];
        const Component *c = &s->components[slot->component];
        int32_t able = c->able_row[p->action + 1] - c->able_row[p->action];
        if (!slot->copies)
            return c->local_count == 1 ? 1 : able + 1.0;
        for (int32_t k = 0; k < able && c->local_count > 1; k++)
            product *= slot->copies + 1.0;
        return product;
    }
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
        product *= span_of(s, child);
    return product;
}

/* Does what a program offers depend on its slots alone? */
static bool is_plain(const System *s, int32_t prog)
{
    const Prog *p = &s->progs[prog];
    if (p->kind == PROG_COPIES)
        return false;
    if (p->kind == PROG_SLOT) {
        const Component *c = &s->components[s->slots[p->slot].component];
        for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++)
            if (component_offer(c, c->able[k], p->action)->apparent == TERM_BY_STATE)
                return false;
        return true;
    }
    int32_t child = p->first;
    while (child >= 0 && is_plain(s, child))
        child = s->progs[child].next;
    return child < 0;
}

/* A digit for a cell of `values` values; its weights, to be filled in, start as 0. */
static int32_t *add_digit(Planner *b, int32_t cell, int32_t values)
{
    Plans *plans = b->plans;
    size_t need = plans->weight_count + (size_t)values;
    if (!mem_reserve(&plans->digits, &plans->digit_cap, plans->digit_count + 1,
                     sizeof *plans->digits) ||
        !mem_reserve(&plans->weight, &plans->weight_cap, need, sizeof *plans->weight)) {
        b->no_memory = true;
        return NULL;
    }
    int32_t *weight = plans->weight + plans->weight_count;
    memset(weight, 0, (size_t)values * sizeof *weight);
    plans->digits[plans->digit_count++] = (Digit){cell, plans->weight_count};
    plans->weight_count = need;
    return weight;
}

/* The number of copies in a cell, as a digit. */
static void count_digit(Planner *b, int32_t cell, int32_t copies, int32_t *stride)
{
    int32_t *weight = add_digit(b, cell, copies + 1);
    for (int32_t v = 0; weight && v <= copies; v++)
        weight[v] = v * *stride;
    *stride *= copies + 1;
}

static void slot_digits(Planner *b, const Prog *p, int32_t *stride)
{
    const System *s = b->plans->system;
    const Slot *slot = &s->slots[p->slot];
    const Component *c = &s->components[slot->component];
    const int32_t *able = c->able + c->able_row[p->action];
    int32_t count = c->able_row[p->action + 1] - c->able_row[p->action];
    if (c->local_count == 1)
        return;
    if (slot->copies) {
        for (int32_t k = 0; k < count; k++)
            count_digit(b, slot->cell + able[k], slot->copies, stride);
        return;
    }
    int32_t *weight = add_digit(b, slot->cell, c->local_count);
    for (int32_t k = 0; weight && k < count; k++)
        weight[able[k]] = (k + 1) * *stride;
    *stride *= count + 1;
}

static void prog_digits(Planner *b, int32_t prog, int32_t *stride)
{
    const System *s = b->plans->system;
    const Prog *p = &s->progs[prog];
    if (p->kind == PROG_SLOT) {
        slot_digits(b, p, stride);
        return;
    }
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
        prog_digits(b, child, stride);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static int32_t add_node(Planner *b, PlanNode node)
{
    Plans *plans = b->plans;
    if (!mem_reserve(&plans->nodes, &plans->node_cap, plans->node_count + 1,
                     sizeof *plans->nodes)) {
        b->no_memory = true;
        return -1;
    }
    plans->nodes[plans->node_count] = node;
    return (int32_t)plans->node_count++;
}

/* A node with a table; its digits and entries. */
static int32_t add_table(Planner *b, int32_t prog, int32_t local, bool wanted)
{
    Plans *plans = b->plans;
    const System *s = plans->system;
    const Slot *slot = &s->slots[s->progs[prog].slot];
    int32_t digit = (int32_t)plans->digit_count, entries = 1;
    if (local >= 0)
        count_digit(b, slot->cell + local, slot->copies, &entries);
    else
        prog_digits(b, prog, &entries);
    PlanNode node = {.kind = PLAN_TABLE,
                     .prog = prog,
                     .local = local,
                     .wanted = wanted,
                     .first = -1,
                     .next = -1,
                     .digit = digit,
                     .digit_end = (int32_t)plans->digit_count,
                     .entry = plans->entry_count};
    plans->entry_count += (size_t)entries;
    return add_node(b, node);
}

static int32_t plan_prog(Planner *b, int32_t prog, bool wanted);

/* A program that is too large for a table, with those of its operands. */
static int32_t plan_parts(Planner *b, int32_t prog, bool wanted)
{
    const System *s = b->plans->system;
    const Prog *p = &s->progs[prog];
    const Slot *slot = &s->slots[p->slot];
    const Component *c = &s->components[slot->component];
    bool counted = p->kind == PROG_SLOT;
    int32_t k = counted ? c->able_row[p->action] : 0, child = counted ? -1 : p->first;
    int32_t end = counted ? c->able_row[p->action + 1] : 0, last = -1;
    int32_t parent = add_node(b, (PlanNode){.kind = p->kind == PROG_SYNC ? PLAN_SYNC : PLAN_SUM,
                                            .prog = prog,
                                            .local = -1,
                                            .wanted = wanted,
                                            .first = -1,
                                            .next = -1});
    while (!b->no_memory && (k < end || child >= 0)) {
        int32_t part;
        if (counted)
            part = add_table(b, prog, c->able[k++], wanted);
        else
            part = plan_prog(b, child, wanted || p->kind == PROG_SYNC);
        if (part < 0)
            return -1;
        if (last < 0)
            b->plans->nodes[parent].first = part;
        else
            b->plans->nodes[last].next = part;
        last = part;
        child = child >= 0 ? s->progs[child].next : -1;
    }
    return b->no_memory ? -1 : parent;
}

/* The node of a program, or -1: it takes too much memory. */
static int32_t plan_prog(Planner *b, int32_t prog, bool wanted)
{
    const System *s = b->plans->system;
    const Prog *p = &s->progs[prog];
    bool leaf = p->kind == PROG_SLOT;
    if (span_of(s, prog) <= (leaf ? MOST_OF_SLOT : MOST_ENTRIES))
        return add_table(b, prog, -1, wanted);
    if (leaf && (!s->slots[p->slot].copies || s->slots[p->slot].copies >= MOST_OF_SLOT))
        return -1;
    return plan_parts(b, prog, wanted);
}

static bool plan_events(Planner *b)
{
    Plans *plans = b->plans;
    const System *s = plans->system;
    for (int32_t e = 0; e < s->event_count && !b->no_memory; e++) {
        size_t nodes = plans->node_count, entries = plans->entry_count;
        size_t digits = plans->digit_count, weights = plans->weight_count;
        int32_t root = is_plain(s, s->events[e].prog) ? plan_prog(b, s->events[e].prog, false) : -1;
        plans->events[e] = (EventPlan){.label = s->events[e].label, .root = root};
        if (root >= 0)
            continue;
        plans->still = true; /* for nobody knows */
        plans->node_count = nodes;
        plans->entry_count = entries;
        plans->digit_count = digits;
        plans->weight_count = weights;
    }
    return !b->no_memory;
}

/* ---- where to begin ------------------------------------------------------------------------ */

static void find_cells(Plans *plans)
{
    const System *s = plans->system;
    for (int32_t i = 0; i < s->cell_count; i++)
        if (s->fields[i].mask)
            plans->varied[plans->varied_count++] = i;
    for (int32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].copies)
            plans->rests[plans->rest_count++] = i;
}

/* In the order of slots and local states, as moves_find goes; trigger[]: per event, the slot that
 * triggers it, for now. */
static void find_starters(Plans *plans, int32_t *trigger)
{
    const System *s = plans->system;
    memset(trigger, -1, (size_t)s->event_count * sizeof *trigger);
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const int32_t *first = s->trigger_first + s->slot_trigger[i];
        int32_t locals = s->components[slot->component].local_count;
        if (!slot->copies && first[locals] > first[0])
            plans->starters[plans->starter_count++] =
                (Starter){slot->cell, s->slot_trigger[i], false};
        for (int32_t l = 0; l < locals; l++) {
            if (slot->copies && first[l + 1] > first[l])
                plans->starters[plans->starter_count++] =
                    (Starter){slot->cell + l, s->slot_trigger[i] + l, true};
            for (int32_t k = first[l]; k < first[l + 1]; k++) {
                EventPlan *event = &plans->events[s->trigger_event[k]];
                int32_t *by = &trigger[s->trigger_event[k]];
                event->often = event->often || slot->copies || (*by >= 0 && *by != i);
                *by = i;
            }
        }
    }
}

/* Counts in users[slot] the programs below `prog` that are of the slot; and is any of them used
 * more than once? */
static bool count_users(const System *s, int32_t prog, int32_t by, int32_t *users)
{
    const Prog *p = &s->progs[prog];
    if (p->kind == PROG_SLOT) {
        users[p->slot] += by;
        return users[p->slot] > 1;
    }
    bool several = false;
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
        several = count_users(s, child, by, users) || several;
    return several;
}

/* Only hidden actions have several events of one label.   users: scratch, per slot */
static void find_sharers(Plans *plans, int32_t *users)
{
    const System *s = plans->system;
    memset(users, 0, (size_t)s->slot_count * sizeof *users);
    for (int32_t e = 0; e < s->event_count; e++)
        if (s->events[e].label == ACTION_TAU)
            (void)count_users(s, s->events[e].prog, 1, users);
    for (int32_t e = 0; e < s->event_count; e++)
        plans->events[e].shares =
            s->events[e].label == ACTION_TAU && count_users(s, s->events[e].prog, 0, users);
}

PepaStatus plans_new(Plans *plans, const System *s, PepaError *err)
{
    *plans = (Plans){.system = s, .none = s->group_count > 0, .functional = s->functional};
    plans->still = plans->none;
    Planner b = {.plans = plans};
    int32_t *trigger = mem_alloc((size_t)s->event_count, sizeof *trigger);
    int32_t *users = mem_alloc((size_t)s->slot_count, sizeof *users);
    plans->events = mem_alloc((size_t)s->event_count, sizeof *plans->events);
    plans->starters = mem_alloc((size_t)s->cell_count, sizeof *plans->starters);
    plans->varied = mem_alloc((size_t)s->cell_count, sizeof *plans->varied);
    plans->rests = mem_alloc((size_t)s->slot_count, sizeof *plans->rests);
    bool ok = trigger && users && plans->events && plans->starters && plans->varied &&
              plans->rests && plan_events(&b);
    if (ok)
        plans->entries = mem_calloc(plans->entry_count, sizeof *plans->entries);
    ok = ok && plans->entries;
    if (ok) {
        find_cells(plans);
        find_starters(plans, trigger);
        find_sharers(plans, users);
    } else {
        plans_free(plans);
    }
    mem_free(trigger);
    mem_free(users);
    return ok ? PEPA_OK : error_memory(err);
}

void plans_free(Plans *plans)
{
    mem_free(plans->events);
    mem_free(plans->starters);
    mem_free(plans->varied);
    mem_free(plans->rests);
    mem_free(plans->nodes);
    mem_free(plans->digits);
    mem_free(plans->weight);
    mem_free(plans->entries);
    mem_free(plans->term);
    mem_free(plans->delta);
    *plans = (Plans){0};
}

/* ---- moves --------------------------------------------------------------------------------- */

static bool has_twins(const uint64_t *delta, size_t count, size_t words)
{
    if (words == 0 || count > MOST_TOLD_APART)
        return count > 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (memcmp(delta + i * words, delta + k * words, words * sizeof *delta) == 0)
                return true;
    return false;
}

static bool stands_still(const uint64_t *delta, size_t count, size_t words)
{
    size_t zeros = 0;
    for (size_t i = 0; i < count * words; i++) {
        zeros = i % words == 0 ? 0 : zeros;
        zeros += delta[i] == 0;
        if (zeros == words)
            return true;
    }
    return count > 0 && words == 0;
}

bool plans_keep(Plans *plans, Entry *entry, int32_t apparent, Moves *m, size_t begin,
                const uint64_t *packed)
{
    const size_t words = plans->system->words, count = m->count - begin, first = plans->count;
    m->count = begin;
    if (m->no_memory || first + count > UINT32_MAX || count > INT32_MAX ||
        !mem_reserve(&plans->term, &plans->term_cap, first + count, sizeof *plans->term) ||
        !mem_reserve(&plans->delta, &plans->delta_cap, (first + count) * words + 1,
                     sizeof *plans->delta))
        return false;
    uint64_t *delta = plans->delta + first * words;
    for (size_t i = 0; i < count; i++) {
        plans->term[first + i] = m->term[begin + i];
        for (size_t w = 0; w < words; w++)
            delta[i * words + w] = (packed[w] ^ m->target[(begin + i) * words + w]) - packed[w];
    }
    *entry = (Entry){apparent,
                     (int32_t)count,
                     (uint32_t)first,
                     true,
                     has_twins(delta, count, words),
                     stands_still(delta, count, words)};
    plans->still = plans->still || entry->still;
    plans->count += count;
    return true;
}
