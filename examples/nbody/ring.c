/* Forces in parallel: particles go round a ring within a galaxy, centres between galaxies.
 *
 * With n processes in a galaxy, n - 1 times each sends the particles that it has to the next
 * process and gets those of the one before: n (n - 1) messages.  The first processes of the
 * galaxies exchange masses and centres, all at the same time.  MPI's errors end the program, which
 * is its default. */
#include <stdlib.h>
#include <string.h>

#include "nbody.h"

enum { TAG_RING, TAG_CENTRE, NUMBERS = sizeof(Body) / sizeof(double) };

int ring_new(Ring *ring, const Groups *groups, int count)
{
    *ring = (Ring){.groups = groups, .count = count};
    ring->here = calloc((size_t)count, sizeof *ring->here);
    ring->coming = calloc((size_t)count, sizeof *ring->coming);
    ring->centres = calloc((size_t)groups->galaxies, sizeof *ring->centres);
    ring->request = calloc(2 * (size_t)groups->galaxies, sizeof(MPI_Request));
    return ring->here && ring->coming && ring->centres && ring->request ? 0 : -1;
}

void ring_free(Ring *ring)
{
    free(ring->here);
    free(ring->coming);
    free(ring->centres);
    free((void *)ring->request);
}

/* ---- between galaxies ------------------------------------------------------------------------ */

/* On the first process of a galaxy: its centre to those of the others, and theirs to it. */
static void exchange_centres(Ring *ring)
{
    const Groups *g = ring->groups;
    int count = 0;
    for (int other = 0; other < g->galaxies; other++) {
        if (other == g->galaxy)
            continue;
        (void)MPI_Irecv(&ring->centres[other], NUMBERS, MPI_DOUBLE, g->heads[other], TAG_CENTRE,
                        MPI_COMM_WORLD, &ring->request[count++]);
        (void)MPI_Isend(&ring->centres[g->galaxy], NUMBERS, MPI_DOUBLE, g->heads[other], TAG_CENTRE,
                        MPI_COMM_WORLD, &ring->request[count++]);
    }
    (void)MPI_Waitall(count, ring->request, MPI_STATUSES_IGNORE);
}

/* Masses and centres of all galaxies, on all processes. */
static void find_centres(Ring *ring, const Cloud *cloud)
{
    const Groups *g = ring->groups;
    Body mine = cloud_centre(cloud->body, cloud->count), *own = &ring->centres[g->galaxy];
    if (g->galaxies == 1)
        return;
    for (int k = 0; k < 3; k++)
        mine.at[k] *= mine.mass;
    (void)MPI_Reduce(&mine, own, NUMBERS, MPI_DOUBLE, MPI_SUM, 0, g->group);
    if (g->rank == g->heads[g->galaxy]) {
        for (int k = 0; k < 3; k++)
            own->at[k] /= own->mass;
        exchange_centres(ring);
    }
    (void)MPI_Bcast(ring->centres, NUMBERS * g->galaxies, MPI_DOUBLE, 0, g->group);
}

/* ---- within a galaxy ------------------------------------------------------------------------- */

/* Each block of a galaxy's particles in turn, its own first. */
typedef void Visit(const Cloud *cloud, const Body *block, int count, void *result);

static void go_round(Ring *ring, const Cloud *cloud, Visit *visit, void *result)
{
    const Groups *g = ring->groups;
    const int members = g->members[g->galaxy], self = g->rank - g->heads[g->galaxy];
    const int next = (self + 1) % members, before = (self + members - 1) % members;
    visit(cloud, cloud->body, cloud->count, result);
    memcpy(ring->here, cloud->body, (size_t)ring->count * sizeof *ring->here);
    for (int round = 1; round < members; round++) {
        (void)MPI_Sendrecv(ring->here, NUMBERS * ring->count, MPI_DOUBLE, next, TAG_RING,
                           ring->coming, NUMBERS * ring->count, MPI_DOUBLE, before, TAG_RING,
                           g->group, MPI_STATUS_IGNORE);
        Body *came = ring->coming;
        ring->coming = ring->here;
        ring->here = came;
        visit(cloud, ring->here, ring->count, result);
    }
}

static void add_pull(const Cloud *cloud, const Body *block, int count, void *pull)
{
    forces_add(cloud->body, pull, cloud->count, block, count);
}

static void add_energy(const Cloud *cloud, const Body *block, int count, void *energy)
{
    *(double *)energy += forces_energy(cloud->body, cloud->count, block, count) / 2;
}

void ring_forces(Ring *ring, Cloud *cloud)
{
    const Groups *g = ring->groups;
    find_centres(ring, cloud);
    go_round(ring, cloud, add_pull, cloud->pull);
    for (int other = 0; other < g->galaxies; other++)
        if (other != g->galaxy)
            forces_add(cloud->body, cloud->pull, cloud->count, &ring->centres[other], 1);
}

Conserved ring_conserved(Ring *ring, const Cloud *cloud)
{
    const Groups *g = ring->groups;
    Conserved own = {0, {{0, 0, 0}}}, sum;
    find_centres(ring, cloud);
    go_round(ring, cloud, add_energy, &own.energy);
    for (int other = 0; other < g->galaxies; other++)
        if (other != g->galaxy)
            own.energy += forces_energy(cloud->body, cloud->count, &ring->centres[other], 1) / 2;
    cloud_add_motion(cloud, &own);
    (void)MPI_Allreduce(&own, &sum, sizeof own / sizeof(double), MPI_DOUBLE, MPI_SUM,
                        MPI_COMM_WORLD);
    return sum;
}
