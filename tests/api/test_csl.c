/* Formulas of CSL against closed forms, laws, and what is exact. */
#include "api/formulas.h"

#include "base/mem.h"

/* ---- limits of time -------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* An M/M/1 queue with room for 4.  Source: Takacs, Introduction to the Theory of Queues, 1962. */
static double queue_after(double arrival, double service, int most, int from, int to, double t)
{
    const double rho = arrival / service, root = sqrt(rho), states = most + 1;
    double sum = 0, share = (1 - rho) * pow(rho, to) / (1 - pow(rho, states));
    for (int j = 1; j <= most; j++) {
        const double a = j * pi / states;
        const double first = sin(from * a) - root * sin((from + 1) * a);
        const double second = sin(to * a) - root * sin((to + 1) * a);
        sum += first * second / (1 - 2 * root * cos(a) + rho) *
               exp(-(arrival + service) * t + 2 * t * sqrt(arrival * service) * cos(a));
    }
    return share + 2 * pow(root, to - from) / states * sum;
}

Test(csl, queue_at_a_time)
{
    Given g = given(queue, PEPA_EXPLICIT);
    char text[100];
    for (int to = 0; to <= 4; to++)
        for (double t = 0.01; t < 200; t *= 5) {
            (void)snprintf(text, sizeof text, "P=? [ F[%.17g,%.17g] {Q%d} ]", t, t, to);
            expect_number(&g, text, queue_after(1, 2, 4, 0, to, t), 1e-9);
            (void)snprintf(text, sizeof text, "R{population:Q%d}=? [ I=%.17g ]", to, t);
            expect_number(&g, text, queue_after(1, 2, 4, 0, to, t), 1e-9);
        }
    given_free(&g);
}

/* Stages in a row at the same rate: Erlang's distribution. */
static double erlang(int in_a_row, double x)
{
    double term = exp(-x), left = 0;
    for (int k = 0; k < in_a_row; k++, term *= x / k)
        left += term;
    return 1 - left;
}

Test(csl, stages)
{
    Given g = given(stages, PEPA_EXPLICIT);
    const char *names = "ABCDE";
    char text[100];
    for (int k = 1; k <= 4; k++) {
        for (double t = 0.1; t < 30; t *= 3) {
            (void)snprintf(text, sizeof text, "P=? [ F<=%.17g {%c} ]", t, names[k]);
            expect_number(&g, text, erlang(k, 3 * t), 1e-10);
            (void)snprintf(text, sizeof text, "P=? [ G[0,%.17g] !{%c} ]", t, names[k]);
            expect_number(&g, text, 1 - erlang(k, 3 * t), 1e-10);
        }
        (void)snprintf(text, sizeof text, "R{reward:{1}}=? [ F {%c} ]", names[k]);
        expect_number(&g, text, k / 3.0, 1e-12);
        (void)snprintf(text, sizeof text, "R{throughput:{a, b, c, d}}=? [ F {%c} ]", names[k]);
        expect_number(&g, text, k, 1e-12);
    }
    /* E does something for ever: the number of its activities has no end, but no more than that. */
    expect_number(&g, "R{throughput:{a, b, c, d}}=? [ C<=1e4 ]", 4, 1e-6);
    expect_number(&g, "R{throughput:e}=? [ S ]", 3, 1e-12);
    expect_number(&g, "P=? [ {A} U[0.5,1] {B} ]", exp(-1.5) - exp(-3), 1e-9);
    expect_number(&g, "P=? [ X[0.5,1] {B} ]", exp(-1.5) - exp(-3), 1e-13);
    expect_number(&g, "P=? [ ({A} | {B}) U[1,1] {B} ]", 3 * exp(-3), 1e-9);
    given_free(&g);
}

/* ---- no limits of time ----------------------------------------------------------------------- */

/* From 5 of 20, up with probability p. */
Test(csl, ruin)
{
    const double up[] = {1, 2, 1e-3};
    for (size_t k = 0; k < sizeof up / sizeof *up; k++) {
        Text text = {0};
        for (int i = 1; i < 20; i++)
            text_add(&text, "S%d = (up, %g).S%d + (down, 1).S%d;\n", i, up[k], i + 1, i - 1);
        text_add(&text, "S0 = (ruin, 1).S0; S20 = (rich, 1).S20; S5");
        Given g = given(text.text, PEPA_EXPLICIT);
        const double r = 1 / up[k];
        const double rich = r == 1 ? 0.25 : (1 - pow(r, 5)) / (1 - pow(r, 20));
        expect_number(&g, "P=? [ F {S20} ]", rich, 1e-11);
        expect_number(&g, "S=? [ {S20} ]", rich, 1e-11);
        expect_number(&g, "R{throughput:rich - 2 * throughput:ruin}=? [ S ]", rich - 2 * (1 - rich),
                      1e-10);
        expect_number(&g, "R{throughput:up - throughput:down}=? [ F {S0} | {S20} ]", 20 * rich - 5,
                      1e-9);
        if (r == 1)
            expect_number(&g, "R{reward:{1}}=? [ F {S0} | {S20} ]", 5 * 15 / 2.0, 1e-10);
        /* Rich or ruined, in the end, and neither for certain: exactly. */
        expect_verdict(&g, "P>=1 [ F {S0} | {S20} ]", 1);
        expect_verdict(&g, "P>=1 [ F {S0} ] | P>=1 [ F {S20} ] | P<=0 [ F {S20} ]", 0);
        expect_verdict(&g, "S>=1 [ {S0} | {S20} ] & S<1 [ {S0} ] & S>0 [ {S20} ]", 1);
        expect_verdict(&g, "R{reward:{1}}>1e300 [ F {S0} ]", 1);
        text_free(&text);
        given_free(&g);
    }
}

/* The same beside a component that goes round: with little memory there are no factors, and what a
 * solver leaves is added in two parts, the positive and the negative one. */
Test(csl, ruin_within_little_memory)
{
    enum { RICH = 60, ROUND = 60 };
    const double up = 1.1, r = 1 / up, rich = (1 - pow(r, RICH / 2)) / (1 - pow(r, RICH)),
                 gain = RICH * rich - RICH / 2;
    Text text = {0};
    for (int i = 1; i < RICH; i++)
        text_add(&text, "S%d = (up, %g).S%d + (down, 1).S%d;\n", i, up, i + 1, i - 1);
    for (int i = 0; i < ROUND; i++)
        text_add(&text, "B%d = (on, 1.3).B%d + (off, 0.7).B%d;\n", i, (i + 1) % ROUND,
                 (i + ROUND - 1) % ROUND);
    text_add(&text, "S0 = (ruin, 1).S0; S60 = (rich, 1).S60; S30 || B0");
    Given g = given(text.text, PEPA_EXPLICIT);
    for (int64_t memory = 1500000; memory <= 4000000; memory += 500000) {
        const PepaSettings set = {.memory = memory, .solve.tolerance = 1e-13};
        expect_number_by(&g, &set, "P=? [ F {S0} ]", 1 - rich, 1e-13);
        expect_number_by(&g, &set, "R{reward:{1}}=? [ F {S0} | {S60} ]", gain / (up - 1), 5e-11);
        expect_number_by(&g, &set, "R{throughput:up - throughput:down}=? [ F {S0} | {S60} ]", gain,
                         5e-12);
    }
    text_free(&text);
    given_free(&g);
}

/* An interval that begins later: the first formula has to hold until then. */
Test(csl, later)
{
    Given g = given("A = (a, 1).B; B = (b, 1).C + (s, 3).B; C = (c, 1).C; A", PEPA_EXPLICIT);
    expect_verdict(&g, "P<=0 [ {B} U[1,2] {A} ]", 1);
    expect_verdict(&g, "P<=0 [ {A} U[1,1] {B} ] & P>0 [ {A} U[1,2] {B} ]", 1);
    expect_verdict(&g, "P>=1 [ true U[1,2] true ] & P<1 [ {A} U[1,2] {B} ]", 1);
    expect_verdict(&g, "P<=0 [ ({A} | {C}) U[1,1] ({B} | {C}) ]", 1);
    /* The next activity may leave the state as it is. */
    expect_number(&g, "P=? [ F P>0.7 [ X {B} ] ]", 1, 0);
    expect_number(&g, "P=? [ {A} U P<0.3 [ X {C} ] ]", 1, 0);
    expect_number(&g, "P=? [ F P>=1 [ X {C} ] & {B} ]", 0, 0);
    given_free(&g);
    g = given("A = (a, 1).B; B = (b, 1).A; A", PEPA_EXPLICIT);
    expect_verdict(&g, "P<=0 [ {B} U[1,2] {A} ] & P<=0 [ {B} U[1,1] true ]", 1);
    expect_verdict(&g, "P<=0 [ {A} U[1,1] {B} ] & P>0 [ {A} U[1,2] {B} ]", 1);
    given_free(&g);
}

/* What happens at once on the way is no activity that comes next.  A leaves at rate 2, and ends in B for three
 * quarters. */
Test(csl, next_past_immediate_activities)
{
    static const char *const text[] = {"A = (in, 2).V; V = (go, 3 : immediate).B + (stay, "
                                       "immediate).C; B = (x, 1).A; C = (y, 4).A; A",
                                       "A = (in, 2).V; V = (go, 3 : immediate).B + (stay, "
                                       "immediate).C; B = (x, 1).A; C = (y, 4).A; "
                                       "A/{go, stay}"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        Given g = given(text[k], PEPA_EXPLICIT);
        expect_number(&g, "P=? [ X {B} ]", 0.75, 1e-12);
        expect_number(&g, "P=? [ X<=0.5 true ]", -expm1(-1), 1e-12);
        expect_number(&g, "P=? [ X<=0.5 {B} ]", -0.75 * expm1(-1), 1e-12);
        expect_verdict(&g, "P>=0.7 [ X {B} ]", 1);
        given_free(&g);
    }
    /* A loop that takes time, by what happens at once. */
    Given g =
        given("A = (in, 2).V + (out, 1).B; V = (go, immediate).A; B = (x, 1).A; A", PEPA_EXPLICIT);
    expect_number(&g, "P=? [ X {A} ]", 2.0 / 3, 1e-12);
    given_free(&g);
    g = given("A = (in, 2).V; V = (go, immediate).B; B = (go, 1).B + (x, 1).A; A", PEPA_EXPLICIT);
    PepaVerdict v;
    PepaError err = {0};
    cr_expect_eq(ask(&g, "P=? [ X {A} ]", NULL, &v, &err), PEPA_EARG);
    cr_expect(strstr(err.message, "`go` is immediate at one place and not at another") != NULL,
              "%s", err.message);
    given_free(&g);
}

/* ---- the long run ---------------------------------------------------------------------------- */

Test(csl, long_run)
{
    Given g = given(queue, PEPA_EXPLICIT);
    const double all = 1 + 0.5 + 0.25 + 0.125 + 0.0625;
    expect_number(&g, "S=? [ {Q0} ]", 1 / all, 1e-14);
    expect_number(&g, "S=? [ {Q3} | {Q4} ]", 0.1875 / all, 1e-14);
    expect_number(&g, "R{throughput:out}=? [ S ]", 2 * (1 - 1 / all), 1e-13);
    expect_number(&g, "R{1 - 3 * population:Q0}=? [ S ]", 1 - 3 / all, 1e-13);
    expect_verdict(&g, "S>0 [ {Q4} ] & S<1 [ !{Q4} ]", 1);
    expect_number(&g, "S=? [ true ]", 1, 0);
    given_free(&g);
}

/* Two ends, each with a long run of its own, and a deadlock. */
Test(csl, several_ends)
{
    Given g = given("A = (a, 1).U + (b, 2).P + (c, 5).Stop; U = (u, 1).V; V = (v, 3).U;\n"
                    "P = (p, 1).Q; Q = (q, 1).P; A",
                    PEPA_EXPLICIT);
    expect_number(&g, "S=? [ {U} ]", 0.125 * 0.75, 1e-14);
    expect_number(&g, "S=? [ {U} | {Q} ]", 0.125 * 0.75 + 0.25 * 0.5, 1e-13);
    expect_number(&g, "P=? [ F {deadlock} ]", 0.625, 1e-14);
    expect_number(&g, "P=? [ F S>0.7 [ {U} ] ]", 0.125, 1e-14);
    expect_number(&g, "P=? [ X true ]", 1, 0);
    expect_number(&g, "P=? [ F P<=0 [ X true ] ]", 0.625, 1e-14);
    given_free(&g);
}

/* Immediate activities choose where it begins: a number is the mean over that, and a truth that of the mean. */
Test(csl, several_starts)
{
    static const char *const asked[] = {"P=? [ F<=1 {A2} | {B2} ]",
                                        "P=? [ F[0.2,0.9] !{A} ]",
                                        "P=? [ X[0,0.5] {A2} ]",
                                        "P=? [ G<=1 P>0.5 [ F<=1 {B} ] ]",
                                        "S=? [ {A} ]",
                                        "R{population:A + throughput:b}=? [ C<=2 ]",
                                        "R{population:A}=? [ I=0.7 ]",
                                        "R{reward:{1}}=? [ F {A2} | {B2} ]",
                                        "R{throughput:b}=? [ S ]"};
    Given from[3];
    for (int i = 0; i < 3; i++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "S = (i, 1 : immediate).A + (j, 3 : immediate).B; A = (a, 1).A2; "
                       "A2 = (c, 3).A + (x, 0.5).B; B = (b, 2).B2; B2 = (d, 1).B + (y, 0.2).A; %c",
                       "ABS"[i]);
        from[i] = given(text, PEPA_EXPLICIT);
    }
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        expect_number(&from[2], asked[k],
                      number(&from[0], asked[k], 1e-9) / 4 +
                          number(&from[1], asked[k], 1e-9) * 0.75,
                      1e-9);
    expect_number(&from[2], "P=? [ true U ({A} | {B}) ]", 1, 0);
    for (int i = 0; i < 3; i++)
        given_free(&from[i]);
}

Test(csl, truths_of_several_starts)
{
    Given g = given("S = (i, 1 : immediate).A + (j, 3 : immediate).B; A = (a, 1).A2; "
                    "A2 = (c, 3).A; B = (b, 2).B2; B2 = (d, 1).B; S",
                    PEPA_EXPLICIT);
    expect_verdict(&g, "P>=0.2 [ F {A2} ]", 1);
    expect_verdict(&g, "P>=0.3 [ F {A2} ]", 0);
    expect_verdict(&g, "P>=0.2 [ F {A2} ] & !(P>0.8 [ F {B2} ])", 1);
    expect_verdict(&g, "{A} | {B}", 1);
    expect_verdict(&g, "{A} & {B}", 0);
    expect_verdict(&g, "!{A2}", 1);
    PepaVerdict v = {0};
    PepaError err = {0};
    cr_expect_eq(ask(&g, "{A}", NULL, &v, &err), PEPA_EMODEL);
    cr_expect_eq(ask(&g, "{A} & P>=0.2 [ F {A2} ]", NULL, &v, &err), PEPA_EMODEL);
    given_free(&g);
}

/* ---- laws ------------------------------------------------------------------------------------ */

Test(csl, duality)
{
    Given g = given(queue, PEPA_EXPLICIT);
    static const char *const within[] = {"", "<=0.7", "[0.5,2]", "[0,3]"};
    char text[100];
    for (size_t k = 0; k < 4; k++) {
        (void)snprintf(text, sizeof text, "P=? [ F%s {Q3} ]", within[k]);
        const double some = number(&g, text, 1e-9);
        (void)snprintf(text, sizeof text, "P=? [ G%s !{Q3} ]", within[k]);
        const double none = number(&g, text, 1e-9);
        cr_expect(fabs(some + none - 1) <= 1e-9, "%s: %.17g %.17g", within[k], some, none);
        (void)snprintf(text, sizeof text, "P=? [ true U%s {Q3} ]", within[k]);
        cr_expect_eq(number(&g, text, 1e-9), some);
    }
    given_free(&g);
}

/* What begins in 0 .. 2 begins in 0 .. 1, or not before and then. */
Test(csl, intervals)
{
    Given g = given(stages, PEPA_EXPLICIT);
    expect_number(&g, "P=? [ F<=2 {C} ]",
                  number(&g, "P=? [ F<=1 {C} ]", 1e-9) +
                      number(&g, "P=? [ ({A} | {B}) U[1,2] {C} ]", 1e-9),
                  1e-9);
    expect_number(&g, "P=? [ F[0,0] {A} ]", 1, 0);
    expect_number(&g, "P=? [ F<=0 {B} ]", 0, 0);
    expect_number(&g, "R{population:A}=? [ C<=0 ]", 0, 1e-15);
    given_free(&g);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static const char copies[] = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 4).P;\n"
                             "S = (a, T).T2; T2 = (d, 3).S; (P[4] <a> S[2]) / {d}";

Test(csl, sets)
{
    Given rows = given(copies, PEPA_EXPLICIT), sets = given(copies, PEPA_SYMBOLIC);
    static const char *const asked[] = {"P=? [ F<=2 {Q + R == 4} ]",
                                        "P=? [ {P >= 2} U {R >= 2} ]",
                                        "S=? [ {T2 == 2} ]",
                                        "R{throughput:c}=? [ C<=3 ]",
                                        "R{throughput:tau}=? [ F {R >= 3} ]",
                                        "P=? [ X {Q} ]",
                                        "P=? [ G<=1 P>=0.2 [ F<=0.5 {R} ] ]"};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        expect_number(&sets, asked[k], number(&rows, asked[k], 1e-8), 1e-8);
    given_free(&rows);
    given_free(&sets);
}

/* The rates that a formula is checked at are the chain's present ones. */
Test(csl, present_rates)
{
    Given g = given("r = 1; A = (a, r).B; B = (b, 1).B; A", PEPA_EXPLICIT);
    expect_number(&g, "P=? [ F<=1 {B} ]", 1 - exp(-1), 1e-10);
    cr_assert_eq(pepa_chain_set_rate(g.chain, "r", 4, NULL), PEPA_OK);
    expect_number(&g, "P=? [ F<=1 {B} ]", 1 - exp(-4), 1e-10);
    given_free(&g);
}
