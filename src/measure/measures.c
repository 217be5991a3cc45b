#include "measure/measures.h"

#include "measure/diagram_measures.h"

#include <string.h>

void measure_throughputs(const Chain *c, const double *pi, double *per_time)
{
    memset(per_time, 0, (size_t)c->action_count * sizeof *per_time);
    if (c->diagram) {
        diagram_throughputs(c->diagram, &c->rates, pi, c->actions, c->action_count, per_time);
        return;
    }
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            per_time[chain_action(c, k)] += pi[s] * chain_rate(c, k);
}

double measure_throughput(const Chain *c, const double *pi, int32_t action)
{
    double sum = 0;
    if (c->diagram)
        return diagram_throughput(c->diagram, &c->rates, pi, c->actions[action]);
    for (int32_t s = 0; s < c->state_count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (chain_action(c, k) == action)
                sum += pi[s] * chain_rate(c, k);
    return sum;
}

void measure_offsets(const System *system, int32_t *offset)
{
    offset[0] = 0;
    for (int32_t p = 0; p < system->position_count; p++)
        offset[p + 1] = offset[p] + system->components[system->position_component[p]].local_count;
}

void measure_counts(const System *system, const int32_t *offset, const int32_t *cells,
                    int32_t *counts)
{
    memset(counts, 0, (size_t)offset[system->position_count] * sizeof *counts);
    for (int32_t i = 0; i < system->slot_count; i++) {
        const Slot *slot = &system->slots[i];
        int32_t *here = counts + offset[slot->position];
        if (!slot->copies) {
            here[cells[slot->cell]]++;
            continue;
        }
        for (int32_t l = 0; l < system->components[slot->component].local_count; l++)
            here[l] += cells[slot->cell + l];
    }
}

/* Add one state's cells with probability p. */
static void add_state(const System *system, const int32_t *offset, const int32_t *cells, double p,
                      double *mean)
{
    for (int32_t i = 0; i < system->slot_count; i++) {
        const Slot *slot = &system->slots[i];
        double *here = mean + offset[slot->position];
        if (!slot->copies) {
            here[cells[slot->cell]] += p;
            continue;
        }
        for (int32_t l = 0; l < system->components[slot->component].local_count; l++)
            here[l] += p * cells[slot->cell + l];
    }
}

/* Rounding leaves a position with a little more or less than all of its copies. */
static void restore_copies(const System *system, const int32_t *offset, double *mean)
{
    for (int32_t p = 0; p < system->position_count; p++) {
        double sum = 0;
        for (int32_t i = offset[p]; i < offset[p + 1]; i++)
            sum += mean[i];
        for (int32_t i = offset[p]; i < offset[p + 1] && sum > 0; i++)
            mean[i] *= system->position_copies[p] / sum;
    }
}

PepaStatus measure_mean_counts(const Chain *c, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err)
{
    const System *system = c->system;
    int32_t *cells = mem_alloc((size_t)system->cell_count, sizeof *cells);
    if (!cells)
        return error_memory(err);
    memset(mean, 0, (size_t)offset[system->position_count] * sizeof *mean);
    if (c->diagram) {
        PepaStatus status = diagram_mean_counts(c->diagram, offset, pi, mean, err);
        restore_copies(system, offset, mean);
        mem_free(cells);
        return status;
    }
    for (int32_t s = 0; s < c->states.count; s++) {
        system_unpack(system, c->states.state + (size_t)s * c->states.words, cells);
        add_state(system, offset, cells, pi[s], mean);
    }
    restore_copies(system, offset, mean);
    mem_free(cells);
    return PEPA_OK;
}
