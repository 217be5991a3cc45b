/* Formulas of CSL. */
#include "pepa_csl.h"

#include "api/queries.h"
#include "base/clock.h"
#include "measure/csl.h"

struct PepaFormula {
    PepaModel *owner;
    Query query;
};

PepaStatus pepa_formula_new(PepaFormula **out, const PepaModel *model, const char *name,
                            const char *text, size_t length, PepaDiagnose diagnose, void *user,
                            PepaError *err)
{
    if (!out || !model || !name || (!text && length))
        return error_null(err, "pepa_formula_new");
    PepaFormula *formula = mem_calloc(1, sizeof *formula);
    if (!formula)
        return error_memory(err);
    formula->owner = query_share(model);
    Source source = {name, text ? text : "", length};
    PepaStatus status =
        query_read_text(&formula->query, model, QUERY_FORMULA, source, diagnose, user, err);
    if (status == PEPA_OK)
        *out = formula;
    else
        pepa_formula_free(formula);
    return status;
}

void pepa_formula_free(PepaFormula *formula)
{
    if (!formula)
        return;
    pepa_model_free(formula->owner);
    query_free(&formula->query);
    mem_free(formula);
}

static PepaStatus check(const PepaFormula *formula, const PepaChain *chain,
                        const PepaSettings *given, uint8_t *holds, double *value, double *error,
                        CslFound *found, PepaError *err)
{
    PepaSettings set;
    if (chain->owner != formula->owner)
        return error_set(err, PEPA_EARG, "the chain was derived from another model");
    PepaStatus status = settings_complete(&set, given, err);
    if (status == PEPA_OK)
        status = chain_is_whole(chain, err);
    const CslJob job = {chain->chain, &chain->chain->now, &set, &formula->query};
    return status == PEPA_OK ? csl_check(&job, value, error, holds, found, err) : status;
}

PepaStatus pepa_formula_check(const PepaFormula *formula, const PepaChain *chain,
                              const PepaSettings *set, PepaVerdict *verdict, PepaError *err)
{
    if (!formula || !chain || !verdict)
        return error_null(err, "pepa_formula_check");
    CslFound found;
    const double start = clock_seconds();
    PepaStatus status = check(formula, chain, set, NULL, NULL, NULL, &found, err);
    if (status == PEPA_OK)
        *verdict = (PepaVerdict){.holds = found.asks ? -1 : found.truth == CSL_TRUE,
                                 .value = found.value,
                                 .error_bound = found.error,
                                 .steps = found.steps,
                                 .seconds = clock_seconds() - start};
    return status;
}

PepaStatus pepa_formula_states(const PepaFormula *formula, const PepaChain *chain,
                               const PepaSettings *set, uint8_t *holds, double *value,
                               double *error_bound, PepaError *err)
{
    if (!formula || !chain)
        return error_null(err, "pepa_formula_states");
    CslFound found;
    return check(formula, chain, set, holds, value, error_bound, &found, err);
}
