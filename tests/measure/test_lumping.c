/* Lumping: groups of weights, against the aggregation of copies, where rates differ by little or by
 * orders of magnitude, and what is refused. */
#include "measure/lumping.h"

#include <math.h>
#include <stdio.h>

#include "lumped.h"
#include "measure/lump_private.h"

/* ---- groups ---------------------------------------------------------------------------------- */

/* The groups that these weights of all states form: their number; group[i] of each. */
static int32_t group(const double *weight, int32_t n, int32_t *block)
{
    Partition p = {0};
    Weighted item[64];
    cr_assert_leq(n, 64);
    cr_assert(partition_init(&p, n));
    for (int32_t i = 0; i < n; i++)
        item[i] = (Weighted){weight[i], i};
    partition_split(&p, 0, item, n);
    const int32_t count = p.count;
    for (int32_t i = 0; i < n; i++) {
        block[i] = p.block[i];
        cr_expect_eq(p.state[p.place[i]], i);
        cr_expect(p.place[i] >= p.first[block[i]] && p.place[i] < p.end[block[i]]);
    }
    partition_free(&p);
    return count;
}

Test(lumping, groups_do_not_drift)
{
    double weight[40];
    int32_t block[40];
    for (int32_t i = 0; i < 40; i++) /* each nearly the next; the ends far apart */
        weight[i] = 1 + 20 * i * DBL_EPSILON;
    int32_t groups = group(weight, 40, block);
    cr_expect_gt(groups, 10);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < i; k++)
            cr_expect(block[i] != block[k] || weights_same(weight[i], weight[k], SAME_WEIGHT));
    for (int32_t i = 0; i < 40; i++)
        weight[i] = 3 + (i % 8) * DBL_EPSILON;
    cr_expect_eq(group(weight, 40, block), 1);
}

Test(lumping, groups_of_all_kinds)
{
    const double weight[] = {0, NAN, -1, 2, NAN, -0.0, HUGE_VAL, -1, 5, HUGE_VAL, -HUGE_VAL, 2, 2};
    enum { N = sizeof weight / sizeof *weight };
    int32_t block[N];
    cr_expect_eq(group(weight, N, block), 7);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            bool same = weight[i] == weight[k] || (isnan(weight[i]) && isnan(weight[k]));
            cr_expect_eq(block[i] == block[k], same, "%g %g", weight[i], weight[k]);
        }
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Values from the lumping, and from the chain itself. */
static void compare_values(const Lumped *l, const Chain *chain, double tolerance)
{
    double pi[4096], value[8], want[8];
    PepaSettings set = settings_for_tests();
    PepaInfo info;
    PepaError err = {0};
    LongRun *run = NULL;
    Expressions *e = NULL;
    set.solve.tolerance = 1e-13;
    cr_assert_leq(chain->state_count, 4096);
    cr_assert_leq(l->query.item_count, 8);
    cr_assert_eq(lumping_solve(l->lumping, &set, pi, value, &info, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_leq(info.residual, 1e-13);
    cr_assert_eq(longrun_new(&run, chain, steady_form(chain), NULL), PEPA_OK);
    cr_assert_eq(longrun_solve(run, &chain->now, &set, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(expressions_new(&e, &l->query, chain, NULL), PEPA_OK);
    cr_assert_eq(expressions_values(e, &chain->now, pi, want, NULL), PEPA_OK);
    for (size_t i = 0; i < l->query.item_count; i++)
        cr_expect_float_eq(value[i], want[i], tolerance * fabs(want[i]), "%s: %.17g want %.17g",
                           l->query.items[i].name, value[i], want[i]);
    expressions_free(e);
    longrun_free(run);
}

static const char machines[] = "n = 9;\n"
                               "Up = (fail, 0.1).Down; Down = (fetch, 3).Open;\n"
                               "Open = (repair, T).Up; Crew = (repair, 2).(rest, 4).Crew;\n"
                               "Up[5] <repair> Crew[2]";
static const char machine_measures[] =
    "throughput:repair\npopulation:Up\nresponse:Down\nprobability:{Open > Down}\n"
    "throughput:fail / population:Up";

Test(lumping, identical_machines)
{
    Derived aggregated = derive(machines, 1);
    Lumped l = lump(machines, 0,
                    "throughput:repair\npopulation:Up\npopulation:Down\n"
                    "population:Crew");
    cr_expect_gt(l.d.chain->state_count, 4 * aggregated.chain->state_count);
    cr_expect_eq(lumping_blocks(l.lumping), aggregated.chain->state_count);
    cr_expect_leq(lumping_spread(l.lumping), SAME_WEIGHT);
    compare_values(&l, l.d.chain, 1e-10);
    derived_free(&aggregated);
    lumped_free(&l);
}

Test(lumping, measures_of_all_kinds)
{
    Lumped l = lump(machines, 1, machine_measures);
    compare_values(&l, l.d.chain, 1e-10);
    lumped_free(&l);
    l = lump(machines, 1, "1 + 1"); /* nothing is told apart */
    cr_expect_eq(lumping_blocks(l.lumping), 1);
    cr_expect_eq(lumping_transitions(l.lumping), 0);
    compare_values(&l, l.d.chain, 0);
    lumped_free(&l);
}

Test(lumping, by_the_measure)
{
    /* A machine counts as broken or not, whichever crew repairs it. */
    static const char text[] = "Up = (fail, 1).West + (fail, 2).East;\n"
                               "West = (west, 5).Up; East = (east, 5).Up; Up";
    Lumped l = lump(text, 1, "population:Up");
    cr_expect_eq(lumping_blocks(l.lumping), 2);
    cr_expect_eq(lumping_transitions(l.lumping), 2);
    compare_values(&l, l.d.chain, 1e-14);
    lumped_free(&l);
    l = lump(text, 1, "throughput:west");
    cr_expect_eq(lumping_blocks(l.lumping), 3);
    compare_values(&l, l.d.chain, 1e-14);
    lumped_free(&l);
}

/* ---- rates that are hardly different, or very ------------------------------------------------ */

static int32_t blocks_of(const char *text, const char *measure, double *spread)
{
    Lumped l = lump(text, 1, measure);
    const int32_t blocks = lumping_blocks(l.lumping);
    *spread = lumping_spread(l.lumping);
    compare_values(&l, l.d.chain, 1e-10);
    lumped_free(&l);
    return blocks;
}

Test(lumping, nearly_equal_rates)
{
    double spread;
    /* 1e-13 of a rate is more than rounding; 1e-15 is not. */
    cr_expect_eq(blocks_of("P = (a, 1).Q + (a, 1).R; Q = (b, 2).P; R = (b, 2.0000000000002).P; P",
                           "population:P", &spread),
                 3);
    cr_expect_eq(spread, 0);
    cr_expect_eq(blocks_of("P = (a, 1).Q + (a, 1).R; Q = (b, 2).P; R = (b, 2.000000000000002).P; P",
                           "population:P", &spread),
                 2);
    cr_expect(spread > 0 && spread < SAME_WEIGHT, "%g", spread);
    /* The same sum in another order. */
    cr_expect_eq(blocks_of("P = (a, 1).Q + (a, 1).R; Q = (b, 0.1).P + (c, 0.2).P + (d, 0.3).P;\n"
                           "R = (b, 0.3).P + (c, 0.2).P + (d, 0.1).P; P",
                           "population:P", &spread),
                 2);
    cr_expect_eq(spread, 0);
}

/* C and D, one block, split A and B first, where the rates into D are lost in those into both; when
 * they fall apart, C is the smaller part. */
Test(lumping, rates_far_apart)
{
    static const char form[] = "S = (s, 1).A + (s, 1).B + (s, 1).D1 + (s, 1).D2 + (s, 1).D3;\n"
                               "A = (f, 1e9).C + (g, 1e-9).D1; B = (f, 1e9).C + (g, %s).D2;\n"
                               "C = (h, 1).E; D1 = (h, 1).F; D2 = (h, 1).F; D3 = (h, 1).F;\n"
                               "E = (h, 1).G; F = (h, 1).H;\n"
                               "G = (h, 1).S; H = (h, 2).S; S";
    static const char measures[] = "population:S\nprobability:{C + D1 + D2 + D3 >= 1}";
    double spread;
    char text[400];
    (void)snprintf(text, sizeof text, form, "2e-9");
    cr_expect_eq(blocks_of(text, measures, &spread), 9); /* D1, D2 and D3 are one */
    (void)snprintf(text, sizeof text, form, "1e-9");
    cr_expect_eq(blocks_of(text, measures, &spread), 8); /* A and B, too */
}

/* ---- several ends ---------------------------------------------------------------------------- */

Test(lumping, ends)
{
    /* Two ends that do the same become one; the third differs. */
    static const char text[] = "P = (a, 1).Q + (a, 2).L + (a, 3).R; Q = (b, 1).P + (b, 4).M;\n"
                               "L = (c, 2).L2; L2 = (c, 3).L; R = (c, 2).R2; R2 = (c, 3).R;\n"
                               "M = (d, 1).M2; M2 = (c, 5).M; P";
    Lumped l = lump(text, 1, "throughput:c\nthroughput:d");
    cr_expect_eq(l.d.chain->bottom_count, 3);
    cr_expect_eq(lumping_blocks(l.lumping), 6);
    cr_expect_eq(lumping_block(l.lumping, l.d.chain->initial), 0);
    compare_values(&l, l.d.chain, 1e-12);
    lumped_free(&l);
    l = lump("P = (a, 1).Q; Q = (b, 1).Stop + (c, 2).P; P", 1, "probability:{deadlock}");
    compare_values(&l, l.d.chain, 1e-14);
    lumped_free(&l);
}

/* ---- the check ------------------------------------------------------------------------------- */

/* A partition that is not lumpable is refused, whoever made it. */
Test(lumping, wrong_partitions)
{
    static const char *const text[] =
        {"P = (a, 1).Q + (a, 2).R; Q = (b, 3).P; R = (b, 3.0000000001).P; P", /* another rate */
         "P = (a, 1).Q + (a, 2).R; Q = (b, 3).P; R = (b, 3).Q; P",            /* one has none */
         "P = (a, 1).Q + (a, 2).R; Q = (b, 3).Q; R = (b, 3).P; P"};           /* the other one */
    for (int i = 0; i < 3; i++) {
        Derived d = derive(text[i], 1);
        Partition p = {0};
        Quotient q = {0};
        Weighted item = {1, 0};
        PepaError err = {0};
        cr_assert_eq(d.chain->state_count, 3);
        cr_assert(partition_init(&p, 3));
        partition_split(&p, 0, &item, 1); /* the initial state, and the two others */
        cr_assert_eq(p.count, 2);
        cr_expect_eq(quotient_new(&q, &p, d.chain, &d.chain->now, 1, &err), PEPA_ELIMIT);
        cr_expect_eq(err.limit, PEPA_LIMIT_MEMORY);
        cr_expect_eq(quotient_new(&q, &p, d.chain, &d.chain->now, 0, &err), PEPA_ENOCONV);
        cr_expect(strstr(err.message, "check of the lumping failed") != NULL, "%s", err.message);
        partition_free(&p);
        derived_free(&d);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static int stop(void *user, const PepaProgress *now)
{
    (void)user;
    return strcmp(now->phase, "lump") == 0;
}

Test(lumping, memory_and_callback)
{
    Lumped l = {.d = derive(machines, 0)};
    lump_derived(&l, "throughput:repair");
    cr_assert_eq(l.status, PEPA_OK);
    PepaSettings set = settings_for_tests();
    Lumping *other = NULL;
    double pi[4096], value[1];
    set.memory = 1000;
    cr_expect_eq(lumping_new(&other, l.d.chain, &l.d.chain->now, l.e, &set, &l.err), PEPA_ELIMIT);
    cr_expect_eq(l.err.limit, PEPA_LIMIT_MEMORY);
    cr_expect_eq(lumping_solve(l.lumping, &set, pi, value, NULL, &l.err), PEPA_ELIMIT);
    set.memory = 0;
    set.progress = stop; /* too small a chain to ask */
    cr_expect_eq(lumping_new(&other, l.d.chain, &l.d.chain->now, l.e, &set, &l.err), PEPA_OK);
    cr_expect_eq(lumping_blocks(other), lumping_blocks(l.lumping));
    lumping_free(other);
    lumped_free(&l);
}
