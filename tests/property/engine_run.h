/* The engine, from text to measures, through its public header only. */
#ifndef PEPA_TESTS_ENGINE_RUN_H
#define PEPA_TESTS_ENGINE_RUN_H

#include "base/mem.h"
#include "pepa.h"

typedef struct {
    PepaStatus status;
    const char *stage; /* "parse", "derive", "solve": where the status comes from */
    PepaError err;
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    PepaInfo solver;
    double *pi, *throughput, *share, *population;
} EngineRun;

/* Parse, derive and solve; NULL: the defaults, with the tolerance of engine_settings. */
EngineRun engine_run(const char *text, const PepaReading *how, const PepaSettings *set);
/* Solve once more what was derived, as it is now. */
void engine_solve(EngineRun *run, const PepaSettings *set);
void engine_run_free(EngineRun *run);

PepaSettings engine_settings(void);

/* By name; 0 for a name that is not there. */
double engine_throughput(const EngineRun *run, const char *action);
double engine_population(const EngineRun *run, const char *local);

/* Say what differs, and be false. */
bool engine_differs(Text *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* To a relative 1e-8: far from the 1e-13 that elimination gives, and as near as rates that are
 * told apart by text (17 digits) and by other orders of summation can be asked to come; below
 * 1e-11 a number counts as 0. */
bool engine_same(double a, double b);

/* Status and throughputs (of b divided by scale) agree; else why says which not. */
bool engine_throughputs_agree(const EngineRun *a, const EngineRun *b, double scale, Text *why);
/* Populations, too. */
bool engine_runs_agree(const EngineRun *a, const EngineRun *b, double scale, Text *why);

#endif
