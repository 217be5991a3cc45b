/* The grid that a GUM program runs on. */
#include "grid/gum/predict/platform.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/gum/policy/tuning.h"

/* ---- processes ------------------------------------------------------------------------------- */

static PepaStatus count_processes(const AmogetMachine *machine, int32_t asked, int32_t *out,
                                  PepaError *err)
{
    int64_t cores = 0;
    for (int32_t i = 0; i < amoget_processor_count(machine); i++)
        cores += amoget_cores(machine, i);
    if (asked < 0 || asked > cores)
        return error_set(err, PEPA_EARG, "the description has %lld cores, not %d", (long long)cores,
                         (int)asked);
    if (asked == 0 && cores > MOST_PROCESSES)
        asked = MOST_PROCESSES + 1;
    *out = asked > 0 ? asked : (int32_t)cores;
    return *out <= MOST_PROCESSES
               ? PEPA_OK
               : error_set(err, PEPA_ELIMIT, "more than %d processes", (int)MOST_PROCESSES);
}

static PepaStatus set_link(Platform *p, const AmogetMachine *machine, int32_t a, int32_t b,
                           PepaError *err)
{
    const int32_t from = p->processor[a], to = p->processor[b];
    double latency = amoget_latency(machine, from, to);
    if (isnan(latency) && from != to)
        return error_set(err, PEPA_EMODEL, "no latency between %s and %s is given",
                         amoget_processor_name(machine, from), amoget_processor_name(machine, to));
    const int64_t at = (int64_t)a * p->size + b;
    p->latency[at] = isnan(latency) ? 0 : latency;
    p->second[at] = 1 / amoget_bandwidth(machine, from, to);
    return PEPA_OK;
}

static PepaStatus fill(Platform *p, const AmogetMachine *machine, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    int32_t n = 0;
    for (int32_t i = 0; i < amoget_processor_count(machine); i++)
        for (int32_t c = 0; c < amoget_cores(machine, i) && n < p->size; c++) {
            p->processor[n] = i;
            p->time[n++] = amoget_time(machine, i) / amoget_availability(machine, i);
        }
    for (int32_t a = 0; a < n && status == PEPA_OK; a++)
        for (int32_t b = 0; b < n && status == PEPA_OK; b++)
            if (a != b)
                status = set_link(p, machine, a, b, err);
    return status;
}

static bool allocate(Platform *p)
{
    const size_t links = (size_t)p->size * (size_t)p->size;
    return mem_new(p->processor, p->size) && mem_new(p->time, p->size) &&
           mem_new(p->group, p->size) && mem_new(p->members, p->size) && mem_new(p->far, p->size) &&
           mem_new_zeroed(p->latency, links) && mem_new_zeroed(p->second, links) &&
           tables_new(&p->tables, p->size, 0) == 0;
}

static bool allocate_near(Platform *p)
{
    return mem_new(p->near, (size_t)p->tables.clusters * (size_t)p->tables.clusters);
}

/* Into the clusters that the run-time finds, for which the processes of one host are near each other
 * whatever their latency (grid/gum/meet.c). */
static bool divide(Platform *p)
{
    const int32_t n = p->size;
    double *latency = NULL;
    if (!mem_new(latency, (size_t)n * (size_t)n))
        return false;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < n; b++)
            latency[(int64_t)a * n + b] = p->processor[a] == p->processor[b]
                                              ? fmin(platform_latency(p, a, b), APART / 2)
                                              : platform_latency(p, a, b);
    tables_divide(&p->tables, latency, APART);
    mem_free(latency);
    return true;
}

PepaStatus platform_new(Platform *out, const AmogetMachine *machine, int32_t processes,
                        PepaError *err)
{
    *out = (Platform){0};
    PepaStatus status = count_processes(machine, processes, &out->size, err);
    if (status != PEPA_OK)
        return status;
    if (!allocate(out))
        return error_memory(err);
    status = fill(out, machine, err);
    if (status != PEPA_OK)
        return status;
    for (int32_t i = 0; i < out->size; i++)
        out->tables.fixed[i].speed = 1 / out->time[i];
    return divide(out) && allocate_near(out) ? platform_regroup(out, err) : error_memory(err);
}

static int32_t like_of(const Platform *p, int32_t cluster)
{
    for (int32_t i = 0; i < p->size; i++)
        if (p->tables.fixed[i].cluster == cluster && i != p->tables.main)
            return i;
    return p->tables.main;
}

static int32_t nearest_to(const Platform *p, int32_t process)
{
    int32_t found = -1;
    for (int32_t i = 0; i < p->size; i++)
        if (i != process &&
            (found < 0 || platform_latency(p, process, i) < platform_latency(p, process, found)))
            found = i;
    return found;
}

PepaStatus platform_grow(Platform *out, const Platform *p, int32_t cluster, PepaError *err)
{
    const int32_t n = p->size, like = like_of(p, cluster), near = nearest_to(p, like);
    *out = (Platform){.size = n + 1};
    if (!allocate(out))
        return error_memory(err);
    for (int32_t a = 0; a <= n; a++) {
        const int32_t from = a < n ? a : like;
        out->processor[a] = p->processor[from];
        out->time[a] = p->time[from];
        out->tables.fixed[a] = p->tables.fixed[from];
        for (int32_t b = 0; b <= n; b++) {
            const int32_t to = b < n ? b : like;
            const int64_t at = (int64_t)a * (n + 1) + b;
            const bool alike = a != b && from == to;
            if (a == b || (alike && near < 0))
                continue;
            out->latency[at] = platform_latency(p, from, alike ? near : to);
            out->second[at] = p->second[(int64_t)from * n + (alike ? near : to)];
        }
    }
    out->tables.main = p->tables.main;
    out->tables.clusters = p->tables.clusters;
    return allocate_near(out) ? platform_regroup(out, err) : error_memory(err);
}

void platform_free(Platform *p)
{
    mem_free_all(p->processor, p->time, p->latency, p->second, p->members, p->near, p->far,
                 p->group);
    tables_free(&p->tables);
    *p = (Platform){0};
}

/* ---- clusters that are alike ------------------------------------------------------------------ */

/* The first process of that cluster after `process`; p->size: there is none. */
static int32_t next_of(const Platform *p, int32_t cluster, int32_t process)
{
    do
        process++;
    while (process < p->size && p->tables.fixed[process].cluster != cluster);
    return process;
}

static bool same_links(const Platform *p, int32_t a, int32_t b, int32_t of_a, int32_t of_b)
{
    const int64_t n = p->size, there = a * n + b, back = b * n + a, here = of_a * n + of_b,
                  home = of_b * n + of_a;
    return p->latency[there] == p->latency[here] && p->second[there] == p->second[here] &&
           p->latency[back] == p->latency[home] && p->second[back] == p->second[home];
}

/* `moved` has the process that each changes places with. */
static bool same_places(const Platform *p, int32_t cluster, int32_t other, const int32_t *moved)
{
    for (int32_t a = 0; a < p->size; a++) {
        const int32_t at = p->tables.fixed[a].cluster;
        if (at != cluster && at != other)
            continue;
        if (p->time[a] != p->time[moved[a]])
            return false;
        for (int32_t b = 0; b < p->size; b++)
            if (!same_links(p, a, b, moved[a], moved[b]))
                return false;
    }
    return true;
}

bool platform_alike(const Platform *p, int32_t cluster, int32_t other, int32_t *moved)
{
    const int32_t home = p->tables.fixed[p->tables.main].cluster;
    if (cluster == home || other == home || p->members[cluster] != p->members[other])
        return cluster == other;
    for (int32_t i = 0; i < p->size; i++)
        moved[i] = i;
    int32_t a = next_of(p, cluster, -1), b = next_of(p, other, -1);
    for (; a < p->size; a = next_of(p, cluster, a), b = next_of(p, other, b)) {
        moved[a] = b;
        moved[b] = a;
    }
    return same_places(p, cluster, other, moved);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int by_likeness(const void *a, const void *b)
{
    const Group *x = a, *y = b;
    if (x->cluster != y->cluster)
        return x->cluster < y->cluster ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->latency != y->latency)
        return x->latency < y->latency ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

static int by_cluster(const void *a, const void *b)
{
    const Group *x = a, *y = b;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Those that are equal become one, with the mean speed and latency. */
static int32_t join(Group *group, int32_t count, int (*order)(const void *, const void *))
{
    int32_t groups = 0;
    for (int32_t i = 0; i < count; i++) {
        Group *last = groups > 0 ? &group[groups - 1] : NULL;
        if (!last || order(last, &group[i]) != 0) {
            group[groups++] = group[i];
            continue;
        }
        const double old = last->copies, more = group[i].copies, all = old + more;
        last->copies += group[i].copies;
        if (by_likeness(last, &group[i]) == 0)
            continue; /* and so without rounding */
        last->time = all / (old / last->time + more / group[i].time);
        last->latency = (old * last->latency + more * group[i].latency) / all;
        last->second = (old * last->second + more * group[i].second) / all;
    }
    return groups;
}

/* Means of latencies between clusters, from each, and of all: 0 where there is no pair. */
static void average(Platform *p)
{
    const int32_t n = p->tables.clusters;
    double all = 0;
    memset(p->near, 0, (size_t)n * (size_t)n * sizeof *p->near);
    memset(p->members, 0, (size_t)n * sizeof *p->members);
    for (int32_t a = 0; a < p->size; a++)
        p->members[p->tables.fixed[a].cluster]++;
    for (int32_t a = 0; a < p->size; a++)
        for (int32_t b = 0; b < p->size; b++)
            if (a != b)
                p->near[(int64_t)p->tables.fixed[a].cluster * n + p->tables.fixed[b].cluster] +=
                    platform_latency(p, a, b);
    for (int32_t c = 0; c < n; c++) {
        const double size = p->members[c];
        double sum = 0;
        for (int32_t d = 0; d < n; d++) {
            const double others = p->members[d] - (c == d ? 1 : 0);
            double *near = &p->near[(int64_t)c * n + d];
            sum += *near;
            *near = others > 0 ? *near / (size * others) : 0;
        }
        all += sum;
        p->far[c] = p->size > 1 ? sum / (size * (p->size - 1)) : 0;
    }
    p->mean = p->size > 1 ? all / ((double)p->size * (p->size - 1)) : 0;
}

PepaStatus platform_regroup(Platform *p, PepaError *err)
{
    int32_t count = 0;
    average(p);
    p->speed = 0;
    for (int32_t i = 0; i < p->size; i++) {
        const int64_t at = (int64_t)i * p->size + p->tables.main;
        p->speed += 1 / p->time[i];
        if (i != p->tables.main)
            p->group[count++] =
                (Group){1, p->tables.fixed[i].cluster, p->time[i], p->latency[at], p->second[at]};
    }
    qsort(p->group, (size_t)count, sizeof *p->group, by_likeness);
    p->groups = join(p->group, count, by_likeness);
    if (p->groups > MOST_GROUPS)
        p->groups = join(p->group, p->groups, by_cluster);
    return p->groups <= MOST_GROUPS
               ? PEPA_OK
               : error_set(err, PEPA_ELIMIT, "more than %d clusters", (int)MOST_GROUPS);
}
