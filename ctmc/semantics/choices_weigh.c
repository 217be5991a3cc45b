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

Number choices_list(Choices *c, const Prog *p, int32_t local)
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
    return offer->apparent == TERM_BY_STATE ? choices_list(c, p, local)
                                            : rate_of_term(c, offer->apparent);
}

Number choices_slot(Choices *c, int32_t prog)
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
        c->value[prog] = choices_slot(c, prog);
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
            set_value(c, plan->leaf[k], choices_slot(c, plan->leaf[k]));
    }
}

void choices_moved(Choices *c)
{
    const System *s = c->system;
    bool counted = false;
    apply(c);
    for (size_t i = 0; i < c->change_count; i++) {
        const ChoiceChange *change = &c->changes[i];
        const Component *component = &s->components[s->slots[change->slot].component];
        counted = counted || c->plan->is_counted[component->local[change->local]];
        touch(c, change);
    }
    for (int32_t i = 0; counted && i < c->plan->by_state_count; i++)
        set_value(c, c->plan->by_state[i], choices_slot(c, c->plan->by_state[i]));
}
