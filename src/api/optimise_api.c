/* Optimisation: what the caller asks becomes a program, whose points are chains. */
#include <math.h>
#include <string.h>

#include "api/optimise_point.h"
#include "base/clock.h"

#define STATIONARY 1e-4 /* a residual at which a point is said to be stationary */

PepaStatus pepa_measures_add_constraint(PepaMeasures *measures, const char *name, const char *text,
                                        size_t length, PepaDiagnose diagnose, void *user,
                                        PepaConstraint *out, PepaError *err)
{
    if (!measures || !name || (!text && length) || !out)
        return error_null(err, "pepa_measures_add_constraint");
    Query *query = &measures->query;
    const Source source = {name, text ? text : "", length};
    PepaStatus status =
        query_read_text(query, measures->owner, QUERY_CONSTRAINT, source, diagnose, user, err);
    if (status != PEPA_OK)
        return status;
    const int32_t bound = (int32_t)query->item_count - 1;
    *out = (PepaConstraint){.measure = bound - 1,
                            .bound = bound,
                            .at_least = query->items[bound - 1].role == ROLE_AT_LEAST};
    return PEPA_OK;
}

typedef struct {
    Points points;
    Program program;
    double *low, *high;
    uint8_t *whole;
    int32_t wholes;
    PepaOptimum found;
} Optimising;

/* ---- what is asked --------------------------------------------------------------------------- */

static PepaStatus find_range(Optimising *o, size_t i, PepaError *err)
{
    const Model *model = o->points.model->model;
    const PepaWithin *w = &o->points.what->within[i];
    int32_t r;
    if (!w->rate)
        return error_null(err, "pepa_optimise");
    PepaStatus status = model_find_rate(model, w->rate, &r, err);
    if (status != PEPA_OK)
        return status;
    for (size_t k = 0; k < i; k++)
        if (o->points.rate[k] == r)
            return error_set(err, PEPA_EARG, "the rate `%s` has two ranges", w->rate);
    if (!isfinite(w->low) || !isfinite(w->high))
        return error_set(err, PEPA_EARG,
                         "the range of `%s`, %.10g to %.10g, has an end that is not finite",
                         w->rate, w->low, w->high);
    if (w->low > w->high)
        return error_set(err, PEPA_EARG, "the range of `%s`, %.10g to %.10g, is empty", w->rate,
                         w->low, w->high);
    o->points.rate[i] = r;
    o->whole[i] = model->rates[r].whole;
    if (model->rates[r].structural && !o->whole[i])
        return error_set(
            err, PEPA_EARG,
            "the rate `%s` decides the phases of a duration, and the best value of such a "
            "rate is not sought: compare some by pepa experiment --vary",
            w->rate);
    o->wholes += o->whole[i];
    o->low[i] = o->whole[i] ? ceil(w->low) : w->low;
    o->high[i] = o->whole[i] ? floor(w->high) : w->high;
    if (o->low[i] > o->high[i])
        return error_set(
            err, PEPA_EARG,
            "the rate `%s` decides a number of copies or phases, and there is no whole number "
            "from %.10g to %.10g",
            w->rate, w->low, w->high);
    return PEPA_OK;
}

static PepaStatus check_measures(const PepaOptimise *what, int32_t count, PepaError *err)
{
    bool ok = what->objective >= 0 && what->objective < count;
    for (size_t c = 0; c < what->subject_count; c++) {
        const PepaConstraint *s = &what->subject[c];
        ok = ok && s->measure >= 0 && s->measure < count && s->bound >= 0 && s->bound < count;
    }
    return ok ? PEPA_OK : error_set(err, PEPA_EARG, "there is no such measure");
}

static PepaStatus prepare(Optimising *o, PepaError *err)
{
    const PepaOptimise *what = o->points.what;
    const size_t n = what->within_count;
    PepaStatus status = PEPA_OK;
    if (!mem_new(o->low, n) || !mem_new(o->high, n) || !mem_new(o->whole, n) ||
        !mem_new(o->points.rate, n))
        return error_memory(err);
    for (size_t i = 0; i < n && status == PEPA_OK; i++)
        status = find_range(o, i, err);
    if (status == PEPA_OK)
        status = check_measures(what, (int32_t)o->points.measures->query.item_count, err);
    if (status == PEPA_OK)
        status = points_new(&o->points, err);
    o->points.info = &o->found;
    o->program = (Program){.variables = (int32_t)n,
                           .constraints = (int32_t)what->subject_count,
                           .low = o->low,
                           .high = o->high,
                           .whole = o->whole,
                           .user = &o->points,
                           .evaluate = points_evaluate,
                           .foresee = points_foresee};
    return status;
}

/* ---- what is found --------------------------------------------------------------------------- */

static void describe(Optimising *o, const Optimiser *s, bool all)
{
    PepaOptimum *f = &o->found;
    const bool discrete = o->wholes == o->program.variables;
    const PepaChainInfo chain = pepa_chain_info(o->points.chain);
    f->objective = o->points.value[o->points.what->objective];
    f->violation = fmax(0, optimiser_violation(s, s->worth));
    f->global = discrete && all;
    f->ended = discrete                    ? all ? PEPA_OPTIMUM_ENUMERATED : PEPA_OPTIMUM_NEIGHBOURS
               : f->residual <= STATIONARY ? PEPA_OPTIMUM_STATIONARY
                                           : PEPA_OPTIMUM_SEARCHED;
    f->states = chain.states;
    f->transitions = chain.transitions;
    f->deadlocks = chain.deadlocks;
    f->bottom_components = chain.bottom_components;
    f->aggregated = chain.aggregated;
    f->symbolic = chain.symbolic;
}

static void find_binding(const Optimising *o, const Optimiser *s, uint8_t *binding)
{
    const PepaOptimise *what = o->points.what;
    const size_t n = what->within_count;
    for (size_t i = 0; i < n; i++)
        binding[i] = s->x[i] == o->low[i]    ? PEPA_BINDS_LOW
                     : s->x[i] == o->high[i] ? PEPA_BINDS_HIGH
                                             : PEPA_BINDS_NOT;
    for (size_t c = 0; c < what->subject_count; c++)
        binding[n + c] = s->worth[c + 1] < -PROGRAM_BINDS ? PEPA_BINDS_NOT
                         : what->subject[c].at_least      ? PEPA_BINDS_LOW
                                                          : PEPA_BINDS_HIGH;
}

static PepaStatus nothing_found(const Optimiser *s, PepaError *err)
{
    if (s->met)
        return error_set(err, PEPA_ENOCONV,
                         "no point that was looked at satisfies the constraints; the least "
                         "violation, %.3g of the bound, is here",
                         s->violation);
    if (s->wrong == 0)
        return error_set(err, PEPA_ENOCONV,
                         "the objective or a constraint has no value at any point that was looked "
                         "at");
    return error_set(err, PEPA_EMODEL,
                     "the model is wrong at every point that was looked at: %.150s",
                     s->first_wrong.message);
}

static PepaStatus search(Optimising *o, Optimiser *s, bool *all, PepaError *err)
{
    if (o->wholes)
        optimiser_whole(s, all);
    else
        optimiser_continuous(s);
    o->found.residual = NAN;
    if (s->status == PEPA_OK && optimiser_feasible(s))
        o->found.residual = optimiser_residual(s);
    if (s->status == PEPA_OK && optimiser_feasible(s)) {
        memcpy(s->at, s->x, (size_t)o->program.variables * sizeof *s->x);
        (void)optimiser_evaluate(s, s->at, s->worth, NULL); /* p->value, and the chain, are of it */
    }
    o->found.searches = s->searches;
    o->found.skipped = s->skipped;
    o->found.wrong = s->wrong;
    o->found.tolerance = PROGRAM_TOLERANCE;
    o->found.failed = s->status != PEPA_OK || s->met;
    if (s->status != PEPA_OK) {
        if (err)
            *err = s->err;
        return s->status;
    }
    o->found.violation = s->violation;
    return optimiser_feasible(s) ? PEPA_OK : nothing_found(s, err);
}

static PepaStatus check(const PepaModel *model, const PepaMeasures *measures,
                        const PepaOptimise *what, const double *rate, PepaError *err)
{
    if (!model || !measures || !what || !rate || (what->within_count && !what->within) ||
        (what->subject_count && !what->subject))
        return error_null(err, "pepa_optimise");
    if (what->within_count == 0)
        return error_set(err, PEPA_EARG, "an optimisation needs a rate to choose");
    if (!ALL_ZERO(what->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaOptimise: reserved words must be 0; is the library older than "
                         "pepa_optimise.h?");
    if (measures->owner != model)
        return error_set(err, PEPA_EARG, "the measures are those of another model");
    return PEPA_OK;
}

PepaStatus pepa_optimise(const PepaModel *model, const PepaMeasures *measures,
                         const PepaOptimise *what, const PepaSettings *set, double *rate,
                         double *value, uint8_t *binding, PepaOptimum *found, PepaError *err)
{
    PepaStatus status = check(model, measures, what, rate, err);
    if (status != PEPA_OK)
        return status;
    Optimising o = {
        .points = {.model = model, .measures = measures, .what = what, .start = clock_seconds()}};
    Optimiser s = {0};
    bool all = false;
    status = settings_complete(&o.points.set, set, err);
    if (status == PEPA_OK)
        status = prepare(&o, err);
    if (status == PEPA_OK)
        status = optimiser_new(&s, &o.program, err);
    if (status == PEPA_OK)
        status = search(&o, &s, &all, err);
    o.found.seconds = clock_seconds() - o.points.start;
    if (status == PEPA_OK) {
        describe(&o, &s, all);
        o.found.failed = 0;
        if (value)
            memcpy(value, o.points.value, measures->query.item_count * sizeof *value);
        if (binding)
            find_binding(&o, &s, binding);
    }
    if (status == PEPA_OK || o.found.failed)
        memcpy(rate, s.x, what->within_count * sizeof *rate);
    if (found && (status == PEPA_OK || o.found.failed))
        *found = o.found;
    optimiser_free(&s);
    points_free(&o.points);
    mem_free_all(o.low, o.high, o.whole);
    return status;
}
