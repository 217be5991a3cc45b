/* Streams of random numbers that do not overlap: one for each replication of a simulation.
 *
 * Philox4x64-10 is a function of a key and a counter: what it gives for the counters 0, 1, 2, ... is
 * the stream.  The key is the seed; the upper half of the counter is the number of the stream, the
 * lower half counts blocks of four words.  Two streams of a seed have no counter in common before
 * 2^128 blocks, and for one key different counters have different blocks, since the function is a
 * bijection.  So streams are independent as far as the generator is good (it passes TestU01's
 * BigCrush, also with streams interleaved), and any of them begins at once.  GSL's generators have
 * seeds only, and nothing says how far apart the sequences of two seeds are.
 * Source: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011. */
#ifndef PEPA_BASE_STREAM_H
#define PEPA_BASE_STREAM_H

#include <stdint.h>

enum { STREAM_WORDS = 4, STREAM_BUFFER = 64 };

typedef struct {
    uint64_t key[2], counter[STREAM_WORDS];
    double buffer[STREAM_BUFFER];
    int32_t next;   /* place in the buffer; STREAM_BUFFER: it is used up */
    int32_t blocks; /* that it gets next, to its end: of many streams only a few numbers are used */
} Stream;

/* The blocks of `count` consecutive counters from `counter` on: out has STREAM_WORDS words each. */
void philox(const uint64_t *key, const uint64_t *counter, int32_t count, uint64_t *out);

/* The beginning of a stream. */
void stream_start(Stream *stream, uint64_t seed, uint64_t number);
/* The same with all of its key and its first counter, whose first word counts blocks. */
void stream_start_at(Stream *stream, const uint64_t key[2], const uint64_t counter[STREAM_WORDS]);
void stream_refill(Stream *stream);

/* Uniform in (0, 1), a multiple of 2^-53: neither end is possible. */
static inline double stream_uniform(Stream *s)
{
    if (s->next == STREAM_BUFFER)
        stream_refill(s);
    return s->buffer[s->next++];
}

#endif
