/* What a process sends another at the end of a superstep: one contiguous message.
 *
 *   Header | entries: puts and messages | requests of gets | changes of registrations
 *
 * Entries are written at the time of the call, the rest at the end.  The receiver's addresses are
 * known to the sender (registry.h), so that it need not look them up.  Every part starts at a
 * multiple of 8 bytes. */
#ifndef GRID_BSP_WIRE_H
#define GRID_BSP_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* The call that ended the superstep. */
typedef enum { CALL_SYNC, CALL_END, CALL_SYNC_GROUP, CALL_PUSH_GROUP } Call;

typedef struct {
    uint64_t total;    /* bytes, this header included */
    uint64_t requests; /* where requests start; their end is `changes` */
    uint64_t changes;  /* where changes of registrations start; their end is `total` */
    int32_t call;      /* a Call */
    int32_t depth;     /* of the group that ends the superstep; 0: all processes */
    int32_t tag_size;  /* of the next superstep */
    int32_t colour;    /* of CALL_PUSH_GROUP */
    int32_t superstep;
    int32_t unused[3];
} Header;

typedef enum { ENTRY_PUT, ENTRY_MESSAGE, ENTRY_DIRECT } EntryKind;

/* Before the data of a put (padded), or the tag and the payload of a message (both padded).
 * ENTRY_DIRECT: the data of the put come separately, or have been written already. */
typedef struct {
    uint64_t address; /* of a put: the receiver's */
    uint32_t size;    /* of the data or the payload */
    uint32_t kind;    /* an EntryKind */
} Entry;

/* A get: send me these bytes of yours. */
typedef struct {
    uint64_t address, size;
} Request;

typedef enum { CHANGE_PUSH, CHANGE_POP } ChangeKind;

/* A change of registrations, the sender's part in it. */
typedef struct {
    uint64_t address; /* 0: NULL */
    uint64_t size;    /* of a push */
    uint64_t serial;  /* of a pop: which registration, unless the address is NULL */
    uint64_t kind;    /* a ChangeKind */
} Change;

static inline size_t wire_pad(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

#endif
