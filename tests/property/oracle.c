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
    bool *vanishing; /* vanishing_cap states; the others are tangible */
    size_t vanishing_cap;
    Arena arena;
} Graph;

static void graph_free(Graph *graph)
{
    mem_free(graph->state);
    mem_free(graph->edge);
    mem_free(graph->vanishing);
    arena_free(&graph->arena);
}

const char *oracle_status_text(OracleStatus status)
{
    static const char *const text[] = {"ok",
                                       "passive activity with nothing to drive it",
                                       "activities of several kinds meet",
                                       "rate not positive",
                                       "a timeless trap",
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

/* Immediate activities come before timed ones, larger priorities first; 1 where none is stated. */
static bool precedes(const OracleMove *a, const OracleMove *b)
{
    int pa = a->priority ? a->priority - 1 : 1, pb = b->priority ? b->priority - 1 : 1;
    return a->immediate != b->immediate ? a->immediate : pa > pb;
}

static void mark_vanishing(Graph *graph, size_t state)
{
    size_t before = graph->vanishing_cap;
    if (!mem_reserve(&graph->vanishing, &graph->vanishing_cap, state + 1, 1))
        abort();
    if (graph->vanishing_cap > before)
        memset(graph->vanishing + before, 0, graph->vanishing_cap - before);
    graph->vanishing[state] = true;
}

static bool is_vanishing(const Graph *graph, size_t state)
{
    return state < graph->vanishing_cap && graph->vanishing[state];
}

static OracleStatus explore(const OracleSystem *system, Graph *graph, size_t max_states)
{
    size_t leaves = system->leaf_count;
    (void)state_number(graph, system->initial, leaves);
    for (size_t s = 0; s < graph->states; s++) {
        OracleMoves moves = {0};
        OracleStatus status = oracle_moves(system, graph->state[s], &moves);
        const OracleMove *first = NULL; /* one that preempts all others */
        for (size_t i = 0; i < moves.count; i++)
            first = !first || precedes(&moves.item[i], first) ? &moves.item[i] : first;
        if (first && first->immediate)
            mark_vanishing(graph, s);
        for (size_t i = 0; i < moves.count && status == ORACLE_OK; i++) {
            const OracleMove *move = &moves.item[i];
            if (precedes(first, move))
                continue;
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
        if (is_vanishing(graph, s))
            mark_vanishing(&made, class[s]);
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
    for (size_t s = 0; s < graph->states; s++)
        shape.vanishing += is_vanishing(graph, s);
    shape.states -= shape.vanishing;
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

/* The long run of a graph with vanishing states, none of which is eliminated: the states as they are
 * visited one after the other, then weighed by the time that each visit takes (a semi-Markov
 * process), for each bottom component.  use: how often an edge is taken, per unit of time.
 * ORACLE_TOO_LARGE: it depends on where the chain begins, which may be several states. */
static OracleStatus visits(const Graph *graph, long double *pi, long double *use)
{
    const size_t n = graph->states;
    long double *exit = mem_calloc(n, sizeof *exit), *step = mem_calloc(n * n, sizeof *step);
    long double *visit = mem_alloc(n, sizeof *visit), *time = mem_calloc(n, sizeof *time),
                *weight = mem_calloc(n, sizeof *weight);
    int *bottom = mem_alloc(n, sizeof *bottom);
    bool *ticks = mem_calloc(n, sizeof *ticks);
    if (!exit || !step || !visit || !time || !weight || !bottom || !ticks)
        abort();
    for (size_t i = 0; i < graph->edges; i++)
        exit[graph->edge[i].source] += graph->edge[i].rate;
    for (size_t i = 0; i < graph->edges; i++) {
        const Edge *e = &graph->edge[i];
        step[e->source * n + e->target] += e->rate / exit[e->source];
    }
    const int bottoms = dense_bottoms(step, n, bottom);
    OracleStatus status = bottoms > 1 && is_vanishing(graph, 0) ? ORACLE_TOO_LARGE : ORACLE_OK;
    for (size_t s = 0; s < n; s++)
        if (bottom[s] >= 0 && !is_vanishing(graph, s))
            ticks[bottom[s]] = true;
    for (int b = 0; b < bottoms; b++)
        status = ticks[b] ? status : ORACLE_TRAP;
    dense_long_run(step, n, 0, visit);
    for (size_t s = 0; s < n; s++)
        if (bottom[s] >= 0) {
            weight[bottom[s]] += visit[s];
            if (!is_vanishing(graph, s) && exit[s] > 0)
                time[bottom[s]] += visit[s] / exit[s];
        }
    for (size_t s = 0; s < n; s++) {
        const int b = bottom[s];
        const bool takes = b >= 0 && !is_vanishing(graph, s);
        pi[s] = !takes ? 0 : exit[s] > 0 ? weight[b] * visit[s] / exit[s] / time[b] : visit[s];
    }
    for (size_t i = 0; i < graph->edges; i++) {
        const Edge *e = &graph->edge[i];
        const int b = bottom[e->source];
        use[i] = b < 0 || !(time[b] > 0)
                     ? 0
                     : weight[b] * visit[e->source] / time[b] * e->rate / exit[e->source];
    }
    mem_free(exit);
    mem_free(step);
    mem_free(visit);
    mem_free(time);
    mem_free(weight);
    mem_free(bottom);
    mem_free(ticks);
    return status;
}

/* Edges that some tangible state leads to: what happens before time begins is not listed. */
static bool *happening(const Graph *graph)
{
    bool *met = mem_calloc(graph->states, sizeof *met);
    if (!met)
        abort();
    for (size_t s = 0; s < graph->states; s++)
        met[s] = !is_vanishing(graph, s);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < graph->edges; i++)
            if (met[graph->edge[i].source] && !met[graph->edge[i].target])
                met[graph->edge[i].target] = more = true;
    }
    return met;
}

/* How often edges are taken, and pi. */
static OracleStatus long_run(const Graph *graph, long double *pi, long double *use)
{
    if (graph->vanishing_cap > 0)
        return visits(graph, pi, use);
    long double *rate = rate_matrix(graph);
    dense_long_run(rate, graph->states, 0, pi);
    for (size_t i = 0; i < graph->edges; i++)
        use[i] = pi[graph->edge[i].source] * graph->edge[i].rate;
    mem_free(rate);
    return ORACLE_OK;
}

static void measure(const OracleSystem *system, const Graph *graph, OracleResult *result)
{
    const RefModel *model = system->model;
    long double *pi = mem_alloc(graph->states, sizeof *pi),
                *use = mem_alloc(graph->edges + 1, sizeof *use);
    if (!pi || !use)
        abort();
    result->status = long_run(graph, pi, use);
    bool *met = happening(graph);
    for (size_t i = 0; i < graph->edges; i++) {
        const Edge *edge = &graph->edge[i];
        const char *action = edge->action == REF_TAU ? "tau" : model->action[edge->action];
        if (met[edge->source])
            add_value(&result->throughput, action, use[i]);
    }
    mem_free(met);
    mem_free(use);
    name_positions(system, result);
    for (size_t s = 0; s < graph->states; s++)
        for (size_t i = 0; i < system->leaf_count; i++) {
            OraclePosition *position = &result->position[system->position[i]];
            const char *name = ref_name(model, &result->names, graph->state[s][i]);
            add_value(&result->population, name, pi[s]);
            add_value(&position->share, name, pi[s] / position->copies);
        }
    mem_free(pi);
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
