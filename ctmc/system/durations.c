/* Evaluates durations, and says which phase types are nearest to them. */
#include "ctmc/system/durations.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"

enum { MOST_REFUSED = 20 }; /* errors that are shown */

Duration duration_of(const Model *model, int32_t expr, const Value *values)
{
    const Expr *e = &model->exprs[expr];
    Duration d = {.kind = e->op};
    if (e->op == EXPR_TRACE) {
        d.trace = &model->traces[model->exprs[e->a].a];
        return d;
    }
    d.a = model_eval(model, e->a, values, NULL).value;
    d.b = e->b < 0 ? 0 : model_eval(model, e->b, values, NULL).value;
    return d;
}

static double trace_mean(const Trace *trace)
{
    double mean = 0;
    for (size_t i = 0; i < trace->count; i++)
        mean += (trace->value[i] - mean) / (double)(i + 1);
    return mean;
}

double duration_mean(const Duration *d)
{
    switch (d->kind) {
    case EXPR_DET:
        return d->a;
    case EXPR_UNIFORM:
        return d->a + (d->b - d->a) / 2;
    case EXPR_LOGNORMAL:
        return exp(d->a + d->b * d->b / 2);
    default:
        return trace_mean(d->trace);
    }
}

double duration_variation(const Duration *d)
{
    const double mean = duration_mean(d);
    double square = 0;
    switch (d->kind) {
    case EXPR_DET:
        return 0;
    case EXPR_UNIFORM:
        return (d->b - d->a) / sqrt(12) / mean;
    case EXPR_LOGNORMAL:
        return sqrt(expm1(d->b * d->b));
    default:
        for (size_t i = 0; i < d->trace->count; i++) {
            const double off = d->trace->value[i] / mean - 1;
            square += off * off / (double)d->trace->count;
        }
        return sqrt(square);
    }
}

/* The phase type to take instead: with the same mean, and the same coefficient of variation c as far as
 * MOST_SUGGESTED phases have it.  Above 1 it is a hyperexponential one with balanced means. */
static void suggest_phases(const Duration *d, Text *text)
{
    enum { MOST_SUGGESTED = 25 };
    const double mean = duration_mean(d), c = duration_variation(d);
    char first[NUMBER_SIZE], second[NUMBER_SIZE];
    if (c > 1) {
        const double p = (1 + sqrt((c * c - 1) / (c * c + 1))) / 2;
        text_add(text, "`hyper(%.6g:%.6g, %.6g:%.6g)` has the same mean and variation, %.3g", p,
                 2 * p / mean, 1 - p, 2 * (1 - p) / mean, c);
        return;
    }
    const double phases = fmax(1, fmin(MOST_SUGGESTED, nearbyint(1 / (c * c))));
    number_write(phases, first);
    (void)number_print(second, sizeof second, "%.6g", phases / mean);
    text_add(text,
             "`erlang(%s, %s)` has the same mean %.6g, with a coefficient of variation of %.3g in "
             "place of %.3g",
             first, second, mean, 1 / sqrt(phases), c);
}

static bool refuse(const Model *model, const Activity *a, const Value *values, DiagList *diags)
{
    static const char *const names[] = {[EXPR_DET] = "det",
                                        [EXPR_UNIFORM] = "uniform",
                                        [EXPR_LOGNORMAL] = "lognormal",
                                        [EXPR_TRACE] = "trace"};
    const Duration d = duration_of(model, a->expr, values);
    Text text = {0};
    suggest_phases(&d, &text);
    const bool ok = !text.failed;
    if (ok)
        diag_error(diags, a->span,
                   "the duration `%s` is for `pepa simulate` only, as a chain has no memory; %s",
                   names[d.kind], text.text);
    text_free(&text);
    return ok;
}

PepaStatus durations_refuse(const Model *model, DiagList *diags, PepaError *err)
{
    Value *values = NULL;
    if (!model->durations)
        return PEPA_OK;
    bool ok = mem_new(values, model->rate_count);
    for (int32_t r = 0; ok && r < model->rate_count; r++)
        values[r] = model->rates[r].value;
    for (int32_t k = 0; ok && k < model->activity_count; k++) {
        const Activity *a = &model->activities[k];
        if (model_is_duration(model, a->expr) && diags->errors < MOST_REFUSED)
            ok = refuse(model, a, values, diags);
    }
    mem_free(values);
    return ok ? error_set(err, PEPA_EMODEL, "some activities have durations that no chain has")
              : error_memory(err);
}
