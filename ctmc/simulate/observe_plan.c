/* Plans what is observed: by which changes of the state it changes. */
#include "ctmc/simulate/observe.h"

static bool looks_at_events(const StateCode *code, int32_t node)
{
    for (int32_t i = 0; i <= node; i++)
        if (code->node[i].op == STATE_ENABLED || code->node[i].op == STATE_DEADLOCK)
            return true;
    return false;
}

/* Which nodes a node is computed from: used has node + 1 entries. */
static void mark_used(const StateCode *code, int32_t node, uint8_t *used)
{
    for (int32_t i = 0; i <= node; i++)
        used[i] = i == node;
    for (int32_t i = node; i >= 0; i--) {
        const StateNode *n = &code->node[i];
        if (!used[i] || n->op < STATE_ADD)
            continue;
        used[n->a] = 1;
        if (n->b >= 0)
            used[n->b] = 1;
    }
}

static int32_t place_row(const ObservePlan *p, int32_t place)
{
    const StatePlace *at = &p->code->place[place];
    return p->place[at->slot] + at->local;
}

/* A pass over all pairs (local state, observed): counts them, or puts them in place. */
static void each_local(ObservePlan *p, uint8_t *used, bool put)
{
    for (int32_t i = 0; i < p->count; i++) {
        const Observed *o = &p->observed[i];
        if (o->kind == OBSERVE_COUNT) {
            for (int32_t k = o->first; k < o->end; k++) {
                if (put)
                    p->by_local[p->local_row[place_row(p, k) + 1]++] = i;
                else
                    p->local_row[place_row(p, k) + 2]++;
            }
            continue;
        }
        if (o->kind == OBSERVE_LOCAL) {
            const int32_t at = p->place[o->a] + o->first;
            if (put)
                p->by_local[p->local_row[at + 1]++] = i;
            else
                p->local_row[at + 2]++;
        }
        if (o->kind != OBSERVE_VALUE || looks_at_events(p->code, o->a))
            continue;
        mark_used(p->code, o->a, used);
        for (int32_t n = 0; n <= o->a; n++)
            for (int32_t k = p->code->node[n].a;
                 used[n] && p->code->node[n].op == STATE_COUNT && k < p->code->node[n].b; k++) {
                if (put)
                    p->by_local[p->local_row[place_row(p, k) + 1]++] = i;
                else
                    p->local_row[place_row(p, k) + 2]++;
            }
    }
}

static bool plan_locals(ObservePlan *p)
{
    const System *s = p->system;
    int32_t places = 0;
    uint8_t *used = NULL;
    if (!mem_new(p->place, s->slot_count + 1))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        p->place[i] = places;
        places += s->components[s->slots[i].component].local_count;
    }
    p->place[s->slot_count] = places;
    if (!mem_new(used, p->code->node_count) || !mem_new_zeroed(p->local_row, places + 2)) {
        mem_free(used);
        return false;
    }
    each_local(p, used, false);
    for (int32_t i = 0; i < places; i++)
        p->local_row[i + 2] += p->local_row[i + 1];
    const bool ok = mem_new(p->by_local, p->local_row[places + 1]);
    if (ok)
        each_local(p, used, true);
    mem_free(used);
    return ok;
}

/* What an observed thing, or an event, is grouped by; -1: by nothing. */
typedef int32_t Key(const ObservePlan *p, int32_t i);

static int32_t action_of_flow(const ObservePlan *p, int32_t observed)
{
    return p->observed[observed].kind == OBSERVE_FLOW ? p->observed[observed].a : -1;
}

static int32_t action_of_event(const ObservePlan *p, int32_t event)
{
    return p->system->events[event].label;
}

static int32_t flow_of_product(const ObservePlan *p, int32_t observed)
{
    return p->observed[observed].kind == OBSERVE_PRODUCT ? p->observed[observed].a : -1;
}

/* What of 0 .. count - 1 has each key, in order: row has keys + 1 entries. */
static bool group(const ObservePlan *p, int32_t keys, int32_t count, Key *key, int32_t **row,
                  int32_t **member)
{
    int32_t *at;
    if (!mem_new_zeroed(*row, (size_t)keys + 2) || !mem_new(*member, count))
        return false;
    at = *row + 1;
    for (int32_t i = 0; i < count; i++)
        if (key(p, i) >= 0)
            at[key(p, i) + 1]++;
    for (int32_t k = 0; k < keys; k++)
        at[k + 1] += at[k];
    for (int32_t i = 0; i < count; i++)
        if (key(p, i) >= 0)
            (*member)[at[key(p, i)]++] = i;
    return true;
}

/* The members of a group, for each thing that has the group's key. */
static bool join(const ObservePlan *p, int32_t count, Key *key, const int32_t *group_row,
                 const int32_t *member, int32_t **row, int32_t **joined)
{
    size_t total = 0;
    if (!mem_new(*row, (size_t)count + 1))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const int32_t k = key(p, i);
        (*row)[i] = (int32_t)total;
        total += k >= 0 ? (size_t)(group_row[k + 1] - group_row[k]) : 0;
    }
    (*row)[count] = (int32_t)total;
    if (total > INT32_MAX || !mem_new(*joined, total))
        return false;
    for (int32_t i = 0, at = 0; i < count; i++) {
        const int32_t k = key(p, i);
        for (int32_t m = k >= 0 ? group_row[k] : 0; k >= 0 && m < group_row[k + 1]; m++)
            (*joined)[at++] = member[m];
    }
    return true;
}

static bool plan_events(ObservePlan *p)
{
    const System *s = p->system;
    const int32_t actions = s->model->action_count;
    int32_t *flow_row = NULL, *flow = NULL, *event_row = NULL, *event = NULL;
    const bool ok =
        mem_new(p->always, p->count) &&
        group(p, actions, p->count, action_of_flow, &flow_row, &flow) &&
        group(p, actions, s->event_count, action_of_event, &event_row, &event) &&
        join(p, s->event_count, action_of_event, flow_row, flow, &p->event_row, &p->by_event) &&
        join(p, p->count, action_of_flow, event_row, event, &p->flow_row, &p->flow);
    for (int32_t i = 0; ok && i < p->count; i++)
        if (p->observed[i].kind == OBSERVE_INFLOW ||
            (p->observed[i].kind == OBSERVE_VALUE && looks_at_events(p->code, p->observed[i].a)))
            p->always[p->always_count++] = i;
    mem_free_all(flow_row, flow, event_row, event);
    return ok;
}

static bool plan_inflows(ObservePlan *p)
{
    const System *s = p->system;
    if (!mem_new_zeroed(p->marked, p->count) || !mem_new_zeroed(p->in, p->count))
        return false;
    for (int32_t i = 0; i < p->count; i++) {
        const Observed *o = &p->observed[i];
        if (o->kind != OBSERVE_INFLOW)
            continue;
        if (!mem_new(p->marked[i], s->slot_count) ||
            !mem_new_zeroed(p->in[i], p->place[s->slot_count]))
            return false;
        for (int32_t k = 0; k < s->slot_count; k++)
            p->marked[i][k] = -1;
        for (int32_t k = o->first; k < o->end; k++) {
            p->marked[i][p->code->place[k].slot] = p->place[p->code->place[k].slot];
            p->in[i][place_row(p, k)] = 1;
        }
    }
    return true;
}

static bool is_unrated(const ObservePlan *p, int32_t observed)
{
    const Model *m = p->system->model;
    bool unrated = p->observed[observed].kind == OBSERVE_INFLOW;
    for (int32_t k = p->flow_row[observed]; k < p->flow_row[observed + 1] && !unrated; k++) {
        const int32_t action = p->system->events[p->flow[k]].action;
        unrated = model_action_is_immediate(m, action) || model_action_has_duration(m, action);
    }
    return unrated;
}

static bool plan_unrated(ObservePlan *p)
{
    p->durations = p->system->model->durations;
    if (!p->durations && !p->system->preempts)
        return true;
    if (!mem_new_zeroed(p->unrated, p->count))
        return false;
    for (int32_t i = 0; i < p->count; i++) {
        p->unrated[i] = is_unrated(p, i);
        p->ahead = p->ahead || p->unrated[i];
    }
    return true;
}

PepaStatus observe_plan_new(ObservePlan **out, const System *system, const StateCode *code,
                            const Value *rate, const Observed *observed, int32_t count,
                            PepaError *err)
{
    ObservePlan *p = mem_calloc(1, sizeof *p);
    if (!p)
        return error_memory(err);
    p->system = system;
    p->code = code;
    p->rate = rate;
    p->count = count;
    const bool ok = mem_new(p->observed, count);
    for (int32_t i = 0; ok && i < count; i++)
        p->observed[i] = observed[i];
    if (ok && plan_locals(p) && plan_events(p) &&
        group(p, count, count, flow_of_product, &p->product_row, &p->product) && plan_inflows(p) &&
        plan_unrated(p)) {
        *out = p;
        return PEPA_OK;
    }
    observe_plan_free(p);
    return error_memory(err);
}

void observe_plan_free(ObservePlan *p)
{
    if (!p)
        return;
    for (int32_t i = 0; i < p->count; i++)
        mem_free_all(p->marked ? p->marked[i] : NULL, p->in ? p->in[i] : NULL);
    mem_free_all(p->observed, p->place, p->local_row, p->by_local, p->event_row, p->by_event,
                 p->flow_row, p->flow, p->always, p->product_row, p->product, p->marked, p->in,
                 p->unrated, p);
}
