/* Lengths of tasks: what a task gains that is begun a second time. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/tables.h"

static double uniform(uint64_t *chance)
{
    return (policy_draw(chance, 1 << 20) + 0.5) / (1 << 20);
}

static double gain_of(double all, double done, double here, double there, double way)
{
    return fmax(0, (all - done) * here - all * there - way);
}

/* Nothing is known but what is guessed. */
Test(gum_lengths, an_empty_histogram_gives_the_guess)
{
    const Lengths none = {0};
    for (double done = 0; done < 5; done += 0.37)
        for (double guess = 0; guess < 5; guess += 0.41)
            cr_expect_float_eq(lengths_gain(&none, done, guess, 3, 1, 0.2),
                               gain_of(done + guess, done, 3, 1, 0.2), 1e-12);
}

/* It has run for longer than all that have ended. */
Test(gum_lengths, beyond_the_longest_the_guess_is_left)
{
    Lengths some = {0};
    for (int i = 1; i < 100; i++)
        lengths_add(&some, 0.01 * i);
    cr_expect_eq(some.tasks, 99);
    cr_expect_float_eq(lengths_gain(&some, 2, 1.5, 3, 1, 0.2), gain_of(3.5, 2, 3, 1, 0.2), 1e-12);
}

/* Against the sum over all samples; a work is known to half of its bin, which is at most 0.095 of it. */
Test(gum_lengths, are_means_over_the_tasks_that_are_longer)
{
    enum { SAMPLES = 400 };
    uint64_t chance = 3;
    for (int round = 0; round < 300; round++) {
        Lengths of = {0};
        double work[SAMPLES];
        const double spread = 4 * uniform(&chance);
        const double here = 1 + 3 * uniform(&chance), there = 1, way = 0.5 * uniform(&chance);
        const double done = 1e-7 * exp2(20 + policy_draw(&chance, 5)) * (1 + 1e-9), guess = 2;
        double sum = gain_of(done + guess, done, here, there, way), off = 0, longer = 1;
        for (int i = 0; i < SAMPLES; i++) {
            work[i] = exp(spread * (uniform(&chance) - 0.5));
            lengths_add(&of, work[i]);
            if (work[i] > done) {
                sum += gain_of(work[i], done, here, there, way);
                off += 0.095 * work[i] * fabs(here - there);
                longer++;
            }
        }
        const double gain = lengths_gain(&of, done, guess, here, there, way);
        cr_expect(fabs(gain - sum / longer) <= off / longer + 1e-12, "%g, not %g", gain,
                  sum / longer);
    }
}

/* What is left of exponential works is as they are, however much is done: of mean m,
 *
 *     E max(0, left x here - (done + left) x there - way) = (here - there) m exp(-c / ((here - there) m)),
 *
 * c = done x there + way.  Within a bin, of up to half a mean, works count as uniform. */
Test(gum_lengths, exponential_works_have_no_memory)
{
    enum { SAMPLES = 50000 };
    const double m = 0.7, here = 4, there = 1;
    Lengths of = {0};
    for (int i = 0; i < SAMPLES; i++)
        lengths_add(&of, -m * log((i + 0.5) / SAMPLES));
    for (double done = 0; done < 3 * m; done += 0.1)
        for (double way = 0; way < 1; way += 0.2) {
            const double c = done * there + way, won = (here - there) * m;
            const double wanted = won * exp(-c / won);
            const double gain = lengths_gain(&of, done, m, here, there, way);
            cr_expect(fabs(gain / wanted - 1) < 0.08, "%g, %g: %g, not %g", done, way, gain,
                      wanted);
        }
}

/* It runs there on an idle process no faster: never; the faster the more. */
Test(gum_lengths, gains_more_on_a_faster_process)
{
    Lengths of = {0};
    double before = HUGE_VAL;
    for (int i = 1; i < 200; i++)
        lengths_add(&of, 0.02 * i);
    for (double there = 0; there < 0.95; there += 0.1) {
        const double gain = lengths_gain(&of, 0.3, 1, 1, there, 0.01);
        cr_expect(gain < before && gain > 0, "%g: %g", there, gain);
        before = gain;
    }
    cr_expect_eq(lengths_gain(&of, 0.3, 1, 1, 1, 0.01), 0);
    cr_expect_eq(lengths_gain(&of, 0.3, 1, 1, 2, 0), 0);
}

/* A full bin halves all: shares stay, and later tasks count more. */
Test(gum_lengths, of_more_tasks_than_a_bin_has_room_for)
{
    Lengths few = {0}, many = {0};
    for (int i = 0; i < 400000; i++) {
        int64_t tasks = 0;
        lengths_add(&many, i % 4 ? 1 : 5);
        for (int b = 0; b < LENGTH_BINS; b++)
            tasks += many.bin[b];
        cr_expect(tasks > fmin(i, 40000));
    }
    for (int i = 0; i < 400; i++)
        lengths_add(&few, i % 4 ? 1 : 5);
    cr_expect_eq(many.tasks, 400000);
    const double a = lengths_gain(&few, 0.5, 0, 3, 1, 0), b = lengths_gain(&many, 0.5, 0, 3, 1, 0);
    cr_expect(fabs(a / b - 1) < 0.01, "%g, %g", a, b);
    for (int i = 0; i < 400000; i++)
        lengths_add(&many, 1);
    cr_expect_lt(lengths_gain(&many, 0.5, 0, 3, 1, 0), 0.7 * b);
}

/* Outside of the bins. */
Test(gum_lengths, of_works_that_no_bin_is_for)
{
    Lengths of = {0};
    const double odd[] = {0, -1, 1e-30, 1e-7, 1e300, HUGE_VAL};
    for (int i = 0; i < 6; i++)
        lengths_add(&of, odd[i]);
    cr_expect_eq(of.tasks, 6);
    cr_expect(of.bin[0] == 4 && of.bin[LENGTH_BINS - 1] == 2);
    for (int i = 0; i < 6; i++)
        cr_expect(lengths_gain(&of, odd[i] < 1e200 ? odd[i] : 1e200, 1, 2, 1, 0) >= 0);
}

/* What others know of more tasks is taken over, not what they know of fewer. */
Test(gum_lengths, more_tasks_know_better)
{
    Tables t;
    Lengths few = {0}, many = {0};
    cr_assert_eq(tables_new(&t, 2, 0), 0);
    t.fixed[0].speed = 10;
    tables_add_length(&t, 10); /* a second of the main process */
    lengths_add(&few, 1);
    cr_expect(memcmp(&few, &t.lengths, sizeof few) == 0);
    for (int i = 0; i < 3; i++)
        lengths_add(&many, 7);
    tables_learn(&t, &many);
    cr_expect_eq(memcmp(&t.lengths, &many, sizeof many), 0);
    tables_learn(&t, &few);
    cr_expect_eq(memcmp(&t.lengths, &many, sizeof many), 0);
    tables_free(&t);
}
