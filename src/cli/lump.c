/* pepa solve --lump: measures from the lumped chain. */
#include <stdlib.h>

#include "report.h"

#include <pepa_lump.h>

static int lumped_json(const Session *s, const PepaLumpingInfo *lumped)
{
    json_begin(s);
    (void)printf(", \"aggregated\": %s,\n"
                 "  \"deadlocks\": %d, \"bottom_components\": %d",
                 s->info.aggregated ? "true" : "false", s->info.deadlocks,
                 s->info.bottom_components);
    json_measures(s);
    (void)printf(",\n  \"lumped\": { \"from\": %lld, \"to\": %lld, \"transitions\": %lld, "
                 "\"spread\": " FULL " }",
                 (long long)lumped->states, (long long)lumped->blocks,
                 (long long)lumped->transitions, lumped->spread);
    json_solver(s);
    (void)printf(",\n  \"seconds\": { \"parse\": %.9f, \"derive\": %.9f, \"lump\": %.9f, "
                 "\"solve\": %.9f, \"matrix\": %.9f }",
                 s->parse_seconds, s->derive_seconds, s->lump_seconds, s->solved.seconds,
                 s->solved.matrix_seconds);
    json_memory(s);
    (void)printf(" }\n");
    return finish_output();
}

static int lumped_csv(const Session *s, const PepaLumpingInfo *lumped)
{
    (void)printf("measure,component,position,name,value\n"
                 "states,,,," FULL "\ntransitions,,,," FULL "\nlumped,,,," FULL
                 "\nresidual,,,%s," FULL "\n",
                 (double)s->info.states, (double)s->info.transitions, (double)lumped->blocks,
                 s->solved.method, s->solved.residual);
    csv_measures(s);
    return finish_output();
}

static int lumped_text(const Session *s, const PepaLumpingInfo *lumped)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    text_begin(s);
    (void)printf("Lumped from %s to %s state%s", number_grouped(lumped->states, from),
                 number_grouped(lumped->blocks, to), lumped->blocks == 1 ? "" : "s");
    if (lumped->spread > 0)
        (void)printf("; rates of states that were put together differ by %.1e at most",
                     lumped->spread);
    (void)printf(".\n");
    if (s->info.bottom_components > 1)
        (void)printf("The long run depends on chance: measures are means over %d bottom "
                     "components.\n",
                     s->info.bottom_components);
    text_measures(s);
    (void)printf("\n");
    text_solved(s);
    return finish_output();
}

/* s->measured and s->solved, from the lumped chain. */
static int measure_lumped(Session *s, PepaLumpingInfo *lumped)
{
    PepaError err = {0};
    PepaLumping *lumping = NULL;
    const PepaSettings set = session_settings(s);
    s->measured = calloc((size_t)pepa_measures_count(s->measures) + 1, sizeof *s->measured);
    if (!s->measured)
        return out_of_memory();
    double start = clock_seconds();
    PepaStatus status = pepa_lumping_new(&lumping, s->chain, s->measures, &set, &err);
    s->lump_seconds = clock_seconds() - start;
    if (status == PEPA_OK) {
        *lumped = pepa_lumping_info(lumping);
        start = clock_seconds();
        status = pepa_lumping_solve(lumping, &set, NULL, s->measured, &s->solved, &err);
        s->solved.seconds = clock_seconds() - start;
    }
    pepa_lumping_free(lumping);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    session_warn_missing(s);
    return EXIT_SOLVED;
}

int solve_lumped(Session *s)
{
    PepaLumpingInfo lumped = {0};
    int status = session_default_measures(s);
    if (status == EXIT_SOLVED)
        status = measure_lumped(s, &lumped);
    if (status != EXIT_SOLVED)
        return status;
    return s->options->json  ? lumped_json(s, &lumped)
           : s->options->csv ? lumped_csv(s, &lumped)
                             : lumped_text(s, &lumped);
}
