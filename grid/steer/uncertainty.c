/* The standard error of a comparison of two mappings, from the errors of the estimates. */
#include "grid/steer/monitor.h"

#include <math.h>

#include "grid/steer/monitor_parts.h"

static double square(double x)
{
    return x * x;
}

/* The relative standard error of a mean of `count` durations that were estimated to have `error`,
 * with the prior of monitor.h; count 0: nothing was measured. */
static double cautious(double error, int32_t count)
{
    double n = count;
    return count > 0 ? sqrt(1 + (n - 1) * n * square(error)) / n : 0;
}

static double speed_error(const Speed *speed)
{
    double error = speed->served > 0 ? cautious(speed->error, speed->served) : speed->error;
    return hypot(error, speed->whole ? speed->pauses_error : 0);
}

static double work_error(const StageWork *work)
{
    return work->output < 0 ? 0 : cautious(work->error, work->services.count);
}

static double link_error(const GridLink *link)
{
    return link ? cautious(link->error, link->transfers.count) : 0;
}

/* The share of activity k; 0 for NULL, which is nothing to compare with. */
static double share_at(const double *share, int32_t k)
{
    return share ? share[k] : 0;
}

/* The weight of a process's error: the shares of the stages that are on it. */
static double share_of(const int32_t *mapping, const double *share, int32_t stages, int32_t process)
{
    double sum = 0;
    for (int32_t i = 0; i < stages; i++)
        sum += mapping[i] == process ? share_at(share, 2 * i + 1) : 0;
    return sum;
}

/* Is stage i the first one on its process? */
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
    double difference =
        share_of(b, b_share, m->works.stages, j) - share_of(a, a_share, m->works.stages, j);
    return square(difference * speed_error(&m->machines.speeds[j]));
}

/* ---- moves: stages + 1 between stages and ends, then those out of the input buffers ---------- */

static int32_t moves_of(const GridMonitor *m)
{
    return m->works.stages + 1 +
           (amoget_transfer(m->desc) == AMOGET_BUFFERED ? m->works.stages - 1 : 0);
}

static int32_t activity_of(const GridMonitor *m, int32_t move)
{
    return move <= m->works.stages ? 2 * move : m->works.stages + move;
}

/* The link of a move; NULL: never measured. */
static const GridLink *link_at(const GridMonitor *m, const int32_t *mapping, int32_t move)
{
    int32_t input, output;
    if (move > m->works.stages) {
        int32_t there = mapping[move - m->works.stages];
        return links_of(&m->machines.links, there, there);
    }
    amoget_ends(m->desc, &input, &output);
    int32_t from = move > 0 ? mapping[move - 1] : input;
    int32_t to = move < m->works.stages ? mapping[move] : output;
    return links_of(&m->machines.links, from == AMOGET_NOWHERE ? to : from,
                    to == AMOGET_NOWHERE ? from : to);
}

/* The sum of shares of the moves over a link, and the first of these moves (-1: none). */
static double share_over(const GridMonitor *m, const int32_t *mapping, const double *share,
                         const GridLink *link, int32_t *first)
{
    double sum = 0;
    *first = -1;
    for (int32_t move = moves_of(m) - 1; move >= 0; move--) {
        if (link_at(m, mapping, move) != link)
            continue;
        sum += share_at(share, activity_of(m, move));
        *first = move;
    }
    return sum;
}

static double move_variance(const GridMonitor *m, const int32_t *a, const double *a_share,
                            const int32_t *b, const double *b_share)
{
    double variance = 0;
    for (int32_t k = 0; k < 2 * moves_of(m); k++) {
        int32_t first_a, first_b, move = k / 2;
        const GridLink *link = link_at(m, k % 2 ? b : a, move);
        double a_sum = share_over(m, a, a_share, link, &first_a);
        double b_sum = share_over(m, b, b_share, link, &first_b);
        /* each link once */
        if (k % 2 ? first_a < 0 && first_b == move : first_a == move)
            variance += square((b_sum - a_sum) * link_error(link));
    }
    return variance;
}

/* ---- the sum ------------------------------------------------------------------------------ */

double grid_monitor_error(const GridMonitor *m, const int32_t *a, const double *a_share,
                          const int32_t *b, const double *b_share)
{
    if (!b)
        b = a; /* without shares it counts nothing */
    double variance = move_variance(m, a, a_share, b, b_share);
    for (int32_t i = 0; i < m->works.stages; i++)
        variance += square(work_error(&m->works.each[i]) *
                           (share_at(b_share, 2 * i + 1) - a_share[2 * i + 1]));
    for (int32_t i = 0; i < m->works.stages; i++) {
        if (is_first(a, i))
            variance += process_variance(m, a, a_share, b, b_share, a[i]);
        if (is_first(b, i) && share_of(a, a_share, m->works.stages, b[i]) == 0)
            variance += process_variance(m, a, a_share, b, b_share, b[i]);
    }
    return sqrt(variance);
}

int32_t grid_monitor_samples(const GridMonitor *m, const int32_t *mapping)
{
    int32_t fewest = INT32_MAX;
    for (int32_t i = 0; i < m->works.stages; i++) {
        const Window *services = &m->works.each[i].services;
        int32_t count = 0;
        for (int32_t k = 0; k < services->count; k++) {
            const Measurement *service = window_at(services, k);
            count += service->process == mapping[i] &&
                     service->time >= m->machines.speeds[mapping[i]].since;
        }
        fewest = count < fewest ? count : fewest;
    }
    return fewest;
}
