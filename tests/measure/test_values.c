/* Many values of the rates on one structure: side by side in threads, and set together. */
#include <math.h>
#include <pthread.h>

#include "measure/longrun.h"
#include "settings.h"
#include "support.h"

enum { POINTS = 6 };

/* One point of a sweep: values and a solution of its own, a chain that all share. */
typedef struct {
    const Chain *chain;
    double serve, throughput;
    PepaStatus status;
} Point;

static void *solve_point(void *user)
{
    Point *p = user;
    PepaSettings set = settings_for_tests();
    RateValues values;
    LongRun *run = NULL;
    int32_t rate = 0;
    double *pi = calloc((size_t)p->chain->state_count, sizeof *pi);
    p->status = pi ? rate_values_new(&values, &p->chain->rates, NULL) : PEPA_ENOMEM;
    if (p->status != PEPA_OK)
        return NULL;
    p->status = rate_values_set(&values, &p->chain->rates, 1, &rate, &p->serve, NULL);
    if (p->status == PEPA_OK)
        p->status = longrun_new(&run, p->chain, steady_form(p->chain), NULL);
    if (p->status == PEPA_OK)
        p->status = longrun_solve(run, &values, &set, pi, NULL, NULL);
    if (p->status == PEPA_OK)
        for (int32_t a = 0; a < p->chain->action_count; a++)
            if (strcmp(p->chain->model->actions[p->chain->actions[a]], "serve") == 0)
                p->throughput = chain_flow_of(p->chain, values.term, pi, a);
    longrun_free(run);
    rate_values_free(&values);
    free(pi);
    return NULL;
}

/* M/M/1/9 at six service rates at once, against the closed form, on rows and on sets. */
Test(values, points_of_a_sweep_side_by_side)
{
    static const PepaExplore ways[] = {PEPA_EXPLICIT, PEPA_SYMBOLIC};
    Model *model = model_of("s = 1; Free = (arrive, T).Used; Used = (serve, T).Free;\n"
                            "In = (arrive, 1).In; Out = (serve, s).Out;\n"
                            "In <arrive> (Free || Free || Free || Free) <serve> Out");
    for (int w = 0; w < 2; w++) {
        Chain *chain = NULL;
        DiagList diags = {0};
        PepaSettings set = settings_for_tests();
        Point point[POINTS];
        pthread_t thread[POINTS];
        set.derive.explore = ways[w];
        set.derive.separate_copies = 1;
        cr_assert_eq(chain_derive(&chain, model, &set, &diags, NULL), PEPA_OK);
        for (int i = 0; i < POINTS; i++) {
            point[i] = (Point){.chain = chain, .serve = 0.25 * (i + 1)};
            cr_assert_eq(pthread_create(&thread[i], NULL, solve_point, &point[i]), 0);
        }
        for (int i = 0; i < POINTS; i++) {
            double rho = 1 / point[i].serve, sum = 0;
            for (int k = 0; k <= 4; k++)
                sum += pow(rho, k);
            cr_assert_eq(pthread_join(thread[i], NULL), 0);
            cr_expect_eq(point[i].status, PEPA_OK);
            cr_expect_float_eq(point[i].throughput, point[i].serve * (1 - 1 / sum), 1e-9,
                               "serve %g: %.12g", point[i].serve, point[i].throughput);
        }
        cr_expect(isnan(chain->now.forced[0]) && chain->now.rate[0].value == 1,
                  "the values of the chain stay");
        chain_free(chain);
        diag_free(&diags);
    }
    model_free(model);
}

/* Two rates that are legal together and not one after the other: 2 - 1 > 0 and 0.5 - 0.1 > 0,
 * but not 0.5 - 1.  The aggregated chain that gives the first guess takes both at once. */
Test(values, a_first_guess_at_rates_that_go_together)
{
    Model *model = model_of("r = 2; s = 1; x = r - s;\n"
                            "P = (a, x).Q; Q = (b, 1).R; R = (c, 1).P;\n"
                            "S = (a, T).T1; T1 = (d, 2).S;\n"
                            "P[6] <a> S[3]");
    PepaSettings set = settings_for_tests();
    Chain *chain = NULL;
    DiagList diags = {0};
    PepaError err = {0};
    PepaInfo info;
    LongRun *run = NULL;
    static const int32_t rate[] = {0, 1};
    static const double value[] = {0.5, 0.1};
    set.derive.explore = PEPA_SYMBOLIC;
    set.derive.separate_copies = 1;
    cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(rate_values_set(&chain->now, &chain->rates, 1, rate, value, NULL), PEPA_EMODEL);
    cr_assert_eq(rate_values_set(&chain->now, &chain->rates, 2, rate, value, NULL), PEPA_OK);
    double *pi = calloc((size_t)chain->state_count, sizeof *pi);
    cr_assert(pi != NULL);
    cr_assert_eq(longrun_new(&run, chain, steady_form(chain), NULL), PEPA_OK);
    cr_assert_eq(longrun_solve(run, &chain->now, &set, pi, &info, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect(strstr(info.trail, "aggregated chain"), "%s", info.trail);
    longrun_free(run);
    chain_free(chain);
    diag_free(&diags);
    model_free(model);
    free(pi);
}
