/* Manages a ranker: its threads, its chains, and the state of one call. */
#include "amoget/search/ranker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/search/tuning.h"
#include "base/clock.h"
#include "base/processes.h"

/* ---- the chains ----------------------------------------------------------------------------- */

void amoget_ranker_free(AmogetRanker *ranker)
{
    if (!ranker)
        return;
    for (int w = 0; w < ranker->cache_count; w++)
        chain_cache_free(&ranker->caches[w]);
    mem_free(ranker->caches);
    workers_free(ranker->workers);
    mem_free(ranker->cuts);
    mem_free(ranker);
}

/* Of settled ones. */
static PepaStatus settings_check(const AmogetSettings *set, const char *who, PepaError *err)
{
    if (!amoget_search_name(set->search))
        return error_set(err, PEPA_EARG, "%s: no such search: %d", who, (int)set->search);
    if (set->top < 0 || set->threads < 0 || set->max_states < 0)
        return error_set(err, PEPA_EARG, "%s: top, threads and max_states cannot be negative", who);
    if (!(set->time_limit >= 0) || !(set->tolerance > 0 && set->tolerance < 1))
        return error_set(err, PEPA_EARG,
                         "%s: time_limit must be at least 0, tolerance at least 0 and less than 1",
                         who);
    for (size_t i = 0; i < sizeof set->reserved / sizeof *set->reserved; i++)
        if (set->reserved[i] != 0)
            return error_set(err, PEPA_EARG, "%s: reserved members must be zero", who);
    if (set->processes && !processes_talk(set->processes))
        return error_set(err, PEPA_EARG, "%s: the processes are not as they should be", who);
    return PEPA_OK;
}

/* The settings with the defaults in place of zeros. */
static AmogetSettings settled(const AmogetSettings *set)
{
    AmogetSettings out = set ? *set : (AmogetSettings){0};
    out.threads = out.threads == 0 ? 1 : out.threads < MOST_WORKERS ? out.threads : MOST_WORKERS;
    out.tolerance = out.tolerance == 0 ? 1e-12 : out.tolerance;
    out.max_states = out.max_states == 0 ? 5000000 : out.max_states; /* 14 stages */
    return out;
}

/* Workers, and a cache for each of them. */
static PepaStatus reserve_threads(AmogetRanker *ranker, int count, PepaError *err)
{
    if (count > ranker->cache_count) {
        ChainCache *caches = mem_resize(ranker->caches, (size_t)count, sizeof *caches);
        if (!caches)
            return error_memory(err);
        ranker->caches = caches;
        while (ranker->cache_count < count)
            caches[ranker->cache_count++] = (ChainCache){0};
    }
    if (count == ranker->threads)
        return PEPA_OK;
    Workers *workers = count > 1 ? workers_new(count) : NULL;
    if (count > 1 && !workers)
        return error_memory(err);
    workers_free(ranker->workers);
    ranker->workers = workers;
    ranker->threads = count;
    return PEPA_OK;
}

static PepaStatus first_chain(AmogetRanker *ranker, const AmogetSettings *set, PepaError *err);

static PepaStatus ranker_make(AmogetRanker **out, const AmogetDescription *desc,
                              const AmogetSettings *set, PepaError *err)
{
    if (desc->stages == 0 || desc->machine->processors == 0)
        return error_set(err, PEPA_EMODEL, "the description has no %s",
                         desc->stages == 0 ? "stages" : "processors");
    AmogetRanker *ranker = mem_calloc(1, sizeof *ranker);
    if (!ranker)
        return error_memory(err);
    ranker->desc = desc;
    ranker->stages = desc->stages;
    ranker->processors = desc->machine->processors;
    ranker->max_states = set->max_states;
    ranker->frontier_bytes = (size_t)1 << 29;
    ranker->clock = clock_seconds;
    ranker->many_stages = MANY_STAGES;
    ranker->window = WINDOW;
    Shape shape = shape_free(desc, 0, desc->stages);
    PepaStatus status = shape_check_size(&shape, set->max_states, err);
    if (status == PEPA_OK && set->time_limit <= 0)
        status = first_chain(ranker, set, err);
    if (status == PEPA_OK)
        *out = ranker;
    else
        amoget_ranker_free(ranker);
    return status;
}

PepaStatus amoget_ranker_new(AmogetRanker **out, const AmogetDescription *desc,
                             const AmogetSettings *set, PepaError *err)
{
    if (!out || !desc)
        return error_null(err, "amoget_ranker_new");
    AmogetSettings settings = settled(set);
    AmogetRanker *ranker = NULL;
    Agreement agreement;
    agreement_begin(&agreement, settings.processes);
    PepaStatus status = settings_check(&settings, "amoget_ranker_new", err);
    if (status == PEPA_OK)
        status = ranker_make(&ranker, desc, &settings, err);
    status = agreement_on(&agreement, status, err);
    if (status == PEPA_OK)
        *out = ranker;
    else
        amoget_ranker_free(ranker);
    return status;
}

/* ---- one call --------------------------------------------------------------------------- */

PepaStatus run_start(Run *run, AmogetRanker *ranker, const AmogetSettings *set, const char *who,
                     PepaError *err)
{
    run->ranker = ranker;
    run->set = settled(set);
    run->start = run->told = ranker->clock();
    run->now = (AmogetProgress){.bound = INFINITY};
    run->chains = 0;
    run->enough = false;
    agreement_begin(&run->agreement, NULL);
    PepaStatus status = settings_check(&run->set, who, err);
    if (status == PEPA_OK && (ranker->desc->stages != ranker->stages ||
                              ranker->desc->machine->processors != ranker->processors))
        status = error_set(err, PEPA_EARG,
                           "%s: the description has other stages or processors "
                           "than when the ranker was made",
                           who);
    if (status == PEPA_OK)
        status = reserve_threads(ranker, run->set.threads, err);
    return status;
}

double run_seconds(const Run *run)
{
    return run->ranker->clock() - run->start;
}

bool run_stops(Run *run, int worker)
{
    double clock = run->ranker->clock();
    int why = PEPA_OK, none = PEPA_OK;
    if (run->set.time_limit > 0 && clock - run->start > run->set.time_limit)
        why = PEPA_ELIMIT;
    if (worker == 0 && run->set.progress && clock - run->told > 0.1) {
        run->told = clock;
        run->now.seconds = clock - run->start;
        const int told = run->set.progress(run->set.user, &run->now);
        run->enough = told == AMOGET_ENOUGH;
        if (told != 0)
            why = run->enough ? PEPA_ELIMIT : PEPA_ECANCEL;
    }
    agreement_poll(&run->agreement);
    if (why != PEPA_OK) /* the first reason stands */
        (void)atomic_compare_exchange_strong(&run->agreement.stopped, &none, why);
    return atomic_load(&run->agreement.stopped) != PEPA_OK;
}

bool run_ends(Run *run)
{
    (void)run_stops(run, 0);
    return agreement_ends(&run->agreement);
}

const char *run_end(const Run *run)
{
    return run->enough ? "the search was ended" : "the time limit was reached";
}

PepaStatus run_stopped(Run *run, PepaError *err)
{
    if (atomic_load(&run->agreement.stopped) == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "cancelled");
    if (run->set.search == AMOGET_BEST || run->now.candidates == 1)
        return error_set(err, PEPA_ELIMIT, "%s before any mapping was solved", run_end(run));
    return error_set(err, PEPA_ELIMIT, "%s; a search for the best needs to solve fewer mappings",
                     run_end(run));
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

PepaStatus run_solve(Run *run, int worker, const Shape *shape, const double *seconds,
                     ChainQuestion question, ChainAnswer *answer, PepaChainInfo *info,
                     PepaError *err)
{
    AmogetRanker *ranker = run->ranker;
    PipelineChain *chain;
    Poll poll = {run, worker};
    ChainStop stop = {poll_stop, &poll};
    question.tolerance = run->set.tolerance;
    question.stop = &stop;
    PepaStatus status =
        chain_cache_get(&ranker->caches[worker], shape, ranker->max_states, &stop, &chain, err);
    if (status != PEPA_OK)
        return status == PEPA_ECANCEL ? run_stopped(run, err) : status;
    if (info)
        *info = pipeline_chain_info(chain);
    status = pipeline_chain_solve(chain, seconds, &question, answer, err);
    return status == PEPA_ECANCEL ? run_stopped(run, err) : status;
}

/* Derive the chain that is needed first, so that a pipeline that is too large is refused early. */
static PepaStatus first_chain(AmogetRanker *ranker, const AmogetSettings *set, PepaError *err)
{
    Run run;
    PipelineChain *chain;
    Poll poll = {&run, 0};
    ChainStop stop = {poll_stop, &poll};
    Shape shape = shape_free(ranker->desc, 0, ranker->stages);
    PepaStatus status = run_start(&run, ranker, set, "amoget_ranker_new", err);
    if (status == PEPA_OK)
        status =
            chain_cache_get(&ranker->caches[0], &shape, ranker->max_states, &stop, &chain, err);
    return status == PEPA_ECANCEL ? run_stopped(&run, err) : status;
}

Workers *run_workers(const Run *run, size_t count)
{
    double work = (double)count * pow(3, run->ranker->stages);
    return work < THREAD_STATES ? NULL : run->ranker->workers;
}

/* "p1,p2,p1", as much of it as there is space for. */
static void write_mapping(const Run *run, const int32_t *mapping, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < run->ranker->stages && at < size; i++) {
        int n = snprintf(text + at, size - at, "%s%s", i ? "," : "",
                         amoget_processor_name(amoget_machine(run->ranker->desc), mapping[i]));
        at += n > 0 ? (size_t)n : 0;
    }
}

void run_blame(const Run *run, const int32_t *mapping, PepaError *err)
{
    char why[sizeof err->message], text[80];
    if (!err)
        return;
    write_mapping(run, mapping, text, sizeof text);
    memcpy(why, err->message, sizeof why);
    (void)error_set(err, PEPA_ENOCONV, "mapping (%s): %s", text, why);
}

void run_suggest(const Run *run, const int32_t *mapping, bool listed, PepaError *err)
{
    char text[100];
    write_mapping(run, mapping, text, sizeof text);
    (void)error_set(err, PEPA_ELIMIT,
                    listed ? "%s before any mapping was solved; of those listed (%s) is the most "
                             "promising: allow more time"
                           : "%s before any mapping was solved; the parts of the pipeline suggest "
                             "(%s): list that one, or allow more time",
                    run_end(run), text);
}
