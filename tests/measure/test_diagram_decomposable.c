/* Whether rare jumps alone join groups of states: what the sets say is right, and mostly enough. */
#include "measure/blocks_build.h"

#include "diagrams.h"
#include "families.h"
#include "solvers/internal.h"

typedef struct {
    bool together, apart; /* as the sets say; as the matrix by rows says */
} Said;

static Said ask(const Twice *t)
{
    Said said;
    PepaError err;
    Blocks blocks;
    FlowOwner rows;
    cr_assert_eq(blocks_build(&blocks, t->diagram, t->as_sets.now.term, &err), PEPA_OK);
    cr_assert_eq(flow_from_blocks(&rows, PEPA_MATRIX_EXPLICIT, &(Control){0}, &blocks, &err), PEPA_OK);
    cr_assert_eq(diagram_not_decomposable(t->diagram, t->as_sets.now.term, &blocks, &said.together, &err),
                 PEPA_OK);
    Flow view = flow_view(&rows, NULL);
    said.apart = flow_nearly_decomposable(&view);
    flow_free(&rows);
    blocks_free(&blocks);
    return said;
}

static const int32_t sizes[] = {2, 8, 64, DIAGRAM_LOWER};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* No chain is said to hold together that falls apart. */
static int expect_no_lies(const char *name, const Model *model)
{
    int asked = 0;
    for (int aggregate = 0; aggregate < 2; aggregate++)
        for (int i = 0; i < SIZES; i++) {
            Twice t;
            twice_new(&t, model, aggregate, sizes[i], 20000);
            if (twice_fits(&t)) {
                Said said = ask(&t);
                cr_expect(!(said.together && said.apart), "%s, %d, %d", name, aggregate, sizes[i]);
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
        cr_expect(!(said.together && said.apart), "%s", text);
        together += said.together;
        apart += said.apart;
        twice_free(&t);
        model_free(model);
    }
    cr_expect(together > 50 && apart > 20, "%d together, %d apart", together, apart);
}

Test(diagram_decomposable, told_apart)
{
    static const struct {
        const char *text;
        bool together, apart;
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 2).P; X = (c, 3).Y; Y = (d, 1).X; P || X", true, false},
        /* what fails seldom is repaired soon, or as seldom */
        {"P = (a, 1e-6).Q; Q = (b, 2).P; X = (c, 3).Y; Y = (d, 1).X; P || X", true, false},
        {"P = (a, 1e-6).Q; Q = (b, 1e-6).P; X = (c, 3).Y; Y = (d, 1).X; P || X", false, true},
        {"P = (a, 3).Q; Q = (b, 2).P; X = (c, 1e-6).Y; Y = (d, 1e-6).X; P || X", false, true},
        {"P = (a, 1).Q; Q = (b, 2).P; X = (a, T).Y + (a, 1e-6 * T).Z; Y = (c, 1).X;\n"
         "Z = (c, 1).X; P <a> X",
         true, false},
        /* no way back but a rare one: one group is left for ever but for that */
        {"P = (a, 1).Q; Q = (b, 1e-6).P + (e, 1).R; R = (f, 1).Q; X = (c, 3).Y; Y = (d, 1).X;\n"
         "P || X",
         false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Model *model = model_of(cases[i].text);
        Twice t;
        twice_new(&t, model, 1, 3, 1000);
        cr_assert(twice_fits(&t), "%s", cases[i].text);
        Said said = ask(&t);
        cr_expect_eq(said.together, cases[i].together, "%s", cases[i].text);
        cr_expect_eq(said.apart, cases[i].apart, "%s", cases[i].text);
        twice_free(&t);
        model_free(model);
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
        cr_expect(said.together && !said.apart, "%s", families[i]);
        twice_free(&t);
        model_free(model);
    }
}
