/* The heuristic of the paper. */
#include "grid/taag/schedule/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

typedef struct {
    const Hosts *hosts;
    const Clusters *clusters;
    const Shape *shape;
    PaperSettings *settings;
    Best *best;
    int32_t *free;    /* places left of each host */
    int32_t *first;   /* rank of the first process of each group */
    int32_t *host_of; /* by rank */
    int32_t *chosen;  /* hosts of the present unit, one per process, by place in the order */
    Effort *effort;
} Paper;

/* The processes that are placed with group g, it being the first of its unit in the order. */
static int32_t unit_size(const Shape *s, int32_t g)
{
    return s->size[g] + (s->unit[g] != g ? s->size[s->unit[g]] : 0);
}

static int32_t room_in(const Paper *p, const LatencyCluster *c, int32_t wanted)
{
    int32_t room = 0;
    for (int32_t i = 0; i < c->count && room < wanted; i++)
        room += p->free[c->hosts[i]];
    return room;
}

/* Hosts of the cluster for `count` processes: those with most places left first, so that few are
 * used. */
static void take(Paper *p, const LatencyCluster *c, int32_t count, int32_t *hosts)
{
    for (int32_t n = 0; n < count;) {
        int32_t most = c->hosts[0];
        for (int32_t i = 1; i < c->count; i++)
            if (p->free[c->hosts[i]] > p->free[most])
                most = c->hosts[i];
        int32_t here = p->free[most] < count - n ? p->free[most] : count - n;
        p->free[most] -= here;
        for (int32_t i = 0; i < here; i++)
            hosts[n++] = most;
    }
}

static void give_back(Paper *p, int32_t count, const int32_t *hosts)
{
    for (int32_t i = 0; i < count; i++)
        p->free[hosts[i]]++;
}

/* A single host, untouched, that can be exchanged with an earlier one of the kind. */
static bool is_repeated(const Paper *p, const LatencyCluster *c)
{
    const Hosts *h = p->hosts;
    if (c->count != 1 || p->free[c->hosts[0]] != h->places[c->hosts[0]])
        return false;
    for (int32_t a = h->alike[c->hosts[0]]; a < c->hosts[0]; a++)
        if (h->alike[a] == h->alike[c->hosts[0]] && p->free[a] == h->places[a])
            return true;
    return false;
}

/* Put the processes of a unit on the hosts that were taken: the group, then its manager. */
static void write_down(Paper *p, int32_t g, const int32_t *hosts)
{
    const Shape *s = p->shape;
    memcpy(&p->host_of[p->first[g]], hosts, (size_t)s->size[g] * sizeof *hosts);
    if (s->unit[g] != g)
        p->host_of[p->first[s->unit[g]]] = hosts[s->size[g]];
}

/* Place the groups from order[at] on; `taken` processes are placed. */
static void place(Paper *p, int32_t at, int32_t taken)
{
    const Shape *s = p->shape;
    if (at == s->groups) {
        p->effort->work += cost_work(p->hosts, s);
        best_offer(p->best, p->hosts, s, p->host_of);
        return;
    }
    int32_t g = s->order[at], size = unit_size(s, g), level = -1;
    int32_t next = at + (s->unit[g] != g ? 2 : 1), *hosts = p->chosen + taken;
    if (effort_late(p->effort))
        return;
    for (int32_t c = 0; c < p->clusters->count; c++) {
        const LatencyCluster *cluster = &p->clusters->each[c];
        if (level >= 0 && (cluster->level > level || effort_ended(p->effort)))
            break;
        p->effort->work += cluster->count;
        if (cluster->capacity < size || is_repeated(p, cluster) || room_in(p, cluster, size) < size)
            continue;
        level = cluster->level;
        take(p, cluster, size, hosts);
        write_down(p, g, hosts);
        place(p, next, taken + size);
        give_back(p, size, hosts);
    }
}

/* Is the partition kept by the filter? */
static bool is_kept(Paper *p)
{
    const Shape *s = p->shape;
    if (!p->settings->exact_fit || s->parts == 1)
        return true;
    for (int32_t i = 0; i < s->parts; i++) {
        int32_t g = s->fixed + i;
        bool again = i > 0 && s->size[g] == s->size[g - 1];
        p->effort->work += again ? 1 : p->clusters->count;
        for (int32_t c = 0; c < p->clusters->count && !again; c++)
            if (p->clusters->each[c].capacity == unit_size(s, g))
                return true;
    }
    return false;
}

static void try_partition(Paper *p)
{
    const Shape *s = p->shape;
    p->effort->work += s->groups;
    if (!is_kept(p))
        return;
    for (int32_t g = 0, rank = 0; g < s->groups; rank += s->size[g++])
        p->first[g] = rank;
    place(p, 0, 0);
}

PepaStatus paper_schedule(const Hosts *h, const Clusters *clusters, const AmogetProgram *program,
                          PaperSettings *settings, Best *best, PepaError *err)
{
    int32_t first, last, step, n = program->processes;
    Paper p = {.effort = &settings->effort,
               .hosts = h,
               .clusters = clusters,
               .settings = settings,
               .best = best};
    bool no_memory = !mem_new(p.free, h->count) || !mem_new(p.first, n + 1) ||
                     !mem_new(p.host_of, n) || !mem_new(p.chosen, n);
    division_parts(program, &first, &last, &step);
    for (int32_t i = 0; i < h->count && !no_memory; i++)
        p.free[i] = h->places[i];
    for (int32_t parts = first; parts <= last && !no_memory && !effort_late(p.effort);
         parts += step) {
        Shape shape;
        if (!division_make(&shape, program, parts, &no_memory))
            continue;
        p.shape = &shape;
        do
            try_partition(&p);
        while (division_next(&shape) && !effort_ended(p.effort));
        division_free(&shape);
    }
    settings->whole = !effort_ended(p.effort);
    mem_free_all(p.free, p.first, p.host_of, p.chosen);
    return no_memory ? error_memory(err) : PEPA_OK;
}
