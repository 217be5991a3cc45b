#include "amoget/ranker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Parts of a pipeline are worth looking at when they cost next to nothing beside the whole. */
enum { PARTS_FROM = 9, LEFT_OUT = 2 };

/* ---- the chains ----------------------------------------------------------------------------- */

void amoget_ranker_free(AmogetRanker *ranker)
{
    if (!ranker)
        return;
    for (int l = 0; l < 2 * ranker->line_count; l++)
        line_free(ranker->lines[l]);
    mem_free(ranker->lines);
    mem_free(ranker->slopes);
    mem_free(ranker);
}

static PepaStatus settings_check(const AmogetSettings *set, const char *who, PepaError *err)
{
    if (!amoget_search_name(set->search))
        return error_set(err, PEPA_EARG, "%s: no such search: %d", who, (int)set->search);
    if (set->top < 0 || set->threads < 1 || set->max_states < 1)
        return error_set(err, PEPA_EARG,
                         "%s: top >= 0, threads >= 1 and max_states >= 1 are needed", who);
    if (!(set->time_limit >= 0) || !(set->tolerance > 0 && set->tolerance < 1))
        return error_set(err, PEPA_EARG,
                         "%s: time_limit >= 0 and a tolerance between 0 and 1 are needed", who);
    return PEPA_OK;
}

AmogetSettings amoget_settings_default(void)
{
    PepaSettings pepa = pepa_settings_default();
    return (AmogetSettings){.search = AMOGET_AUTO,
                            .threads = 1,
                            .tolerance = 1e-12,
                            .max_states = pepa.max_states,
                            .doubled = 1};
}

static PepaStatus reserve_lines(AmogetRanker *ranker, int count, PepaError *err)
{
    if (count <= ranker->line_count)
        return PEPA_OK;
    Line **lines = mem_resize(ranker->lines, 2 * (size_t)count, sizeof *lines);
    if (!lines)
        return error_memory(err);
    ranker->lines = lines;
    for (; ranker->line_count < count; ranker->line_count++)
        lines[2 * ranker->line_count] = lines[2 * ranker->line_count + 1] = NULL;
    return PEPA_OK;
}

PepaStatus amoget_ranker_new(AmogetRanker **out, const AmogetDescription *desc,
                             const AmogetSettings *set, PepaError *err)
{
    AmogetSettings plain = amoget_settings_default();
    if (!out || !desc)
        return error_set(err, PEPA_EARG, "amoget_ranker_new: an argument is NULL");
    if (!set)
        set = &plain;
    PepaStatus status = settings_check(set, "amoget_ranker_new", err);
    if (status == PEPA_OK && (desc->stages == 0 || desc->processors == 0))
        status = error_set(err, PEPA_EMODEL, "the description has no %s",
                           desc->stages == 0 ? "stages" : "processors");
    if (status != PEPA_OK)
        return status;
    AmogetRanker *ranker = mem_calloc(1, sizeof *ranker);
    if (!ranker)
        return error_memory(err);
    ranker->desc = desc;
    ranker->stages = desc->stages;
    ranker->processors = desc->processors;
    ranker->part = desc->stages >= PARTS_FROM ? desc->stages - LEFT_OUT : 0;
    ranker->max_states = set->max_states;
    status = reserve_lines(ranker, 1, err);
    if (status == PEPA_OK)
        status = line_new(&ranker->lines[0], desc->stages, set->max_states, err);
    if (status == PEPA_OK) {
        ranker->info = line_info(ranker->lines[0]);
        *out = ranker;
    } else {
        amoget_ranker_free(ranker);
    }
    return status;
}

/* ---- one call ---------------------------------------------------------------------------------
 */

static double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

PepaStatus run_start(Run *run, AmogetRanker *ranker, const AmogetSettings *set, const char *who,
                     PepaError *err)
{
    run->ranker = ranker;
    run->set = set ? *set : amoget_settings_default();
    run->start = run->told = clock_seconds();
    run->now = (AmogetProgress){.bound = INFINITY};
    atomic_init(&run->chains, 0);
    atomic_init(&run->stopped, PEPA_OK);
    PepaStatus status = settings_check(&run->set, who, err);
    if (status == PEPA_OK &&
        (ranker->desc->stages != ranker->stages || ranker->desc->processors != ranker->processors))
        status = error_set(err, PEPA_EARG,
                           "%s: the description has other stages or processors "
                           "than when the ranker was made",
                           who);
    if (status == PEPA_OK)
        status = reserve_lines(ranker, run->set.threads, err);
    return status;
}

double run_seconds(const Run *run)
{
    return clock_seconds() - run->start;
}

bool run_stops(Run *run, int worker)
{
    double clock = clock_seconds();
    if (run->set.time_limit > 0 && clock - run->start > run->set.time_limit)
        atomic_store(&run->stopped, PEPA_ELIMIT);
    if (worker == 0 && run->set.progress && clock - run->told > 0.1) {
        run->told = clock;
        run->now.seconds = clock - run->start;
        if (run->set.progress(run->set.user, &run->now) != 0)
            atomic_store(&run->stopped, PEPA_ECANCEL);
    }
    return atomic_load(&run->stopped) != PEPA_OK;
}

PepaStatus run_stopped(Run *run, PepaError *err)
{
    if (atomic_load(&run->stopped) == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "cancelled");
    return error_set(err, PEPA_ELIMIT, "the time limit of %g s was reached after %lld chains; %s",
                     run->set.time_limit, (long long)atomic_load(&run->chains),
                     run->set.search == AMOGET_BEST ? "no mapping was solved by then"
                                                    : "a search for the best needs fewer");
}

typedef struct {
    Run *run;
    int worker;
} Poll;

static int poll_stop(void *user)
{
    Poll *poll = user;
    return run_stops(poll->run, poll->worker);
}

static PepaStatus solve(Run *run, int worker, bool part, const double *seconds, bool shares,
                        LineAnswer *answer, PepaError *err)
{
    AmogetRanker *ranker = run->ranker;
    Line **line = &ranker->lines[2 * worker + part];
    PepaStatus status = PEPA_OK;
    if (!*line)
        status = line_new(line, part ? ranker->part : ranker->stages, ranker->max_states, err);
    if (status != PEPA_OK)
        return status;
    Poll poll = {run, worker};
    LineQuestion question = {run->set.tolerance, shares, poll_stop, &poll};
    status = line_solve(*line, seconds, &question, answer, err);
    return status == PEPA_ECANCEL ? run_stopped(run, err) : status;
}

PepaStatus run_solve(Run *run, int worker, const double *seconds, bool shares, LineAnswer *answer,
                     PepaError *err)
{
    atomic_fetch_add(&run->chains, 1);
    return solve(run, worker, false, seconds, shares, answer, err);
}

PepaStatus run_solve_part(Run *run, int worker, const double *seconds, LineAnswer *answer,
                          PepaError *err)
{
    return solve(run, worker, true, seconds, true, answer, err);
}

int run_threads(const Run *run, size_t count)
{
    enum { WORTH_A_THREAD = 50000 }; /* states to solve for, all in all: some milliseconds */
    double work = (double)count * run->ranker->info.states;
    return work < WORTH_A_THREAD ? 1 : run->set.threads;
}

void run_blame(const Run *run, const int32_t *mapping, PepaError *err)
{
    char why[sizeof err->message], text[80];
    size_t at = 0;
    if (!err)
        return;
    for (int32_t i = 0; i < run->ranker->stages && at < sizeof text; i++) {
        int n = snprintf(text + at, sizeof text - at, "%s%s", i ? "," : "",
                         amoget_processor_name(run->ranker->desc, mapping[i]));
        at += n > 0 ? (size_t)n : 0;
    }
    memcpy(why, err->message, sizeof why);
    (void)error_set(err, PEPA_ENOCONV, "mapping (%s): %.150s", text, why);
}
