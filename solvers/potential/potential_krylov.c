/* Poisson's equation by BiCGSTAB. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/krylov/krylov.h"
#include "solvers/potential/potential_private.h"
#include "solvers/tuning.h"

/* Steps from one judgement to the next: (I - P) d = defect is consistent only as far as the mean is
 * right, and beyond that steps are idle.  False: no hope, or no iteration left. */
static bool round_of_steps(Search *s, Recurrence *r)
{
    Trend within = {0};
    const double start = s->try.criterion, enough = fmax(0.3 * s->try.goal, 1e-6 * start);
    const int32_t idle = 30;
    double now = start, least = start;
    int32_t best = 0; /* the step that led to the least */
    memcpy(r->r, s->defect, (size_t)s->flow.n * sizeof *r->r);
    r->begin(r);
    for (int32_t k = 0; k < BICGSTAB_ROUND && now > enough; k++) {
        if (!attempt_step(&s->try, r->passes, now))
            return false;
        const bool sound = r->advance(r, k);
        now = potential_unevenness(s, r->r);
        if (now < 0.9 * least)
            best = k;
        if (!sound || !(now <= 1e4 * start) || k - best > idle)
            return true;
        least = fmin(least, now);
        if (attempt_stalls_by(&s->try, &within, least))
            return false;
    }
    return true;
}

/* Rounds, each from the best h so far, while they help.  kept: n */
static void improve(Search *s, Recurrence *r, double *kept)
{
    const size_t bytes = (size_t)s->flow.n * sizeof *kept;
    bool goes_on = true;
    while (goes_on && !attempt_met(&s->try)) {
        const double before = s->try.criterion;
        memcpy(kept, s->h, bytes);
        goes_on = round_of_steps(s, r);
        potential_judge(s);
        if (s->try.criterion < 0.5 * before)
            continue;
        goes_on = false;
        if (s->try.why == NULL)
            s->try.why = "stalled";
        if (!(s->try.criterion < before)) {
            memcpy(s->h, kept, bytes);
            potential_judge(s);
        }
    }
}

/* Factors of this kind, unless there are some.  False: try->status says why not. */
static bool prepare(Search *s, PepaPrecondition kind)
{
    PotentialFactors *f = s->factors;
    if (f->has_incomplete)
        return true;
    f->has_incomplete = precondition_new(&f->incomplete, kind, &s->try);
    if (!f->has_incomplete)
        precondition_free(&f->incomplete);
    return f->has_incomplete;
}

/* BiCGSTAB with these.  space: vectors */
static void correct(Search *s, double *space)
{
    Bicgstab own;
    Recurrence r = bicgstab_recurrence(&s->try, &own, space);
    r.x = s->h;
    r.m = s->factors->incomplete;
    r.passes += r.solves * precondition_passes(r.m.kind);
    improve(s, &r, space);
}

void potential_accelerate(Search *s)
{
    static const PepaPrecondition kinds[] = {PEPA_PRECONDITION_ILUT, PEPA_PRECONDITION_ILU0};
    const size_t size = (size_t)BICGSTAB_VECTORS * (size_t)s->flow.n;
    const Flow *jumps = &s->factors->jumps;
    Attempt *try = &s->try;
    const Control *asked = try->control;
    Control control = *asked;
    double *space = NULL;
    control.effort = SOME_EFFORT;
    try->flow = jumps;
    try->control = &control;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const double need = precondition_bytes(kinds[k], jumps) + (double)(size * sizeof *space);
        if (!budget_allows(asked->memory, need))
            continue;
        if (!space && !mem_new(space, size)) {
            try->status = PEPA_ENOMEM;
            break;
        }
        potential_turn(s, "bicgstab", "iterations", (StallRule){100, 500});
        try->status = PEPA_OK;
        if (prepare(s, kinds[k]))
            correct(s, space);
        if (try->status != PEPA_ELIMIT)
            break;
        try->why = "would fill up too much: stopped";
    }
    try->flow = NULL;
    try->control = asked;
    mem_free(space);
}
