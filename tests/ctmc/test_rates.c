#include <math.h>
#include <stdlib.h>

#include "ctmc/system/rates.h"
#include "support.h"

static Model *model;
static RateTable rates;
static RateValues now;

static void setup(void)
{
    model = model_of("r = 2; s = 3; w = 5 * infty;\n"
                     "P = (a, r).P + (b, s).P + (c, w).P + (d, r * s).P; Q = (c, 1).Q;\nP <c> Q");
    cr_assert_eq(rates_init(&rates, model, NULL), PEPA_OK);
}

static void teardown(void)
{
    rate_values_free(&now);
    rates_free(&rates);
    model_free(model);
}

TestSuite(rates, .init = setup, .fini = teardown);

static int32_t term_of(const char *action)
{
    for (int32_t i = 0; i < model->activity_count; i++)
        if (strcmp(model->actions[model->activities[i].action], action) == 0)
            return rates_expr(&rates, model->activities[i].expr);
    cr_assert_fail("no activity %s", action);
    return -1;
}

/* Values of the terms that there are when this is first called. */
static PepaStatus set(int32_t rate, double value)
{
    if (!now.term)
        cr_assert_eq(rate_values_new(&now, &rates, NULL), PEPA_OK);
    return rate_values_set(&now, &rates, 1, &rate, &value, NULL);
}

Test(rates, equal_terms_are_one)
{
    int32_t a = term_of("a"), b = term_of("b");
    cr_assert_eq(term_of("a"), a);
    cr_assert_neq(a, b);
    cr_assert_eq(rates_sum(&rates, a, b), rates_sum(&rates, a, b));
    cr_assert_eq(rates_min(&rates, a, b), rates_min(&rates, b, a));
    cr_assert_eq(rates_min(&rates, a, a), a);
    cr_assert_eq(rates_scale(&rates, a, 1), a);
    cr_assert_eq(rates_share(&rates, a, b, b), a, "the whole of it");
    cr_assert_eq(rates_share(&rates, a, b, a), b, "the apparent rate cancels");
}

/* Making a term moves the arrays: it has to come before they are read. */
static double value_of(int32_t term)
{
    return rates.value[term];
}

static bool passive(int32_t term)
{
    return rates.level[term] == LEVEL_PASSIVE;
}

Test(rates, values_follow_the_rules)
{
    int32_t a = term_of("a"), b = term_of("b"), c = term_of("c");
    cr_assert_eq(value_of(a), 2);
    cr_assert_eq(value_of(rates_sum(&rates, a, b)), 5);
    cr_assert_eq(value_of(rates_scale(&rates, b, 7)), 21);
    cr_assert_eq(value_of(rates_min(&rates, a, b)), 2);
    cr_assert_eq(value_of(rates_share(&rates, b, a, rates_sum(&rates, a, b))), 3.0 * (2.0 / 5));
    cr_assert(passive(c) && value_of(c) == 5);
    cr_assert(passive(rates_scale(&rates, c, 2)));
    cr_assert_not(passive(a));
}

Test(rates, a_change_reaches_everything_built_on_it)
{
    int32_t a = term_of("a"), b = term_of("b"), d = term_of("d");
    int32_t sum = rates_sum(&rates, a, b), least = rates_min(&rates, a, b);
    cr_assert_eq(set(0, 10), PEPA_OK);
    cr_assert_eq(now.term[a], 10);
    cr_assert_eq(now.term[sum], 13);
    cr_assert_eq(now.term[least], 3);
    cr_assert_eq(now.term[d], 30);
}

Test(rates, changes_add_up)
{
    int32_t a = term_of("a"), b = term_of("b"), d = term_of("d"), both[] = {0, 1};
    double values[] = {7, 11};
    cr_assert_eq(set(0, 10), PEPA_OK);
    cr_assert_eq(set(1, 4), PEPA_OK);
    cr_assert_eq(now.term[a], 10);
    cr_assert_eq(now.term[b], 4);
    cr_assert_eq(now.term[d], 40);
    cr_assert_eq(rate_values_set(&now, &rates, 2, both, values, NULL), PEPA_OK);
    cr_assert_eq(now.term[d], 77);
}

Test(rates, a_change_that_is_no_rate_changes_nothing)
{
    int32_t a = term_of("a"), d = term_of("d");
    static const double bad[] = {0, -1, INFINITY, NAN, 1e308};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(set(0, i == 4 ? 1e308 * 10 : bad[i]), PEPA_EMODEL);
        cr_assert_eq(now.term[a], 2);
        cr_assert_eq(now.term[d], 6);
        cr_assert_eq(now.rate[0].value, 2);
    }
}

/* Also if no term is built on the rate: only that of 1 is there. */
Test(rates, a_value_that_is_no_number_is_refused)
{
    cr_assert_eq(rates.count, 1);
    cr_assert_eq(set(0, INFINITY), PEPA_EMODEL);
    cr_assert_eq(set(0, NAN), PEPA_EMODEL);
    cr_assert_eq(set(0, 7), PEPA_OK);
    cr_assert_eq(now.rate[0].value, 7);
}

/* x counts P, of which there are none in the second state. */
Test(rates, functional_rates_stay_on_or_off)
{
    Model *other = model_of("x = 2; P = (a, x * P + (x - 2) * Q).Q; Q = (b, 1).P; P[3]");
    RateTable table;
    RateValues at;
    int32_t activity = 0, x = 0;
    int64_t counts[2];
    double value[] = {4, 2};
    while (strcmp(other->actions[other->activities[activity].action], "a") != 0)
        activity++;
    const int32_t expr = other->activities[activity].expr;
    cr_assert_eq(rates_init(&table, other, NULL), PEPA_OK);
    counts[0] = 3, counts[1] = 0;
    int32_t on = rates_functional(&table, expr, counts);
    cr_assert_eq(table.value[on], 6);
    cr_assert_eq(rate_values_new(&at, &table, NULL), PEPA_OK);
    cr_assert_eq(rate_values_set(&at, &table, 1, &x, value, NULL), PEPA_OK);
    cr_assert_eq(at.term[on], 12);
    rate_values_free(&at);
    counts[0] = 0, counts[1] = 3;
    int32_t off = rates_functional(&table, expr, counts);
    cr_assert_eq(table.value[off], 0);
    cr_assert_eq(rate_values_new(&at, &table, NULL), PEPA_OK);
    cr_assert_eq(rate_values_set(&at, &table, 1, &x, value, NULL), PEPA_EARG);
    cr_assert_eq(rate_values_set(&at, &table, 1, &x, value + 1, NULL), PEPA_OK);
    rate_values_free(&at);
    rates_free(&table);
    model_free(other);
}

/* What bounds the rates out of a state is the largest, wherever it was built. */
Test(rates, the_largest_value_is_kept)
{
    (void)term_of("a");
    (void)term_of("d");
    (void)term_of("b");
    cr_assert_eq(rates.largest, 6);
}

Test(rates, one_table_has_many_values)
{
    int32_t a = term_of("a"), d = term_of("d"), rate = 0;
    double other = 100;
    RateValues apart;
    cr_assert_eq(set(0, 10), PEPA_OK);
    cr_assert_eq(rate_values_new(&apart, &rates, NULL), PEPA_OK);
    cr_assert_eq(rate_values_set(&apart, &rates, 1, &rate, &other, NULL), PEPA_OK);
    cr_assert(now.term[a] == 10 && now.term[d] == 30);
    cr_assert(apart.term[a] == 100 && apart.term[d] == 300);
    cr_assert(rates.value[a] == 2 && rates.value[d] == 6);
    rate_values_free(&apart);
}

Test(rates, overflow_is_noticed)
{
    int32_t a = term_of("a"), many = a;
    (void)rates_scale(&rates, a, 1000);
    cr_assert_eq(set(0, 1e306), PEPA_EMODEL);
    for (int i = 0; i < 40 && rates.status == PEPA_OK; i++)
        many = rates_scale(&rates, many, 1 << 30);
    cr_assert_eq(rates.status, PEPA_EMODEL);
    cr_assert(isinf(rates.value[rates.bad]));
}

Test(rates, thousands_of_terms)
{
    int32_t a = term_of("a"), ids[5000];
    for (int32_t i = 0; i < 5000; i++)
        ids[i] = rates_scale(&rates, a, i + 2);
    for (int32_t i = 0; i < 5000; i++) {
        cr_assert_eq(rates_scale(&rates, a, i + 2), ids[i]);
        cr_assert_eq(rates.value[ids[i]], 2.0 * (i + 2));
    }
}

/* ---- slopes -------------------------------------------------------------------------------- */

/* d term / d rate, for r, s and w. */
static void slopes(int32_t term, double *by_rate)
{
    double *scratch = calloc((size_t)model->expr_count, sizeof *scratch);
    double *by_term = calloc((size_t)rates.count, sizeof *by_term);
    int64_t *counts = calloc((size_t)model->local_count, sizeof *counts);
    cr_assert(by_term && scratch && counts);
    RateValues at;
    by_term[term] = 1;
    cr_assert_eq(rate_values_new(&at, &rates, NULL), PEPA_OK);
    rates_gradient(&rates, now.term ? &now : &at, by_term, scratch, counts, by_rate);
    rate_values_free(&at);
    free(scratch);
    free(by_term);
    free(counts);
}

static void expect_slopes(int32_t term, double by_r, double by_s)
{
    double by_rate[3] = {0};
    slopes(term, by_rate);
    cr_expect_float_eq(by_rate[0], by_r, 1e-15, "by r: %g, not %g", by_rate[0], by_r);
    cr_expect_float_eq(by_rate[1], by_s, 1e-15, "by s: %g, not %g", by_rate[1], by_s);
}

/* r = 2, s = 3; d is r s, shared terms add up. */
Test(rates, slopes_follow_the_rules)
{
    int32_t a = term_of("a"), b = term_of("b"), c = term_of("c"), d = term_of("d");
    int32_t sum = rates_sum(&rates, a, b);
    expect_slopes(0, 0, 0);
    expect_slopes(a, 1, 0);
    expect_slopes(c, 0, 0);
    expect_slopes(d, 3, 2);
    expect_slopes(sum, 1, 1);
    expect_slopes(rates_scale(&rates, b, 7), 0, 7);
    expect_slopes(rates_sum(&rates, sum, d), 4, 3);
    expect_slopes(rates_share(&rates, b, a, sum), 3 * 3 / 25.0, 4 / 25.0); /* s r / (r + s) */
}

Test(rates, slopes_of_the_lesser)
{
    int32_t a = term_of("a"), b = term_of("b"), least = rates_min(&rates, a, b);
    expect_slopes(least, 1, 0);
    cr_assert_eq(set(0, 5), PEPA_OK);
    expect_slopes(least, 0, 1);
    cr_assert_eq(set(0, 3), PEPA_OK);
    expect_slopes(least, 0.5, 0.5);
}
