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
    double count[REF_MAX_PROCESSES]; /* components now in each named local state */
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

/* Immediate activities that are made very fast ones instead are timed. */
static RefLevel level_of(const Context *c, const RefTerm *prefix)
{
    return prefix->level == REF_IMMEDIATE && c->system->haste > 0 ? REF_TIMED : prefix->level;
}

/* The rate or weight of a prefix now; 0: the activity is not there (functional rates only). */
static long double rate_now(Context *c, const RefTerm *prefix)
{
    long double unit = level_of(c, prefix) == prefix->level ? 1 : c->system->haste;
    if (!prefix->rate)
        return unit;
    double rate = ref_rate_value(c->system->model, prefix->rate, c->count);
    bool positive = isfinite(rate) && rate > 0;
    bool off = !(rate < 0) && !(rate > 0) && !isnan(rate) &&
               ref_rate_functional(c->system->model, prefix->rate);
    if (!positive && !off)
        fail(c, ORACLE_BAD_RATE);
    return positive ? rate * unit : 0;
}

/* Apparent rate of an action type (Definition 3.3.1), by level.  priorities: bit 0 for activities
 * that state none, bit p + 1 for those that state p. */
typedef struct {
    long double of[REF_LEVELS];
    uint32_t priorities;
} Apparent;

static bool any(Apparent a)
{
    return a.of[REF_TIMED] > 0 || a.of[REF_IMMEDIATE] > 0 || a.of[REF_PASSIVE] > 0;
}

static Apparent sum(Apparent a, Apparent b)
{
    for (int level = 0; level < REF_LEVELS; level++)
        a.of[level] += b.of[level];
    a.priorities |= b.priorities;
    return a;
}

/* Activities of several levels, or of several priorities. */
static bool mixed(Apparent a)
{
    int levels = (a.of[REF_TIMED] > 0) + (a.of[REF_IMMEDIATE] > 0) + (a.of[REF_PASSIVE] > 0);
    return levels > 1 || (a.priorities & (a.priorities - 1)) != 0;
}

static Apparent apparent_in_term(Context *c, const RefTerm *term, int action)
{
    Apparent all = {0};
    if (term->kind == REF_CONSTANT)
        return apparent_in_term(c, c->system->model->process[term->process].body, action);
    if (term->kind == REF_PREFIX && term->action == action) {
        long double rate = rate_now(c, term);
        all.of[level_of(c, term)] = rate;
        all.priorities = rate > 0 ? UINT32_C(1) << (term->priority + 1) : 0;
    }
    for (int i = 0; i < term->parts; i++)
        all = sum(all, apparent_in_term(c, term->part[i], action));
    return all;
}

/* min(): every rate is below every one of a higher level; nothing, when one side has nothing.  The
 * larger of the stated priorities, which is the one whose bit is higher: unstated is the lowest. */
static Apparent least(Apparent a, Apparent b)
{
    Apparent both = {.priorities = a.priorities > b.priorities ? a.priorities : b.priorities};
    if (!any(a) || !any(b))
        return (Apparent){0};
    for (int level = 0; level < REF_LEVELS; level++) {
        long double x = a.of[level], y = b.of[level];
        if (!(x > 0) && !(y > 0))
            continue;
        both.of[level] = x > 0 && (!(y > 0) || x < y) ? x : y;
        break;
    }
    return both;
}

static Apparent apparent(Context *c, const OracleNode *node, int action)
{
    if (node->kind == REF_LEAF)
        return apparent_in_term(c, c->state[node->leaf], action);
    if (node->kind == REF_HIDE && in_set(node->set, action))
        return (Apparent){0};
    Apparent left = apparent(c, node->left, action);
    if (node->kind == REF_HIDE)
        return left;
    Apparent right = apparent(c, node->right, action);
    if (in_set(node->set, action))
        return least(left, right);
    return sum(left, right);
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
    add(moves, (OracleMove){term->action, level_of(c, term), term->priority, rate, target});
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
            Apparent rb = apparent(c, node->right, b->action);
            OracleMove both = {a->action, a->level < b->level ? a->level : b->level,
                               a->priority > b->priority ? a->priority : b->priority, 0, NULL};
            both.rate = least(ra, rb).of[both.level];
            both.rate *= (a->rate / ra.of[a->level]) * (b->rate / rb.of[b->level]);
            both.target = with(c, a->target, b->target, node->right->first, node->right->end);
            add(moves, both);
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
    for (int a = 0; a < c->system->model->action_count; a++)
        if (mixed(apparent(c, node, a)))
            fail(c, ORACLE_MIXED);
}

/* How much one activity goes before another: immediate before timed, then by priority. */
static int before(const OracleMove *a, const OracleMove *b)
{
    if (a->level != b->level)
        return a->level == REF_IMMEDIATE ? 1 : -1;
    int p = a->priority == REF_UNSTATED ? 1 : a->priority;
    int q = b->priority == REF_UNSTATED ? 1 : b->priority;
    return (p > q) - (p < q);
}

/* Leave only the activities that nothing goes before. */
static void preempt(OracleMoves *moves)
{
    if (moves->count == 0)
        return;
    OracleMove first = moves->item[0];
    for (size_t i = 1; i < moves->count; i++)
        if (before(&moves->item[i], &first) > 0)
            first = moves->item[i];
    size_t kept = 0;
    for (size_t i = 0; i < moves->count; i++)
        if (before(&moves->item[i], &first) == 0)
            moves->item[kept++] = moves->item[i];
    moves->count = kept;
}

OracleStatus oracle_moves(const OracleSystem *system, const RefTerm **state, OracleMoves *moves)
{
    Context c = {.system = system, .state = state, .arena = &moves->arena, .status = ORACLE_OK};
    for (size_t i = 0; i < system->leaf_count; i++)
        if (state[i]->kind == REF_CONSTANT)
            c.count[state[i]->process]++;
    all_moves(&c, system->root, moves);
    for (size_t i = 0; i < moves->count; i++)
        if (moves->item[i].level == REF_PASSIVE)
            fail(&c, ORACLE_UNDRIVEN);
    if (c.status == ORACLE_OK)
        preempt(moves);
    return c.status;
}

void oracle_moves_free(OracleMoves *moves)
{
    mem_free(moves->item);
    arena_free(&moves->arena);
    *moves = (OracleMoves){0};
}
