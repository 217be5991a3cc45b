/* Times of the groups of a placement. */
#include "grid/taag/predict/round.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/predict/maximum.h"

/* The hosts of each group: host[start[g]] .. host[start[g + 1] - 1], each once. */
typedef struct {
    const Costs *costs;
    int32_t *host, *count, *start;
    int32_t *load; /* processes of each host */
} Spread;

bool round_make(Round *r, int32_t groups)
{
    *r = (Round){.groups = groups};
    return mem_new_zeroed(r->time, groups);
}

void round_free(Round *r)
{
    mem_free(r->time);
    *r = (Round){0};
}

static bool spread_make(Spread *s, const Costs *c, const Shape *shape, const int32_t *host_of)
{
    const int32_t n = shape->fixed + shape->rest;
    int32_t at = 0, rank = 0;
    *s = (Spread){.costs = c};
    if (!mem_new(s->host, n) || !mem_new(s->count, n) || !mem_new(s->start, shape->groups + 1) ||
        !mem_new_zeroed(s->load, c->count))
        return false;
    for (int32_t g = 0; g < shape->groups; g++) {
        s->start[g] = at;
        for (int32_t i = 0; i < shape->size[g]; i++, rank++) {
            int32_t j = s->start[g];
            while (j < at && s->host[j] != host_of[rank])
                j++;
            s->host[j] = host_of[rank];
            s->count[j] = j < at ? s->count[j] + 1 : 1;
            at = j == at ? at + 1 : at;
            s->load[host_of[rank]]++;
        }
    }
    s->start[shape->groups] = at;
    return true;
}

static void spread_free(Spread *s)
{
    mem_free_all(s->host, s->count, s->start, s->load);
}

static double time_of(const Spread *s, int32_t g, int32_t size)
{
    double step = 0, pass = 0;
    for (int32_t i = s->start[g]; i < s->start[g + 1]; i++) {
        step = fmax(step, costs_step(s->costs, s->host[i], s->load[s->host[i]]));
        for (int32_t j = s->start[g]; j < i + (s->count[i] > 1); j++)
            pass = fmax(pass, costs_pass(s->costs, s->host[i], s->host[j]));
    }
    return size * step + (size - 1) * pass;
}

static double connection(const void *user, int32_t a, int32_t b)
{
    const Spread *s = user;
    double most = 0;
    for (int32_t i = s->start[a]; i < s->start[a + 1]; i++)
        for (int32_t j = s->start[b]; j < s->start[b + 1]; j++)
            most = fmax(most, costs_exchange(s->costs, s->host[i], s->host[j]));
    return most;
}

/* Of a tree: from the root to each group over its parents.  Parents come before their children. */
static double longest_path(const Shape *s, double (*link)(const void *, int32_t, int32_t),
                           const void *user)
{
    double most = 0;
    for (int32_t g = s->fixed; g < s->groups; g++) {
        double path = 0;
        for (int32_t at = g; s->parent[at] >= 0; at = s->parent[at])
            path += link(user, s->parent[at], at);
        most = fmax(most, path);
    }
    return most;
}

double round_exchange(const Shape *s, double (*link)(const void *, int32_t, int32_t),
                      const void *user)
{
    double most = 0;
    if (s->program->kind == AMOGET_TREE)
        return 2 * longest_path(s, link, user);
    for (int32_t e = 0; e < s->edge_count; e++)
        most = fmax(most, link(user, s->edges[e].a, s->edges[e].b));
    for (int32_t a = 0; a < s->groups && s->complete; a++)
        for (int32_t b = 0; b < a; b++)
            most = fmax(most, link(user, a, b));
    return 2 * most;
}

PepaStatus round_fill(Round *out, const Costs *c, const Shape *shape, const int32_t *host_of,
                      PepaError *err)
{
    Spread s;
    const bool made = spread_make(&s, c, shape, host_of);
    if (made) {
        out->groups = shape->groups;
        for (int32_t g = 0; g < shape->groups; g++)
            out->time[g] = time_of(&s, g, shape->size[g]);
        out->exchange = round_exchange(shape, connection, &s);
    }
    spread_free(&s);
    return made ? PEPA_OK : error_memory(err);
}

int32_t round_phases(const AmogetProgram *p)
{
    return p->phases > 0 ? p->phases : AMOGET_PROGRAM_PHASES;
}

double round_least(const Round *r)
{
    double most = 0;
    for (int32_t g = 0; g < r->groups; g++)
        most = fmax(most, r->time[g]);
    return most + r->exchange;
}

PepaStatus round_mean(const Round *r, int32_t phases, double *out, PepaError *err)
{
    double most = 0;
    PepaStatus status = maximum_mean(&(Durations){r->time, r->groups, phases}, &most, err);
    if (status == PEPA_OK)
        *out = most + r->exchange;
    return status;
}
