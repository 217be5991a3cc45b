#include "property/oracle.h"

#include "property/dense.h"
#include "property/oracle_moves.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t source, target;
    int action;
    long double rate;
} Edge;

/* States and transitions; each (source, action, target) once, rates added up. */
typedef struct {
    const RefTerm ***state;
    size_t states, state_cap;
    Edge *edge;
    size_t edges, edge_cap;
    Arena arena;
} Graph;

static void graph_free(Graph *graph)
{
    mem_free(graph->state);
    mem_free(graph->edge);
    arena_free(&graph->arena);
}

const char *oracle_status_text(OracleStatus status)
{
    static const char *const text[] = {"ok", "passive activity with nothing to drive it",
                                       "active and passive activities meet", "rate not positive",
                                       "too many states"};
    return text[status];
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

/* The state's number; it is added when new. */
static size_t state_number(Graph *graph, const RefTerm **state, size_t leaves)
{
    for (size_t i = 0; i < graph->states; i++)
        if (state_compare(graph->state[i], state, leaves) == 0)
            return i;
    const RefTerm **copy = arena_alloc(&graph->arena, leaves * sizeof *copy);
    size_t need = graph->states + 1;
    if (!copy || !mem_reserve(&graph->state, &graph->state_cap, need, sizeof *graph->state))
        abort();
    memcpy(copy, state, leaves * sizeof *copy);
    graph->state[graph->states] = copy;
    return graph->states++;
}

static void add_edge(Graph *graph, Edge edge)
{
    for (size_t i = graph->edges; i-- > 0;) {
        Edge *there = &graph->edge[i];
        if (there->source == edge.source && there->target == edge.target &&
            there->action == edge.action) {
            there->rate += edge.rate;
            return;
        }
    }
    size_t need = graph->edges + 1;
    if (!mem_reserve(&graph->edge, &graph->edge_cap, need, sizeof *graph->edge))
        abort();
    graph->edge[graph->edges++] = edge;
}

static OracleStatus explore(const OracleSystem *system, Graph *graph, size_t max_states)
{
    size_t leaves = system->leaf_count;
    (void)state_number(graph, system->initial, leaves);
    for (size_t s = 0; s < graph->states; s++) {
        OracleMoves moves = {0};
        OracleStatus status = oracle_moves(system, graph->state[s], &moves);
        for (size_t i = 0; i < moves.count && status == ORACLE_OK; i++) {
            const OracleMove *move = &moves.item[i];
            size_t target = state_number(graph, move->target, leaves);
            add_edge(graph, (Edge){s, target, move->action, move->rate});
        }
        oracle_moves_free(&moves);
        if (status != ORACLE_OK)
            return status;
        if (graph->states > max_states)
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

/* Rates of the quotient are not needed: only its shape is. */
static Graph quotient(const OracleSystem *system, const Graph *graph)
{
    Graph made = {0};
    size_t leaves = system->leaf_count;
    size_t *class = mem_alloc(graph->states, sizeof *class);
    const RefTerm **state = mem_alloc(leaves, sizeof *state);
    if (!class || !state)
        abort();
    for (size_t s = 0; s < graph->states; s++) {
        memcpy(state, graph->state[s], leaves * sizeof *state);
        sort_copies(system, state);
        class[s] = state_number(&made, state, leaves);
    }
    for (size_t i = 0; i < graph->edges; i++) {
        Edge edge = graph->edge[i];
        add_edge(&made, (Edge){class[edge.source], class[edge.target], edge.action, edge.rate});
    }
    mem_free(state);
    mem_free(class);
    return made;
}

/* ---- the shape of a graph ---- */

static long double *rate_matrix(const Graph *graph)
{
    long double *rate = mem_calloc(graph->states * graph->states, sizeof *rate);
    if (!rate)
        abort();
    for (size_t i = 0; i < graph->edges; i++)
        rate[graph->edge[i].source * graph->states + graph->edge[i].target] += graph->edge[i].rate;
    return rate;
}

static OracleGraph shape(const Graph *graph)
{
    OracleGraph shape = {.states = graph->states, .transitions = graph->edges};
    long double *rate = rate_matrix(graph);
    int *bottom = mem_alloc(graph->states, sizeof *bottom);
    if (!bottom)
        abort();
    shape.bottoms = dense_bottoms(rate, graph->states, bottom);
    for (size_t s = 0; s < graph->states; s++) {
        bool dead = true;
        for (size_t i = 0; i < graph->edges; i++)
            dead = dead && graph->edge[i].source != s;
        shape.deadlocks += dead;
    }
    mem_free(bottom);
    mem_free(rate);
    return shape;
}

/* ---- measures ---- */

static void add_value(OracleValues *values, const char *name, long double value)
{
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->item[i].name, name) == 0) {
            values->item[i].value += value;
            return;
        }
    size_t need = values->count + 1;
    if (!mem_reserve(&values->item, &values->cap, need, sizeof *values->item))
        abort();
    values->item[values->count++] = (OracleValue){name, value};
}

double oracle_value(const OracleValues *values, const char *name)
{
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->item[i].name, name) == 0)
            return (double)values->item[i].value;
    return 0;
}

static void name_positions(const OracleSystem *system, OracleResult *result)
{
    result->position_count = (size_t)system->position_count;
    result->position = mem_calloc(result->position_count, sizeof *result->position);
    if (!result->position)
        abort();
    for (size_t i = 0; i < system->leaf_count; i++) {
        OraclePosition *position = &result->position[system->position[i]];
        position->component = ref_name(system->model, &result->names, system->initial[i]);
        position->copies++;
    }
}

static void measure(const OracleSystem *system, const Graph *graph, OracleResult *result)
{
    const RefModel *model = system->model;
    long double *rate = rate_matrix(graph), *pi = mem_alloc(graph->states, sizeof *pi);
    if (!pi)
        abort();
    dense_long_run(rate, graph->states, 0, pi);
    for (size_t i = 0; i < graph->edges; i++) {
        const Edge *edge = &graph->edge[i];
        const char *action = edge->action == REF_TAU ? "tau" : model->action[edge->action];
        add_value(&result->throughput, action, pi[edge->source] * edge->rate);
    }
    name_positions(system, result);
    for (size_t s = 0; s < graph->states; s++)
        for (size_t i = 0; i < system->leaf_count; i++) {
            OraclePosition *position = &result->position[system->position[i]];
            const char *name = ref_name(model, &result->names, graph->state[s][i]);
            add_value(&result->population, name, pi[s]);
            add_value(&position->share, name, pi[s] / position->copies);
        }
    mem_free(pi);
    mem_free(rate);
}

OracleResult oracle_run(const RefModel *model, size_t max_states)
{
    OracleResult result = {.names = ref_names(model)};
    OracleSystem system = oracle_system(model);
    Graph graph = {0};
    result.status = explore(&system, &graph, max_states);
    if (result.status == ORACLE_OK) {
        Graph counted = quotient(&system, &graph);
        result.concrete = shape(&graph);
        result.counted = shape(&counted);
        measure(&system, &graph, &result);
        graph_free(&counted);
    }
    graph_free(&graph);
    oracle_system_free(&system);
    return result;
}

void oracle_result_free(OracleResult *result)
{
    for (size_t p = 0; p < result->position_count; p++)
        mem_free(result->position[p].share.item);
    mem_free(result->position);
    mem_free(result->throughput.item);
    mem_free(result->population.item);
    ref_names_free(&result->names);
    *result = (OracleResult){0};
}
