/* What a run did: a summary on standard error, and a profile in a file. */
#include "grid/gum/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
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
    enum { SUMS = 3 };
    double sums[PROFILER_LEVELS * SUMS], longest[PROFILER_LEVELS], all[PROFILER_LEVELS * SUMS],
        most[PROFILER_LEVELS];
    MPI_Request requests[2];
    for (int i = 0; i < PROFILER_LEVELS; i++) {
        const Level *it = &gum->profiler->level[i];
        sums[SUMS * i] = it->tasks;
        sums[SUMS * i + 1] = it->work;
        sums[SUMS * i + 2] = it->squares;
        longest[i] = it->longest;
    }
    MPI_Comm comm = gum->session.transport.comm;
    int status = MPI_Ireduce(sums, all, PROFILER_LEVELS * SUMS, MPI_DOUBLE, MPI_SUM, 0, comm,
                             &requests[0]);
    if (status == MPI_SUCCESS)
        status = clock_await(&requests[0]);
    if (status == MPI_SUCCESS)
        status = MPI_Ireduce(longest, most, PROFILER_LEVELS, MPI_DOUBLE, MPI_MAX, 0, comm,
                             &requests[1]);
    if (status == MPI_SUCCESS)
        status = clock_await(&requests[1]);
    for (int i = 0; i < PROFILER_LEVELS && gum->pid == 0; i++)
        levels[i] = (Level){all[SUMS * i], all[SUMS * i + 1], all[SUMS * i + 2], most[i]};
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}
