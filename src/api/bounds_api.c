/* pepa_*_bounds: intervals that contain exact values. */
#include "api/queries.h"
#include "api/steady.h"
#include "measure/expression_intervals.h"

PepaStatus pepa_throughput_bounds(PepaSteady *steady, const PepaSettings *set, const double *pi,
                                  const char *action, double *low, double *high, PepaInfo *info,
                                  PepaError *err)
{
    if (!steady || !pi || !action || !low || !high)
        return error_null(err, "pepa_throughput_bounds");
    PepaSettings within;
    PepaInfo unseen;
    Interval found = {0};
    const Chain *chain = steady->chain;
    int32_t place = 0;
    double *by_action = NULL;
    PepaStatus status = steady_find_action(chain, action, &place, err);
    if (status == PEPA_OK)
        status = steady_differentiable(steady, set, &within, err);
    if (status == PEPA_OK && !mem_new_zeroed(by_action, chain->model->action_count))
        status = error_memory(err);
    if (status == PEPA_OK) {
        by_action[chain->actions[place]] = 1;
        status = enclose(&(Encloser){chain, steady->sensitivity, NULL}, &chain->now, &within, pi,
                         &(Reward){.by_action = by_action}, 0, &found, info ? info : &unseen, err);
    }
    if (status == PEPA_OK) {
        *low = found.low;
        *high = found.high;
    }
    mem_free(by_action);
    return status;
}

PepaStatus pepa_measure_bounds(PepaSteady *steady, const PepaSettings *set, const double *pi,
                               const PepaMeasures *measures, double *low, double *high,
                               PepaInfo *info, PepaError *err)
{
    if (!steady || !pi || !measures || !low || !high)
        return error_null(err, "pepa_measure_bounds");
    PepaSettings within;
    PepaInfo unseen;
    Expressions *e = NULL;
    Interval *item = NULL;
    const int32_t count = pepa_measures_count(measures);
    PepaStatus status = query_join(&e, &measures->query, measures->owner, steady->owner, err);
    if (status == PEPA_OK)
        status = steady_differentiable(steady, set, &within, err);
    if (status == PEPA_OK && !mem_new(item, count))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = expressions_intervals(&(Bounding){{steady->chain, steady->sensitivity, NULL},
                                                   e,
                                                   &steady->chain->now,
                                                   &within,
                                                   pi,
                                                   info ? info : &unseen,
                                                   err},
                                       item);
    for (int32_t i = 0; i < count && status == PEPA_OK; i++) {
        low[i] = item[i].low;
        high[i] = item[i].high;
    }
    mem_free(item);
    expressions_free(e);
    return status;
}
