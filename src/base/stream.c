/* Philox4x64-10, several blocks at a time: their multiplications overlap. */
#include "base/stream.h"

#include <string.h>

enum {
    ROUNDS = 10,
    LANES = 4,
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

static void lanes(const uint64_t *key, const uint64_t *counter, uint64_t (*x)[STREAM_WORDS])
{
    uint64_t k0 = key[0], k1 = key[1];
    for (uint64_t i = 0; i < LANES; i++) {
        for (int w = 0; w < STREAM_WORDS; w++)
            x[i][w] = counter[w];
        advance(x[i], i);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LANES; i++) {
            const uint64_t a = x[i][0], b = x[i][2];
            x[i][0] = multiply_high(multiplier[1], b) ^ x[i][1] ^ k0;
            x[i][2] = multiply_high(multiplier[0], a) ^ x[i][3] ^ k1;
            x[i][1] = multiplier[1] * b;
            x[i][3] = multiplier[0] * a;
        }
        k0 += increment[0];
        k1 += increment[1];
    }
}

void philox(const uint64_t *key, const uint64_t *counter, int32_t count, uint64_t *out)
{
    uint64_t at[STREAM_WORDS] = {counter[0], counter[1], counter[2], counter[3]};
    for (int32_t done = 0; done < count; done += LANES) {
        uint64_t x[LANES][STREAM_WORDS];
        lanes(key, at, x);
        for (int32_t i = 0; i < LANES && done + i < count; i++)
            for (int w = 0; w < STREAM_WORDS; w++)
                *out++ = x[i][w];
        advance(at, LANES);
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
}

void stream_refill(Stream *s)
{
    const double unit = 1.0 / (double)(UINT64_C(1) << (64 - DROPPED));
    uint64_t word[STREAM_BUFFER];
    philox(s->key, s->counter, STREAM_BUFFER / STREAM_WORDS, word);
    advance(s->counter, STREAM_BUFFER / STREAM_WORDS);
    for (int i = 0; i < STREAM_BUFFER; i++)
        s->buffer[i] = ((double)(word[i] >> DROPPED) + 0.5) * unit;
    s->next = 0;
}
