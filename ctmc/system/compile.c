/* Compiles the cooperation tree of a model into slots, programs and events. */
#include <string.h>

#include "base/sorted.h"
#include "ctmc/system/system.h"

enum {
    MOST_SLOTS = 1 << 16,
    MOST_LOCALS = 1 << 28, /* of all slots together */
    MOST_DEPTH = 500       /* of programs: sums in synchronisations in sums ... */
};

/* What a subtree offers to its surroundings: a program for each action type it can do. */
typedef struct {
    int32_t *action, *prog; /* ascending actions; for each its program */
    int32_t count;
    size_t cap;
    int32_t node; /* first node of the subtree; then its first slot, cell and position */
    int32_t slot, cell, position;
} Offer;

typedef struct {
    System *system;
    const Model *model;
    RateTable *rates;
    int32_t *component_of;  /* by model local id; -1: not compiled yet */
    int32_t *index;         /* scratch for component_compile */
    int32_t position;       /* the next leaf's */
    int64_t copies, locals; /* over all slots: components, and local states */
    bool aggregate;
    Offer *stack; /* subtrees that wait for their parent */
    size_t stack_count, stack_cap;
    size_t component_cap, slot_cap, group_cap, prog_cap, event_cap;
    size_t position_cap;
    PepaError *err;
} Build;

/* The component of a local state, compiled if it is new; -1: memory is out. */
static int32_t component_for(Build *b, int32_t local)
{
    System *s = b->system;
    if (b->component_of[local] < 0) {
        if (!mem_grow(s->components, b->component_cap, s->component_count + 1) ||
            !component_compile(&s->components[s->component_count], &s->arena, b->model, b->rates,
                               local, b->index))
            return -1;
        b->component_of[local] = s->component_count++;
    }
    return b->component_of[local];
}

static int32_t new_prog(Build *b, Prog prog)
{
    System *s = b->system;
    if (!mem_grow(s->progs, b->prog_cap, s->prog_count + 1))
        return -1;
    s->progs[s->prog_count] = prog;
    return s->prog_count++;
}

/* Room for so many actions in all. */
static bool offer_reserve(Offer *offer, size_t actions)
{
    const MemColumn columns[] = {{&offer->action, sizeof *offer->action},
                                 {&offer->prog, sizeof *offer->prog}};
    return mem_reserve_columns(columns, 2, &offer->cap, actions);
}

static bool offer_add(Offer *offer, int32_t action, int32_t prog)
{
    if (prog < 0 || !offer_reserve(offer, (size_t)offer->count + 1))
        return false;
    offer->action[offer->count] = action;
    offer->prog[offer->count++] = prog;
    return true;
}

/* Append what another offer has from one place to another, for which there is room. */
static void offer_take(Offer *offer, const Offer *from, int32_t first, int32_t end)
{
    if (first == end)
        return;
    const size_t bytes = (size_t)(end - first) * sizeof *offer->action;
    memcpy(offer->action + offer->count, from->action + first, bytes);
    memcpy(offer->prog + offer->count, from->prog + first, bytes);
    offer->count += end - first;
}

static void offer_free(Offer *offer)
{
    mem_free_all(offer->action, offer->prog);
}

/* Make `right` an operand of `left`; or its operands, if it is of the same kind: then it is left
 * without any, and order_programs drops it. */
static void append(Prog *progs, int32_t left, int32_t right)
{
    bool same = progs[right].kind == progs[left].kind && progs[left].kind != PROG_COPIES;
    int32_t depth = progs[right].depth + !same;
    progs[progs[left].last].next = same ? progs[right].first : right;
    progs[left].last = same ? progs[right].last : right;
    progs[left].depth = depth > progs[left].depth ? depth : progs[left].depth;
    if (same)
        progs[right].first = -1;
}

/* Both operands under one node; sums of sums and synchronisations of synchronisations are one.
 *   group  the copies that are being added up, if they are: of these `right` is number `copy` */
static int32_t join(Build *b, ProgKind kind, int32_t left, int32_t right, const Group *group,
                    int32_t copy)
{
    const Prog *of_left = &b->system->progs[left];
    if (group && kind == PROG_SUM)
        kind = PROG_COPIES;
    if (of_left->kind != kind || (kind == PROG_COPIES && copy == 1)) {
        Prog parent = {.kind = kind,
                       .first = left,
                       .last = left,
                       .next = -1,
                       .depth = of_left->depth + 1};
        if (kind == PROG_COPIES) {
            parent.cell = group->cell;
            parent.width = group->width;
        }
        left = new_prog(b, parent);
        if (left < 0)
            return -1;
    }
    append(b->system->progs, left, right);
    return left;
}

static bool in_set(const Model *model, const Node *node, int32_t action)
{
    return sorted_find(model->sets + node->set_first, node->set_count, action) >= 0;
}

/* Append what one side alone does from one place to another; what is in the set waits for the other
 * side for ever. */
static void take_alone(const Build *b, const Node *node, Offer *both, const Offer *from,
                       int32_t first, int32_t end)
{
    const int32_t *set = b->model->sets + node->set_first;
    int32_t k = first < end ? sorted_from(set, 0, node->set_count, from->action[first]) : 0;
    for (; first < end && k < node->set_count; k++) {
        const int32_t at = sorted_from(from->action, first, end, set[k]);
        offer_take(both, from, first, at);
        first = at < end && from->action[at] == set[k] ? at + 1 : at;
    }
    offer_take(both, from, first, end);
}

/* left <set> right: `left` becomes the offer of the cooperation.  group, copy: as of join. */
static PepaStatus cooperate(Build *b, const Node *node, Offer *left, const Offer *right,
                            const Group *group, int32_t copy)
{
    Offer both = {.node = left->node,
                  .slot = left->slot,
                  .cell = left->cell,
                  .position = left->position};
    int32_t i = 0, k = 0;
    PepaStatus status = PEPA_OK;
    if (!offer_reserve(&both, (size_t)left->count + (size_t)right->count)) {
        offer_free(&both);
        return error_memory(b->err);
    }
    while (status == PEPA_OK && (i < left->count || k < right->count)) {
        const int32_t i_end = k < right->count
                                  ? sorted_from(left->action, i, left->count, right->action[k])
                                  : left->count;
        const int32_t k_end = i_end < left->count
                                  ? sorted_from(right->action, k, right->count, left->action[i_end])
                                  : right->count;
        take_alone(b, node, &both, left, i, i_end);
        take_alone(b, node, &both, right, k, k_end);
        i = i_end;
        k = k_end;
        if (i == left->count || k == right->count || left->action[i] != right->action[k])
            continue;
        const ProgKind kind = in_set(b->model, node, left->action[i]) ? PROG_SYNC : PROG_SUM;
        const int32_t prog = join(b, kind, left->prog[i], right->prog[k], group, copy);
        if (!offer_add(&both, left->action[i], prog))
            status = error_memory(b->err);
        else if (b->system->progs[prog].depth > MOST_DEPTH)
            status = error_set(b->err, PEPA_ELIMIT, "cooperation on `%s` is nested too deeply",
                               b->model->actions[left->action[i]]);
        i++;
        k++;
    }
    offer_free(left);
    *left = both;
    return status;
}

static PepaStatus add_event(Build *b, int32_t label, int32_t action, int32_t prog)
{
    System *s = b->system;
    if (!mem_grow(s->events, b->event_cap, s->event_count + 1))
        return error_memory(b->err);
    s->events[s->event_count++] = (Event){.label = label, .action = action, .prog = prog};
    return PEPA_OK;
}

/* Hidden actions leave the offer and become events of their own: tau never cooperates. */
static PepaStatus hide(Build *b, const Node *node, Offer *offer)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < offer->count; i++) {
        if (!in_set(b->model, node, offer->action[i])) {
            offer->action[kept] = offer->action[i];
            offer->prog[kept++] = offer->prog[i];
        } else {
            PepaStatus status = add_event(b, ACTION_TAU, offer->action[i], offer->prog[i]);
            if (status != PEPA_OK)
                return status;
        }
    }
    offer->count = kept;
    return PEPA_OK;
}

static PepaStatus take_position(Build *b, int32_t component, int32_t copies)
{
    System *s = b->system;
    if (b->position == s->position_count) {
        const MemColumn columns[] = {{&s->position_component, sizeof *s->position_component},
                                     {&s->position_copies, sizeof *s->position_copies}};
        if (!mem_reserve_columns(columns, 2, &b->position_cap, (size_t)b->position + 1))
            return error_memory(b->err);
        s->position_component[b->position] = component;
        s->position_copies[b->position] = 0;
        s->position_count++;
    }
    s->position_copies[b->position++] += copies;
    return PEPA_OK;
}

/* Refuse sums of local states over all slots that exceed 32 bits, and of copies that doubles do not
 * count.  Up to 32 bits cells, count vectors and functional rates, which are no larger, fit. */
static PepaStatus check_totals(Build *b, int64_t copies, int64_t locals)
{
    b->copies += copies;
    b->locals += locals;
    b->system->large = b->copies > INT32_MAX;
    if ((double)b->copies > MODEL_MOST_COPIES)
        return error_set(b->err, PEPA_ELIMIT, "more than 10^15 components in all");
    if (b->locals > MOST_LOCALS)
        return error_set(b->err, PEPA_ELIMIT,
                         "the components have more than %d local states together",
                         (int)MOST_LOCALS);
    return PEPA_OK;
}

static PepaStatus too_many_slots(const Build *b)
{
    return error_set(b->err, PEPA_ELIMIT, "more than %d components are too many to explore%s",
                     (int)MOST_SLOTS, b->aggregate ? "" : " one by one; try it aggregated");
}

static PepaStatus add_leaf(Build *b, const Node *leaf, Offer *out)
{
    System *s = b->system;
    int32_t component = component_for(b, leaf->local);
    if (component < 0)
        return error_memory(b->err);
    if (s->slot_count == MOST_SLOTS)
        return too_many_slots(b);
    if (!mem_grow(s->slots, b->slot_cap, s->slot_count + 1))
        return error_memory(b->err);
    const Component *c = &s->components[component];
    PepaStatus status = check_totals(b, 1, c->local_count);
    if (status == PEPA_OK)
        status = take_position(b, component, 1);
    if (status != PEPA_OK)
        return status;
    int32_t cell = c->local_count > 1 ? s->cell_count++ : CELL_LATER;
    s->slots[s->slot_count] = (Slot){component, b->position - 1, 0, cell};
    for (int32_t k = 0; k < c->action_count; k++) {
        Prog prog = {.kind = PROG_SLOT, .slot = s->slot_count, .action = k, .next = -1};
        if (!offer_add(out, c->action[k], new_prog(b, prog)))
            return error_memory(b->err);
    }
    s->slot_count++;
    return PEPA_OK;
}

/* Can counted copies move together: does each have few enough choices of moves? */
static bool few_choices(const System *s, const Prog *p)
{
    const Component *c = &s->components[s->slots[p->slot].component];
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        if (offer->end - offer->first > MOST_CHOICES)
            return false;
    }
    return true;
}

/* Can the copies be counted: of a single component? */
static bool countable(const Build *b, const Node *node, const Offer *child)
{
    const System *s = b->system;
    if (!b->aggregate || s->slot_count != child->slot + 1 || s->slots[child->slot].copies)
        return false;
    for (int32_t i = 0; i < child->count; i++)
        if (in_set(b->model, node, child->action[i]) && !few_choices(s, &s->progs[child->prog[i]]))
            return false;
    return true;
}

/* Count the copies of a single component. */
static PepaStatus count_copies(Build *b, const Node *node, const Offer *child)
{
    System *s = b->system;
    Slot *slot = &s->slots[child->slot];
    slot->copies = node->copies;
    s->cell_count += s->components[slot->component].local_count - 1;
    for (int32_t i = 0; i < child->count; i++)
        if (in_set(b->model, node, child->action[i]))
            s->progs[child->prog[i]].together = true;
    PepaStatus status = check_totals(b, node->copies - 1, 0);
    if (status == PEPA_OK)
        s->position_copies[slot->position] += node->copies - 1;
    return status;
}

static PepaStatus expand(Build *b, int32_t first, int32_t last);

/* Multiply the subtree on top of the stack, once compiled, by node->copies.  A single
 * component is counted; else every copy is written out, and canonical form sorts them. */
static PepaStatus multiply(Build *b, const Node *node)
{
    System *s = b->system;
    Offer *child = &b->stack[b->stack_count - 1];
    if (node->copies == 1)
        return PEPA_OK;
    if (countable(b, node, child))
        return count_copies(b, node, child);
    if (node->copies > MOST_SLOTS)
        return too_many_slots(b);
    Group group = {child->cell, s->cell_count - child->cell, (int32_t)node->copies};
    int32_t position = child->position, first = child->node;
    for (int32_t i = 1; i < node->copies; i++) {
        b->position = position;
        PepaStatus status = expand(b, first, node->left);
        if (status != PEPA_OK)
            return status;
        Offer copy = b->stack[--b->stack_count];
        status = cooperate(b, node, &b->stack[b->stack_count - 1], &copy,
                           b->aggregate ? &group : NULL, i);
        offer_free(&copy);
        if (status != PEPA_OK)
            return status;
    }
    if (!b->aggregate || group.width == 0)
        return PEPA_OK;
    if (!mem_grow(s->groups, b->group_cap, s->group_count + 1))
        return error_memory(b->err);
    s->groups[s->group_count++] = group;
    return PEPA_OK;
}

static PepaStatus expand_node(Build *b, int32_t id)
{
    const Node *node = &b->model->nodes[id];
    if (node->kind == NODE_LEAF) {
        if (!mem_grow(b->stack, b->stack_cap, b->stack_count + 1))
            return error_memory(b->err);
        b->stack[b->stack_count++] = (Offer){.node = id,
                                             .slot = b->system->slot_count,
                                             .cell = b->system->cell_count,
                                             .position = b->position};
        return add_leaf(b, node, &b->stack[b->stack_count - 1]);
    }
    if (node->kind == NODE_COPIES)
        return multiply(b, node);
    if (node->kind == NODE_HIDE)
        return hide(b, node, &b->stack[b->stack_count - 1]);
    Offer right = b->stack[--b->stack_count];
    PepaStatus status = cooperate(b, node, &b->stack[b->stack_count - 1], &right, NULL, 0);
    offer_free(&right);
    return status;
}

/* Compile the subtree of node `last`, whose first node is `first`, onto the stack. */
static PepaStatus expand(Build *b, int32_t first, int32_t last)
{
    PepaStatus status = PEPA_OK;
    for (int32_t id = first; id <= last && status == PEPA_OK; id++)
        status = expand_node(b, id);
    return status;
}

static PepaStatus compile(Build *b)
{
    PepaStatus status = expand(b, 0, b->model->node_count - 1);
    for (int32_t i = 0; status == PEPA_OK && i < b->stack[0].count; i++)
        status = add_event(b, b->stack[0].action[i], b->stack[0].action[i], b->stack[0].prog[i]);
    return status == PEPA_OK ? system_finish(b->system, b->rates, &b->event_cap, b->err) : status;
}

PepaStatus system_new(System **out, const Model *model, RateTable *rates, bool aggregate,
                      PepaError *err)
{
    Build b = {.model = model, .rates = rates, .aggregate = aggregate, .err = err};
    size_t bytes = (size_t)model->local_count * sizeof *b.index;
    PepaStatus status = PEPA_ENOMEM;
    if (mem_new_zeroed(b.system, 1) && mem_new(b.component_of, model->local_count) &&
        mem_new(b.index, model->local_count)) {
        memset(b.component_of, -1, bytes);
        memset(b.index, -1, bytes);
        b.system->model = model;
        b.system->aggregated = aggregate;
        b.system->functional = rates->counted_count > 0;
        for (int32_t i = 0; i < model->expr_count && !b.system->preempts; i++)
            b.system->preempts =
                model->exprs[i].op == EXPR_IMMEDIATE || model->exprs[i].op == EXPR_PRIORITY;
        status = compile(&b);
    } else {
        error_memory(err);
    }
    while (b.stack_count)
        offer_free(&b.stack[--b.stack_count]);
    mem_free_all(b.stack, b.component_of, b.index);
    if (status == PEPA_OK)
        *out = b.system;
    else
        system_free(b.system);
    return status;
}
