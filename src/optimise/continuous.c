/* Descent searches from the most promising of several starts.
 *
 * Starts are the middle, points that are spread evenly, and two corners; they depend on nothing but
 * the number of variables.  Source of the spread: Roberts, The unreasonable effectiveness of
 * quasirandom sequences, 2018: multiples of the powers of 1 / phi, phi^(n + 1) = phi + 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "optimise/descent.h"

/* ---- tuned numbers --------------------------------------------------------------------------- */

enum {
    FEWEST_STARTS = 8,
    STARTS_EACH = 4, /* per variable */
    MOST_STARTS = 32,
    MOST_SEARCHES = 3, /* of these starts, the best ones that are apart */
    MOST_WINDOWS = 60
};
#define REACH       1e3 /* of a window around the best point; its square where that is at an end */
#define MOST_REACH  1e100
#define MUCH_LARGER 1e6 /* the objective's size, than the best value: a wide window hides it */
static const double leaps[] = {1e-3, 1};     /* of the best value */
#define CORNER        0.02                   /* how near to an end a start is, as a share */
#define APART         0.2                    /* starts of two searches, in some variable */
#define START_PENALTY 10.0                   /* of the excess of constraints, to compare starts */
static const double polish[] = {0.05, 1e-3}; /* steps, as shares */

typedef struct {
    double *share; /* of the free variables */
    double value, violation, worth;
    int32_t place;
    bool valid;
} Start;

static double root(int32_t n)
{
    double phi = 1.5;
    for (int i = 0; i < 64; i++)
        phi = pow(1 + phi, 1.0 / (n + 1));
    return phi;
}

/* Start k of `starts`: the last two are corners. */
static void place_start(const Descent *l, int32_t k, int32_t starts, double *share)
{
    const double phi = root(l->count);
    for (int32_t f = 0; f < l->count; f++) {
        const double spread = fmod(0.5 + k * pow(phi, -(f + 1)), 1);
        share[f] = k == starts - 2   ? CORNER
                   : k == starts - 1 ? 1 - CORNER
                                     : fmin(fmax(spread, CORNER), 1 - CORNER);
    }
}

static void try_start(Descent *l, Start *start)
{
    Optimiser *s = l->search;
    for (int32_t f = 0; f < l->count; f++)
        s->at[l->free[f]] = share_value(s, l->free[f], start->share[f]);
    start->valid = optimiser_evaluate(s, s->at, s->worth, NULL);
    start->value = s->worth[0];
    start->violation = optimiser_violation(s, s->worth);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_worth(const void *a, const void *b)
{
    const Start *x = a, *y = b;
    if (x->valid != y->valid)
        return x->valid ? -1 : 1;
    if (x->worth != y->worth)
        return x->worth < y->worth ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The median of the objective's absolute values; false: memory is out. */
static bool measure_size(Optimiser *s, const Start *start, int32_t starts)
{
    double *each = NULL;
    int32_t valid = 0;
    if (!mem_new(each, starts))
        return false;
    for (int32_t k = 0; k < starts; k++)
        if (start[k].valid)
            each[valid++] = fabs(start[k].value);
    qsort(each, (size_t)valid, sizeof *each, by_value);
    s->size = valid && each[valid / 2] > 0 ? each[valid / 2] : 1;
    mem_free(each);
    return true;
}

/* Whether a start is far from those before it that are searched from. */
static bool apart(const Descent *l, const Start *start, const Start *const *taken, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        double most = 0;
        for (int32_t f = 0; f < l->count; f++)
            most = fmax(most, fabs(start->share[f] - taken[k]->share[f]));
        if (most < APART)
            return false;
    }
    return true;
}

static void best_shares(const Descent *l, double *share)
{
    const Optimiser *s = l->search;
    for (int32_t f = 0; f < l->count; f++)
        share[f] = share_of(s, l->free[f], s->x[l->free[f]]);
}

/* The others as they are at the best point. */
static void keep_whole(const Descent *l)
{
    const Optimiser *s = l->search;
    memcpy(s->at, s->x, (size_t)s->program->variables * sizeof *s->x);
}

/* From the best point: to where the constraints hold, then down, with derivatives or without. */
static bool finish(Descent *l, double *share)
{
    Optimiser *s = l->search;
    if (!optimiser_feasible(s) && s->met && s->smooth) {
        best_shares(l, share);
        keep_whole(l);
        if (!descent_restore(l, share))
            return false;
        best_shares(l, share);
        keep_whole(l);
        for (int32_t f = 0; f < l->count; f++)
            share[f] = fmin(fmax(share[f], CORNER / 10), 1 - CORNER / 10);
        if (optimiser_feasible(s) && !descent_run(l, share))
            return false;
    }
    const double residual =
        s->status == PEPA_OK && s->smooth && s->met ? optimiser_residual(s) : NAN;
    if (s->status == PEPA_OK && s->smooth && s->met && !(residual <= STATIONARY)) {
        best_shares(l, share);
        keep_whole(l);
        if (!descent_kinked(l, share, polish[0]))
            return false;
        optimiser_to_ends(s);
        return true;
    }
    for (size_t i = 0; i < sizeof polish / sizeof *polish && s->met; i++) {
        if (s->status != PEPA_OK || residual <= STATIONARY)
            break;
        best_shares(l, share);
        keep_whole(l);
        if (!descent_polish(l, share, polish[i]))
            return false;
        optimiser_to_ends(s);
    }
    return true;
}

/* With starts that have been tried, best first. */
static bool search_from(Descent *l, const Start *start, int32_t starts, double *share)
{
    const Start *taken[MOST_SEARCHES];
    int32_t count = 0;
    for (int32_t k = 0; k < starts && count < MOST_SEARCHES && start[k].valid; k++) {
        if (!apart(l, &start[k], taken, count))
            continue;
        taken[count++] = &start[k];
        l->search->searches++;
        if (l->search->smooth && !descent_run(l, start[k].share))
            return false;
        if (!l->search->smooth && !descent_polish(l, start[k].share, APART))
            return false;
        if (l->search->status != PEPA_OK)
            return true;
    }
    return optimiser_is_here(l->search) ? finish(l, share) : true;
}

static bool run(Descent *l)
{
    const int32_t wanted = FEWEST_STARTS + STARTS_EACH * l->count;
    const int32_t starts = wanted < MOST_STARTS ? wanted : MOST_STARTS;
    Start *start = NULL;
    double *share = NULL;
    bool ok = mem_new_zeroed(start, starts) && mem_new_zeroed(share, (starts + 1) * l->count);
    for (int32_t k = 0; ok && k < starts && l->search->status == PEPA_OK; k++) {
        start[k].place = k;
        start[k].share = share + (size_t)(k + 1) * (size_t)l->count;
        place_start(l, k, starts, start[k].share);
        try_start(l, &start[k]);
    }
    ok = ok && measure_size(l->search, start, starts);
    for (int32_t k = 0; ok && k < starts; k++)
        start[k].worth = start[k].value / l->search->size + START_PENALTY * start[k].violation;
    if (ok && l->search->status == PEPA_OK) {
        qsort(start, (size_t)starts, sizeof *start, by_worth);
        ok = search_from(l, start, starts, share);
    }
    mem_free_all(start, share);
    return ok;
}

/* Whether the best point is one to the first order, by a size that is that of the objective there. */
static bool settled(Optimiser *s)
{
    if (s->status != PEPA_OK || !optimiser_is_here(s))
        return true;
    if (window_ends_here(s) || !optimiser_feasible(s) || !s->smooth ||
        s->size > MUCH_LARGER * fabs(s->value))
        return false;
    return optimiser_residual(s) <= STATIONARY;
}

/* On a logarithmic scale all is flat near 0.  Where derivatives say that a variable must grow to many
 * times what it is to change the objective by some of its value: there.  True: that is better. */
static bool leap(const Descent *l)
{
    Optimiser *s = l->search;
    const double before = s->value;
    for (size_t k = 0; k < sizeof leaps / sizeof *leaps; k++)
        for (int32_t f = 0; f < l->count && s->status == PEPA_OK && s->smooth; f++) {
            const int32_t i = l->free[f];
            keep_whole(l);
            if (!optimiser_evaluate(s, s->at, s->worth, s->slope))
                return false;
            const double step = -leaps[k] * fabs(s->worth[0]) / s->slope[i];
            if (!(step > REACH * s->at[i]))
                continue;
            s->at[i] = fmin(s->at[i] + step, s->program->high[i]);
            (void)optimiser_evaluate(s, s->at, s->worth, NULL);
        }
    return s->value < before - leaps[0] / REACH * fabs(before);
}

/* Around the best point, while the window is wide or that is at its end: then further. */
static bool narrow(Descent *l)
{
    Optimiser *s = l->search;
    double reach = REACH, last = INFINITY;
    bool ok = true, wide = window_is_wide(s);
    for (int32_t round = 0; wide && ok && round < MOST_WINDOWS; round++) {
        const bool leapt = optimiser_is_here(s) && optimiser_feasible(s) && leap(l);
        if (!leapt && settled(s))
            break;
        wide = leapt || window_is_wide(s) || window_ends_here(s);
        if (!wide)
            break;
        const bool stays = !leapt && (window_ends_here(s) || !(s->value < last));
        reach = stays ? fmin(reach * reach, MOST_REACH) : REACH;
        last = s->value;
        window_around(s, reach);
        keep_whole(l);
        ok = run(l);
    }
    return ok;
}

void optimiser_continuous(Optimiser *s)
{
    Descent l;
    PepaStatus status = descent_new(&l, s, &s->err);
    if (status != PEPA_OK) {
        s->status = status;
        return;
    }
    window_open(s);
    if (l.count == 0)
        (void)optimiser_evaluate(s, s->at, s->worth, NULL);
    else if (!run(&l) || !narrow(&l))
        s->status = error_memory(&s->err);
    descent_free(&l);
}
