/* Expected visits as a steady state. */
#include "solvers/problems.h"

#include "solvers/internal.h"

/* From a chain in its steady state: what happens between two visits to its last state.  Others are then
 * visited y_i / y_last times. */
typedef struct {
    Flow flow;
    int64_t *row;
    int32_t *col;
    double *val, *b, *leave, *exact;
} Between;

static Between between(const Problem *p)
{
    const Flow *f = &p->flow;
    const size_t n = (size_t)f->n, entries = (size_t)f->row[n];
    const int32_t last = f->n - 1;
    int64_t end = 0;
    Between s = {.row = must(malloc((n + 1) * sizeof *s.row)),
                 .col = must(malloc(entries * sizeof *s.col)),
                 .val = must(malloc(entries * sizeof *s.val)),
                 .b = must(calloc(n, sizeof *s.b)),
                 .leave = must(calloc(n, sizeof *s.leave)),
                 .exact = must(malloc(n * sizeof *s.exact))};
    for (int32_t i = 0; i < f->n; i++) {
        s.row[i] = end;
        s.exact[i] = p->exact[i] / p->exact[last];
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++) {
            if (i == last) {
                s.leave[f->col[k]] = f->val[k];
            } else if (f->col[k] == last) {
                s.b[i] = f->val[k];
            } else {
                s.col[end] = f->col[k];
                s.val[end++] = f->val[k];
            }
        }
    }
    s.flow = flow_of(last, s.row, s.col, s.val, NULL, s.b);
    s.flow.leave = s.leave;
    return s;
}

static void between_free(Between *s)
{
    free(s->row);
    free(s->col);
    free(s->val);
    free(s->b);
    free(s->leave);
    free(s->exact);
}

/* Thousands of visits to groups that rare jumps join, before the chain ends; few states are eliminated, more are
 * not. */
Test(renewal, visits_are_known)
{
    const Control control = {.tolerance = 1e-10};
    for (int32_t size = 30; size <= 600; size *= 20)
        for (int k = 0; k < 6; k++) {
            Problem p = reversible(5, size, pow(10, -k), (uint64_t)(size + k));
            Between s = between(&p);
            double *y = guess(p.n);
            Outcome out;
            PepaError err = {0};
            memcpy(y, s.b, (size_t)s.flow.n * sizeof *y);
            PepaStatus status = attempt_run(&method_renewal, &s.flow, &control, y, &out, &err);
            cr_assert_eq(status, PEPA_OK, "%d states, bond 1e-%d: %s", s.flow.n, k, err.message);
            cr_expect(deviation(s.flow.n, y, s.exact) < 1e-8,
                      "%d states, bond 1e-%d: off by %g by %s", s.flow.n, k,
                      deviation(s.flow.n, y, s.exact), out.method);
            free(y);
            between_free(&s);
            problem_free(&p);
        }
}

/* A tolerance that rounding puts out of reach is not met, and no number is left that is not finite. */
Test(renewal, misses_what_cannot_be)
{
    const Control control = {.tolerance = 1e-30};
    Problem p = reversible(3, 40, 1e-3, 5);
    Between s = between(&p);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    cr_expect_eq(attempt_run(&method_renewal, &s.flow, &control, y, &out, &err), PEPA_ENOCONV);
    for (int32_t i = 0; i < s.flow.n; i++)
        cr_expect(isfinite(y[i]) && y[i] >= 0);
    free(y);
    between_free(&s);
    problem_free(&p);
}
