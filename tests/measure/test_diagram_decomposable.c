/* Whether rare jumps alone join groups of states: what the sets say is right, and mostly enough. */
#include "measure/blocks_build.h"

#include "diagram_measures.h"
#include "families.h"
#include "solvers/internal.h"

typedef struct {
    RareJumps jumps;  /* as the sets say */
    bool apart, rare; /* as the matrix by rows says */
} Said;

static Said ask(const Twice *t)
{
    Said said;
    PepaError err;
    Blocks blocks;
    FlowOwner rows;
    cr_assert_eq(blocks_build(&blocks, t->diagram, t->as_sets.now.term, &err), PEPA_OK);
    cr_assert_eq(flow_from_blocks(&rows, PEPA_MATRIX_EXPLICIT, &(Control){0}, &blocks, &err),
                 PEPA_OK);
    cr_assert_eq(diagram_rare_jumps(t->diagram, t->as_sets.now.term, &blocks, &said.jumps, &err),
                 PEPA_OK);
    Flow view = flow_view(&rows, NULL);
    said.apart = flow_nearly_decomposable(&view);
    said.rare = false;
    for (int64_t k = 0; k < view.row[view.n]; k++)
        said.rare = said.rare || flow_val(&view, k) < RARE_JUMP;
    flow_free(&rows);
    blocks_free(&blocks);
    return said;
}

static const int32_t sizes[] = {2, 8, 64, DIAGRAM_LOWER};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* No chain is said to hold together that falls apart, or to have no rare jumps if it has. */
static int expect_no_lies(const char *name, const Model *model)
{
    int asked = 0;
    for (int aggregate = 0; aggregate < 2; aggregate++)
        for (int i = 0; i < SIZES; i++) {
            Twice t;
            twice_new(&t, model, aggregate, sizes[i], 20000);
            if (twice_fits(&t)) {
                Said said = ask(&t);
                cr_expect(said.jumps == RARE_BETWEEN || !said.apart, "%s, %d, %d", name, aggregate,
                          sizes[i]);
                cr_expect(said.jumps != NO_RARE_JUMPS || !said.rare, "%s, %d, %d", name, aggregate,
                          sizes[i]);
                asked++;
            }
            twice_free(&t);
        }
    return asked;
}

Test(diagram_decomposable, all_models_of_the_collection)
{
    cr_assert_gt(sum_over_collection(expect_no_lies), 100);
}

/* Whatever the rates: a tenth of them is rare. */
Test(diagram_decomposable, random_rates)
{
    static const char *const texts[] = {
        "P = (a, r0).Q + (b, r1).R; Q = (c, r2).P; R = (d, r3).P + (e, r4).Q;\n"
        "X = (a, T).Y + (f, r5).Z; Y = (g, r6).X + (h, r7).Z; Z = (k, r8).X; P[3] <a> X[2]",
        "P = (a, r0).Q + (b, r1).R; Q = (c, r2).P; R = (d, r3).P + (e, r4).Q;\n"
        "X = (f, r5).Y + (g, r6).Z; Y = (h, r7).X; Z = (k, r8).X; P || X || P || X",
    };
    int together = 0, apart = 0;
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        char text[1024];
        int length = 0;
        for (int r = 0; r < 9; r++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double rate = (random >> 33) % 10 < 3 ? 1e-6 : 1 + (double)((random >> 40) % 7);
            length += snprintf(text + length, sizeof text - (size_t)length, "r%d = %g; ", r, rate);
        }
        (void)snprintf(text + length, sizeof text - (size_t)length, "%s", texts[round % 2]);
        Model *model = model_of(text);
        Twice t;
        twice_new(&t, model, round % 3 == 0, round % 5 ? 9 : 30, 20000);
        cr_assert(twice_fits(&t), "%s", text);
        Said said = ask(&t);
        cr_expect(said.jumps == RARE_BETWEEN || !said.apart, "%s", text);
        cr_expect(said.jumps != NO_RARE_JUMPS || !said.rare, "%s", text);
        together += said.jumps != RARE_BETWEEN;
        apart += said.apart;
        twice_free(&t);
        model_free(model);
    }
    cr_expect(together > 50 && apart > 20, "%d together, %d apart", together, apart);
}

/* lower: joint states of the last slots, at most. */
static void expect_said(const char *text, int32_t lower, RareJumps jumps, bool apart)
{
    Model *model = model_of(text);
    Twice t;
    twice_new(&t, model, 1, lower, 1000);
    cr_assert(twice_fits(&t), "%s", text);
    Said said = ask(&t);
    cr_expect_eq(said.jumps, jumps, "%s", text);
    cr_expect_eq(said.apart, apart, "%s", text);
    twice_free(&t);
    model_free(model);
}

Test(diagram_decomposable, told_apart)
{
    static const struct {
        const char *text;
        RareJumps jumps;
        bool apart;
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 2).P; X = (c, 3).Y; Y = (d, 1).X; P || X", NO_RARE_JUMPS, false},
        /* rare failures, repaired soon or as rarely */
        {"P = (a, 1e-6).Q; Q = (b, 2).P; X = (c, 3).Y; Y = (d, 1).X; P || X", RARE_WITHIN, false},
        {"P = (a, 1e-6).Q; Q = (b, 1e-6).P; X = (c, 3).Y; Y = (d, 1).X; P || X", RARE_BETWEEN,
         true},
        {"P = (a, 3).Q; Q = (b, 2).P; X = (c, 1e-6).Y; Y = (d, 1e-6).X; P || X", RARE_BETWEEN,
         true},
        {"P = (a, 1).Q; Q = (b, 2).P; X = (a, T).Y + (a, 1e-6 * T).Z; Y = (c, 1).X;\n"
         "Z = (c, 1).X; P <a> X",
         RARE_WITHIN, false},
        /* no way back but a rare one: one group is left for ever but for that */
        {"P = (a, 1).Q; Q = (b, 1e-6).P + (e, 1).R; R = (f, 1).Q; X = (c, 3).Y; Y = (d, 1).X;\n"
         "P || X",
         RARE_BETWEEN, false},
        /* chances of 1e-5, whatever the unit of time */
        {"P = (a, 1e-2).Q; Q = (b, 1e-2).P; X = (c, 1e3).Y; Y = (d, 1e3).X; P || X", RARE_BETWEEN,
         true},
        /* chances of 1e-4 less a share of 5e-7 */
        {"r = 1.0000995099009853e-4; P = (a, r).Q; Q = (b, r).P; X = (c, 1).Y; Y = (d, 1).X;\n"
         "P || X",
         RARE_BETWEEN, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_said(cases[i].text, 3, cases[i].jumps, cases[i].apart);
}

/* The transitions of an action have rates of their own in the matrix of that action: none is
 * rare, and they are the only way out of X; or one is rare. */
Test(diagram_decomposable, rates_within_a_matrix)
{
    expect_said("P = (a, 1).Q; Q = (b, 2).P; X = (a, T).Y + (a, 2 * T).Z; Y = (c, 1).X;\n"
                "Z = (d, 1).W + (e, 1e-6).X; W = (f, 1).X; P <a> W",
                4, RARE_WITHIN, false);
    expect_said("P = (a, 1).Q; Q = (b, 1).P; X = (a, T).Y + (a, 1e-6 * T).Z; Y = (c, 1).X;\n"
                "Z = (d, 1).W + (e, 1e-6).X; W = (f, 1).Z; P <a> Z",
                4, RARE_BETWEEN, true);
}

/* Jumps of X are rare while P and Q take turns, and common in R, which is rarely entered and
 * which comes first among the states of this component, second, or last. */
Test(diagram_decomposable, exits_of_a_set)
{
    static const char *const starts[] = {"R", "P", "Q"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "P = (a, 1e6).Q + (e, 1e-3).R; Q = (b, 1e6).P; R = (f, 1).P;\n"
                       "X = (c, 1).Y; Y = (d, 1).X; %s || X",
                       starts[i]);
        expect_said(text, 2, RARE_BETWEEN, true);
    }
}
/* Failures are rare here, and repairs are not. */
Test(diagram_decomposable, families)
{
    static const char *const families[] = {"cluster 3", "tandem 9", "polling 4", "pipeline 5"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        Model *model = model_of_family(families[i]);
        Twice t;
        twice_new(&t, model, 1, 200, 20000);
        cr_assert(twice_fits(&t));
        Said said = ask(&t);
        cr_expect(said.jumps != RARE_BETWEEN && !said.apart, "%s", families[i]);
        twice_free(&t);
        model_free(model);
    }
}
