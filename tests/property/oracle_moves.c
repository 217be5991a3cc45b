#include "property/oracle_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- unfolding the system equation ---- */

static OracleNode *new_node(OracleSystem *system, RefStaticKind kind)
{
    OracleNode *node = arena_alloc(&system->arena, sizeof *node);
    if (!node)
        abort();
    node->kind = kind;
    node->first = (int)system->leaf_count;
    return node;
}

static const OracleNode *unfold_leaf(OracleSystem *system, const RefTerm *term, int *position)
{
    OracleNode *node = new_node(system, REF_LEAF);
    node->leaf = node->first;
    node->end = node->first + 1;
    size_t need = (size_t)node->end;
    if (!mem_reserve(&system->initial, &system->leaf_cap, need, sizeof *system->initial) ||
        !mem_reserve(&system->position, &system->position_cap, need, sizeof *system->position))
        abort();
    system->initial[node->leaf] = term;
    system->position[node->leaf] = (*position)++;
    system->leaf_count++;
    return node;
}

static const OracleNode *unfold(OracleSystem *system, const RefStatic *part, int *position);

static const OracleNode *unfold_copies(OracleSystem *system, const RefStatic *part, int *position)
{
    int copies = ref_copy_count(system->model, part), after = *position;
    const OracleNode *all = NULL;
    OracleGroup group = {.first = (int)system->leaf_count, .copies = copies};
    for (int i = 0; i < copies; i++) {
        after = *position;
        const OracleNode *copy = unfold(system, part->left, &after);
        group.width = copy->end - copy->first;
        if (!all) {
            all = copy;
            continue;
        }
        OracleNode *both = new_node(system, REF_COOP);
        both->first = all->first;
        both->end = copy->end;
        both->set = part->set;
        both->left = all;
        both->right = copy;
        all = both;
    }
    *position = after;
    size_t need = system->group_count + 1;
    if (!mem_reserve(&system->group, &system->group_cap, need, sizeof *system->group))
        abort();
    system->group[system->group_count++] = group;
    return all;
}

static const OracleNode *unfold(OracleSystem *system, const RefStatic *part, int *position)
{
    const RefModel *model = system->model;
    if (part->kind == REF_LEAF)
        return unfold_leaf(system, part->leaf, position);
    if (part->kind == REF_NAMED)
        return unfold(system, model->process[part->process].system, position);
    if (part->kind == REF_COPIES)
        return unfold_copies(system, part, position);
    OracleNode *node = new_node(system, part->kind);
    node->left = unfold(system, part->left, position);
    if (part->kind == REF_COOP)
        node->right = unfold(system, part->right, position);
    node->end = (int)system->leaf_count;
    node->set = part->set;
    if (part->star)
        node->set = ref_alphabet(model, part->left) & ref_alphabet(model, part->right);
    return node;
}

OracleSystem oracle_system(const RefModel *model)
{
    OracleSystem system = {.model = model};
    system.root = unfold(&system, model->system, &system.position_count);
    return system;
}

void oracle_system_free(OracleSystem *system)
{
    mem_free(system->initial);
    mem_free(system->position);
    mem_free(system->group);
    arena_free(&system->arena);
    *system = (OracleSystem){0};
}

/* ---- the rules ---- */

typedef struct {
    const OracleSystem *system;
    const RefTerm **state;
    int count[REF_MAX_PROCESSES]; /* components now in each named local state */
    Arena *arena;
    OracleStatus status;
} Context;

static bool in_set(uint32_t set, int action)
{
    return action != REF_TAU && (set >> action & 1);
}

static void fail(Context *c, OracleStatus status)
{
    if (c->status == ORACLE_OK)
        c->status = status;
}

/* The rate or weight of a prefix now; 0: the activity is not there (functional rates only). */
static long double rate_now(Context *c, const RefTerm *prefix)
{
    if (!prefix->rate)
        return 1;
    double rate = ref_rate_value(c->system->model, prefix->rate, c->count);
    bool positive = isfinite(rate) && rate > 0;
    bool off = !(rate < 0) && !(rate > 0) && !isnan(rate) &&
               ref_rate_functional(c->system->model, prefix->rate);
    if (!positive && !off)
        fail(c, ORACLE_BAD_RATE);
    return positive ? rate : 0;
}

/* Apparent rate of an action type (Definition 3.3.1): of timed, immediate and passive activities. */
typedef struct {
    long double active, immediate, passive;
} Apparent;

static Apparent apparent_in_term(Context *c, const RefTerm *term, int action)
{
    Apparent sum = {0, 0, 0};
    if (term->kind == REF_CONSTANT)
        return apparent_in_term(c, c->system->model->process[term->process].body, action);
    if (term->kind == REF_PREFIX && term->action == action)
        *(term->passive     ? &sum.passive
          : term->immediate ? &sum.immediate
                            : &sum.active) = rate_now(c, term);
    for (int i = 0; i < term->parts; i++) {
        Apparent part = apparent_in_term(c, term->part[i], action);
        sum.active += part.active;
        sum.immediate += part.immediate;
        sum.passive += part.passive;
    }
    return sum;
}

static bool is_nothing(Apparent a)
{
    return !(a.active > 0) && !(a.immediate > 0) && !(a.passive > 0);
}

/* min(): every timed rate is below every immediate one, and this below every passive one; nothing,
 * when one side has nothing. */
static Apparent least(Apparent a, Apparent b)
{
    Apparent none = {0, 0, 0};
    if (is_nothing(a) || is_nothing(b))
        return none;
    if (a.active > 0 && b.active > 0)
        return a.active < b.active ? a : b;
    if (a.active > 0 || b.active > 0)
        return a.active > 0 ? a : b;
    if (a.immediate > 0 && b.immediate > 0)
        return a.immediate < b.immediate ? a : b;
    if (a.immediate > 0 || b.immediate > 0)
        return a.immediate > 0 ? a : b;
    return a.passive < b.passive ? a : b;
}

/* That of a move among its like. */
static long double share_of(const OracleMove *move, Apparent of)
{
    return move->rate / (move->passive ? of.passive : move->immediate ? of.immediate : of.active);
}

static Apparent apparent(Context *c, const OracleNode *node, int action)
{
    if (node->kind == REF_LEAF)
        return apparent_in_term(c, c->state[node->leaf], action);
    if (node->kind == REF_HIDE && in_set(node->set, action))
        return (Apparent){0, 0, 0};
    Apparent left = apparent(c, node->left, action);
    if (node->kind == REF_HIDE)
        return left;
    Apparent right = apparent(c, node->right, action);
    if (in_set(node->set, action))
        return least(left, right);
    return (Apparent){left.active + right.active, left.immediate + right.immediate,
                      left.passive + right.passive};
}

static void add(OracleMoves *moves, OracleMove move)
{
    if (!mem_reserve(&moves->item, &moves->cap, moves->count + 1, sizeof *moves->item))
        abort();
    moves->item[moves->count++] = move;
}

/* The state with leaves first .. end-1 taken from another. */
static const RefTerm **with(Context *c, const RefTerm **state, const RefTerm **other, int first,
                            int end)
{
    size_t leaves = c->system->leaf_count;
    const RefTerm **made = arena_alloc(c->arena, leaves * sizeof *made);
    if (!made)
        abort();
    memcpy(made, state, leaves * sizeof *made);
    for (int i = first; i < end; i++)
        made[i] = other[i];
    return made;
}

/* Prefix, choice and constant. */
static void term_moves(Context *c, int leaf, const RefTerm *term, OracleMoves *moves)
{
    if (term->kind == REF_CONSTANT)
        term_moves(c, leaf, c->system->model->process[term->process].body, moves);
    for (int i = 0; i < term->parts; i++)
        term_moves(c, leaf, term->part[i], moves);
    if (term->kind != REF_PREFIX)
        return;
    long double rate = rate_now(c, term);
    if (!(rate > 0))
        return;
    const RefTerm **target = with(c, c->state, c->state, 0, 0);
    target[leaf] = term->next;
    const int priority = term->action == REF_TAU ? 0 : c->system->model->priority[term->action];
    add(moves, (OracleMove){term->action, term->passive, term->immediate, priority, rate, target});
}

/* Cooperation on an action of the set: the rule that shares apparent rates. */
static void shared_moves(Context *c, const OracleNode *node, const OracleMoves *left,
                         const OracleMoves *right, OracleMoves *moves)
{
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = 0; j < right->count; j++) {
            const OracleMove *a = &left->item[i], *b = &right->item[j];
            if (a->action != b->action || !in_set(node->set, a->action))
                continue;
            Apparent ra = apparent(c, node->left, a->action);
            Apparent rb = apparent(c, node->right, b->action), both = least(ra, rb);
            bool passive = a->passive && b->passive;
            bool immediate =
                !passive && (a->passive || a->immediate) && (b->passive || b->immediate);
            long double rate = share_of(a, ra) * share_of(b, rb) *
                               (passive     ? both.passive
                                : immediate ? both.immediate
                                            : both.active);
            int first = node->right->first, end = node->right->end;
            add(moves, (OracleMove){a->action, passive, immediate, a->priority, rate,
                                    with(c, a->target, b->target, first, end)});
        }
}

static void all_moves(Context *c, const OracleNode *node, OracleMoves *moves)
{
    if (node->kind == REF_LEAF) {
        term_moves(c, node->leaf, c->state[node->leaf], moves);
    } else if (node->kind == REF_HIDE) {
        all_moves(c, node->left, moves);
        for (size_t i = 0; i < moves->count; i++)
            if (in_set(node->set, moves->item[i].action))
                moves->item[i].action = REF_TAU;
    } else {
        OracleMoves left = {0}, right = {0};
        all_moves(c, node->left, &left);
        all_moves(c, node->right, &right);
        for (size_t i = 0; i < left.count; i++)
            if (!in_set(node->set, left.item[i].action))
                add(moves, left.item[i]);
        for (size_t i = 0; i < right.count; i++)
            if (!in_set(node->set, right.item[i].action))
                add(moves, right.item[i]);
        shared_moves(c, node, &left, &right, moves);
        mem_free(left.item);
        mem_free(right.item);
    }
    for (int a = 0; a < c->system->model->action_count; a++) {
        Apparent rate = apparent(c, node, a);
        if ((rate.active > 0) + (rate.immediate > 0) + (rate.passive > 0) > 1)
            fail(c, ORACLE_MIXED);
    }
}

OracleStatus oracle_moves(const OracleSystem *system, const RefTerm **state, OracleMoves *moves)
{
    Context c = {.system = system, .state = state, .arena = &moves->arena, .status = ORACLE_OK};
    for (size_t i = 0; i < system->leaf_count; i++)
        if (state[i]->kind == REF_CONSTANT)
            c.count[state[i]->process]++;
    all_moves(&c, system->root, moves);
    for (size_t i = 0; i < moves->count; i++)
        if (moves->item[i].passive)
            fail(&c, ORACLE_UNDRIVEN);
    return c.status;
}

void oracle_moves_free(OracleMoves *moves)
{
    mem_free(moves->item);
    arena_free(&moves->arena);
    *moves = (OracleMoves){0};
}
