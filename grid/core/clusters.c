/* Latency clusters. */
#include "grid/core/clusters.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cluster_threshold(int32_t n, const double *latency)
{
    double *sorted = calloc((size_t)n * (size_t)n, sizeof *sorted), threshold = HUGE_VAL;
    size_t count = 0;
    if (!sorted)
        return -1;
    for (size_t a = 0; a < (size_t)n; a++)
        for (size_t b = 0; b < a; b++)
            if (latency[a * (size_t)n + b] > 0)
                sorted[count++] = latency[a * (size_t)n + b];
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 1; i < count && threshold == HUGE_VAL; i++)
        if (sorted[i] >= CLUSTER_GAP * sorted[i - 1])
            threshold = sorted[i - 1];
    if (threshold == HUGE_VAL && count > 0 && sorted[0] >= CLUSTER_FAR)
        threshold = 0;
    free(sorted);
    return threshold;
}

/* Breadth-first search from each host that is in no cluster yet. */
int32_t cluster_hosts(int32_t n, const double *latency, double threshold, int32_t *cluster_of)
{
    int32_t *queue = calloc((size_t)n, sizeof *queue), count = 0;
    if (!queue)
        return -1;
    for (int32_t h = 0; h < n; h++)
        cluster_of[h] = -1;
    for (int32_t first = 0; first < n; first++) {
        int32_t head = 0, tail = 0;
        if (cluster_of[first] >= 0)
            continue;
        cluster_of[first] = count;
        for (queue[tail++] = first; head < tail; head++)
            for (int32_t h = 0; h < n; h++)
                if (cluster_of[h] < 0 &&
                    latency[(size_t)queue[head] * (size_t)n + (size_t)h] <= threshold) {
                    cluster_of[h] = count;
                    queue[tail++] = h;
                }
        count++;
    }
    free(queue);
    return count;
}
