/* Ways to explore, through the public header: what is documented of each, and that no answer
 * depends on it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa.h"

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    cr_assert(p != NULL);
    return p;
}

static PepaModel *parse(const char *text, const PepaDefine *define)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    PepaReading how = {.defines = define, .define_count = define != NULL};
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), &how, &err), PEPA_OK, "%s",
                 err.message);
    return model;
}

static PepaModel *family(const char *what)
{
    static char text[1 << 18];
    char command[256];
    (void)snprintf(command, sizeof command, "awk -f bench/families.awk %s", what);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    cr_assert_eq(pclose(pipe), 0);
    return parse(text, NULL);
}

static PepaSettings settings(PepaExplore explore, int aggregate)
{
    PepaSettings set = pepa_settings_default();
    set.explore = explore;
    set.aggregate = aggregate;
    set.tolerance = 1e-12;
    return set;
}

/* ---- answers ------------------------------------------------------------------------------- */

typedef struct {
    PepaChain *chain;
    PepaChainInfo info;
    PepaInfo how;
    double *pi, *throughput, *share, *population;
} Answer;

static void solve(Answer *a, const PepaSettings *set)
{
    PepaError err = {0};
    cr_assert_eq(pepa_solve_steady(a->chain, set, a->pi, &a->how, &err), PEPA_OK, "%s: %s",
                 pepa_method_name(set->method), err.message);
    cr_assert(a->how.residual <= set->tolerance && a->how.method && a->how.seconds >= 0);
    pepa_throughputs(a->chain, a->pi, a->throughput);
    cr_assert_eq(pepa_utilisations(a->chain, a->pi, a->share, &err), PEPA_OK);
    cr_assert_eq(pepa_populations(a->chain, a->pi, a->population, &err), PEPA_OK);
}

static void derive(Answer *a, const PepaModel *model, const PepaSettings *set)
{
    PepaError err = {0};
    *a = (Answer){0};
    cr_assert_eq(pepa_chain_derive(&a->chain, model, set, &err), PEPA_OK, "%s", err.message);
    a->info = pepa_chain_info(a->chain);
    a->pi = room((size_t)a->info.states, sizeof *a->pi);
    a->throughput = room((size_t)a->info.actions, sizeof *a->throughput);
    a->share = room((size_t)a->info.counts, sizeof *a->share);
    a->population = room((size_t)a->info.local_states, sizeof *a->population);
}

static void answer_free(Answer *a)
{
    pepa_chain_free(a->chain);
    free(a->pi);
    free(a->throughput);
    free(a->share);
    free(a->population);
}

static void expect_near(const double *a, const double *b, int32_t count, const char *what)
{
    for (int32_t i = 0; i < count; i++)
        cr_assert(fabs(a[i] - b[i]) <= 1e-9 * fmax(fabs(b[i]), 1e-3), "%s %d: %.15g, %.15g", what,
                  i, a[i], b[i]);
}

/* Sizes, names and numbers; not the numbers of states. */
static void expect_same(const Answer *a, const Answer *b)
{
    PepaChainInfo got = a->info, want = b->info;
    cr_assert(got.states == want.states && got.transitions == want.transitions);
    cr_assert(got.deadlocks == want.deadlocks && got.bottom_components == want.bottom_components);
    cr_assert(got.actions == want.actions && got.positions == want.positions);
    cr_assert(got.local_states == want.local_states && got.counts == want.counts);
    cr_assert_eq(got.aggregated, want.aggregated);
    for (int32_t i = 0; i < want.actions; i++)
        cr_assert_str_eq(pepa_chain_action_name(a->chain, i), pepa_chain_action_name(b->chain, i));
    for (int32_t i = 0; i < want.local_states; i++)
        cr_assert_str_eq(pepa_chain_local_name(a->chain, i), pepa_chain_local_name(b->chain, i));
    expect_near(a->throughput, b->throughput, want.actions, "throughput");
    expect_near(a->share, b->share, want.counts, "share");
    expect_near(a->population, b->population, want.local_states, "population");
}

static const struct {
    const char *what;
    int aggregate;
} cases[] = {{"pipeline 5", 0}, {"clients 6", 1}, {"clients 4", 0}, {"tandem 8", 0},
             {"kanban 1", 0},   {"kanban 2", 1},  {"polling 6", 0}, {"cluster 3", 1}};
enum { CASES = sizeof cases / sizeof *cases };

Test(explore_ways, same_answers_by_every_method)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings plain = settings(PEPA_EXPLICIT, cases[i].aggregate);
        PepaSettings sets = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer want, got;
        plain.method = PEPA_GTH;
        derive(&want, model, &plain);
        solve(&want, &plain);
        derive(&got, model, &sets);
        cr_assert(got.info.symbolic && !want.info.symbolic);
        for (int method = 0; method < PEPA_METHOD_COUNT; method++) {
            sets.method = (PepaMethod)method;
            solve(&got, &sets);
            cr_assert(method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR ||
                      strcmp(got.how.method, pepa_method_name(sets.method)) == 0);
            expect_same(&got, &want);
        }
        answer_free(&want);
        answer_free(&got);
        pepa_model_free(model);
    }
}

Test(explore_ways, same_bits_by_any_number_of_threads)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings set = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer one, many;
        derive(&one, model, &set);
        solve(&one, &set);
        for (set.threads = 2; set.threads < 10; set.threads += 3) {
            derive(&many, model, &set);
            solve(&many, &set);
            cr_expect_eq(memcmp(one.pi, many.pi, (size_t)one.info.states * sizeof *one.pi), 0);
            cr_expect_eq(one.how.iterations, many.how.iterations);
            answer_free(&many);
        }
        answer_free(&one);
        pepa_model_free(model);
    }
}

/* ---- states -------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The states in words, sorted; checks each one's counts. */
static char **all_states(const Answer *a)
{
    int32_t *counts = room((size_t)a->info.counts, sizeof *counts);
    char **texts = room((size_t)a->info.states, sizeof *texts);
    PepaError err = {0};
    for (int32_t s = 0; s < a->info.states; s++) {
        cr_assert_eq(pepa_chain_state_text(a->chain, s, &texts[s], &err), PEPA_OK);
        cr_assert_eq(pepa_chain_state_counts(a->chain, s, counts, &err), PEPA_OK);
        cr_assert_eq(pepa_chain_bottom(a->chain, s), 0);
        for (int32_t p = 0, at = 0; p < a->info.positions; p++) {
            PepaPosition position = pepa_chain_position(a->chain, p);
            int32_t copies = 0;
            for (int32_t l = 0; l < position.local_count; l++, at++) {
                const char *name = pepa_chain_local_name(a->chain, position.local[l]);
                cr_assert(counts[at] == 0 || strstr(texts[s], name));
                copies += counts[at];
            }
            cr_assert_eq(copies, position.copies);
        }
    }
    qsort(texts, (size_t)a->info.states, sizeof *texts, by_text);
    free(counts);
    return texts;
}

Test(explore_ways, same_states)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings plain = settings(PEPA_EXPLICIT, cases[i].aggregate);
        PepaSettings sets = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer want, got;
        derive(&want, model, &plain);
        derive(&got, model, &sets);
        cr_assert_eq(want.info.states, got.info.states);
        char **a = all_states(&want), **b = all_states(&got);
        for (int32_t s = 0; s < want.info.states; s++) {
            cr_assert_str_eq(a[s], b[s]);
            pepa_text_free(a[s]);
            pepa_text_free(b[s]);
        }
        free(a);
        free(b);
        answer_free(&want);
        answer_free(&got);
        pepa_model_free(model);
    }
}

/* ---- rates --------------------------------------------------------------------------------- */

static const char rated[] = "r = 1; s = 2; n = 3; P = (a, r).Q + (b, s).Q; Q = (c, r + s).R;\n"
                            "R = (d, 1).P; X = (a, min(r, s)).Y; Y = (e, 2 * r).X;\n"
                            "P[n] <a> (X || X || X)";

Test(explore_ways, rates_that_change)
{
    static const double values[] = {5, 1e-3, 2, 1};
    PepaError err = {0};
    PepaModel *model = parse(rated, NULL);
    PepaSettings sets = settings(PEPA_SYMBOLIC, 1), plain = settings(PEPA_EXPLICIT, 1);
    PepaSteady *steady = NULL;
    Answer got, want;
    derive(&got, model, &sets);
    cr_assert_eq(pepa_steady_new(&steady, got.chain, &err), PEPA_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        PepaDefine define = {"r", values[i]};
        PepaModel *other = parse(rated, &define);
        derive(&want, other, &plain);
        solve(&want, &plain);
        cr_assert_eq(pepa_chain_set_rate(got.chain, "r", values[i], &err), PEPA_OK);
        for (sets.warm_start = 0; sets.warm_start < 2; sets.warm_start++) {
            cr_assert_eq(pepa_steady_solve(steady, &sets, got.pi, &got.how, &err), PEPA_OK);
            cr_assert_leq(got.how.residual, sets.tolerance);
            solve(&got, &sets);
            expect_same(&got, &want);
        }
        answer_free(&want);
        pepa_model_free(other);
    }
    cr_expect_eq(pepa_chain_set_rate(got.chain, "n", 4, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_set_rate(got.chain, "r", -1, &err), PEPA_EMODEL);
    sets.warm_start = 0;
    solve(&got, &sets);
    PepaModel *same = parse(rated, NULL);
    derive(&want, same, &plain);
    solve(&want, &plain);
    expect_same(&got, &want); /* what was refused has changed nothing */
    answer_free(&want);
    pepa_model_free(same);
    pepa_steady_free(steady);
    answer_free(&got);
    pepa_model_free(model);
}

/* ---- what is refused ----------------------------------------------------------------------- */

static const char *const unfit[] = {
    "P = (a, 1).Q; Q = (b, 1).P; P",                                           /* one component */
    "P = (a, 1).Q; Q = (b, 1).P; P[9]",                                        /* one of copies */
    "P = (a, Q + 1).Q; Q = (b, 1).P; P || P || P",                             /* rates by states */
    "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).Q; P || P",                        /* left for ever */
    "P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q; R = (d, 1).R; P || P",             /* several ends */
    "P = (a, 1).Q; Q = (b, 1).P; X = (a, 1).Y; Y = (a, 1).X; P <a, b> X || P", /* deadlock */
    "P = (a, T).P; P || P",                                                    /* wrong */
    "P = (a, 1).Q + (a, T).P; Q = (b, 1).P; P || P",                           /* wrong */
};
enum { UNFIT = sizeof unfit / sizeof *unfit };

Test(explore_ways, what_does_not_suit_is_refused)
{
    for (int i = 0; i < UNFIT; i++) {
        PepaModel *model = parse(unfit[i], NULL);
        PepaSettings set = settings(PEPA_SYMBOLIC, 1);
        PepaChain *chain = NULL;
        PepaError err = {0};
        cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_ELIMIT, "%s: %s", unfit[i],
                     err.message);
        cr_expect(!chain && err.code == PEPA_ELIMIT && strstr(err.message, "sets"));
        pepa_model_free(model);
    }
}

Test(explore_ways, what_sets_cannot_tell_is_refused)
{
    PepaModel *model = parse(rated, NULL);
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    PepaSteady *steady = NULL;
    PepaMatrix matrix = {0};
    PepaError err = {0};
    double slope[4];
    char *text = NULL;
    Answer a;
    derive(&a, model, &set);
    solve(&a, &set);
    PepaTransitions t = pepa_chain_transitions(a.chain);
    cr_expect(!t.row && !t.target && !t.narrow && !t.wide && !t.action && !t.rate);
    cr_expect_eq(pepa_chain_generator(a.chain, &matrix, &err), PEPA_EARG);
    cr_expect(!matrix.row && strstr(err.message, "sets"));
    cr_assert_eq(pepa_steady_new(&steady, a.chain, &err), PEPA_OK);
    cr_expect_eq(pepa_steady_sensitivities(steady, &set, a.pi, "a", NULL, slope, NULL, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_chain_state_text(a.chain, a.info.states, &text, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_state_text(a.chain, -1, &text, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_bottom(a.chain, a.info.states), -1);
    set.explore = (PepaExplore)77;
    PepaChain *chain = NULL;
    cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
    pepa_steady_free(steady);
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
    set.max_states = 140000;
    set.diagnose = hear;
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
            PepaModel *model = parse(texts[i].text, NULL);
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
        set.method = methods[m];
        set.max_iter = 3;
        set.tolerance = 1e-15;
        PepaStatus status = pepa_solve_steady(a.chain, &set, a.pi, &info, &err);
        cr_assert_eq(status, PEPA_ENOCONV);
        cr_expect(info.residual > set.tolerance && info.iterations <= 3 && info.method,
                  "%s: residual %g after %d iterations", pepa_method_name(set.method),
                  info.residual, (int)info.iterations);
        cr_expect(strstr(err.message, "not solved to") && strstr(err.message, "residual"), "%s",
                  err.message);
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
                             "S = (e, 2).R + (f, 3e-7).P; X = (g, 1).Y; Y = (h, 1).X; P || X || X",
                             NULL);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaSettings plain = settings(PEPA_EXPLICIT, 1), sets = settings(PEPA_SYMBOLIC, 1);
        Answer want, got;
        derive(&want, model, &plain);
        derive(&got, model, &sets);
        plain.method = sets.method = methods[m];
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
