/* Counts of components by position and local state, and their means. */
#include "measure/measures.h"

#include <string.h>

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

void measure_restore_copies(const System *system, const int32_t *offset, double *mean)
{
    for (int32_t p = 0; p < system->position_count; p++) {
        double sum = 0;
        for (int32_t i = offset[p]; i < offset[p + 1]; i++)
            sum += mean[i];
        for (int32_t i = offset[p]; i < offset[p + 1] && sum > 0; i++)
            mean[i] *= (double)system->position_copies[p] / sum;
    }
}

PepaStatus measure_mean_counts(const Chain *c, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err)
{
    const size_t n = (size_t)offset[c->system->position_count];
    double *found = mem_calloc(n, sizeof *found);
    PepaStatus status = found ? chain_mean_counts(c, offset, pi, found, err) : error_memory(err);
    if (status == PEPA_OK) {
        measure_restore_copies(c->system, offset, found);
        memcpy(mean, found, n * sizeof *mean);
    }
    mem_free(found);
    return status;
}
