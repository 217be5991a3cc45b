/* Intervals of means of skewed values: coverage against exact means, and what they are made of. */
#include "measure/rare_interval.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/stream.h"

typedef double Draw(Stream *stream);

static double exponential(Stream *s)
{
    return -log(stream_uniform(s));
}
/* exp of a normal variable: mean e^(1/2), skewness 6.2 */
static double lognormal(Stream *s)
{
    return exp(gsl_cdf_ugaussian_Pinv(stream_uniform(s)));
}
/* Pareto's distribution with the index 2.5: mean 5/3, no third moment. */
static double pareto(Stream *s)
{
    return pow(stream_uniform(s), -1 / 2.5);
}
/* Most runs see nothing: 0 with the probability 0.9, else exponential. */
static double seldom(Stream *s)
{
    return stream_uniform(s) < 0.9 ? 0 : exponential(s);
}
static double uniform(Stream *s)
{
    return stream_uniform(s);
}

/* How many of `trials` intervals of 95% from n values contain the mean; of Student's, as well. */
static int covered(Draw *draw, double mean, int n, int trials, int *student)
{
    Stream stream;
    int inside = 0;
    *student = 0;
    stream_start(&stream, 5, 0);
    for (int k = 0; k < trials; k++) {
        RareSample s = {0};
        for (int i = 0; i < n; i++)
            rare_sample_add(&s, draw(&stream));
        const Estimate x = rare_sample_interval(&s, 0.95);
        const double half = gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(s.square / (n - 1) / n);
        inside += x.low <= mean && mean <= x.high;
        *student += fabs(s.mean - mean) <= half;
    }
    return inside;
}

/* 2,000 trials: a standard deviation is 0.5%. */
Test(rare_interval, coverage)
{
    enum { TRIALS = 2000 };
    static const struct {
        Draw *draw;
        double mean;
        int n;
        double least, student_most;
    } cases[] = {
        {exponential, 1, 64, 0.935, 1},
        {lognormal, 1.6487212707, 64, 0.925, 0.92},
        {lognormal, 1.6487212707, 256, 0.935, 0.94},
        {pareto, 5.0 / 3, 256, 0.925, 0.92},
        {seldom, 0.1, 64, 0.93, 0.90},
        {uniform, 0.5, 64, 0.935, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int student;
        const int inside = covered(cases[i].draw, cases[i].mean, cases[i].n, TRIALS, &student);
        cr_expect_geq(inside, cases[i].least * TRIALS, "%zu: %d, Student's %d", i, inside, student);
        cr_expect_leq(inside, 0.99 * TRIALS, "%zu: %d", i, inside);
        cr_expect_leq(student, cases[i].student_most * TRIALS, "%zu: Student's %d", i, student);
    }
}

Test(rare_interval, moments)
{
    static const double x[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    enum { COUNT = sizeof x / sizeof *x };
    RareSample s = {0};
    double mean = 0, square = 0, cube = 0;
    for (int i = 0; i < COUNT; i++)
        mean += x[i] / COUNT;
    for (int i = 0; i < COUNT; i++) {
        rare_sample_add(&s, x[i]);
        square += pow(x[i] - mean, 2);
        cube += pow(x[i] - mean, 3);
    }
    cr_expect_float_eq(s.mean, mean, 1e-14);
    cr_expect_float_eq(s.square, square, 1e-12);
    cr_expect_float_eq(s.cube, cube, 1e-11);
    cr_expect(s.largest[0] == 9 && s.largest[1] == 6 && s.largest[2] == 5 && s.largest[10] == 1 &&
              s.largest[11] == 0);
    /* Of the three largest, 9, 6, 5, and the next one, 5. */
    cr_expect_float_eq(rare_sample_tail(&s), 3 / (log(9.0 / 5) + log(6.0 / 5)), 1e-12);
}

/* The ends are where Hall's transformation is +- t / sqrt(n), but for the tail. */
Test(rare_interval, ends)
{
    RareSample s = {0};
    Stream stream;
    stream_start(&stream, 9, 0);
    for (int i = 0; i < 100; i++)
        rare_sample_add(&s, lognormal(&stream));
    const Estimate x = rare_sample_interval(&s, 0.9);
    const double n = 100, deviation = sqrt(s.square / (n - 1)), a = rare_sample_tail(&s);
    const double g = s.cube / n / pow(deviation, 3), t = gsl_cdf_tdist_Pinv(0.95, n - 1) / sqrt(n);
    const double end[] = {x.low, x.high - (s.largest[0] - s.mean) / n * a / (a - 1)};
    for (int i = 0; i < 2; i++) {
        const double T = (s.mean - end[i]) / deviation;
        cr_expect_float_eq(T + g * T * T / 3 + g * g * T * T * T / 27 + g / (6 * n), i ? -t : t,
                           1e-12);
    }
}
