/* Registrations: which address of another process belongs to an address of this one.
 *
 * Each process knows all addresses and sizes of all processes, so that a put is checked where it is
 * called and the receiver looks nothing up.  Pushes and pops take effect at the end of a superstep,
 * in the order of the calls.  A registration is named by a serial number, the same on all
 * processes, as all push in the same order.  Nothing here communicates or prints. */
#ifndef GRID_BSP_REGISTRY_H
#define GRID_BSP_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#include "grid/bsp/stacks.h"
#include "grid/bsp/wire.h"
#include "grid/core/buffer.h"

/* A process's part in a registration. */
typedef struct {
    uint64_t address, size; /* 0: NULL */
} Area;

typedef struct {
    int nprocs, pid;
    /* As they are until the superstep ends.  By this process's address; where that is NULL, which
     * may be part of many, by serial number. */
    Stacks held;
    Area *areas;          /* number in `held` x process */
    size_t area_capacity; /* of numbers */
    size_t all_null;      /* registrations in which all gave NULL: all alike, and not in `held` */
    uint64_t next_serial;
    /* As this process's calls so far will make them. */
    Stacks called; /* by its address; not NULL, of which a pop does not say which one it means */
    uint64_t next_called;
    GridBuffer changes;    /* Change: this superstep's */
    uint64_t last_address; /* what registry_search found last; 0, of no area: nothing */
    const Area *last_areas;
} Registry;

/* 0; -1: out of memory (registry_free is legal). */
int registry_new(Registry *registry, int nprocs, int pid);
void registry_free(Registry *registry);

/* The areas of all processes that this process names by `address`; NULL: there is none. */
const Area *registry_search(Registry *registry, uint64_t address);
/* The same, quicker if it was found the last time. */
static inline const Area *registry_find(Registry *registry, uint64_t address)
{
    return address == registry->last_address ? registry->last_areas
                                             : registry_search(registry, address);
}

/* For the end of this superstep, in constant time.  0; -1: out of memory. */
int registry_push(Registry *registry, uint64_t address, size_t size);
/* Also -2: this address is not registered. */
int registry_pop(Registry *registry, uint64_t address);

/* What processes changed differently. */
typedef struct {
    enum {
        MISMATCH_NONE,
        MISMATCH_COUNT,  /* one changed more than the other */
        MISMATCH_KIND,   /* one pushed where the other popped */
        MISMATCH_SERIAL, /* they popped different registrations */
        MISMATCH_NULL,   /* all popped NULL, which is not registered by all */
        MISMATCH_MEMORY
    } what;
    size_t at;        /* of the changes, from 0 */
    int first, other; /* processes; the first has the earlier part */
    size_t counts[2]; /* of MISMATCH_COUNT */
    int pops;         /* of MISMATCH_COUNT: the first change that one lacks is a pop */
} Mismatch;

/* The superstep has ended: `changes` has those of each process, `counts` how many.  Time: of all
 * these changes. */
Mismatch registry_apply(Registry *registry, const Change *const *changes, const size_t *counts);

#endif
