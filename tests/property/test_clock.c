/* No digit of an answer depends on the clock, whatever it shows: it is there for reports, for
 * progress, and for the choice whether several threads sweep or one, which gives the same bits. */
#include <criterion/criterion.h>
#include <string.h>

#include "family_text.h"
#include "property/engine_run.h"
#include "property/forcing.h"

typedef struct {
    const char *family;
    PepaExplore explore;
    PepaMethod method;
} Case;

static int go_on(void *user, const PepaProgress *now)
{
    int64_t *calls = user;
    (void)now;
    (*calls)++;
    return 0;
}

static EngineRun run_by(const Case *c, Clock clock, int threads, int64_t *calls)
{
    PepaSettings set = {.threads = threads,
                        .progress = go_on,
                        .user = calls,
                        .derive.explore = c->explore,
                        .solve = {.method = c->method, .tolerance = 1e-11}};
    forcing_clock(clock);
    EngineRun run = engine_run(family_text(c->family), NULL, &set);
    cr_assert_eq(run.status, PEPA_OK, "%s: %s", c->family, run.err.message);
    return run;
}

static void expect_same_bytes(const EngineRun *a, const EngineRun *b, const char *what)
{
    const PepaChainInfo *x = &a->info, *y = &b->info;
    cr_assert(x->states == y->states && x->transitions == y->transitions);
    cr_expect_eq(memcmp(a->pi, b->pi, (size_t)x->states * sizeof *a->pi), 0, "%s", what);
    cr_expect_eq(memcmp(a->throughput, b->throughput, (size_t)x->actions * sizeof *a->throughput),
                 0, "%s", what);
    cr_expect_eq(memcmp(a->share, b->share, (size_t)x->counts * sizeof *a->share), 0, "%s", what);
    cr_expect_str_eq(a->solver.method, b->solver.method);
    cr_expect_str_eq(a->solver.trail, b->solver.trail);
    cr_expect_str_eq(a->solver.caution, b->solver.caution);
    cr_expect_eq(a->solver.iterations, b->solver.iterations);
    cr_expect_eq(memcmp(&a->solver.residual, &b->solver.residual, sizeof(double)), 0);
}

Test(clock, no_digit_depends_on_it)
{
    static const Case cases[] = {{"pipeline 9", PEPA_EXPLORE_AUTO, PEPA_AUTO},
                                 {"pipeline 9", PEPA_EXPLICIT, PEPA_AUTO},
                                 {"pipeline 9", PEPA_EXPLICIT, PEPA_GAUSS_SEIDEL},
                                 {"polling 11", PEPA_EXPLICIT, PEPA_SOR},
                                 {"polling 11", PEPA_SYMBOLIC, PEPA_AUTO},
                                 {"kanban 3", PEPA_SYMBOLIC, PEPA_SOR},
                                 {"kanban 3", PEPA_EXPLICIT, PEPA_BICGSTAB}};
    int64_t together = 0, alone = 0, readings = 0, calls = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EngineRun want = run_by(&cases[i], CLOCK_TRUE, 1, &calls);
        for (int clock = CLOCK_TRUE; clock <= CLOCK_TURNING; clock++)
            for (int threads = 1; threads <= 3; threads += 2) {
                EngineRun got = run_by(&cases[i], (Clock)clock, threads, &calls);
                Clocked found = forcing_clocked();
                forcing_clock(CLOCK_TRUE);
                expect_same_bytes(&got, &want, cases[i].family);
                readings += found.readings;
                together += clock == CLOCK_JUMPING ? found.together : 0;
                alone += clock == CLOCK_JUMPING ? found.alone : 0;
                engine_run_free(&got);
            }
        engine_run_free(&want);
    }
    cr_expect(readings > 0 && calls > 0, "the clock was read");
    cr_expect(together > 20 && alone > 20, "it decided both ways: %lld, %lld", (long long)together,
              (long long)alone);
}
