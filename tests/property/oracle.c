#include "property/oracle.h"

#include "property/dense.h"
#include "property/oracle_tangible.h"
#include "property/room.h"

#include <string.h>

const char *oracle_status_text(OracleStatus status)
{
    static const char *const text[] =
        {"ok",
         "passive activity with nothing to drive it",
         "timed, immediate and passive activities, or priorities, meet",
         "rate not positive",
         "immediate activities go on for ever",
         "too many states"};
    return text[status];
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

static const char *action_name(const RefModel *model, size_t action)
{
    return action < (size_t)model->action_count ? model->action[action] : "tau";
}

/* An action occurs, though in the long run with throughput 0, where it can happen on the way from
 * an initial state that is vanishing only. */
static void measure_actions(const RefModel *model, const OracleSpace *all,
                            const OracleTangible *tangible, const long double *pi,
                            OracleValues *throughput)
{
    const OracleSpace *space = &tangible->space;
    for (size_t i = 0; i < all->edges; i++)
        add_value(throughput, action_name(model, (size_t)all->edge[i].action), 0);
    for (size_t i = 0; i < space->edges; i++) {
        const OracleEdge *edge = &space->edge[i];
        add_value(throughput, action_name(model, (size_t)edge->action),
                  pi[edge->source] * edge->rate);
    }
    for (size_t s = 0; s < space->states; s++)
        for (size_t a = 0; a < tangible->actions; a++) {
            long double passing = tangible->passing[s * tangible->actions + a];
            if (passing > 0)
                add_value(throughput, action_name(model, a), pi[s] * passing);
        }
}

static void measure_local(const OracleSystem *system, const OracleSpace *space,
                          const long double *pi, OracleResult *result)
{
    for (size_t s = 0; s < space->states; s++)
        for (size_t i = 0; i < system->leaf_count; i++) {
            OraclePosition *position = &result->position[system->position[i]];
            const char *name = ref_name(system->model, &result->names, space->state[s][i]);
            add_value(&result->population, name, pi[s]);
            add_value(&position->share, name, pi[s] / position->copies);
        }
}

/* The long-run distribution from each state in which time may begin, by how likely it is. */
static long double *long_run(const OracleTangible *tangible)
{
    size_t n = tangible->space.states;
    long double *rate = oracle_rates(&tangible->space);
    long double *pi = room(n, sizeof *pi), *part = room(n, sizeof *part);
    for (size_t start = 0; start < n; start++) {
        if (!(tangible->start[start] > 0))
            continue;
        dense_long_run(rate, n, start, part);
        for (size_t s = 0; s < n; s++)
            pi[s] += tangible->start[start] * part[s];
    }
    mem_free(part);
    mem_free(rate);
    return pi;
}

static void measure(const OracleSystem *system, const OracleSpace *all,
                    const OracleTangible *tangible, OracleResult *result)
{
    OracleSpace counted = oracle_quotient(system, &tangible->space);
    long double *pi = long_run(tangible);
    result->vanishing = all->states - tangible->space.states;
    result->concrete = oracle_shape(&tangible->space);
    result->counted = oracle_shape(&counted);
    name_positions(system, result);
    measure_actions(system->model, all, tangible, pi, &result->throughput);
    measure_local(system, &tangible->space, pi, result);
    mem_free(pi);
    oracle_space_free(&counted);
}

OracleResult oracle_run_hasty(const RefModel *model, size_t max_states, double haste)
{
    OracleResult result = {.names = ref_names(model)};
    OracleSystem system = oracle_system(model);
    OracleSpace all = {0};
    OracleTangible tangible = {0};
    system.haste = haste;
    result.status = oracle_explore(&system, &all, max_states);
    if (result.status == ORACLE_OK)
        result.status = oracle_tangible(&system, &all, &tangible);
    if (result.status == ORACLE_OK)
        measure(&system, &all, &tangible, &result);
    oracle_tangible_free(&tangible);
    oracle_space_free(&all);
    oracle_system_free(&system);
    return result;
}

OracleResult oracle_run(const RefModel *model, size_t max_states)
{
    return oracle_run_hasty(model, max_states, 0);
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
