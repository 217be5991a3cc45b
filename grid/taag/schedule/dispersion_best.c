/* The minimum dispersion problem: the largest latency by bisection, then the sum. */
#include "grid/taag/schedule/dispersion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Work, in latencies looked at: of one clique, of the bisection, of local search. */
static const int64_t CLIQUE_WORK = 30000000, LOCAL_WORK = 20000000;

typedef struct {
    const Dispersion *d;
    int32_t count; /* of the first values that matter */
    bool *member, *trial;
    int32_t high; /* values[high]: of the clique in member; count: there is none */
    Effort *effort;
    bool no_memory;
} Bisection;

static CliqueAnswer try_latency(Bisection *b, int32_t i)
{
    Effort effort = effort_of(b->effort, CLIQUE_WORK);
    CliqueAnswer answer = dispersion_clique(b->d, b->d->values[i], b->trial, &effort);
    effort_add(b->effort, &effort);
    b->no_memory = b->no_memory || answer == CLIQUE_NO_MEMORY;
    if (answer == CLIQUE_FOUND && i < b->high) {
        bool *swap = b->member;
        b->member = b->trial;
        b->trial = swap;
        b->high = i;
    }
    return answer;
}

/* The first value at which there may be a clique, and the first at which one is found: they differ
 * if some answers are not known.  A cutoff is often the least value itself, or too low: the last
 * ones are tried first. */
static int32_t bisect(Bisection *b)
{
    int32_t low = 0, high = b->count;
    for (int32_t i = b->count - 1; i >= 0 && i >= b->count - 2 && high == i + 1; i--) {
        if (try_latency(b, i) == CLIQUE_NONE)
            low = i + 1;
        else
            high = i;
    }
    while (low < high && !b->no_memory && !effort_ended(b->effort)) {
        int32_t middle = low + (high - low) / 2;
        if (try_latency(b, middle) == CLIQUE_NONE)
            low = middle + 1;
        else
            high = middle;
    }
    for (int32_t from = low; from < b->high && !b->no_memory && !effort_ended(b->effort);) {
        int32_t middle = from + (b->high - from) / 2;
        if (try_latency(b, middle) != CLIQUE_FOUND)
            from = middle + 1;
    }
    return low;
}

static bool improve(Bisection *b, Dispersed *out)
{
    Effort effort = effort_of(b->effort, LOCAL_WORK);
    bool good = dispersion_improve(&out->found, b->d, b->d->values[b->high], b->member, out->count,
                                   &effort);
    effort_add(b->effort, &effort);
    if (good && out->found)
        dispersion_measure(b->d, out->count, &out->most, &out->sum);
    return good;
}

static double value_at(const Dispersion *d, int32_t i)
{
    return i < d->value_count ? d->values[i] : INFINITY;
}

bool dispersion_solve(Dispersed *out, const Dispersion *d, double cutoff, double cutoff_sum,
                      Effort *effort)
{
    Bisection b = {.d = d, .effort = effort};
    *out = (Dispersed){0};
    bool good = mem_new_zeroed(out->count, d->nodes) && mem_new_zeroed(b.member, d->nodes) &&
                mem_new_zeroed(b.trial, d->nodes);
    if (good) {
        while (b.count < d->value_count && d->values[b.count] <= cutoff)
            b.count++;
        b.high = b.count;
        int32_t low = bisect(&b);
        good = !b.no_memory;
        out->least_most = value_at(d, low);
        if (good && b.high < b.count)
            good = improve(&b, out);
        if (good && low < b.count && b.high == low) {
            out->cutoff_sum = out->least_most < cutoff ? INFINITY : cutoff_sum;
            good = dispersion_sum(out, d, out->least_most, effort);
            if (good && !isfinite(out->least_sum)) { /* more was asked than of cliques */
                out->least_most = value_at(d, low + 1);
                out->least_sum = 0;
            }
        }
    }
    mem_free_all(b.member, b.trial);
    if (!good)
        dispersed_free(out);
    return good;
}
