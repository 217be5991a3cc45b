/* The cost of a placement. */
#include "grid/taag/schedule/cost.h"

#include <math.h>

int cost_compare(Cost a, Cost b)
{
    if (a.level != b.level)
        return a.level < b.level ? -1 : 1;
    if (a.most < b.most || a.most > b.most)
        return a.most < b.most ? -1 : 1;
    if (fabs(a.mean - b.mean) <= 1e-12 * fmax(a.mean, b.mean))
        return 0;
    return a.mean < b.mean ? -1 : 1;
}

double cost_connections(const Shape *s)
{
    return s->complete ? 0.5 * s->groups * (s->groups - 1.0) : s->edge_count;
}

/* The hosts of a group: used[start[g]] .. used[start[g + 1] - 1], each once.  Most processes are on
 * the host of the one before. */
static void list_hosts(const Shape *s, const int32_t *host_of, int32_t *used, int32_t *start)
{
    int32_t rank = 0, at = 0;
    for (int32_t g = 0; g < s->groups; g++) {
        start[g] = at;
        for (int32_t i = 0; i < s->size[g]; i++, rank++) {
            if (i > 0 && host_of[rank] == host_of[rank - 1])
                continue;
            int32_t j = start[g];
            while (j < at && used[j] != host_of[rank])
                j++;
            used[j] = host_of[rank];
            at = j == at ? at + 1 : at;
        }
    }
    start[s->groups] = at;
}

/* Calls are cheap: most groups have few hosts. */
static double connection(const Hosts *h, const int32_t *used, const int32_t *start, int32_t a,
                         int32_t b)
{
    double most = hosts_ms(h, used[start[a]], used[start[b]]);
    if (start[a + 1] - start[a] == 1 && start[b + 1] - start[b] == 1)
        return most;
    for (int32_t i = start[a]; i < start[a + 1]; i++)
        for (int32_t j = start[b]; j < start[b + 1]; j++) {
            const double ms = hosts_ms(h, used[i], used[j]);
            most = ms > most ? ms : most;
        }
    return most;
}

static int32_t level_between(const Hosts *h, const int32_t *used, const int32_t *start, int32_t a,
                             int32_t b)
{
    int32_t level = 0;
    for (int32_t i = start[a]; i < start[a + 1]; i++)
        for (int32_t j = start[b]; j < (a == b ? i : start[b + 1]); j++)
            if (hosts_level(h, used[i], used[j]) > level)
                level = hosts_level(h, used[i], used[j]);
    return level;
}

int64_t cost_work(const Hosts *h, const Shape *s)
{
    int64_t n = s->fixed + s->rest, hosts = n < h->count ? n : h->count;
    int64_t each = n / s->groups + 1 < hosts ? n / s->groups + 1 : hosts; /* hosts of a group */
    int64_t pairs = s->groups + (int64_t)cost_connections(s);
    double by_groups = (double)pairs * (double)(each * each);
    double by_hosts = (double)(pairs + hosts * hosts);
    return n + (int64_t)fmin(by_groups, by_hosts);
}

Cost cost_of(const Hosts *h, const Shape *s, const int32_t *host_of, int32_t *used, int32_t *start)
{
    Cost cost = {0, 0, 0};
    list_hosts(s, host_of, used, start);
    for (int32_t g = 0; g < s->groups; g++) {
        int32_t own = level_between(h, used, start, g, g);
        int32_t unit = s->unit[g] != g ? level_between(h, used, start, g, s->unit[g]) : 0;
        cost.level = own > cost.level ? own : cost.level;
        cost.level = unit > cost.level ? unit : cost.level;
    }
    for (int32_t e = 0; e < s->edge_count; e++) {
        double ms = connection(h, used, start, s->edges[e].a, s->edges[e].b);
        cost.most = fmax(cost.most, ms);
        cost.mean += ms;
    }
    for (int32_t a = 0; a < s->groups && s->complete; a++)
        for (int32_t b = 0; b < a; b++) {
            double ms = connection(h, used, start, a, b);
            cost.most = ms > cost.most ? ms : cost.most;
            cost.mean += ms;
        }
    if (cost_connections(s) > 0)
        cost.mean /= cost_connections(s);
    return cost;
}
