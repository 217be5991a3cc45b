/* Follows values and integrals: an activity touches few of them. */
#include "ctmc/simulate/observe.h"

#include <math.h>
#include <string.h>

/* ---- values ----------------------------------------------------------------------------------- */

static double count_at(const Observer *o, int32_t first, int32_t end)
{
    const System *s = o->plan->system;
    int64_t sum = 0;
    for (int32_t k = first; k < end; k++) {
        const StatePlace *place = &o->plan->code->place[k];
        const Slot *slot = &s->slots[place->slot];
        const int64_t *cell = o->choices->cells + slot->cell;
        sum += slot->copies ? cell[place->local] : *cell == place->local;
    }
    return (double)sum;
}

static double flow_of(const Observer *o, int32_t observed)
{
    const ObservePlan *p = o->plan;
    double sum = 0;
    for (int32_t k = p->flow_row[observed]; k < p->flow_row[observed + 1]; k++)
        sum += choices_rate(o->choices, p->flow[k]);
    return sum;
}

static bool is_enabled(const Observer *o, int32_t action)
{
    const System *s = o->plan->system;
    int32_t e = 0;
    while (e < s->event_count && !(s->events[e].label == action && choices_can(o->choices, e)))
        e++;
    return e < s->event_count;
}

static double node_value(const Observer *o, int32_t node)
{
    const StateNode *n = &o->plan->code->node[node];
    switch (n->op) {
    case STATE_NUMBER:
        return n->number;
    case STATE_RATE:
        return o->plan->rate[n->a].value;
    case STATE_COUNT:
        return count_at(o, n->a, n->b);
    case STATE_ENABLED:
        return is_enabled(o, n->a);
    case STATE_DEADLOCK:
        return choices_is_over(o->choices);
    default:
        return state_operate(n->op, o->node[n->a], n->b < 0 ? 0 : o->node[n->b]);
    }
}

static double inflow_of(const Observer *o, int32_t observed)
{
    double sum = 0;
    if (o->more)
        return 0;
    for (int32_t e = 0; e < o->plan->system->event_count; e++)
        sum += choices_inflow(o->choices, e, o->plan->marked[observed], o->plan->in[observed]);
    return sum;
}

static double local_of(const Observer *o, int32_t slot, int32_t local)
{
    const Slot *at = &o->plan->system->slots[slot];
    const int64_t *cell = o->choices->cells + at->cell;
    return at->copies ? (double)cell[local] : *cell == local;
}

static double look(Observer *o, int32_t observed)
{
    const Observed *what = &o->plan->observed[observed];
    switch (what->kind) {
    case OBSERVE_LOCAL:
        return local_of(o, what->a, what->first);
    case OBSERVE_PRODUCT:
        return 0;
    case OBSERVE_FLOW:
        return flow_of(o, observed);
    case OBSERVE_COUNT:
        return count_at(o, what->first, what->end);
    case OBSERVE_INFLOW:
        return inflow_of(o, observed);
    default:
        for (int32_t i = 0; i <= what->a; i++)
            o->node[i] = node_value(o, i);
        return o->node[what->a];
    }
}

static bool new_in_row(Observer *o)
{
    const ObservePlan *p = o->plan;
    bool ok = mem_new_zeroed(o->more, p->count) && mem_new(o->cells, p->system->cell_count);
    for (int32_t i = 0; i < p->count && ok; i++)
        ok = p->observed[i].kind != OBSERVE_INFLOW ||
             mem_new_zeroed(o->more[i], p->system->slot_count);
    return ok;
}

PepaStatus observer_new(Observer *out, const ObservePlan *plan, Choices *choices, PepaError *err)
{
    *out = (Observer){.plan = plan, .choices = choices};
    if (!mem_new(out->value, plan->count) || !mem_new_zeroed(out->integral, plan->count) ||
        !mem_new_zeroed(out->since, plan->count) || !mem_new_zeroed(out->completed, plan->count) ||
        !mem_new_zeroed(out->begun, plan->count) || !mem_new(out->stale, plan->count) ||
        !mem_new(out->node, plan->code->node_count) ||
        !mem_new_zeroed(out->is_stale, plan->count) || (plan->unrated && !new_in_row(out))) {
        observer_free(out);
        return error_memory(err);
    }
    observer_look(out);
    return PEPA_OK;
}

void observer_free(Observer *o)
{
    for (int32_t i = 0; o->more && i < o->plan->count; i++)
        mem_free(o->more[i]);
    mem_free_all(o->value, o->integral, o->since, o->completed, o->begun, o->stale, o->is_stale,
                 o->node, o->more, o->cells);
    *o = (Observer){0};
}

void observer_look(Observer *o)
{
    for (int32_t i = 0; i < o->plan->count; i++)
        o->value[i] = look(o, i);
    o->precedence = choices_precedence(o->choices);
}

void observer_start(Observer *o, double time)
{
    for (int32_t i = 0; i < o->plan->count; i++) {
        o->integral[i] = o->completed[i] = o->begun[i] = 0;
        o->since[i] = time;
    }
}

/* ---- changes ---------------------------------------------------------------------------------- */

static inline void integrate(Observer *o, int32_t i, double time)
{
    o->integral[i] += o->value[i] * (time - o->since[i]);
    o->since[i] = time;
}

static inline double integral_at(const Observer *o, int32_t i, double time)
{
    return o->integral[i] + o->value[i] * (time - o->since[i]);
}

/* The products of a flow up to this time, in all of which it had its value since they were begun. */
static inline void integrate_products(Observer *o, int32_t flow, double time)
{
    const ObservePlan *p = o->plan;
    for (int32_t k = p->product_row[flow]; k < p->product_row[flow + 1]; k++) {
        const int32_t i = p->product[k];
        const double to = integral_at(o, p->observed[i].first, time);
        o->integral[i] += o->value[flow] * (to - o->begun[i]);
        o->begun[i] = to;
    }
}

static inline void mark(Observer *o, int32_t i)
{
    if (o->is_stale[i])
        return;
    o->is_stale[i] = 1;
    o->stale[o->stale_count++] = i;
}

/* Counts are whole numbers below 2^53: adding is exact. */
static void follow_locals(Observer *o, double time)
{
    const ObservePlan *p = o->plan;
    const Choices *c = o->choices;
    for (size_t i = 0; i < c->change_count; i++) {
        const int32_t at = p->place[c->changes[i].slot] + c->changes[i].local;
        for (int32_t k = p->local_row[at]; k < p->local_row[at + 1]; k++) {
            const int32_t what = p->by_local[k];
            if (p->observed[what].kind == OBSERVE_VALUE) {
                mark(o, what);
                continue;
            }
            integrate(o, what, time);
            o->value[what] += (double)c->changes[i].by;
        }
    }
}

static void follow_events(Observer *o)
{
    const ObservePlan *p = o->plan;
    for (size_t i = 0; i < o->choices->changed_count; i++) {
        const int32_t event = o->choices->changed[i];
        for (int32_t k = p->event_row[event]; k < p->event_row[event + 1]; k++)
            mark(o, p->by_event[k]);
    }
}

/* So many components have entered by the last activity. */
static double entered(Observer *o, int32_t observed)
{
    const ObservePlan *p = o->plan;
    const Choices *c = o->choices;
    int64_t sum = 0, *more = o->more[observed];
    for (size_t k = 0; k < c->change_count; k++) {
        const ChoiceChange *change = &c->changes[k];
        const int32_t at = p->marked[observed][change->slot];
        if (at >= 0 && p->in[observed][at + change->local])
            more[change->slot] += change->by;
    }
    for (size_t k = 0; k < c->change_count; k++) {
        const int32_t slot = c->changes[k].slot;
        sum += more[slot] > 0 ? more[slot] : 0;
        more[slot] = 0;
    }
    return (double)sum;
}

/* What no integral of a rate says: completions, components that enter, and other events that come first
 * now.  False: time does not pass here, and there is nothing to look at. */
static bool follow_unrated(Observer *o, int32_t event)
{
    const ObservePlan *p = o->plan;
    for (int32_t k = p->event_row[event]; k < p->event_row[event + 1] && o->choices->unrated; k++)
        o->integral[p->by_event[k]]++;
    for (int32_t i = 0; i < p->count; i++)
        if (o->more[i])
            o->integral[i] += entered(o, i);
    if (choices_is_vanishing(o->choices))
        return false;
    const bool others = choices_precedence(o->choices) != o->precedence;
    o->precedence = choices_precedence(o->choices);
    for (int32_t i = 0; i < p->count; i++)
        if (others && p->observed[i].kind == OBSERVE_FLOW)
            mark(o, i);
    return true;
}

static inline void complete(Observer *o, int32_t flow)
{
    const ObservePlan *p = o->plan;
    o->completed[flow]++;
    for (int32_t k = p->product_row[flow]; k < p->product_row[flow + 1]; k++)
        o->completed[p->product[k]] += o->value[p->observed[p->product[k]].first];
}

static inline void update(Observer *o, int32_t what, double time)
{
    const double value = look(o, what);
    if (o->plan->product_row[what] < o->plan->product_row[what + 1] && value != o->value[what])
        integrate_products(o, what, time);
    integrate(o, what, time);
    o->value[what] = value;
}

void observer_follow(Observer *o, int32_t event, double time)
{
    const ObservePlan *p = o->plan;
    for (int32_t k = p->event_row[event]; k < p->event_row[event + 1]; k++)
        complete(o, p->by_event[k]);
    follow_locals(o, time);
    follow_events(o);
    if (o->more && !follow_unrated(o, event))
        return;
    for (int32_t i = 0; i < p->always_count; i++)
        mark(o, p->always[i]);
    for (int32_t i = 0; i < o->stale_count; i++) {
        update(o, o->stale[i], time);
        o->is_stale[o->stale[i]] = 0;
    }
    o->stale_count = 0;
}

/* ---- ahead ------------------------------------------------------------------------------------ */

/* Take activities up to the next tangible state, and add what happens on the way. */
static bool run_ahead(Observer *o, Stream *stream, double rate, int64_t most)
{
    const ObservePlan *p = o->plan;
    Choices *c = o->choices;
    for (int64_t k = 0; k == 0 || choices_is_vanishing(c); k++) {
        const int32_t event = k <= most ? choices_take(c, stream) : -1;
        if (event < 0 || choices_stuck(c))
            return false;
        for (int32_t i = p->event_row[event]; i < p->event_row[event + 1] && c->unrated; i++)
            o->value[p->by_event[i]] += rate;
        for (int32_t i = 0; i < p->count; i++)
            if (o->more[i])
                o->value[i] += rate * entered(o, i);
    }
    return true;
}

bool observer_ahead(Observer *o, Stream stream, int64_t most)
{
    const double rate = choices_total(o->choices);
    for (int32_t i = 0; i < o->plan->count && o->plan->durations; i++)
        o->value[i] = o->plan->unrated[i] ? NAN : o->value[i];
    if (!o->plan->ahead || o->plan->durations || !(rate > 0))
        return true;
    memcpy(o->cells, o->choices->cells, (size_t)o->plan->system->cell_count * sizeof *o->cells);
    const bool ok = run_ahead(o, &stream, rate, most);
    if (ok)
        choices_go(o->choices, o->cells);
    return ok;
}

void observer_cut(Observer *o, double time, double *integral, double *surplus)
{
    const int32_t count = o->plan->count;
    for (int32_t i = 0; i < count; i++)
        integrate_products(o, i, time);
    for (int32_t i = 0; i < count; i++) {
        const ObservedKind kind = o->plan->observed[i].kind;
        integrate(o, i, time);
        integral[i] = o->integral[i];
        surplus[i] =
            kind == OBSERVE_FLOW || kind == OBSERVE_PRODUCT ? o->completed[i] - o->integral[i] : 0;
    }
    observer_start(o, time);
}
