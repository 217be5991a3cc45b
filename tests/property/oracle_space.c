#include "property/oracle_space.h"

#include "property/dense.h"

#include <stdlib.h>
#include <string.h>

void oracle_space_free(OracleSpace *space)
{
    mem_free(space->state);
    mem_free(space->vanishing);
    mem_free(space->edge);
    arena_free(&space->arena);
    *space = (OracleSpace){0};
}

/* ---- exploring ---- */

static int state_compare(const RefTerm **a, const RefTerm **b, size_t leaves)
{
    for (size_t i = 0; i < leaves; i++) {
        int order = ref_term_compare(a[i], b[i]);
        if (order)
            return order;
    }
    return 0;
}

size_t oracle_space_state(OracleSpace *space, const RefTerm **state, size_t leaves)
{
    for (size_t i = 0; i < space->states; i++)
        if (state_compare(space->state[i], state, leaves) == 0)
            return i;
    const RefTerm **copy = arena_alloc(&space->arena, leaves * sizeof *copy);
    size_t need = space->states + 1;
    if (!copy || !mem_reserve(&space->state, &space->state_cap, need, sizeof *space->state) ||
        !mem_reserve(&space->vanishing, &space->vanishing_cap, need, sizeof *space->vanishing))
        abort();
    memcpy(copy, state, leaves * sizeof *copy);
    space->state[space->states] = copy;
    space->vanishing[space->states] = false;
    return space->states++;
}

void oracle_space_edge(OracleSpace *space, OracleEdge edge)
{
    for (size_t i = space->edges; i-- > 0;) {
        OracleEdge *there = &space->edge[i];
        if (there->source == edge.source && there->target == edge.target &&
            there->action == edge.action) {
            there->rate += edge.rate;
            return;
        }
    }
    size_t need = space->edges + 1;
    if (!mem_reserve(&space->edge, &space->edge_cap, need, sizeof *space->edge))
        abort();
    space->edge[space->edges++] = edge;
}

OracleStatus oracle_explore(const OracleSystem *system, OracleSpace *space, size_t max_states)
{
    size_t leaves = system->leaf_count;
    (void)oracle_space_state(space, system->initial, leaves);
    for (size_t s = 0; s < space->states; s++) {
        OracleMoves moves = {0};
        OracleStatus status = oracle_moves(system, space->state[s], &moves);
        for (size_t i = 0; i < moves.count && status == ORACLE_OK; i++) {
            const OracleMove *move = &moves.item[i];
            space->vanishing[s] = move->level == REF_IMMEDIATE;
            size_t target = oracle_space_state(space, move->target, leaves);
            oracle_space_edge(space, (OracleEdge){s, target, move->action, move->rate});
        }
        oracle_moves_free(&moves);
        if (status != ORACLE_OK)
            return status;
        if (space->states > max_states)
            return ORACLE_TOO_LARGE;
    }
    return ORACLE_OK;
}

/* ---- counting copies instead of telling them apart ---- */

/* The representative of all states that differ in the order of copies: each group sorted. */
static void sort_copies(const OracleSystem *system, const RefTerm **state)
{
    for (size_t g = 0; g < system->group_count; g++) {
        OracleGroup group = system->group[g];
        for (int pass = 1; pass < group.copies; pass++)
            for (int i = 0; i + 1 < group.copies; i++) {
                const RefTerm **a = state + group.first + i * group.width, **b = a + group.width;
                if (state_compare(a, b, (size_t)group.width) <= 0)
                    continue;
                for (int k = 0; k < group.width; k++) {
                    const RefTerm *swapped = a[k];
                    a[k] = b[k];
                    b[k] = swapped;
                }
            }
    }
}

OracleSpace oracle_quotient(const OracleSystem *system, const OracleSpace *space)
{
    OracleSpace made = {0};
    size_t leaves = system->leaf_count;
    size_t *class = mem_alloc(space->states, sizeof *class);
    const RefTerm **state = mem_alloc(leaves, sizeof *state);
    if (!class || !state)
        abort();
    for (size_t s = 0; s < space->states; s++) {
        memcpy(state, space->state[s], leaves * sizeof *state);
        sort_copies(system, state);
        class[s] = oracle_space_state(&made, state, leaves);
    }
    for (size_t i = 0; i < space->edges; i++) {
        OracleEdge edge = space->edge[i];
        oracle_space_edge(&made, (OracleEdge){class[edge.source], class[edge.target], edge.action,
                                              edge.rate});
    }
    mem_free(state);
    mem_free(class);
    return made;
}

/* ---- the shape of a graph ---- */

long double *oracle_rates(const OracleSpace *space)
{
    long double *rate = mem_calloc(space->states * space->states, sizeof *rate);
    if (!rate)
        abort();
    for (size_t i = 0; i < space->edges; i++)
        rate[space->edge[i].source * space->states + space->edge[i].target] += space->edge[i].rate;
    return rate;
}

OracleGraph oracle_shape(const OracleSpace *space)
{
    OracleGraph shape = {.states = space->states, .transitions = space->edges};
    long double *rate = oracle_rates(space);
    int *bottom = mem_alloc(space->states, sizeof *bottom);
    if (!bottom)
        abort();
    shape.bottoms = dense_bottoms(rate, space->states, bottom);
    for (size_t s = 0; s < space->states; s++) {
        bool dead = true;
        for (size_t i = 0; i < space->edges; i++)
            dead = dead && space->edge[i].source != s;
        shape.deadlocks += dead;
    }
    mem_free(bottom);
    mem_free(rate);
    return shape;
}
