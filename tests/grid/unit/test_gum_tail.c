/* The end of a run, with and without tasks that run twice: against closed forms. */
#include <criterion/criterion.h>
#include <math.h>

#include "grid/gum/predict/tail.h"

/* ---- the tail -------------------------------------------------------------------------------- */

/* Residual lives of exponential works are exponential: the mean of the largest of n is H_n. */
Test(gum_tail, tail_of_exponential_works_is_a_harmonic_number)
{
    const TaskWork work = {2, 2, 200};
    double harmonic = 0, left;
    for (int32_t n = 1; n <= 30; n++) {
        harmonic += 1.0 / n;
        const TailGroup group[] = {{.copies = n, .time = 0.5, .busy = 1}};
        const double tail = tail_of(group, 1, &work, &left);
        cr_expect(fabs(tail - harmonic) < 2e-3 * harmonic, "%d: %g, not %g", n, tail, harmonic);
        cr_expect(fabs(left - 2) < 1e-2);
    }
}

/* Those of equal works are uniform: the largest of n has the mean n / (n + 1). */
Test(gum_tail, tail_of_equal_works_is_uniform)
{
    const TaskWork work = {3, 0, 3};
    double left;
    for (int32_t n = 1; n <= 30; n += 3) {
        const TailGroup group[] = {{.copies = n, .time = 1, .busy = 1}};
        cr_expect(fabs(tail_of(group, 1, &work, &left) - 3.0 * n / (n + 1)) < 1e-3);
        cr_expect(fabs(left - 1.5) < 1e-6);
    }
    const TailGroup idle[] = {{.copies = 5, .time = 1}};
    cr_expect_eq(tail_of(idle, 1, &work, &left), 0);
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* Of exponential works of mean m, P(left > x and length > y) = exp(-y / m) (1 + (y - x) / m), y >= x. */
Test(gum_tail, left_and_length_of_exponential_works)
{
    Life life;
    life_of(&(TaskWork){3, 3, 150}, &life);
    for (double x = 0; x < 20; x += 0.7)
        for (double y = 0; y < 20; y += 0.9) {
            const double m = 3, wanted = exp(-fmax(x, y) / m) * (1 + fmax(0, y - x) / m);
            cr_expect(fabs(life_both(&life, x, y) - wanted) < 1e-3, "%g, %g: %g, not %g", x, y,
                      life_both(&life, x, y), wanted);
        }
}

/* Of equal works of m the length is m, and what is left uniform. */
Test(gum_tail, left_and_length_of_equal_works)
{
    Life life;
    life_of(&(TaskWork){4, 0, 4}, &life);
    cr_expect(fabs(life_both(&life, 1, 3.9) - 0.75) < 1e-12);
    cr_expect_eq(life_both(&life, 1, 4), 0);
    cr_expect(fabs(life_both(&life, 3, 1) - 0.25) < 1e-12);
}

/* ---- tasks that run twice -------------------------------------------------------------------- */

enum { LAST = REPEAT_POINTS - 1 };

static TailGroup slow(int32_t copies, double time)
{
    return (
        TailGroup){.copies = copies, .time = time, .busy = 1, .pure = 1, .ask = 1e-6, .hop = 1e-6};
}

/* They have nothing to do, and find what to repeat at once. */
static TailGroup idle(int32_t copies, double time)
{
    return (TailGroup){.copies = copies, .time = time, .ask = 1e-6, .hop = 1e-6};
}

/* As many idle processes as tasks, which are equal: each ends after min(U t_g, t_f), U uniform, which has the
 * mean t_f - t_f^2 / (2 t_g).  To a step of the sum, here 1 / 200. */
Test(gum_tail, a_repeat_of_equal_tasks_ends_when_the_first_is_done)
{
    const TaskWork work = {1, 0, 1};
    double left;
    for (double fast = 0.1; fast < 0.5; fast += 0.1) {
        const TailGroup group[] = {idle(1, fast), slow(1, 1)};
        const double tail = tail_of(group, 2, &work, &left), wanted = fast - fast * fast / 2;
        cr_expect(fabs(tail - wanted) < 1.0 / LAST, "%g, not %g", tail, wanted);
    }
}

/* Exponential works: the chance that neither is done after s is exp(-s / t_f) (1 + s / t_f - s / t_g). */
Test(gum_tail, repeats_of_exponential_tasks)
{
    static Repeats each;
    Life life;
    const TailGroup group[] = {idle(8, 0.25), slow(8, 1)};
    const double step = 0.02;
    life_of(&(TaskWork){1, 1, 40}, &life);
    repeats_of(group, 2, &life, step, &each);
    for (int k = 0; k <= LAST; k++) {
        const double s = k * step, wanted = exp(-s / 0.25) * (1 + s / 0.25 - s);
        cr_expect(fabs(each.not_done[1][k] - wanted) < step, "%g: %g, not %g", s,
                  each.not_done[1][k], wanted);
    }
}

/* One idle process for n equal tasks begins one, and the next when it is done with that, after t_f. */
Test(gum_tail, one_process_repeats_one_task_at_a_time)
{
    static Repeats each;
    Life life;
    const double fast = 0.3, step = 0.005;
    life_of(&(TaskWork){1, 0, 1}, &life);
    for (int32_t n = 2; n < 10; n++) {
        const TailGroup group[] = {idle(1, fast), slow(n, 1)};
        repeats_of(group, 2, &life, step, &each);
        for (int k = 0; k < 2 * 60; k++) {
            const double plain = 1 - k * step, again = k <= 61 ? 1 : 1 - 1.0 / n;
            if (k < 60 || k > 61) /* within a step of it */
                cr_expect(fabs(each.not_done[1][k] - plain * again) < 1e-9, "%d, %d: %g, not %g",
                          (int)n, k, each.not_done[1][k], plain * again);
        }
    }
}

/* Where nothing is repeated the tail is that of the slow tasks alone. */
Test(gum_tail, is_the_same_where_repeats_do_not_pay)
{
    const TaskWork work = {1, 1.5, 20};
    TailGroup group[] = {idle(3, 0.4), slow(5, 1)};
    double left;
    const double with = tail_of(group, 2, &work, &left);
    group[1].pure = 0;
    const double plain = tail_of(group, 2, &work, &left);
    cr_expect(with < 0.9 * plain, "%g, %g", with, plain);
    group[1].pure = 1;
    group[0].ask = 1e9; /* nobody finds any */
    cr_expect(fabs(tail_of(group, 2, &work, &left) - plain) < 1e-6 * plain);
    group[0].ask = 1e-6;
    group[0].gone = 1e9; /* nor does one pay */
    cr_expect(fabs(tail_of(group, 2, &work, &left) - plain) < 1e-6 * plain);
    group[0].gone = 0;
    /* Hardly twice as fast: it would end no sooner than what is expected to be left. */
    for (group[0].time = 0.5; group[0].time < 1; group[0].time += 0.05)
        cr_expect(fabs(tail_of(group, 2, &work, &left) - plain) < 1e-6 * plain);
}

/* More that may run twice, more idle processes, faster ones: never later. */
Test(gum_tail, repeats_make_no_run_longer)
{
    const TaskWork work = {1, 2, 15};
    double left, before = INFINITY;
    for (double pure = 0; pure <= 1; pure += 0.25) {
        TailGroup group[] = {idle(2, 0.3), slow(20, 1)};
        group[1].pure = pure;
        const double tail = tail_of(group, 2, &work, &left);
        cr_expect(tail < before);
        before = tail;
    }
    for (int32_t n = 4; n <= 32; n *= 2) {
        const TailGroup group[] = {idle(n, 0.3), slow(20, 1)};
        const double tail = tail_of(group, 2, &work, &left);
        cr_expect(tail < before);
        before = tail;
    }
}
