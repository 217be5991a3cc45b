/* Formulas of CSL where times are long, rates far apart, or states hardly ever left. */
#include "api/formulas.h"

#include "base/mem.h"

/* Far beyond what a step of uniformisation could do: the sequence stands still. */
Test(csl, long_times)
{
    Given g = given(queue, PEPA_EXPLICIT);
    const double all = 1 + 0.5 + 0.25 + 0.125 + 0.0625;
    PepaVerdict v;
    PepaError err = {0};
    cr_assert_eq(ask(&g, "P=? [ F[1e7,1e7] {Q4} ]", NULL, &v, &err), PEPA_OK);
    cr_expect(v.steps < 10000, "%lld", (long long)v.steps);
    cr_expect(fabs(v.value - 0.0625 / all) <= v.error_bound && v.error_bound < 1e-8, "%.17g %g",
              v.value, v.error_bound);
    given_free(&g);
}

/* The chain is stiff: jumps to and fro a million times before it is left, or that often again and
 * again until a time. */
Test(csl, stiff)
{
    Given g = given("A = (a, 1).C + (b, 1e6).B; B = (b, 1e6).A; C = (c, 1).C; A", PEPA_EXPLICIT);
    expect_number(&g, "P=? [ F {C} ]", 1, 0);
    expect_number(&g, "R{reward:{1}}=? [ F {C} ]", 2, 1e-7);
    /* P(T > t) = most exp(-slow t) + (1 - most) exp(-fast t) */
    const double fast = (2e6 + 1 + sqrt((2e6 + 1) * (2e6 + 1) - 4e6)) / 2, slow = 1e6 / fast;
    const double most = (fast - 1) / (fast - slow);
    char text[100];
    for (double t = 0.01; t < 1e7; t *= 10) {
        const double left = most * exp(-slow * t);
        (void)snprintf(text, sizeof text, "P=? [ F<=%g {C} ]", t);
        expect_number(&g, text, 1 - left, 1e-10);
        (void)snprintf(text, sizeof text, "P=? [ G<=%g !{C} ]", t);
        expect_number(&g, text, left, 1e-10);
        (void)snprintf(text, sizeof text, "R{reward:{!C}}=? [ C<=%g ]", t);
        expect_number(&g, text, (most - left) / slow + (1 - most) / fast, 1e-9 * (1 + t));
    }
    given_free(&g);
}

/* Once all states agree, later times have the same answers; what accumulates lacks 0.0749 of the beginning. */
Test(csl, long_after_all_states_agree)
{
    Given g = given(queue, PEPA_EXPLICIT);
    char text[100];
    for (double t = 1e6; t < 1e40; t *= 1e8) {
        (void)snprintf(text, sizeof text, "P=? [ F<=%g {Q4} ]", t);
        expect_number(&g, text, 1, 1e-10);
        (void)snprintf(text, sizeof text, "R{population:Q4}=? [ I=%g ]", t);
        expect_number(&g, text, 1 / 31.0, 1e-10);
        (void)snprintf(text, sizeof text, "R{population:Q4}=? [ C<=%g ]", t);
        expect_number(&g, text, t / 31 - 0.07492196, 2e-10 * t);
    }
    given_free(&g);
    /* Here uniformisation is less work than any series. */
    g = given("A = (a, 1).B; B = (b, 1).A; A", PEPA_EXPLICIT);
    for (double t = 1e5; t < 1e40; t *= 1e8) {
        (void)snprintf(text, sizeof text, "P=? [ F<=%g {B} ]", t);
        expect_number(&g, text, 1, 1e-10);
        (void)snprintf(text, sizeof text, "P=? [ G<=%g {A} ]", t);
        expect_number(&g, text, 0, 1e-10);
    }
    given_free(&g);
}

/* Steps so long that no factors of theirs are right: there is an end of trying. */
Test(csl, stiff_beyond_factors, .timeout = 60)
{
    Given g = given("A = (b, 0.0169).B + (b, 8.03e9).F;\n"
                    "B = (b, 0.0133).G + (c, 6780).A + (a, 4.12e9).C;\n"
                    "C = (a, 4750).B + (c, 0.00454).B + (c, 7830).F + (c, 17700).D;\n"
                    "D = (c, 0.00433).E + (b, 8820).F + (b, 4.94e9).E;\n"
                    "E = (b, 0.00518).F + (b, 5.45e9).D;\n"
                    "F = (e, 5320).C + (a, 8600).G + (b, 2560).G;\n"
                    "G = (b, 0.00755).F + (b, 9.08e9).A; A",
                    PEPA_EXPLICIT);
    PepaVerdict v;
    PepaError err = {0};
    PepaStatus status = ask(&g, "R{population:C}=? [ C<=1e8 ]", NULL, &v, &err);
    cr_expect(status == PEPA_OK || status == PEPA_ENOCONV, "%d: %s", status, err.message);
    given_free(&g);
}

/* Five steps up against a drift down of 10^8 times as fast, 1 in 4 ends well: what takes 10^44 units of time has all its
 * digits, and so has a reward of the last step. */
Test(csl, left_once_in_a_very_long_time)
{
    Given g =
        given("f = 1e-5; r = 1e3; S0 = (up, f).S1; S1 = (up, f).S2 + (down, r).S0;\n"
              "S2 = (up, f).S3 + (down, r).S1; S3 = (up, f).S4 + (down, r).S2;\n"
              "S4 = (up, f).S5 + (down, r).S3; S5 = (win, f).W + (lose, 3 * f).L + (down, r).S4;\n"
              "W = (won, 1).W; L = (lost, 1).L; S0",
              PEPA_EXPLICIT);
    const double f = 1e-5, r = 1e3;
    double step = 1 / f, time = step;
    for (int k = 1; k < 6; k++) {
        const double up = k == 5 ? 4 * f : f;
        step = 1 / up + r / up * step;
        time += step;
    }
    expect_number(&g, "P=? [ F {W} ]", 0.25, 1e-14);
    expect_number(&g, "P=? [ !{S5} U {W} ]", 0, 0);
    expect_number(&g, "S=? [ {L} ]", 0.75, 1e-14);
    expect_number(&g, "R{reward:{1}}=? [ F ({W} | {L}) ]", time, 1e-13 * time);
    expect_number(&g, "R{population:S5}=? [ F ({W} | {L}) ]", 1 / (4 * f), 1e-13 / f);
    expect_number(&g, "R{throughput:win - throughput:lose}=? [ F ({W} | {L}) ]", -0.5, 1e-14);
    expect_verdict(&g, "P>=0.2499999 [ F {W} ]", 1);
    given_free(&g);
}

/* Many states, left after some 10^10 jumps: factors, to which nothing is subtracted, have all digits. */
Test(csl, many_states_that_are_rarely_left)
{
    Given g =
        given("A = (in, 19).A; P = (in, T).Q; Q = (out, 0.023).P; X = (y, 1e-9).Y + (z, 3e-9).Z;\n"
              "Y = (e, 1).Y; Z = (f, 2).Z; (A <in> P[2500]) || X",
              PEPA_EXPLICIT);
    expect_number(&g, "P=? [ true U {Y == 1} ]", 0.25, 1e-14);
    expect_number(&g, "R{reward:{X}}=? [ F {X == 0} ]", 1 / 4e-9, 1e-14 / 4e-9);
    given_free(&g);
}

/* Where neighbours have nearly equal numbers the digits in which they differ count: a queue that is left
 * at both ends, after some 10^12 jumps. */
Test(csl, neighbours_that_hardly_differ)
{
    enum { MOST = 3000 };
    const double in = 1e3, out = 1e3, lose = 1e-6, win = 3e-6;
    Text text = {0};
    text_add(&text, "S0 = (in, %g).S1 + (lose, %g).L; L = (lost, 1).L; W = (won, 1).W;\n", in,
             lose);
    for (int i = 1; i < MOST; i++)
        text_add(&text, "S%d = (in, %g).S%d + (out, %g).S%d;\n", i, in, i + 1, out, i - 1);
    text_add(&text, "S%d = (out, %g).S%d + (win, %g).W; S%d", MOST, out, MOST - 1, win, MOST / 2);
    Given g = given(text.text, PEPA_EXPLICIT);
    /* What flows up is the same everywhere: in x (u[i + 1] - u[i]) = lose x u[0]. */
    const double first = win / (win * (1 + lose / in * MOST) + lose);
    expect_number(&g, "P=? [ F {W} ]", first * (1 + lose / in * (MOST / 2)), 1e-11);
    text_free(&text);
    given_free(&g);
}

/* Of small rewards over a long time, whatever the tolerance is: what a step may be off counts for all of the time. */
Test(csl, accumulated_with_large_tolerances)
{
    Given g = given("P = (go, 40).Q; Q = (back, 60).P + (c, 1e-4).P; P", PEPA_EXPLICIT);
    for (double t = 0.01; t < 1e8; t *= 30)
        for (double tolerance = 1e-3; tolerance > 1e-12; tolerance /= 100) {
            const PepaSettings set = {.solve.tolerance = tolerance};
            const double sum = 100.0001, mean = 40e-4 / sum * (t + expm1(-sum * t) / sum);
            char text[100];
            PepaVerdict v;
            PepaError err;
            (void)snprintf(text, sizeof text, "R{throughput:c}=? [ C<=%.17g ]", t);
            cr_assert_eq(ask(&g, text, &set, &v, &err), PEPA_OK, "%g %g: %s", t, tolerance,
                         err.message);
            cr_expect(fabs(v.value - mean) <= v.error_bound + 1e-14 * mean, "%g %g: %g %g", t,
                      tolerance, v.value - mean, v.error_bound);
            cr_expect_leq(v.error_bound, fmax(tolerance, 1e-6) * fmax(1, t));
        }
    given_free(&g);
}

/* States that stay long, so that potentials have no digits. */
Test(csl, long_run_of_rare_jumps)
{
    Given g = given("S0 = (a, 1e5).S1; S1 = (b, 1).S0 + (c, 1e-12).S2; S2 = (d, 1e-12).S1; S0",
                    PEPA_EXPLICIT);
    const double often = 1 / (2 + 1e-5);
    expect_number(&g, "S=? [ {S2} ]", often, 1e-12);
    expect_number(&g, "S=? [ {S0} ]", 1e-5 * often, 1e-17);
    expect_number(&g, "R{population:S2 - 3 * population:S1}=? [ S ]", -2 * often, 1e-12);
    given_free(&g);
}

/* Too large for elimination: an answer is refined until rounding is all that is left, and what its
 * bound then is, is no reason to fail. */
Test(csl, large_rewards, .timeout = 120)
{
    static const char cube[] = "P = (a, 1).Q; Q = (b, 1.5).P; V = (c, 1).W; W = (d, 1.5).V;\n"
                               "Y = (e, 100).Z; Z = (f, 150).Y; P[35] || V[35] || Y[35]";
    static const char asked[] = "R{reward:{1000}}=? [ F {Q >= 22 && W >= 20 && Z >= 20} ]";
    Given g = given(cube, PEPA_EXPLICIT);
    PepaVerdict v = {0};
    PepaError err = {0};
    cr_assert_eq(ask(&g, asked, NULL, &v, &err), PEPA_OK, "%s", err.message);
    cr_expect(v.value > 1e5 && v.error_bound <= 1e-8 * v.value, "%.17g +- %g", v.value,
              v.error_bound);
    given_free(&g);
}
