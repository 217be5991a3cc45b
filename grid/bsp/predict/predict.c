/* Sums over supersteps. */
#include "grid/bsp/predict/predict.h"

#include "base/error.h"
#include "base/mem.h"
#include "grid/bsp/predict/timeline.h"

static PepaStatus predict_step(Predicting *p, Superstep *s, int64_t step, Prediction *out,
                               PepaError *err)
{
    out->equal = superstep_equal(s, p->trace, step, p->where);
    superstep_cost(s, p->trace, step, p->where);
    out->unequal = superstep_unequal(s);
    if (model_states(s, p->stages) <= p->most_states) {
        p->solved++;
        return model_solve(s, p->stages, p->set, &out->model, err);
    }
    p->integral++;
    return model_mean(s, p->stages, &out->model, err);
}

static PepaStatus add_timeline(Predicting *p, Prediction *all, PepaError *err)
{
    double *each = NULL;
    if (p->each && !mem_new(each, p->trace->steps))
        return error_memory(err);
    PepaStatus status = timeline_run(p->trace, p->where, each, &all->timeline, err);
    for (int64_t i = 0; each && i < p->trace->steps && status == PEPA_OK; i++)
        p->each[i].timeline = each[i];
    mem_free(each);
    return status;
}

PepaStatus predict_trace(Predicting *p, Prediction *sum, PepaError *err)
{
    Superstep s;
    Prediction all = {0};
    PepaStatus status = superstep_new(&s, p->trace->processes) ? PEPA_OK : error_memory(err);
    p->solved = p->integral = 0;
    for (int64_t i = 0; i < p->trace->steps && status == PEPA_OK; i++) {
        const TraceStep *step = &p->trace->step[i];
        Prediction here = {0};
        if (step->same > 0)
            status = predict_step(p, &s, i, &here, err);
        if (step->same > 0 && status == PEPA_OK) {
            all.equal += (double)step->same * here.equal;
            all.unequal += (double)step->same * here.unequal;
            all.model += (double)step->same * here.model;
        }
        if (p->each && status == PEPA_OK)
            p->each[i] = step->same > 0 ? here : p->each[step->as];
    }
    superstep_free(&s);
    if (status == PEPA_OK)
        status = add_timeline(p, &all, err);
    if (status == PEPA_OK)
        *sum = all;
    return status;
}

double predict_formula(const Trace *trace, const Placement *where, Superstep *scratch)
{
    double sum = 0;
    for (int64_t i = 0; i < trace->steps; i++)
        if (trace->step[i].same > 0) {
            superstep_cost(scratch, trace, i, where);
            sum += (double)trace->step[i].same * superstep_unequal(scratch);
        }
    return sum;
}
