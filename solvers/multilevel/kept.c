/* Cycles over groups that are kept. */
#include "solvers/multilevel/levels.h"

#include <string.h>

#include "base/mem.h"

enum { MOST_LEVELS = 64 };

/* From a level to the next. */
typedef struct KeptLevel {
    Coarse coarse;  /* the next level */
    int32_t *group; /* per state, its group */
    int32_t *slot;  /* per entry, as of coarse_new */
    double *z;      /* a flow of the next level */
} KeptLevel;

static PepaStatus level_new(KeptLevel *level, const Flow *flow, const double *y)
{
    if (flow->row[flow->n] > INT32_MAX)
        return PEPA_ELIMIT;
    if (!mem_new(level->group, flow->n) || !mem_new(level->slot, flow->row[flow->n]))
        return PEPA_ENOMEM;
    PepaStatus status = coarse_new(&level->coarse, flow, y, level->group,
                                   group_states(flow, y, level->group), level->slot);
    if (status == PEPA_OK && !mem_new(level->z, level->coarse.flow.n))
        status = PEPA_ENOMEM;
    return status;
}

/* PEPA_OK, PEPA_ENOMEM, or PEPA_ELIMIT: too many entries. */
static PepaStatus kept_new(Kept *out, const Flow *flow, const double *y)
{
    PepaStatus status = PEPA_OK;
    *out = (Kept){.levels = mem_calloc(MOST_LEVELS, sizeof *out->levels)};
    if (!out->levels)
        return PEPA_ENOMEM;
    while (status == PEPA_OK && flow->n > COARSEST && out->count < MOST_LEVELS) {
        KeptLevel *level = &out->levels[out->count++];
        status = level_new(level, flow, y);
        if (level->coarse.flow.n >= flow->n)
            break;
        flow = &level->coarse.flow;
        y = level->coarse.y;
    }
    if (status != PEPA_OK)
        kept_free(out);
    return status;
}

static void sweep(const Flow *flow, double *y)
{
    for (int32_t k = 0; k < CYCLE_SWEEPS; k++)
        (void)flow_sweep(flow, y);
}

static PepaStatus cycle(const Kept *kept, int32_t l, const Flow *flow, double *y)
{
    if (flow->n <= COARSEST)
        return cycle_solve_few(flow, y);
    sweep(flow, y);
    if (l == kept->count)
        return PEPA_OK;
    KeptLevel *level = &kept->levels[l];
    Coarse *coarse = &level->coarse;
    flows_lift(flow->n, y);
    coarse_renew(coarse, flow, y, level->slot);
    memcpy(level->z, coarse->y, (size_t)coarse->flow.n * sizeof *level->z);
    PepaStatus status = cycle(kept, l + 1, &coarse->flow, level->z);
    if (status == PEPA_OK)
        cycle_spread(flow->n, level->group, coarse, level->z, y);
    sweep(flow, y);
    return status;
}

PepaStatus kept_cycle(Kept *kept, const Flow *flow, double *y)
{
    const PepaStatus status = kept->levels ? PEPA_OK : kept_new(kept, flow, y);
    return status == PEPA_OK       ? cycle(kept, 0, flow, y)
           : status == PEPA_ELIMIT ? cycle_groups(flow, CYCLE_V, y)
                                   : status;
}

void kept_free(Kept *kept)
{
    for (int32_t l = 0; kept->levels && l < kept->count; l++) {
        coarse_free(&kept->levels[l].coarse);
        mem_free_all(kept->levels[l].group, kept->levels[l].slot, kept->levels[l].z);
    }
    mem_free(kept->levels);
    *kept = (Kept){0};
}
