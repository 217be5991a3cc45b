/* What a mapping's chains said, cut off at another cutoff, and as numbers. */
#include <math.h>
#include <string.h>

#include "amoget/search/answer.h"
#include "lattice.h"

/* Bounds 1, 3 and 2 of steps, the last two of the whole pipeline of 4 stages. */
static Answer three_steps(void)
{
    Answer a = {.state = SOLVED, .time = 2.5, .whole = true, .steps = 3};
    a.chain.states = 81;
    a.chain.transitions = 200;
    a.step[0] = (Step){.first = 1, .count = 3, .time = 1.5, .bound = 1};
    a.step[1] = (Step){.count = 4, .time = 3.5, .bound = 3};
    a.step[2] = (Step){.count = 4, .turns = 5, .time = 2.25, .bound = 2};
    for (int k = 0; k < 9; k++)
        a.step[2].slope[k] = 0.5 + k;
    return a;
}

static Answer judged(Answer answer, double best)
{
    Search s = {.top = 1, .best = &best, .costs.stages = 4};
    answer_judge(&s, &answer);
    return answer;
}

Test(answer, is_cut_off_at_the_first_step_that_rules_it_out)
{
    const struct {
        double best;
        int state, steps, chains;
    } cases[] = {{INFINITY, SOLVED, 3, 3},
                 {3.1, SOLVED, 3, 3},
                 {2.9, RULED_OUT, 2, 1},
                 {1.1, RULED_OUT, 2, 1},
                 {0.9, RULED_OUT, 1, 0}};
    Search s = {.costs.stages = 4};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Answer a = judged(three_steps(), cases[i].best);
        cr_expect_eq((int)a.state, cases[i].state, "%g", cases[i].best);
        cr_expect_eq(a.steps, cases[i].steps, "%g: %d", cases[i].best, a.steps);
        cr_expect_eq(answer_chains(&s, &a), cases[i].chains, "%g", cases[i].best);
    }
}

/* The time of the last step is that of the mapping: it is known, whatever its bound is. */
Test(answer, of_an_exact_last_step_stays_solved)
{
    Answer a = three_steps();
    a.whole = false;
    a.step[1].bound = 0.5;
    cr_expect_eq((int)judged(a, 1.5).state, SOLVED);
    cr_expect_eq(judged(a, 1.5).steps, 3);
    cr_expect_eq((int)judged(a, 0.9).state, RULED_OUT);
    a.state = RULED_OUT;
    cr_expect_eq((int)judged(a, 1.5).state, RULED_OUT);
    cr_expect_eq(judged(a, 1.5).steps, 3);
    a.state = OPEN; /* the time was up */
    cr_expect_eq((int)judged(a, 3).state, OPEN);
    cr_expect_eq(judged(a, 3).steps, 3);
}

Test(answer, as_numbers)
{
    AmogetDescription *desc = lattice(4, 2);
    AmogetRanker ranker = {.desc = desc};
    Run run = {.ranker = &ranker};
    Search s = {.run = &run, .costs.stages = 4};
    double x[1024];
    cr_assert_leq(answer_size(&s), 1024);
    for (int state = OPEN; state <= RULED_OUT; state++) {
        Answer a = three_steps(), b;
        a.state = state == OPEN ? OPEN : state == SOLVED ? SOLVED : RULED_OUT;
        a.whole = state == SOLVED;
        answer_pack(&s, &a, x);
        answer_unpack(&s, &b, x);
        if (state != SOLVED) { /* nothing to tell */
            a.time = 0;
            a.chain = (PepaChainInfo){0};
        }
        cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "state %d", state);
    }
    Answer none = {.state = OPEN};
    answer_pack(&s, &none, x);
    for (int32_t i = 0; i < answer_size(&s); i++)
        cr_expect(!(x[i] > 0) && !(x[i] < 0));
    amoget_free(desc);
}
