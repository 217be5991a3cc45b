/* Galaxies of particles that attract each other, on processes that TAAG has placed.
 *
 * Each group of processes holds a galaxy, each process the same number of its particles.  Within a
 * galaxy each particle attracts each; other galaxies, which are far, act as one heavy particle
 * each.  So particles go round a ring within a group, and groups tell each other their mass and
 * its centre.
 * Units: the constant of gravitation is 1, the mass of all particles 1, the radius of a galaxy 1.
 * Source: Bosa, Schreiner, A supercomputing API for the grid, section 7. */
#ifndef NBODY_H
#define NBODY_H

#include <mpi.h>
#include <stddef.h>

typedef struct {
    double mass, at[3];
} Body;

typedef struct {
    double v[3];
} Vector;

/* What all processes do. */
typedef struct {
    char *mapping; /* the file */
    int particles; /* of a process */
    int steps;
    double step; /* length of one, in units of time */
    int check;
} Job;

/* Groups of processes, from the mapping. */
typedef struct {
    int rank, size; /* of MPI_COMM_WORLD */
    int galaxy;     /* of this process */
    int galaxies;   /* how many */
    int *members;   /* by galaxy: its processes */
    int *heads;     /* by galaxy: the rank of its first process */
    MPI_Comm group; /* the processes of this galaxy, in the order of ranks */
} Groups;

/* Particles of one process, or of all where a program runs alone. */
typedef struct {
    int count;
    Body *body;
    Vector *velocity, *pull; /* pull: acceleration */
} Cloud;

/* Sums that no force between particles changes. */
typedef struct {
    double energy;
    Vector momentum;
} Conserved;

/* ---- groups.c: NULL where memory is out or TAAG failed, which is told on stderr -------------- */

Groups *groups_new(char *mapping);
void groups_free(Groups *groups);

/* ---- cloud.c --------------------------------------------------------------------------------- */

/* Room for particles; 0, or -1: out of memory (free is legal). */
int cloud_new(Cloud *cloud, int count);
void cloud_free(Cloud *cloud);
/* Particles first, first + 1, ... of a galaxy as they are at time 0, at index `at` and behind.
 * They depend on these numbers only: any process can make those of another.  total: particles of
 * all galaxies. */
void cloud_start(Cloud *cloud, int at, int count, int galaxy, int galaxies, int first, int total);
/* The first half of a leap-frog step: velocities by half a step, then places by a whole one. */
void cloud_drift(Cloud *cloud, double step);
/* Velocities by half a step: the second half. */
void cloud_kick(Cloud *cloud, double step);
/* Add kinetic energy and momentum. */
void cloud_add_motion(const Cloud *cloud, Conserved *sum);
/* Mass and centre of particles. */
Body cloud_centre(const Body *body, int count);

/* ---- forces.c -------------------------------------------------------------------------------- */

/* Add to pull[count] what `others` bodies do to `count` ones.  A body does nothing to itself. */
void forces_add(const Body *body, Vector *pull, int count, const Body *other, int others);
/* The potential energy of `count` bodies in the field of `others`; 0 of a body with itself. */
double forces_energy(const Body *body, int count, const Body *other, int others);

/* ---- ring.c: one process's part -------------------------------------------------------------- */

/* Messages and bodies on their way, of one process. */
typedef struct {
    const Groups *groups;
    int count;            /* particles of a process */
    Body *here, *coming;  /* count */
    Body *centres;        /* by galaxy */
    MPI_Request *request; /* 2 x galaxies */
} Ring;

int ring_new(Ring *ring, const Groups *groups, int count);
void ring_free(Ring *ring);
/* Add to cloud->pull what all particles do to this process's ones.  Collective. */
void ring_forces(Ring *ring, Cloud *cloud);
/* Energy and momentum of all galaxies, the same on all processes.  Collective. */
Conserved ring_conserved(Ring *ring, const Cloud *cloud);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Collective.  Process 0 does the whole job alone, and compares.  Nonzero: something is wrong,
 * which it has told. */
int check_job(const Job *job, const Groups *groups, const Cloud *cloud, const Conserved *before,
              const Conserved *after);

#endif
