/* Is the result right?  Process 0 does the same job alone, with loops in place of messages.
 *
 * Particles must be where they are then, but for rounding, and momentum as at the beginning, but
 * for what the centres leave out.  The pull of galaxy B on the particles of A, at most a from
 * their centre, and that of A's centre on B's particles are not exactly opposite: by Taylor's
 * theorem, the pull on particles differs from that on their centre by at most 3 a^2 / (R - a)^4
 * times the mass, R the distance of the centres. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "nbody.h"

/* A galaxy in the list of all particles. */
typedef struct {
    int first, count;
} Part;

typedef struct {
    const Job *job;
    const Groups *groups;
    Cloud all;
    Part *part;    /* by galaxy */
    Body *centres; /* by galaxy */
    double drift;  /* of momentum, that centres can leave out */
} Alone;

static int alone_new(Alone *a, const Job *job, const Groups *g)
{
    *a = (Alone){.job = job, .groups = g};
    a->part = calloc((size_t)g->galaxies, sizeof *a->part);
    a->centres = calloc((size_t)g->galaxies, sizeof *a->centres);
    return a->part && a->centres ? cloud_new(&a->all, g->size * job->particles) : -1;
}

static void alone_free(Alone *a)
{
    free(a->part);
    free(a->centres);
    cloud_free(&a->all);
}

static double distance(const double *x, const double *y)
{
    return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

/* The larger one; no number if one is none, which fmax passes over. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

static double radius(const Alone *a, int galaxy)
{
    const Part *part = &a->part[galaxy];
    double most = 0;
    for (int i = part->first; i < part->first + part->count; i++)
        most = larger(most, distance(a->all.body[i].at, a->centres[galaxy].at));
    return most;
}

static void add_drift(Alone *a)
{
    for (int x = 0; x < a->groups->galaxies; x++)
        for (int y = 0; y < a->groups->galaxies; y++) {
            const Body *from = &a->centres[x], *to = &a->centres[y];
            double size = radius(a, x), far = distance(from->at, to->at) - size;
            if (x != y)
                a->drift += a->job->step * from->mass * to->mass * 3 * size * size / pow(far, 4);
        }
}

static void forces_alone(Alone *a)
{
    Cloud *all = &a->all;
    const int galaxies = a->groups->galaxies;
    for (int g = 0; g < galaxies; g++)
        a->centres[g] = cloud_centre(&all->body[a->part[g].first], a->part[g].count);
    for (int g = 0; g < galaxies; g++) {
        const Part *part = &a->part[g];
        forces_add(&all->body[part->first], &all->pull[part->first], part->count,
                   &all->body[part->first], part->count);
        for (int other = 0; other < galaxies; other++)
            if (other != g)
                forces_add(&all->body[part->first], &all->pull[part->first], part->count,
                           &a->centres[other], 1);
    }
    if (galaxies > 1)
        add_drift(a);
}

static void run_alone(Alone *a)
{
    const Groups *g = a->groups;
    for (int galaxy = 0, at = 0; galaxy < g->galaxies; galaxy++) {
        a->part[galaxy] = (Part){at, g->members[galaxy] * a->job->particles};
        cloud_start(&a->all, at, a->part[galaxy].count, galaxy, g->galaxies, 0, a->all.count);
        at += a->part[galaxy].count;
    }
    forces_alone(a);
    for (int s = 0; s < a->job->steps; s++) {
        cloud_drift(&a->all, a->job->step);
        forces_alone(a);
        cloud_kick(&a->all, a->job->step);
    }
}

/* Two orders of summation differ by a few units in the last place of the largest number in each
 * step; over a run shorter than the time in which a galaxy's particles meet, that adds up and no
 * more. */
static double rounding(const Alone *a, double largest)
{
    return 8 * DBL_EPSILON * largest * (a->job->steps + 1);
}

static double largest_place(const Alone *a)
{
    double most = 0;
    for (int i = 0; i < a->all.count; i++)
        for (int k = 0; k < 3; k++)
            most = larger(most, fabs(a->all.body[i].at[k]));
    return most;
}

static int compare(Alone *a, const Body *found, const Conserved *before, const Conserved *after)
{
    /* All masses are 1, speeds less. */
    double apart = 0, most_apart = rounding(a, largest_place(a));
    double momentum = 0, most_momentum = a->drift + rounding(a, 1);
    int bad = 0;
    for (int i = 0; i < a->all.count; i++)
        apart = larger(apart, distance(a->all.body[i].at, found[i].at));
    for (int k = 0; k < 3; k++)
        momentum = larger(momentum, fabs(after->momentum.v[k] - before->momentum.v[k]));
    (void)printf("check: places differ by %.2g (at most %.2g), momentum by %.2g (at most %.2g)\n",
                 apart, most_apart, momentum, most_momentum);
    if (!isfinite(after->energy)) {
        (void)fprintf(stderr, "nbody: the energy is no number: shorter steps may help\n");
        bad = 1;
    }
    if (!(apart <= most_apart) || isinf(most_apart)) {
        (void)fprintf(stderr, "nbody: particles are not where one process alone has them\n");
        bad = 1;
    }
    if (!(momentum <= most_momentum) || isinf(most_momentum)) {
        (void)fprintf(stderr, "nbody: momentum is not conserved\n");
        bad = 1;
    }
    return bad;
}

int check_job(const Job *job, const Groups *g, const Cloud *cloud, const Conserved *before,
              const Conserved *after)
{
    const int numbers = (int)(sizeof(Body) / sizeof(double)) * cloud->count;
    Body *found = NULL;
    Alone alone = {0};
    int bad = 0;
    if (g->rank == 0) {
        found = calloc((size_t)g->size * (size_t)cloud->count, sizeof *found);
        if (alone_new(&alone, job, g) || !found) {
            (void)fprintf(stderr,
                          "nbody: out of memory for the check: fewer particles need less\n");
            (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    }
    /* Ranks of a mapping count from galaxy to galaxy. */
    (void)MPI_Gather(cloud->body, numbers, MPI_DOUBLE, found, numbers, MPI_DOUBLE, 0,
                     MPI_COMM_WORLD);
    if (g->rank == 0) {
        run_alone(&alone);
        bad = compare(&alone, found, before, after);
        alone_free(&alone);
        free(found);
    }
    (void)MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return bad;
}
