/* Branch and bound over placements: depth first, the most promising processor first. */
#include "grid/bsp/predict/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/bsp/predict/soonest.h"
#include "grid/bsp/predict/timeline.h"

enum { NOWHERE = -1 };
/* Placements that differ by less count as equal: rounding. */
#define EQUAL 1e-12

/* A processor for the process of a level, with the bound of what it leads to. */
typedef struct {
    int32_t processor;
    double bound;
} Choice;

typedef struct {
    const Trace *trace;
    Placement *where; /* at: NOWHERE for processes that are not placed */
    Soonest soonest;
    PepaStatus status; /* of the timelines */
    PepaError *err;
    int32_t processors;
    int32_t *order;        /* the process of each level: by work, largest first */
    int32_t *alike;        /* by processor: the first one that nothing tells apart from it */
    int32_t *used;         /* by processor: processes there */
    double fastest;        /* least seconds for what took one in the recorded run */
    Choice *choice;        /* levels x processors */
    int32_t *next, *count; /* by level: the next choice to try, and how many there are */
    int32_t *best;
    double least;
    int64_t work, most_work, looked;
} Search;

/* ---- bounds ---------------------------------------------------------------------------------- */

/* A superstep of a timeline takes some times as long to look at as one of a bound; and one of many processes,
 * each of which may send to each, as many as the square says. */
#define TIMELINE 4
enum { FEW = 16 };

static void count_work(Search *s, int64_t times)
{
    const int64_t n = s->where->processes;
    s->looked++;
    s->work += times * s->trace->steps * (n > FEW ? n * n / (FEW * FEW) : 1);
}

static bool is_over(const Search *s)
{
    return s->most_work && s->work > s->most_work;
}

/* No placement that agrees with what is placed takes less. */
static double bound_of(Search *s)
{
    const Placement *w = s->where;
    for (int32_t p = 0; p < w->processes; p++)
        w->second[p] = w->at[p] >= 0 ? placement_second(w, p) : s->fastest;
    count_work(s, 1);
    return soonest_end(&s->soonest, s->trace, w);
}

/* HUGE_VAL: out of memory. */
static double value_of(Search *s)
{
    double seconds = HUGE_VAL;
    placement_update(s->where);
    count_work(s, TIMELINE);
    if (s->status == PEPA_OK)
        s->status = timeline_run(s->trace, s->where, NULL, &seconds, s->err);
    return seconds;
}

/* ---- processors that nothing tells apart ----------------------------------------------------- */

static bool same_number(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool same_links(const AmogetMachine *m, int32_t a, int32_t b, int32_t c, int32_t d)
{
    return same_number(amoget_latency(m, a, b), amoget_latency(m, c, d)) &&
           same_number(amoget_bandwidth(m, a, b), amoget_bandwidth(m, c, d));
}

static bool are_alike(const AmogetMachine *m, int32_t processors, int32_t a, int32_t b)
{
    bool alike = amoget_time(m, a) == amoget_time(m, b) &&
                 amoget_availability(m, a) == amoget_availability(m, b) &&
                 amoget_cores(m, a) == amoget_cores(m, b) && same_links(m, a, a, b, b);
    for (int32_t r = 0; r < processors && alike; r++)
        alike = r == a || r == b || same_links(m, a, r, b, r);
    return alike;
}

static void find_alike(Search *s)
{
    const AmogetMachine *m = s->where->machine;
    for (int32_t a = 0; a < s->processors; a++) {
        s->alike[a] = a;
        for (int32_t b = 0; b < a && s->alike[a] == a; b++)
            if (s->alike[b] == b && are_alike(m, s->processors, a, b))
                s->alike[a] = b;
    }
}

/* An earlier processor like this one is free as well: it stands for both. */
static bool is_spare(const Search *s, int32_t processor)
{
    bool spare = false;
    for (int32_t q = 0; q < processor && s->used[processor] == 0 && !spare; q++)
        spare = s->alike[q] == s->alike[processor] && s->used[q] == 0;
    return spare;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void place(Search *s, int32_t process, int32_t processor)
{
    int32_t *at = &s->where->at[process];
    if (*at >= 0)
        s->used[*at]--;
    *at = processor;
    if (processor >= 0)
        s->used[processor]++;
}

static int by_bound(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    return x->bound != y->bound ? (x->bound > y->bound) - (x->bound < y->bound)
                                : (x->processor > y->processor) - (x->processor < y->processor);
}

static Choice *choices(const Search *s, int32_t level)
{
    return s->choice + (size_t)level * (size_t)s->processors;
}

/* The processors for the process of a level, the least bound first. */
static void open_level(Search *s, int32_t level)
{
    Choice *list = choices(s, level);
    s->next[level] = s->count[level] = 0;
    for (int32_t q = 0; q < s->processors; q++) {
        if (is_spare(s, q))
            continue;
        place(s, s->order[level], q);
        list[s->count[level]++] = (Choice){q, bound_of(s)};
    }
    place(s, s->order[level], NOWHERE);
    qsort(list, (size_t)s->count[level], sizeof *list, by_bound);
}

static void keep(Search *s, double value)
{
    if (value < s->least) {
        s->least = value;
        memcpy(s->best, s->where->at, (size_t)s->where->processes * sizeof *s->best);
    }
}

/* Move one process, or exchange two, as long as that helps, from the best placement. */
static void descend(Search *s)
{
    const int32_t n = s->where->processes;
    double before = HUGE_VAL;
    while (s->least < before && !is_over(s)) {
        before = s->least;
        for (int32_t p = 0; p < n; p++)
            for (int32_t q = 0; q < s->processors + p && !is_over(s); q++) {
                const int32_t other = q - s->processors;
                const int32_t from = s->best[p], to = other < 0 ? q : s->best[other];
                memcpy(s->where->at, s->best, (size_t)n * sizeof *s->best);
                s->where->at[p] = to;
                if (other >= 0)
                    s->where->at[other] = from;
                if (to != from)
                    keep(s, value_of(s));
            }
    }
    for (int32_t p = 0; p < n; p++)
        s->where->at[p] = NOWHERE;
}

static bool promises(const Search *s, int32_t level)
{
    return s->next[level] < s->count[level] &&
           choices(s, level)[s->next[level]].bound < s->least * (1 - EQUAL);
}

/* Until nothing promises more, or the work is done that may be done.  The bound that is left. */
static double walk(Search *s)
{
    const int32_t n = s->where->processes;
    int32_t level = 0;
    open_level(s, 0);
    while (level >= 0) {
        place(s, s->order[level], NOWHERE);
        if (!promises(s, level)) {
            level--;
            continue;
        }
        if (is_over(s))
            break;
        place(s, s->order[level], choices(s, level)[s->next[level]++].processor);
        if (level + 1 < n)
            open_level(s, ++level);
        else
            keep(s, value_of(s));
    }
    double bound = s->least;
    for (; level >= 0; level--) /* what was not tried */
        if (promises(s, level))
            bound = fmin(bound, choices(s, level)[s->next[level]].bound);
    return bound;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void order_processes(Search *s)
{
    const int32_t n = s->where->processes;
    double *work = s->soonest.received; /* not in use yet */
    for (int32_t p = 0; p < n; p++) {
        double sum = 0;
        for (int64_t i = 0; i < s->trace->steps; i++)
            sum += trace_work(s->trace, i)[p];
        work[p] = sum;
        int32_t at = p;
        for (; at > 0 && work[s->order[at - 1]] < sum; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = p;
    }
}

static PepaStatus search_new(Search *s, PepaError *err)
{
    const size_t n = (size_t)s->where->processes, q = (size_t)s->processors;
    if (!(soonest_new(&s->soonest, s->where->processes, s->processors) && mem_new(s->order, n) &&
          mem_new(s->next, n) && mem_new(s->count, n) && mem_new(s->best, n) &&
          mem_new(s->alike, q) && mem_new_zeroed(s->used, q) && mem_new(s->choice, n * q)))
        return error_memory(err);
    find_alike(s);
    order_processes(s);
    s->fastest = HUGE_VAL;
    for (int32_t i = 0; i < s->processors; i++) {
        s->where->at[0] = i;
        s->fastest = fmin(s->fastest, placement_second(s->where, 0));
    }
    for (size_t p = 0; p < n; p++)
        s->where->at[p] = NOWHERE;
    return PEPA_OK;
}

static PepaStatus check_latencies(const AmogetMachine *m, int32_t processors, PepaError *err)
{
    for (int32_t a = 0; a < processors; a++)
        for (int32_t b = 0; b < a; b++)
            if (isnan(amoget_latency(m, a, b)))
                return error_set(err, PEPA_EMODEL, "no latency between %s and %s is given",
                                 amoget_processor_name(m, b), amoget_processor_name(m, a));
    return PEPA_OK;
}

/* Where a process computes soonest, with those that are there. */
static int32_t quickest(Search *s, int32_t process)
{
    int32_t best = 0;
    double least = HUGE_VAL;
    for (int32_t q = 0; q < s->processors; q++) {
        s->where->at[process] = q;
        const double second = placement_second(s->where, process) *
                              placement_crowd(s->where, process, s->used[q] + 1);
        if (second < least) {
            least = second;
            best = q;
        }
    }
    s->where->at[process] = NOWHERE;
    return best;
}

/* A first placement: greedily, as the search goes down for the first time; without bounds when the work is done
 * that may be done. */
static void go_down(Search *s)
{
    for (int32_t level = 0; level < s->where->processes; level++) {
        const int32_t process = s->order[level];
        const bool looks = !is_over(s);
        if (looks)
            open_level(s, level);
        place(s, process, looks ? choices(s, level)[0].processor : quickest(s, process));
    }
    keep(s, value_of(s));
    memset(s->used, 0, (size_t)s->processors * sizeof *s->used);
}

PepaStatus placement_search(const Trace *trace, Placement *where, int64_t most_work, Found *found,
                            PepaError *err)
{
    Search s = {.trace = trace,
                .where = where,
                .processors = amoget_processor_count(where->machine),
                .most_work = most_work,
                .err = err,
                .least = HUGE_VAL};
    PepaStatus status = check_latencies(where->machine, s.processors, err);
    if (status == PEPA_OK)
        status = search_new(&s, err);
    if (status == PEPA_OK) {
        go_down(&s);
        descend(&s);
        const double bound = walk(&s);
        memcpy(where->at, s.best, (size_t)where->processes * sizeof *s.best);
        placement_update(where);
        *found = (Found){s.least, bound, s.looked, bound >= s.least * (1 - EQUAL)};
        status = s.status;
    }
    soonest_free(&s.soonest);
    mem_free_all(s.order, s.next, s.count, s.best, s.alike, s.used, s.choice);
    return status;
}
