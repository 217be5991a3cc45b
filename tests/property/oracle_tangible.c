#include "property/oracle_tangible.h"

#include "property/dense.h"
#include "property/room.h"

typedef struct {
    const OracleSpace *all;
    size_t *place;                /* of a state, among the vanishing or among the tangible ones */
    size_t vanishing, tangible;   /* how many */
    size_t actions, columns;      /* columns: tangible + actions */
    bool *reach;                  /* all x all: by immediate activities alone, in any number */
    long double *leave, *outcome; /* I - P_VV, and for each vanishing state the probabilities of
                                     ending and the expected numbers of activities */
} Elimination;

static size_t action_place(const Elimination *e, int action)
{
    return action == REF_TAU ? e->actions - 1 : (size_t)action;
}

static void place_states(Elimination *e)
{
    const OracleSpace *all = e->all;
    for (size_t s = 0; s < all->states; s++)
        e->place[s] = all->vanishing[s] ? e->vanishing++ : e->tangible++;
    e->columns = e->tangible + e->actions;
}

static void reach_immediately(Elimination *e)
{
    size_t n = e->all->states;
    long double *rate = oracle_rates(e->all);
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n && !e->all->vanishing[s]; t++)
            rate[s * n + t] = 0;
    dense_reach(rate, n, e->reach);
    mem_free(rate);
}

/* Whether every vanishing state can end in a tangible one. */
static bool time_passes(const Elimination *e)
{
    size_t n = e->all->states;
    for (size_t s = 0; s < n; s++) {
        bool ends = false;
        for (size_t t = 0; t < n; t++)
            ends = ends || (e->reach[s * n + t] && !e->all->vanishing[t]);
        if (!ends)
            return false;
    }
    return true;
}

static void solve_outcomes(Elimination *e)
{
    const OracleSpace *all = e->all;
    long double *total = room(all->states, sizeof *total);
    for (size_t i = 0; i < all->edges; i++)
        total[all->edge[i].source] += all->edge[i].rate;
    for (size_t v = 0; v < e->vanishing; v++)
        e->leave[v * e->vanishing + v] = 1;
    for (size_t i = 0; i < all->edges; i++) {
        const OracleEdge *edge = &all->edge[i];
        if (!all->vanishing[edge->source])
            continue;
        size_t from = e->place[edge->source], to = e->place[edge->target];
        long double chance = edge->rate / total[edge->source];
        if (all->vanishing[edge->target])
            e->leave[from * e->vanishing + to] -= chance;
        else
            e->outcome[from * e->columns + to] += chance;
        e->outcome[from * e->columns + e->tangible + action_place(e, edge->action)] += chance;
    }
    dense_eliminate(e->leave, e->vanishing, e->outcome, e->columns);
    mem_free(total);
}

/* The probability of ending in t from state s, which may be t itself; 0 where no path leads there,
 * whatever elimination left of it. */
static long double ending(const Elimination *e, size_t s, size_t t)
{
    if (!e->all->vanishing[s])
        return s == t ? 1 : 0;
    if (e->all->vanishing[t] || !e->reach[s * e->all->states + t])
        return 0;
    return e->outcome[e->place[s] * e->columns + e->place[t]];
}

/* What a timed activity becomes: one edge for each state in which it can end. */
static void bypass(const Elimination *e, const OracleEdge *edge, OracleTangible *made)
{
    size_t from = e->place[edge->source];
    for (size_t t = 0; t < e->all->states; t++) {
        long double rate = edge->rate * ending(e, edge->target, t);
        if (rate > 0)
            oracle_space_edge(&made->space, (OracleEdge){from, e->place[t], edge->action, rate});
    }
    if (!e->all->vanishing[edge->target])
        return;
    const long double *numbers = e->outcome + e->place[edge->target] * e->columns + e->tangible;
    for (size_t a = 0; a < e->actions; a++)
        made->passing[from * e->actions + a] += edge->rate * numbers[a];
}

static void eliminate(Elimination *e, size_t leaves, OracleTangible *made)
{
    const OracleSpace *all = e->all;
    made->actions = e->actions;
    made->start = room(e->tangible, sizeof *made->start);
    made->passing = room(e->tangible * e->actions, sizeof *made->passing);
    e->leave = room(e->vanishing * e->vanishing, sizeof *e->leave);
    e->outcome = room(e->vanishing * e->columns, sizeof *e->outcome);
    solve_outcomes(e);
    for (size_t s = 0; s < all->states; s++)
        if (!all->vanishing[s]) {
            (void)oracle_space_state(&made->space, all->state[s], leaves);
            made->start[e->place[s]] = ending(e, 0, s);
        }
    for (size_t i = 0; i < all->edges; i++)
        if (!all->vanishing[all->edge[i].source])
            bypass(e, &all->edge[i], made);
    mem_free(e->leave);
    mem_free(e->outcome);
}

OracleStatus oracle_tangible(const OracleSystem *system, const OracleSpace *all,
                             OracleTangible *tangible)
{
    Elimination e = {.all = all, .actions = (size_t)system->model->action_count + 1};
    e.place = room(all->states, sizeof *e.place);
    e.reach = room(all->states * all->states, sizeof *e.reach);
    place_states(&e);
    reach_immediately(&e);
    bool passes = time_passes(&e);
    if (passes)
        eliminate(&e, system->leaf_count, tangible);
    mem_free(e.place);
    mem_free(e.reach);
    return passes ? ORACLE_OK : ORACLE_TIMELESS;
}

void oracle_tangible_free(OracleTangible *tangible)
{
    oracle_space_free(&tangible->space);
    mem_free(tangible->start);
    mem_free(tangible->passing);
    *tangible = (OracleTangible){0};
}
