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
#include <string.h>

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
    int32_t direct;    /* the sender reads or writes the receiver's memory itself: transport.h */
    int32_t tag_calls; /* of bsp_set_tagsize since the last superstep of all */
    int32_t unused;
} Header;

/* An entry starts with a word of 8 bytes: an address of 48 bits and a code of 16.
 *
 *   ENTRY_LONG     a put; two words follow: the receiver's address and the size
 *   ENTRY_RUN      puts of numbers at equal distances, the first to the word's address; a word follows:
 *                  how many there are, and the distance in bytes
 *   ENTRY_MESSAGE  a message; a word follows: the size of the payload
 *   other          a put of `code` bytes to the word's address
 *
 * Then come the data of the put, or the tag and the payload of the message, each padded.  So a put of
 * one number takes 16 bytes, and in a run 8. */
enum { ENTRY_LONG = 0, ENTRY_RUN = 0xFFFE, ENTRY_MESSAGE = 0xFFFF, ENTRY_BITS = 48 };

/* Bytes of a number, and of what comes before those of a run. */
enum { NUMBER = 8, RUN_HEAD = 16 };

/* The second word of a run. */
static inline uint64_t run_word(size_t count, uint32_t distance)
{
    return (uint64_t)count << 32 | distance;
}

static inline uint64_t entry_word(unsigned code, uint64_t address)
{
    return (uint64_t)code << ENTRY_BITS | address;
}

static inline unsigned entry_code(uint64_t word)
{
    return (unsigned)(word >> ENTRY_BITS);
}

static inline uint64_t entry_address(uint64_t word)
{
    return word & ((UINT64_C(1) << ENTRY_BITS) - 1);
}

/* A message as it is in a buffer; its tag follows. */
typedef struct {
    uint64_t word, size;
} Message;

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
