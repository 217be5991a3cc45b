/* Keeps apparent rates as components move, and draws activities by them. */
#include "ctmc/semantics/choices.h"

#include <math.h>

typedef int64_t Count;
typedef Choices MoveList;
typedef Choices Traversal;

#include "ctmc/semantics/numbers.h"
#include "ctmc/semantics/traverse.h"

/* ---- hooks of the traversal: nothing is known before ------------------------------------------ */

static inline MoveList *list_of(Traversal *c)
{
    return c;
}
static inline bool known(Traversal *c, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)c, (void)prog, (void)able, (void)wanted, (void)found;
    return false;
}
static inline bool known_ready(Traversal *c, int32_t prog, bool *is_ready)
{
    (void)c, (void)prog, (void)is_ready;
    return false;
}
static inline void kept_moves(const Traversal *c, const RateValue **rate, const uint64_t **delta)
{
    (void)c;
    *rate = NULL;
    *delta = NULL;
}

/* ---- apparent rates --------------------------------------------------------------------------- */

/* What one component of the slot does in a local state: the list has its moves. */
static Number list_local(Choices *c, const Prog *p, int32_t local)
{
    Found found;
    c->count = 0;
    run_local(c, &c->system->slots[p->slot], p->action, local, 1, true, &found);
    for (size_t i = 0; i < c->count; i++)
        c->bad_rate = c->bad_rate || !(isfinite(c->rate[i].value) && c->rate[i].value > 0);
    return found.apparent;
}

static Number single_value(Choices *c, const Prog *p)
{
    const Slot *slot = &c->system->slots[p->slot];
    const int32_t local = (int32_t)c->cells[slot->cell];
    const LocalOffer *offer =
        component_offer(&c->system->components[slot->component], local, p->action);
    if (!offer)
        return rate_none();
    if (offer->apparent == TERM_MIXED)
        return rate_mixed();
    return offer->apparent == TERM_BY_STATE ? list_local(c, p, local)
                                            : rate_of_term(c, offer->apparent);
}

/* What one of the copies in a local state does. */
static inline Number able_value(Choices *c, const Prog *p, const ChoiceAble *able)
{
    return able->apparent.kind == NUMBER_NONE ? list_local(c, p, able->local) : able->apparent;
}

static Number slot_value(Choices *c, int32_t prog)
{
    const Prog *p = &c->system->progs[prog];
    const Slot *slot = &c->system->slots[p->slot];
    const ChoicePlan *plan = c->plan;
    if (!slot->copies)
        return single_value(c, p);
    if (p->together) {
        Found found;
        c->count = 0;
        run(c, prog, true, &found);
        return found.apparent;
    }
    Number sum = rate_none();
    for (int32_t k = plan->able_row[prog]; k < plan->able_row[prog + 1]; k++) {
        const ChoiceAble *able = &plan->able[k];
        const int64_t copies = c->cells[slot->cell + able->local];
        if (copies == 0)
            continue;
        const Number one = able_value(c, p, able);
        sum = apparent_sum(c, sum, rate_exists(one) ? rate_scale(c, one, copies) : one, true);
    }
    return sum;
}

/* All operands have to be able to move. */
static Number sync_value(Choices *c, int32_t prog)
{
    const int32_t *operand = c->plan->operand + c->plan->first[prog];
    Number least = c->value[operand[0]];
    for (int32_t k = 1; k < c->plan->width[prog] && least.kind != NUMBER_NONE; k++) {
        const Number other = c->value[operand[k]];
        if (!rate_exists(other))
            least = rate_is_mixed(least) && rate_is_mixed(other) ? least : other;
        else if (rate_exists(least))
            least = apparent_least(c, least, other);
    }
    return least;
}

/* The partial sums of a program: node 1 is the whole, node width + k operand k. */
static inline Number *tree_of(const Choices *c, int32_t prog)
{
    return c->sums + 2 * (ptrdiff_t)c->plan->first[prog];
}

static inline void add_nodes(Choices *c, Number *tree, int32_t node)
{
    tree[node] = apparent_sum(c, tree[2 * node], tree[2 * node + 1], true);
}

static Number sum_value(Choices *c, int32_t prog, int32_t place, Number operand)
{
    Number *tree = tree_of(c, prog);
    int32_t node = c->plan->width[prog] + place;
    tree[node] = operand;
    while (node > 1)
        add_nodes(c, tree, node /= 2);
    return tree[1];
}

static void mark_fault(Choices *c, int32_t event, bool fault)
{
    c->faults += (int32_t)fault - (int32_t)c->faulty[event];
    c->faulty[event] = fault;
}

static void set_event(Choices *c, int32_t event, Number value)
{
    int32_t node = c->system->event_count + event;
    mark_fault(c, event, value.kind == NUMBER_PASSIVE || value.kind == NUMBER_MIXED);
    c->rate_sums[node] = value.kind == NUMBER_ACTIVE ? value.value : 0;
    for (node /= 2; node > 0; node /= 2)
        c->rate_sums[node] = c->rate_sums[2 * node] + c->rate_sums[2 * node + 1];
    if (c->is_changed[event])
        return;
    c->is_changed[event] = 1;
    c->changed[c->changed_count++] = event;
}

/* A program has another apparent rate, and so may those that it is an operand of. */
static void set_value(Choices *c, int32_t prog, Number value)
{
    const ChoicePlan *plan = c->plan;
    while (value.kind != c->value[prog].kind || value.value != c->value[prog].value) {
        const int32_t parent = plan->parent[prog];
        c->value[prog] = value;
        if (plan->suspect[prog] >= 0)
            mark_fault(c, plan->suspect[prog], value.kind == NUMBER_MIXED);
        if (plan->event[prog] >= 0)
            set_event(c, plan->event[prog], value);
        if (parent < 0)
            return;
        value = c->system->progs[parent].kind == PROG_SYNC
                    ? sync_value(c, parent)
                    : sum_value(c, parent, plan->place[prog], value);
        prog = parent;
    }
}

/* ---- states ----------------------------------------------------------------------------------- */

static void evaluate(Choices *c, int32_t prog)
{
    const ChoicePlan *plan = c->plan;
    const int32_t width = plan->width[prog];
    Number *tree = tree_of(c, prog);
    switch (c->system->progs[prog].kind) {
    case PROG_SLOT:
        c->value[prog] = slot_value(c, prog);
        break;
    case PROG_SYNC:
        c->value[prog] = sync_value(c, prog);
        break;
    default:
        for (int32_t k = 0; k < width; k++)
            tree[width + k] = c->value[plan->operand[plan->first[prog] + k]];
        for (int32_t node = width - 1; node > 0; node--)
            add_nodes(c, tree, node);
        c->value[prog] = tree[1];
    }
    if (plan->suspect[prog] >= 0)
        mark_fault(c, plan->suspect[prog], c->value[prog].kind == NUMBER_MIXED);
    if (plan->event[prog] >= 0)
        set_event(c, plan->event[prog], c->value[prog]);
}

static void count_locals(Choices *c)
{
    const System *s = c->system;
    memset(c->counts, 0, (size_t)s->model->local_count * sizeof *c->counts);
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const Component *component = &s->components[slot->component];
        const int64_t *cell = c->cells + slot->cell;
        if (!slot->copies)
            c->counts[component->local[*cell]]++;
        for (int32_t l = 0; l < component->local_count && slot->copies; l++)
            c->counts[component->local[l]] += (int32_t)cell[l];
    }
}

static void forget_changes(Choices *c)
{
    for (size_t i = 0; i < c->changed_count; i++)
        c->is_changed[c->changed[i]] = 0;
    c->changed_count = c->change_count = 0;
}

static void start(Choices *c)
{
    c->faults = 0;
    c->bad_rate = false;
    memset(c->faulty, 0, (size_t)c->system->event_count);
    if (c->system->functional)
        count_locals(c);
    for (int32_t i = c->system->prog_count; i-- > 0;)
        evaluate(c, i);
    forget_changes(c);
}

void choices_reset(Choices *c)
{
    const System *s = c->system;
    memset(c->cells, 0, (size_t)s->cell_count * sizeof *c->cells);
    for (int32_t i = 0; i < s->slot_count; i++)
        c->cells[s->slots[i].cell] = s->slots[i].copies;
    start(c);
}

void choices_go(Choices *c, const int64_t *cells)
{
    memcpy(c->cells, cells, (size_t)c->system->cell_count * sizeof *cells);
    start(c);
}

PepaStatus choices_new(Choices *out, const ChoicePlan *plan, PepaError *err)
{
    const System *s = plan->system;
    *out = (Choices){.plan = plan, .system = s, .rates = plan->rates, .words = s->words};
    if (!mem_new(out->cells, s->cell_count) || !mem_new(out->counts, s->model->local_count) ||
        !mem_new(out->value, s->prog_count) ||
        !mem_new_zeroed(out->sums, 2 * (size_t)plan->first[s->prog_count]) ||
        !mem_new_zeroed(out->rate_sums, 2 * (size_t)s->event_count + 2) ||
        !mem_new(out->faulty, s->event_count) || !mem_new(out->changed, s->event_count) ||
        !mem_new_zeroed(out->is_changed, s->event_count)) {
        choices_free(out);
        return error_memory(err);
    }
    choices_reset(out);
    return PEPA_OK;
}

void choices_free(Choices *c)
{
    mem_free_all(c->cells, c->counts, c->value, c->sums, c->rate_sums, c->faulty, c->changes,
                 c->changed, c->is_changed, c->rate, c->delta);
    *c = (Choices){0};
}

bool choices_pack(const Choices *c, uint64_t *packed)
{
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    if (!cells)
        return false;
    for (int32_t i = 0; i < c->system->cell_count; i++)
        cells[i] = (int32_t)c->cells[i];
    system_canonical(c->system, cells);
    system_pack(c->system, cells, packed);
    mem_free(cells);
    return true;
}

/* ---- draws ------------------------------------------------------------------------------------ */

static void add_change(Choices *c, int32_t slot, int32_t local, int64_t by)
{
    if (!mem_grow(c->changes, c->change_cap, c->change_count + 1))
        c->no_memory = true;
    else
        c->changes[c->change_count++] = (ChoiceChange){slot, local, by};
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
    size_t i = 0;
    while (i + 1 < c->count && x >= c->rate[i].value)
        x -= c->rate[i++].value;
    return i;
}

/* One of a local state's activities, by their shares. */
static void pick_activity(Choices *c, Stream *stream, const Prog *p, int32_t local)
{
    const Component *component = &c->system->components[c->system->slots[p->slot].component];
    const LocalOffer *offer = component_offer(component, local, p->action);
    int32_t i = offer->first;
    if (offer->apparent == TERM_BY_STATE) {
        const Number total = list_local(c, p, local);
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
    const Number total = slot_value(c, prog);
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
        pick_activity(c, stream, p, (int32_t)*cell);
        return;
    }
    if (p->together) {
        move_together(c, stream, prog);
        return;
    }
    const int32_t end = plan->able_row[prog + 1];
    int32_t chosen = -1;
    double x = end - plan->able_row[prog] > 1 ? c->value[prog].value * stream_uniform(stream) : 0;
    for (int32_t k = plan->able_row[prog]; k < end; k++) {
        const ChoiceAble *able = &plan->able[k];
        if (cell[able->local] == 0)
            continue;
        const double rate = (double)cell[able->local] * able_value(c, p, able).value;
        if (rate > 0)
            chosen = able->local;
        if (x < rate)
            break;
        x -= rate;
    }
    pick_activity(c, stream, p, chosen);
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
            node *= 2;
            if (x >= tree[node].value && tree[node + 1].value > 0)
                x -= tree[node++].value;
        }
        draw(c, stream, operand[node - width]);
    }
    }
}

static void apply(Choices *c)
{
    const System *s = c->system;
    for (size_t i = 0; i < c->change_count; i++) {
        const ChoiceChange *change = &c->changes[i];
        const Slot *slot = &s->slots[change->slot];
        if (slot->copies)
            c->cells[slot->cell + change->local] += change->by;
        else if (change->by > 0)
            c->cells[slot->cell] = change->local;
        if (s->functional)
            c->counts[s->components[slot->component].local[change->local]] += (int32_t)change->by;
    }
}

static void touch(Choices *c, const ChoiceChange *change)
{
    const ChoicePlan *plan = c->plan;
    const Component *component = &c->system->components[c->system->slots[change->slot].component];
    const int32_t *row = plan->leaf_row + plan->slot_action[change->slot];
    for (int32_t o = component->row[change->local]; o < component->row[change->local + 1]; o++) {
        const int32_t action = component->offers[o].action;
        for (int32_t k = row[action]; k < row[action + 1]; k++)
            set_value(c, plan->leaf[k], slot_value(c, plan->leaf[k]));
    }
}

int32_t choices_take(Choices *c, Stream *stream)
{
    const System *s = c->system;
    const double *sum = c->rate_sums;
    int32_t node = 1;
    bool counted = false;
    forget_changes(c);
    double x = s->event_count > 1 ? sum[1] * stream_uniform(stream) : 0;
    while (node < s->event_count) {
        node *= 2;
        if (x >= sum[node] && sum[node + 1] > 0)
            x -= sum[node++];
    }
    const int32_t event = node - s->event_count;
    draw(c, stream, s->events[event].prog);
    apply(c);
    for (size_t i = 0; i < c->change_count; i++) {
        const ChoiceChange *change = &c->changes[i];
        const Component *component = &s->components[s->slots[change->slot].component];
        counted = counted || c->plan->is_counted[component->local[change->local]];
        touch(c, change);
    }
    for (int32_t i = 0; counted && i < c->plan->by_state_count; i++)
        set_value(c, c->plan->by_state[i], slot_value(c, c->plan->by_state[i]));
    return event;
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
        sum += (double)cell[able->local] * able_value(c, p, able).value / c->value[prog].value *
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
