/* Finds the activities with clocks, and what has to be able to move with each of them. */
#include "ctmc/simulate/clocks.h"

typedef struct {
    ClockPlan *plan;
    ChoicePlan *choices;
    const Value *values;
    int64_t *counts; /* model->local_count zeros: functional rates have one level everywhere */
    DiagList *diags;
    bool no_memory;
} Planning;

/* ---- what cannot be --------------------------------------------------------------------------- */

static const char *name_of(const Planning *x, int32_t local)
{
    return x->plan->system->model->locals[local].name;
}

/* Several slots may have one component. */
static bool is_reported(const Planning *x, const LocalClock *clock)
{
    size_t i = 0;
    while (i < x->diags->count && x->diags->items[i].span.begin != clock->span.begin)
        i++;
    return i < x->diags->count;
}

static RateLevel level_of(Planning *x, int32_t term)
{
    if (term >= 0)
        return (RateLevel)x->choices->rates->level[term];
    return model_eval(x->plan->system->model, ~term, x->values, x->counts).level;
}

/* A local state of a component that does the action at a rate of its own; -1: all are passive. */
static int32_t find_active(Planning *x, const Component *c, int32_t action)
{
    for (int32_t l = 0; l < c->local_count; l++) {
        const LocalOffer *offer = component_offer(c, l, action);
        for (int32_t i = c->clock_row[l]; i < c->clock_row[l + 1]; i++)
            if (c->clocks[i].action == action)
                return c->local[l];
        for (int32_t i = offer ? offer->first : 0; offer && i < offer->end; i++)
            if (level_of(x, c->moves[i].term) != LEVEL_PASSIVE)
                return c->local[l];
    }
    return -1;
}

/* All that is below an operand of a cooperation with the activity has to be passive. */
static void check_partners(Planning *x, int32_t operand, const LocalClock *clock)
{
    const System *s = x->plan->system;
    for (int32_t i = operand; i < s->progs[operand].end; i++) {
        const Prog *p = &s->progs[i];
        if (p->kind != PROG_SLOT)
            continue;
        const int32_t active =
            find_active(x, &s->components[s->slots[p->slot].component], p->action);
        if (active >= 0 && !is_reported(x, clock))
            diag_error(x->diags, clock->span,
                       "what this activity cooperates with is not passive in `%s`; a duration "
                       "belongs to one component, and partners wait for it: they need the rate T",
                       name_of(x, active));
    }
}

/* Where copies move together, which of them has which clock would be lost. */
static void check_copies(Planning *x, int32_t prog, int32_t local)
{
    const System *s = x->plan->system;
    const Prog *p = &s->progs[prog];
    const Component *c = &s->components[s->slots[p->slot].component];
    const int32_t clock = c->clock_row[local];
    if (clock == c->clock_row[local + 1])
        return;
    bool shares = component_offer(c, local, p->action) != NULL;
    for (int32_t i = clock; i < c->clock_row[local + 1]; i++)
        shares = shares || c->clocks[i].action == p->action;
    if (shares && !is_reported(x, &c->clocks[clock]))
        diag_error(x->diags, c->clocks[clock].span,
                   "all copies can cooperate in `%s`, where this activity has a duration; give the "
                   "duration a local state of its own, or the copies one to cooperate in",
                   name_of(x, c->local[local]));
}

/* ---- activities ------------------------------------------------------------------------------- */

static bool add_gate(Planning *x, int32_t prog)
{
    ClockPlan *p = x->plan;
    if (!mem_grow(p->gate, p->gate_cap, p->gate_count + 1))
        return false;
    choice_plan_watch(x->choices, prog);
    p->gate[p->gate_count++] = prog;
    return true;
}

/* The program of the slot and the action that some event has, and its event; -1: it is blocked. */
static int32_t find_program(const Planning *x, int32_t slot, int32_t action, int32_t *event)
{
    const ChoicePlan *c = x->choices;
    const int32_t at = c->slot_action[slot] + action;
    for (int32_t k = c->leaf_row[at]; k < c->leaf_row[at + 1]; k++) {
        int32_t root = c->leaf[k];
        while (c->parent[root] >= 0)
            root = c->parent[root];
        *event = c->event[root];
        if (*event >= 0)
            return c->leaf[k];
    }
    return -1;
}

static bool add_activity(Planning *x, int32_t slot, const LocalClock *clock)
{
    ClockPlan *p = x->plan;
    const ChoicePlan *c = x->choices;
    ClockActivity a = {.target = clock->target, .gate = (int32_t)p->gate_count};
    a.prog = find_program(x, slot, clock->action, &a.event);
    a.duration = duration_of(p->system->model, clock->expr, x->values);
    for (int32_t below = a.prog, up; below >= 0 && (up = c->parent[below]) >= 0; below = up)
        for (int32_t k = 0; p->system->progs[up].kind == PROG_SYNC && k < c->width[up]; k++) {
            const int32_t operand = c->operand[c->first[up] + k];
            if (operand == below)
                continue;
            check_partners(x, operand, clock);
            if (!add_gate(x, operand))
                return false;
        }
    a.gate_end = (int32_t)p->gate_count;
    if (!mem_grow(p->activity, p->activity_cap, p->activity_count + 1))
        return false;
    p->activity[p->activity_count++] = a;
    return true;
}

static bool add_place(Planning *x, int32_t slot, int32_t local)
{
    ClockPlan *p = x->plan;
    const System *s = p->system;
    const Component *c = &s->components[s->slots[slot].component];
    const int32_t first = (int32_t)p->activity_count;
    for (int32_t i = c->clock_row[local]; i < c->clock_row[local + 1]; i++)
        if (!add_activity(x, slot, &c->clocks[i]))
            return false;
    if ((int32_t)p->activity_count == first)
        return true;
    if (!mem_grow(p->place, p->place_cap, p->place_count + 1))
        return false;
    p->place_of[p->slot[slot] + local] = (int32_t)p->place_count;
    p->place[p->place_count++] = (ClockPlace){slot, local, first, (int32_t)p->activity_count,
                                              s->model->locals[c->local[local]].whole};
    return true;
}

static bool add_places(Planning *x)
{
    ClockPlan *p = x->plan;
    const System *s = p->system;
    int32_t locals = 0;
    if (!mem_new(p->slot, s->slot_count + 1))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        p->slot[i] = locals;
        locals += s->components[s->slots[i].component].local_count;
    }
    p->slot[s->slot_count] = locals;
    if (!mem_new(p->place_of, locals))
        return false;
    for (int32_t i = 0; i < locals; i++)
        p->place_of[i] = -1;
    for (int32_t i = 0; i < s->slot_count; i++)
        for (int32_t l = 0; l < p->slot[i + 1] - p->slot[i]; l++)
            if (!add_place(x, i, l))
                return false;
    for (int32_t i = 0; i < s->prog_count; i++)
        for (int32_t l = 0; s->progs[i].kind == PROG_SLOT && s->progs[i].together &&
                            l < s->components[s->slots[s->progs[i].slot].component].local_count;
             l++)
            check_copies(x, i, l);
    return true;
}

/* Per program the places that wait for it: counted, then put in place. */
static bool lay_out_waiting(ClockPlan *p)
{
    const int32_t progs = p->system->prog_count;
    if (!mem_new_zeroed(p->row, progs + 2) || !mem_new(p->waiting, p->gate_count))
        return false;
    for (size_t i = 0; i < p->gate_count; i++)
        p->row[p->gate[i] + 2]++;
    for (int32_t i = 0; i < progs; i++)
        p->row[i + 2] += p->row[i + 1];
    for (size_t k = 0; k < p->place_count; k++)
        for (int32_t a = p->place[k].first; a < p->place[k].end; a++)
            for (int32_t g = p->activity[a].gate; g < p->activity[a].gate_end; g++)
                p->waiting[p->row[p->gate[g] + 1]++] = (int32_t)k;
    return true;
}

PepaStatus clock_plan_new(ClockPlan **out, ChoicePlan *choices, const Value *values,
                          DiagList *diags, PepaError *err)
{
    const System *s = choices->system;
    if (!s->model->durations)
        return PEPA_OK;
    const size_t errors = diags->errors;
    ClockPlan *p = mem_calloc(1, sizeof *p);
    Planning x = {.plan = p, .choices = choices, .values = values, .diags = diags};
    bool ok = p != NULL;
    if (ok)
        p->system = s;
    ok = ok && mem_new_zeroed(x.counts, s->model->local_count) && add_places(&x) &&
         lay_out_waiting(p);
    mem_free(x.counts);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok && diags->errors > errors)
        status = error_set(err, PEPA_EMODEL, "some durations cannot be where they are");
    if (status == PEPA_OK)
        *out = p;
    else
        clock_plan_free(p);
    return status;
}

void clock_plan_free(ClockPlan *p)
{
    if (p)
        mem_free_all(p->place, p->activity, p->gate, p->slot, p->place_of, p->row, p->waiting, p);
}
