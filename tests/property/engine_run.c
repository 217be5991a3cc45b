#include "property/engine_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PepaSettings engine_settings(void)
{
    PepaSettings set = {0};
    set.solve.tolerance = 1e-12;
    return set;
}

static double *vector(int64_t count)
{
    double *v = mem_calloc((size_t)count, sizeof *v);
    if (!v)
        abort();
    return v;
}

void engine_solve(EngineRun *run, const PepaSettings *set)
{
    PepaSettings usual = engine_settings();
    run->stage = "solve";
    run->status =
        pepa_solve_steady(run->chain, set ? set : &usual, run->pi, &run->solver, &run->err);
    if (run->status != PEPA_OK)
        return;
    pepa_throughputs(run->chain, run->pi, run->throughput);
    run->stage = "measure";
    run->status = pepa_utilisations(run->chain, run->pi, run->share, &run->err);
    if (run->status == PEPA_OK)
        run->status = pepa_populations(run->chain, run->pi, run->population, &run->err);
}

EngineRun engine_run(const char *text, const PepaReading *how, const PepaSettings *set)
{
    PepaSettings usual = engine_settings();
    EngineRun run = {.stage = "parse"};
    run.status = pepa_model_parse(&run.model, "random", text, strlen(text), how, &run.err);
    if (run.status != PEPA_OK)
        return run;
    run.stage = "derive";
    run.status = pepa_chain_derive(&run.chain, run.model, set ? set : &usual, &run.err);
    if (run.status != PEPA_OK)
        return run;
    run.info = pepa_chain_info(run.chain);
    run.pi = vector(run.info.states);
    run.throughput = vector(run.info.actions);
    run.share = vector(run.info.counts);
    run.population = vector(run.info.local_states);
    engine_solve(&run, set);
    return run;
}

void engine_run_free(EngineRun *run)
{
    pepa_model_free(run->model);
    pepa_chain_free(run->chain);
    mem_free(run->pi);
    mem_free(run->throughput);
    mem_free(run->share);
    mem_free(run->population);
    *run = (EngineRun){0};
}

double engine_throughput(const EngineRun *run, const char *action)
{
    for (int32_t a = 0; a < run->info.actions; a++)
        if (strcmp(pepa_chain_action_name(run->chain, a), action) == 0)
            return run->throughput[a];
    return 0;
}

double engine_population(const EngineRun *run, const char *local)
{
    for (int32_t i = 0; i < run->info.local_states; i++)
        if (strcmp(pepa_chain_local_name(run->chain, i), local) == 0)
            return run->population[i];
    return 0;
}

bool engine_same(double a, double b)
{
    double off = fabs(a - b);
    return off <= 1e-11 || off <= 1e-8 * fmax(fabs(a), fabs(b));
}

bool engine_differs(Text *why, const char *format, ...)
{
    char said[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(said, sizeof said, format, args);
    va_end(args);
    text_add(why, "%s", said);
    return false;
}

static bool throughputs_agree(const EngineRun *a, const EngineRun *b, double scale, Text *why)
{
    for (int32_t i = 0; i < a->info.actions; i++) {
        const char *name = pepa_chain_action_name(a->chain, i);
        double other = engine_throughput(b, name) / scale;
        if (engine_same(a->throughput[i], other))
            continue;
        return engine_differs(why, "throughput %s: %.12g and %.12g", name, a->throughput[i], other);
    }
    return true;
}

static bool populations_agree(const EngineRun *a, const EngineRun *b, Text *why)
{
    for (int32_t i = 0; i < a->info.local_states; i++) {
        const char *name = pepa_chain_local_name(a->chain, i);
        double other = engine_population(b, name);
        if (engine_same(a->population[i], other))
            continue;
        return engine_differs(why, "population %s: %.12g and %.12g", name, a->population[i], other);
    }
    return true;
}

bool engine_throughputs_agree(const EngineRun *a, const EngineRun *b, double scale, Text *why)
{
    if (a->status != b->status)
        return engine_differs(why, "status: %s (%s), then %s (%s)", pepa_status_text(a->status),
                              a->err.message, pepa_status_text(b->status), b->err.message);
    return a->status != PEPA_OK ||
           (throughputs_agree(a, b, scale, why) && throughputs_agree(b, a, 1 / scale, why));
}

bool engine_runs_agree(const EngineRun *a, const EngineRun *b, double scale, Text *why)
{
    return engine_throughputs_agree(a, b, scale, why) &&
           (a->status != PEPA_OK || (populations_agree(a, b, why) && populations_agree(b, a, why)));
}
