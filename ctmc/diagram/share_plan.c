/* Deals out chunks of upper states, by simulating sweeps. */
#include "ctmc/diagram/share_plan.h"

#include <math.h>
#include <string.h>

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Entries of the edges out of it, and states. */
static double weight_of(const Diagram *d, int32_t upper)
{
    const int32_t set = d->set[upper];
    double weight = d->set_size[set];
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1]; e++)
        weight += d->matrices[d->edges[e].matrix].count;
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        weight += d->matrices[d->local[e].matrix].count;
    return weight;
}

/* Chunks of about the same weight; an upper state goes to the chunk in which its middle is. */
static void cut(SharePlan *p, const Diagram *d)
{
    double all = 0, sum = 0;
    int32_t chunk = 0;
    for (int32_t u = 0; u < d->upper_count; u++)
        all += weight_of(d, u);
    p->bound[0] = 0;
    for (int32_t u = 0; u < d->upper_count; u++) {
        const double weight = weight_of(d, u);
        while (chunk + 1 < p->chunks && sum + weight / 2 >= all * (chunk + 1) / p->chunks)
            p->bound[++chunk] = u;
        p->cost[chunk] += weight;
        sum += weight;
    }
    while (chunk < p->chunks)
        p->bound[++chunk] = d->upper_count;
}

static void find_reads(SharePlan *p, const Diagram *d)
{
    for (int32_t c = 0; c < p->chunks; c++)
        for (int32_t u = p->bound[c]; u < p->bound[c + 1]; u++)
            for (int64_t e = d->edge_row[u]; e < d->edge_row[u + 1]; e++) {
                const int32_t to = d->edges[e].to;
                if (to < p->bound[c] || to >= p->bound[c + 1])
                    p->reads[(size_t)share_plan_chunk(p, to) * (size_t)p->chunks + (size_t)c] = 1;
            }
}

/* ---- dealing --------------------------------------------------------------------------------- */

static int32_t at_place(const SharePlan *p, int32_t place)
{
    return p->up ? place : p->chunks - 1 - place;
}

static void deal(SharePlan *p, int32_t processes, int32_t rounds)
{
    for (int32_t k = 0; k < p->chunks; k++)
        p->process[at_place(p, k)] =
            (int32_t)((int64_t)k * processes * rounds / p->chunks) % processes;
}

/* How long so many sweeps take, one after the other: each chunk waits for its process, and for what
 * it reads of others.
 *   ready   per chunk: when it was swept last
 *   free    per process: when it has done what it did */
static double simulate(const SharePlan *p, int32_t processes, int32_t sweeps, double *ready,
                       double *free_at)
{
    double end = 0;
    memset(ready, 0, (size_t)p->chunks * sizeof *ready);
    memset(free_at, 0, (size_t)processes * sizeof *free_at);
    for (int32_t sweep = 0; sweep < sweeps; sweep++)
        for (int32_t k = 0; k < p->chunks; k++) {
            const int32_t c = at_place(p, k), process = p->process[c];
            const uint8_t *reads = p->reads + (size_t)c * (size_t)p->chunks;
            double begin = free_at[process];
            for (int32_t b = 0; b < p->chunks; b++)
                if (reads[b] && p->process[b] != process)
                    begin = fmax(begin, ready[b]);
            ready[c] = free_at[process] = begin + p->cost[c];
            end = fmax(end, ready[c]);
        }
    return end;
}

static bool choose(SharePlan *p, int32_t processes)
{
    double *ready = NULL, *free_at = NULL, best = HUGE_VAL;
    int32_t rounds = 1;
    const bool ok = mem_new(ready, p->chunks) && mem_new(free_at, processes);
    for (int32_t r = 1; ok && r <= SHARE_ROUNDS && r * processes <= p->chunks; r++) {
        deal(p, processes, r);
        const double time = simulate(p, processes, SHARE_SWEEPS, ready, free_at);
        if (time < SHARE_BETTER * best) { /* more rounds mean more copies */
            best = time;
            rounds = r;
        }
    }
    deal(p, processes, rounds);
    mem_free_all(ready, free_at);
    return ok;
}

bool share_plan_new(SharePlan *out, const Diagram *d, int32_t processes)
{
    const int32_t wanted = processes > 1 ? SHARE_CHUNKS * processes : 1;
    const int32_t most = wanted < MOST_CHUNKS ? wanted : MOST_CHUNKS;
    *out = (SharePlan){.chunks = most > processes ? most : processes,
                       .up = diagram_goes_up(d)};
    const size_t n = (size_t)out->chunks;
    const bool ok = mem_new(out->bound, n + 1) && mem_new_zeroed(out->cost, n) &&
                    mem_new_zeroed(out->reads, n * n) && mem_new(out->process, n);
    if (!ok)
        return false;
    cut(out, d);
    find_reads(out, d);
    return choose(out, processes);
}

void share_plan_free(SharePlan *plan)
{
    mem_free_all(plan->bound, plan->cost, plan->reads, plan->process);
    *plan = (SharePlan){0};
}
