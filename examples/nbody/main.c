/* nbody MAPPING PARTICLES STEPS [--step LENGTH] [--check]: galaxies on the processes of a mapping.
 *
 * `taag run DESCRIPTION -- nbody PARTICLES STEPS` starts it.  PARTICLES: of one process. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nbody.h"

/* Places are 32 bytes, and MPI counts numbers of 8 in an int. */
enum { MOST_PARTICLES = INT_MAX / 4 };

static const char usage[] =
    "usage: nbody MAPPING PARTICLES STEPS [--step LENGTH] [--check]\n"
    "PARTICLES of each process, for STEPS of the time LENGTH (0.001).  --check: process 0 does "
    "the\n"
    "same alone, and compares.  taag run DESCRIPTION -- nbody PARTICLES STEPS starts it.\n";

static int read_count(const char *text, int *out)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 0 || value > MOST_PARTICLES)
        return -1;
    *out = (int)value;
    return 0;
}

static int read_step(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out > 0 ? 0 : -1;
}

/* 0, or -1: wrong. */
static int read_job(Job *job, int argc, char **argv)
{
    *job = (Job){.step = 0.001};
    int words = 0;
    for (int i = 1; i < argc; i++) {
        int good = 1;
        if (strcmp(argv[i], "--check") == 0)
            job->check = 1;
        else if (strcmp(argv[i], "--step") == 0)
            good = i + 1 < argc && read_step(argv[++i], &job->step) == 0;
        else if (words == 0)
            job->mapping = argv[i], words++;
        else if (words == 1)
            good = read_count(argv[i], &job->particles) == 0 && job->particles > 0, words++;
        else
            good = words++ == 2 && read_count(argv[i], &job->steps) == 0;
        if (!good)
            return -1;
    }
    return words == 3 ? 0 : -1;
}

static void start(const Job *job, const Groups *g, Cloud *cloud)
{
    cloud_start(cloud, 0, job->particles, g->galaxy, g->galaxies,
                (g->rank - g->heads[g->galaxy]) * job->particles, g->size * job->particles);
}

/* Seconds that the steps took on the process that was slowest. */
static double simulate(const Job *job, Ring *ring, Cloud *cloud)
{
    (void)MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime(), most;
    for (int s = 0; s < job->steps; s++) {
        cloud_drift(cloud, job->step);
        ring_forces(ring, cloud);
        cloud_kick(cloud, job->step);
    }
    seconds += MPI_Wtime();
    (void)MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void report(const Job *job, const Groups *g, double seconds, const Conserved *before,
                   const Conserved *after)
{
    if (g->rank > 0)
        return;
    (void)printf("nbody: %d galax%s on", g->galaxies, g->galaxies > 1 ? "ies" : "y");
    for (int a = 0; a < g->galaxies; a++)
        (void)printf("%s %d", a ? "," : "", g->members[a]);
    (void)printf(" process%s, %d particles each, %d steps of %g\n", g->size > 1 ? "es" : "",
                 job->particles, job->steps, job->step);
    (void)printf("energy %.9g, changed by %.2g of it\n", after->energy,
                 fabs(after->energy / before->energy - 1));
    (void)printf("%.6f seconds\n", seconds);
}

static int run(const Job *job)
{
    Groups *g = groups_new(job->mapping);
    if (!g)
        return EXIT_FAILURE;
    Cloud cloud = {0};
    Ring ring = {0};
    if ((double)job->particles * g->size > MOST_PARTICLES || cloud_new(&cloud, job->particles) ||
        ring_new(&ring, g, job->particles)) {
        (void)fprintf(stderr, "nbody: no memory for %d particles on each of %d processes\n",
                      job->particles, g->size);
        (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    start(job, g, &cloud);
    ring_forces(&ring, &cloud);
    Conserved before = ring_conserved(&ring, &cloud);
    double seconds = simulate(job, &ring, &cloud);
    Conserved after = ring_conserved(&ring, &cloud);
    report(job, g, seconds, &before, &after);
    int bad = job->check && check_job(job, g, &cloud, &before, &after);
    ring_free(&ring);
    cloud_free(&cloud);
    groups_free(g);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    Job job;
    int status = 2, rank;
    (void)MPI_Init(&argc, &argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (read_job(&job, argc, argv) == 0)
        status = run(&job);
    else if (rank == 0)
        (void)fputs(usage, stderr);
    (void)MPI_Finalize();
    return status;
}
