/* Compiled for speed, see the Makefile. */
#include "solvers/blocks/extrapolate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/budget.h"
#include "solvers/lanes.h"
#include "solvers/wide.h"

void history_free(History *history)
{
    for (int32_t k = 0; k < MOST_HISTORY; k++)
        mem_free(history->at[k]);
    mem_free(history->moved);
    *history = (History){0};
}

static const double whole = sizeof(double), half = sizeof(float);

/* The second iterate of a lean history of more than two has the place of the first, and `moved`. */
static double bytes_of(const History *history, int32_t count)
{
    const bool lean = history->lean && count > 2;
    return (double)history->n * (count * whole - lean * half);
}

double history_bytes(const History *history)
{
    double each = history->moved ? half : 0;
    for (int32_t k = 0; k < MOST_HISTORY; k++)
        each += history->at[k] ? whole : 0;
    return (double)history->n * each;
}

static bool grow(History *history)
{
    const int32_t k = history->most;
    const size_t n = (size_t)history->n;
    if (history->lean && k == 2)
        return (history->moved = mem_alloc(n, sizeof *history->moved)) != NULL;
    double **at = &history->at[k - (history->lean && k > 2)];
    return (*at = mem_alloc(n, sizeof **at)) != NULL;
}

static void shrink(History *history)
{
    const int32_t k = --history->most;
    if (history->lean && k == 2) {
        mem_free(history->moved);
        history->moved = NULL;
        return;
    }
    double **at = &history->at[k - (history->lean && k > 2)];
    mem_free(*at);
    *at = NULL;
}

/* Pages are found side by side, by threads as by processes, and not one after the other as sweeps first write to them. */
static void touch_part(void *user, int32_t part, int32_t worker)
{
    const History *history = user;
    const int64_t first = history->n * part / PARTS,
                  count = history->n * (part + 1) / PARTS - first;
    (void)worker;
    for (int32_t k = 0; k < MOST_HISTORY; k++)
        if (history->at[k])
            mem_touch(history->at[k] + first, (size_t)count * sizeof *history->at[k]);
    if (history->moved)
        mem_touch(history->moved + first, (size_t)count * sizeof *history->moved);
}

void history_init(History *history, int64_t n, int32_t most, int64_t memory, Workers *workers,
                  const PepaProcesses *processes)
{
    *history = (History){.n = n, .workers = workers, .processes = processes};
    history->lean = processes || !budget_allows(memory, bytes_of(history, most));
    while (history->most < most && budget_allows(memory, bytes_of(history, history->most + 1)) &&
           grow(history))
        history->most++;
    double fewer = -history->most;
    if (processes)
        processes->largest(processes->user, &fewer, 1);
    while (history->most > (int32_t)-fewer)
        shrink(history);
    history->lean = history->lean && history->most > 2;
    workers_run(workers, PARTS, touch_part, history);
}

void history_clear(History *history)
{
    history->count = 0;
}

void history_hold(History *history, bool first)
{
    if (!history->moved || history->lean == !first)
        return;
    history->most += first ? -1 : 1;
    history->lean = !first;
}

/* ---- entries by parts ----------------------------------------------------------------------- */

/* Inner products, at[i][j] for i <= j. */
typedef struct {
    double at[MOST_HISTORY][MOST_HISTORY];
} Products;

typedef struct {
    const History *history;
    double *x;
    Iterate to;
    const double *from, *g;
    Products *found; /* per part */
} Job;

/* Entries [*first, *end) of a part: whole chunks, except the last. */
static void bounds(const History *history, int32_t part, int64_t *first, int64_t *end)
{
    int64_t chunks = (history->n + CHUNK - 1) / CHUNK;
    *first = chunks * part / PARTS * CHUNK;
    *end = chunks * (part + 1) / PARTS * CHUNK;
    *end = *end < history->n ? *end : history->n;
}

static void keep_part(void *user, int32_t part, int32_t worker)
{
    const Job *job = user;
    int64_t first, end;
    (void)worker;
    bounds(job->history, part, &first, &end);
    if (first < end)
        iterate_keep(&job->to, job->from, first, end);
}

static void keep(const History *history, Iterate to, const double *from)
{
    Job job = {.history = history, .to = to, .from = from};
    workers_run(history->workers, PARTS, keep_part, &job);
}

/* Where the k-th iterate is, once it is there. */
static INLINE double *place(const History *history, bool lean, int32_t k)
{
    return history->at[k - (lean && k > 0)];
}

Iterate history_next(History *history)
{
    const int32_t k = history->count++;
    return (Iterate){place(history, history->lean, k), k == 1 ? history->moved : NULL};
}

void history_add(History *history, const double *x)
{
    keep(history, history_next(history), x);
}

void history_first(const History *history, double *x)
{
    keep(history, (Iterate){x, NULL}, history->at[0]);
}

static double *last_place(const History *history)
{
    return place(history, history->lean, history->most - 1);
}

void history_keep(History *history, const double *x)
{
    keep(history, (Iterate){last_place(history), NULL}, x);
}

void history_restore(const History *history, double *x)
{
    keep(history, (Iterate){x, NULL}, last_place(history));
}

/* ---- extrapolation -------------------------------------------------------------------------- */

/* Of a history.  Sums stay in registers where it is known. */
typedef struct {
    int32_t count;
    bool lean;
} Kind;

/* d_last-j of `width` entries from i on. */
static INLINE void difference(const Job *job, Kind kind, int32_t j, int64_t i, int32_t width,
                              Lanes *d)
{
    const History *history = job->history;
    const int32_t k = kind.count - 1 - j;
    Lanes before;
    if (kind.lean && k == 0 && j > 0) {
        lanes_widen(d, history->moved + i, width);
        *d /= ITERATE_SCALE;
        return;
    }
    lanes_load(d, (j > 0 ? place(history, kind.lean, k + 1) : job->x) + i, width);
    lanes_load(&before, place(history, kind.lean, k) + i, width);
    *d -= before;
}

/* Of each product, by lanes. */
typedef struct {
    Lanes at[MOST_HISTORY][MOST_HISTORY];
} Sums;

/* What `width` entries add to the products of the latest difference and of how differences have
 * changed, the latest change first: v_0 = d_last, v_j = d_last-j+1 - d_last-j.  Entries weigh 1 / x_i,
 * as in multilevel.c, so that the rare states have a say; less where they move so far that x tells
 * nothing of their size. */
static INLINE void multiply(const Job *job, Kind kind, int64_t i, int32_t width, Sums *sums)
{
    const int32_t count = kind.count;
    Lanes v[MOST_HISTORY], weight;
    lanes_load(&weight, job->x + i, width);
    weight += DBL_MIN;
    for (int32_t j = 0; j < count; j++)
        difference(job, kind, j, i, width, &v[j]);
    for (int32_t j = count - 1; j > 0; j--) {
        Lanes size = v[j] = v[j - 1] - v[j];
        lanes_magnitude(&size);
        weight += size;
    }
    weight = 1 / weight;
    for (int32_t j = 0; j < count; j++) {
        const Lanes weighted = v[j] * weight;
        for (int32_t e = 0; e <= j; e++)
            sums->at[e][j] += v[e] * weighted;
    }
}

static INLINE void multiply_part(const Job *job, Kind kind, int32_t part)
{
    Sums sums = {{{{0}}}};
    int64_t i, end;
    bounds(job->history, part, &i, &end);
    for (; i + LANES <= end; i += LANES)
        multiply(job, kind, i, LANES, &sums);
    if (i < end)
        multiply(job, kind, i, (int32_t)(end - i), &sums);
    for (int32_t j = 0; j < kind.count; j++)
        for (int32_t e = 0; e <= j; e++)
            job->found[part].at[e][j] = lanes_sum(&sums.at[e][j]);
}

/* g_j, j > 0, that make |v_0 - sum g_j v_j| least: Cholesky factors of the products, scaled to a
 * unit diagonal, up to the first v_j that is a combination of those before it, as far as
 * rounding lets see.  0 from there on.  False: there is none. */
static bool find_shares(const Products *products, int32_t count, double *g)
{
    const double least = 1e-12;
    double l[MOST_HISTORY][MOST_HISTORY], scale[MOST_HISTORY];
    int32_t rank = 1;
    for (int32_t i = 1; i < count; i++, rank++) {
        double pivot = 1;
        scale[i] = sqrt(products->at[i][i]);
        for (int32_t j = 1; j < i; j++) {
            l[i][j] = products->at[j][i] / scale[i] / scale[j];
            for (int32_t k = 1; k < j; k++)
                l[i][j] -= l[i][k] * l[j][k];
            l[i][j] /= l[j][j];
            pivot -= l[i][j] * l[i][j];
        }
        if (!(scale[i] > 0 && pivot > least))
            break;
        l[i][i] = sqrt(pivot);
    }
    for (int32_t i = 1; i < count; i++)
        g[i] = i < rank ? products->at[0][i] / scale[i] : 0;
    for (int32_t i = 1; i < rank; i++) {
        for (int32_t j = 1; j < i; j++)
            g[i] -= l[i][j] * g[j];
        g[i] /= l[i][i];
    }
    bool finite = rank > 1;
    for (int32_t i = rank - 1; i > 0; i--) {
        for (int32_t j = i + 1; j < rank; j++)
            g[i] -= l[j][i] * g[j];
        g[i] /= l[i][i];
    }
    for (int32_t i = 1; i < rank; i++)
        finite = isfinite(g[i] /= scale[i]) && finite;
    return finite;
}

/* x -= sum g_j d_last-j+1 where that is positive, and x as it was in the place of the last iterate. */
static INLINE void combine(const Job *job, Kind kind, int64_t i, int32_t width)
{
    const History *history = job->history;
    Lanes x, d, sum = {0};
    lanes_load(&x, job->x + i, width);
    for (int32_t j = 1; j < kind.count; j++) {
        difference(job, kind, j - 1, i, width, &d);
        sum += job->g[j] * d;
    }
    lanes_store(place(history, kind.lean, history->most - 1) + i, &x, width);
    x -= (Lanes)((LaneBits)sum & (x > sum));
    lanes_store(job->x + i, &x, width);
}

static INLINE void combine_part(const Job *job, Kind kind, int32_t part)
{
    int64_t i, end;
    bounds(job->history, part, &i, &end);
    for (; i + LANES <= end; i += LANES)
        combine(job, kind, i, LANES);
    if (i < end)
        combine(job, kind, i, (int32_t)(end - i));
}

/* A job without shares is to find the products. */
static INLINE void do_kind(const Job *job, Kind kind, int32_t part)
{
    if (job->g)
        combine_part(job, kind, part);
    else
        multiply_part(job, kind, part);
}

static INLINE void do_part(const Job *job, int32_t part)
{
    const History *history = job->history;
    const bool all = history->count == MOST_HISTORY;
    if (all && history->lean)
        do_kind(job, (Kind){MOST_HISTORY, true}, part);
    else if (all)
        do_kind(job, (Kind){MOST_HISTORY, false}, part);
    else
        do_kind(job, (Kind){history->count, history->lean}, part);
}

static void do_narrow(void *job, int32_t part, int32_t worker)
{
    (void)worker;
    do_part(job, part);
}

WIDE static void do_wide(void *job, int32_t part, int32_t worker)
{
    (void)worker;
    do_part(job, part);
}

bool history_extrapolate(History *history, double *x)
{
    Products found[PARTS] = {0}, all = {0};
    double g[MOST_HISTORY];
    WorkTask *task = wide_vectors() ? do_wide : do_narrow;
    Job job = {.history = history, .x = x, .found = found};
    workers_run(history->workers, PARTS, task, &job);
    for (int32_t part = 0; part < PARTS; part++)
        for (int32_t j = 0; j < history->count; j++)
            for (int32_t i = 0; i <= j; i++)
                all.at[i][j] += found[part].at[i][j];
    if (history->processes)
        history->processes->sum(history->processes->user, all.at[0], MOST_HISTORY * MOST_HISTORY);
    bool gained = find_shares(&all, history->count, g);
    job.g = g;
    if (gained)
        workers_run(history->workers, PARTS, task, &job);
    history_clear(history);
    return gained;
}
