/* What a process knows of the others. */
#include "grid/gum/policy/tables.h"

#include <math.h>
#include <stdlib.h>

#include "grid/gum/policy/tuning.h"

int tables_new(Tables *tables, int32_t size, int32_t self)
{
    size_t count = (size_t)size;
    *tables = (Tables){.size = size, .self = self, .clusters = 1, .near = size - 1};
    tables->fixed = calloc(count, sizeof *tables->fixed);
    tables->dynamic = calloc(count, sizeof *tables->dynamic);
    tables->communication = calloc(count, sizeof *tables->communication);
    if (!tables->fixed || !tables->dynamic || !tables->communication)
        return -1;
    for (int32_t p = 0; p < size; p++) {
        tables->fixed[p].speed = 1;
        tables->dynamic[p].stamp = tables->dynamic[p].began = -1;
    }
    return 0;
}

void tables_free(Tables *tables)
{
    free(tables->fixed);
    free(tables->dynamic);
    free(tables->communication);
    *tables = (Tables){0};
}

double tables_ratio(const Tables *tables, int32_t process)
{
    return tables->fixed[process].speed / (1 + tables_load(tables, process));
}

double tables_speed(const Tables *tables)
{
    double sum = 0;
    for (int32_t p = 0; p < tables->size; p++)
        sum += tables->fixed[p].speed;
    return sum;
}

double tables_cluster_ratio(const Tables *tables, int32_t cluster)
{
    double speed = 0, load = 0;
    for (int32_t p = 0; p < tables->size; p++)
        if (tables->fixed[p].cluster == cluster) {
            speed += tables->fixed[p].speed;
            load += 1 + tables_load(tables, p);
        }
    return load > 0 ? speed / load : 0;
}

int32_t tables_cluster_size(const Tables *tables, int32_t cluster)
{
    int32_t count = 0;
    for (int32_t p = 0; p < tables->size; p++)
        count += tables->fixed[p].cluster == cluster;
    return count;
}

void tables_hear(Tables *tables, int32_t process, const PeDynamic *entry)
{
    if (process != tables->self && entry->stamp > tables->dynamic[process].stamp)
        tables->dynamic[process] = *entry;
}

void tables_add_length(Tables *tables, double work)
{
    lengths_add(&tables->lengths, work / tables->fixed[tables->main].speed);
}

void tables_learn(Tables *tables, const Lengths *lengths)
{
    if (lengths->tasks > tables->lengths.tasks)
        tables->lengths = *lengths;
}

void tables_measure(Tables *tables, int32_t process, double seconds, double now)
{
    Communication *it = &tables->communication[process];
    if (seconds < 0)
        seconds = 0;
    it->least = fmin(it->least > 0 ? it->least : it->latency, seconds);
    tables->late += LATE_WEIGHT * (seconds - it->least - tables->late);
    double weight = seconds > it->latency ? LONGER_WEIGHT : SHORTER_WEIGHT;
    it->latency += weight * (seconds - it->latency);
    it->stamp = now;
}

/* Give process p and all that are near to it, directly or not, this cluster. */
static void spread(Tables *tables, const double *latency, double apart, int32_t p, int32_t cluster)
{
    tables->fixed[p].cluster = cluster;
    for (int32_t q = 0; q < tables->size; q++)
        if (tables->fixed[q].cluster < 0 && latency[(int64_t)p * tables->size + q] < apart)
            spread(tables, latency, apart, q, cluster);
}

static double cluster_speed(const Tables *tables, int32_t cluster)
{
    double sum = 0;
    for (int32_t p = 0; p < tables->size; p++)
        if (tables->fixed[p].cluster == cluster)
            sum += tables->fixed[p].speed;
    return sum;
}

void tables_divide(Tables *tables, const double *latency, double apart)
{
    int32_t best = 0;
    tables->clusters = 0;
    for (int32_t p = 0; p < tables->size; p++)
        tables->fixed[p].cluster = -1;
    for (int32_t p = 0; p < tables->size; p++)
        if (tables->fixed[p].cluster < 0)
            spread(tables, latency, apart, p, tables->clusters++);
    for (int32_t c = 1; c < tables->clusters; c++)
        if (cluster_speed(tables, c) > cluster_speed(tables, best))
            best = c;
    tables->main = -1;
    for (int32_t p = 0; p < tables->size; p++)
        if (tables->fixed[p].cluster == best &&
            (tables->main < 0 || tables->fixed[p].speed > tables->fixed[tables->main].speed))
            tables->main = p;
    tables->near = tables_cluster_size(tables, tables->fixed[tables->self].cluster) - 1;
}
