/* Simulated annealing over hosts of processes. */
#include "grid/taag/schedule/shift.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Of a run: steps for each group and host, and in all. */
enum { RUNS = 12, STEPS = 19, MOST_STEPS = 60000, MOST_CELLS = 100000 };
/* Temperatures in mean connections of a group; a link above the limit counts so many limits more. */
static const double HOT = 0.1, COLD = 0.0005, PENALTY = 2;

typedef struct {
    const Hosts *hosts;
    Shape *shape;
    Best *best;
    Effort *effort;
    int32_t level;
    double limit;
    int32_t *held;           /* groups x hosts: processes */
    int32_t *list, *uses;    /* of group g: its hosts, from list[first[g]] on; how many */
    int32_t *first;          /* groups + 1 */
    int32_t *free;           /* places left of hosts */
    int32_t *partner;        /* of groups: the other one of its unit; -1 */
    int32_t *near, *near_at; /* groups that talk to each */
    double *link;            /* groups x groups: latencies of connections */
    double *next;            /* scratch: groups */
    bool resizes;            /* processes may change their groups */
    int32_t *size;           /* of groups */
    int32_t *kept;           /* by rank: hosts at the least cost of this run */
    int32_t *kept_size;      /* of groups, then */
    double least;            /* that cost */
    uint64_t state;          /* of random numbers */
} Shift;

/* Processes of a group that go from one host to another; NOWHERE: to or from another group, whose move is the other one. */
enum { NOWHERE = -1 };
typedef struct {
    int32_t group, from, to, count;
} Move;

static int32_t random_below(Shift *s, int32_t n)
{
    s->state = s->state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((s->state >> 33) % (uint64_t)n);
}

static double price(const Shift *s, double ms)
{
    return ms <= s->limit ? ms : ms + PENALTY * (s->limit + ms);
}

/* ---- a placement ---------------------------------------------------------------------------- */

static int32_t *held_on(const Shift *s, int32_t g, int32_t h)
{
    return &s->held[(size_t)g * (size_t)s->hosts->count + (size_t)h];
}

static void add(Shift *s, int32_t g, int32_t h, int32_t count)
{
    int32_t *held = held_on(s, g, h), *list = s->list + s->first[g];
    if (*held == 0 && count > 0)
        list[s->uses[g]++] = h;
    *held += count;
    s->free[h] -= count;
    if (*held > 0 || count == 0)
        return;
    int32_t at = 0;
    while (list[at] != h)
        at++;
    list[at] = list[--s->uses[g]];
}

static void apply(Shift *s, const Move *m, int32_t by)
{
    const int32_t from = by > 0 ? m->from : m->to, to = by > 0 ? m->to : m->from;
    if (from != NOWHERE)
        add(s, m->group, from, -m->count);
    if (to != NOWHERE)
        add(s, m->group, to, m->count);
}

static double connection(Shift *s, int32_t a, int32_t b)
{
    const int32_t *x = s->list + s->first[a], *y = s->list + s->first[b];
    double most = 0;
    for (int32_t i = 0; i < s->uses[a]; i++)
        for (int32_t j = 0; j < s->uses[b]; j++)
            most = fmax(most, hosts_ms(s->hosts, x[i], y[j]));
    s->effort->work += (int64_t)s->uses[a] * s->uses[b];
    return most;
}

static bool near_enough(const Shift *s, int32_t g, int32_t host)
{
    bool near = true;
    for (int32_t i = 0; i < s->uses[g] && near; i++)
        near = hosts_level(s->hosts, s->list[s->first[g] + i], host) <= s->level;
    return near;
}

static double *link_of(const Shift *s, int32_t a, int32_t b)
{
    return &s->link[(size_t)a * (size_t)s->shape->groups + (size_t)b];
}

/* What the connections of a group, as it is now, cost more than those on record; next: these. */
static double rise(Shift *s, int32_t g, int32_t but, double *next)
{
    double more = 0;
    for (int32_t i = s->near_at[g]; i < s->near_at[g + 1]; i++) {
        const int32_t n = s->near[i];
        if (n == but)
            continue;
        next[n] = connection(s, g, n);
        more += price(s, next[n]) - price(s, *link_of(s, g, n));
    }
    return more;
}

static void record(Shift *s, int32_t g, int32_t but, const double *next)
{
    for (int32_t i = s->near_at[g]; i < s->near_at[g + 1]; i++)
        if (s->near[i] != but)
            *link_of(s, g, s->near[i]) = *link_of(s, s->near[i], g) = next[s->near[i]];
}

static void keep(Shift *s)
{
    memcpy(s->kept_size, s->size, (size_t)s->shape->groups * sizeof *s->kept_size);
    for (int32_t g = 0, rank = 0; g < s->shape->groups; g++)
        for (int32_t i = 0; i < s->uses[g]; i++) {
            const int32_t h = s->list[s->first[g] + i];
            for (int32_t n = 0; n < *held_on(s, g, h); n++)
                s->kept[rank++] = h;
        }
}

/* ---- annealing ------------------------------------------------------------------------------ */

/* A process of group g goes over to another group, where sizes then still descend. */
static int32_t draw_size(Shift *s, int32_t g, int32_t from, Move *move)
{
    const Shape *shape = s->shape;
    const int32_t other = shape->fixed + random_below(s, shape->parts);
    const int32_t next = g + 1 < shape->groups ? s->size[g + 1] + (g + 1 == other) : 0;
    if (g < shape->fixed || g == other || s->size[g] - 1 < shape->least || s->size[g] - 1 < next ||
        (other > shape->fixed && s->size[other - 1] - (g == other - 1) < s->size[other] + 1))
        return 0;
    move[0] = (Move){g, from, NOWHERE, 1};
    move[1] = (Move){other, NOWHERE, from, 1};
    return 2;
}

/* One group to a host with room, or two groups exchange hosts, or a process.  Returns how many groups move; 0: none
 * can. */
static int32_t draw(Shift *s, Move *move)
{
    const int32_t g = random_below(s, s->shape->groups);
    const int32_t from = s->list[s->first[g] + random_below(s, s->uses[g])];
    if (s->resizes && random_below(s, 3) == 0)
        return draw_size(s, g, from, move);
    const int32_t mine = *held_on(s, g, from);
    if (random_below(s, 2) == 0) {
        const int32_t to = random_below(s, s->hosts->count);
        const int32_t count = mine < s->free[to] ? mine : s->free[to];
        move[0] = (Move){g, from, to, count};
        return count > 0 && to != from;
    }
    const int32_t other = random_below(s, s->shape->groups);
    const int32_t to = s->list[s->first[other] + random_below(s, s->uses[other])];
    const int32_t its = *held_on(s, other, to), count = mine < its ? mine : its;
    move[0] = (Move){g, from, to, count};
    move[1] = (Move){other, to, from, count};
    return other == g || to == from ? 0 : 2;
}

static bool levels_hold(const Shift *s, const Move *move, int32_t moves)
{
    bool hold = true;
    for (int32_t i = 0; i < moves && hold; i++) {
        const int32_t partner = s->partner[move[i].group];
        if (move[i].to != NOWHERE)
            hold = near_enough(s, move[i].group, move[i].to) &&
                   (partner < 0 || near_enough(s, partner, move[i].to));
    }
    return hold;
}

/* Returns what the cost rises by. */
static double step(Shift *s, double temperature)
{
    Move move[2];
    const int32_t moves = draw(s, move);
    double *next = s->next, more = 0;
    s->effort->work += 4;
    if (moves == 0)
        return 0;
    for (int32_t i = 0; i < moves; i++)
        apply(s, &move[i], 1);
    const bool hold = levels_hold(s, move, moves);
    for (int32_t i = 0; i < moves && hold; i++)
        more += rise(s, move[i].group, i > 0 ? move[0].group : -1, next + i * s->shape->groups);
    if (hold && (more <= 0 || random_below(s, 1 << 30) < exp(-more / temperature) * (1 << 30))) {
        for (int32_t i = 0; i < moves; i++)
            record(s, move[i].group, i > 0 ? move[0].group : -1, next + i * s->shape->groups);
        for (int32_t i = 0; i < moves; i++) {
            s->size[move[i].group] -= move[i].to == NOWHERE;
            s->size[move[i].group] += move[i].from == NOWHERE;
        }
        return more;
    }
    for (int32_t i = moves - 1; i >= 0; i--)
        apply(s, &move[i], -1);
    return 0;
}

/* The best placement; returns its cost with the present limit. */
static double start(Shift *s)
{
    const Shape *shape = s->shape;
    double sum = 0;
    memcpy(s->free, s->hosts->places, (size_t)s->hosts->count * sizeof *s->free);
    memset(s->uses, 0, (size_t)shape->groups * sizeof *s->uses);
    memset(s->held, 0, (size_t)shape->groups * (size_t)s->hosts->count * sizeof *s->held);
    for (int32_t g = 0, rank = 0; g < shape->groups; g++) {
        s->size[g] = g < shape->fixed ? shape->size[g] : s->best->sizes[g - shape->fixed];
        for (int32_t i = 0; i < s->size[g]; i++, rank++)
            add(s, g, s->best->host_of[rank], 1);
    }
    for (int32_t g = 0; g < shape->groups; g++)
        for (int32_t i = s->near_at[g]; i < s->near_at[g + 1]; i++) {
            const double ms = connection(s, g, s->near[i]);
            *link_of(s, g, s->near[i]) = ms;
            sum += 0.5 * price(s, ms);
        }
    return sum;
}

static void anneal(Shift *s)
{
    double now = start(s);
    double temperature = HOT * 2 * now / s->shape->groups;
    const int32_t cells = s->shape->groups * s->hosts->count;
    const int32_t steps = cells < MOST_STEPS / STEPS ? STEPS * cells : MOST_STEPS;
    const double cooling = pow(COLD / HOT, 1.0 / steps);
    s->least = now;
    keep(s);
    for (int32_t i = 0; i < steps && !effort_ended(s->effort); i++, temperature *= cooling) {
        now += step(s, temperature);
        if (now < s->least * (1 - 1e-9)) {
            s->least = now;
            keep(s);
            s->effort->work += s->shape->fixed + s->shape->rest;
        }
    }
    if (s->resizes)
        division_set(s->shape, s->kept_size + s->shape->fixed);
    best_offer(s->best, s->hosts, s->shape, s->kept);
    s->effort->work += cost_work(s->hosts, s->shape);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_near(Shift *s, int32_t a, int32_t b)
{
    s->near[s->near_at[a + 1]++] = b;
    s->near[s->near_at[b + 1]++] = a;
}

static void list_near(Shift *s)
{
    const Shape *shape = s->shape;
    const int32_t n = shape->groups;
    memset(s->near_at, 0, ((size_t)n + 2) * sizeof *s->near_at);
    for (int32_t e = 0; e < shape->edge_count; e++) {
        s->near_at[shape->edges[e].a + 2]++;
        s->near_at[shape->edges[e].b + 2]++;
    }
    for (int32_t g = 0; g < n; g++) {
        s->near_at[g + 2] += shape->complete ? n - 1 : 0;
        s->near_at[g + 2] += s->near_at[g + 1];
    }
    for (int32_t e = 0; e < shape->edge_count; e++)
        add_near(s, shape->edges[e].a, shape->edges[e].b);
    for (int32_t a = 0; a < n && shape->complete; a++)
        for (int32_t b = 0; b < a; b++)
            add_near(s, a, b);
}

/* False: some unit has more than two groups. */
static bool find_partners(Shift *s)
{
    bool pairs = true;
    s->first[0] = 0;
    for (int32_t g = 0; g < s->shape->groups; g++) {
        s->partner[g] = -1;
        /* one more before the last leaves */
        s->first[g + 1] = s->first[g] + (s->resizes ? s->hosts->count : s->shape->size[g]) + 1;
    }
    for (int32_t g = 0; g < s->shape->groups; g++) {
        const int32_t unit = s->shape->unit[g];
        if (unit == g)
            continue;
        pairs = pairs && s->partner[unit] < 0;
        s->partner[unit] = g;
        s->partner[g] = unit;
    }
    return pairs;
}

bool shift_improve(const Hosts *h, Shape *shape, bool resizes, int32_t turn, Best *best,
                   Effort *effort)
{
    Shift s = {.hosts = h,
               .shape = shape,
               .best = best,
               .effort = effort,
               .state = 1 + (uint64_t)turn};
    const size_t n = (size_t)shape->groups, hosts = (size_t)h->count;
    const size_t processes = (size_t)(shape->fixed + shape->rest);
    const size_t near = shape->complete ? n * (n - 1) : 2 * (size_t)shape->edge_count;
    if (n * hosts > MOST_CELLS || n * n > MOST_CELLS || near == 0)
        return true;
    s.resizes = resizes && !shape->given;
    const size_t listed = s.resizes ? n * hosts : processes;
    const bool good = mem_new(s.held, n * hosts) && mem_new(s.list, listed + n) &&
                      mem_new(s.size, n) && mem_new(s.kept_size, n) && mem_new(s.uses, n) &&
                      mem_new(s.first, n + 1) && mem_new(s.free, hosts) && mem_new(s.partner, n) &&
                      mem_new(s.near, near) && mem_new(s.near_at, n + 2) &&
                      mem_new(s.link, n * n) && mem_new(s.next, 2 * n) &&
                      mem_new(s.kept, processes);
    if (good && find_partners(&s)) {
        list_near(&s);
        s.level = best->cost.level;
        for (int i = 0; i < RUNS && !effort_ended(effort); i++) {
            s.limit = i % 2 == 0 ? best->cost.most * (1 - 1e-9) : best->cost.most;
            anneal(&s);
        }
    }
    mem_free_all(s.size, s.kept_size, s.held, s.list, s.uses, s.first, s.free, s.partner, s.near,
                 s.near_at, s.link, s.next, s.kept);
    return good;
}
