/* Branch and bound over the placements of one partition. */
#include "grid/taag/predict/branch.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

static void order_hosts(Branch *b)
{
    const double *second = b->costs->second;
    for (int32_t i = 0; i < b->costs->count; i++) {
        int32_t at = i;
        for (; at > 0 && second[b->order[at - 1]] > second[i]; at--)
            b->order[at] = b->order[at - 1];
        b->order[at] = i;
    }
    for (int32_t at = 0; at < b->costs->count; at++)
        b->rank[b->order[at]] = at;
}

bool branch_make(Branch *b, Fastest *fastest, int32_t processes)
{
    const int32_t hosts = fastest->costs->count;
    *b = (Branch){.fastest = fastest, .costs = fastest->costs};
    if (!mem_new(b->order, hosts) || !mem_new(b->rank, hosts) || !mem_new_zeroed(b->load, hosts) ||
        !mem_new_zeroed(b->own, hosts) || !mem_new(b->share, processes) ||
        !mem_new_zeroed(b->first, processes + 1) || !mem_new(b->place, processes) ||
        !mem_new(b->first_rank, processes) || !mem_new(b->host_of, processes) ||
        !mem_new(b->pass, processes) || !mem_new_zeroed(b->most, processes + 1) ||
        !round_make(&b->bound, processes) ||
        apart_find(&b->apart, b->costs, processes, NULL) != PEPA_OK)
        return false;
    order_hosts(b);
    return true;
}

void branch_free(Branch *b)
{
    mem_free_all(b->order, b->rank, b->load, b->own, b->share, b->first, b->place, b->first_rank,
                 b->host_of, b->pass, b->most);
    round_free(&b->bound);
    *b = (Branch){0};
}

bool branch_ended(Branch *b)
{
    b->ended = b->ended || b->fastest->status != PEPA_OK || b->fastest->work > b->limit ||
               fastest_late(b->fastest);
    return b->ended;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static int32_t host_at(const Branch *b, int32_t share)
{
    return b->order[b->share[share].at];
}

/* The slowest step of a group, by its place, whose shares end before `end`. */
static double slowest_step(const Branch *b, int32_t i, int32_t end)
{
    double most = 0;
    for (int32_t s = b->first[i]; s < end; s++)
        most = fmax(most, costs_step(b->costs, host_at(b, s), b->load[host_at(b, s)]));
    return most;
}

/* The slowest of so many steps on the fastest places that are free. */
static double free_step(const Branch *b, int64_t processes)
{
    const int32_t *places = b->costs->hosts->places;
    int32_t at = 0;
    for (; at + 1 < b->costs->count; at++) {
        processes -= places[b->order[at]] - b->load[b->order[at]];
        if (processes <= 0)
            break;
    }
    return b->costs->second[b->order[at]];
}

static int32_t most_free(const Branch *b)
{
    const int32_t *places = b->costs->hosts->places;
    int32_t most = 0;
    for (int32_t h = 0; h < b->costs->count; h++)
        most = places[h] - b->load[h] > most ? places[h] - b->load[h] : most;
    return most;
}

/* What a group of n processes takes at least on the places that are free; most: of one host. */
static double free_group(const Branch *b, int32_t n, int32_t most)
{
    const double pass = n > most ? b->costs->least_far : b->costs->least_pass;
    return n * free_step(b, n) + (n > 1 ? (n - 1) * pass : 0);
}

/* Times of groups that have no hosts yet.  The first j of them together use at least the fastest
 * places that are left for all of these, so that one of them, which has the size of the last or a
 * larger one, takes that long.  It is not known which: where the time is larger than each of theirs
 * alone, it takes the place of the largest one, since any other place makes the maximum longer. */
static void bound_free_groups(Branch *b)
{
    const Shape *s = b->shape;
    const int32_t most = most_free(b);
    int32_t size = 0, first = -1;
    int64_t sum = 0;
    double alone = 0, together = 0;
    for (int32_t i = b->placed; i < s->groups; i++) {
        const int32_t g = s->order[i], n = s->size[g];
        if (n != size) {
            alone = free_group(b, n, most);
            size = n;
            b->fastest->work += b->costs->count;
        }
        b->bound.time[i] = alone;
        if (g < s->fixed) /* a manager: sizes of the others descend */
            continue;
        first = first < 0 ? i : first;
        sum += n;
        together = fmax(together, n * free_step(b, sum));
        b->fastest->work += b->costs->count / 8;
    }
    if (first >= 0)
        b->bound.time[first] = fmax(b->bound.time[first], together);
}

static double connection(const void *user, int32_t a, int32_t b)
{
    const Branch *its = user;
    const int32_t i = its->place[a], j = its->place[b];
    double most = its->costs->least_exchange;
    if (i >= its->placed || j >= its->placed)
        return most;
    for (int32_t s = its->first[i]; s < its->first[i + 1]; s++)
        for (int32_t t = its->first[j]; t < its->first[j + 1]; t++)
            most = fmax(most, costs_exchange(its->costs, host_at(its, s), host_at(its, t)));
    return most;
}

/* The slowest connection of the group at place i with those before it, and among these. */
static double slowest_connection(const Branch *b, int32_t i)
{
    const Shape *s = b->shape;
    const int32_t g = s->order[i];
    double most = b->most[i];
    for (int32_t j = 0; j < i && s->complete; j++)
        most = fmax(most, connection(b, g, s->order[j]));
    for (int32_t e = 0; e < s->edge_count; e++)
        if (s->edges[e].a == g || s->edges[e].b == g)
            most = fmax(most, connection(b, s->edges[e].a, s->edges[e].b));
    return most;
}

static bool is_connected(const Shape *s)
{
    return s->edge_count > 0 || (s->complete && s->groups > 1);
}

/* Fill in b->bound from the groups that are placed. */
static void bound_round(Branch *b)
{
    const Shape *s = b->shape;
    b->bound.groups = s->groups;
    for (int32_t i = 0; i < b->placed; i++) {
        const int32_t n = s->size[s->order[i]];
        b->bound.time[i] = n * slowest_step(b, i, b->first[i + 1]) + (n - 1) * b->pass[i];
    }
    bound_free_groups(b);
    if (s->program->kind == AMOGET_TREE)
        b->bound.exchange = round_exchange(s, connection, b);
    else
        b->bound.exchange =
            2 * fmax(b->most[b->placed], is_connected(s) ? b->costs->least_exchange : 0);
    b->fastest->work += s->groups + b->first[b->placed];
}

/* Seconds; 0, and the status is set: it is not known. */
static double mean_of_bound(Branch *b)
{
    double seconds = 0;
    Fastest *f = b->fastest;
    const PepaStatus status = means_of(&f->means, &b->bound, &seconds, &f->work, f->err);
    if (status != PEPA_OK)
        f->status = status;
    return status == PEPA_OK ? seconds : 0;
}

/* What a round takes at least by which all processes are apart, if it takes `seconds` at least
 * otherwise.  Either the exchange goes so far, or a group does: one that is placed, or one that is
 * not, as large as the smallest or larger. */
static double with_apart(const Branch *b, double seconds, int32_t smallest)
{
    const Shape *s = b->shape;
    const double exchange = b->bound.exchange;
    if (s->joined > 1 || b->apart.exchange == 0)
        return seconds;
    const double far = seconds + fmax(0, 2 * b->apart.exchange - exchange);
    double within = smallest > 1 ? (smallest - 1) * b->apart.pass + exchange : HUGE_VAL;
    for (int32_t i = 0; i < b->placed; i++)
        if (b->pass[i] >= b->apart.pass)
            within = 0;
    return fmin(far, fmax(seconds, within));
}

/* The smallest group of several processes that has no hosts yet; 0: there is none. */
static int32_t smallest_free(const Branch *b)
{
    const Shape *s = b->shape;
    int32_t least = 0;
    for (int32_t i = b->placed; i < s->groups; i++) {
        const int32_t n = s->size[s->order[i]];
        least = n > 1 && (least == 0 || n < least) ? n : least;
    }
    return least;
}

/* Can nothing better come of the groups that are placed? */
static bool is_hopeless(Branch *b)
{
    bound_round(b);
    if (fastest_beats(b->fastest, round_least(&b->bound)))
        return true;
    if (b->placed == b->shape->groups) /* the placement is offered */
        return false;
    return fastest_beats(b->fastest, with_apart(b, mean_of_bound(b), smallest_free(b))) ||
           b->fastest->status != PEPA_OK;
}

/* ---- placements ------------------------------------------------------------------------------ */

static void offer(Branch *b)
{
    const Shape *s = b->shape;
    for (int32_t i = 0; i < s->groups; i++) {
        int32_t rank = b->first_rank[s->order[i]];
        for (int32_t at = b->first[i]; at < b->first[i + 1]; at++)
            for (int32_t n = 0; n < b->share[at].count; n++)
                b->host_of[rank++] = host_at(b, at);
    }
    (void)fastest_offer(b->fastest, s, b->host_of);
}

/* How many processes of the group at hand the host at `at` can get. */
static int32_t room_at(const Branch *b, int32_t at, int32_t left, int32_t like)
{
    const int32_t host = b->order[at], alike = b->costs->alike[host];
    int32_t room = b->costs->hosts->places[host] - b->load[host];
    room = room < left ? room : left;
    if (alike >= 0 && b->load[host] == 0 && b->load[alike] == b->own[alike] && b->own[alike] < room)
        room = b->own[alike];
    if (like >= 0 && at < b->share[like].at)
        room = 0;
    if (like >= 0 && at == b->share[like].at && b->share[like].count < room)
        room = b->share[like].count;
    return room;
}

/* The share of the group before to compare the next one with, if both have been equal so far. */
static int32_t next_like(const Branch *b, int32_t like, Share share)
{
    const bool equal =
        like >= 0 && b->share[like].at == share.at && b->share[like].count == share.count;
    return equal ? like + 1 : -1;
}

static void put(Branch *b, int32_t i, int32_t next, Share share)
{
    const int32_t host = b->order[share.at];
    b->share[next] = share;
    b->load[host] += share.count;
    b->own[host] = share.count;
    b->nodes++;
    b->fastest->work += next - b->first[i] + 1;
    if (share.count > 1)
        b->pass[i] = fmax(b->pass[i], costs_pass(b->costs, host, host));
    for (int32_t s = b->first[i]; s < next; s++)
        b->pass[i] = fmax(b->pass[i], costs_pass(b->costs, host, host_at(b, s)));
}

static void take(Branch *b, Share share)
{
    const int32_t host = b->order[share.at];
    b->load[host] -= share.count;
    b->own[host] = 0;
}

/* Is the group at hand too slow by what it has? */
static bool is_slow(const Branch *b, int32_t i, int32_t end)
{
    const int32_t n = b->shape->size[b->shape->order[i]];
    const double time = n * slowest_step(b, i, end) + (n - 1) * b->pass[i];
    return fastest_beats(b->fastest, time + 2 * b->most[i]);
}

/* Places behind, from `at` on. */
static int64_t places_from(const Branch *b, int32_t at)
{
    int64_t sum = 0;
    for (; at < b->costs->count; at++)
        sum += b->costs->hosts->places[b->order[at]] - b->load[b->order[at]];
    return sum;
}

static void place_group(Branch *b, int32_t i);

/* Give `left` processes of the group at place i hosts from `from` on.
 * next: the share to come; like: that of the group before, of equal size, which it must not exceed */
static void spread(Branch *b, int32_t i, int32_t next, int32_t from, int32_t left, int32_t like)
{
    const double pass = b->pass[i];
    int64_t behind = places_from(b, from);
    if (left == 0) {
        b->first[i + 1] = next;
        b->most[i + 1] = 0;
        b->placed = i + 1;
        b->most[i + 1] = slowest_connection(b, i);
        if (!is_hopeless(b))
            place_group(b, i + 1);
        b->placed = i;
        return;
    }
    for (int32_t at = from; at < b->costs->count && behind >= left; at++) {
        const int32_t host = b->order[at];
        behind -= b->costs->hosts->places[host] - b->load[host];
        for (int32_t n = room_at(b, at, left, like); n > 0 && !branch_ended(b); n--) {
            const Share share = {at, n};
            if (left - n > behind)
                break;
            put(b, i, next, share);
            if (!is_slow(b, i, next + 1))
                spread(b, i, next + 1, at + 1, left - n, next_like(b, like, share));
            take(b, share);
            b->pass[i] = pass;
        }
    }
}

/* All placements of the groups from place i on. */
static void place_group(Branch *b, int32_t i)
{
    const Shape *s = b->shape;
    if (i == s->groups) {
        offer(b);
        return;
    }
    const int32_t size = s->size[s->order[i]];
    const bool same = i > 0 && s->complete && s->size[s->order[i - 1]] == size;
    /* hosts of the group before are no longer the group's own */
    for (int32_t at = i > 0 ? b->first[i - 1] : 0; at < b->first[i]; at++)
        b->own[host_at(b, at)] = 0;
    b->pass[i] = 0;
    spread(b, i, b->first[i], 0, size, same ? b->first[i - 1] : -1);
    for (int32_t at = i > 0 ? b->first[i - 1] : 0; at < b->first[i]; at++)
        b->own[host_at(b, at)] = b->share[at].count;
}

static void begin(Branch *b, const Shape *shape)
{
    b->shape = shape;
    b->placed = 0;
    b->first[0] = 0;
    b->most[0] = 0;
    for (int32_t i = 0; i < shape->groups; i++)
        b->place[shape->order[i]] = i;
}

/* One part has the mean size or more, each the least one or more. */
static void bound_parts(Branch *b, const Shape *s)
{
    const int32_t largest = (s->rest + s->parts - 1) / s->parts, most = most_free(b);
    const double slowest = s->least * free_step(b, s->rest);
    for (int32_t i = 0, part = 0; i < s->groups; i++) {
        const int32_t n = s->order[i] < s->fixed ? 1 : part++ == 0 ? largest : s->least;
        b->bound.time[i] = free_group(b, n, most);
        if (part == 1 && n == largest)
            b->bound.time[i] = fmax(b->bound.time[i], slowest);
    }
    b->fastest->work += (int64_t)s->groups * b->costs->count;
}

static void bound_all(Branch *b, const Shape *s)
{
    begin(b, s);
    bound_round(b);
    if (!s->given)
        bound_parts(b, s);
}

double branch_least(Branch *b, const Shape *s)
{
    bound_all(b, s);
    return round_least(&b->bound);
}

double branch_bound(Branch *b, const Shape *s)
{
    bound_all(b, s);
    const int32_t smallest = s->given ? smallest_free(b) : s->least > 2 ? s->least : 2;
    return with_apart(b, mean_of_bound(b), smallest);
}

void branch_into(Branch *b, const Shape *shape)
{
    int32_t rank = 0;
    for (int32_t g = 0; g < shape->groups; rank += shape->size[g++])
        b->first_rank[g] = rank;
    begin(b, shape);
    if (!is_hopeless(b))
        place_group(b, 0);
}
