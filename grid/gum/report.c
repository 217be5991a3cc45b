/* What a run did: a summary on standard error, and a profile in a file. */
#include "grid/gum/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/gum/files.h"
#include "grid/gum/predict/profile.h"
#include "grid/gum/profiler.h"

int report_new(Gum *gum)
{
    gum->profiler = NULL;
    if (!gum->settings.profile)
        return 0;
    gum->profiler = calloc(1, sizeof *gum->profiler);
    if (!gum->profiler)
        return -1;
    gum->profiler->time = 1;
    return 0;
}

void report_free(Gum *gum)
{
    free(gum->profiler);
    gum->profiler = NULL;
}

/* What process 0 gets of each process. */
typedef struct {
    Counters counters;
    double looks, messages, message_time;
} Row;

static int collect(Gum *gum, const Row *mine, Row *all)
{
    MPI_Request request;
    int status = MPI_Igather(mine, (int)sizeof *mine, MPI_BYTE, all, (int)sizeof *mine, MPI_BYTE, 0,
                             gum->session.transport.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

/* Sums and maxima of levels, on process 0. */
static int collect_levels(Gum *gum, Level *levels)
{
    enum { SUMS = 4 };
    double sums[PROFILER_LEVELS * SUMS], longest[PROFILER_LEVELS], all[PROFILER_LEVELS * SUMS],
        most[PROFILER_LEVELS];
    MPI_Request requests[2];
    for (int i = 0; i < PROFILER_LEVELS; i++) {
        const Level *it = &gum->profiler->level[i];
        sums[SUMS * i] = it->tasks;
        sums[SUMS * i + 1] = it->work;
        sums[SUMS * i + 2] = it->squares;
        sums[SUMS * i + 3] = it->pure;
        longest[i] = it->longest;
    }
    MPI_Comm comm = gum->session.transport.comm;
    int status =
        MPI_Ireduce(sums, all, PROFILER_LEVELS * SUMS, MPI_DOUBLE, MPI_SUM, 0, comm, &requests[0]);
    if (status == MPI_SUCCESS)
        status = clock_await(&requests[0]);
    if (status == MPI_SUCCESS)
        status =
            MPI_Ireduce(longest, most, PROFILER_LEVELS, MPI_DOUBLE, MPI_MAX, 0, comm, &requests[1]);
    if (status == MPI_SUCCESS)
        status = clock_await(&requests[1]);
    for (int i = 0; i < PROFILER_LEVELS && gum->pid == 0; i++)
        levels[i] = (Level){.tasks = all[SUMS * i],
                            .work = all[SUMS * i + 1],
                            .squares = all[SUMS * i + 2],
                            .pure = all[SUMS * i + 3],
                            .longest = most[i]};
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

/* ---- the profile --------------------------------------------------------------------------------- */

static void describe_process(const Gum *gum, const Row *row, int p, ProfileProcess *out)
{
    const Counters *c = &row->counters;
    (void)snprintf(out->host, sizeof out->host, "%.60s", gum->session.peers.each[p].host);
    (void)snprintf(out->cluster, sizeof out->cluster, "%d", (int)gum->tables.fixed[p].cluster);
    out->time = gum->unit / gum->tables.fixed[p].speed;
    out->running = c->running;
    out->fetching = c->fetching;
    out->idle = c->idle;
    out->made = c->made;
    out->taken = c->taken;
    out->pruned = c->inlined;
    out->messages = c->messages;
}

static void describe_levels(const Level *levels, Profile *profile)
{
    for (int i = 0; i < PROFILER_LEVELS && levels[i].tasks > 0; i++) {
        const Level *it = &levels[i];
        double mean = it->work / it->tasks, square = it->squares / it->tasks - mean * mean;
        profile->level[i] = (ProfileLevel){.tasks = (int64_t)it->tasks,
                                           .work = it->work,
                                           .deviation = square > 0 ? sqrt(square) : 0,
                                           .longest = it->longest,
                                           .pure = (int64_t)it->pure};
        profile->levels = i + 1;
    }
}

static double mean(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

static void describe_run(const Gum *gum, const Row *rows, Profile *profile)
{
    double task = 0, result = 0, fetched = 0, given = 0, results = 0, messages = 0, time = 0,
           looks = 0, work = 0;
    for (int p = 0; p < gum->processes; p++) {
        const Counters *c = &rows[p].counters;
        task += (double)c->task_bytes;
        result += (double)c->result_bytes;
        fetched += (double)c->fetched_bytes;
        given += (double)(c->given + c->returned);
        results += (double)c->results;
        messages += rows[p].messages;
        time += rows[p].message_time / profile->process[p].time;
        looks += rows[p].looks;
        work += c->running / profile->process[p].time;
    }
    profile->makespan = gum->makespan;
    profile->critical = gum->critical;
    profile->task_bytes = mean(task, given);
    profile->result_bytes = mean(result, results);
    profile->fetched_bytes = mean(fetched, results);
    profile->message = mean(time, messages);
    profile->slice = mean(work, looks);
}

void report_start(Gum *gum)
{
    if (gum->profiler)
        gum->profiler->time = gum->unit / gum->tables.fixed[gum->pid].speed;
}

static int write_file(Gum *gum, const Profile *profile)
{
    FILE *to = files_open(&file_of_profile);
    return files_close(gum, &file_of_profile, to, !to || profile_write(profile, to));
}

static int write_profile(Gum *gum, const Row *rows, const Level *levels)
{
    const char *name = gum->main_type ? gum->main_type->task.name : "-";
    Profile *profile = calloc(1, sizeof *profile);
    ProfileProcess *process = calloc((size_t)gum->processes, sizeof *process);
    int status = -1;
    if (profile && process) {
        profile->process = process;
        profile->processes = gum->processes;
        (void)snprintf(profile->program, sizeof profile->program, "%.60s", name);
        (void)snprintf(profile->policy, sizeof profile->policy, "%s",
                       policy_text(gum->policy.name));
        for (int p = 0; p < gum->processes; p++)
            describe_process(gum, &rows[p], p, &process[p]);
        describe_levels(levels, profile);
        describe_run(gum, rows, profile);
        status = write_file(gum, profile);
    } else {
        (void)session_out_of_memory(&gum->session);
    }
    free(process);
    free(profile);
    return status;
}

/* ---- the summary --------------------------------------------------------------------------------- */

static void print_summary(const Gum *gum, const Row *rows)
{
    Counters sum = {0};
    (void)fprintf(stderr, "gum: %d processes, policy %s: %.6g s\n", gum->processes,
                  policy_text(gum->policy.name), gum->makespan);
    (void)fprintf(stderr, "%8s %7s %9s %9s %9s %10s %10s %7s %7s %8s %8s %7s\n", "process",
                  "cluster", "running", "fetching", "idle", "made", "inlined", "taken", "given",
                  "fish", "messages", "threads");
    for (int p = 0; p < gum->processes; p++) {
        const Counters *c = &rows[p].counters;
        (void)fprintf(stderr,
                      "%8d %7d %9.3g %9.3g %9.3g %10lld %10lld %7lld %7lld %8lld %8lld %7lld\n", p,
                      (int)gum->tables.fixed[p].cluster, c->running, c->fetching, c->idle,
                      (long long)c->made, (long long)c->inlined, (long long)c->taken,
                      (long long)c->given, (long long)c->fish, (long long)c->messages,
                      (long long)c->most_threads);
        sum.running += c->running;
        sum.made += c->made;
        sum.taken += c->taken;
        sum.fish += c->fish;
        sum.early += c->early;
        sum.nulls += c->nulls;
        sum.messages += c->messages;
        sum.far += c->far;
        sum.returned += c->returned;
        sum.twice += c->twice;
        sum.discarded += c->discarded;
    }
    (void)fprintf(stderr,
                  "gum: %lld sparks, %lld taken, %lld returned, %lld discarded, %lld begun "
                  "twice; %lld messages, %lld "
                  "between clusters; %lld FISH, %lld of them early, %lld NULL; %.1f%% running\n",
                  (long long)sum.made, (long long)sum.taken, (long long)sum.returned,
                  (long long)sum.discarded, (long long)sum.twice, (long long)sum.messages,
                  (long long)sum.far, (long long)sum.fish, (long long)sum.early,
                  (long long)sum.nulls, 100 * mean(sum.running, gum->makespan * gum->processes));
    (void)fflush(stderr);
}

/* ---- both ---------------------------------------------------------------------------------------- */

int report(Gum *gum)
{
    Row mine = {.counters = gum->counters, .looks = (double)gum->looks}, *rows = NULL;
    Level levels[PROFILER_LEVELS] = {0};
    if (!gum->settings.summary && !gum->settings.profile)
        return 0;
    mine.counters.most_threads = gum->threads.most;
    if (gum->profiler) {
        mine.messages = gum->profiler->messages;
        mine.message_time = gum->profiler->message_time;
    }
    if (gum->pid == 0 && !(rows = calloc((size_t)gum->processes, sizeof *rows)))
        (void)session_out_of_memory(&gum->session);
    int status = agree_same(&gum->session, 0, "");
    if (status == 0)
        status = collect(gum, &mine, rows);
    if (status == 0 && gum->profiler)
        status = collect_levels(gum, levels);
    if (status == 0 && gum->pid == 0 && gum->settings.summary)
        print_summary(gum, rows);
    if (status == 0 && gum->pid == 0 && gum->profiler)
        status = write_profile(gum, rows, levels);
    free(rows);
    return agree_same(&gum->session, 0, "") ? -1 : status;
}
