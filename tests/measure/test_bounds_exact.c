/* Bounds beside exact rational numbers, on nearly decomposable chains where a vector that is far off
 * balances to within a residual of 1e-12. */
#include <criterion/criterion.h>
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_measure.h"
#include "settings.h"

enum { GROUPS = 3, SIZE = 5, STATES = GROUPS * SIZE };

typedef struct {
    double rate[STATES][STATES];
    mpq_t pi[STATES];
} Rare;

static double next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Within a group a ring and chords; between groups a jump each from the first states. */
static void make(Rare *r, uint64_t seed, double rare)
{
    memset(r->rate, 0, sizeof r->rate);
    for (int i = 0; i < STATES; i++) {
        const int base = i / SIZE * SIZE;
        r->rate[i][base + (i + 1) % SIZE] = 0.1 + next(&seed);
        r->rate[i][base + (int)(next(&seed) * SIZE)] += 5 * next(&seed);
        r->rate[i][i] = 0;
    }
    for (int g = 0; g < GROUPS; g++)
        r->rate[g * SIZE][(g + 1) % GROUPS * SIZE + 2] = rare * (0.5 + next(&seed));
}

/* pi by elimination in rational numbers; the states are left out one by one, from the last. */
static void solve_exactly(Rare *r)
{
    static mpq_t q[STATES][STATES];
    mpq_t sum, part;
    mpq_inits(sum, part, NULL);
    for (int i = 0; i < STATES; i++) {
        mpq_init(r->pi[i]);
        for (int j = 0; j < STATES; j++) {
            mpq_init(q[i][j]);
            mpq_set_d(q[i][j], r->rate[i][j]);
        }
    }
    for (int k = STATES - 1; k > 0; k--) {
        mpq_set_ui(sum, 0, 1);
        for (int j = 0; j < k; j++)
            mpq_add(sum, sum, q[k][j]);
        for (int i = 0; i < k; i++) {
            mpq_div(q[i][k], q[i][k], sum);
            for (int j = 0; j < k; j++) {
                mpq_mul(part, q[i][k], q[k][j]);
                mpq_add(q[i][j], q[i][j], part);
            }
        }
    }
    mpq_set_ui(r->pi[0], 1, 1);
    mpq_set_ui(sum, 1, 1);
    for (int k = 1; k < STATES; k++) {
        for (int i = 0; i < k; i++) {
            mpq_mul(part, r->pi[i], q[i][k]);
            mpq_add(r->pi[k], r->pi[k], part);
        }
        mpq_add(sum, sum, r->pi[k]);
    }
    for (int k = 0; k < STATES; k++)
        mpq_div(r->pi[k], r->pi[k], sum);
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++)
            mpq_clear(q[i][j]);
    mpq_clears(sum, part, NULL);
}

static void rare_free(Rare *r)
{
    for (int i = 0; i < STATES; i++)
        mpq_clear(r->pi[i]);
}

/* An action of its own for each jump. */
static char *model_text(const Rare *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    cr_assert(to);
    for (int i = 0; i < STATES; i++) {
        const char *between = " = ";
        (void)fprintf(to, "S%d", i);
        for (int j = 0; j < STATES; j++)
            if (r->rate[i][j] > 0) {
                (void)fprintf(to, "%s(a_%d_%d, %.17g).S%d", between, i, j, r->rate[i][j], j);
                between = " + ";
            }
        (void)fprintf(to, ";\n");
    }
    (void)fprintf(to, "S0\n");
    (void)fclose(to);
    return text;
}

/* The share of the flow that is out of balance. */
static double residual(const Rare *r, const double *pi)
{
    long double off = 0, all = 0;
    for (int i = 0; i < STATES; i++) {
        long double net = 0;
        for (int j = 0; j < STATES; j++) {
            net += (long double)pi[j] * r->rate[j][i] - (long double)pi[i] * r->rate[i][j];
            all += (long double)pi[i] * r->rate[i][j];
        }
        off += fabsl(net);
    }
    return (double)(off / all);
}

/* Exact comparison, as a double is a rational number. */
static void expect_bounds(double low, const mpq_t exact, double high, double width,
                          const char *what)
{
    mpq_t bound;
    mpq_init(bound);
    mpq_set_d(bound, low);
    cr_expect(mpq_cmp(bound, exact) <= 0, "%s: %.17g is not below %.17g", what, low,
              mpq_get_d(exact));
    mpq_set_d(bound, high);
    cr_expect(mpq_cmp(exact, bound) <= 0, "%s: %.17g is not above %.17g", what, high,
              mpq_get_d(exact));
    cr_expect(high - low <= width * mpq_get_d(exact), "%s: %.17g to %.17g", what, low, high);
    mpq_clear(bound);
}

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
} Handles;

static Handles open_model(const char *text)
{
    Handles h = {0};
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&h.model, "test", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_chain_derive(&h.chain, h.model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_new(&h.steady, h.chain, &err), PEPA_OK, "%s", err.message);
    return h;
}

static void close_model(Handles *h)
{
    pepa_steady_free(h->steady);
    pepa_chain_free(h->chain);
    pepa_model_free(h->model);
}

/* The model's numbers of the states, which the chain finds in another order. */
static void number_states(const PepaChain *chain, int place[STATES])
{
    for (int s = 0; s < STATES; s++) {
        char *text = NULL;
        cr_assert_eq(pepa_chain_state_text(chain, s, &text, NULL), PEPA_OK);
        place[s] = (int)strtol(strchr(text, 'S') + 1, NULL, 10);
        pepa_text_free(text);
    }
}

/* Every throughput, with the vector that the exact one becomes with a thousandth more in one group:
 * it balances, and is wrong. */
static void check(const Rare *r, Handles *h)
{
    const PepaSettings fine = {.solve.tolerance = 1e-13};
    double pi[STATES], by_model[STATES];
    int place[STATES];
    PepaError err = {0};
    number_states(h->chain, place);
    for (int i = 0; i < STATES; i++)
        by_model[i] = mpq_get_d(r->pi[i]) * (i < SIZE ? 1.001 : 1);
    cr_assert_leq(residual(r, by_model), 1e-12);
    for (int s = 0; s < STATES; s++)
        pi[s] = by_model[place[s]];
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++) {
            char action[32];
            double low, high;
            mpq_t exact;
            if (!(r->rate[i][j] > 0))
                continue;
            mpq_init(exact);
            mpq_set_d(exact, r->rate[i][j]);
            mpq_mul(exact, exact, r->pi[i]);
            (void)snprintf(action, sizeof action, "a_%d_%d", i, j);
            cr_assert_eq(pepa_throughput_bounds(h->steady, &fine, pi, action, &low, &high, NULL,
                                                &err),
                         PEPA_OK, "%s", err.message);
            expect_bounds(low, exact, high, 1e-12, action);
            mpq_clear(exact);
        }
}

Test(bounds_exact, where_residuals_hide_errors)
{
    static const double rare[] = {1e-10, 1e-17, 1e-30, 1e-100};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Rare r;
        make(&r, seed, rare[seed % 4]);
        solve_exactly(&r);
        char *text = model_text(&r);
        Handles h = open_model(text);
        check(&r, &h);
        close_model(&h);
        free(text);
        rare_free(&r);
    }
}

/* Apparent rates, shares and minima that are no doubles: a branch at min(r1 + r2 + r3, s) = s, in
 * proportion r1 : r2 : r3, and a way back from each.  With p_i the shares, branch i happens p_i x
 * times per unit of time, and 1 / x = 1 / s + sum p_i / b_i. */
Test(bounds_exact, shares_of_apparent_rates)
{
    static const double rate[] = {0.1, 0.7, 1.3}, back[] = {0.3, 1e-7, 11.1};
    const double s = 1.7;
    char text[600];
    (void)snprintf(text, sizeof text,
                   "P = (go, %.17g).Back1 + (go, %.17g).Back2 + (go, %.17g).Back3;\n"
                   "Back1 = (b1, %.17g).P; Back2 = (b2, %.17g).P; Back3 = (b3, %.17g).P;\n"
                   "Q = (go, %.17g).Q;\nP <go> Q\n",
                   rate[0], rate[1], rate[2], back[0], back[1], back[2], s);
    Handles h = open_model(text);
    PepaError err = {0};
    mpq_t sum, x, part, flow[3];
    mpq_inits(sum, x, part, flow[0], flow[1], flow[2], NULL);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(flow[i], rate[i]);
        mpq_add(sum, sum, flow[i]);
    }
    mpq_set_d(x, s);
    mpq_inv(x, x);
    for (int i = 0; i < 3; i++) {
        mpq_div(flow[i], flow[i], sum);
        mpq_set_d(part, back[i]);
        mpq_div(part, flow[i], part);
        mpq_add(x, x, part);
    }
    double pi[4], low, high;
    cr_assert_eq(pepa_steady_solve(h.steady, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"b1", "b2", "b3"};
        mpq_div(flow[i], flow[i], x);
        cr_assert_eq(pepa_throughput_bounds(h.steady, NULL, pi, names[i], &low, &high, NULL, &err),
                     PEPA_OK, "%s", err.message);
        expect_bounds(low, flow[i], high, 1e-9, names[i]);
        mpq_add(part, part, flow[i]);
    }
    mpq_clears(sum, x, part, flow[0], flow[1], flow[2], NULL);
    close_model(&h);
}
