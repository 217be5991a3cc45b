/* A model derived by processes, of which each has some states, however few. */
#ifndef PEPA_TESTS_DERIVING_H
#define PEPA_TESTS_DERIVING_H

#include "ctmc/chain.h"

/* in_runs: each has a run of the states, where sets suit; else those whose hashes are its own. */
static inline PepaStatus derive_parts(Chain **out, const Model *model, const PepaProcesses *p,
                                      bool in_runs, const PepaSettings *set, DiagList *diags,
                                      PepaError *err)
{
    *out = NULL;
    const PepaStatus status =
        in_runs ? chain_derive_runs(out, model, p, 0, set, diags, err) : PEPA_OK;
    return status != PEPA_OK || *out ? status : chain_derive_spread(out, model, p, set, diags, err);
}

#endif
