/* Successive shortest paths between sites. */
#include "grid/taag/schedule/transport.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

bool transport_make(Transport *out, int32_t groups, int32_t sites)
{
    const size_t cells = (size_t)groups * (size_t)sites;
    *out = (Transport){.sites = sites};
    return mem_new(out->size, groups) && mem_new(out->cost, cells) && mem_new(out->here, cells);
}

void transport_free(Transport *f)
{
    mem_free_all(f->size, f->cost, f->here);
    *f = (Transport){0};
}

/* The cheapest move of a process from one site to another, and the group that makes it; -1: there is none. */
typedef struct {
    double cost[MOST_SITES][MOST_SITES];
    int32_t group[MOST_SITES][MOST_SITES];
} Moves;

static int32_t *placed(const Transport *f, int32_t g)
{
    return f->here + (size_t)g * (size_t)f->sites;
}

static void find_moves(const Transport *f, Moves *m, int32_t from)
{
    for (int32_t b = 0; b < f->sites; b++) {
        m->cost[from][b] = INFINITY;
        m->group[from][b] = -1;
    }
    for (int32_t g = 0; g < f->groups; g++) {
        const double *cost = transport_costs(f, g);
        if (placed(f, g)[from] == 0)
            continue;
        for (int32_t b = 0; b < f->sites; b++) {
            const double more = cost[b] - cost[from];
            if (b != from && more < m->cost[from][b]) {
                m->cost[from][b] = more;
                m->group[from][b] = g;
            }
        }
    }
}

/* The cheapest path from a site that has too much to one with room, as the site before each.  Returns its end; -1:
 * there is none. */
static int32_t find_path(const Transport *f, const Moves *m, const int64_t *room, int32_t *before)
{
    double far[MOST_SITES];
    int32_t end = -1;
    bool less = true;
    for (int32_t a = 0; a < f->sites; a++) {
        far[a] = room[a] < 0 ? 0 : INFINITY;
        before[a] = -1;
    }
    for (int32_t round = 0; round < f->sites && less; round++) {
        less = false;
        for (int32_t a = 0; a < f->sites; a++)
            for (int32_t b = 0; b < f->sites && isfinite(far[a]); b++)
                if (far[a] + m->cost[a][b] < far[b] - 1e-12) {
                    far[b] = far[a] + m->cost[a][b];
                    before[b] = a;
                    less = true;
                }
    }
    for (int32_t a = 0; a < f->sites; a++)
        if (room[a] > 0 && isfinite(far[a]) && (end < 0 || far[a] < far[end]))
            end = a;
    return end;
}

/* As many processes as can take the path do.  Returns what that costs. */
static double move_along(Transport *f, Moves *m, int64_t *room, const int32_t *before, int32_t end)
{
    int64_t most = room[end];
    double cost = 0;
    int32_t begin = end;
    for (; before[begin] >= 0; begin = before[begin]) {
        const int32_t here = placed(f, m->group[before[begin]][begin])[before[begin]];
        most = here < most ? here : most;
        cost += m->cost[before[begin]][begin];
    }
    most = -room[begin] < most ? -room[begin] : most;
    for (int32_t b = end; before[b] >= 0; b = before[b]) {
        int32_t *here = placed(f, m->group[before[b]][b]);
        here[before[b]] -= (int32_t)most;
        here[b] += (int32_t)most;
    }
    room[begin] += most;
    room[end] -= most;
    for (int32_t b = end; b >= 0; b = before[b])
        find_moves(f, m, b);
    return cost * (double)most;
}

double transport_least(Transport *f, const int64_t *places, double enough, int64_t *work)
{
    Moves m;
    int64_t room[MOST_SITES];
    int32_t before[MOST_SITES];
    double sum = 0;
    bool scarce = false;
    memcpy(room, places, (size_t)f->sites * sizeof *room);
    memset(f->here, 0, (size_t)f->groups * (size_t)f->sites * sizeof *f->here);
    for (int32_t g = 0; g < f->groups; g++) {
        double *cost = transport_costs(f, g);
        const double share = 1.0 / f->size[g];
        int32_t best = 0;
        for (int32_t a = 0; a < f->sites; a++) {
            cost[a] *= share;
            best = cost[a] < cost[best] ? a : best;
        }
        sum += cost[best] * f->size[g];
        placed(f, g)[best] = f->size[g];
        room[best] -= f->size[g];
    }
    for (int32_t a = 0; a < f->sites; a++)
        scarce = scarce || room[a] < 0;
    *work += (int64_t)f->groups * f->sites / 4 * (scarce ? f->sites : 1);
    for (int32_t a = 0; a < f->sites && scarce; a++)
        find_moves(f, &m, a);
    while (scarce && sum < enough) {
        const int32_t end = find_path(f, &m, room, before);
        if (end < 0)
            return INFINITY;
        sum += move_along(f, &m, room, before, end);
        scarce = false;
        for (int32_t a = 0; a < f->sites; a++)
            scarce = scarce || room[a] < 0;
        *work += ((int64_t)f->groups + f->sites) * f->sites / 2;
    }
    return sum;
}
