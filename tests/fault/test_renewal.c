/* Memory runs out while expected visits are found as a steady state: PEPA_ENOMEM, or visits all the same where a
 * method does without, and nothing leaks. */
#include <criterion/criterion.h>
#include <math.h>

#include "fault/memory.h"
#include "solvers/internal.h"

enum { STATES = 40 };

/* A walk, up or down with chance a half, that ends beyond either end; it begins in the middle. */
static Flow walk_of(int64_t *row, int32_t *col, double *val, double *b)
{
    int64_t end = 0;
    for (int32_t i = 0; i < STATES; i++) {
        row[i] = end;
        b[i] = i == STATES / 2;
        for (int32_t from = i - 1; from <= i + 1; from += 2)
            if (from >= 0 && from < STATES) {
                col[end] = from;
                val[end++] = 0.5;
            }
    }
    row[STATES] = end;
    return (Flow){.n = STATES, .row = row, .col = col, .val = val, .b = b};
}

Test(fault_renewal, visits)
{
    const Control control = {.tolerance = 1e-10};
    int64_t row[STATES + 1];
    int32_t col[2 * STATES];
    double val[2 * STATES], b[STATES];
    const Flow flow = walk_of(row, col, val, b);
    for (int and_after = 0; and_after < 2; and_after++) {
        bool reached = true;
        for (int64_t k = 1; reached; k++) {
            double y[STATES];
            Outcome out;
            PepaError err = {0};
            for (int32_t i = 0; i < STATES; i++)
                y[i] = b[i];
            mem_fail_at(k, and_after);
            const PepaStatus status = attempt_run(&method_renewal, &flow, &control, y, &out, &err);
            reached = mem_allocations() >= k;
            mem_fail_at(0, false);
            cr_assert(status == PEPA_OK ||
                          (reached && (status == PEPA_ENOMEM || status == PEPA_ENOCONV)),
                      "allocation %d: %d", (int)k, status);
            /* Feller, vol. 1, ch. XIV: visits to the middle of a walk of n states from there. */
            const double a = STATES / 2 + 1, c = STATES + 1 - a;
            cr_assert(status != PEPA_OK || fabs(y[STATES / 2] - 2 * a * c / (a + c)) < 1e-8,
                      "allocation %d: %g", (int)k, y[STATES / 2]);
        }
    }
}
