/* Control variates of made-up observations, of which all is known. */
#include "measure/control.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/stream.h"

enum { OBSERVATIONS = 32, PARTS = 60, FUNCTIONALS = 2, MOST_CONTROLS = 6 };

static double normal(Stream *s)
{
    return gsl_cdf_ugaussian_Pinv(stream_uniform(s));
}

/* What a part shows: functionals, then controls. */
typedef void Draw(Stream *stream, double *part);

/* 7 + 3 c - 2 d + a tenth of noise, and noise alone; c and d, and between them their sum, which tells
 * nothing more, and what is always 0. */
static void several(Stream *s, double *part)
{
    const double c = normal(s), d = 5 * normal(s);
    part[0] = 7 + 3 * c - 2 * d + 0.1 * normal(s);
    part[1] = normal(s);
    part[2] = c;
    part[3] = c + d;
    part[4] = 0;
    part[5] = d;
}

/* One part of 500 or so has a control that is not small. */
static void seldom(Stream *s, double *part)
{
    const double much = stream_uniform(s) < 0.002 ? 1000 : 0;
    part[0] = normal(s);
    part[1] = normal(s);
    part[2] = much - 2;
}

typedef struct {
    double mean[FUNCTIONALS], square[FUNCTIONALS]; /* of means of parts, less the true ones */
} Spread;

/* Over sets of observations: the mean of an estimate and its mean square, and what the observations say
 * that it is.
 *   unit  what an event adds to a control */
static void repeat(Draw *draw, int32_t controls, int sets, int32_t only, double unit, Spread *real,
                   Spread *said)
{
    static const double mean[FUNCTIONALS] = {7, 0};
    const int32_t row = FUNCTIONALS + controls;
    double part[PARTS * (FUNCTIONALS + MOST_CONTROLS)];
    double observed[OBSERVATIONS * (FUNCTIONALS + MOST_CONTROLS)];
    Control c;
    Stream stream;
    stream_start(&stream, 11, 0);
    *real = *said = (Spread){0};
    cr_assert(control_new(&c, OBSERVATIONS, FUNCTIONALS, controls));
    for (int set = 0; set < sets; set++) {
        memset(observed, 0, sizeof observed);
        for (int32_t k = 0; k < OBSERVATIONS; k++) {
            for (int32_t p = 0; p < PARTS; p++) {
                draw(&stream, part + p * row);
                for (int32_t i = 0; i < row; i++)
                    observed[k * row + i] += part[p * row + i] / PARTS;
            }
            control_see(&c, k, part, k < only ? PARTS : 0, row);
        }
        control_adjust(&c, observed, OBSERVATIONS, row, unit);
        for (int32_t f = 0; f < FUNCTIONALS; f++) {
            double sum = 0, square = 0;
            for (int32_t k = 0; k < OBSERVATIONS; k++)
                sum += observed[k * row + f] / OBSERVATIONS;
            for (int32_t k = 0; k < OBSERVATIONS; k++)
                square += pow(observed[k * row + f] - sum, 2);
            real->mean[f] += (sum - mean[f]) / sets;
            real->square[f] += pow(sum - mean[f], 2) / sets;
            said->square[f] += square / (OBSERVATIONS - 1) / OBSERVATIONS / sets;
        }
    }
    control_free(&c);
}

/* Of 1,000 sets the mean square of errors is known to 4.5%. */
Test(control, takes_out_what_is_explained)
{
    const double all = PARTS * OBSERVATIONS;
    Spread real, said;
    repeat(several, 4, 1000, OBSERVATIONS, 1e-9, &real, &said);
    cr_expect_float_eq(real.square[0], 0.01 / all, 0.2 * 0.01 / all, "%g", real.square[0]);
    cr_expect_float_eq(real.square[1], 1 / all, 0.2 / all, "%g", real.square[1]);
    for (int f = 0; f < FUNCTIONALS; f++) {
        cr_expect_lt(fabs(real.mean[f]), 4 * sqrt(real.square[f] / 1000));
        cr_expect_float_eq(said.square[f] / real.square[f], 1, 0.2, "%d: %g of %g", f,
                           said.square[f], real.square[f]);
    }
}

/* With the parts of three observations alone these three have coefficients from the two others, and the
 * rest is as it was. */
Test(control, observations_that_tell_nothing)
{
    Spread real, said;
    const double variance = 9 + 100 + 0.01;
    repeat(several, 4, 1000, 3, 1e-9, &real, &said);
    cr_expect_float_eq(real.square[0] * PARTS * OBSERVATIONS * OBSERVATIONS,
                       (OBSERVATIONS - 3) * variance + 3 * 0.01, 0.2 * OBSERVATIONS * variance,
                       "%g", real.square[0]);
    cr_expect_float_eq(said.square[0] / real.square[0], 1, 0.2);
}

/* A coefficient from a few rare values is not applied to the next one. */
Test(control, what_happens_seldom_is_left_out)
{
    Spread real, said;
    repeat(seldom, 1, 300, OBSERVATIONS, 1e-9, &real, &said);
    cr_expect_float_eq(real.square[1], 1.0 / PARTS / OBSERVATIONS, 0.35 / PARTS / OBSERVATIONS,
                       "%g", real.square[1]);
}

/* What is known of a functional from a control that no event has ever touched: all, in what there is to
 * see, and nothing in truth, where the next event has all that it lacks. */
static void unseen(Stream *s, double *part)
{
    part[0] = 7 + normal(s);
    part[1] = normal(s);
    part[2] = -1e-4 * part[0];
    part[3] = normal(s);
    part[4] = part[3] + 1e-4 * part[0]; /* nor of one that only differs from another by it */
}

Test(control, what_never_happened_is_left_out)
{
    Spread real, said;
    repeat(unseen, 3, 300, OBSERVATIONS, 0.5, &real, &said);
    cr_expect_lt(fabs(real.mean[0]), 4 * sqrt(1.0 / PARTS / OBSERVATIONS / 300));
    cr_expect_float_eq(said.square[0], 1.0 / PARTS / OBSERVATIONS, 0.1 / PARTS / OBSERVATIONS);
    cr_expect_float_eq(real.square[0] / said.square[0], 1, 0.35, "%g", real.square[0]);
}

/* Two observations: of one, the other's parts are too few for so many controls. */
Test(control, too_few_parts)
{
    enum { ROW = FUNCTIONALS + 4 };
    double part[4 * ROW], observed[2 * ROW], before[2 * ROW];
    Control c;
    Stream stream;
    stream_start(&stream, 3, 0);
    cr_assert(control_new(&c, 2, FUNCTIONALS, 4));
    for (int32_t k = 0; k < 2; k++) {
        for (int32_t p = 0; p < 4; p++)
            several(&stream, part + p * ROW);
        memcpy(observed + k * ROW, part, ROW * sizeof *part);
        control_see(&c, k, part, 4, ROW);
    }
    memcpy(before, observed, sizeof observed);
    control_adjust(&c, observed, 2, ROW, 1e-9);
    cr_expect_arr_eq(observed, before, sizeof observed);
    control_free(&c);
}
