/* The limit on memory, from text to distribution: kept, and told when it is in the way. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parsing.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RESIDENT_COUNTS 0 /* sanitizers keep what is freed */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RESIDENT_COUNTS 0
#endif
#endif
#ifndef RESIDENT_COUNTS
#define RESIDENT_COUNTS 1
#endif

/* 3^11 = 177,147 states. */
static const char many[] = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P;\n"
                           "P || P || P || P || P || P || P || P || P || P || P";
/* The same, but with one that ends up in either of two states. */
static const char stuck[] = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P;\n"
                            "D = (x, 1).D1 + (y, 2).D2; D1 = (u, 1).D1; D2 = (v, 1).D2;\n"
                            "P || P || P || P || P || P || P || P || P || P || D";

/* Explored and solved within set->memory, if that can be. */
static PepaStatus run(const PepaModel *model, const PepaSettings *set, double *throughput,
                      PepaError *err)
{
    PepaChain *chain = NULL;
    double *pi = NULL;
    PepaStatus status = pepa_chain_derive(&chain, model, set, err);
    if (status == PEPA_OK) {
        pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
        status = pi ? pepa_solve_steady(chain, set, pi, NULL, err) : PEPA_ENOMEM;
    }
    if (status == PEPA_OK)
        status = pepa_throughput(chain, pi, "a", throughput, err);
    free(pi);
    pepa_chain_free(chain);
    return status;
}

/* The same in a process of its own, whose memory is all new: PEPA_OK if the answer is right,
 * PEPA_ELIMIT if it was refused with a word about memory.  *peak: bytes. */
static PepaStatus run_apart(const PepaModel *model, const PepaSettings *set, double expected,
                            double *peak)
{
    struct rusage usage;
    int ended = 0;
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        PepaError err = {0};
        double throughput = 0;
        PepaStatus status = run(model, set, &throughput, &err);
        bool right = status == PEPA_OK ? fabs(throughput - expected) <= 1e-8 * expected
                                       : err.limit == PEPA_LIMIT_MEMORY;
        _exit(right ? (int)status : 99);
    }
    cr_assert_eq(waitpid(child, &ended, 0), child);
    cr_assert(WIFEXITED(ended));
    cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    *peak = 1024.0 * (double)usage.ru_maxrss;
    return (PepaStatus)WEXITSTATUS(ended);
}

/* Ever larger limits, until one is enough: each is kept, but for 30% and what is there anyway. */
static void expect_kept(const char *text, PepaExplore explore, int threads, double expected,
                        int least_refused)
{
    const double slack = 4e6;
    PepaModel *model = parse(text);
    PepaSettings set = {0};
    PepaStatus status = PEPA_ELIMIT;
    double before, peak;
    int refused = 0;
    set.derive.separate_copies = 1;
    set.derive.explore = explore;
    set.threads = threads;
    set.memory = 1;
    (void)run_apart(model, &set, expected, &before);
    for (set.memory = 500 * 1000; status == PEPA_ELIMIT; set.memory += set.memory / 2) {
        status = run_apart(model, &set, expected, &peak);
        refused += status == PEPA_ELIMIT;
        cr_expect(!RESIDENT_COUNTS || peak - before < 1.3 * (double)set.memory + slack,
                  "%.1f MB within %.1f MB", (peak - before) / 1e6, (double)set.memory / 1e6);
    }
    cr_expect_eq(status, PEPA_OK);
    cr_expect_geq(refused, least_refused);
    pepa_model_free(model);
}

/* One component's cycle takes 1 + 1/2 + 1/3. */
Test(memory, explicit_exploration)
{
    expect_kept(many, PEPA_EXPLICIT, 1, 11 / (11.0 / 6), 6);
}

Test(memory, explicit_exploration_by_threads)
{
    expect_kept(many, PEPA_EXPLICIT, 3, 11 / (11.0 / 6), 6);
}

Test(memory, symbolic_exploration)
{
    expect_kept(many, PEPA_SYMBOLIC, 1, 11 / (11.0 / 6), 2);
}

Test(memory, several_bottom_components)
{
    expect_kept(stuck, PEPA_EXPLICIT, 1, 10 / (11.0 / 6), 6);
}

/* What is solved within a limit is solved within any larger one, whatever `auto` takes the memory for. */
Test(memory, more_is_never_too_little)
{
    PepaModel *model =
        parse("C = (think, 0.5).W; W = (request, 2 * T).G; G = (respond, T).C;\n"
              "S = (request, 2).B + (broken, 0.01).D; B = (respond, 3).S; D = (mend, 0.2).S;\n"
              "K = (a, 0.5).K1; K1 = (request, T).K2; K2 = (respond, T).K3; K3 = (rest, 1.5).K;\n"
              "(C[14] || K[6]) <request, respond> S[5]");
    double expected = 0, found;
    PepaSettings set = {.derive.explore = PEPA_EXPLORE_AUTO};
    PepaError err = {0};
    int solved = 0, refused = 0;
    cr_assert_eq(run(model, &set, &expected, &err), PEPA_OK, "%s", err.message);
    for (set.memory = 200 * 1000; set.memory < 30 * 1000 * 1000; set.memory += set.memory / 5) {
        PepaStatus status = run(model, &set, &found, &err);
        cr_expect(status == PEPA_OK || (status == PEPA_ELIMIT && !solved), "%.2f MB: %s",
                  (double)set.memory / 1e6, err.message);
        cr_expect(status != PEPA_OK || fabs(found - expected) <= 1e-8 * expected);
        solved += status == PEPA_OK;
        refused += status == PEPA_ELIMIT;
    }
    cr_expect(solved > 6 && refused > 4, "%d solved, %d refused", solved, refused);
    pepa_model_free(model);
}

/* Immediate activities in turn, one for each pair, with ways back: with copies kept apart, thousands of
 * states that take no time lead to each other, and what they lead to takes most of the memory. */
Test(memory, ways_through_immediate_activities)
{
    const char *text =
        "P = (c, immediate).Q; Q = (c, 1000 : immediate).R + (c, 0.001 : immediate).P;\n"
        "R = (a, 0.5).P; P[3] <c> P[3]";
    PepaModel *model = parse(text);
    PepaSettings counted = {0};
    PepaError err = {0};
    double expected = 0;
    cr_assert_eq(run(model, &counted, &expected, &err), PEPA_OK, "%s", err.message);
    for (int threads = 1; threads <= 3; threads += 2)
        expect_kept(text, PEPA_EXPLICIT, threads, expected, 6);
    pepa_model_free(model);
}

/* Where sets do not fit, or do not suit, states are explored one by one; that is refused as well.
 */
Test(memory, a_limit_is_a_limit_however_states_are_found)
{
    static const PepaExplore ways[] = {PEPA_EXPLICIT, PEPA_SYMBOLIC, PEPA_EXPLORE_AUTO};
    PepaModel *model = parse(many);
    PepaSettings set = {0};
    PepaError err;
    PepaChain *chain = NULL;
    set.derive.separate_copies = 1;
    set.memory = 1;
    for (int i = 0; i < 3; i++) {
        set.derive.explore = ways[i];
        cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_ELIMIT);
        cr_expect(err.limit == PEPA_LIMIT_MEMORY && strstr(err.message, "raise the limit"), "%s",
                  err.message);
        cr_expect_null(chain);
    }
    set.memory = -1;
    cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
    pepa_model_free(model);
}

/* What pepa_steady_new has taken counts. */
Test(memory, a_prepared_solution)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 2).P; P || P || P || P || P || P || P || P");
    PepaSettings set = {0};
    PepaError err;
    PepaChain *chain = NULL;
    PepaSteady *steady = NULL;
    double pi[256], slope[2];
    set.derive.separate_copies = 1;
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_info(chain).states, 256);
    cr_assert_eq(pepa_steady_new(&steady, chain, &err), PEPA_OK);
    set.memory = 1000;
    cr_expect_eq(pepa_steady_solve(steady, &set, pi, NULL, &err), PEPA_ELIMIT);
    cr_expect_eq(pepa_solve_steady(chain, &set, pi, NULL, &err), PEPA_ELIMIT);
    set.memory = 10 * 1000 * 1000;
    cr_expect_eq(pepa_steady_solve(steady, &set, pi, NULL, &err), PEPA_OK);
    set.memory = 1000;
    cr_expect_eq(pepa_steady_sensitivities(steady, &set, pi, "a", NULL, slope, NULL, &err),
                 PEPA_ELIMIT);
    pepa_steady_free(steady);
    pepa_chain_free(chain);
    pepa_model_free(model);
}
