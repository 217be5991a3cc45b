/* Measures of a lumped chain. */
#include "pepa_lump.h"

#include "api/queries.h"
#include "base/clock.h"
#include "measure/lumping.h"

struct PepaLumping {
    const Chain *chain;
    Expressions *measures;
    Lumping *lumping;
    double seconds;
};

void pepa_lumping_free(PepaLumping *lumping)
{
    if (!lumping)
        return;
    lumping_free(lumping->lumping);
    expressions_free(lumping->measures);
    mem_free(lumping);
}

PepaStatus pepa_lumping_new(PepaLumping **out, const PepaChain *chain, const PepaMeasures *measures,
                            const PepaSettings *set, PepaError *err)
{
    if (!out || !chain || !measures)
        return error_null(err, "pepa_lumping_new");
    PepaSettings all;
    const double start = clock_seconds();
    PepaLumping *l = mem_calloc(1, sizeof *l);
    PepaStatus status = l ? settings_complete(&all, set, err) : error_memory(err);
    if (status == PEPA_OK)
        status = query_join(&l->measures, &measures->query, measures->owner, chain, err);
    if (status == PEPA_OK)
        status = lumping_new(&l->lumping, chain->chain, &chain->chain->now, l->measures, &all, err);
    if (status == PEPA_OK) {
        l->chain = chain->chain;
        l->seconds = clock_seconds() - start;
        *out = l;
    } else {
        pepa_lumping_free(l);
    }
    return status;
}

PepaLumpingInfo pepa_lumping_info(const PepaLumping *l)
{
    return (PepaLumpingInfo){.states = l->chain->state_count,
                             .blocks = lumping_blocks(l->lumping),
                             .transitions = lumping_transitions(l->lumping),
                             .spread = lumping_spread(l->lumping),
                             .seconds = l->seconds};
}

int64_t pepa_lumping_block(const PepaLumping *l, int64_t state)
{
    return lumping_block(l->lumping, state);
}

PepaStatus pepa_lumping_solve(const PepaLumping *l, const PepaSettings *set, double *pi,
                              double *value, PepaInfo *info, PepaError *err)
{
    if (!l || !value)
        return error_null(err, "pepa_lumping_solve");
    PepaSettings all;
    double *own = NULL;
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK && all.solve.matrix == PEPA_MATRIX_FREE)
        status = error_limit(err, PEPA_EARG, PEPA_LIMIT_MATRIX,
                             "the matrix of a lumped chain is kept by rows");
    if (status == PEPA_OK && !pi) {
        all.solve.warm_start = 0;
        status = mem_new(own, lumping_blocks(l->lumping)) ? PEPA_OK : error_memory(err);
    }
    if (status == PEPA_OK)
        status = lumping_solve(l->lumping, &all, pi ? pi : own, value, info, err);
    mem_free(own);
    return status;
}
