/* Means and covariances against distributions that are known. */
#include "fluid/moments.h"

#include <math.h>

#include "fluids.h"

enum { MOST = 8 };

static FluidMoments *moments_of(Fluid *f)
{
    FluidMoments *m = NULL;
    PepaError err = {0};
    cr_assert_eq(fluid_moments_new(&m, &f->field, 1e-8, &err), PEPA_OK);
    return m;
}

static void go(FluidMoments *m, double time)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    cr_assert_eq(fluid_moments_run(m, time, &set, &err), PEPA_OK, "%s", err.message);
}

static void slope_of(const Fluid *f, const char *name, double *slope)
{
    const Sparse *basis = &f->field.basis;
    const int32_t variable = variable_named(f, name);
    for (int32_t i = 0; i < f->field.r; i++)
        slope[i] = 0;
    for (int32_t k = basis->row[variable]; k < basis->row[variable + 1]; k++)
        slope[basis->col[k]] = basis->value[k];
}

static double mean_of(const Fluid *f, const char *name)
{
    return f->field.x[variable_named(f, name)];
}

static double covariance_of(const Fluid *f, const Smooth *look, const char *a, const char *b)
{
    double of_a[MOST], of_b[MOST];
    cr_assert_leq(f->field.r, MOST);
    slope_of(f, a, of_a);
    slope_of(f, b, of_b);
    return smooth_covariance(look, of_a, of_b);
}

/* ---- components that move by themselves: multinomial -------------------------------------------- */

/* A -> B -> C, at rates 1 and 3. */
Test(moments, a_pure_death_process_is_multinomial)
{
    const double n = 50;
    const char *names[] = {"A", "B", "C"};
    Fluid f = fluid_of("A = (a, 1).B; B = (b, 3).C; C = (a, 0.000000000001).C; A[50]");
    FluidMoments *m = moments_of(&f);
    for (double t = 0.1; t < 4; t *= 1.7) {
        const double a = exp(-t), b = (exp(-t) - exp(-3 * t)) / 2, p[] = {a, b, 1 - a - b};
        go(m, t);
        const Smooth *look = fluid_moments_look(m);
        for (int i = 0; i < 3; i++) {
            cr_expect_float_eq(mean_of(&f, names[i]), n * p[i], 1e-5);
            for (int k = 0; k < 3; k++)
                cr_expect_float_eq(covariance_of(&f, look, names[i], names[k]),
                                   n * p[i] * ((i == k) - p[k]), 1e-4, "time %g, %s, %s: %g", t,
                                   names[i], names[k], covariance_of(&f, look, names[i], names[k]));
        }
    }
    fluid_moments_free(m);
    fluid_free(&f);
}

/* A cycle in the long run, whatever the population. */
static void settle_cycle(double n)
{
    char text[128];
    const PepaSettings set = {0};
    PepaError err = {0};
    double z[MOST];
    const double p[] = {6.0 / 11, 3.0 / 11, 2.0 / 11};
    const char *names[] = {"A", "B", "C"};
    (void)snprintf(text, sizeof text, "A = (a, 1).B; B = (b, 2).C; C = (c, 3).A; A[%.0f]", n);
    Fluid f = fluid_of(text);
    FluidMoments *m = moments_of(&f);
    field_start(&f.field, z);
    cr_assert_eq(fluid_moments_settle(m, z, 1, &set, &err), PEPA_OK, "%s", err.message);
    const Smooth *look = fluid_moments_look(m);
    for (int i = 0; i < 3; i++) {
        cr_expect_float_eq(mean_of(&f, names[i]), n * p[i], 1e-9 * n);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(covariance_of(&f, look, names[i], names[k]),
                               n * p[i] * ((i == k) - p[k]), 1e-9 * n);
    }
    fluid_moments_free(m);
    fluid_free(&f);
}

Test(moments, a_cycle_settles)
{
    settle_cycle(1);
    settle_cycle(1000);
    settle_cycle(2000000000);
}

/* Stiff: a fast pair within a slow one.  The steps are few. */
Test(moments, stiff)
{
    Fluid f = fluid_of("A = (a, 100000).B + (c, 1).C; B = (b, 100000).A; C = (d, 0.5).A; A[1000]");
    FluidMoments *m = moments_of(&f);
    go(m, 100);
    const Smooth *look = fluid_moments_look(m);
    /* A and B: half each of what is not in C; between the two and C: rates 1/2 and 1/2. */
    cr_expect_float_eq(mean_of(&f, "C"), 500, 0.01);
    cr_expect_float_eq(covariance_of(&f, look, "C", "C"), 250, 0.01);
    cr_expect_float_eq(covariance_of(&f, look, "A", "A"), 1000 * 0.25 * 0.75, 0.01);
    cr_expect_lt(fluid_moments_steps(m), 20000, "%d", (int)fluid_moments_steps(m));
    fluid_moments_free(m);
    fluid_free(&f);
}

/* ---- min ---------------------------------------------------------------------------------------- */

/* E min(3 X, 2 Y) of normal X, Y, summed over a grid. */
static double summed(const double *mean, const double *cov)
{
    const double step = 0.02, root = sqrt(cov[0]), by = cov[1] / root,
                 rest = sqrt(cov[3] - by * by);
    double sum = 0;
    for (double u = -8; u <= 8; u += step)
        for (double v = -8; v <= 8; v += step) {
            const double x = mean[0] + root * u, y = mean[1] + by * u + rest * v;
            sum += fmin(3 * x, 2 * y) * exp(-(u * u + v * v) / 2);
        }
    return sum * step * step / (2 * 3.14159265358979323846);
}

Test(moments, the_mean_of_min)
{
    static const double means[][2] = {{50, 80}, {50, 75}, {52, 60}, {40, 75}};
    static const double covs[][4] = {{20, 5, 5, 30}, {20, -15, -15, 30}, {0.5, 0, 0, 0.4}};
    Fluid f = fluid_of("X = (a, 3).X1; X1 = (b, 1).X; Y = (a, 2).Y1; Y1 = (c, 1).Y;\n"
                       "X[100] <a> Y[100]");
    Smooth s = {0};
    PepaError err = {0};
    cr_assert_eq(smooth_new(&s, &f.field, &err), PEPA_OK);
    cr_assert_eq(f.field.r, 2);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++) {
            double z[2], up[2], cov[4];
            int which[2], sign[2]; /* coordinates are X or Y, or what is left of them */
            for (int c = 0; c < 2; c++) {
                which[c] = f.field.free[c] == variable_named(&f, "Y") ||
                           f.field.free[c] == variable_named(&f, "Y1");
                const bool itself = f.field.free[c] == variable_named(&f, which[c] ? "Y" : "X");
                sign[c] = itself ? 1 : -1;
                z[c] = itself ? means[i][which[c]] : 100 - means[i][which[c]];
            }
            for (int c = 0; c < 4; c++)
                cov[c] = covs[k][which[c / 2] * 2 + which[c % 2]] * sign[c / 2] * sign[c % 2];
            smooth_evaluate(&s, z, cov, f.p->flow_count);
            const int32_t rate = f.p->moves[0].rate;
            const double mean = s.mean[rate];
            cr_expect_float_eq(mean, summed(means[i], covs[k]), 2e-3, "%g, %g", mean,
                               summed(means[i], covs[k]));
            for (int c = 0; c < 2; c++) {
                const double step = 1e-4, slope = smooth_slope(&s, rate)[c];
                memcpy(up, z, sizeof z);
                up[c] += step;
                smooth_evaluate(&s, up, cov, f.p->flow_count);
                cr_expect_float_eq((s.mean[rate] - mean) / step, slope, 1e-3);
                smooth_evaluate(&s, z, cov, f.p->flow_count);
            }
        }
    smooth_free(&s);
    fluid_free(&f);
}

/* ---- several ends ------------------------------------------------------------------------------- */

/* Each component ends in B or in C for good: nothing drives numbers back, and still they settle. */
Test(moments, several_ends)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    double z[MOST];
    Fluid f = fluid_of("A = (a, 1).B + (a, 3).C; B = (b, 1).B; C = (c, 1).C; A[100]");
    FluidMoments *m = moments_of(&f);
    field_start(&f.field, z);
    cr_assert_eq(fluid_moments_settle(m, z, 1, &set, &err), PEPA_OK, "%s", err.message);
    const Smooth *look = fluid_moments_look(m);
    cr_expect_float_eq(mean_of(&f, "B"), 25, 1e-4);
    cr_expect_float_eq(covariance_of(&f, look, "B", "B"), 100 * 0.25 * 0.75, 1e-4);
    cr_expect_float_eq(covariance_of(&f, look, "B", "C"), -100 * 0.25 * 0.75, 1e-4);
    fluid_moments_free(m);
    fluid_free(&f);
}

/* Each ends in one of two cycles, whose places in a Jacobian are the roundings of 0: as many come to B as in
 * independent draws, whatever the number of copies. */
Test(moments, several_ends_up_to_rounding)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    double z[MOST];
    for (double n = 10; n < 1e8; n *= 5) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "A = (a, 0.3).B + (c, 0.2).C; B = (b, 1).B2; B2 = (d, 1).B;"
                       "C = (e, 3).C2; C2 = (g, 1).C; A[%.0f]",
                       n);
        Fluid f = fluid_of(text);
        FluidMoments *m = moments_of(&f);
        field_start(&f.field, z);
        cr_assert_eq(fluid_moments_settle(m, z, 10, &set, &err), PEPA_OK, "%s", err.message);
        const Smooth *look = fluid_moments_look(m);
        cr_expect(fabs(mean_of(&f, "B") - 0.3 * n) < 1e-5 * n, "%g of %g", mean_of(&f, "B"), n);
        /* 0.6 come to a cycle of which half the time is spent in B. */
        const double got = covariance_of(&f, look, "B", "B");
        cr_expect(fabs(got - 0.3 * 0.7 * n) < 1e-4 * n, "%g of %g", got, n);
        fluid_moments_free(m);
        fluid_free(&f);
    }
}

/* ---- linear noise ------------------------------------------------------------------------------- */

/* A to B at x^2 k, and back at h each: dx/dt = h (n - x) - k x^2, of slope -(2 k x + h). */
static const double n = 400, k = 0.005, h = 0.5;
static const char pairs[] = "A = (a, 0.005 * A).B; B = (b, 0.5).A; A[400]";

static double drift(double x)
{
    return h * (n - x) - k * x * x;
}

/* Mean, variance and shift by hand, at `time`: explicit, in many small steps of the midpoint rule. */
static void follow_by_hand(double time, double *y)
{
    enum { STEPS = 200000 };
    const double step = time / STEPS;
    y[0] = n, y[1] = y[2] = 0;
    for (int i = 0; i < STEPS; i++) {
        double at[3] = {y[0], y[1], y[2]}, by[3];
        for (int half = 0; half < 2; half++) {
            const double slope = -(2 * k * at[0] + h);
            by[0] = drift(at[0]);
            by[1] = 2 * slope * at[1] + h * (n - at[0]) + k * at[0] * at[0];
            by[2] = slope * at[2] - k * at[1];
            for (int j = 0; j < 3; j++)
                at[j] = y[j] + (half ? 1 : 0.5) * step * by[j];
        }
        memcpy(y, at, sizeof at);
    }
}

static void expect_noise(const Fluid *f, FluidMoments *m, const double *want, double slack)
{
    const Smooth *look = fluid_moments_look(m);
    cr_expect_float_eq(mean_of(f, "A"), want[0], 1e-4 * n);
    cr_expect_float_eq(covariance_of(f, look, "A", "A"), want[1], 1e-4 * n);
    look = fluid_moments_shifted(m);
    cr_expect_float_eq(mean_of(f, "A") - want[0], want[2], slack * fabs(want[2]), "%g, not %g",
                       mean_of(f, "A") - want[0], want[2]);
}

Test(moments, linear_noise_in_time)
{
    double want[3];
    Fluid f = fluid_of(pairs);
    FluidMoments *m = moments_of(&f);
    go(m, 0.1);
    fluid_moments_linearise(m);
    for (double t = 0.1; t < 4; t *= 3) {
        go(m, t);
        follow_by_hand(t, want);
        expect_noise(&f, m, want, 0.05); /* shifts are of the first order in steps */
    }
    fluid_moments_free(m);
    fluid_free(&f);
}

Test(moments, linear_noise_in_the_long_run)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    const double x = (-h + sqrt(h * h + 4 * k * h * n)) / (2 * k), slope = -(2 * k * x + h),
                 variance = (h * (n - x) + k * x * x) / (-2 * slope);
    double z[MOST];
    Fluid f = fluid_of(pairs);
    FluidMoments *m = moments_of(&f);
    fluid_moments_linearise(m);
    z[0] = f.field.free[0] == variable_named(&f, "A") ? x : n - x;
    cr_assert_eq(fluid_moments_settle(m, z, 1, &set, &err), PEPA_OK, "%s", err.message);
    expect_noise(&f, m, (double[]){x, variance, k * variance / slope}, 1e-6);
    fluid_moments_free(m);
    fluid_free(&f);
}

/* Each ends in B or in C for good: covariances come with time, there being none that settle alone. */
Test(moments, linear_noise_of_several_ends)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    double z[MOST];
    Fluid f = fluid_of("A = (a, 1).B + (a, 3).C; B = (b, 1).B; C = (c, 1).C; A[100]");
    FluidMoments *m = moments_of(&f);
    fluid_moments_linearise(m);
    field_start(&f.field, z);
    cr_assert_eq(fluid_moments_settle(m, z, 1, &set, &err), PEPA_OK, "%s", err.message);
    const Smooth *look = fluid_moments_look(m);
    cr_expect_float_eq(covariance_of(&f, look, "B", "B"), 100 * 0.25 * 0.75, 1e-3);
    fluid_moments_free(m);
    fluid_free(&f);
}
