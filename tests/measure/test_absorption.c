/* Where chains end: by expected visits where censoring would store too much, and what the memory
 * limit says to that. */
#include "measure/longrun.h"
#include "support.h"

#include <math.h>

/* With so many transient states and components, censoring may not store its cells. */
enum { RING = CENSOR_FIRST, CLASSES = CENSOR_CELLS / CENSOR_FIRST + 1 };

/* A ring.  State i is left at rate 1e-3 for end i, and at the same rate for the last end of all. */
static Derived ring(void)
{
    Text text = {0};
    for (int i = 0; i < RING; i++)
        text_add(&text, "S%d = (m, 1).S%d + (own, 1e-3).E%d + (last, 1e-3).E%d;\n", i,
                 (i + 1) % RING, i, CLASSES - 1);
    for (int i = 0; i < CLASSES; i++)
        text_add(&text, "E%d = (x%d, 1).E%d;\n", i, i, i);
    text_add(&text, "S0");
    Derived d = derive(text.text, 1);
    text_free(&text);
    cr_assert_eq(d.status, PEPA_OK);
    return d;
}

/* Rounds are repeated: state i is visited q^i / (1 - q^RING) times. */
Test(absorption, expected_visits)
{
    Derived d = ring();
    const Chain *c = d.chain;
    const double q = 1 / 1.002, rounds = 1 - pow(q, RING);
    PepaSettings set = settings_for_tests();
    PepaError err = {0};
    double *weight = calloc(CLASSES, sizeof *weight);
    cr_assert(weight && c->bottom_count == CLASSES);
    cr_assert_eq(absorption(c, c->now.term, &set, weight, &err), PEPA_OK, "%s", err.message);
    for (int32_t s = 0; s < c->states.count; s++) {
        if (c->bottom[s] < 0)
            continue;
        int end = atoi(c->model->actions[c->actions[chain_action(c, c->row[s])]] + 1);
        double want = end < CLASSES - 1 ? pow(q, end) * (1 - q) / rounds / 2 : 0.5;
        cr_expect_float_eq(weight[c->bottom[s]], want, 1e-9, "%d: %.12g, not %.12g", end,
                           weight[c->bottom[s]], want);
    }
    free(weight);
    derived_free(&d);
}

/* Each of the transitions between transient states takes 4 bytes for its target and 8 for its
 * chance. */
Test(absorption, the_matrix_counts_as_memory)
{
    enum { STATES = 60 };
    Text text = {0};
    PepaSettings set = settings_for_tests();
    PepaError err = {0};
    double weight[2];
    for (int i = 0; i < STATES; i++) {
        text_add(&text, "S%d = (a, 1).A + (b, 3).B", i);
        for (int k = 0; k < STATES; k++)
            if (k != i)
                text_add(&text, " + (m, 1).S%d", k);
        text_add(&text, ";\n");
    }
    text_add(&text, "A = (x, 1).A; B = (y, 1).B; S0");
    Derived d = derive(text.text, 1);
    cr_assert_eq(d.status, PEPA_OK);
    set.solve.matrix = PEPA_MATRIX_EXPLICIT;
    set.memory = 12 * STATES * (STATES - 1);
    cr_expect_eq(absorption(d.chain, d.chain->now.term, &set, weight, &err), PEPA_ELIMIT);
    cr_expect(err.limit == PEPA_LIMIT_MEMORY &&
                  strstr(err.message, "finding the probability of ending"),
              "%s", err.message);
    set.memory += set.memory / 2; /* enough for what is needed besides, not for two matrices */
    cr_expect_eq(absorption(d.chain, d.chain->now.term, &set, weight, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_float_eq(fmin(weight[0], weight[1]), 0.25, 1e-14);
    text_free(&text);
    derived_free(&d);
}
