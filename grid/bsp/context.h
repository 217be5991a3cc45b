/* The state of a BSP program on this process, and the end of a program that makes a mistake.
 *
 * BSPlib's calls have no handle: bsp_now, and copies of two of its members, are the only mutable data of the
 * library. */
#ifndef GRID_BSP_CONTEXT_H
#define GRID_BSP_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "grid/bsp/group.h"
#include "grid/bsp/record.h"
#include "grid/bsp/registry.h"
#include "grid/bsp/transport.h"

typedef enum { PHASE_BEFORE, PHASE_INIT, PHASE_INSIDE, PHASE_AFTER } Phase;

/* A get of this process: where to write what comes. */
typedef struct {
    void *to;
    uint32_t size;
    int32_t from;
} Get;

/* An unbuffered put or get between the memories of two processes. */
typedef struct {
    void *here;
    uint64_t there;
    uint32_t size;
    int32_t with, write;
} Copy;

/* The messages of the last superstep. */
typedef struct {
    const Message **each;
    size_t count, capacity, next;
    uint64_t bytes; /* payloads of those that are left */
    size_t tag_size;
} Queue;

typedef struct {
    Phase phase;
    int finalize; /* this library has called MPI_Init */
    int available, nprocs, pid, superstep;
    double start;
    Transport transport;
    Registry registry;
    Groups groups;
    Get *gets;
    size_t get_count, get_capacity;
    Copy *copies;
    size_t copy_count, copy_capacity;
    int32_t *copies_with; /* by process: how many */
    uint64_t *asked;      /* by process: the bytes of gets from it */
    GridBuffer *requests; /* by process: Request */
    uint64_t *given;      /* by process: the bytes that this process owes it */
    Queue queue;
    int tag_size, next_tag_size, tag_calls;
    Record record;
} Bsp;

extern Bsp *bsp_now __attribute__((visibility("hidden")));
/* Within bsp_begin and bsp_end nprocs, otherwise 0, and transport.out: what each put of a number reads. */
extern unsigned bsp_reach __attribute__((visibility("hidden")));
extern Outbox *bsp_out __attribute__((visibility("hidden")));

/* Print "CALL: process P, superstep S: what", and end all processes. */
void context_fail(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* The same where all processes of a group find the same mistake: the first one prints it. */
void context_fail_all(const char *call, int speaker, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void context_out_of_memory(const char *call) __attribute__((noreturn));

/* The call does not lie within bsp_begin and bsp_end (spmd.c). */
void context_outside(const char *call) __attribute__((noreturn));
/* The context within bsp_begin and bsp_end; otherwise the program ends. */
static inline Bsp *context_inside(const char *call)
{
    if (!bsp_now || bsp_now->phase != PHASE_INSIDE)
        context_outside(call);
    return bsp_now;
}

/* count x size bytes for `bsp_now`; at least 1.  Never NULL. */
void *context_allocate(const char *call, size_t count, size_t size);
/* *array of *capacity elements gets room for `count`; what is in it stays. */
void context_reserve(const char *call, void **array, size_t *capacity, size_t count, size_t size);

/* End all processes now, with exit status 1. */
void context_stop(void) __attribute__((noreturn));

#endif
