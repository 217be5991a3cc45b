/* Keeps apparent rates as components move. */
#include "ctmc/semantics/choices_private.h"

#include <math.h>

typedef Choices Traversal;

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

/* The rate of either of two of tau.  As tau never cooperates, what is preempted within it cannot happen
 * at all, and need not add up with the rest; a passive tau is a fault. */
static Number first_of(Choices *c, Number a, Number b)
{
    if (!rate_exists(a) || !rate_exists(b))
        return apparent_sum(c, a, b, true);
    if (number_kind(a) == NUMBER_PASSIVE || number_kind(b) == NUMBER_PASSIVE)
        return rate_mixed();
    const int32_t first = precedence_of_number(a), second = precedence_of_number(b);
    return first == second ? rate_sum(c, a, b) : first > second ? a : b;
}

static inline Number either(Choices *c, int32_t prog, Number a, Number b)
{
    return preempts_itself(c, prog) ? first_of(c, a, b) : apparent_sum(c, a, b, true);
}

Number choices_list(Choices *c, int32_t prog, int32_t local)
{
    const Prog *p = &c->system->progs[prog];
    Found found;
    c->count = 0;
    run_local(c, &c->system->slots[p->slot], p->action, local, 1, true, &found);
    for (size_t i = 0; i < c->count; i++)
        c->bad_rate = c->bad_rate || !(isfinite(c->rate[i].value) && c->rate[i].value > 0);
    if (preempts_itself(c, prog))
        found.apparent = rate_none();
    for (size_t i = 0; i < c->count && preempts_itself(c, prog); i++)
        found.apparent = first_of(c, found.apparent, c->rate[i]);
    return found.apparent;
}

static inline Number single_value(Choices *c, int32_t prog)
{
    const ChoiceSingle at = c->plan->at[prog];
    const int32_t local = (int32_t)c->cells[at.cell];
    const Number one = at.row < 0 ? choice_plan_single(c->plan, prog, local)
                                  : c->plan->single[at.row + local];
    return one.sort == NUMBER_BY_STATE ? choices_list(c, prog, local) : one;
}

/* The sum over copies whose rates do not depend on the state and add up. */
static inline Number alike_value(const Choices *c, int32_t prog)
{
    const ChoiceAble *able = c->plan->able + c->plan->able_row[prog];
    const ChoiceAble *end = c->plan->able + c->plan->able_row[prog + 1];
    Number sum = able->apparent;
    int64_t any = 0;
    sum.value = 0;
    for (; able < end; able++) {
        any |= c->cells[able->cell];
        sum.value += (double)c->cells[able->cell] * able->apparent.value;
    }
    return any ? sum : rate_none();
}

static Number any_value(Choices *c, int32_t prog)
{
    const Prog *p = &c->system->progs[prog];
    const Slot *slot = &c->system->slots[p->slot];
    const ChoicePlan *plan = c->plan;
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
        const Number one = able_value(c, prog, able);
        sum = either(c, prog, sum, rate_exists(one) ? rate_scale(c, one, copies) : one);
    }
    return sum;
}

static inline Number slot_value(Choices *c, int32_t prog)
{
    const uint8_t shape = c->plan->shape[prog];
    return shape == SHAPE_SINGLE  ? single_value(c, prog)
           : shape == SHAPE_ALIKE ? alike_value(c, prog)
                                  : any_value(c, prog);
}

Number choices_slot(Choices *c, int32_t prog)
{
    return slot_value(c, prog);
}

/* All operands have to be able to move. */
static Number sync_value(Choices *c, int32_t prog)
{
    const int32_t *operand = c->plan->operand + c->plan->first[prog];
    Number least = c->value[operand[0]];
    for (int32_t k = 1; k < c->plan->width[prog] && number_kind(least) != NUMBER_NONE; k++) {
        const Number other = c->value[operand[k]];
        if (!rate_exists(other))
            least = rate_is_mixed(least) && rate_is_mixed(other) ? least : other;
        else if (rate_exists(least))
            least = apparent_least(c, least, other);
    }
    return least;
}

static inline void add_nodes(Choices *c, int32_t prog, Number *tree, int32_t node)
{
    tree[node] = either(c, prog, tree[2 * node], tree[2 * node + 1]);
}

static Number sum_value(Choices *c, int32_t prog, int32_t place, Number operand)
{
    Number *tree = tree_of(c, prog);
    int32_t node = c->plan->width[prog] + place;
    tree[node] = operand;
    while (node > 1)
        add_nodes(c, prog, tree, node /= 2);
    return tree[1];
}

static void mark_fault(Choices *c, int32_t event, bool fault)
{
    c->faults += (int32_t)fault - (int32_t)c->faulty[event];
    c->faulty[event] = fault;
}

/* The sum over what has the largest precedence only. */
static void add_first(Choices *c, int32_t node)
{
    const int32_t left = 2 * node, right = left + 1;
    const int32_t a = c->precedence[left], b = c->precedence[right];
    c->precedence[node] = a > b ? a : b;
    c->rate_sums[node] = (a < b ? 0 : c->rate_sums[left]) + (b < a ? 0 : c->rate_sums[right]);
}

static void set_event(Choices *c, int32_t event, Number value)
{
    const NumberKind kind = number_kind(value);
    const bool can = kind == NUMBER_ACTIVE || kind == NUMBER_IMMEDIATE;
    int32_t node = c->system->event_count + event;
    mark_fault(c, event, kind >= NUMBER_PASSIVE);
    c->rate_sums[node] = can ? value.value : 0;
    if (c->precedence) {
        c->precedence[node] = can ? precedence_of_number(value) : 0;
        for (node /= 2; node > 0; node /= 2)
            add_first(c, node);
    } else {
        for (node /= 2; node > 0; node /= 2)
            c->rate_sums[node] = c->rate_sums[2 * node] + c->rate_sums[2 * node + 1];
    }
    if (c->is_changed[event])
        return;
    c->is_changed[event] = 1;
    c->changed[c->changed_count++] = event;
}

/* A program that somebody wants to know of has another apparent rate. */
static void note(Choices *c, int32_t prog, Number value)
{
    if (c->plan->noted[prog] & NOTED_SUSPECT)
        mark_fault(c, c->plan->suspect[prog], number_kind(value) == NUMBER_MIXED);
    if (!(c->plan->noted[prog] & NOTED_WATCHED) ||
        rate_exists(value) == rate_exists(c->value[prog]))
        return;
    if (mem_grow(c->turned, c->turned_cap, c->turned_count + 1))
        c->turned[c->turned_count++] = prog;
    else
        c->no_memory = true;
}

/* A program has another apparent rate, and so may those that it is an operand of. */
static void set_value(Choices *c, int32_t prog, Number value)
{
    const ChoicePlan *plan = c->plan;
    while (value.sort != c->value[prog].sort || value.value != c->value[prog].value) {
        const int32_t parent = plan->parent[prog];
        if (plan->noted[prog])
            note(c, prog, value);
        c->value[prog] = value;
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
        c->value[prog] = choices_slot(c, prog);
        break;
    case PROG_SYNC:
        c->value[prog] = sync_value(c, prog);
        break;
    default:
        for (int32_t k = 0; k < width; k++)
            tree[width + k] = c->value[plan->operand[plan->first[prog] + k]];
        for (int32_t node = width - 1; node > 0; node--)
            add_nodes(c, prog, tree, node);
        c->value[prog] = tree[1];
    }
    if (plan->suspect[prog] >= 0)
        mark_fault(c, plan->suspect[prog], number_kind(c->value[prog]) == NUMBER_MIXED);
    if (plan->event[prog] >= 0)
        set_event(c, plan->event[prog], c->value[prog]);
}

/* Where components of a local state are counted: phases with the state of which they are. */
static int64_t *counted_at(Choices *c, const Component *component, int64_t local)
{
    return &c->counts[c->system->model->locals[component->local[local]].whole];
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
            ++*counted_at(c, component, *cell);
        for (int32_t l = 0; l < component->local_count && slot->copies; l++)
            *counted_at(c, component, l) += cell[l];
    }
}

void choices_forget(Choices *c)
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
    choices_forget(c);
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
        (s->preempts && !mem_new_zeroed(out->precedence, 2 * (size_t)s->event_count + 2)) ||
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
    mem_free_all(c->cells, c->counts, c->value, c->sums, c->rate_sums, c->precedence, c->faulty,
                 c->drawn, c->changed, c->turned, c->under_way, c->is_changed, c->rate, c->delta);
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

/* ---- changes ----------------------------------------------------------------------------------- */

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
            *counted_at(c, &s->components[slot->component], change->local) += change->by;
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

/* Do functional rates look at a local state that the change is of? */
static bool is_counted(const Choices *c, const ChoiceChange *change)
{
    const Slot *slot = &c->system->slots[change->slot];
    return c->plan->is_counted[c->system->components[slot->component].local[change->local]];
}

void choices_move_fixed(Choices *c, int32_t event)
{
    const ChoiceFixed *fixed = &c->plan->fixed[event];
    c->changes = c->plan->fixed_change + fixed->change;
    c->change_count = (size_t)(fixed->change_end - fixed->change);
    apply(c);
    for (int32_t i = fixed->leaf; i < fixed->leaf_end; i++)
        set_value(c, c->plan->fixed_leaf[i], slot_value(c, c->plan->fixed_leaf[i]));
}

void choices_moved(Choices *c)
{
    bool counted = false;
    c->changes = c->drawn;
    apply(c);
    for (size_t i = 0; i < c->change_count; i++) {
        counted = counted || (c->plan->by_state_count > 0 && is_counted(c, &c->changes[i]));
        touch(c, &c->changes[i]);
    }
    for (int32_t i = 0; counted && i < c->plan->by_state_count; i++)
        set_value(c, c->plan->by_state[i], choices_slot(c, c->plan->by_state[i]));
}
