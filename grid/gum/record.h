/* Futures: a record for each task that was sparked here or came from another process.
 *
 * Records lie in slabs that are freed when the run ends, so that a record's address, with its stamp,
 * names it to other processes.  A stamp changes when its record is freed: old handles do not fit any
 * more.  No MPI here. */
#ifndef GRID_GUM_RECORD_H
#define GRID_GUM_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "grid/gum/gum.h"

typedef struct GumRecord Record;
struct Thread;

enum {
    RECORD_INLINE = 64,    /* bytes of argument and result that need no block of their own */
    RECORD_PID_SHIFT = 40, /* a stamp is the process, then a count */
    RECORDS_OF_A_SLAB = 256
};

typedef struct {
    GumTask task;
    size_t result_at, size; /* of argument and result together, the result from result_at on */
    /* Bytes of an argument, a result that are copied in a few instructions, of tasks whose values need
     * nothing more: 4, 8 or 16; else 0. */
    int32_t quick_argument, quick_result, quick; /* both */
    int pure;                                    /* gum_pure */
    int64_t weight; /* nanoseconds that a task without sparks of its own takes */
    int measured;   /* that was measured; before that it is more than any budget */
} Type;

typedef enum {
    RECORD_FREE,
    RECORD_SPARK,   /* in the pool */
    RECORD_HELD,    /* not in the pool, not begun: whoever forces it runs it */
    RECORD_RUNNING, /* here */
    RECORD_AWAY,    /* another process has it */
    RECORD_DONE
} RecordState;

enum {
    ODD_DATA = 1,   /* data is not bytes */
    ODD_OWNER = 2,  /* of another process */
    ODD_ORPHAN = 4, /* freed while it runs */
    ODD_TWICE = 8   /* runs on two processes: its first result counts */
};

/* A record of some process. */
typedef struct {
    uint64_t address, stamp;
} RecordId;

/* What most tasks need is on two cache lines. */
struct GumRecord {
    uint64_t stamp;
    Type *type;
    Record **slot; /* RECORD_SPARK: its place in the pool */
    Record *next;  /* in the list of free ones */
    struct Thread *waiting;
    struct Thread *runner; /* RECORD_RUNNING */
    uint8_t state;
    uint8_t odd;   /* bits: what its end has to look at besides */
    uint8_t asked; /* its process was asked for it */
    int32_t owner; /* the process that made the spark */
    void *data;    /* argument and result */
    _Alignas(16) unsigned char bytes[RECORD_INLINE];
    int32_t level;  /* of the task, for the profile */
    int32_t hops;   /* owner is another: moves so far; else that of the newest ACK */
    int32_t sent;   /* owner is this process: moves that began here, or ended here */
    int32_t at;     /* RECORD_AWAY: the process that has it, -1: on its way */
    RecordId id;    /* owner is another process: the record there */
    RecordId there; /* RECORD_AWAY: its record at that process */
    double own;     /* profile: work of one that is ODD_TWICE */
    double path;    /* profile: the longest chain of work up to its start, or end */
};

typedef struct Slab Slab;
typedef struct {
    Record *free; /* of these owner, waiting and odd are as of a new spark */
    Slab *slabs;
    int32_t pid;
} Records;

/* Starts as {.pid = pid}.  A record from the list, RECORD_HELD, with room for the
 * values of its type; NULL: out of memory. */
Record *record_slow(Records *records, Type *type);
static inline Record *record_new(Records *records, Type *type)
{
    Record *record = records->free;
    if (__builtin_expect(!record || type->size > RECORD_INLINE, 0))
        return record_slow(records, type);
    records->free = record->next;
    record->type = type;
    return record;
}
/* Without its values, which are cleared by now, and without threads that wait for it. */
void record_free_slow(Records *records, Record *record);
/* The same of one that is not odd. */
static inline void record_free_quick(Records *records, Record *record)
{
    record->stamp++;
    record->state = RECORD_FREE;
    record->next = records->free;
    records->free = record;
}
static inline void record_free(Records *records, Record *record)
{
    if (__builtin_expect(record->odd, 0))
        record_free_slow(records, record);
    else
        record_free_quick(records, record);
}
/* All, with the values that are left. */
void records_free(Records *records);

static inline void *record_result(Record *record)
{
    return (unsigned char *)record->data + record->type->result_at;
}
static inline RecordId record_id(const Record *record)
{
    return (RecordId){(uint64_t)(uintptr_t)record, record->stamp};
}
/* Has the task ended that a thread began, or is to begin? */
static inline int record_ended(const Record *record)
{
    return record->state != RECORD_RUNNING && record->state != RECORD_HELD;
}
/* The record of this process with this id; NULL: it was freed since. */
Record *record_find(RecordId id);

#endif
