/* Numbers of groups for the visits of a walk, and sizes that fall along it. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "grid/taag/schedule/ring_walk_inner.h"
#include "grid/taag/schedule/spread_place.h"

static const double ROUNDING = 1e-12;

/* ---- sizes ---------------------------------------------------------------------------------- */

/* The sizes of the visits: of each group the least, then as much more as there is room, from the first on. */
static void set_sizes(RingWalk *r)
{
    Shape *s = r->shape;
    int64_t room[MOST_SITES], left = s->rest;
    int32_t *size = s->size + s->fixed, at = 0;
    memcpy(room, r->sites->places, sizeof room);
    for (int32_t j = 0; j < r->visits; j++)
        for (int32_t i = 0; i < r->visit[j].groups; i++, at++) {
            r->site[at] = r->visit[j].site;
            size[at] = r->visit[j].last;
            room[r->site[at]] -= size[at];
            left -= size[at];
        }
    assert(at == s->parts);
    at = 0;
    for (int32_t j = 0; j < r->visits; j++)
        for (int32_t i = 0; i < r->visit[j].groups; i++, at++) {
            const int64_t most = j == 0 ? s->rest : r->visit[j - 1].last;
            int64_t more = most - size[at];
            more = more < room[r->site[at]] ? more : room[r->site[at]];
            more = more < left ? more : left;
            if (more <= 0)
                continue;
            size[at] += (int32_t)more;
            room[r->site[at]] -= more;
            left -= more;
        }
    for (at = s->parts - 1; left < 0; at--) {
        const int64_t less = size[at] - s->least < -left ? size[at] - s->least : -left;
        size[at] -= (int32_t)less;
        left += less;
    }
    assert(left == 0);
}

static void keep(RingWalk *r, double sum)
{
    set_sizes(r);
    r->found = fmin(r->found, sum);
    r->goal = fmin(r->goal, sum * (1 - ROUNDING));
    r->effort->work += 2 * cost_work(r->hosts, r->shape);
    r->no_memory =
        r->no_memory || !spread_offer(r->hosts, r->sites, r->shape, r->site, NULL, -1, r->best);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Can processes be as many as there are?  Groups that are left have at most `high` each. */
static bool can_reach(const RingWalk *r, int32_t left, int64_t high)
{
    int64_t all = 0, now = 0;
    for (int32_t a = 0; a < r->sites->count; a++) {
        const int64_t places = r->set >> a & 1 ? r->sites->places[a] : 0;
        const int64_t here = r->reach[a] < places ? r->reach[a] : places;
        now += here;
        all += r->again[a] > 0 ? places : here;
    }
    return all >= r->shape->rest && now + left * high >= r->shape->rest;
}

static void fill(RingWalk *r, int32_t j, int32_t left, int64_t high, double sum);

/* So many groups for visit j; high: processes of the last group before it. */
static void try_groups(RingWalk *r, int32_t j, int32_t groups, int32_t left, int64_t high,
                       double sum)
{
    const int32_t a = r->visit[j].site, least = r->shape->least;
    const bool end = j == r->visits - 1;
    int64_t most = (r->sites->places[a] - r->least[a]) / groups;
    const int64_t even = (r->shape->rest - (int64_t)(left - groups) * least) /
                         (r->shape->parts - left + groups); /* the groups up to here have as many */
    most = most < even ? most : even;
    most = end ? least : most < high ? most : high;
    r->visit[j].groups = groups;
    r->reach[a] += groups * high;
    for (int64_t last = most; last >= least; last--) {
        r->visit[j].last = (int32_t)last;
        r->least[a] += groups * last;
        if (can_reach(r, left - groups, last))
            fill(r, j + 1, left - groups, last, sum);
        r->least[a] -= groups * last;
        if (r->again[a] == 0)
            break;
    }
    r->reach[a] -= groups * high;
}

/* Groups for the visits from j on. */
static void fill(RingWalk *r, int32_t j, int32_t left, int64_t high, double sum)
{
    r->effort->work += 2 * r->sites->count;
    if (effort_ended(r->effort) || r->no_memory || sum + left * r->cheapest > r->goal)
        return;
    if (j == r->visits) {
        if (left == 0)
            keep(r, sum);
        return;
    }
    const bool end = j == r->visits - 1 && j > 0; /* nothing but what is left goes there */
    const int32_t a = r->visit[j].site, later = r->visits - 2 - j;
    const double within = r->sites->ms[a][a];
    int64_t most = left - (later > 0 ? later : 0);
    const int64_t room = (r->sites->places[a] - r->least[a]) / r->shape->least;
    most = most < room ? most : room;
    if (within > r->limit && r->visits > 1) { /* one in each visit */
        const int64_t one = end ? 1 - r->visit[0].groups : 1;
        most = most < one ? most : one;
    }
    r->again[a]--;
    for (int64_t n = most; n >= (end ? left : 1); n--) {
        if (n == 0) {
            r->visit[j].groups = 0;
            r->visit[j].last = r->shape->least;
            if (can_reach(r, 0, 0))
                fill(r, j + 1, 0, high, sum);
        } else {
            try_groups(r, j, (int32_t)n, left, high, sum + (double)n * within);
        }
    }
    r->again[a]++;
}

/* The walk from its i-th visit on, which may have groups at the end too. */
static void start_at(RingWalk *r, int32_t i)
{
    memset(r->again, 0, sizeof r->again);
    memset(r->least, 0, sizeof r->least);
    memset(r->reach, 0, sizeof r->reach);
    r->visits = 0;
    r->cheapest = INFINITY;
    for (int32_t j = 0; j < r->length + (r->length > 1); j++) {
        const int32_t a = r->walk[(i + j) % r->length];
        r->visit[r->visits++].site = a;
        r->again[a]++;
        r->cheapest = fmin(r->cheapest, r->sites->ms[a][a]);
    }
}

void ring_walk_fill(RingWalk *r, double links)
{
    for (int32_t i = 0; i < r->length && links + r->within[r->set] <= r->goal; i++) {
        start_at(r, i);
        fill(r, 0, r->shape->parts,
             r->shape->rest - (int64_t)(r->shape->parts - 1) * r->shape->least, links);
    }
}
