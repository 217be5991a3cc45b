/* Means by sorted times of groups. */
#include "grid/taag/predict/means.h"

#include <string.h>

#include "base/error.h"
#include "grid/predict/maximum.h"

/* Of all lists; beyond it means are computed again. */
static const size_t MOST_ITEMS = 16000000;

bool means_make(Means *m, int32_t phases, int32_t groups)
{
    *m = (Means){.phases = phases};
    return mem_new(m->sorted, groups) && mem_new(m->key, 2 * (size_t)groups);
}

void means_free(Means *m)
{
    lists_free(&m->times);
    mem_free_all(m->mean, m->sorted, m->key);
    *m = (Means){0};
}

/* By insertion, from the last time on: the first ones are those of large groups, mostly the longest. */
static void sort_times(double *sorted, const double *time, int32_t count)
{
    for (int32_t i = count; i-- > 0;) {
        int32_t at = count - 1 - i;
        for (; at > 0 && sorted[at - 1] > time[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = time[i];
    }
}

/* What a mean takes, as measured: each of some 300 points looks at the stages of each group. */
static int64_t mean_work(const Means *m, int32_t groups)
{
    return (int64_t)24 * groups * (40 + m->phases);
}

static bool remember(Means *m, size_t length, double most)
{
    const int32_t at = lists_put(&m->times, m->key, length);
    if (at < 0 || !mem_grow(m->mean, m->mean_cap, (size_t)at + 1))
        return false;
    m->mean[at] = most;
    return true;
}

PepaStatus means_of(Means *m, const Round *r, double *out, int64_t *work, PepaError *err)
{
    const size_t groups = (size_t)r->groups, length = 2 * groups;
    sort_times(m->sorted, r->time, r->groups);
    memcpy(m->key, m->sorted, groups * sizeof *m->sorted);
    const int32_t known = lists_find(&m->times, m->key, length);
    *work += 8 + r->groups;
    double most = 0;
    if (known >= 0) {
        most = m->mean[known];
    } else {
        const Durations each = {m->sorted, r->groups, m->phases};
        const size_t items = m->times.count ? m->times.first[m->times.count] : 0;
        PepaStatus status = maximum_mean(&each, &most, err);
        *work += mean_work(m, r->groups);
        if (status != PEPA_OK)
            return status;
        if (items + length <= MOST_ITEMS && !remember(m, length, most))
            return error_memory(err);
    }
    *out = most + r->exchange;
    return PEPA_OK;
}
