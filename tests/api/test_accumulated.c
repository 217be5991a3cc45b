/* What accumulates up to a time, however little happens until then: against a closed form. */
#include "api/formulas.h"
#include "pepa_measure.h"
#include "pepa_transient.h"

/* Of two states, left at the rates a and b: the mean time in the second until t, from the first.  Where
 * little happens, by powers of it, so that nothing cancels. */
static double second_until(double a, double b, double t)
{
    const double all = a + b, x = all * t;
    double sum = 0, term = 0.5;
    for (int k = 2; k < 40; k++) {
        sum += term;
        term *= -x / (k + 1);
    }
    return x < 0.5 ? a * t * t * sum : a / all * (t + expm1(-x) / all);
}

static const double rates[][2] = {{1e-9, 2e-9}, {1e-6, 1e-6}, {1e-4, 1e-4}, {1e-3, 2e-3}, {1, 1}};
enum { RATES = sizeof rates / sizeof *rates };
static const double times[] = {1e-3, 1e-2, 1, 1e3, 1e6};
enum { TIMES = sizeof times / sizeof *times };

static Given two_states(double a, double b)
{
    char text[100];
    (void)snprintf(text, sizeof text, "P = (a, %g).Q; Q = (b, %g).P; P", a, b);
    return given(text, PEPA_EXPLICIT);
}

static void expect_near(double value, double want, double bound, double t)
{
    cr_expect(fabs(value - want) <= bound + 1e-15 * want, "%g: %.17g, should be %.17g +- %g", t,
              value, want, bound);
    cr_expect(fabs(value - want) <= 1e-10 * want, "%g: %.17g, should be %.17g", t, value, want);
    cr_expect(bound <= 1e-10 * t, "%g: bound %g", t, bound);
}

Test(accumulated, formulas)
{
    for (int i = 0; i < RATES; i++) {
        Given g = two_states(rates[i][0], rates[i][1]);
        for (int j = 0; j < TIMES; j++) {
            char text[100];
            PepaVerdict v;
            PepaError err = {0};
            (void)snprintf(text, sizeof text, "R{population:Q}=? [ C<=%g ]", times[j]);
            cr_assert_eq(ask(&g, text, NULL, &v, &err), PEPA_OK, "%s", err.message);
            expect_near(v.value, second_until(rates[i][0], rates[i][1], times[j]), v.error_bound,
                        times[j]);
        }
        given_free(&g);
    }
}

/* At one time, and at many that share one sequence of steps. */
Test(accumulated, measures)
{
    enum { MANY = 100 };
    static const char text[] = "population:Q";
    for (int i = 0; i < RATES * TIMES; i++) {
        const double *rate = rates[i / TIMES], last = times[i % TIMES];
        Given g = two_states(rate[0], rate[1]);
        PepaMeasures *m = NULL;
        PepaError err = {0};
        PepaTransientInfo info;
        double time[MANY], value[MANY];
        cr_assert_eq(pepa_measures_new(&m, g.model, &err), PEPA_OK);
        cr_assert_eq(pepa_measures_add(m, "m", text, strlen(text), NULL, NULL, &err), PEPA_OK);
        for (size_t count = 1; count <= MANY; count += MANY - 1) {
            for (size_t j = 0; j < count; j++)
                time[j] = last * (double)(j + 1) / (double)count;
            const PepaTransient at = {.time = time, .count = count, .accumulated = 1};
            cr_assert_eq(pepa_transient_measures(g.chain, m, &at, NULL, value, &info, &err),
                         PEPA_OK, "%g: %s", last, err.message);
            expect_near(value[count - 1], second_until(rate[0], rate[1], last), info.error_bound,
                        last);
            const double want = second_until(rate[0], rate[1], time[0]);
            cr_expect_float_eq(value[0], want, 1e-10 * want);
        }
        pepa_measures_free(m);
        given_free(&g);
    }
}
