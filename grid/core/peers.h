/* The processes of a run: their hosts and their clocks.
 *
 * Processes of one machine read the same clock.  Clocks of different machines differ by an offset,
 * which a run-time may measure with messages there and back and record here. */
#ifndef GRID_CORE_PEERS_H
#define GRID_CORE_PEERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    char host[64];
    uint64_t clock; /* equal for processes that read the same clock */
} Peer;

typedef struct {
    int32_t size, self; /* processes; this one */
    Peer *each;
    /* By process: what to add to its clock to get this process's (NAN: unknown), and the round trip
     * by which that was found, in seconds. */
    double *offset, *round_trip;
} Peers;

/* Memory for so many processes.  0; -1: out of memory (peers_free is legal). */
int peers_new(Peers *peers, int32_t size, int32_t self);
void peers_free(Peers *peers);
/* This process as the others should know it. */
Peer peers_self(void);
/* Each[] is filled in: offsets of processes with this clock are 0, the others unknown. */
void peers_start(Peers *peers);

static inline int peers_same_clock(const Peers *peers, int32_t process)
{
    return peers->each[process].clock == peers->each[peers->self].clock;
}

/* An offset measured by a round trip of so many seconds.  The shortest round trip is the most
 * accurate (Mills, Internet time synchronization, 1991); it is forgotten slowly, as clocks drift
 * and networks change. */
void peers_learn_offset(Peers *peers, int32_t process, double offset, double round_trip);

/* FNV-1a over `size` bytes, continued from `seed`: for comparing settings between processes. */
#define PEERS_HASH_BASIS UINT64_C(0xCBF29CE484222325)
uint64_t peers_hash(uint64_t seed, const void *bytes, size_t size);

#endif
