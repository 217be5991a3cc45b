/* Draws activities by the apparent rates that are kept, and flows that follow from them. */
#include "ctmc/semantics/choices_private.h"

static void add_change(Choices *c, int32_t slot, int32_t local, int64_t by)
{
    if (c->change_count == c->drawn_cap && !mem_grow(c->drawn, c->drawn_cap, c->change_count + 1))
        c->no_memory = true;
    else
        c->drawn[c->change_count++] = (ChoiceChange){slot, local, by};
}

static void move_one(Choices *c, int32_t slot, int32_t from, int32_t to)
{
    if (from == to)
        return;
    add_change(c, slot, from, -1);
    add_change(c, slot, to, 1);
}

/* One of the moves in the list, by their rates, whose sum is `total`. */
static size_t pick_listed(const Choices *c, Stream *stream, double total)
{
    double x = c->count > 1 ? total * stream_uniform(stream) : 0;
    size_t chosen = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!(c->rate[i].value > 0))
            continue;
        chosen = i;
        if (x < c->rate[i].value)
            break;
        x -= c->rate[i].value;
    }
    return chosen;
}

/* What others in the list preempt has no share. */
static void keep_first(Choices *c, Number most)
{
    for (size_t i = 0; i < c->count; i++)
        c->rate[i].value = comes_first(c->rate[i], most) ? c->rate[i].value : 0;
}

/* One of a local state's activities, by their shares. */
static void pick_activity(Choices *c, Stream *stream, const Prog *p, int32_t prog, int32_t local)
{
    const Component *component = &c->system->components[c->system->slots[p->slot].component];
    const LocalOffer *offer = component_offer(component, local, p->action);
    int32_t i = offer->first;
    if (offer->apparent == TERM_BY_STATE) {
        const Number total = choices_list(c, prog, local);
        if (preempts_itself(c, prog))
            keep_first(c, total);
        size_t k = pick_listed(c, stream, total.value);
        for (;; i++) { /* those that are off are not in the list */
            const int32_t term = component->moves[i].term;
            const bool off = term < 0 && rate_is_off(c, rate_functional(c, ~term));
            if (!off && k-- == 0)
                break;
        }
    } else if (offer->end - offer->first > 1) {
        double x = c->rates->value[offer->apparent] * stream_uniform(stream);
        while (i + 1 < offer->end && x >= c->rates->value[component->moves[i].term])
            x -= c->rates->value[component->moves[i++].term];
    }
    move_one(c, p->slot, local, component->moves[i].target);
}

/* A joint move of all copies: the difference is read out of the packed words of the slot. */
static void move_together(Choices *c, Stream *stream, int32_t prog)
{
    const Prog *p = &c->system->progs[prog];
    const Slot *slot = &c->system->slots[p->slot];
    const int32_t last = c->system->components[slot->component].local_count - 1;
    const int64_t *cell = c->cells + slot->cell;
    int64_t rest = 0;
    const Number total = choices_slot(c, prog);
    if (c->no_memory)
        return;
    const uint64_t *delta = c->delta + pick_listed(c, stream, total.value) * c->words;
    uint64_t packed[2]; /* of the word of a field, before and after */
    for (int32_t l = 0; l < last; l++) {
        const Field *f = &c->system->fields[slot->cell + l];
        packed[0] = 0;
        for (int32_t k = 0; k < last; k++)
            if (c->system->fields[slot->cell + k].word == f->word)
                packed[0] |= (uint64_t)cell[k] << c->system->fields[slot->cell + k].shift;
        packed[1] = packed[0] + delta[f->word];
        const int64_t by = (int64_t)(packed[1] >> f->shift & f->mask) - cell[l];
        rest -= by;
        if (by)
            add_change(c, p->slot, l, by);
    }
    if (rest)
        add_change(c, p->slot, last, rest);
}

static void draw_slot(Choices *c, Stream *stream, int32_t prog)
{
    const Prog *p = &c->system->progs[prog];
    const Slot *slot = &c->system->slots[p->slot];
    const int64_t *cell = c->cells + slot->cell;
    const ChoicePlan *plan = c->plan;
    if (!slot->copies) {
        pick_activity(c, stream, p, prog, (int32_t)*cell);
        return;
    }
    if (p->together) {
        move_together(c, stream, prog);
        return;
    }
    const int32_t end = plan->able_row[prog + 1];
    const bool preempts = preempts_itself(c, prog);
    int32_t chosen = -1;
    double x = end - plan->able_row[prog] > 1 ? c->value[prog].value * stream_uniform(stream) : 0;
    for (int32_t k = plan->able_row[prog]; k < end; k++) {
        const ChoiceAble *able = &plan->able[k];
        if (cell[able->local] == 0)
            continue;
        const Number one = able_value(c, prog, able);
        if (preempts && !comes_first(one, c->value[prog]))
            continue;
        const double rate = (double)cell[able->local] * one.value;
        if (rate > 0)
            chosen = able->local;
        if (x < rate)
            break;
        x -= rate;
    }
    pick_activity(c, stream, p, prog, chosen);
}

/* What the operands below a node of a program's tree of sums have a share of: nothing if they are
 * preempted. */
static double weight_of(const Choices *c, int32_t prog, const Number *tree, int32_t node)
{
    return preempts_itself(c, prog) && !comes_first(tree[node], tree[1]) ? 0 : tree[node].value;
}

static void draw(Choices *c, Stream *stream, int32_t prog)
{
    const int32_t width = c->plan->width[prog];
    const int32_t *operand = c->plan->operand + c->plan->first[prog];
    const Number *tree = tree_of(c, prog);
    switch (c->system->progs[prog].kind) {
    case PROG_SLOT:
        draw_slot(c, stream, prog);
        break;
    case PROG_SYNC:
        for (int32_t k = 0; k < width; k++)
            draw(c, stream, operand[k]);
        break;
    default: {
        int32_t node = 1;
        double x = tree[1].value * stream_uniform(stream);
        while (node < width) { /* never to where there is nothing, however x was rounded */
            const double left = weight_of(c, prog, tree, node *= 2);
            if (x >= left && weight_of(c, prog, tree, node + 1) > 0) {
                x -= left;
                node++;
            }
        }
        draw(c, stream, operand[node - width]);
    }
    }
}

/* One of the events, by their rates. */
static int32_t pick_event(const Choices *c, Stream *stream)
{
    const int32_t events = c->system->event_count;
    const double *sum = c->rate_sums;
    int32_t node = 1;
    double x = events > 1 ? sum[1] * stream_uniform(stream) : 0;
    while (node < events) {
        node *= 2;
        if (x >= sum[node] && sum[node + 1] > 0)
            x -= sum[node++];
    }
    return node;
}

/* The same among those with the largest precedence. */
static int32_t pick_first(const Choices *c, Stream *stream)
{
    const int32_t events = c->system->event_count, most = c->precedence[1];
    int32_t node = 1;
    double x = events > 1 ? c->rate_sums[1] * stream_uniform(stream) : 0;
    while (node < events) {
        node *= 2;
        const double left = c->precedence[node] == most ? c->rate_sums[node] : 0;
        if (x >= left && c->precedence[node + 1] == most) {
            x -= left;
            node++;
        }
    }
    return node;
}

void choices_take_event(Choices *c, Stream *stream, int32_t event)
{
    choices_forget(c);
    c->unrated = choices_is_vanishing(c);
    if (c->plan->fixed[event].always) {
        choices_move_fixed(c, event);
        return;
    }
    draw(c, stream, c->system->events[event].prog);
    choices_moved(c);
}

int32_t choices_take(Choices *c, Stream *stream)
{
    const int32_t node = c->precedence ? pick_first(c, stream) : pick_event(c, stream);
    const int32_t event = node - c->system->event_count;
    choices_take_event(c, stream, event);
    return event;
}

int32_t choices_complete(Choices *c, Stream *stream, int32_t prog, int32_t from, int32_t to)
{
    const ChoicePlan *plan = c->plan;
    int32_t root = prog;
    choices_forget(c);
    c->unrated = true;
    move_one(c, c->system->progs[prog].slot, from, to);
    for (int32_t up; (up = plan->parent[root]) >= 0; root = up)
        for (int32_t k = 0; c->system->progs[up].kind == PROG_SYNC && k < plan->width[up]; k++)
            if (plan->operand[plan->first[up] + k] != root)
                draw(c, stream, plan->operand[plan->first[up] + k]);
    choices_moved(c);
    return plan->event[root];
}

/* ---- flows ------------------------------------------------------------------------------------ */

/* Which part of what a component does for the action in a local state leads to a marked one. */
static double share_inwards(Choices *c, const Prog *p, int32_t local, const uint8_t *in)
{
    const Component *component = &c->system->components[c->system->slots[p->slot].component];
    const LocalOffer *offer = component_offer(component, local, p->action);
    double all = 0, inwards = 0;
    if (in[local] || !offer)
        return 0;
    for (int32_t i = offer->first; i < offer->end; i++) {
        const int32_t term = component->moves[i].term;
        const double rate =
            term < 0 ? rate_functional(c, ~term).value : rate_of_term(c, term).value;
        all += rate;
        inwards += in[component->moves[i].target] ? rate : 0;
    }
    return all > 0 ? inwards / all : 0;
}

/* The inflow through a slot that moves `flow` times per unit of time. */
static double slot_inflow(Choices *c, int32_t prog, double flow, const uint8_t *in)
{
    const Prog *p = &c->system->progs[prog];
    const Slot *slot = &c->system->slots[p->slot];
    const Component *component = &c->system->components[slot->component];
    const int64_t *cell = c->cells + slot->cell;
    double sum = 0;
    if (!slot->copies)
        return flow * share_inwards(c, p, (int32_t)*cell, in);
    for (int32_t l = 0; l < component->local_count && p->together; l++)
        sum += cell[l] ? (double)cell[l] * share_inwards(c, p, l, in) : 0;
    for (int32_t k = c->plan->able_row[prog]; k < c->plan->able_row[prog + 1]; k++) {
        const ChoiceAble *able = &c->plan->able[k];
        if (cell[able->local] == 0)
            continue;
        sum += (double)cell[able->local] * able_value(c, prog, able).value / c->value[prog].value *
               share_inwards(c, p, able->local, in);
    }
    return flow * sum;
}

static double inflow(Choices *c, int32_t prog, double flow, const int32_t *marked,
                     const uint8_t *in)
{
    const Prog *p = &c->system->progs[prog];
    double sum = 0;
    if (p->kind == PROG_SLOT)
        return marked[p->slot] < 0 ? 0 : slot_inflow(c, prog, flow, in + marked[p->slot]);
    for (int32_t child = p->first; child >= 0; child = c->system->progs[child].next) {
        const double here = c->value[child].value;
        if (here > 0)
            sum +=
                inflow(c, child, p->kind == PROG_SYNC ? flow : flow * here / c->value[prog].value,
                       marked, in);
    }
    return sum;
}

double choices_inflow(Choices *c, int32_t event, const int32_t *marked, const uint8_t *in)
{
    const double rate = choices_rate(c, event);
    return rate > 0 ? inflow(c, c->system->events[event].prog, rate, marked, in) : 0;
}
