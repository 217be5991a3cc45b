/* Divides the slots of a system into upper and lower ones, and lists the lower states. */
#include "ctmc/diagram/split.h"

#include <math.h>
#include <string.h>

#include "ctmc/diagram/tuning.h"
#include "ctmc/system/system.h"

double split_slot_states(const System *s, int32_t slot)
{
    int32_t locals = s->components[s->slots[slot].component].local_count;
    int32_t copies = (int32_t)s->slots[slot].copies;
    double ways = copies ? 1 : locals; /* (copies + locals - 1) over (locals - 1) */
    for (int32_t k = 1; copies && k < locals; k++)
        ways = ways * (copies + k) / k; /* whole after every step */
    return ways;
}

/* Copies that are kept in order must be on one side. */
static bool cuts_group(const Split *split, int32_t first)
{
    const System *s = split->system;
    for (int32_t i = 0; i < s->group_count; i++) {
        const Group *g = &s->groups[i];
        int32_t sides = 0;
        for (int32_t k = 0; k < s->slot_count; k++) {
            int32_t cell = s->slots[split->sequence[k]].cell;
            if (cell >= g->cell && cell < g->cell + g->width * g->copies)
                sides |= k < first ? PART_UPPER : PART_LOWER;
        }
        if (sides == PART_BOTH)
            return true;
    }
    return false;
}

/* Fill in the sequence and how many slots are constant. */
static void order_slots(Split *split, bool mirrored)
{
    const int32_t n = split->system->slot_count;
    int32_t at = 0;
    for (int32_t i = 0; i < n; i++)
        if (slot_is_constant(split->system, i))
            split->sequence[at++] = i;
    split->constant = at;
    for (int32_t i = 0; i < n; i++) {
        int32_t slot = mirrored ? n - 1 - i : i;
        if (!slot_is_constant(split->system, slot))
            split->sequence[at++] = slot;
    }
}

/* The first lower place in the sequence, or 0: where listing the lower states and visiting the
 * upper ones takes least, if all were reachable.  *work: that, in lower states; +inf if there is
 * none. */
static int32_t choose(const Split *split, int32_t most_lower, double *work)
{
    const System *s = split->system;
    const int32_t changing = s->slot_count - split->constant;
    const int32_t least = split->constant + (changing == 1 ? 0 : 1);
    double lower = 1, upper = 1;
    int32_t first = split->constant && s->slot_count > 1 ? s->slot_count : 0;
    *work = HUGE_VAL;
    for (int32_t i = split->constant; i < s->slot_count; i++)
        upper *= split_slot_states(s, split->sequence[i]);
    for (int32_t i = s->slot_count; i-- > least && i > 0;) {
        const double ways = split_slot_states(s, split->sequence[i]);
        lower *= ways;
        upper /= ways;
        if (lower > most_lower)
            break;
        const double cost = lower + UPPER_WORK * upper;
        if (cuts_group(split, i) || cost > *work)
            continue;
        *work = cost;
        first = i;
    }
    return first;
}

/* ---- the lower states ---------------------------------------------------------------------- */

/* The next distribution of a slot's copies over its local states, or its next local state;
 * false: that was the last one, and the first one is back. */
static bool next_in_slot(const Split *split, const Slot *slot, int32_t *rank, int32_t *cells)
{
    const int32_t *order = split->order[slot->component];
    int32_t locals = split->system->components[slot->component].local_count;
    int32_t *cell = cells + slot->cell;
    if (!slot->copies) {
        *rank = *rank + 1 < locals ? *rank + 1 : 0;
        *cell = order[*rank];
        return *rank > 0;
    }
    /* take one from the last local state before the end that has any; bring back all after it */
    int32_t from = locals - 2, last = order[locals - 1];
    while (from >= 0 && cell[order[from]] == 0)
        from--;
    int32_t rest = cell[last];
    cell[last] = 0;
    if (from < 0) {
        cell[order[0]] = rest;
        return false;
    }
    cell[order[from]]--;
    cell[order[from + 1]] = rest + 1;
    return true;
}

static void first_in_slot(const Split *split, const Slot *slot, int32_t *cells)
{
    int32_t first = split->order[slot->component][0];
    if (slot->copies)
        cells[slot->cell + first] = (int32_t)slot->copies;
    else
        cells[slot->cell] = first;
}

static bool list_lower(Split *split)
{
    const System *s = split->system;
    int32_t *cells = NULL, *rank = NULL;
    uint64_t *packed = NULL;
    bool ok = mem_new_zeroed(cells, s->cell_count) && mem_new_zeroed(rank, s->slot_count) &&
              mem_new(packed, s->words) && table_init(&split->lower, s->words);
    for (int32_t i = split->first; ok && i < s->slot_count; i++)
        first_in_slot(split, &s->slots[split->sequence[i]], cells);
    for (int32_t i = split->first; ok && i >= split->first;) {
        system_pack(s, cells, packed);
        ok = table_put(&split->lower, packed, table_hash(&split->lower, packed)) >= 0;
        i = s->slot_count - 1;
        while (i >= split->first &&
               !next_in_slot(split, &s->slots[split->sequence[i]], &rank[i], cells))
            i--;
    }
    mem_free_all(cells, rank, packed);
    return ok;
}

int32_t split_lower(Split *split, const uint64_t *packed, uint64_t *scratch)
{
    const uint64_t *mask = split->mask;
    for (size_t w = 0; w < split->system->words; w++)
        scratch[w] = packed[w] & mask[w];
    return table_put(&split->lower, scratch, table_hash(&split->lower, scratch));
}

/* ---- programs ------------------------------------------------------------------------------ */

/* Which slots each program looks at; operands come before the programs that use them. */
static void find_parts(Split *split)
{
    const Prog *progs = split->system->progs;
    for (int32_t p = split->system->prog_count; p-- > 0;) {
        uint8_t part = 0;
        if (progs[p].kind == PROG_SLOT && !slot_is_constant(split->system, progs[p].slot))
            part = split->upper[progs[p].slot] ? PART_UPPER : PART_LOWER;
        else if (progs[p].kind != PROG_SLOT)
            for (int32_t child = progs[p].first; child >= 0; child = progs[child].next)
                part |= split->part[child];
        split->part[p] = part;
    }
}

typedef struct {
    Split *split;
    int32_t unit_count, prog_count;
    size_t unit_cap, prog_cap;
} Units;

static bool add_prog(Units *u, int32_t prog)
{
    if (!mem_grow(u->split->unit_prog, u->prog_cap, (size_t)u->prog_count + 1))
        return false;
    u->split->unit_prog[u->prog_count++] = prog;
    return true;
}

/* Close the unit that began with entry `first`, if there is anything in it. */
static bool add_unit(Units *u, int32_t first)
{
    if (first == u->prog_count)
        return true;
    if (!mem_grow(u->split->units, u->unit_cap, (size_t)u->unit_count + 1))
        return false;
    u->split->units[u->unit_count++] = (Unit){first, u->prog_count};
    return true;
}

/* The units among the operands of a program that looks at both parts. */
static bool add_units(Units *u, const Prog *p)
{
    const Prog *progs = u->split->system->progs;
    bool sum = p->kind == PROG_SUM, ok = true;
    int32_t first = u->prog_count;
    for (int32_t child = p->first; child >= 0 && ok; child = progs[child].next) {
        if (u->split->part[child] != PART_UPPER)
            continue;
        ok = add_prog(u, child);
        if (ok && !sum) {
            ok = add_unit(u, first);
            first = u->prog_count;
        }
    }
    return ok && add_unit(u, first);
}

static bool find_units(Split *split)
{
    const System *s = split->system;
    Units u = {.split = split};
    bool ok = true;
    find_parts(split);
    for (int32_t e = 0; e < s->event_count && ok; e++) {
        split->event_unit[e] = u.unit_count;
        for (int32_t p = s->events[e].prog, end = s->progs[p].end; p < end && ok; p++)
            if (split->part[p] == PART_BOTH)
                ok = add_units(&u, &s->progs[p]);
        split->event_unit[e + 1] = u.unit_count;
    }
    return ok;
}

/* ---- life ---------------------------------------------------------------------------------- */

static bool find_mask(Split *split)
{
    const System *s = split->system;
    if (!(mem_new_zeroed(split->mask, s->words) && mem_new_zeroed(split->upper, s->slot_count)))
        return false;
    for (int32_t k = 0; k < s->slot_count; k++) {
        const Slot *slot = &s->slots[split->sequence[k]];
        int32_t cells = slot->copies ? s->components[slot->component].local_count : 1;
        split->upper[split->sequence[k]] = k < split->first;
        for (int32_t i = slot->cell; i < slot->cell + cells; i++)
            if (k >= split->first && s->fields[i].mask)
                split->mask[s->fields[i].word] |= s->fields[i].mask << s->fields[i].shift;
    }
    return true;
}

static bool find_orders(Split *split)
{
    const System *s = split->system;
    bool ok = mem_new(split->order, s->component_count) && mem_new(split->rank, s->component_count);
    for (int32_t i = 0; ok && i < s->component_count; i++) {
        const Component *c = &s->components[i];
        const size_t bytes = (size_t)c->local_count * sizeof **split->order;
        int32_t *order = arena_alloc(&split->arena, bytes);
        int32_t *rank = arena_alloc(&split->arena, bytes);
        ok = order && rank && component_flow_order(c, order);
        for (int32_t k = 0; ok && k < c->local_count; k++)
            rank[order[k]] = k;
        split->order[i] = order;
        split->rank[i] = rank;
    }
    return ok;
}

double split_work(const System *system, int32_t most_lower, bool mirrored)
{
    double work = HUGE_VAL;
    Split split = {.system = system};
    if (mem_new(split.sequence, system->slot_count)) {
        order_slots(&split, mirrored);
        (void)choose(&split, most_lower, &work);
    }
    mem_free(split.sequence);
    return work;
}

PepaStatus split_new(Split **out, const System *system, int32_t most_lower, bool mirrored,
                     PepaError *err)
{
    *out = NULL;
    Split *split = mem_calloc(1, sizeof *split);
    if (!split)
        return error_memory(err);
    split->system = system;
    double work;
    bool ok = mem_new(split->sequence, system->slot_count) &&
              mem_new_zeroed(split->part, system->prog_count) &&
              mem_new_zeroed(split->event_unit, (size_t)system->event_count + 1);
    if (ok)
        order_slots(split, mirrored);
    if (ok && (split->first = choose(split, most_lower, &work)) == 0) {
        split_free(split);
        return PEPA_OK;
    }
    if (!ok || !find_orders(split) || !find_mask(split) || !list_lower(split) ||
        !find_units(split)) {
        split_free(split);
        return error_memory(err);
    }
    *out = split;
    return PEPA_OK;
}

void split_free(Split *split)
{
    if (!split)
        return;
    arena_free(&split->arena);
    table_free(&split->lower);
    mem_free_all(split->order, split->rank, split->sequence, split->upper, split->mask, split->part,
                 split->event_unit, split->units, split->unit_prog, split);
}
