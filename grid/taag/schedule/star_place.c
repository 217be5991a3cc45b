/* Trees of three levels whose groups are spread: greedy placements. */
#include "grid/taag/schedule/star_place.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { COUNTS = 24 /* numbers of small units that are tried from a root */ };

/* A unit: so many processes, of which the first one is the manager, on host[from ..]. */
typedef struct {
    int32_t from, size;
} Unit;

typedef struct {
    int32_t host;
    double ms;
} Near;

typedef struct {
    const Hosts *hosts;
    const AmogetProgram *program;
    double allowed; /* the longest link of a group */
    int32_t least;  /* processes of a unit */
    Near *near;     /* hosts^2: of each host all, the nearest first */
    int32_t *left;  /* places */
    int32_t *tried; /* by the first of hosts that are alike: left of a manager that was tried */
    int32_t *host;  /* of processes but the root, by units */
    int32_t *used;  /* hosts of the unit that is looked at */
    Unit *unit;
    int32_t units, placed;
    double most, sum;        /* of connections */
    int32_t *size, *host_of; /* for an offer */
} Placing;

static int by_latency(const void *x, const void *y)
{
    const Near *a = x, *b = y;
    if (a->ms < b->ms || a->ms > b->ms)
        return a->ms < b->ms ? -1 : 1;
    return (a->host > b->host) - (a->host < b->host);
}

static int by_size(const void *x, const void *y)
{
    const Unit *a = x, *b = y;
    return a->size == b->size ? a->from - b->from : b->size - a->size;
}

static const Near *from(const Placing *p, int32_t host)
{
    return p->near + (size_t)host * (size_t)p->hosts->count;
}

static void add(Placing *p, int32_t host, int32_t processes)
{
    p->left[host] -= processes;
    for (int32_t i = 0; i < processes; i++)
        p->host[p->placed++] = host;
}

/* Small units on single hosts, the nearest first; fewer if there is no room. */
static void place_small(Placing *p, int32_t root, int32_t count)
{
    const Near *near = from(p, root);
    for (int32_t i = 0; i < p->hosts->count; i++)
        for (; p->units < count && p->left[near[i].host] >= p->least; p->units++) {
            p->unit[p->units] = (Unit){p->placed, p->least};
            add(p, near[i].host, p->least);
            p->most = fmax(p->most, near[i].ms);
            p->sum += near[i].ms;
        }
}

/* Hosts for a unit of at most `wanted` processes whose manager is on host m, into `used`; their number.  *size: of the
 * unit, *far: its longest connection. */
static int32_t gather(Placing *p, int32_t m, int32_t wanted, int32_t *size, double *far,
                      Effort *effort)
{
    const Near *near = from(p, m);
    int32_t count = 0, i = 0;
    *size = 0;
    *far = 0;
    for (; i < p->hosts->count && *size < wanted && near[i].ms <= p->allowed; i++) {
        const int32_t x = near[i].host;
        bool close = p->left[x] > 0;
        int32_t j = 0;
        for (; j < count && close; j++)
            close = hosts_ms(p->hosts, x, p->used[j]) <= p->allowed;
        effort->work += j;
        if (!close)
            continue;
        p->used[count++] = x;
        *size += p->left[x];
        *far = near[i].ms;
    }
    effort->work += i;
    *size = *size < wanted ? *size : wanted;
    return count;
}

/* A large unit where it costs least for each of its processes.  False: there is none. */
static bool place_large(Placing *p, int32_t root, int32_t rest, Effort *effort)
{
    int32_t chosen = -1, chosen_size = 0;
    double most = INFINITY, cost = INFINITY;
    for (int32_t m = 0; m < p->hosts->count; m++)
        p->tried[m] = 0;
    for (int32_t m = 0; m < p->hosts->count; m++) {
        int32_t size, *tried = &p->tried[p->hosts->alike[m]];
        double far;
        if (p->left[m] == 0 || p->left[m] == *tried)
            continue;
        *tried = p->left[m];
        (void)gather(p, m, rest, &size, &far, effort);
        if (rest - size > 0 && rest - size < p->least)
            size = rest - p->least; /* the next one is a unit as well */
        if (size < p->least)
            continue;
        const double first = hosts_ms(p->hosts, root, m);
        const double longest = fmax(p->most, fmax(first, far)), each = (first + far) / size;
        if (longest < most || (longest <= most && each < cost)) {
            chosen = m;
            chosen_size = size;
            most = longest;
            cost = each;
        }
    }
    if (chosen < 0)
        return false;
    int32_t size;
    double far;
    const int32_t count = gather(p, chosen, chosen_size, &size, &far, effort);
    p->unit[p->units++] = (Unit){p->placed, size};
    for (int32_t i = 0, open = size; i < count; i++) {
        const int32_t here = p->left[p->used[i]] < open ? p->left[p->used[i]] : open;
        open -= here;
        add(p, p->used[i], here);
    }
    p->most = fmax(p->most, fmax(far, hosts_ms(p->hosts, root, chosen)));
    p->sum += far + hosts_ms(p->hosts, root, chosen);
    return true;
}

/* All units, so many of them small.  False: it does not work out. */
static bool place(Placing *p, int32_t root, int32_t small, Effort *effort)
{
    for (int32_t i = 0; i < p->hosts->count; i++)
        p->left[i] = p->hosts->places[i];
    p->left[root]--;
    p->units = p->placed = 0;
    p->most = p->sum = 0;
    place_small(p, root, small);
    for (int32_t rest; (rest = p->program->processes - 1 - p->placed) > 0;)
        if (effort_ended(effort) || !place_large(p, root, rest, effort))
            return false;
    return true;
}

/* False: out of memory. */
static bool offer(Placing *p, int32_t root, Best *best)
{
    Shape shape;
    bool no_memory = false;
    int32_t rank = 1 + p->units;
    if (!division_make(&shape, p->program, p->units, &no_memory))
        return false;
    qsort(p->unit, (size_t)p->units, sizeof *p->unit, by_size);
    p->host_of[0] = root;
    for (int32_t u = 0; u < p->units; u++) {
        const int32_t *host = p->host + p->unit[u].from;
        p->size[u] = p->unit[u].size - 1;
        p->host_of[1 + u] = host[0];
        for (int32_t i = 1; i < p->unit[u].size; i++)
            p->host_of[rank++] = host[i];
    }
    division_set(&shape, p->size);
    best_offer(best, p->hosts, &shape, p->host_of);
    division_free(&shape);
    return true;
}

/* The best of several numbers of small units from a root. */
static bool place_from(Placing *p, int32_t root, Best *best, Effort *effort)
{
    const int32_t all = (p->program->processes - 1) / p->least, step = 1 + all / COUNTS;
    int32_t found = -1;
    double most = INFINITY, mean = INFINITY;
    for (int32_t small = all; small >= 0 && !effort_ended(effort); small -= step) {
        effort->work += p->hosts->count;
        if (!place(p, root, small, effort))
            continue;
        const double here = p->sum / p->units;
        if (p->most < most || (p->most <= most && here < mean)) {
            most = p->most;
            mean = here;
            found = small;
        }
    }
    return found < 0 || !place(p, root, found, effort) || offer(p, root, best);
}

/* Roots that differ, those first whose places for all processes are near; their number. */
static int32_t find_roots(const Placing *p, Near *root)
{
    const Hosts *h = p->hosts;
    int32_t roots = 0;
    for (int32_t r = 0; r < h->count; r++) {
        if (h->places[r] == 0 || h->alike[r] != r)
            continue;
        const Near *near = from(p, r);
        int32_t open = p->program->processes;
        double sum = 0;
        for (int32_t i = 0; i < h->count && open > 0; i++) {
            const int32_t here = h->places[near[i].host] < open ? h->places[near[i].host] : open;
            sum += here * near[i].ms;
            open -= here;
        }
        root[roots++] = (Near){r, sum};
    }
    qsort(root, (size_t)roots, sizeof *root, by_latency);
    return roots;
}

bool star_place(const Hosts *h, const AmogetProgram *program, int32_t level, Best *best,
                Effort *effort)
{
    Placing p = {.hosts = h,
                 .program = program,
                 .allowed = h->most[level],
                 .least = program->least + 1};
    const size_t n = (size_t)h->count;
    Near *root = NULL;
    bool good = mem_new(p.near, n * n) && mem_new(p.left, n) && mem_new(p.tried, n) &&
                mem_new(p.used, n) && mem_new(p.host, program->processes) &&
                mem_new(p.unit, program->processes) && mem_new(p.size, program->processes) &&
                mem_new(p.host_of, program->processes) && mem_new(root, n);
    for (int32_t a = 0; a < h->count && good; a++) {
        for (int32_t b = 0; b < h->count; b++)
            p.near[(size_t)a * n + (size_t)b] = (Near){b, hosts_ms(h, a, b)};
        qsort(p.near + (size_t)a * n, n, sizeof *p.near, by_latency);
    }
    effort->work += 2 * (int64_t)(n * n);
    const int32_t roots = good ? find_roots(&p, root) : 0;
    for (int32_t i = 0; i < roots && good && !effort_ended(effort); i++)
        good = place_from(&p, root[i].host, best, effort);
    mem_free_all(p.near, p.left, p.tried, p.used, p.host, p.unit, p.size, p.host_of, root);
    return good;
}
