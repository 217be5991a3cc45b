/* Passages of which rare events, long stays or tiny shares are what counts. */
#include "passages.h"

/* To and fro at rate a until one of the two is left for good at rate f:
 * P(T > t) = most exp(-slow t) + (1 - most) exp(-fast t). */
typedef struct {
    long double slow, fast, most;
} Rare;

static Rare rare(long double a, long double f)
{
    const long double sum = 2 * a + f, fast = (sum + sqrtl(sum * sum - 4 * a * f)) / 2;
    const long double slow = a * f / fast;
    return (Rare){slow, fast, (fast - f) / (fast - slow)};
}

/* To and fro at 1e6 until a rare event: two exponentials.  With so many jumps only series come to the
 * end, and linear equations need to know how rare it is to more digits than chances of jumps have. */
Test(passage_stiff, stiff)
{
    static const double rates[] = {1, 1e-3, 1e-6, 1e-8};
    for (size_t i = 0; i < 4 * sizeof rates / sizeof *rates; i++) {
        const long double a = 1e6L, f = rates[i / 4];
        const Rare r = rare(a, f);
        const long double slow = r.slow, fast = r.fast, most = r.most, rest = 1 - r.most;
        char text[160];
        (void)snprintf(text, sizeof text,
                       "A = (go, 1e6).B + (fail, %g).C; B = (back, 1e6).A; C = (mend, 1).A;\n"
                       "D = (d, 1).E; E = (e, 1).D; A || D[2]",
                       rates[i / 4]);
        Case c;
        open_case(&c, text, i & 2 ? PEPA_SYMBOLIC : PEPA_EXPLICIT, "start", i & 1 ? "fail" : "{C}");
        expect_moments(&c, (double)(2 / f), (double)(4 / (f * f) + 2 / (a * f)));
        for (double t = 1e-7; t < 1e12; t *= 7)
            expect_at(&c, t, (double)(-most * expm1l(-slow * t) - rest * expm1l(-fast * t)),
                      (double)(most * slow * expl(-slow * t) + rest * fast * expl(-fast * t)));
        for (double left = 0.5; left > 1e-3; left /= 10) {
            double t;
            cr_assert_eq(pepa_passage_quantile(c.passage, 1 - left, &t, &c.err), PEPA_OK, "%s",
                         c.err.message);
            cr_expect_float_eq((double)(most * expl(-slow * t)) / left, 1, 1e-8, "%g: %g", left, t);
        }
        cr_expect_leq(pepa_passage_steps(c.passage), 1000 * 1000);
        cr_expect_gt(pepa_passage_solves(c.passage), 10);
        close_case(&c);
    }
}

/* Of a thin tail that series cannot tell, steps may; where they cannot either, there is no answer. */
Test(passage_stiff, stiff_tails)
{
    static const char text[] = "A = (go, %g).B + (fail, 1).C; B = (back, %g).A; C = (mend, 1).A; A";
    static const double fast[] = {1e4, 1e9};
    for (int i = 0; i < 2; i++) {
        char model[120];
        (void)snprintf(model, sizeof model, text, fast[i], fast[i]);
        Case c;
        double t;
        open_case(&c, model, PEPA_EXPLICIT, "start", "fail");
        PepaStatus status = pepa_passage_quantile(c.passage, 1 - 1e-9, &t, &c.err);
        cr_expect_eq(status, i == 0 ? PEPA_OK : PEPA_ENOCONV, "%s", c.err.message);
        const Rare r = rare(1e4, 1);
        if (i == 0)
            cr_expect_float_eq((double)(r.most * expl(-r.slow * t)), 1e-9, 1e-16, "%.12g", t);
        else
            cr_expect(strstr(c.err.message, "the quantile 99.9999999% is right to ") != NULL, "%s",
                      c.err.message);
        close_case(&c);
    }
}

/* Few passages stay very long, and are half of the mean.  Steps up to a time before that do not
 * contradict it. */
Test(passage_stiff, few_stay_long)
{
    Case c;
    open_case(&c, "A = (e, 1).C + (b, 1e-12).B; B = (e, 1e-12).C; C = (z, 1).C; A", PEPA_EXPLICIT,
              "start", "{C}");
    expect_at(&c, 10, 1 - exp(-10), exp(-10));
    expect_moments(&c, 2, 2e12);
    close_case(&c);
}

/* Iterative methods leave a little in the equations of states that few passages come to: either the
 * mean is right all the same, or it is an error. */
Test(passage_stiff, few_stay_long_in_many_states)
{
    enum { STATES = 100 };
    static char text[64 * 1024];
    static const PepaMethod methods[] = {PEPA_AUTO, PEPA_GAUSS_SEIDEL, PEPA_GMRES, PEPA_BICGSTAB};
    const double rate[] = {1, 1e-12};
    size_t at = 0;
    for (int block = 0; block < 2; block++)
        for (int i = 0; i < STATES; i++) {
            const char name = block ? 'T' : 'S';
            at +=
                (size_t)snprintf(text + at, sizeof text - at,
                                 "%c%d = (a, %g).%c%d + (a, %g).%c%d%s%s;\n", name, i, rate[block],
                                 name, (i + 1) % STATES, rate[block], name, (7 * i + 3) % STATES,
                                 i % 7 != 3 ? ""
                                 : block    ? " + (e, 1e-12).Z"
                                            : " + (e, 1).Z",
                                 !block && i % 11 == 5 ? " + (b, 1e-12).T0" : "");
        }
    (void)snprintf(text + at, sizeof text - at, "Z = (z, 1).S0; S0");
    const PepaSettings derive = {.derive.explore = PEPA_EXPLICIT};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaPredicate *to = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&model, "t", text, strlen(text), NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, model, &derive, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_predicate_new(&to, model, "t", "Z", 1, NULL, NULL, &err), PEPA_OK);
    const PepaPassageEnds ends = {.from_start = 1, .to = to};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const PepaSettings set = {.solve.method = methods[i]};
        PepaPassage *p = NULL;
        PepaPassageMoments m = {0};
        cr_assert_eq(pepa_passage_new(&p, chain, NULL, &ends, &set, &err), PEPA_OK);
        PepaStatus status = pepa_passage_moments(p, &m, &err);
        cr_expect(status == PEPA_OK || (i > 0 && status == PEPA_ENOCONV), "%zu: %s", i,
                  err.message);
        if (status == PEPA_OK) /* by elimination in fractions */
            cr_expect_float_eq(m.mean, 10.306096311922577, 1e-8 * m.mean, "%zu: %.17g", i, m.mean);
        pepa_passage_free(p);
    }
    pepa_predicate_free(to);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* Means by elimination in fractions.  What the chances of jumps lack to 1 says little of how rare an
 * end is: the ends themselves do.  In the second model a passage takes some 1e23 jumps. */
Test(passage_stiff, rare_ends)
{
    static const struct {
        const char *text;
        double mean, variance;
    } cases[] = {
        {"A = (e, 3070000).E + (b, 2.89e-6).B; B = (a, 0.624).E;\n"
         "C = (e, 488000).B + (e, 1.44e-6).A + (c, 0.826).D;\n"
         "D = (b, 0.459).B + (a, 9.65e-7).B + (e, 1.27e-6).E;\n"
         "E = (c, 1.7e-6).C + (a, 692000).B + (a, 3.86e-7).D; A",
         0.614091569016793, 801191508020.6768},
        {"A = (a, 3.56e-12).B; B = (b, 0.543).C + (b, 1.05e-12).D;\n"
         "C = (a, 0.779).B + (b, 4.5e-13).D;\n"
         "D = (a, 0.705).C + (c, 6.84e-13).A + (c, 1.88e-12).A + (c, 1.3e-12).A + (e, 3.86e-12).D; "
         "A",
         2.27293013159418e+23, 2.2729301315913707e+23 * 2.2729301315913707e+23},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c;
        open_case(&c, cases[i].text, PEPA_EXPLICIT, "start", "e");
        expect_moments(&c, cases[i].mean, cases[i].variance);
        close_case(&c);
    }
}

/* However few have ended, or are left, to nearly all digits. */
Test(passage_stiff, quantiles_of_tiny_shares)
{
    Case c;
    double t;
    open_case(&c, "P = (a, 3).Q; Q = (b, 2).P; P", PEPA_EXPLICIT, "a", "b");
    for (double share = 1e-300; share < 0.6; share *= 1e4) {
        cr_assert_eq(pepa_passage_quantile(c.passage, share, &t, &c.err), PEPA_OK);
        const double exact = -log1p(-share) / 2;
        cr_expect(fabs(t - exact) <= 1e-10 * exact, "%g: %.12g, not %.12g", share, t, exact);
    }
    for (double left = 0.5; left > 1e-15; left /= 7) {
        const double share = 1 - left, exact = -log(1 - share) / 2;
        cr_assert_eq(pepa_passage_quantile(c.passage, share, &t, &c.err), PEPA_OK);
        cr_expect(fabs(t - exact) <= 1e-10 * exact, "1 - %g: %.12g, not %.12g", left, t, exact);
    }
    close_case(&c);
    /* Three stages of rate 1. */
    open_case(&c, "P = (a, 3).Q; Q = (x, 1).R; R = (y, 1).S; S = (b, 1).P; P", PEPA_EXPLICIT, "a",
              "b");
    for (double share = 1e-200; share < 1e-12; share *= 1e6) {
        cr_assert_eq(pepa_passage_quantile(c.passage, share, &t, &c.err), PEPA_OK);
        double series = 0, term = t * t * t / 6;
        for (int k = 3; k < 40; term *= t / ++k)
            series += term;
        cr_expect(fabs(series * exp(-t) - share) <= 1e-9 * share, "%g: %.12g", share, t);
    }
    close_case(&c);
}

/* Half of them end where they start, up to the rounding of how many do. */
Test(passage_stiff, half_at_once)
{
    Case c;
    double t;
    open_case(&c, "A = (d, 46.51).B + (d, 40.24).B; B = (d, 9.33).A; A", PEPA_EXPLICIT, "d", "{B}");
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.5, &t, NULL), PEPA_OK);
    cr_expect_eq(t, 0);
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.5 + 1e-6, &t, NULL), PEPA_OK);
    cr_expect_float_eq(t, -log(1 - 2e-6) / 86.75, 1e-12);
    close_case(&c);
}

/* It ends where it starts. */
Test(passage_stiff, at_once)
{
    Case c;
    double t;
    open_case(&c, ring, PEPA_EXPLICIT, "go", "{A || B}");
    expect_moments(&c, 0, 0);
    expect_at(&c, 0, 1, 0);
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.9, &t, NULL), PEPA_OK);
    cr_expect_eq(t, 0);
    close_case(&c);
    open_case(&c, "A = (a, 1).A; A", PEPA_EXPLICIT, "start",
              "{A}"); /* where nothing else happens */
    expect_moments(&c, 0, 0);
    expect_at(&c, 1, 1, 0);
    close_case(&c);
}

/* A thin tail of a chain whose steps would take too long: right to 1e-6, where series leave no more, and refused
 * beyond.  The time is hypoexponential: its slow rate of two is 2 a b / (s + sqrt(s^2 - 4 a b)) with a = 1e6, b = 1e-5,
 * s = 2 a + b, and the other one has gone. */
Test(passage_stiff, thin_tails)
{
    Case c;
    double t;
    const double s = 2e6 + 1e-5, slow = 20 / (s + sqrt(s * s - 40));
    open_case(&c, "P = (a, 1e6).Q; Q = (b, 1e6).P + (fail, 1e-5).R; R = (r, 1).P; P", PEPA_EXPLICIT,
              "start", "fail");
    cr_assert_eq(pepa_passage_quantile(c.passage, 1 - 1e-6, &t, &c.err), PEPA_OK, "%s",
                 c.err.message);
    cr_expect_float_eq(t * slow / log(1e6), 1, 1e-6);
    cr_expect_eq(pepa_passage_quantile(c.passage, 1 - 1e-7, &t, &c.err), PEPA_ENOCONV);
    close_case(&c);
}
