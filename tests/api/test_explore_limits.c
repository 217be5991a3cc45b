/* Ways to explore, through the public header: what each is not for, how that is told, and what is
 * chosen where the choice is left open. */
#include "ways.h"

#include <stdio.h>

/* ---- what is refused ----------------------------------------------------------------------- */

static const char *const unfit[] = {
    "P = (a, 1).Q; Q = (b, 1).P; P",                 /* one component */
    "P = (a, 1).Q; Q = (b, 1).P; P[9]",              /* one of copies */
    "P = (a, Q + 1).Q; Q = (b, 1).P; P || P || P",   /* rates by states */
    "P = (a, T).P; P || P",                          /* wrong */
    "P = (a, 1).Q + (a, T).P; Q = (b, 1).P; P || P", /* wrong */
};
enum { UNFIT = sizeof unfit / sizeof *unfit };

Test(explore_ways, what_does_not_suit_is_refused)
{
    for (int i = 0; i < UNFIT; i++) {
        PepaModel *model = parse(unfit[i]);
        PepaSettings set = settings(PEPA_SYMBOLIC, 1);
        PepaChain *chain = NULL;
        PepaError err = {0};
        cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_ELIMIT, "%s: %s", unfit[i],
                     err.message);
        cr_expect(!chain && err.code == PEPA_ELIMIT && strstr(err.message, "sets"));
        pepa_model_free(model);
    }
}

/* What is wrong ends the search while very many states wait, but fewer than several threads share. */
Test(explore_ways, a_fault_while_many_states_wait)
{
    PepaModel *model =
        parse("S = (s, 1).T; T = (s, 1).U; U = (s, 1).S; R = (a, 2).Q; Q = (c, T).R;\n"
              "R || S || S || S || S || S || S || S");
    for (int threads = 1; threads <= 4; threads++) {
        PepaSettings set = settings(PEPA_EXPLICIT, 0);
        PepaChain *chain = NULL;
        PepaError err = {0};
        set.threads = threads;
        cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EMODEL);
        cr_expect_not_null(strstr(err.message, "drive"), "%s", err.message);
    }
    pepa_model_free(model);
}

/* ---- states that are left for ever ---------------------------------------------------------- */

static const struct {
    const char *text;
    int32_t deadlocks, ends; /* without aggregation, counted by hand */
} left[] = {
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).Q; P || P", 0, 1},
    /* each of two ends in Q or in R */
    {"P = (a, 1).Q + (b, 3).R; Q = (c, 1).Q; R = (d, 1).R; P || P", 0, 4},
    /* one of the ends has two states */
    {"P = (a, 2).Q + (b, 3).R; Q = (c, 1).Q; R = (d, 1).S; S = (e, 2).R; P || P", 0, 4},
    {"P = (a, 1).Q; Q = (b, 1).Stop; P || P", 1, 1},
    {"P = (a, 1).Q + (b, 2).Stop; Q = (c, 1).Q; P || P", 1, 4},
    /* counted copies: the initial state is not the first one */
    {"P = (a, 1).Q + (b, 3).R; Q = (c, 1).Q; R = (d, 1).R; P[2] || P", 0, 8},
    /* two events make the same transition, whose rates are added up */
    {"P = (a, 1).Q; Q = (a, 2).Q + (a, 3).R; R = (b, 1).Q; P || (P <b> P)", 0, 1},
};

static const char *state_text(const Answer *a, int64_t state)
{
    static char text[200];
    char *found = NULL;
    cr_assert_eq(pepa_chain_state_text(a->chain, state, &found, NULL), PEPA_OK);
    (void)snprintf(text, sizeof text, "%s", found);
    pepa_text_free(found);
    return text;
}

/* The state of b that is state s of a. */
static int64_t same_state(const Answer *a, int64_t s, const Answer *b)
{
    char text[200];
    int64_t t = 0;
    (void)snprintf(text, sizeof text, "%s", state_text(a, s));
    while (t < b->info.states && strcmp(text, state_text(b, t)) != 0)
        t++;
    cr_assert_lt(t, b->info.states, "%s", text);
    return t;
}

/* Transitions by source, ascending and distinct in (action, target): of a, those of b. */
static void expect_same_transitions(const Answer *a, const Answer *b)
{
    PepaTransitions x, y;
    cr_assert_eq(pepa_chain_transitions(a->chain, &x, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_transitions(b->chain, &y, NULL), PEPA_OK);
    cr_assert_eq(x.row[a->info.states], a->info.transitions);
    for (int64_t s = 0; s < a->info.states; s++) {
        const int64_t t = same_state(a, s, b);
        cr_assert_eq(x.row[s + 1] - x.row[s], y.row[t + 1] - y.row[t]);
        for (int64_t k = x.row[s]; k < x.row[s + 1]; k++) {
            const int64_t to = same_state(a, x.target[k], b);
            const int32_t action = pepa_transition_action(&x, k);
            int64_t m = y.row[t];
            while (m < y.row[t + 1] &&
                   (y.target[m] != to || pepa_transition_action(&y, m) != action))
                m++;
            cr_assert_lt(m, y.row[t + 1], "%s", state_text(a, s));
            double rate = pepa_transition_rate(&x, k), want = pepa_transition_rate(&y, m);
            cr_expect(fabs(rate - want) <= 1e-15 * want, "%.17g, %.17g", rate, want);
            cr_expect(
                k == x.row[s] || pepa_transition_action(&x, k - 1) < action ||
                (pepa_transition_action(&x, k - 1) == action && x.target[k - 1] < x.target[k]));
        }
    }
}

Test(explore_ways, sets_may_be_left_for_ever)
{
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        for (int aggregate = 0; aggregate < 2; aggregate++) {
            PepaModel *model = parse(left[i].text);
            PepaSettings plain = settings(PEPA_EXPLICIT, aggregate), sets = plain;
            PepaError err = {0};
            sets.derive.explore = PEPA_SYMBOLIC;
            Answer want, got;
            derive(&want, model, &plain);
            solve(&want, &plain);
            derive(&got, model, &sets);
            cr_assert(got.info.symbolic && !want.info.symbolic);
            cr_expect_eq(got.info.deadlocks, left[i].deadlocks, "%s", left[i].text);
            cr_expect_eq(got.info.bottom_components, want.info.bottom_components);
            cr_expect(aggregate || got.info.bottom_components == left[i].ends, "%s: %d",
                      left[i].text, got.info.bottom_components);
            expect_same_transitions(&got, &want);
            for (int method = 0; method < PEPA_METHOD_COUNT; method++) {
                sets.solve.method = (PepaMethod)method;
                solve(&got, &sets);
                expect_same(&got, &want);
            }
            for (int64_t s = 0; s < got.info.states; s++) {
                int64_t t = same_state(&got, s, &want);
                cr_expect(fabs(got.pi[s] - want.pi[t]) <= 1e-12);
                cr_expect_eq(pepa_chain_bottom(got.chain, s) < 0,
                             pepa_chain_bottom(want.chain, t) < 0);
            }
            sets.solve.method = PEPA_AUTO;
            sets.solve.matrix = PEPA_MATRIX_FREE;
            cr_expect_eq(pepa_solve_steady(got.chain, &sets, got.pi, NULL, &err), PEPA_EARG);
            cr_expect(err.limit == PEPA_LIMIT_MATRIX && strstr(err.message, "left for ever"));
            answer_free(&got);
            answer_free(&want);
            pepa_model_free(model);
        }
}

/* The generator and the derivatives are those of the chain explored one by one. */
Test(explore_ways, sets_tell_what_rows_tell)
{
    static const PepaExplore ways[] = {PEPA_EXPLICIT, PEPA_SYMBOLIC};
    PepaModel *model = parse(rated);
    double slope[2][8], off = 0, rows = 0;
    int64_t entries[2];
    cr_assert_leq(pepa_model_rate_count(model), 8);
    for (int k = 0; k < 2; k++) {
        PepaSettings set = settings(ways[k], 1);
        PepaSteady *steady = NULL;
        PepaMatrix q = {0};
        Answer a;
        derive(&a, model, &set);
        solve(&a, &set);
        cr_assert_eq(pepa_steady_new(&steady, a.chain, NULL), PEPA_OK);
        cr_assert_eq(pepa_steady_sensitivities(steady, &set, a.pi, "a", NULL, slope[k], NULL, NULL),
                     PEPA_OK);
        cr_assert_eq(pepa_chain_generator(a.chain, &q, NULL), PEPA_OK);
        double *balance = calloc((size_t)q.n, sizeof *balance);
        cr_assert(balance != NULL);
        for (int32_t i = 0; i < q.n; i++) {
            double sum = 0;
            for (int64_t e = q.row[i]; e < q.row[i + 1]; e++) {
                balance[q.col[e]] += a.pi[i] * q.val[e];
                sum += q.val[e];
                cr_expect(e == q.row[i] || q.col[e] > q.col[e - 1]);
            }
            rows = fmax(rows, fabs(sum));
        }
        for (int32_t i = 0; i < q.n; i++)
            off = fmax(off, fabs(balance[i]));
        entries[k] = q.row[q.n];
        free(balance);
        pepa_matrix_free(&q);
        pepa_steady_free(steady);
        answer_free(&a);
    }
    cr_expect_eq(entries[0], entries[1]);
    cr_expect(rows < 1e-12 && off < 1e-10, "%g, %g", rows, off);
    for (int32_t r = 0; r < pepa_model_rate_count(model); r++)
        cr_expect((isnan(slope[0][r]) && isnan(slope[1][r])) ||
                      fabs(slope[0][r] - slope[1][r]) <= 1e-8,
                  "rate %d: %.17g, %.17g", r, slope[0][r], slope[1][r]);
    pepa_model_free(model);
}

Test(explore_ways, what_sets_cannot_tell_is_refused)
{
    PepaModel *model = parse(rated);
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    PepaError err = {0};
    char *text = NULL;
    Answer a;
    derive(&a, model, &set);
    solve(&a, &set);
    PepaTransitions t = {0};
    cr_expect_eq(pepa_chain_transitions(a.chain, &t, &err), PEPA_EARG);
    cr_expect(!t.row && err.limit == PEPA_LIMIT_EXPLORE && strstr(err.message, "sets"));
    cr_expect_eq(pepa_chain_state_text(a.chain, a.info.states, &text, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_state_text(a.chain, -1, &text, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_bottom(a.chain, a.info.states), -1);
    set.derive.explore = (PepaExplore)77;
    PepaChain *chain = NULL;
    cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
    answer_free(&a);
    pepa_model_free(model);
}

/* ---- left to itself ------------------------------------------------------------------------ */

typedef struct {
    size_t length;
    char text[1 << 14];
} Heard;

static void hear(void *user, const PepaDiagnostic *each)
{
    Heard *heard = user;
    int more = snprintf(heard->text + heard->length, sizeof heard->text - heard->length,
                        "%d %u:%u %s\n%s\n", (int)each->severity, each->line, each->column,
                        each->message, each->excerpt ? each->excerpt : "");
    heard->length += more > 0 ? (size_t)more : 0;
    cr_assert_lt(heard->length, sizeof heard->text);
}

/* What exploration says, and how it ends. */
static PepaStatus listen(const PepaModel *model, PepaExplore explore, int aggregate, Heard *heard,
                         PepaError *err, int *symbolic)
{
    PepaSettings set = settings(explore, aggregate);
    PepaChain *chain = NULL;
    *heard = (Heard){0};
    *err = (PepaError){0};
    set.derive.max_states = 140000;
    set.derive.diagnose = hear;
    set.user = heard;
    PepaStatus status = pepa_chain_derive(&chain, model, &set, err);
    *symbolic = chain && pepa_chain_info(chain).symbolic;
    pepa_chain_free(chain);
    return status;
}

/* Sixteen and more components, so that sets are tried first. */
Test(explore_ways, auto_says_what_is_said_one_by_one)
{
#define FOUR(x)    x " || " x " || " x " || " x
#define SIXTEEN(x) FOUR(x) " || " FOUR(x) " || " FOUR(x) " || " FOUR(x)
    static const struct {
        const char *text;
        int symbolic;
    } texts[] = {
        /* right ones, with something to remark */
        {"P = (a, 1).P + (b, 1).Q; Q = (b, 1).P + (c, 1).Q; " SIXTEEN("P"), 1},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V + (d, T).W; V = (c, 1).U; W = (c, 1).U;\n"
         "X = (e, 1).X; (U <d> X) || " SIXTEEN("P"),
         1},
        /* what only states can show */
        {"P = (a, 1).Q; Q = (b, T).P; " SIXTEEN("P"), 0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V; V = (d, 1).W; W = (e, T).U + (f, T).U;\n"
         "U || " SIXTEEN("P"),
         0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V; V = (d, 1).U + (d, T).U;\n" SIXTEEN(
             "P") " || U",
         0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V; V = (a, T).U; X = (a, 2).X;\n"
         "(U || " SIXTEEN("P") ") <a> X",
         0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V; V = (d, 1e308).U + (d, 1e308).V;\n"
         "U || " SIXTEEN("P"),
         0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, P - 15.5).U + (d, 1).V; V = (d, 1).U;\n"
         "U || " SIXTEEN("P"),
         0},
        /* left for ever, stuck, several ends */
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V; V = (d, 1).W; W = (e, 1).V;\n"
         "U || " SIXTEEN("P"),
         0},
        {"P = (a, 1).Q; Q = (b, 1).Stop; " SIXTEEN("P"), 0},
        {"P = (a, 1).Q; Q = (b, 1).P; U = (c, 1).V + (c, 1).W; V = (d, 1).V; W = (d, 1).W;\n"
         "U || " SIXTEEN("P"),
         0},
        /* more states than may be */
        {"P = (a, 1).Q; Q = (b, 1).P; P || P || " SIXTEEN("P"), 0},
    };
    static Heard one, other;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int aggregate = 0; aggregate < 2; aggregate++) {
            PepaModel *model = parse(texts[i].text);
            PepaError a, b;
            int plain, symbolic;
            PepaStatus want = listen(model, PEPA_EXPLICIT, aggregate, &one, &a, &plain);
            PepaStatus got = listen(model, PEPA_EXPLORE_AUTO, aggregate, &other, &b, &symbolic);
            cr_expect_eq(got, want, "%s: %s, %s", texts[i].text, a.message, b.message);
            cr_expect_str_eq(b.message, a.message);
            cr_expect(a.line == b.line && a.column == b.column);
            cr_expect_str_eq(other.text, one.text, "%s: %s\nand not %s", texts[i].text, other.text,
                             one.text);
            cr_expect(!plain && symbolic == texts[i].symbolic, "%s: %d", texts[i].text, symbolic);
            pepa_model_free(model);
        }
}

/* Few states are explored one by one, whatever they are. */
Test(explore_ways, auto_leaves_few_states)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings set = settings(PEPA_EXPLORE_AUTO, cases[i].aggregate);
        Answer a;
        derive(&a, model, &set);
        cr_expect(!a.info.symbolic && a.info.states < 20000);
        answer_free(&a);
        pepa_model_free(model);
    }
}

/* Sets that stand for hardly more than one state each are left for exploring one by one. */
Test(explore_ways, auto_leaves_sets_that_do_not_share)
{
    static const char text[] =
        "Think = (ask, 1).Wait; Wait = (get, T).Read; Read = (see, 2).Think;\n"
        "Server = (get, 60).Server; Think[240] <get> Server";
    PepaModel *model = parse(text);
    const PepaExplore ways[] = {PEPA_EXPLORE_AUTO, PEPA_SYMBOLIC};
    Answer a[2];
    for (int k = 0; k < 2; k++) {
        PepaSettings set = settings(ways[k], 1);
        derive(&a[k], model, &set);
        cr_expect_eq(a[k].info.symbolic, k);
        cr_expect_eq(a[k].info.states, 242 * 241 / 2);
        cr_expect_eq(a[k].info.transitions, 3 * 241 * 240 / 2);
    }
    for (int k = 0; k < 2; k++)
        answer_free(&a[k]);
    pepa_model_free(model);
}

/* ---- no answer, and doubtful ones ----------------------------------------------------------- */

Test(explore_ways, no_answer)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_POWER, PEPA_BICGSTAB};
    PepaModel *model = family("kanban 2");
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaSettings set = settings(PEPA_SYMBOLIC, 1);
        PepaInfo info = {0};
        PepaError err = {0};
        Answer a;
        derive(&a, model, &set);
        set.solve.method = methods[m];
        set.solve.max_iter = 3;
        set.solve.tolerance = 1e-15;
        PepaStatus status = pepa_solve_steady(a.chain, &set, a.pi, &info, &err);
        cr_assert_eq(status, PEPA_ENOCONV);
        cr_expect(info.residual > set.solve.tolerance && info.iterations <= 3 && info.method,
                  "%s: residual %g after %d iterations", pepa_method_name(set.solve.method),
                  info.residual, (int)info.iterations);
        cr_expect(strstr(err.message, "not solved to the tolerance ") &&
                      strstr(err.message, "iterations at residual "),
                  "%s", err.message);
        answer_free(&a);
    }
    pepa_model_free(model);
}

/* Two groups of states that are hardly ever left: every method but elimination is doubted,
 * whichever way the states were found. */
Test(explore_ways, groups_of_states_are_noticed)
{
    static const PepaMethod methods[] = {PEPA_AUTO, PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_BICGSTAB,
                                         PEPA_GTH};
    PepaModel *model = parse("P = (a, 1).Q + (c, 1e-7).R; Q = (b, 2).P; R = (d, 1).S;\n"
                             "S = (e, 2).R + (f, 3e-7).P; X = (g, 1).Y; Y = (h, 1).X; P || X || X");
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaSettings plain = settings(PEPA_EXPLICIT, 1), sets = settings(PEPA_SYMBOLIC, 1);
        Answer want, got;
        derive(&want, model, &plain);
        derive(&got, model, &sets);
        plain.solve.method = sets.solve.method = methods[m];
        PepaStatus a = pepa_solve_steady(want.chain, &plain, want.pi, &want.how, NULL);
        PepaStatus b = pepa_solve_steady(got.chain, &sets, got.pi, &got.how, NULL);
        cr_expect(methods[m] != PEPA_AUTO || (a == PEPA_OK && b == PEPA_OK));
        if (a == PEPA_OK && b == PEPA_OK)
            cr_expect_eq(got.how.caution[0] != 0, want.how.caution[0] != 0, "%s (%s): `%s`, `%s`",
                         pepa_method_name(methods[m]), got.how.method, got.how.caution,
                         want.how.caution);
        answer_free(&want);
        answer_free(&got);
    }
    pepa_model_free(model);
}
