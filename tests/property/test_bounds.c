/* Bounds of throughputs contain the exact ones, and are narrow, over random models, half of them
 * with some rates a millionth of what they were. */
#include "property/exact.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MODELS = 600, LARGE = 150 };

/* Every third rate of every second model. */
static void make_rare(RefModel *model, uint64_t seed)
{
    for (int i = 0; i < model->rate_count; i++)
        if (seed % 2 && ((uint64_t)i + seed) % 3 == 0 &&
            !ref_rate_functional(model, model->rate[i].value))
            model->rate[i].value =
                ref_operation(model, REF_MUL, model->rate[i].value, ref_number(model, 1e-6));
}

/* They hold whatever pi is. */
static void blur(double *pi, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n && seed % 3 == 0; i++)
        pi[i] *= 1 + 1e-5 * (double)(i % 5);
}

/* The fastest rate beside the slowest. */
static long double stiffness(const Exact *exact)
{
    long double least = HUGE_VALL, most = 0;
    for (size_t k = 0; k < exact->n * exact->n; k++)
        if (exact->rate[k] > 0) {
            least = fminl(least, exact->rate[k]);
            most = fmaxl(most, exact->rate[k]);
        }
    return most / least;
}

/* The exact values are those of rates that were rounded, each to a few units; bounds are of the rates
 * that are not.  They are narrow but for chains so stiff that potentials lose all their digits. */
static bool bounds_are_right(const Exact *exact, PepaSteady *steady, const PepaSettings *set,
                             const double *pi, Text *why)
{
    const EngineRun *run = exact->run;
    const bool stiff = stiffness(exact) > 1e9L;
    for (int32_t a = 0; a < run->info.actions; a++) {
        const char *action = pepa_chain_action_name(run->chain, a);
        const long double x = exact->throughput[a], slack = 2e-15L * (long double)exact->n * x;
        double low = NAN, high = NAN;
        PepaError err = {0};
        if (pepa_throughput_bounds(steady, set, pi, action, &low, &high, NULL, &err) != PEPA_OK)
            return engine_differs(why, "%s: %s", action, err.message);
        if (!(low <= x + slack && x - slack <= high))
            return engine_differs(why, "%s is %.20Lg, not %.17g to %.17g", action, x, low, high);
        if (!stiff && !(high - low <= 1e-9L * (x + exact->most[a])))
            return engine_differs(why, "%s, %.20Lg (at most %Lg), may be %.17g to %.17g", action, x,
                                  exact->most[a], low, high);
    }
    return true;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_model(seed, LARGE);
    make_rare(&model, seed);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    PepaSettings set = engine_settings();
    set.derive.explore = PEPA_EXPLICIT;
    EngineRun run = engine_run(text.text, NULL, &set);
    PepaSteady *steady = NULL;
    if (run.status == PEPA_OK && run.info.actions > 0) {
        Exact exact;
        exact_new(&exact, &run);
        blur(run.pi, exact.n, seed);
        if (pepa_steady_new(&steady, run.chain, NULL) != PEPA_OK ||
            !bounds_are_right(&exact, steady, &set, run.pi, &why))
            seeds_fail(all, seed, why.text ? why.text : "a call failed", text.text);
        pepa_steady_free(steady);
        exact_free(&exact);
    }
    engine_run_free(&run);
    text_free(&why);
    text_free(&text);
    ref_model_free(&model);
}

SHARDED_TEST(bounds, contain_exact_values)
{
    seeds_check(*shard, MODELS, check);
}
