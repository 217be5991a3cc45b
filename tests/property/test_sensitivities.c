/* Derivatives of throughputs are what differences say, over random models. */
#include "property/engine_run.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MODELS = 1000, LARGE = 200 };

typedef struct {
    const EngineRun *run;
    const char *action;
    PepaSteady *steady;
    double *pi, *derivative;
    Text *why;
} Probe;

/* Throughput by elimination, right to nearly every digit; NaN: not solved. */
static double measured(Probe *p)
{
    PepaSettings set = engine_settings();
    double per_time;
    set.solve.method = PEPA_GTH;
    if (pepa_steady_solve(p->steady, &set, p->pi, NULL, NULL) != PEPA_OK ||
        pepa_throughput(p->run->chain, p->pi, p->action, &per_time, NULL) != PEPA_OK)
        return NAN;
    return per_time;
}

static bool differentiated(Probe *p, PepaMethod method)
{
    PepaSettings set = engine_settings();
    PepaError err = {0};
    set.solve.method = method;
    set.solve.tolerance = 1e-10;
    PepaStatus status = pepa_steady_sensitivities(p->steady, &set, p->pi, p->action, NULL,
                                                  p->derivative, NULL, &err);
    return status == PEPA_OK ||
           engine_differs(p->why, "%s of %s: %s", pepa_method_name(method), p->action, err.message);
}

/* X at v + step and at v - step: the slope between, and how much more it is to the right of v than
 * to the left; NaN: one of them may not be set. */
typedef struct {
    double slope, jump;
} Difference;

static Difference difference(Probe *p, const char *rate, double v, double step, double x)
{
    PepaChain *chain = p->run->chain;
    double more = NAN, less = NAN;
    if (pepa_chain_set_rate(chain, rate, v + step, NULL) == PEPA_OK)
        more = measured(p);
    if (pepa_chain_set_rate(chain, rate, v - step, NULL) == PEPA_OK)
        less = measured(p);
    return (Difference){(more - less) / (2 * step), (more - 2 * x + less) / step};
}

/* At bends, where the jump of the slope goes with the step, the error of the finer difference is
 * less than the change to it; kinks within the step, where it does not, are left out.  1e-7: 1e-15
 * of X over a step of 1e-5, and the residual of 1e-10, with room for customers and bad condition.
 */
static bool slope_is_right(Probe *p, int32_t id)
{
    const char *name = pepa_model_rate_name(p->run->model, id);
    double v = pepa_model_rate_value(p->run->model, id), x = measured(p);
    if (!(x > 0))
        return true;
    if (!differentiated(p, p->run->info.states % 2 ? PEPA_AUTO : PEPA_DIRECT))
        return false;
    double slope = p->derivative[id], step = 1e-5 * fabs(v), unit = x / fabs(v);
    if (isnan(slope)) {
        bool refused =
            !(step > 0) || pepa_chain_set_rate(p->run->chain, name, v + step, NULL) != PEPA_OK;
        return refused || engine_differs(p->why, "no slope by %s, which may be set", name);
    }
    Difference coarse = difference(p, name, v, step, x), fine = difference(p, name, v, step / 2, x);
    (void)pepa_chain_set_rate(p->run->chain, name, v, NULL);
    if (!(fabs(2 * fine.jump - coarse.jump) <= 3e-8 * unit))
        return true;
    if (fabs(slope - fine.slope) <= fabs(coarse.slope - fine.slope) + 1e-7 * unit)
        return true;
    return engine_differs(p->why, "d %s / d %s: %.12g, differences %.12g and %.12g (X %g, rate %g)",
                          p->action, name, slope, coarse.slope, fine.slope, x, v);
}

/* A factor of its own for each rate: where three equal numbers meet in min or max, slopes are not
 * what differences say. */
static void move_apart(RefModel *model)
{
    for (int i = 0; i < model->rate_count; i++)
        if (!ref_rate_functional(model, model->rate[i].value))
            model->rate[i].value = ref_operation(model, REF_MUL, model->rate[i].value,
                                                 ref_number(model, 1.01 + 0.007 * i));
}

static bool slopes_are_right(const EngineRun *run, uint64_t seed, Text *why)
{
    size_t n = (size_t)run->info.states, rates = (size_t)pepa_model_rate_count(run->model);
    Probe p = {.run = run, .why = why};
    p.action = pepa_chain_action_name(run->chain, (int32_t)(seed % (uint64_t)run->info.actions));
    p.pi = mem_calloc(n, sizeof *p.pi);
    p.derivative = mem_calloc(rates, sizeof *p.derivative);
    bool right = p.pi && p.derivative && pepa_steady_new(&p.steady, run->chain, NULL) == PEPA_OK;
    for (int32_t id = 0; right && id < (int32_t)rates; id++)
        right = slope_is_right(&p, id);
    pepa_steady_free(p.steady);
    mem_free(p.pi);
    mem_free(p.derivative);
    return right;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_model(seed, LARGE);
    move_apart(&model);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    PepaSettings set = engine_settings();
    set.derive.separate_copies = !(seed % 3 > 0);
    EngineRun run = engine_run(text.text, NULL, &set);
    if (run.status == PEPA_OK && run.info.actions > 0 && !slopes_are_right(&run, seed, &why))
        seeds_fail(all, seed, why.text ? why.text : "a call failed", text.text);
    engine_run_free(&run);
    text_free(&why);
    text_free(&text);
    ref_model_free(&model);
}

SHARDED_TEST(sensitivities, agree_with_differences)
{
    seeds_check(*shard, MODELS, check);
}
