/* Poisson's equation by elimination. */
#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/potential/potential_private.h"

/* The equation left out takes what inconsistency the others leave, divided by its share of the
 * visits. */
static int32_t most_visited(const Search *s)
{
    int32_t most = 0;
    for (int32_t i = 1; i < s->flow.n; i++)
        if (s->problem->pi[i] * s->flow.exit[i] > s->problem->pi[most] * s->flow.exit[most])
            most = i;
    return most;
}

/* Correct h until that no longer helps.  The first round finds h.  The second corrects the mean,
 * which pi gives only to pi's own accuracy. */
static void refine(Search *s, Factors *f)
{
    const int32_t most = 10;
    for (int32_t round = 0; round < most && !attempt_met(&s->try); round++) {
        double last = s->try.criterion;
        factors_correct(f, s->defect, s->h);
        potential_judge(s);
        if (round > 1 && !(s->try.criterion < 0.5 * last))
            return;
    }
}

/* Whole factors, beside incomplete ones. */
static PepaStatus make(Search *s)
{
    PotentialFactors *f = s->factors;
    Control control = *s->try.control;
    if (f->has_whole)
        return PEPA_OK;
    if (f->has_incomplete)
        control.memory =
            budget_left(control.memory, precondition_bytes(f->incomplete.kind, &f->jumps));
    PepaStatus status =
        factors_analyse(&f->whole, &f->jumps, ROWS_OF_TARGETS, most_visited(s), &control);
    if (status == PEPA_OK)
        status = factors_make(&f->whole, NULL, &control);
    f->has_whole = status == PEPA_OK;
    if (!f->has_whole)
        factors_free(&f->whole);
    return status;
}

void potential_factorise(Search *s)
{
    Attempt *try = &s->try;
    try->method = "direct";
    PepaStatus status = make(s);
    try->why = status == PEPA_OK       ? NULL
               : status == PEPA_ELIMIT ? "would fill up too much: stopped"
                                       : "met chances too small for doubles";
    if (status == PEPA_OK)
        refine(s, &s->factors->whole);
    else if (status == PEPA_ENOMEM || status == PEPA_ECANCEL)
        try->status = status;
}

void potential_factors_free(PotentialFactors *f)
{
    if (!f)
        return;
    if (f->has_incomplete)
        precondition_free(&f->incomplete);
    if (f->has_whole)
        factors_free(&f->whole);
    mem_free(f);
}
