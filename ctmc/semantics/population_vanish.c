/* Finds the local states that take no time, where they lead to, and takes moves past them. */
#include "ctmc/semantics/population_vanish.h"

#include <string.h>

#define BIT(level) ((uint8_t)(1u << (level)))

/* ---- which events are immediate -------------------------------------------------------------- */

static bool has_op(const Model *m, int32_t expr, ExprOp op)
{
    const Expr *e = &m->exprs[expr];
    if (e->op == op)
        return true;
    if (e->op == EXPR_RATE)
        return has_op(m, m->rates[e->a].expr, op);
    if (e->op == EXPR_NUMBER || e->op == EXPR_COUNT || e->op < EXPR_ADD)
        return false;
    return has_op(m, e->a, op) || (expr_is_binary(e->op) && has_op(m, e->b, op));
}

static uint8_t kind_of(const Model *m, const RateTable *rates, const LocalMove *move)
{
    if (move->term >= 0)
        return BIT(rates->level[move->term]);
    return BIT(has_op(m, ~move->term, EXPR_IMMEDIATE) ? LEVEL_IMMEDIATE
               : has_op(m, ~move->term, EXPR_PASSIVE) ? LEVEL_PASSIVE
                                                      : LEVEL_TIMED);
}

static uint8_t slot_kinds(const System *s, const RateTable *rates, const Prog *p)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    uint8_t kinds = 0;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        for (int32_t i = offer->first; i < offer->end; i++)
            kinds |= kind_of(s->model, rates, &c->moves[i]);
    }
    return kinds;
}

/* A cooperation has the lower level of both sides. */
static uint8_t together(uint8_t a, uint8_t b)
{
    uint8_t kinds = 0;
    for (int i = LEVEL_TIMED; i <= LEVEL_PASSIVE; i++)
        for (int j = LEVEL_TIMED; j <= LEVEL_PASSIVE; j++)
            if (a & BIT(i) && b & BIT(j))
                kinds |= BIT(i < j ? i : j);
    return kinds;
}

static void find_kinds(const System *s, const RateTable *rates, uint8_t *kinds)
{
    for (int32_t i = s->prog_count; i-- > 0;) {
        const Prog *p = &s->progs[i];
        kinds[i] = p->kind == PROG_SLOT ? slot_kinds(s, rates, p) : kinds[p->first];
        for (int32_t k = p->kind == PROG_SLOT ? -1 : s->progs[p->first].next; k >= 0;
             k = s->progs[k].next)
            kinds[i] = p->kind == PROG_SYNC ? together(kinds[i], kinds[k])
                                            : (uint8_t)(kinds[i] | kinds[k]);
    }
}

bool passing_is_immediate(const Passing *passing, const System *s, int32_t event)
{
    return passing->any && passing->kinds[s->events[event].prog] & BIT(LEVEL_IMMEDIATE);
}

/* Whether a component does the immediate event by itself. */
static PepaStatus check_event(const Passing *passing, const System *s, int32_t event,
                              PepaError *err)
{
    const int32_t root = s->events[event].prog;
    const char *action = s->model->actions[s->events[event].action];
    if (passing->kinds[root] != BIT(LEVEL_IMMEDIATE))
        return error_set(err, PEPA_EARG,
                         "`%.100s` is immediate in one component and has a rate in another: in "
                         "differential equations give it one of the two, or use pepa simulate",
                         action);
    for (int32_t p = root; p < s->progs[root].end; p++)
        if (s->progs[p].kind == PROG_SYNC || s->progs[p].together)
            return error_set(err, PEPA_EARG,
                             "`%.100s` is immediate and shared: when it happens depends on all "
                             "populations, so it has no fluid limit; give it a rate that is large "
                             "beside the others, or use pepa simulate",
                             action);
    return PEPA_OK;
}

/* ---- where local states lead to -------------------------------------------------------------- */

/* Of one slot; rows of local states that take time are 0.  Weights, until a row is passed: then
 * probabilities to leave for other local states, and how often each event has happened by then. */
typedef struct {
    int32_t locals, events;
    double *go;    /* locals x locals */
    double *times; /* locals x events */
    bool *passed;  /* per local state: some immediate activity */
} Ways;

static PepaStatus ways_of_event(Ways *w, const System *s, const RateTable *rates, int32_t slot,
                                int32_t event, PepaError *err)
{
    const Component *c = &s->components[s->slots[slot].component];
    const int32_t root = s->events[event].prog;
    for (int32_t p = root; p < s->progs[root].end; p++) {
        const Prog *prog = &s->progs[p];
        if (prog->kind != PROG_SLOT || prog->slot != slot)
            continue;
        for (int32_t k = c->able_row[prog->action]; k < c->able_row[prog->action + 1]; k++) {
            const int32_t local = c->able[k];
            const LocalOffer *offer = component_offer(c, local, prog->action);
            for (int32_t i = offer->first; i < offer->end; i++) {
                if (c->moves[i].term < 0)
                    return error_set(err, PEPA_EARG,
                                     "the weight of the immediate `%.100s` counts local states: "
                                     "differential equations know constant ones only; use pepa "
                                     "simulate",
                                     s->model->actions[s->events[event].action]);
                w->passed[local] = true;
                w->go[local * w->locals + c->moves[i].target] += rates->value[c->moves[i].term];
                w->times[local * w->events + event] += rates->value[c->moves[i].term];
            }
        }
    }
    return PEPA_OK;
}

/* Without subtractions: the chance to leave is the sum of the ways out.  Source: Grassmann, Taksar,
 * Heyman, Operations Research 33 (1985). */
static PepaStatus pass(Ways *w, const char *name, int32_t local, PepaError *err)
{
    double *go = w->go + (ptrdiff_t)local * w->locals;
    double *times = w->times + (ptrdiff_t)local * w->events, out = 0;
    go[local] = 0;
    for (int32_t t = 0; t < w->locals; t++)
        out += go[t];
    if (!(out > 0))
        return error_set(err, PEPA_EMODEL,
                         "immediate activities of `%.100s` go on for ever, and no time passes; let "
                         "one of them take time",
                         name);
    for (int32_t t = 0; t < w->locals; t++)
        go[t] /= out;
    for (int32_t e = 0; e < w->events; e++)
        times[e] /= out;
    for (int32_t u = 0; u < w->locals; u++) {
        double *from = w->go + (ptrdiff_t)u * w->locals;
        const double by = from[local];
        if (u == local || by == 0)
            continue;
        from[local] = 0;
        for (int32_t t = 0; t < w->locals; t++)
            from[t] += by * go[t];
        for (int32_t e = 0; e < w->events; e++)
            w->times[(ptrdiff_t)u * w->events + e] += by * times[e];
    }
    return PEPA_OK;
}

static bool keep(Passing *x, const Ways *w, int32_t first, int32_t local)
{
    int32_t to = x->to_row[first + local], events = x->event_row[first + local];
    x->is_passed[first + local] = w->passed[local];
    for (int32_t t = 0; t < w->locals; t++)
        if (w->go[local * w->locals + t] > 0) {
            if (!mem_grow(x->to, x->to_cap, (size_t)to + 1))
                return false;
            x->to[to++] = (PassedTo){first + t, w->go[local * w->locals + t]};
        }
    for (int32_t e = 0; e < w->events; e++)
        if (w->times[local * w->events + e] > 0) {
            if (!mem_grow(x->events, x->event_cap, (size_t)events + 1))
                return false;
            x->events[events++] = (PassedEvent){e, w->times[local * w->events + e]};
        }
    x->to_row[first + local + 1] = to;
    x->event_row[first + local + 1] = events;
    return true;
}

static PepaStatus pass_slot(Passing *x, const Population *p, const RateTable *rates, int32_t slot,
                            PepaError *err)
{
    const System *s = p->system;
    const Component *c = &s->components[s->slots[slot].component];
    Ways w = {.locals = c->local_count, .events = s->event_count};
    PepaStatus status = PEPA_OK;
    if (!mem_new_zeroed(w.go, (size_t)w.locals * (size_t)w.locals) ||
        !mem_new_zeroed(w.times, (size_t)w.locals * (size_t)w.events) ||
        !mem_new_zeroed(w.passed, w.locals))
        status = error_memory(err);
    for (int32_t e = 0; e < s->event_count && status == PEPA_OK; e++)
        if (passing_is_immediate(x, s, e))
            status = ways_of_event(&w, s, rates, slot, e, err);
    for (int32_t l = 0; l < w.locals && status == PEPA_OK; l++)
        if (w.passed[l])
            status = pass(&w, s->model->locals[c->local[l]].name, l, err);
    for (int32_t l = 0; l < w.locals && status == PEPA_OK; l++)
        if (!keep(x, &w, p->variable[slot], l))
            status = error_memory(err);
    mem_free_all(w.go, w.times, w.passed);
    return status;
}

PepaStatus passing_new(Passing *x, const Population *p, const RateTable *rates, PepaError *err)
{
    const System *s = p->system;
    PepaStatus status = PEPA_OK;
    *x = (Passing){.any = s->preempts};
    if (!x->any)
        return PEPA_OK;
    if (!mem_new(x->kinds, s->prog_count) || !mem_new_zeroed(x->is_passed, p->variables) ||
        !mem_new_zeroed(x->to_row, p->variables + 1) ||
        !mem_new_zeroed(x->event_row, p->variables + 1))
        status = error_memory(err);
    if (status == PEPA_OK)
        find_kinds(s, rates, x->kinds);
    for (int32_t e = 0; e < s->event_count && status == PEPA_OK; e++)
        if (s->events[e].label != LABEL_NONE && passing_is_immediate(x, s, e))
            status = check_event(x, s, e, err);
    for (int32_t i = 0; i < s->slot_count && status == PEPA_OK; i++)
        if (p->variable[i] >= 0)
            status = pass_slot(x, p, rates, i, err);
    if (status != PEPA_OK)
        passing_free(x);
    return status;
}

void passing_free(Passing *x)
{
    mem_free_all(x->kinds, x->is_passed, x->to_row, x->to, x->event_row, x->events);
    *x = (Passing){0};
}

/* ---- populations and moves ------------------------------------------------------------------- */

void passing_start(const Passing *x, Population *p)
{
    for (int32_t v = 0; v < p->variables && x->any; v++) {
        const double there = p->initial[v];
        if (!x->is_passed[v] || there == 0)
            continue;
        p->initial[v] = 0;
        for (int32_t k = x->to_row[v]; k < x->to_row[v + 1]; k++)
            p->initial[x->to[k].variable] += there * x->to[k].probability;
        p->by_chance |= x->to_row[v + 1] - x->to_row[v] > 1;
    }
}

static int32_t times(Population *p, int32_t rate, double by)
{
    return by == 1
               ? rate
               : flow_operate(&p->rates, EXPR_MUL, rate, flow_number(&p->rates, by, FLOW_ACTIVE));
}

/* The first step of a move that ends where no time passes, or -1. */
static int32_t step_to_pass(const Passing *x, const Population *p, const PopulationMove *move)
{
    for (int32_t k = move->first; k < move->end_of_stays; k++)
        if (x->is_passed[p->steps[k].to])
            return k;
    return -1;
}

static bool begins_nowhere(const Passing *x, const Population *p, const PopulationMove *move)
{
    for (int32_t k = move->first; k < move->end_of_stays; k++)
        if (x->is_passed[p->steps[k].from])
            return true;
    return false;
}

/* The move, in which step `changed` leads to the variable; those that stay are behind the others. */
static bool put_copy(Population *p, PopulationMove move, int32_t changed, int32_t variable)
{
    PopulationMove copy = move;
    copy.first = (int32_t)p->step_count;
    for (int stay = 0; stay < 2; stay++) {
        for (int32_t k = move.first; k < move.end_of_stays; k++) {
            if (!mem_grow(p->steps, p->step_cap, p->step_count + 1))
                return false;
            PopulationStep step = p->steps[k];
            step.to = k == changed ? variable : step.to;
            if ((step.from == step.to) == stay)
                p->steps[p->step_count++] = step;
        }
        copy.end = stay ? copy.end : (int32_t)p->step_count;
    }
    copy.end_of_stays = (int32_t)p->step_count;
    if (!mem_grow(p->moves, p->move_cap, p->move_count + 1))
        return false;
    p->moves[p->move_count++] = copy;
    return true;
}

/* What happens on the way: moves that change no population. */
static bool put_events(const Passing *x, Population *p, int32_t rate, int32_t variable)
{
    for (int32_t k = x->event_row[variable]; k < x->event_row[variable + 1]; k++) {
        const Event *event = &p->system->events[x->events[k].event];
        const int32_t none = (int32_t)p->step_count;
        if (event->label == LABEL_NONE)
            continue;
        if (!mem_grow(p->moves, p->move_cap, p->move_count + 1))
            return false;
        p->moves[p->move_count++] =
            (PopulationMove){event->label, event->action, times(p, rate, x->events[k].times),
                             none,         none,          none};
    }
    return true;
}

/* Take one step past the local state that it ends in: copies of the move, behind all others. */
static bool pass_step(const Passing *x, Population *p, size_t number, int32_t step)
{
    const PopulationMove move = p->moves[number];
    const int32_t there = p->steps[step].to;
    if (!put_events(x, p, move.rate, there))
        return false;
    for (int32_t k = x->to_row[there]; k < x->to_row[there + 1]; k++) {
        PopulationMove copy = move;
        copy.rate = times(p, move.rate, x->to[k].probability);
        if (!put_copy(p, copy, step, x->to[k].variable))
            return false;
    }
    return true;
}

PepaStatus passing_moves(const Passing *x, Population *p, size_t begin, size_t most, PepaError *err)
{
    size_t kept = begin;
    for (size_t i = begin; i < p->move_count && x->any; i++) {
        const int32_t step = step_to_pass(x, p, &p->moves[i]);
        if (begins_nowhere(x, p, &p->moves[i]))
            continue;
        if (step >= 0 && !pass_step(x, p, i, step))
            return error_memory(err);
        if (p->move_count > most)
            return error_set(err, PEPA_ELIMIT,
                             "more than %zu ways to move are too many for differential equations: "
                             "immediate activities lead to too many local states",
                             most);
        if (step < 0)
            p->moves[kept++] = p->moves[i];
    }
    if (x->any)
        p->move_count = kept;
    return p->rates.no_memory ? error_memory(err) : PEPA_OK;
}
