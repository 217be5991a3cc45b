/* The functions of pepa_lump.h: what they refuse, and what they say. */
#include "pepa_lump.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Workers in three rooms, of which two are alike; symmetric in the workers too. */
static const char text[] = "Idle = (left, 2).West + (right, 2).East + (go, 1).Out;\n"
                           "West = (done, 3).Idle; East = (done, 3).Idle; Out = (back, 4).Idle;\n"
                           "Idle || Idle";

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaMeasures *measures;
    PepaLumping *lumping;
    PepaError err;
} Work;

static Work work_new(const char *measures, bool sets)
{
    Work w = {0};
    const PepaSettings set = {.derive.explore = sets ? PEPA_SYMBOLIC : PEPA_EXPLICIT,
                              .derive.separate_copies = 1};
    cr_assert_eq(pepa_model_parse(&w.model, "m", text, strlen(text), NULL, &w.err) ||
                     pepa_chain_derive(&w.chain, w.model, &set, &w.err) ||
                     pepa_measures_new(&w.measures, w.model, &w.err) ||
                     pepa_measures_add(w.measures, "q", measures, strlen(measures), NULL, NULL,
                                       &w.err) ||
                     pepa_lumping_new(&w.lumping, w.chain, w.measures, NULL, &w.err),
                 PEPA_OK, "%s", w.err.message);
    return w;
}

static void work_free(Work *w)
{
    pepa_lumping_free(w->lumping);
    pepa_measures_free(w->measures);
    pepa_chain_free(w->chain);
    pepa_model_free(w->model);
}

/* Each worker is one of three: idle, in a room, out.  4 * 4 states; of two workers with three
 * states each that are not told apart, 6.  Idle 12 : in a room 16 : out 3 of the time. */
Test(lump_api, blocks_and_values)
{
    for (int sets = 0; sets < 2; sets++) {
        Work w = work_new("population:Idle\nthroughput:done\npopulation:Out", sets != 0);
        const PepaLumpingInfo info = pepa_lumping_info(w.lumping);
        double pi[6], value[3], sum = 0, again[3];
        PepaInfo solved;
        cr_expect_eq(info.states, 16);
        cr_assert_eq(info.blocks, 6);
        cr_expect_eq(info.transitions, 12);
        cr_expect(info.spread >= 0 && info.spread < 1e-15);
        cr_expect_geq(info.seconds, 0);
        int64_t most = 0;
        for (int64_t s = 0; s < 16; s++) { /* numbered by their smallest states */
            const int64_t block = pepa_lumping_block(w.lumping, s);
            cr_expect(block >= 0 && block <= most);
            most += block == most;
        }
        cr_expect_eq(most, 6);
        cr_assert_eq(pepa_lumping_solve(w.lumping, NULL, pi, value, &solved, &w.err), PEPA_OK, "%s",
                     w.err.message);
        for (int i = 0; i < 6; i++)
            sum += pi[i];
        cr_expect_float_eq(sum, 1, 1e-14);
        cr_expect_float_eq(value[0], 2 * 12 / 31.0, 1e-14);
        cr_expect_float_eq(value[1], 2 * 3 * 16 / 31.0, 1e-14);
        cr_expect_float_eq(value[2], 2 * 3 / 31.0, 1e-14);
        cr_expect_leq(solved.residual, 1e-14);
        PepaSettings set = {.solve = {.warm_start = 1, .method = PEPA_GAUSS_SEIDEL}};
        cr_assert_eq(pepa_lumping_solve(w.lumping, &set, pi, again, &solved, &w.err), PEPA_OK);
        cr_expect_leq(solved.iterations, 1);
        cr_assert_eq(pepa_lumping_solve(w.lumping, &set, NULL, again, NULL, &w.err), PEPA_OK);
        cr_expect_float_eq(again[1], value[1], 1e-9);
        work_free(&w);
    }
}

Test(lump_api, refusals)
{
    Work w = work_new("population:Idle", false), other = work_new("population:Idle", false);
    PepaLumping *lumping = NULL;
    double value[1];
    PepaSettings set = {.solve.matrix = PEPA_MATRIX_FREE};
    pepa_lumping_free(NULL);
    cr_expect_eq(pepa_lumping_new(NULL, w.chain, w.measures, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(pepa_lumping_new(&lumping, NULL, w.measures, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(pepa_lumping_new(&lumping, w.chain, NULL, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(pepa_lumping_new(&lumping, w.chain, other.measures, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(lumping, NULL);
    cr_expect_eq(pepa_lumping_solve(NULL, NULL, NULL, value, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(pepa_lumping_solve(w.lumping, NULL, NULL, NULL, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(pepa_lumping_solve(w.lumping, &set, NULL, value, NULL, &w.err), PEPA_EARG);
    cr_expect_eq(w.err.limit, PEPA_LIMIT_MATRIX);
    set = (PepaSettings){.solve = {.method = PEPA_POWER, .max_iter = 1, .tolerance = 1e-15}};
    value[0] = -7;
    cr_expect_eq(pepa_lumping_solve(w.lumping, &set, NULL, value, NULL, &w.err), PEPA_ENOCONV);
    cr_expect_eq(value[0], -7);
    set = (PepaSettings){.memory = 100};
    cr_expect_eq(pepa_lumping_new(&lumping, w.chain, w.measures, &set, &w.err), PEPA_ELIMIT);
    cr_expect_eq(w.err.limit, PEPA_LIMIT_MEMORY);
    cr_expect_eq(lumping, NULL);
    work_free(&w);
    work_free(&other);
}
