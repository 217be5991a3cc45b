/* The scheduler: the paper's heuristic, then the search from what it found. */
#include "grid/taag/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/schedule/improve.h"
#include "grid/taag/schedule/in_order.h"
#include "grid/taag/schedule/paper.h"
#include "grid/taag/schedule/search.h"

/* Work of the paper's heuristic, in hosts looked at: alone, and before a search. */
static const int64_t PAPER_WORK = 200000000, PAPER_FIRST_WORK = 2000000;
/* What the paper's heuristic leaves of the time, before a search. */
static const double PAPER_LEAVES = 0.75;
/* What the search leaves of the time for improving what it has not proved. */
static const double SEARCH_LEAVES = 0.4;
/* Of filling in order, in latencies looked at. */
static const int64_t IN_ORDER_WORK = 100000000;

typedef struct {
    Hosts hosts;
    LatencyTree tree;
    Clusters clusters;
    Best best;
    const AmogetProgram *program;
    const ScheduleSettings *settings;
    double deadline; /* on the clock */
    double paper_deadline;
    bool late; /* the paper's heuristic met it */
} Run;

static PepaStatus run_paper(Run *r, Schedule *out, PepaError *err)
{
    PaperSettings set = {.exact_fit = !r->settings->any_partition};
    set.effort = (Effort){.limit = r->settings->paper ? PAPER_WORK : PAPER_FIRST_WORK,
                          .deadline = r->settings->paper ? r->deadline : r->paper_deadline};
    PepaStatus status = clusters_find(&r->clusters, &r->hosts, &r->tree, set.effort.deadline, err);
    if (status == PEPA_OK)
        status = paper_schedule(&r->hosts, &r->clusters, r->program, &set, &r->best, err);
    out->whole = set.whole;
    r->late = set.effort.late;
    return status;
}

PepaStatus schedule_room(const Hosts *hosts, const AmogetProgram *program, PepaError *err)
{
    const char *advice = "more cores, a larger availability or --coefficient give more";
    if (program->processes <= hosts->capacity)
        return PEPA_OK;
    return error_set(err, PEPA_EMODEL, "%d processes need as many places, but there are %lld: %s",
                     program->processes, (long long)hosts->capacity, advice);
}

static PepaStatus nothing_found(const Run *r, PepaError *err)
{
    if (r->late)
        return error_set(err, PEPA_ELIMIT,
                         "the paper's heuristic placed no partition in %g s: give it more time, or "
                         "leave out --paper: the search begins with a placement",
                         r->settings->seconds);
    return error_set(err, PEPA_EMODEL, "the paper's heuristic places no partition of the program%s",
                     r->settings->any_partition
                         ? ": without --paper all placements are tried"
                         : ": --no-exact-fit tries partitions that fit no cluster exactly");
}

/* Hosts in order, as long as there is time, but once at least.  Whether all partitions were tried. */
static PepaStatus run_in_order(Run *r, int64_t work, bool *whole, PepaError *err)
{
    Effort effort = {.limit = work, .deadline = r->deadline};
    PepaStatus status = in_order_schedule(&r->hosts, r->program, &effort, &r->best, err);
    *whole = !effort.ended;
    return status;
}

/* The best of all; what is not proved is not worse than what the other schedulers find, and is improved. */
static PepaStatus run_search(Run *r, SearchSettings *set, PepaError *err)
{
    bool any;
    PaperSettings paper = {.exact_fit = !r->settings->any_partition};
    if (isfinite(r->deadline))
        set->deadline -= SEARCH_LEAVES * (r->deadline - clock_seconds());
    PepaStatus status = search_placements(&r->hosts, &r->tree, r->program, set, &r->best, err);
    if (status == PEPA_OK && !r->best.found) /* it was late */
        status = run_in_order(r, 0, &any, err);
    if (status != PEPA_OK || set->optimal)
        return status;
    set->deadline = r->deadline;
    paper.effort = (Effort){.limit = PAPER_WORK, .deadline = r->deadline};
    status = r->late ? PEPA_OK
                     : paper_schedule(&r->hosts, &r->clusters, r->program, &paper, &r->best, err);
    if (status == PEPA_OK)
        status = run_in_order(r, IN_ORDER_WORK, &any, err);
    if (status == PEPA_OK)
        status = improve_placements(&r->hosts, &r->tree, r->program, set, &r->best, err);
    return status;
}

static PepaStatus run(Run *r, Schedule *out, PepaError *err)
{
    SearchSettings set = {.deadline = r->deadline};
    PepaStatus status = schedule_room(&r->hosts, r->program, err);
    if (status != PEPA_OK)
        return status;
    if (r->settings->in_order)
        return run_in_order(r, IN_ORDER_WORK, &out->whole, err);
    status = linkage_make(&r->tree, &r->hosts, r->program->processes, err);
    if (status == PEPA_OK)
        status = run_paper(r, out, err);
    if (status == PEPA_ELIMIT && !r->settings->paper)
        status = PEPA_OK; /* the search needs no clusters */
    if (status != PEPA_OK)
        return status;
    if (!r->settings->paper)
        status = run_search(r, &set, err);
    if (status == PEPA_OK && !r->best.found)
        status = nothing_found(r, err);
    out->optimal = set.optimal;
    out->bound = set.bound;
    out->nodes = set.nodes;
    return status;
}

/* ---- the mapping ---------------------------------------------------------------------------- */

static bool copy_hosts(Mapping *m, const Hosts *h, const AmogetMachine *machine)
{
    size_t n = (size_t)h->count;
    if (!mem_new_zeroed(m->hosts, n) || !mem_new(m->latency, n * n))
        return false;
    m->host_count = h->count;
    for (int32_t i = 0; i < h->count; i++) {
        const char *name = amoget_processor_address(machine, i);
        size_t size = strlen(name) + 1;
        if (!mem_new(m->hosts[i].name, size))
            return false;
        memcpy(m->hosts[i].name, name, size);
        m->hosts[i].places = h->places[i];
        double share = fmin(1, amoget_availability(machine, i));
        m->hosts[i].speed = share / amoget_time(machine, i);
    }
    for (size_t i = 0; i < n * n; i++)
        m->latency[i] = h->ms[i] / 1e3;
    return true;
}

static bool copy_schema(Mapping *m, const AmogetProgram *p)
{
    AmogetProgram *copy;
    if (amoget_program_new(&copy, p, NULL) != PEPA_OK)
        return false;
    m->schema = *copy;
    copy->sizes = NULL;
    copy->edges = NULL;
    amoget_program_free(copy);
    return true;
}

/* Groups and edges of a shape; those of complete graphs are listed. */
static bool copy_groups(Mapping *m, const Shape *s, const int32_t *host_of)
{
    int64_t pairs = s->complete ? (int64_t)s->groups * (s->groups - 1) / 2 : s->edge_count;
    int32_t n = s->fixed + s->rest, rank = 0;
    if (!mem_new(m->groups, s->groups) || !mem_new(m->edges, pairs) || !mem_new(m->host_of, n) ||
        !mem_new(m->group_of, n))
        return false;
    m->process_count = n;
    m->group_count = s->groups;
    for (int32_t g = 0; g < s->groups; g++) {
        m->groups[g] = (MappingGroup){s->size[g], s->parent[g]};
        for (int32_t i = 0; i < s->size[g]; i++, rank++) {
            m->host_of[rank] = host_of[rank];
            m->group_of[rank] = g;
        }
    }
    for (int32_t a = 0; a < s->groups && s->complete; a++)
        for (int32_t b = a + 1; b < s->groups; b++)
            m->edges[m->edge_count++] = (AmogetEdge){a, b};
    for (int32_t e = 0; e < s->edge_count; e++)
        m->edges[m->edge_count++] = s->edges[e];
    return true;
}

bool schedule_mapping(Mapping **out, const Hosts *hosts, const AmogetMachine *machine,
                      const Placement *p)
{
    Shape shape;
    bool no_memory = false;
    if (!division_make(&shape, p->program, p->parts, &no_memory))
        return false;
    division_set(&shape, p->sizes);
    bool good = mem_new_zeroed(*out, 1) && copy_hosts(*out, hosts, machine) &&
                copy_schema(*out, p->program) && copy_groups(*out, &shape, p->host_of);
    division_free(&shape);
    return good;
}

PepaStatus schedule_find(Schedule *out, const AmogetMachine *machine, const AmogetProgram *program,
                         const ScheduleSettings *settings, PepaError *err)
{
    Run r = {.program = program, .settings = settings};
    r.deadline = settings->seconds > 0 ? clock_seconds() + settings->seconds : INFINITY;
    r.paper_deadline = r.deadline - PAPER_LEAVES * settings->seconds;
    Schedule made = {.partitions = division_count(program), .whole = true};
    PepaStatus status = hosts_make(&r.hosts, machine, settings->coefficient, err);
    if (status == PEPA_OK && (isnan(made.partitions) || !best_make(&r.best, program->processes)))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = run(&r, &made, err);
    const Placement found = {program, r.best.parts, r.best.sizes, r.best.host_of};
    if (status == PEPA_OK && !schedule_mapping(&made.mapping, &r.hosts, machine, &found))
        status = error_memory(err);
    made.cost = r.best.cost;
    made.parts = r.best.parts;
    best_free(&r.best);
    clusters_free(&r.clusters);
    linkage_free(&r.tree);
    hosts_free(&r.hosts);
    if (status == PEPA_OK)
        *out = made;
    else
        schedule_free(&made);
    return status;
}

void schedule_free(Schedule *s)
{
    mapping_free(s->mapping);
    *s = (Schedule){0};
}
