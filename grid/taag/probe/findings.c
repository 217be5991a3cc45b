/* What the processes of `taag probe` find: each its own part, all of it on process 0. */
#include "grid/taag/probe/findings.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "grid/core/agree.h"
#include "grid/machine/link_probe.h"
#include "grid/machine/probe.h"

/* Probes of the speed, a millisecond each.  The shortest counts: others are longer by what else the
 * host does, and the first ones by a processor that is still raising its clock. */
enum { SPEED_PROBES = 200 };

static double speed_of_this(void)
{
    double least = HUGE_VAL;
    for (int i = 0; i < SPEED_PROBES; i++)
        least = fmin(least, probe_work());
    return least;
}

/* Room on process 0 for what all others send; bytes, begins: by process. */
static int make_room(Findings *f, Session *session, const int *bytes, int *begins)
{
    size_t all = 0;
    for (int32_t p = 0; p < f->processes; p++) {
        begins[p] = (int)all;
        all += (size_t)bytes[p];
        if (all > INT_MAX)
            return session_fail(session, GRID_EARG,
                                "more than 2 GB of samples: fewer hosts at a time");
    }
    f->count = all / sizeof *f->samples;
    f->samples = malloc(all + 1);
    return f->samples ? 0 : session_out_of_memory(session);
}

static int gather_samples(Findings *f, Session *session, const Sampler *sampler, int *bytes,
                          int *begins)
{
    const Transport *t = &session->transport;
    int own = (int)(sampler->count * sizeof *sampler->samples);
    int status = MPI_Gather(&own, 1, MPI_INT, bytes, 1, MPI_INT, 0, t->comm);
    if (status != MPI_SUCCESS)
        return session_mpi_failed(session, status);
    if (t->rank == 0)
        (void)make_room(f, session, bytes, begins);
    if (agree_same(session, 0, ""))
        return -1;
    status = MPI_Gatherv(sampler->samples, own, MPI_BYTE, f->samples, bytes, begins, MPI_BYTE, 0,
                         t->comm);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(session, status);
}

static int gather(Findings *f, Session *session, const Sampler *sampler, double speed)
{
    const Transport *t = &session->transport;
    const size_t n = t->rank == 0 ? (size_t)t->size : 0;
    int *bytes = calloc(n + 1, sizeof *bytes), *begins = calloc(n + 1, sizeof *begins);
    f->processes = (int32_t)n;
    f->speed = calloc(n + 1, sizeof *f->speed);
    if (!bytes || !begins || !f->speed)
        (void)session_out_of_memory(session);
    int failed = agree_same(session, 0, "");
    if (!failed) {
        int status = MPI_Gather(&speed, 1, MPI_DOUBLE, f->speed, 1, MPI_DOUBLE, 0, t->comm);
        failed = status == MPI_SUCCESS ? gather_samples(f, session, sampler, bytes, begins)
                                       : session_mpi_failed(session, status);
    }
    free(bytes);
    free(begins);
    return failed;
}

int findings_make(Findings *f, Session *session)
{
    Sampler sampler = {0};
    *f = (Findings){0};
    if (sampler_new(&sampler, session, NULL, 1))
        (void)session_out_of_memory(session);
    int failed = agree_same(session, 0, "");
    double speed = failed ? 0 : speed_of_this();
    failed = failed || link_probe_alone(&sampler) || gather(f, session, &sampler, speed);
    sampler_free(&sampler);
    return failed ? -1 : 0;
}

void findings_free(Findings *f)
{
    free(f->speed);
    free(f->samples);
    *f = (Findings){0};
}
