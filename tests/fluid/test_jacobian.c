/* Sparse Jacobians against differences and their factors against dense ones, of random models whose
 * rows share much; and models of thousands of local states against closed forms. */
#include <math.h>

#include "base/stream.h"
#include "dense_jacobian.h"
#include "fluid/dense.h"
#include "fluid/settle.h"
#include "fluids.h"

enum { MODELS = 25, WIDEST = 128 };

static int32_t below(Stream *s, int32_t n)
{
    return (int32_t)(stream_uniform(s) * n);
}

/* Types of clients of one server pool, whose rates count all that wait, and a component that goes to
 * many local states and back. */
static void write_model(Text *text, Stream *s)
{
    const int32_t types = 9 + below(s, 8), spokes = 9 + below(s, 12);
    text_add(text, "H = (away, 0.3).H0");
    for (int32_t i = 1; i < spokes; i++)
        text_add(text, " + (away%d, %.3f).H%d", i, 0.1 + stream_uniform(s), i);
    for (int32_t i = 0; i < spokes; i++)
        text_add(text, ";\nH%d = (back%d, %.3f).H", i, below(s, 3), 1 + 3 * stream_uniform(s));
    for (int32_t i = 0; i < types; i++) {
        text_add(text, ";\nC%d = (think%d, %.3f * (1 + (C0_0", i, i, 0.2 + stream_uniform(s));
        for (int32_t k = 1; k < types; k++)
            text_add(text, " + C%d_0", k);
        text_add(text, ") / 100)).C%d_0;\nC%d_0 = (serve, %.3f%s).C%d + (leave, 0.1).C%d_1", i, i,
                 0.5 + 2 * stream_uniform(s), i % 3 == 2 ? " * H / 20" : "", i, i);
        text_add(text, ";\nC%d_1 = (rest, %.3f).C%d", i, 0.5 + stream_uniform(s), i);
    }
    text_add(text, ";\nS = (serve, %.3f).R; R = (log, 3).S;\n(C0[10]", 1 + 8 * stream_uniform(s));
    for (int32_t i = 1; i < types; i++)
        text_add(text, " || C%d[%d]", i, 5 + below(s, 20));
    text_add(text, ") <serve> S[30] || H[40]");
}

/* A place near the start, towards where everything is spread out. */
static void wander(const Fluid *f, Stream *s, double *z)
{
    for (int32_t i = 0; i < f->field.r; i++)
        z[i] = f->field.scale[i] * (0.02 + 0.02 * stream_uniform(s));
}

static void compare_differences(Fluid *f, double *z, const double *jacobian)
{
    double at[WIDEST], up[WIDEST], down[WIDEST];
    const int32_t r = f->field.r;
    field_change(&f->field, at, NULL);
    for (int32_t k = 0; k < r; k++) {
        const double kept = z[k], step = 1e-6 * f->field.scale[k];
        z[k] = kept + step;
        field_evaluate(&f->field, z, NULL);
        field_change(&f->field, up, NULL);
        z[k] = kept - step;
        field_evaluate(&f->field, z, NULL);
        field_change(&f->field, down, NULL);
        z[k] = kept;
        for (int32_t i = 0; i < r; i++) {
            const double right = (up[i] - at[i]) / step, left = (at[i] - down[i]) / step;
            const double middle = (right + left) / 2, got = jacobian[i * r + k];
            if (fabs(right - left) < 1e-3 * (1 + fabs(middle))) /* no kink is between */
                cr_assert_float_eq(got, middle, 1e-5 * (1 + fabs(middle)), "d%d/d%d is %g, not %g",
                                   i, k, got, middle);
        }
    }
    field_evaluate(&f->field, z, NULL);
}

/* (shift - J) x = b, in shares. */
static void compare_factors(Fluid *f, Stream *s, const double *jacobian, double shift)
{
    static double matrix[WIDEST * WIDEST];
    const int32_t r = f->field.r;
    const double *scale = f->field.scale;
    double x[WIDEST], y[WIDEST], most = 0;
    int32_t pivot[WIDEST];
    for (int32_t i = 0; i < r; i++) {
        x[i] = y[i] = stream_uniform(s) - 0.5;
        for (int32_t k = 0; k < r; k++)
            matrix[i * r + k] = (i == k ? shift : 0) - jacobian[i * r + k] * scale[k] / scale[i];
    }
    cr_assert(lu_factor(r, matrix, pivot));
    lu_solve(r, matrix, pivot, x);
    cr_assert_eq(resolvent_factor(f->field.resolvent, shift), PEPA_OK);
    resolvent_solve(f->field.resolvent, y);
    for (int32_t i = 0; i < r; i++)
        most = fmax(most, fabs(x[i]));
    for (int32_t i = 0; i < r; i++)
        cr_assert_float_eq(y[i], x[i], 1e-9 * most, "%d: %g, not %g", i, y[i], x[i]);
}

Test(jacobian, of_random_models_is_that_of_differences)
{
    static double jacobian[WIDEST * WIDEST];
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        Stream s;
        Text text = {0};
        double z[WIDEST];
        stream_start(&s, seed, 1);
        write_model(&text, &s);
        Fluid f = fluid_of(text.text);
        cr_assert_leq(f.field.r, WIDEST);
        /* The sum of those who wait, what servers leave of their rates, and H; not more. */
        cr_expect_geq(f.field.jacobian.m.rows, f.field.r + 3);
        cr_expect_lt(f.field.jacobian.m.rows, f.field.r + 10);
        for (int place = 0; place < 3; place++) {
            wander(&f, &s, z);
            field_evaluate(&f.field, z, NULL);
            dense_jacobian(&f.field, NULL, jacobian);
            compare_differences(&f, z, jacobian);
            for (double shift = 1e-3; shift < 1e7; shift *= 100)
                compare_factors(&f, &s, jacobian, shift);
        }
        fluid_free(&f);
        text_free(&text);
    }
}

/* ---- thousands of local states ------------------------------------------------------------------ */

enum { LONG = 3000 };

static void go(Mean *mean, double time)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    cr_assert_eq(mean_run(mean, time, 100000, &set, &err), PEPA_OK, "%s", err.message);
}

static void start(Mean *mean, Fluid *f, double *z)
{
    PepaError err = {0};
    field_start(&f->field, z);
    cr_assert_eq(mean_new(mean, &f->field, z, 1e-8, &err), PEPA_OK);
}

/* One component that goes to 3,000 local states and back to the first, at rates g and d: in each
 * there are g / d of those in the first in the long run, and in time
 *     I = N / (1 + G) (1 + G exp(-(1 + G) d t)),   G = LONG g / d,   if all have the same rates. */
Test(jacobian, a_star_of_thousands_of_local_states)
{
    const double n = 1000, g = 0.001, d = 2, all = LONG * g / d;
    Text text = {0};
    double *z = mem_calloc(LONG + 1, sizeof *z);
    Mean mean;
    text_add(&text, "I = (a, 0.001).W0");
    for (int32_t i = 1; i < LONG; i++)
        text_add(&text, " + (a, 0.001).W%d", i);
    for (int32_t i = 0; i < LONG; i++)
        text_add(&text, ";\nW%d = (b, 2).I", i);
    text_add(&text, ";\nI[1000]");
    Fluid f = fluid_of(text.text);
    cr_expect_eq(f.field.r, LONG);
    cr_expect_eq(f.field.jacobian.m.rows, LONG + 1); /* I is the rest of its slot */
    cr_expect_leq(f.field.jacobian.m.row[LONG + 1], 4 * LONG);
    start(&mean, &f, z);
    for (double t = 0.05; t < 2; t *= 3) {
        go(&mean, t);
        cr_expect_float_eq(f.field.x[variable_named(&f, "I")],
                           n / (1 + all) * (1 + all * exp(-(1 + all) * d * t)), 1e-4);
        cr_expect_float_eq(f.field.x[variable_named(&f, "W7")],
                           n / (1 + all) * all / LONG * (1 - exp(-(1 + all) * d * t)), 1e-6);
    }
    mean_free(&mean);
    fluid_free(&f);
    text_free(&text);
    mem_free(z);
}

/* A ring of local states, of rates 1 to 7 in turn: in the first of them (1 - p) is a Poisson
 * process' first phases, before anything comes round; all of them keep their components. */
Test(jacobian, a_ring_of_thousands_of_local_states)
{
    Text text = {0};
    double *z = mem_calloc(LONG, sizeof *z), sum = 0;
    Mean mean;
    for (int32_t i = 0; i < LONG; i++)
        text_add(&text, "P%d = (a%d, 2).P%d;\n", i, i, (i + 1) % LONG);
    text_add(&text, "P0[1000]");
    Fluid f = fluid_of(text.text);
    start(&mean, &f, z);
    go(&mean, 1);
    double poisson = 1000 * exp(-2.0);
    for (int32_t i = 0; i < 12; i++, poisson *= 2.0 / i) {
        char name[16];
        (void)snprintf(name, sizeof name, "P%d", i);
        cr_expect_float_eq(f.field.x[variable_named(&f, name)], poisson, 1e-4, "%s", name);
    }
    for (int32_t i = 0; i < LONG; i++)
        sum += f.field.x[i];
    cr_expect_float_eq(sum, 1000, 1e-9);
    mean_free(&mean);
    fluid_free(&f);
    text_free(&text);
    mem_free(z);
}

/* 2,000 types of clients of one pool of servers that limits them: 2,000 x 5 x 8 / 13 are served in
 * the long run, by rates 5 and 8, and shared by apparent rates. */
Test(jacobian, thousands_of_types_share_servers)
{
    enum { TYPES = 2000 };
    const PepaSettings set = {0};
    PepaError err = {0};
    Settled settled;
    Text text = {0};
    double *z = mem_calloc(2 * TYPES + 2, sizeof *z), served = 0;
    for (int32_t i = 0; i < TYPES; i++)
        text_add(&text, "C%d = (t%d, %d).W%d; W%d = (serve, %d).C%d;\n", i, i, 20 + i % 9, i, i,
                 1 + i % 3, i);
    text_add(&text, "S = (serve, 5).R; R = (log, 8).S;\n(C0[10]");
    for (int32_t i = 1; i < TYPES; i++)
        text_add(&text, " || C%d[10]", i);
    text_add(&text, ") <serve> S[%d]", TYPES);
    Fluid f = fluid_of(text.text);
    cr_expect_lt(f.field.jacobian.m.row[f.field.jacobian.m.rows], 20 * TYPES);
    cr_assert_eq(settle(&f.field, 1e-9, &set, z, &settled, &err), PEPA_OK, "%s", err.message);
    const double *x = f.field.x;
    double wanted = 0;
    for (int32_t i = 0; i < TYPES; i++)
        wanted += (1 + i % 3) * x[f.p->variable[i] + 1];
    for (int32_t i = 0; i < TYPES; i++) {
        const double thinking = x[f.p->variable[i]], waiting = x[f.p->variable[i] + 1];
        const double share = TYPES * 40.0 / 13 * (1 + i % 3) * waiting / wanted;
        cr_expect_float_eq(thinking + waiting, 10, 1e-9);
        cr_expect_float_eq((20 + i % 9) * thinking, share, 1e-6);
        served += share;
    }
    cr_expect_float_eq(x[variable_named(&f, "S")], TYPES * 8.0 / 13, 1e-5);
    cr_expect_float_eq(served, TYPES * 40.0 / 13, 1e-6);
    fluid_free(&f);
    text_free(&text);
    mem_free(z);
}
