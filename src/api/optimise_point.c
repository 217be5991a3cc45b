/* Points of an optimisation: rates are set, and a chain is derived where that is not enough. */
#include "api/optimise_point.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "measure/longrun.h"

PepaStatus points_new(Points *p, PepaError *err)
{
    const Model *model = p->model->model;
    const size_t rates = p->what->within_count;
    if (!mem_new_zeroed(p->scale, p->what->subject_count) || !mem_new(p->at, rates) ||
        !mem_new(p->define, (size_t)model->rate_count + rates) ||
        !mem_new(p->value, p->measures->query.item_count) ||
        !mem_new(p->derivative, model->rate_count))
        return error_memory(err);
    for (int32_t r = 0; r < model->rate_count; r++)
        if (model->rates[r].given)
            p->define[p->given++] = (PepaDefine){model->rates[r].name, model->rates[r].value.value};
    return PEPA_OK;
}

static void drop_chain(Points *p)
{
    pepa_steady_free(p->steady);
    pepa_measures_free(p->asked);
    pepa_chain_free(p->chain);
    pepa_model_free(p->own);
    mem_free(p->pi);
    p->steady = NULL;
    p->asked = NULL;
    p->chain = NULL;
    p->own = NULL;
    p->pi = NULL;
    p->solved = false;
}

void points_free(Points *p)
{
    drop_chain(p);
    mem_free_all(p->rate, p->scale, p->at, p->define, p->value, p->derivative);
}

/* ---- the chain of a point -------------------------------------------------------------------- */

static void place(Points *p, const double *x)
{
    for (size_t i = 0; i < p->what->within_count; i++)
        p->define[p->given + i] = (PepaDefine){p->what->within[i].rate, x[i]};
}

/* The model with the values of a point, without words about it. */
static PepaStatus read_model(Points *p, const double *x, PepaModel **out, PepaError *err)
{
    const Source *source = &p->model->model->source;
    place(p, x);
    const PepaReading how = {.defines = p->define,
                             .define_count = p->given + p->what->within_count};
    return pepa_model_parse(out, source->name, source->text, source->length, &how, err);
}

static PepaStatus copy_measures(Points *p, PepaError *err)
{
    DiagList diags = {0};
    PepaStatus status = pepa_measures_new(&p->asked, p->own, err);
    if (status != PEPA_OK)
        return status;
    status = query_copy(&p->asked->query, &p->measures->query, p->own->model, &diags);
    if (status == PEPA_EARG)
        (void)error_set(err, PEPA_EARG, "%s", diags.items[0].message);
    else if (status != PEPA_OK)
        (void)error_memory(err);
    diag_free(&diags);
    return status;
}

static int watch(void *user, const PepaProgress *now)
{
    const Points *p = user;
    const PepaProgress all = {.phase = "optimise",
                              .count = p->info->evaluations,
                              .measure = now->measure,
                              .seconds = clock_seconds() - p->start,
                              .left = -1};
    return p->set.progress ? p->set.progress(p->set.user, &all) : 0;
}

static PepaSettings watched(Points *p)
{
    PepaSettings set = p->set;
    set.progress = watch;
    set.user = p;
    set.evidence = NULL;
    set.solve.keeping = NULL;
    set.derive.diagnose = NULL;
    return set;
}

static PepaStatus derive(Points *p, const double *x, PepaError *err)
{
    const double begin = clock_seconds();
    const PepaSettings set = watched(p);
    drop_chain(p);
    PepaStatus status = read_model(p, x, &p->own, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&p->chain, p->own, &set, err);
    if (status == PEPA_OK)
        status = longrun_check_memory(p->chain->chain, &set, err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&p->steady, p->chain, err);
    if (status == PEPA_OK)
        status = copy_measures(p, err);
    if (status == PEPA_OK && !mem_new(p->pi, p->chain->chain->state_count))
        status = error_memory(err);
    if (status != PEPA_OK)
        drop_chain(p);
    p->info->derived++;
    p->info->derive_seconds += clock_seconds() - begin;
    return status;
}

/* Whether numbers of copies are those of the chain. */
static bool has_structure(const Points *p, const double *x)
{
    const Model *model = p->own->model;
    for (size_t i = 0; i < p->what->within_count; i++)
        if (model->rates[p->rate[i]].structural && model->rates[p->rate[i]].value.value != x[i])
            return false;
    return true;
}

/* The rates that are no numbers of copies, on the chain that there is.  PEPA_EARG: it has not the
 * structure of the point. */
static PepaStatus set_rates(Points *p, const double *x, PepaError *err)
{
    const Model *model = p->own->model;
    size_t count = 0;
    for (size_t i = 0; i < p->what->within_count; i++)
        if (!model->rates[p->rate[i]].structural)
            p->define[p->given + count++] = (PepaDefine){p->what->within[i].rate, x[i]};
    return pepa_chain_set_rates(p->chain, p->define + p->given, count, err);
}

static PepaStatus reach(Points *p, const double *x, PepaError *err)
{
    PepaStatus status = PEPA_EARG;
    if (p->chain && has_structure(p, x))
        status = set_rates(p, x, err);
    return status == PEPA_EARG ? derive(p, x, err) : status;
}

/* From the solution of the last point; if that misses, from the beginning. */
static PepaStatus solve(Points *p, const double *x, PepaError *err)
{
    const size_t bytes = p->what->within_count * sizeof *x;
    PepaSettings set = watched(p);
    PepaInfo info = {0};
    if (p->solved && memcmp(p->at, x, bytes) == 0)
        return PEPA_OK;
    PepaStatus status = reach(p, x, err);
    if (status != PEPA_OK)
        return status;
    set.solve.warm_start = p->solved;
    status = pepa_steady_solve(p->steady, &set, p->pi, &info, err);
    if (status == PEPA_ENOCONV && p->solved) {
        set.solve.warm_start = 0;
        status = pepa_steady_solve(p->steady, &set, p->pi, &info, err);
    }
    p->info->evaluations++;
    p->solved = status == PEPA_OK;
    p->info->solver_residual = fmax(p->info->solver_residual, info.residual);
    memcpy(p->at, x, bytes);
    return status;
}

/* ---- values and derivatives ------------------------------------------------------------------ */

static double excess(const Points *p, size_t c, const double *value)
{
    const PepaConstraint *s = &p->what->subject[c];
    const double over = value[s->measure] - value[s->bound];
    return (s->at_least ? -over : over) / p->scale[c];
}

/* What the excess of a constraint is divided by, from now on. */
static void find_scale(Points *p, size_t c, const double *value)
{
    const PepaConstraint *s = &p->what->subject[c];
    const double bound = fabs(value[s->bound]), measure = fabs(value[s->measure]);
    if (p->scale[c] > 0 || !isfinite(bound) || !isfinite(measure))
        return;
    p->scale[c] = bound > 0 ? bound : measure > 0 ? measure : 1;
}

/* The derivatives of a measure by the rates to choose, times `by`, are added; false: there are
 * none. */
static PepaStatus add_slopes(Points *p, int32_t measure, double by, double *slope, bool *there,
                             PepaError *err)
{
    double value;
    PepaSettings set = watched(p);
    PepaStatus status = pepa_measure_sensitivities(p->steady, &set, p->pi, p->asked, measure,
                                                   &value, p->derivative, NULL, err);
    *there = status == PEPA_OK;
    if (status == PEPA_EARG || status == PEPA_ENOCONV)
        return PEPA_OK;
    for (size_t i = 0; i < p->what->within_count && status == PEPA_OK; i++)
        if (!p->model->model->rates[p->rate[i]].structural)
            slope[i] += by * p->derivative[p->rate[i]];
    return status;
}

static PepaStatus find_slopes(Points *p, double *slope, PepaError *err)
{
    const size_t rates = p->what->within_count, rows = 1 + p->what->subject_count;
    bool there = true;
    memset(slope, 0, rows * rates * sizeof *slope);
    PepaStatus status =
        add_slopes(p, p->what->objective, p->what->maximise ? -1 : 1, slope, &there, err);
    for (size_t c = 0; c + 1 < rows && status == PEPA_OK && there; c++) {
        const PepaConstraint *s = &p->what->subject[c];
        const double by = (s->at_least ? -1 : 1) / p->scale[c];
        double *row = slope + (c + 1) * rates;
        status = add_slopes(p, s->measure, by, row, &there, err);
        if (status == PEPA_OK && there)
            status = add_slopes(p, s->bound, -by, row, &there, err);
    }
    if (!there)
        slope[0] = NAN;
    return status;
}

PepaStatus points_evaluate(void *user, const double *x, double *value, double *slope,
                           PepaError *err)
{
    Points *p = user;
    PepaStatus status = solve(p, x, err);
    if (status == PEPA_OK)
        status = pepa_measures_values(p->asked, p->chain, p->pi, p->value, err);
    if (status != PEPA_OK)
        return status;
    value[0] = p->value[p->what->objective] * (p->what->maximise ? -1 : 1);
    bool there = isfinite(value[0]);
    for (size_t c = 0; c < p->what->subject_count; c++) {
        find_scale(p, c, p->value);
        value[c + 1] = excess(p, c, p->value);
        there = there && isfinite(value[c + 1]);
    }
    return slope && there ? find_slopes(p, slope, err) : PEPA_OK;
}

PepaStatus points_foresee(void *user, const double *x, double *value, PepaError *err)
{
    Points *p = user;
    PepaModel *model = NULL;
    const Query *q = &p->measures->query;
    PepaStatus status = read_model(p, x, &model, err);
    for (size_t i = 0; i < q->item_count && status == PEPA_OK; i++) {
        bool known = false;
        status = query_value(q, i, model->model, &p->value[i], &known);
        if (status != PEPA_OK)
            (void)error_memory(err);
        if (!known)
            p->value[i] = NAN;
    }
    if (status == PEPA_OK) {
        value[0] = p->value[p->what->objective] * (p->what->maximise ? -1 : 1);
        for (size_t c = 0; c < p->what->subject_count; c++) {
            find_scale(p, c, p->value);
            value[c + 1] = p->scale[c] > 0 ? excess(p, c, p->value) : NAN;
        }
    }
    pepa_model_free(model);
    return status;
}
