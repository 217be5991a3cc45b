/* Bounds and derivatives of chains with several bottom components, beside exact rational numbers. */
#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_measure.h"

enum { STATES = 12, PARTS = 4 };

/* Transient states first, the first of them the initial one, then components. */
typedef struct {
    int n, transient, parts, first[PARTS + 1]; /* first: states of each component, and n */
    double rate[STATES][STATES]; /* a component of one state is a deadlock, or loops */
} Ends;

static double next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* What makes a chain hard. */
typedef struct {
    const char *name;
    double within;    /* rates between halves of components, beside 1 */
    double transient; /* rates that leave halves of the transient states, beside 1 .. */
    double fast;      /* .. of those within halves */
    double rare;      /* rates into the first component */
    bool hopeless;    /* so many jumps before the end that doubles may not do */
} Kind;

static const Kind kinds[] = {
    {"moderate", 1, 1, 1, 1, false},
    {"nearly decomposable components", 1e-9, 1, 1, 1, false},
    {"rare end", 1, 1, 1, 1e-12, false},
    {"slow to leave", 1, 1e-9, 1, 1e-9, false},
    {"stiff transient", 1, 1, 1e6, 1, false},
    {"all", 1e-7, 1e-6, 1e4, 1e-12, false},
    {"never nearly", 1, 1, 1, 1e-200, false},
    {"too stiff", 1, 1e-12, 1e4, 1e-12, true},
    {"huge rates", 1, 1e-9, 1e9, 1, true},
    {"all too far apart", 1e-12, 1e-14, 1e-3, 1e-14, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Rings with chords; ends from some states. */
static void make(Ends *e, const Kind *kind, uint64_t seed)
{
    *e = (Ends){.transient = 1 + (int)(seed % 5), .parts = 2 + (int)(seed % 3)};
    int end = e->transient;
    for (int b = 0; b < e->parts; b++) {
        e->first[b] = end;
        end += 1 + (int)(next(&seed) * 3);
        end = end > STATES - (e->parts - b - 1) ? STATES - (e->parts - b - 1) : end;
    }
    e->first[e->parts] = e->n = end;
    for (int i = 0; i < e->transient; i++) {
        const int half = e->transient / 2, to = (i + 1) % e->transient;
        const bool crosses = (i < half) != (to < half);
        if (to != i)
            e->rate[i][to] = (crosses ? kind->transient : kind->fast) * (0.5 + next(&seed));
        if (i > 0)
            e->rate[i][i - 1] = (i == half ? kind->transient : kind->fast) * (0.5 + next(&seed));
    }
    for (int b = 0; b < e->parts; b++) {
        const int from = (int)(next(&seed) * e->transient), n = e->first[b + 1] - e->first[b];
        const double slow = b == 0 ? kind->rare : kind->transient < 1e-8 ? kind->transient : 1;
        e->rate[from][e->first[b] + (int)(next(&seed) * n)] = slow * (0.5 + next(&seed));
        for (int i = 0; i < n && n > 1; i++) {
            const int s = e->first[b] + i;
            e->rate[s][e->first[b] + (i + 1) % n] =
                (i == 0 ? kind->within : 1) * (0.5 + next(&seed));
        }
        if (n == 1 && seed % 2)
            e->rate[e->first[b]][e->first[b]] = 0.5 + next(&seed);
    }
}

/* ---- exact ----------------------------------------------------------------------------------- */

typedef struct {
    mpq_t rate[STATES][STATES], pi[STATES];
} Exact;

static void exact_new(Exact *x, const Ends *e)
{
    for (int i = 0; i < STATES; i++) {
        mpq_init(x->pi[i]);
        for (int j = 0; j < STATES; j++) {
            mpq_init(x->rate[i][j]);
            mpq_set_d(x->rate[i][j], e->rate[i][j]);
        }
    }
}

static void exact_free(Exact *x)
{
    for (int i = 0; i < STATES; i++) {
        mpq_clear(x->pi[i]);
        for (int j = 0; j < STATES; j++)
            mpq_clear(x->rate[i][j]);
    }
}

/* States first .. end - 1 from the last on: rates become those that skip it. */
static void leave_out(mpq_t q[STATES][STATES], const Ends *e, int first, int end)
{
    mpq_t sum, part;
    mpq_inits(sum, part, NULL);
    for (int k = end - 1; k > first; k--) {
        const int most = first < e->transient ? e->n : end;
        mpq_set_ui(sum, 0, 1);
        for (int j = first; j < most; j++)
            if (j < k || j >= end)
                mpq_add(sum, sum, q[k][j]);
        for (int i = first; i < k; i++) {
            mpq_div(q[i][k], q[i][k], sum);
            for (int j = first; j < most; j++)
                if ((j < k || j >= end) && j != i) {
                    mpq_mul(part, q[i][k], q[k][j]);
                    mpq_add(q[i][j], q[i][j], part);
                }
        }
    }
    mpq_clears(sum, part, NULL);
}

/* The long-run distribution from state 0. */
static void solve_exactly(Exact *x, const Ends *e)
{
    mpq_t q[STATES][STATES], sum, part, weight[PARTS];
    mpq_inits(sum, part, NULL);
    for (int i = 0; i < STATES; i++) {
        mpq_set_ui(x->pi[i], 0, 1);
        for (int j = 0; j < STATES; j++) {
            mpq_init(q[i][j]);
            if (i != j)
                mpq_set(q[i][j], x->rate[i][j]);
        }
    }
    leave_out(q, e, 0, e->transient);
    for (int j = e->transient; j < e->n; j++)
        mpq_add(sum, sum, q[0][j]);
    for (int b = 0; b < e->parts; b++) {
        mpq_init(weight[b]);
        for (int j = e->first[b]; j < e->first[b + 1]; j++)
            mpq_add(weight[b], weight[b], q[0][j]);
        mpq_div(weight[b], weight[b], sum);
    }
    for (int b = 0; b < e->parts; b++) {
        const int first = e->first[b], end = e->first[b + 1];
        leave_out(q, e, first, end);
        mpq_set_ui(x->pi[first], 1, 1);
        mpq_set_ui(sum, 1, 1);
        for (int k = first + 1; k < end; k++) {
            for (int i = first; i < k; i++) {
                mpq_mul(part, x->pi[i], q[i][k]);
                mpq_add(x->pi[k], x->pi[k], part);
            }
            mpq_add(sum, sum, x->pi[k]);
        }
        mpq_div(part, weight[b], sum);
        for (int k = first; k < end; k++)
            mpq_mul(x->pi[k], x->pi[k], part);
        mpq_clear(weight[b]);
    }
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++)
            mpq_clear(q[i][j]);
    mpq_clears(sum, part, NULL);
}

/* pi_i rate_ij, with rate r_kl more by 2^-300 of itself, less that with as much less, by twice that
 * step: the derivative, but for terms of 2^-600. */
static double slope_exactly(const Ends *e, int i, int j, int k, int l)
{
    Exact x;
    mpq_t step, side[2];
    mpq_inits(step, side[0], side[1], NULL);
    mpq_set_d(step, e->rate[k][l]);
    mpq_div_2exp(step, step, 300);
    for (int s = 0; s < 2; s++) {
        exact_new(&x, e);
        if (s == 0)
            mpq_add(x.rate[k][l], x.rate[k][l], step);
        else
            mpq_sub(x.rate[k][l], x.rate[k][l], step);
        solve_exactly(&x, e);
        mpq_mul(side[s], x.pi[i], x.rate[i][j]);
        exact_free(&x);
    }
    mpq_sub(side[0], side[0], side[1]);
    mpq_div(side[0], side[0], step);
    mpq_div_2exp(side[0], side[0], 1);
    const double slope = mpq_get_d(side[0]);
    mpq_clears(step, side[0], side[1], NULL);
    return slope;
}

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    double pi[STATES];
} Handles;

/* A rate and an action of its own for each jump; a deadlock wants what nobody offers. */
static char *model_text(const Ends *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    cr_assert(to);
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < e->n; j++)
            if (e->rate[i][j] > 0)
                (void)fprintf(to, "r_%d_%d = %.17g;\n", i, j, e->rate[i][j]);
    for (int i = 0; i < e->n; i++) {
        (void)fprintf(to, "S%d = (stuck, 1).S%d", i, i);
        for (int j = 0; j < e->n; j++)
            if (e->rate[i][j] > 0)
                (void)fprintf(to, " + (a_%d_%d, r_%d_%d).S%d", i, j, i, j, j);
        (void)fprintf(to, ";\n");
    }
    (void)fprintf(to, "Never = (other, 1).Never;\nS0 <stuck, other> Never\n");
    (void)fclose(to);
    return text;
}

static Handles open_model(const char *text)
{
    Handles h = {0};
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&h.model, "test", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_chain_derive(&h.chain, h.model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_new(&h.steady, h.chain, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_solve(h.steady, NULL, h.pi, NULL, &err), PEPA_OK, "%s\n%s",
                 err.message, text);
    return h;
}

static void close_model(Handles *h)
{
    pepa_steady_free(h->steady);
    pepa_chain_free(h->chain);
    pepa_model_free(h->model);
}

/* Exact comparison, as a double is a rational number. */
static void expect_bounds(double low, const mpq_t exact, double high, double width,
                          const char *what, const char *kind, uint64_t seed)
{
    mpq_t bound;
    mpq_init(bound);
    mpq_set_d(bound, low);
    cr_expect(mpq_cmp(bound, exact) <= 0, "%s, %s %lu: %.17g is not below %.17g", what, kind,
              (unsigned long)seed, low, mpq_get_d(exact));
    mpq_set_d(bound, high);
    cr_expect(mpq_cmp(exact, bound) <= 0, "%s, %s %lu: %.17g is not above %.17g", what, kind,
              (unsigned long)seed, high, mpq_get_d(exact));
    cr_expect(high - low <= width * mpq_get_d(exact), "%s, %s %lu: %.17g to %.17g", what, kind,
              (unsigned long)seed, low, high);
    mpq_clear(bound);
}

static void check_derivatives(const Ends *e, const Handles *h, const Kind *kind, uint64_t seed,
                              int i, int j, double exact)
{
    char name[32];
    double slope[STATES * STATES + 8];
    PepaError err = {0};
    cr_assert_lt(pepa_model_rate_count(h->model), STATES * STATES + 8);
    (void)snprintf(name, sizeof name, "a_%d_%d", i, j);
    PepaStatus status =
        pepa_steady_sensitivities(h->steady, NULL, h->pi, name, NULL, slope, NULL, &err);
    if (kind->hopeless && status == PEPA_ENOCONV)
        return;
    cr_assert_eq(status, PEPA_OK, "%s, %s %lu: %s", name, kind->name, (unsigned long)seed,
                 err.message);
    for (int32_t r = 0; r < pepa_model_rate_count(h->model); r++) {
        int k, l;
        if (sscanf(pepa_model_rate_name(h->model, r), "r_%d_%d", &k, &l) != 2)
            continue;
        const double right = slope_exactly(e, i, j, k, l);
        cr_expect(fabs(slope[r] - right) <= 1e-8 * exact / e->rate[k][l],
                  "d %s / d r_%d_%d, %s %lu: %.12g, not %.12g (of %g / %g)", name, k, l, kind->name,
                  (unsigned long)seed, slope[r], right, exact, e->rate[k][l]);
    }
}

/* A component whose states are rarely left has rounding errors beside its fastest rate, not beside
 * its throughputs. */
static void check(const Ends *e, const Kind *kind, uint64_t seed)
{
    const PepaSettings fine = {.solve.tolerance = 1e-13};
    Exact x;
    exact_new(&x, e);
    solve_exactly(&x, e);
    char *text = model_text(e);
    Handles h = open_model(text);
    mpq_t exact;
    mpq_init(exact);
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < e->n; j++) {
            char action[32];
            double low, high;
            PepaError err = {0};
            if (!(e->rate[i][j] > 0))
                continue;
            mpq_mul(exact, x.rate[i][j], x.pi[i]);
            (void)snprintf(action, sizeof action, "a_%d_%d", i, j);
            cr_assert_eq(pepa_throughput_bounds(h.steady, &fine, h.pi, action, &low, &high, NULL,
                                                &err),
                         PEPA_OK, "%s", err.message);
            expect_bounds(low, exact, high,
                          kind->hopeless     ? 1e300
                          : kind->within < 1 ? 1e-8
                                             : 1e-11,
                          action, kind->name, seed);
            if (i >= e->transient)
                check_derivatives(e, &h, kind, seed, i, j, mpq_get_d(exact));
        }
    mpq_clear(exact);
    close_model(&h);
    free(text);
    exact_free(&x);
}

Test(ends, bounds_and_derivatives)
{
    for (int k = 0; k < KINDS; k++)
        for (uint64_t seed = 1; seed <= 15; seed++) {
            Ends e;
            make(&e, &kinds[k], seed);
            check(&e, &kinds[k], seed);
        }
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static double measured(const char *text, const char *measure, double *slope, double *low,
                       double *high)
{
    Handles h = {0};
    PepaError err = {0};
    PepaMeasures *m = NULL;
    double value = NAN;
    cr_assert_eq(pepa_model_parse(&h.model, "test", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_chain_derive(&h.chain, h.model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_new(&h.steady, h.chain, &err), PEPA_OK, "%s", err.message);
    double *pi = calloc((size_t)pepa_chain_info(h.chain).states, sizeof *pi);
    cr_assert_eq(pepa_steady_solve(h.steady, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_measures_new(&m, h.model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", measure, strlen(measure), NULL, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measure_sensitivities(h.steady, NULL, pi, m, 0, &value, slope, NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_measure_bounds(h.steady, NULL, pi, m, low, high, NULL, &err), PEPA_OK, "%s",
                 err.message);
    pepa_measures_free(m);
    free(pi);
    close_model(&h);
    return value;
}

/* A gambler with 3 coins of n wins with probability (r^3 - 1) / (r^n - 1), r = q / p.  From 2,000
 * coins on times are not found by elimination at first, and those near the win are tiny. */
Test(ends, gamblers_ruin)
{
    const int coins[] = {7, 100, 2500};
    const double p = 1, q = 1.02, r = q / p;
    for (size_t k = 0; k < sizeof coins / sizeof *coins; k++) {
        const int n = coins[k];
        char *text = NULL;
        size_t size = 0;
        double slope[2], low, high;
        FILE *to = open_memstream(&text, &size);
        cr_assert(to);
        (void)fprintf(to, "p = %.17g; q = %.17g; C0 = (lost, 1).C0; C%d = (won, 1).C%d;\n", p, q, n,
                      n);
        for (int i = 1; i < n; i++)
            (void)fprintf(to, "C%d = (win, p).C%d + (lose, q).C%d;\n", i, i + 1, i - 1);
        (void)fprintf(to, "C3\n");
        (void)fclose(to);
        (void)measured(text, "throughput:won", slope, &low, &high);
        const double exact = (pow(r, 3) - 1) / (pow(r, n) - 1);
        const double by_r = 3 * pow(r, 2) / (pow(r, 3) - 1) - n * pow(r, n - 1) / (pow(r, n) - 1);
        cr_expect(fabs(low / exact - 1) <= 1e-9 && fabs(high / exact - 1) <= 1e-9,
                  "%d coins: %.17g to %.17g, not %.17g", n, low, high, exact);
        cr_expect(fabs(slope[0] / (-r / p * by_r * exact) - 1) <= 1e-8, "%d coins: d p %.12g", n,
                  slope[0]);
        cr_expect(fabs(slope[1] / (by_r / p * exact) - 1) <= 1e-8, "%d coins: d q %.12g", n,
                  slope[1]);
        free(text);
    }
}

/* That one end is so many times as likely as the other is the same where the chain begins anew after
 * each: a chain with one bottom component. */
Test(ends, renewal)
{
    static const char before[] =
        "r = 0.3; s = 1.7; u = 0.01; v = 2.3;\n"
        "A = (a, r).B + (b, s).C; B = (c, v).A + (end, u).Won + (d, 2 * r).C;\n"
        "C = (e, r + u).B + (end, min(r, s) / 3).Lost;\n";
    static const char measure[] = "throughput:won / throughput:lost + rate:r";
    static const char ends[] = "Won = (won, 2).Won2; Won2 = (w, 1).Won;\n"
                               "Lost = (lost, 2).Lost2; Lost2 = (l, 1).Lost; A\n";
    static const char anew[] = "Won = (won, 2).Won2; Won2 = (w, 1).A;\n"
                               "Lost = (lost, 2).Lost2; Lost2 = (l, 1).A; A\n";
    double slope[2][4], low[2], high[2], value[2];
    for (int k = 0; k < 2; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text, "%s%s", before, k ? anew : ends);
        value[k] = measured(text, measure, slope[k], &low[k], &high[k]);
        cr_expect(high[k] - low[k] <= 1e-9 * value[k], "%.17g to %.17g", low[k], high[k]);
    }
    cr_expect_float_eq(value[0], value[1], 1e-12);
    cr_expect(low[0] <= high[1] && low[1] <= high[0]);
    for (int r = 0; r < 4; r++)
        cr_expect_float_eq(slope[0][r], slope[1][r], 1e-9 * fmax(1, fabs(slope[1][r])),
                           "rate %d: %.12g, not %.12g", r, slope[0][r], slope[1][r]);
}

/* Numbers of both signs, and means that agree: the end does not matter. */
Test(ends, signs)
{
    static const char text[] = "w = 0.4; k = 3; A = (win, w).Won + (lose, 1).Lost;\n"
                               "Won = (a, k).Won; Lost = (b, 1).Lost; A";
    double slope[2], low, high;
    const double won = 0.4 / 1.4, x = 3 * won - 2 * (1 - won);
    cr_expect_float_eq(measured(text, "throughput:a - 2 * throughput:b", slope, &low, &high), x,
                       1e-12);
    cr_expect(low <= x + 1e-15 && high >= x - 1e-15 && high - low <= 1e-9);
    cr_expect_float_eq(slope[0], (3 + 2) / (1.4 * 1.4), 1e-10);
    cr_expect_float_eq(slope[1], won, 1e-12);
    (void)measured(text, "reward:{5 - 7 * Won}", slope, &low, &high);
    cr_expect(low <= 5 - 7 * won + 1e-15 && high >= 5 - 7 * won - 1e-15 && high - low <= 1e-9);
    cr_expect_float_eq(slope[0], -7 / (1.4 * 1.4), 1e-9);
    (void)measured(text, "population:Won + population:Lost", slope, &low, &high);
    cr_expect(low <= 1 && high >= 1 && high - low <= 1e-9);
    cr_expect_float_eq(slope[0], 0, 1e-12);
}

/* Where the chain begins in a bottom component, it has no other. */
Test(ends, at_once)
{
    double slope[2], low, high;
    cr_expect_float_eq(measured("w = 0.5; k = 2; A = (a, w).B; B = (b, k).A;\n"
                                "Other = (c, 1).Other; A",
                                "throughput:a", slope, &low, &high),
                       0.4, 1e-12);
    cr_expect(low <= 0.4 && high >= 0.4 && high - low <= 1e-9);
    cr_expect_float_eq(slope[0], 0.64, 1e-10);
}
