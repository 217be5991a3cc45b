/* Measures and predicates as text. */
#include <math.h>

#include "api/queries.h"
#include "api/steady.h"

PepaModel *query_share(const PepaModel *model)
{
    PepaModel *owner = (PepaModel *)model; /* only the count of its users changes */
    atomic_fetch_add(&owner->users, 1);
    return owner;
}

PepaStatus query_read_text(Query *query, const PepaModel *model, QueryForm form, Source source,
                           PepaDiagnose diagnose, void *user, PepaError *err)
{
    DiagList diags = {0};
    if (source.length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    PepaStatus status = query_read(query, &source, form, model->model, &diags);
    status = status == PEPA_ENOMEM ? error_memory(err)
                                   : diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    return status;
}

PepaStatus pepa_measures_new(PepaMeasures **out, const PepaModel *model, PepaError *err)
{
    if (!out || !model)
        return error_null(err, "pepa_measures_new");
    PepaMeasures *measures = mem_calloc(1, sizeof *measures);
    if (!measures)
        return error_memory(err);
    measures->owner = query_share(model);
    *out = measures;
    return PEPA_OK;
}

void pepa_measures_free(PepaMeasures *measures)
{
    if (!measures)
        return;
    pepa_model_free(measures->owner);
    query_free(&measures->query);
    mem_free(measures);
}

PepaStatus pepa_measures_add(PepaMeasures *measures, const char *name, const char *text,
                             size_t length, PepaDiagnose diagnose, void *user, PepaError *err)
{
    if (!measures || !name || (!text && length))
        return error_null(err, "pepa_measures_add");
    Source source = {name, text ? text : "", length};
    return query_read_text(&measures->query, measures->owner, QUERY_MEASURES, source, diagnose,
                           user, err);
}

int32_t pepa_measures_count(const PepaMeasures *measures)
{
    return (int32_t)measures->query.item_count;
}

const char *pepa_measures_name(const PepaMeasures *measures, int32_t measure)
{
    return measures->query.items[measure].name;
}

PepaStatus query_join(Expressions **out, const Query *query, const PepaModel *owner,
                      const PepaChain *chain, PepaError *err)
{
    if (chain->owner != owner)
        return error_set(err, PEPA_EARG, "the chain was derived from another model");
    PepaStatus status = chain_is_whole(chain, err);
    return status == PEPA_OK ? expressions_new(out, query, chain->chain, err) : status;
}

PepaStatus pepa_measures_values(const PepaMeasures *measures, const PepaChain *chain,
                                const double *pi, double *value, PepaError *err)
{
    if (!measures || !chain || !pi || !value)
        return error_null(err, "pepa_measures_values");
    Expressions *e = NULL;
    PepaStatus status = query_join(&e, &measures->query, measures->owner, chain, err);
    if (status == PEPA_OK)
        status = expressions_values(e, &chain->chain->now, pi, value, err);
    expressions_free(e);
    return status;
}

PepaStatus pepa_measures_rewards(const PepaMeasures *measures, const PepaChain *chain,
                                 double *reward, PepaError *err)
{
    if (!measures || !chain || !reward)
        return error_null(err, "pepa_measures_rewards");
    Expressions *e = NULL;
    PepaStatus status = query_join(&e, &measures->query, measures->owner, chain, err);
    if (status == PEPA_OK)
        status = expressions_rewards(e, &chain->chain->now, reward, err);
    expressions_free(e);
    return status;
}

/* The derivatives of what adds to a measure less those of what takes from it: two solutions, in which
 * nothing cancels.  *info: of the one with the larger residual. */
static PepaStatus solve_parts(PepaSteady *steady, const PepaSettings *set, const double *pi,
                              const Linearised *l, double *derivative, PepaInfo *info,
                              PepaError *err)
{
    const RateValues *at = &steady->chain->now;
    const int32_t rates = steady->chain->model->rate_count;
    const Reward more = {l->more.by_state, l->more.by_action, l->by_term, l->by_rate},
                 less = {l->less.by_state, l->less.by_action, NULL, NULL};
    PepaInfo other = {0};
    double *taken = NULL;
    PepaStatus status =
        sensitivity_solve(steady->sensitivity, at, set, pi, &more, NULL, derivative, info, err);
    if (status != PEPA_OK || !l->less.any)
        return status;
    if (!mem_new(taken, rates))
        return error_memory(err);
    status = sensitivity_solve(steady->sensitivity, at, set, pi, &less, NULL, taken, &other, err);
    for (int32_t r = 0; r < rates && status == PEPA_OK; r++)
        derivative[r] -= taken[r];
    if (info && !(other.residual <= info->residual)) {
        other.seconds += info->seconds;
        *info = other;
    } else if (info)
        info->seconds += other.seconds;
    mem_free(taken);
    return status;
}

PepaStatus pepa_measure_sensitivities(PepaSteady *steady, const PepaSettings *set, const double *pi,
                                      const PepaMeasures *measures, int32_t measure, double *value,
                                      double *derivative, PepaInfo *info, PepaError *err)
{
    if (!steady || !pi || !measures || !value || !derivative)
        return error_null(err, "pepa_measure_sensitivities");
    if (measure < 0 || measure >= pepa_measures_count(measures))
        return error_set(err, PEPA_EARG, "there is no measure %d", measure);
    const Chain *chain = steady->chain;
    PepaSettings within;
    Expressions *e = NULL;
    Linearised l = {0};
    double found;
    PepaStatus status = query_join(&e, &measures->query, measures->owner, steady->owner, err);
    if (status == PEPA_OK)
        status = steady_differentiable(steady, set, &within, err);
    if (status == PEPA_OK)
        status = expressions_linearise(e, &chain->now, pi, measure, &found, &l, err);
    if (status == PEPA_OK)
        status = solve_parts(steady, &within, pi, &l, derivative, info, err);
    if (status == PEPA_OK)
        *value = found;
    linearised_free(&l);
    expressions_free(e);
    return status;
}

/* The value that the text has; a finding says why it has none. */
static PepaStatus find_value(const Model *model, const Source *source, double *value,
                             DiagList *diags)
{
    Query query = {0};
    PepaStatus status = query_read(&query, source, QUERY_VALUE, model, diags);
    if (status == PEPA_OK)
        status = query_value(&query, 0, model, value, NULL);
    if (status == PEPA_OK && !isfinite(*value)) {
        diag_error(diags, query.items[0].span, "the expression has no finite value");
        status = diags->no_memory ? PEPA_ENOMEM : PEPA_EARG;
    }
    query_free(&query);
    return status;
}

PepaStatus pepa_model_value(const PepaModel *model, const char *name, const char *text,
                            size_t length, PepaDiagnose diagnose, void *user, double *value,
                            PepaError *err)
{
    static const Model no_rates = {0};
    if (!name || (!text && length) || !value)
        return error_null(err, "pepa_model_value");
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    DiagList diags = {0};
    double found = 0;
    Source source = {name, text ? text : "", length};
    PepaStatus status = find_value(model ? model->model : &no_rates, &source, &found, &diags);
    status = status == PEPA_ENOMEM ? error_memory(err)
                                   : diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *value = found;
    return status;
}

PepaStatus pepa_predicate_new(PepaPredicate **out, const PepaModel *model, const char *name,
                              const char *text, size_t length, PepaDiagnose diagnose, void *user,
                              PepaError *err)
{
    if (!out || !model || !name || (!text && length))
        return error_null(err, "pepa_predicate_new");
    PepaPredicate *predicate = mem_calloc(1, sizeof *predicate);
    if (!predicate)
        return error_memory(err);
    predicate->owner = query_share(model);
    Source source = {name, text ? text : "", length};
    PepaStatus status =
        query_read_text(&predicate->query, model, QUERY_PREDICATE, source, diagnose, user, err);
    if (status == PEPA_OK)
        *out = predicate;
    else
        pepa_predicate_free(predicate);
    return status;
}

void pepa_predicate_free(PepaPredicate *predicate)
{
    if (!predicate)
        return;
    pepa_model_free(predicate->owner);
    query_free(&predicate->query);
    mem_free(predicate);
}

PepaStatus pepa_predicate_states(const PepaPredicate *predicate, const PepaChain *chain,
                                 uint8_t *true_in, PepaError *err)
{
    if (!predicate || !chain || !true_in)
        return error_null(err, "pepa_predicate_states");
    Expressions *e = NULL;
    PepaStatus status = query_join(&e, &predicate->query, predicate->owner, chain, err);
    if (status == PEPA_OK)
        status = expressions_states(e, &chain->chain->now, &(int32_t){0}, 1, &true_in, err);
    expressions_free(e);
    return status;
}
