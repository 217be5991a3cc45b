/* How far the errors of estimates make a comparison of two mappings uncertain. */
#include <math.h>

#include "grid/monitor_parts.h"

static double square(double x)
{
    return x * x;
}

/* The weight of a process's error: the shares of the stages that are on it. */
static double share_of(const int32_t *mapping, const double *share, int32_t stages, int32_t process)
{
    double sum = 0;
    for (int32_t i = 0; i < stages; i++)
        sum += mapping[i] == process ? share[2 * i + 1] : 0;
    return sum;
}

/* Is it the first stage of the mapping that is there? */
static bool is_first(const int32_t *mapping, int32_t i)
{
    for (int32_t k = 0; k < i; k++)
        if (mapping[k] == mapping[i])
            return false;
    return true;
}

static double process_variance(const GridMonitor *m, const int32_t *a, const double *a_share,
                               const int32_t *b, const double *b_share, int32_t j)
{
    double difference = share_of(b, b_share, m->stages, j) - share_of(a, a_share, m->stages, j);
    return square(difference * m->paces[j].error);
}

/* Moves between stages; what both mappings move over the same pair cancels. */
static double move_variance(const GridMonitor *m, const int32_t *a, const double *a_share,
                            const int32_t *b, const double *b_share)
{
    double sum = 0;
    for (int32_t i = 1; i < m->stages; i++) {
        const GridLink *of_a = links_of(&m->links, a[i - 1], a[i]);
        const GridLink *of_b = links_of(&m->links, b[i - 1], b[i]);
        double a_error = of_a ? of_a->error * a_share[2 * i] : 0;
        double b_error = of_b ? of_b->error * b_share[2 * i] : 0;
        sum += of_a == of_b ? square(b_error - a_error) : square(a_error) + square(b_error);
    }
    return sum;
}

double grid_monitor_doubt(const GridMonitor *m, const int32_t *a, const double *a_share,
                          const int32_t *b, const double *b_share)
{
    double variance = move_variance(m, a, a_share, b, b_share);
    for (int32_t i = 0; i < m->stages; i++)
        variance += square(m->works[i].error * (b_share[2 * i + 1] - a_share[2 * i + 1]));
    for (int32_t i = 0; i < m->stages; i++) {
        if (is_first(a, i))
            variance += process_variance(m, a, a_share, b, b_share, a[i]);
        if (is_first(b, i) && share_of(a, a_share, m->stages, b[i]) == 0)
            variance += process_variance(m, a, a_share, b, b_share, b[i]);
    }
    return sqrt(variance);
}
