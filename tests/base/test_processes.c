/* What part of the work processes get, against what is wanted and what their memory takes. */
#include "base/processes.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/mem.h"
#include "run_together.h"

typedef struct {
    double need;
    int64_t memory[MOST_TOGETHER];
    double *part[MOST_TOGETHER];
} Question;

static void find(const PepaProcesses *p, void *user)
{
    Question *q = user;
    cr_assert(processes_talk(p));
    cr_assert_eq(processes_parts(p, q->need, q->memory[p->rank], &q->part[p->rank], NULL), PEPA_OK);
}

/* `expected` NULL: all the same. */
static void check(int32_t count, const double *wanted, Question q, const double *expected)
{
    run_together_as(count, wanted, find, &q);
    for (int32_t k = 0; k < count; k++) {
        cr_expect_eq(q.part[k] == NULL, expected == NULL);
        for (int32_t p = 0; p < count && expected && q.part[k]; p++)
            cr_expect_float_eq(q.part[k][p], expected[p], 1e-14, "%d: %.17g", (int)p, q.part[k][p]);
        mem_free(q.part[k]);
    }
}

Test(processes, parts)
{
    static const double wanted[] = {0.5, 0.3, 0.2};
    check(3, NULL, (Question){.need = 900}, NULL);
    check(3, NULL, (Question){.need = 900, .memory = {300, 301, 10000}}, NULL);
    check(3, wanted, (Question){.need = 900}, wanted);
    check(3, wanted, (Question){.need = 1000, .memory = {500, 300, 200}}, wanted);
    /* the first has 0.2; what is left is 0.8, as 3 to 2 */
    check(3, wanted, (Question){.need = 1000, .memory = {200, 0, 0}}, (double[]){0.2, 0.48, 0.32});
    /* the second then has too little as well */
    check(3, wanted, (Question){.need = 1000, .memory = {200, 400, 0}}, (double[]){0.2, 0.4, 0.4});
    check(3, NULL, (Question){.need = 1000, .memory = {200, 0, 0}}, (double[]){0.2, 0.4, 0.4});
    /* too little for all: by memory */
    check(3, wanted, (Question){.need = 1000, .memory = {100, 100, 50}}, (double[]){0.4, 0.4, 0.2});
}

static void talk(const PepaProcesses *p, void *user)
{
    *(bool *)user = processes_talk(p);
}

Test(processes, parts_that_are_none)
{
    static const double bad[][2] = {{0.5, 0.6}, {1, 0}, {1.5, -0.5}, {NAN, 0.5}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool ok = true;
        run_together_as(2, bad[i], talk, &ok);
        cr_expect_not(ok);
    }
}
