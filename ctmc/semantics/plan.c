/* Makes plans: divides events into programs with tables, and lays these out. */
#include "ctmc/semantics/plan.h"

#include <math.h>
#include <string.h>

#include "ctmc/semantics/tuning.h"

/* What is known of a program from its operands. */
typedef struct {
    double span;   /* the entries that its table would have: a product that may be large */
    bool plain;    /* its moves depend on its slots alone */
    bool composes; /* it has a table, or can be composed from tables */
    bool wanted;   /* its apparent rate is, in the event that is being planned */
} ProgPlan;

typedef struct {
    Plans *plans;
    ProgPlan *progs;
    bool no_memory;
} Planner;

/* ---- what suits a table -------------------------------------------------------------------- */

/* The cells that tell what a counted slot does: one for each local state that can do the action.
 * If all copies move and all local states can, the others tell the last one. */
static int32_t telling_cells(const Component *c, const Prog *p)
{
    int32_t able = c->able_row[p->action + 1] - c->able_row[p->action];
    return p->together && able == c->local_count ? able - 1 : able;
}

/* The entries of a table of a slot for an action; infinite where its digit would take too much. */
static double slot_span(const System *s, const Prog *p)
{
    const Slot *slot = &s->slots[p->slot];
    const Component *c = &s->components[slot->component];
    int32_t able = c->able_row[p->action + 1] - c->able_row[p->action];
    double product = 1;
    if (!slot->copies && (double)c->local_count * c->action_count > MOST_WEIGHTS)
        return INFINITY;
    if (!slot->copies)
        return c->local_count == 1 ? 1 : able + 1.0;
    for (int32_t k = 0; k < telling_cells(c, p) && c->local_count > 1; k++)
        product *= (double)slot->copies + 1;
    return product;
}

static bool slot_is_plain(const System *s, const Prog *p)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++)
        if (component_offer(c, c->able[k], p->action)->apparent == TERM_BY_STATE)
            return false;
    return true;
}

static bool suits_table(const Planner *b, int32_t prog)
{
    bool leaf = b->plans->system->progs[prog].kind == PROG_SLOT;
    return b->progs[prog].span <= (leaf ? MOST_OF_SLOT : MOST_ENTRIES);
}

/* What is known of `prog`, given what is known of its operands. */
static void weigh_prog(Planner *b, int32_t prog)
{
    const System *s = b->plans->system;
    const Prog *p = &s->progs[prog];
    ProgPlan *plan = &b->progs[prog];
    if (p->kind == PROG_SLOT) {
        int32_t copies = (int32_t)s->slots[p->slot].copies;
        *plan = (ProgPlan){.span = slot_span(s, p),
                           .plain = slot_is_plain(s, p),
                           .composes = copies > 0 && copies < MOST_OF_SLOT && !p->together};
    } else {
        bool sorted = p->kind == PROG_COPIES && p->width > 0;
        *plan = (ProgPlan){.span = 1, .plain = !sorted, .composes = true};
    }
    for (int32_t child = p->kind == PROG_SLOT ? -1 : p->first; child >= 0;
         child = s->progs[child].next) {
        plan->span *= b->progs[child].span;
        plan->plain = plan->plain && b->progs[child].plain;
        plan->composes = plan->composes && b->progs[child].composes;
    }
    plan->composes = plan->composes || suits_table(b, prog);
}

/* ---- digits -------------------------------------------------------------------------------- */

/* A digit for a cell of `values` values; its weights, to be filled in, start as 0. */
static int32_t *add_digit(Planner *b, int32_t cell, int32_t values)
{
    Plans *plans = b->plans;
    size_t need = plans->weight_count + (size_t)values;
    if (!mem_grow(plans->digits, plans->digit_cap, plans->digit_count + 1) ||
        !mem_grow(plans->weight, plans->weight_cap, need)) {
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
        for (int32_t k = 0; k < telling_cells(c, p); k++)
            count_digit(b, slot->cell + able[k], (int32_t)slot->copies, stride);
        return;
    }
    int32_t *weight = add_digit(b, slot->cell, c->local_count);
    for (int32_t k = 0; weight && k < count; k++)
        weight[able[k]] = (k + 1) * *stride;
    *stride *= count + 1;
}

/* ---- tables -------------------------------------------------------------------------------- */

/* A table; its digits and entries.  Returns its number, -1 if memory is out. */
static int32_t add_table(Planner *b, int32_t prog, int32_t local, bool wanted)
{
    Plans *plans = b->plans;
    const System *s = plans->system;
    int32_t digit = (int32_t)plans->digit_count, entries = 1;
    if (local >= 0) {
        const Slot *slot = &s->slots[s->progs[prog].slot];
        count_digit(b, slot->cell + local, (int32_t)slot->copies, &entries);
    }
    for (int32_t p = prog; local < 0 && p < s->progs[prog].end; p++)
        if (s->progs[p].kind == PROG_SLOT)
            slot_digits(b, &s->progs[p], &entries);
    if (!mem_grow(plans->tables, plans->table_cap, plans->table_count + 1)) {
        b->no_memory = true;
        return -1;
    }
    plans->tables[plans->table_count] =
        (PlanTable){prog, local, wanted, digit, (int32_t)plans->digit_count, plans->entry_count};
    plans->entry_count += (size_t)entries;
    return (int32_t)plans->table_count++;
}

/* The tables of a counted slot by its local states. */
static int32_t add_local_tables(Planner *b, int32_t prog, bool wanted)
{
    const System *s = b->plans->system;
    const Prog *p = &s->progs[prog];
    const Component *c = &s->components[s->slots[p->slot].component];
    int32_t first = -1;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        int32_t table = add_table(b, prog, c->able[k], wanted);
        first = first < 0 ? table : first;
    }
    return first;
}

/* Tables of the largest programs below `root` that suit one. */
static void plan_operands(Planner *b, int32_t root)
{
    const Prog *progs = b->plans->system->progs;
    b->progs[root].wanted = false;
    for (int32_t p = root; p < progs[root].end && !b->no_memory;) {
        bool leaf = progs[p].kind == PROG_SLOT, wanted = b->progs[p].wanted;
        int32_t *operand = &b->plans->operand[2 * (size_t)p + wanted];
        if (suits_table(b, p) && *operand < 0)
            *operand = add_table(b, p, -1, wanted);
        else if (leaf && *operand < 0)
            *operand = add_local_tables(b, p, wanted);
        for (int32_t child = leaf ? -1 : progs[p].first; child >= 0; child = progs[child].next)
            b->progs[child].wanted = wanted || progs[p].kind == PROG_SYNC;
        p = *operand >= 0 ? progs[p].end : p + 1;
    }
}

static void plan_event(Planner *b, int32_t event)
{
    Plans *plans = b->plans;
    const System *s = plans->system;
    int32_t root = s->events[event].prog;
    EventPlan *plan = &plans->events[event];
    *plan = (EventPlan){.kind = PLAN_INTERPRETED,
                        .label = s->events[event].label,
                        .several_triggers = s->events[event].several_triggers};
    if (s->group_count || !b->progs[root].plain || !b->progs[root].composes) {
        plans->self_loops = true; /* for all that is known */
    } else if (suits_table(b, root)) {
        plan->kind = PLAN_TABLE;
        plan->table = add_table(b, root, -1, false);
    } else {
        plan->kind = PLAN_COMPOSED;
        plan_operands(b, root);
    }
}

static bool plan_events(Planner *b)
{
    const System *s = b->plans->system;
    for (int32_t p = s->prog_count; p-- > 0;)
        weigh_prog(b, p);
    for (int32_t e = 0; e < s->event_count && !b->no_memory; e++)
        plan_event(b, e);
    return !b->no_memory;
}

/* ---- events that share slots --------------------------------------------------------------- */

/* Add `by` to users[slot] for each program of the event that is of a slot; is any slot used more
 * than once? */
static bool count_users(const System *s, const Event *event, int32_t by, int32_t *users)
{
    bool several = false;
    for (int32_t p = event->prog; p < s->progs[event->prog].end; p++) {
        if (s->progs[p].kind != PROG_SLOT)
            continue;
        users[s->progs[p].slot] += by;
        several = several || users[s->progs[p].slot] > 1;
    }
    return several;
}

/* Only hidden actions have several events of one label.   users: scratch, per slot */
static void find_shared_slots(Plans *plans, int32_t *users)
{
    const System *s = plans->system;
    memset(users, 0, (size_t)s->slot_count * sizeof *users);
    for (int32_t e = 0; e < s->event_count; e++)
        if (s->events[e].label == ACTION_TAU)
            (void)count_users(s, &s->events[e], 1, users);
    for (int32_t e = 0; e < s->event_count; e++)
        plans->events[e].shares_slots =
            s->events[e].label == ACTION_TAU && count_users(s, &s->events[e], 0, users);
}

/* ---- life ---------------------------------------------------------------------------------- */

PepaStatus plans_new(Plans *plans, const System *s, PepaError *err)
{
    *plans = (Plans){.system = s};
    const size_t operands = 2 * (size_t)s->prog_count;
    Planner b = {.plans = plans};
    int32_t *users = mem_alloc((size_t)s->slot_count, sizeof *users);
    bool ok = users && mem_new(b.progs, s->prog_count) && mem_new(plans->operand, operands) &&
              mem_new(plans->events, s->event_count);
    if (ok)
        memset(plans->operand, -1, operands * sizeof *plans->operand);
    ok = ok && plan_events(&b) && mem_new_zeroed(plans->entries, plans->entry_count);
    if (ok)
        find_shared_slots(plans, users);
    else
        plans_free(plans);
    mem_free_all(users, b.progs);
    return ok ? PEPA_OK : error_memory(err);
}

void plans_free(Plans *plans)
{
    mem_free_all(plans->events, plans->tables, plans->operand, plans->digits, plans->weight,
                 plans->entries, plans->term, plans->delta);
    *plans = (Plans){0};
}

double plans_bytes(const Plans *plans)
{
    size_t move = sizeof *plans->term + plans->system->words * sizeof *plans->delta;
    return (double)plans->entry_count * sizeof *plans->entries +
           (double)plans->count * (double)move;
}

/* ---- moves --------------------------------------------------------------------------------- */

bool plans_keep(Plans *plans, Entry *entry, MovesSummary all, Moves *m, size_t begin)
{
    const size_t words = plans->system->words, count = m->count - begin, first = plans->count;
    const MemColumn columns[] = {{&plans->term, sizeof *plans->term},
                                 {&plans->delta, words * sizeof *plans->delta}};
    m->count = begin;
    if (m->no_memory || first + count > UINT32_MAX || count > INT32_MAX ||
        !mem_reserve_columns(columns, 2, &plans->cap, first + count + 1))
        return false;
    if (count) {
        memcpy(plans->term + first, m->rate + begin, count * sizeof *m->rate);
        memcpy(plans->delta + first * words, m->delta + begin * words,
               count * words * sizeof *m->delta);
    }
    *entry = (Entry){.apparent = all.apparent,
                     .count = (int32_t)count,
                     .first = (uint32_t)first,
                     .known = true,
                     .duplicates = all.duplicates && count > 0,
                     .self_loops = all.self_loops && count > 0};
    plans->self_loops = plans->self_loops || entry->self_loops;
    plans->count += count;
    return true;
}
