/* The last steps of compiling a system: cells in packed words, programs in preorder, programs in
 * which active and passive rates might meet, and what triggers the events. */
#include <string.h>

#include "ctmc/system/system.h"

/* ---- cells and programs ---------------------------------------------------------------------- */

/* Give the constant slots cells behind those of the others. */
static void add_constant_cells(System *s)
{
    int32_t shared = CELL_LATER;
    for (int32_t i = 0; i < s->slot_count; i++) {
        Slot *slot = &s->slots[i];
        if (slot->cell != CELL_LATER)
            continue;
        slot->cell = slot->copies || shared == CELL_LATER ? s->cell_count++ : shared;
        if (!slot->copies)
            shared = slot->cell;
    }
}

/* Lay the cells out in words; a field does not straddle two. */
static bool pack_fields(System *s)
{
    uint32_t word = 0, shift = 0;
    add_constant_cells(s);
    if (!mem_new_zeroed(s->fields, s->cell_count))
        return false;
    s->first_counted = s->slot_count;
    for (int32_t i = s->slot_count; i-- > 0;)
        if (s->slots[i].copies)
            s->first_counted = i;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        int32_t locals = s->components[slot->component].local_count;
        int32_t cells = slot->copies ? locals - 1 : 1;
        uint32_t bits = bits_for(slot->copies ? (int64_t)slot->copies + 1 : locals);
        for (int32_t c = 0; c < cells && bits; c++) {
            if (shift + bits > 64) {
                word++;
                shift = 0;
            }
            s->fields[slot->cell + c] = (Field){word, shift, (UINT64_C(1) << bits) - 1};
            shift += bits;
        }
    }
    s->words = word + 1;
    return true;
}

typedef struct {
    const Prog *from;
    Prog *to;
    int32_t *number; /* per program as compiled: its place in preorder */
    int32_t count;
} Placing;

/* Place a program and what is below it; as deep as programs are nested (MOST_DEPTH, compile.c). */
static int32_t place(Placing *p, int32_t id)
{
    int32_t at = p->count++, last = -1;
    p->number[id] = at;
    p->to[at] = p->from[id];
    p->to[at].next = -1;
    for (int32_t child = p->from[id].first; p->from[id].kind != PROG_SLOT && child >= 0;
         child = p->from[child].next) {
        int32_t operand = place(p, child);
        if (last < 0)
            p->to[at].first = operand;
        else
            p->to[last].next = operand;
        last = operand;
    }
    p->to[at].end = p->count;
    return at;
}

/* number[i] != 0: program i is an operand of another one. */
static void mark_operands(const System *s, int32_t *number)
{
    for (int32_t i = 0; i < s->prog_count; i++)
        for (int32_t child = s->progs[i].kind == PROG_SLOT ? -1 : s->progs[i].first; child >= 0;
             child = s->progs[child].next)
            number[child] = -1;
}

/* Number the programs in preorder, without those whose operands another one has taken. */
static bool order_programs(System *s)
{
    size_t count = (size_t)s->prog_count;
    Placing p = {.from = s->progs};
    if (!mem_new(p.to, count) || !mem_new_zeroed(p.number, count)) {
        mem_free_all(p.to, p.number);
        return false;
    }
    mark_operands(s, p.number);
    for (int32_t i = 0; i < s->prog_count; i++)
        /* a root that is not placed yet: operands are -1 or placed later */
        if (p.number[i] == 0 && (p.from[i].kind == PROG_SLOT || p.from[i].first >= 0))
            (void)place(&p, i);
    for (int32_t e = 0; e < s->event_count; e++)
        s->events[e].prog = p.number[s->events[e].prog];
    mem_free(s->progs);
    s->progs = p.to;
    s->prog_count = p.count;
    mem_free(p.number);
    return true;
}

/* ---- rates that might meet ------------------------------------------------------------------- */

/* Bits: the levels of rates, and whether there are several priorities. */
enum {
    TIMED = 1 << LEVEL_TIMED,
    IMMEDIATE = 1 << LEVEL_IMMEDIATE,
    PASSIVE = 1 << LEVEL_PASSIVE,
    ANY_LEVEL = TIMED | IMMEDIATE | PASSIVE,
    VARIOUS = 8
};

/* The rates that a program may have. */
typedef struct {
    int32_t priority; /* the larger one, of those that are known */
    uint8_t kinds;
} Kinds;

static bool one_kind(int kinds)
{
    return kinds == TIMED || kinds == IMMEDIATE || kinds == PASSIVE || kinds == 0;
}

static void add_kinds(Kinds *all, Kinds more)
{
    const bool various = all->kinds && more.kinds && all->priority != more.priority;
    if (!all->kinds || more.priority > all->priority)
        all->priority = more.priority;
    all->kinds |= (uint8_t)(more.kinds | (various ? VARIOUS : 0));
}

/* The kinds of rates that a slot has for an action; *together: several may meet in the slot. */
static Kinds slot_kinds(const System *s, const RateTable *rates, const Prog *p, bool *together)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    Kinds all = {PRIORITY_UNSTATED, 0};
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        if (offer->apparent == TERM_BY_STATE)
            all.kinds |= (uint8_t)(ANY_LEVEL | (s->preempts ? VARIOUS : 0));
        if (offer->apparent == TERM_BY_STATE || offer->apparent == TERM_MIXED)
            *together = true;
        for (int32_t i = offer->first; i < offer->end; i++)
            if (c->moves[i].term >= 0)
                add_kinds(&all, (Kinds){rates->priority[c->moves[i].term],
                                        (uint8_t)(1 << rates->level[c->moves[i].term])});
    }
    bool race = s->slots[p->slot].copies && !p->together;
    *together = *together || (race && !one_kind(all.kinds));
    return all;
}

/* The levels that a cooperation may have: the lowest of those that its sides have.
 *   any    levels that some side has
 *   least  per level: all sides have this or a higher one */
static int lowest_levels(int any, const bool *least)
{
    int levels = 0;
    for (int level = LEVEL_TIMED; level <= LEVEL_PASSIVE; level++)
        if (least[level])
            levels |= any & 1 << level;
    return levels;
}

/* kinds[] of the operands of `prog` are known: fill in its own; can several meet there? */
static bool find_kinds(const System *s, const RateTable *rates, int32_t prog, Kinds *kinds)
{
    const Prog *p = &s->progs[prog];
    bool together = false, least[] = {true, true, true}, various = false;
    if (p->kind == PROG_SLOT) {
        kinds[prog] = slot_kinds(s, rates, p, &together);
        return together;
    }
    Kinds any = {PRIORITY_UNSTATED, 0};
    for (int32_t child = p->first; child >= 0; child = s->progs[child].next) {
        add_kinds(&any, kinds[child]);
        various = various || (kinds[child].kinds & VARIOUS);
        least[LEVEL_IMMEDIATE] &= (kinds[child].kinds & (IMMEDIATE | PASSIVE)) != 0;
        least[LEVEL_PASSIVE] &= (kinds[child].kinds & PASSIVE) != 0;
    }
    kinds[prog] = any;
    if (p->kind == PROG_SYNC)
        kinds[prog].kinds = (uint8_t)(lowest_levels(any.kinds, least) | (various ? VARIOUS : 0));
    return p->kind != PROG_SYNC && !one_kind(any.kinds);
}

static void note_kinds(Event *event, Kinds kinds)
{
    event->levels = kinds.kinds & ANY_LEVEL;
    event->steady = one_kind(kinds.kinds);
    event->priority = kinds.priority;
}

/* Note what rates each event may have.  Add an event without a label for each program in which rates
 * might meet that do not add up, so that this is noticed even where the activity is blocked further
 * up. */
static bool add_suspects(System *s, const RateTable *rates, size_t *event_cap)
{
    Kinds *kinds = mem_alloc((size_t)s->prog_count, sizeof *kinds);
    uint8_t *suspect = mem_alloc((size_t)s->prog_count, 1);
    bool ok = kinds && suspect;
    for (int32_t i = s->prog_count; ok && i-- > 0;)
        suspect[i] = find_kinds(s, rates, i, kinds);
    for (int32_t e = 0; e < s->event_count && ok; e++)
        note_kinds(&s->events[e], kinds[s->events[e].prog]);
    for (int32_t i = 0; i < s->prog_count && ok; i++) {
        if (!suspect[i])
            continue;
        int32_t leaf = i;
        while (s->progs[leaf].kind != PROG_SLOT)
            leaf++;
        const Prog *p = &s->progs[leaf];
        int32_t action = s->components[s->slots[p->slot].component].action[p->action];
        if (action == ACTION_TAU)
            continue;
        ok = mem_grow(s->events, *event_cap, s->event_count + 1);
        if (ok)
            s->events[s->event_count++] =
                (Event){.label = LABEL_NONE, .action = action, .prog = i, .levels = ANY_LEVEL};
    }
    mem_free_all(kinds, suspect);
    return ok;
}

/* ---- triggers -------------------------------------------------------------------------------- */

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

/* Each event gets a set of trigger slots.  If the event is possible, at least one of them is ready.
 * The set is chosen so that its slots are rarely ready. */
static bool find_triggers(System *s)
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
         mem_new(s->trigger_event, list.count) && mem_new(s->starters, places);
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
    return ok;
}

PepaStatus system_finish(System *s, const RateTable *rates, size_t *event_cap, PepaError *err)
{
    bool ok = pack_fields(s) && order_programs(s) && add_suspects(s, rates, event_cap) &&
              find_triggers(s);
    return ok ? PEPA_OK : error_memory(err);
}
