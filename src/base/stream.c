/* Philox4x64-10.  A block is in registers, so that the processor overlaps the multiplications of several. */
#include "base/stream.h"

#include <string.h>

enum {
    ROUNDS = 10,
    DROPPED = 12 /* bits of a word, for 52 that a double has exactly */
};

/* Numbers of the source. */
static const uint64_t multiplier[2] = {UINT64_C(0xD2E7470EE14C6C93), UINT64_C(0xCA5A826395121157)};
static const uint64_t increment[2] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xBB67AE8584CAA73B)};

/* The upper half of a product; the lower one is a * b. */
static inline uint64_t multiply_high(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)((Wide)a * b >> 64);
#else
    const uint64_t half = UINT32_MAX, al = a & half, ah = a >> 32, bl = b & half, bh = b >> 32;
    const uint64_t low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (middle & half);
    return ah * bh + (middle >> 32) + (other >> 32);
#endif
}

static inline void advance(uint64_t *counter, uint64_t by)
{
    counter[0] += by;
    counter[1] += counter[0] < by;
}

void philox(const uint64_t *key, const uint64_t *counter, int32_t count, uint64_t *out)
{
    uint64_t at[] = {counter[0], counter[1]};
    for (; count > 0; count--, out += STREAM_WORDS) {
        uint64_t x0 = at[0], x1 = at[1], x2 = counter[2], x3 = counter[3], k0 = key[0], k1 = key[1];
        for (int round = 0; round < ROUNDS; round++) {
            const uint64_t a = x0, b = x2;
            x0 = multiply_high(multiplier[1], b) ^ x1 ^ k0;
            x2 = multiply_high(multiplier[0], a) ^ x3 ^ k1;
            x1 = multiplier[1] * b;
            x3 = multiplier[0] * a;
            k0 += increment[0];
            k1 += increment[1];
        }
        out[0] = x0;
        out[1] = x1;
        out[2] = x2;
        out[3] = x3;
        advance(at, 1);
    }
}

void stream_start(Stream *s, uint64_t seed, uint64_t number)
{
    stream_start_at(s, (uint64_t[]){seed, 0}, (uint64_t[]){0, 0, number, 0});
}

void stream_start_at(Stream *s, const uint64_t key[2], const uint64_t counter[STREAM_WORDS])
{
    memcpy(s->key, key, sizeof s->key);
    memcpy(s->counter, counter, sizeof s->counter);
    s->next = STREAM_BUFFER;
    s->blocks = 1;
}

void stream_refill(Stream *s)
{
    const double unit = 1.0 / (double)(UINT64_C(1) << (64 - DROPPED));
    const int32_t words = s->blocks * STREAM_WORDS;
    double *out = s->buffer + STREAM_BUFFER - words;
    uint64_t word[STREAM_BUFFER];
    philox(s->key, s->counter, s->blocks, word);
    advance(s->counter, (uint64_t)s->blocks);
    for (int32_t i = 0; i < words; i++)
        out[i] = ((double)(word[i] >> DROPPED) + 0.5) * unit;
    s->next = STREAM_BUFFER - words;
    s->blocks = 2 * words <= STREAM_BUFFER ? 2 * s->blocks : s->blocks;
}
