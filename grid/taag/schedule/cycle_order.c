/* The order of blocks in a ring and their hosts: simulated annealing over exchanges of two blocks'
 * hosts, other hosts for a block, and turned stretches of the ring.
 * Source: Kirkpatrick, Gelatt, Vecchi, Optimization by simulated annealing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/cycle.h"

/* Temperatures in mean links; a link above the limit costs so many limits more. */
static const double HOT = 0.5, COLD = 0.01, PENALTY = 4;

typedef struct {
    int32_t size, rank, block;
} Member;

typedef struct {
    const Hosts *hosts;
    double limit;
    const int32_t *within; /* hosts that stretches may have */
    int32_t within_count;
    int32_t groups, count;  /* count: of stretches of neighbours that stay together */
    Member *member;         /* groups in the order of the ring */
    int32_t *stretch;       /* of groups */
    int32_t *demand, *host; /* of stretches: processes; its host */
    int32_t *kept, *free;   /* the best hosts; places left of hosts */
    uint64_t state;         /* of random numbers */
} Order;

static int32_t random_below(Order *o, int32_t n)
{
    o->state = o->state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((o->state >> 33) % (uint64_t)n);
}

static int by_place(const void *x, const void *y)
{
    const Member *a = x, *b = y;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}

/* Blocks with no more groups than there are.  Returns the processes above the least sizes, less
 * those wanted. */
static int32_t trim(Block *block, int32_t count, const Shape *s)
{
    int32_t groups = -s->parts, extra = s->parts * s->least - s->rest;
    for (int32_t b = 0; b < count; b++)
        groups += block[b].groups;
    for (int32_t b = 0; b < count; b++) {
        int32_t fewer = block[b].groups - 1 < groups ? block[b].groups - 1 : groups;
        block[b].groups -= fewer;
        groups -= fewer;
    }
    for (int32_t b = 0; b < count; b++) {
        if (groups > 0) {
            block[b].groups = block[b].extra = 0;
            groups--;
        }
        extra += block[b].extra;
    }
    return groups < 0 ? -1 : extra;
}

/* Sizes are made smaller, from the largest block of one group on, then the largest of all. */
static void shrink(Order *o, const Block *block, int32_t surplus)
{
    for (; surplus > 0; surplus--) {
        int32_t chosen = 0;
        for (int32_t g = 1; g < o->groups; g++) {
            bool alone = block[o->member[g].block].groups == 1;
            bool other = block[o->member[chosen].block].groups == 1;
            if (o->member[g].rank == 0)
                continue;
            if (o->member[chosen].rank == 0 || (alone && !other) ||
                (alone == other && o->member[g].size > o->member[chosen].size))
                chosen = g;
        }
        o->member[chosen].size--;
        o->member[chosen].rank--; /* what it has above the least */
    }
}

static void list_members(Order *o, const Block *block, int32_t count, const Shape *s,
                         int32_t surplus)
{
    int32_t at = 0;
    for (int32_t b = 0; b < count; b++)
        for (int32_t i = 0; i < block[b].groups; i++) {
            int32_t more =
                block[b].extra / block[b].groups + (i < block[b].extra % block[b].groups);
            o->member[at++] = (Member){s->least + more, more, b};
        }
    shrink(o, block, surplus);
}

/* Groups of a block with several sizes are next to each other if one of two blocks comes last among
 * the larger size and first among the smaller one; the other one if the ring closes in it. */
static void set_ranks(Order *o, const Block *block, int32_t count)
{
    int32_t most = 0, closing = -1, at = 0, uneven = 0;
    for (int32_t g = 0; g < o->groups; g++)
        most = o->member[g].size > most ? o->member[g].size : most;
    for (int32_t b = 0; b < count; at += block[b++].groups) {
        if (block[b].groups < 2 || o->member[at].size == o->member[at + block[b].groups - 1].size)
            continue;
        uneven++;
        closing = o->member[at].size == most ? b : closing;
    }
    at = 0;
    for (int32_t b = 0; b < count; at += block[b++].groups)
        for (int32_t i = 0; i < block[b].groups; i++) {
            Member *m = &o->member[at + i];
            const Member *first = &o->member[at], *last = &o->member[at + block[b].groups - 1];
            bool high = m->size == first->size, low = m->size == last->size;
            int32_t rank = high && !low ? 1 : low && !high ? -1 : 0;
            m->rank = b == closing && uneven > 1 ? -rank : rank;
        }
}

static void find_stretches(Order *o, const Block *block)
{
    qsort(o->member, (size_t)o->groups, sizeof *o->member, by_place);
    o->count = 0;
    for (int32_t g = 0; g < o->groups; g++) {
        bool begins = g == 0 || o->member[g].block != o->member[g - 1].block;
        if (begins) {
            o->demand[o->count] = 0;
            o->host[o->count++] = block[o->member[g].block].host;
        }
        o->stretch[g] = o->count - 1;
    }
    bool closed = o->count > 1 && o->member[0].block == o->member[o->groups - 1].block;
    for (int32_t g = 0, last = o->count - 1; g < o->groups; g++) {
        if (closed && o->stretch[g] == last)
            o->stretch[g] = 0;
        o->demand[o->stretch[g]] += o->member[g].size;
        o->free[block[o->member[g].block].host] -= o->member[g].size;
    }
    o->count -= closed;
}

static double price(const Order *o, int32_t a, int32_t b)
{
    double ms = hosts_ms(o->hosts, a, b);
    return ms <= o->limit ? ms : ms + PENALTY * o->limit;
}

static int32_t next_of(const Order *o, int32_t p)
{
    return p + 1 < o->count ? p + 1 : 0;
}

static int32_t before(const Order *o, int32_t p)
{
    return p > 0 ? p - 1 : o->count - 1;
}

static double links_of(const Order *o, int32_t p)
{
    return price(o, o->host[before(o, p)], o->host[p]) +
           price(o, o->host[p], o->host[next_of(o, p)]);
}

static double length(const Order *o)
{
    double sum = 0;
    for (int32_t p = 0; p < o->count; p++)
        sum += price(o, o->host[p], o->host[next_of(o, p)]);
    return sum;
}

static bool accepted(Order *o, double more, double temperature)
{
    return more <= 0 || random_below(o, 1 << 30) < exp(-more / temperature) * (1 << 30);
}

static void put(Order *o, int32_t p, int32_t host)
{
    o->free[o->host[p]] += o->demand[p];
    o->free[host] -= o->demand[p];
    o->host[p] = host;
}

static double move(Order *o, int32_t p, int32_t to, double temperature)
{
    int32_t from = o->host[p];
    if (to == from || o->free[to] < o->demand[p])
        return 0;
    double now = links_of(o, p);
    put(o, p, to);
    double more = links_of(o, p) - now;
    if (accepted(o, more, temperature))
        return more;
    put(o, p, from);
    return 0;
}

static double exchange(Order *o, int32_t p, int32_t q, double temperature)
{
    int32_t a = o->host[p], b = o->host[q], grows = o->demand[p] - o->demand[q];
    if (a == b || o->free[b] < grows || o->free[a] < -grows)
        return 0;
    double now = links_of(o, p) + links_of(o, q);
    put(o, p, b);
    put(o, q, a);
    double more = links_of(o, p) + links_of(o, q) - now;
    if (accepted(o, more, temperature))
        return more;
    put(o, p, a);
    put(o, q, b);
    return 0;
}

/* The hosts of p .. q the other way round. */
static bool turn(Order *o, int32_t p, int32_t q)
{
    bool fits = true;
    for (; p < q; p++, q--) {
        int32_t a = o->host[p], b = o->host[q];
        put(o, p, b);
        put(o, q, a);
        fits = fits && o->free[a] >= 0 && o->free[b] >= 0;
    }
    return fits;
}

static double reverse(Order *o, int32_t p, int32_t q, double temperature)
{
    if (p >= q || q - p + 1 >= o->count)
        return 0;
    int32_t a = o->host[before(o, p)], b = o->host[next_of(o, q)];
    double more = price(o, a, o->host[q]) + price(o, o->host[p], b) - price(o, a, o->host[p]) -
                  price(o, o->host[q], b);
    if (!accepted(o, more, temperature))
        return 0;
    if (turn(o, p, q))
        return more;
    (void)turn(o, p, q);
    return 0;
}

static void anneal(Order *o, int32_t steps, Effort *effort)
{
    double now = length(o), least = now, mean = now / o->count;
    memcpy(o->kept, o->host, (size_t)o->count * sizeof *o->kept);
    double cooling = pow(COLD / HOT, 1.0 / steps), temperature = HOT * mean;
    for (int32_t i = 0; i < steps && o->count > 1 && mean > 0; i++, temperature *= cooling) {
        int32_t p = random_below(o, o->count), q = random_below(o, o->count);
        switch (random_below(o, 3)) {
        case 0:
            now += move(o, p, o->within[random_below(o, o->within_count)], temperature);
            break;
        case 1:
            now += exchange(o, p, q, temperature);
            break;
        default:
            now += reverse(o, p, q, temperature);
            break;
        }
        if (now < least * (1 - 1e-12)) {
            least = now;
            memcpy(o->kept, o->host, (size_t)o->count * sizeof *o->kept);
        }
        if (i % 1024 == 0) {
            effort->work += 1024;
            if (effort_ended(effort))
                break;
        }
    }
}

static void offer(Order *o, Shape *s, Best *best, int32_t *size, int32_t *host_of)
{
    for (int32_t g = 0, rank = 0; g < o->groups; g++) {
        size[g] = o->member[g].size;
        for (int32_t i = 0; i < size[g]; i++)
            host_of[rank++] = o->kept[o->stretch[g]];
    }
    division_set(s, size);
    best_offer(best, o->hosts, s, host_of);
}

bool cycle_order(const CycleOrder *task, Shape *s, Block *block, int32_t count, Best *best,
                 Effort *effort)
{
    const Hosts *h = task->hosts;
    Order o = {.hosts = h,
               .limit = task->limit,
               .within = task->within,
               .within_count = task->within_count,
               .groups = s->parts,
               .state = 1};
    int32_t *size = NULL, *host_of = NULL, surplus = trim(block, count, s);
    size_t n = (size_t)s->parts;
    bool good =
        surplus < 0 || (mem_new(o.member, n) && mem_new(o.stretch, n) && mem_new(o.demand, n) &&
                        mem_new(o.host, n) && mem_new(o.kept, n) && mem_new(o.free, h->count) &&
                        mem_new(size, n) && mem_new(host_of, s->rest));
    if (good && surplus >= 0) {
        memcpy(o.free, h->places, (size_t)h->count * sizeof *o.free);
        list_members(&o, block, count, s, surplus);
        set_ranks(&o, block, count);
        find_stretches(&o, block);
        anneal(&o, task->steps, effort);
        offer(&o, s, best, size, host_of);
    }
    mem_free_all(o.member, o.stretch, o.demand, o.host, o.kept, o.free, size, host_of);
    return good;
}
