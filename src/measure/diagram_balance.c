/* Upper state by upper state: what flows into its states along the edges that lead there, and what
 * leaves them. */
#include "measure/diagram_balance.h"

#include <math.h>
#include <string.h>

#include "base/workers.h"

/* Entries of a tile one after the other: from + k leads to to + k, k < length. */
typedef struct {
    uint16_t to, from, length;
} Run;

typedef struct {
    int32_t from, tile, term;
} EdgeIn;

typedef struct {
    double off, flow, time_off, sum, least;
} Found;

enum { PARTS = 256 }; /* of the upper states, whatever the number of threads */

typedef struct {
    const Diagram *d;
    const RateTable *rates;
    const double *pi;
    Run *runs;
    int64_t *tile_run; /* per tile: its first run */
    EdgeIn *in;
    int64_t *in_row; /* per upper state: its edges in */
    double
        *local_exit; /* per place of a set: the rate at which the events of the lower part leave */
    int64_t *local_first; /* per set: where that begins */
    int32_t largest;      /* places of a set */
    double *scratch;      /* per thread: 2 * largest */
    Found found[PARTS];
} Balancing;

/* ---- structure ----------------------------------------------------------------------------- */

static bool goes_on(const Diagram *d, int64_t k)
{
    return d->tile_to[k] == d->tile_to[k - 1] + 1 && d->tile_from[k] == d->tile_from[k - 1] + 1;
}

static bool list_runs(Balancing *b)
{
    const Diagram *d = b->d;
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int32_t i = 0; i < d->tile_count; i++) {
            const Tile *t = &d->tiles[i];
            b->tile_run[i] = count;
            for (int64_t k = t->first; k < t->first + t->count; k++)
                if (k > t->first && goes_on(d, k)) {
                    if (pass == 1)
                        b->runs[count - 1].length++;
                } else if (count++, pass == 1) {
                    b->runs[count - 1] = (Run){d->tile_to[k], d->tile_from[k], 1};
                }
        }
        b->tile_run[d->tile_count] = count;
        if (pass == 0 && !(b->runs = mem_alloc((size_t)count, sizeof *b->runs)))
            return false;
    }
    return true;
}

static void turn_round(Balancing *b)
{
    const Diagram *d = b->d;
    size_t n = (size_t)d->upper_count;
    int64_t *end = b->in_row + 1;
    memset(b->in_row, 0, (n + 2) * sizeof *b->in_row);
    for (int64_t e = 0; e < d->edge_row[n]; e++)
        end[d->edges[e].to + 1]++;
    for (size_t i = 0; i < n; i++)
        end[i + 1] += end[i];
    for (int32_t from = 0; from < d->upper_count; from++)
        for (int64_t e = d->edge_row[from]; e < d->edge_row[from + 1]; e++) {
            const Edge *edge = &d->edges[e];
            b->in[end[edge->to]++] = (EdgeIn){from, edge->tile, edge->term};
        }
}

/* ---- edges --------------------------------------------------------------------------------- */

/* sum_to += rate * pi_from along a tile between the states at these places.  self: they are the
 * same states, and what leads nowhere does not count. */
static void add_flow(const Balancing *b, int32_t tile, int32_t term, const double *pi, bool self,
                     double *restrict sum)
{
    const Tile *t = &b->d->tiles[tile];
    const double *value = b->rates->value;
    const int32_t *terms = t->term < 0 ? NULL : b->d->tile_term + t->term;
    for (int64_t r = b->tile_run[tile]; r < b->tile_run[tile + 1]; r++) {
        Run run = b->runs[r];
        const double *restrict from = pi + run.from;
        double *restrict to = sum + run.to;
        if (self && run.from == run.to) {
            terms += terms ? run.length : 0;
        } else if (terms) {
            for (int32_t k = 0; k < run.length; k++)
                to[k] += value[*terms++] * from[k];
        } else {
            double rate = value[term];
            for (int32_t k = 0; k < run.length; k++)
                to[k] += rate * from[k];
        }
    }
}

/* exit_from += rate, likewise. */
static void add_exit(const Balancing *b, int32_t tile, int32_t term, bool self,
                     double *restrict exit)
{
    const Tile *t = &b->d->tiles[tile];
    const double *value = b->rates->value;
    const int32_t *terms = t->term < 0 ? NULL : b->d->tile_term + t->term;
    for (int64_t r = b->tile_run[tile]; r < b->tile_run[tile + 1]; r++) {
        Run run = b->runs[r];
        double *restrict from = exit + run.from;
        if (self && run.from == run.to) {
            terms += terms ? run.length : 0;
        } else if (terms) {
            for (int32_t k = 0; k < run.length; k++)
                from[k] += value[*terms++];
        } else {
            double rate = value[term];
            for (int32_t k = 0; k < run.length; k++)
                from[k] += rate;
        }
    }
}

static void find_local_exits(Balancing *b)
{
    const Diagram *d = b->d;
    for (int32_t set = 0; set < d->set_count; set++) {
        double *exit = b->local_exit + b->local_first[set];
        memset(exit, 0, (size_t)d->set_size[set] * sizeof *exit);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            add_exit(b, d->local[e].tile, d->local[e].term, true, exit);
    }
}

/* ---- balance ------------------------------------------------------------------------------- */

static void balance_upper(const Balancing *b, int32_t upper, double *in, double *exit, Found *found)
{
    const Diagram *d = b->d;
    int32_t set = d->set[upper], size = d->set_size[set];
    const double *here = b->pi + d->offset[upper];
    memset(in, 0, (size_t)size * sizeof *in);
    memcpy(exit, b->local_exit + b->local_first[set], (size_t)size * sizeof *exit);
    for (int64_t e = b->in_row[upper]; e < b->in_row[upper + 1]; e++) {
        EdgeIn edge = b->in[e];
        add_flow(b, edge.tile, edge.term, b->pi + d->offset[edge.from], edge.from == upper, in);
    }
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        add_flow(b, d->local[e].tile, d->local[e].term, here, true, in);
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1]; e++) {
        const Edge *edge = &d->edges[e];
        add_exit(b, edge->tile, edge->term, edge->to == upper, exit);
    }
    for (int32_t k = 0; k < size; k++) {
        double out = here[k] * exit[k], off = fabs(in[k] - out);
        found->off += off;
        found->flow += out;
        found->time_off += exit[k] > 0 ? off / exit[k] : 0;
        found->sum += here[k];
        found->least = here[k] < found->least ? here[k] : found->least;
    }
}

static void balance_part(void *user, int32_t part, int32_t worker)
{
    Balancing *b = user;
    int64_t n = b->d->upper_count;
    double *scratch = b->scratch + 2 * (size_t)worker * (size_t)b->largest;
    Found found = {0};
    for (int64_t i = n * part / PARTS; i < n * (part + 1) / PARTS; i++)
        balance_upper(b, (int32_t)i, scratch, scratch + b->largest, &found);
    b->found[part] = found;
}

static void add_up(const Balancing *b, DiagramBalance *out)
{
    Found all = {0};
    for (int32_t part = 0; part < PARTS; part++) {
        const Found *f = &b->found[part];
        all.off += f->off;
        all.flow += f->flow;
        all.time_off += f->time_off;
        all.sum += f->sum;
        all.least = fmin(all.least, f->least);
    }
    double residual = all.off == 0 ? 0 : all.off / all.flow;
    *out = (DiagramBalance){.residual = isfinite(residual) ? residual : HUGE_VAL,
                            .by_time = isfinite(all.time_off) ? all.time_off : HUGE_VAL,
                            .sum = all.sum,
                            .least = all.least};
}

static bool reserve(Balancing *b, int32_t threads)
{
    const Diagram *d = b->d;
    size_t n = (size_t)d->upper_count;
    int64_t places = 0;
    b->local_first = mem_alloc((size_t)d->set_count, sizeof *b->local_first);
    for (int32_t set = 0; b->local_first && set < d->set_count; set++) {
        b->local_first[set] = places;
        places += d->set_size[set];
        b->largest = d->set_size[set] > b->largest ? d->set_size[set] : b->largest;
    }
    b->local_exit = mem_alloc((size_t)places, sizeof *b->local_exit);
    b->tile_run = mem_alloc((size_t)d->tile_count + 1, sizeof *b->tile_run);
    b->in_row = mem_alloc(n + 2, sizeof *b->in_row);
    b->in = mem_alloc((size_t)d->edge_row[n], sizeof *b->in);
    b->scratch = mem_alloc((size_t)threads * (size_t)b->largest, 2 * sizeof *b->scratch);
    return b->local_first && b->local_exit && b->tile_run && b->in_row && b->in && b->scratch &&
           list_runs(b);
}

PepaStatus diagram_balance(const Diagram *diagram, const RateTable *rates, const double *pi,
                           int32_t threads, DiagramBalance *out, PepaError *err)
{
    Balancing b = {.d = diagram, .rates = rates, .pi = pi};
    threads = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    Workers *workers = workers_new(threads);
    bool ok = workers && reserve(&b, threads);
    if (ok) {
        turn_round(&b);
        find_local_exits(&b);
        workers_run(workers, PARTS, balance_part, &b);
        add_up(&b, out);
    }
    workers_free(workers);
    mem_free(b.runs);
    mem_free(b.tile_run);
    mem_free(b.in);
    mem_free(b.in_row);
    mem_free(b.local_exit);
    mem_free(b.local_first);
    mem_free(b.scratch);
    return ok ? PEPA_OK : error_memory(err);
}
