/* Random supersteps against a second implementation: each process computes what all of them do, with
 * plain arrays, and compares its part. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

enum { SIZE = 512, STEPS = 30, MOST_CALLS = 12, MOST_BYTES = 90 };

/* xorshift64 (Marsaglia, 2003): the same numbers on all processes. */
static uint32_t next(uint64_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 33) % below;
}

/* The memory of all processes, before and after. */
typedef struct {
    int p;
    unsigned char *now, *after;    /* SIZE for each */
    int *messages, *message_bytes; /* by process */
    uint32_t *message_sum;
} World;

static unsigned char *of(unsigned char *memory, int process)
{
    return memory + (size_t)process * SIZE;
}

/* A call of process `from`: done by that process, and in the world by all.  Puts go to disjoint
 * places (the part of `from` in thirds), so that their order does not matter. */
static void call(World *w, uint64_t *state, int from, unsigned char *mine, int puts)
{
    int to = (int)next(state, (uint32_t)w->p), share = SIZE / 2 / w->p;
    int kind = (int)next(state, 3), size = 1 + (int)next(state, MOST_BYTES);
    int self = from == bsp_pid();
    if (size > share)
        size = share;
    int at = from * share + (int)next(state, (uint32_t)(share - size + 1));
    int source = (int)next(state, SIZE - MOST_BYTES), hp = (int)next(state, 2);
    if (puts && kind == 0) {
        memcpy(of(w->after, to) + at, of(w->now, from) + source, (size_t)size);
        if (self)
            (hp ? bsp_hpput : bsp_put)(to, mine + source, mine, at, size);
    } else if (!puts && kind == 1) {
        /* Into the upper half, where nobody puts. */
        int place = SIZE / 2 + (int)next(state, SIZE / 2 - MOST_BYTES);
        memcpy(of(w->after, from) + place, of(w->now, to) + source, (size_t)size);
        if (self)
            bsp_get(to, mine, source, mine + place, size);
    } else if (kind == 2 && puts) {
        w->messages[to]++;
        w->message_bytes[to] += size;
        for (int i = 0; i < size; i++)
            w->message_sum[to] += of(w->now, from)[source + i];
        if (self)
            bsp_send(to, NULL, mine + source, size);
    }
}

static void compare(World *w, unsigned char *mine)
{
    int messages, bytes, self = bsp_pid();
    uint32_t sum = 0;
    void *tag, *payload;
    EXPECT(memcmp(mine, of(w->now, self), SIZE) == 0);
    bsp_qsize(&messages, &bytes);
    EXPECT(messages == w->messages[self] && bytes == w->message_bytes[self]);
    for (int size; (size = bsp_hpmove(&tag, &payload)) >= 0;)
        for (int i = 0; i < size; i++)
            sum += ((unsigned char *)payload)[i];
    EXPECT(sum == w->message_sum[self]);
}

static void step(World *w, uint64_t *state, unsigned char *mine)
{
    size_t n = (size_t)w->p;
    memset(w->messages, 0, n * sizeof *w->messages);
    memset(w->message_bytes, 0, n * sizeof *w->message_bytes);
    memset(w->message_sum, 0, n * sizeof *w->message_sum);
    memcpy(w->after, w->now, n * SIZE);
    /* Gets first, in the world: puts come after them.  A process's gets are in the order of its
     * calls, and they read what was there before. */
    for (int puts = 0; puts < 2; puts++)
        for (int from = 0; from < w->p; from++)
            for (uint32_t k = next(state, MOST_CALLS); k > 0; k--)
                call(w, state, from, mine, puts);
    bsp_sync();
    unsigned char *swap = w->now;
    w->now = w->after;
    w->after = swap;
    compare(w, mine);
}

static void random_supersteps(void)
{
    int p = bsp_nprocs();
    size_t n = (size_t)p;
    unsigned char *mine = malloc(SIZE);
    uint64_t state = UINT64_C(88172645463325252) + n;
    World w = {.p = p,
               .now = malloc(n * SIZE),
               .after = malloc(n * SIZE),
               .messages = calloc(n, sizeof *w.messages),
               .message_bytes = calloc(n, sizeof *w.message_bytes),
               .message_sum = calloc(n, sizeof *w.message_sum)};
    for (size_t i = 0; i < n * SIZE; i++)
        w.now[i] = (unsigned char)next(&state, 256);
    memcpy(mine, of(w.now, bsp_pid()), SIZE);
    bsp_push_reg(mine, SIZE);
    bsp_sync();
    for (int i = 0; i < STEPS; i++)
        step(&w, &state, mine);
    bsp_pop_reg(mine);
    bsp_sync();
    free(mine);
    free(w.now);
    free(w.after);
    free(w.messages);
    free(w.message_bytes);
    free(w.message_sum);
}

/* ---- numbers one by one --------------------------------------------------------------------- */

enum { NUMBERS = 9000, RUNS = 40, ROUNDS = 6 };

/* The number that process `from` puts in its call `i`. */
static double number(int from, uint32_t i)
{
    return from + 1000.0 * i;
}

/* Two areas of each process, and what they become. */
typedef struct {
    unsigned char *area[2], *mine[2];
} Areas;

/* A process puts numbers into its part of another's areas: at equal distances of any sign, which may be 0 or
 * less than a number, or alternately into both, with other puts and messages between.  Later calls write over
 * earlier ones. */
static void put_numbers(uint64_t *state, int from, Areas *areas)
{
    static const int distances[] = {8, 8, -8, 16, 0, 3, -40, 1000};
    enum { PART = NUMBERS * 8, LAST = PART - 8 };
    const int self = bsp_pid(), p = bsp_nprocs(), first = from * PART;
    uint32_t calls = 0;
    for (int run = 0; run < RUNS; run++) {
        const int to = (int)next(state, (uint32_t)p), all = run == 0, far = next(state, 20) == 0;
        const int step = all ? 8 : distances[next(state, 8)];
        const int count = all ? NUMBERS : 1 + (int)next(state, far ? NUMBERS : 9);
        const int which = (int)next(state, 2), both = next(state, 10) == 0;
        int at = all ? 0 : (int)next(state, LAST + 1);
        for (int i = 0; i < count && at >= 0 && at <= LAST; i++, at += step, calls++) {
            const double value = number(from, calls);
            const int area = both ? i % 2 : which;
            if (to == self)
                memcpy(areas->mine[area] + first + at, &value, sizeof value);
            if (from == self)
                bsp_put(to, &value, areas->area[area], first + at, sizeof value);
        }
        const uint32_t between = next(state, 3);
        const double two[2] = {number(from, calls), -number(from, calls)};
        if (between == 1 && to == self)
            memcpy(areas->mine[0] + first, two, sizeof two);
        if (between == 1 && from == self)
            bsp_put(to, two, areas->area[0], first, sizeof two);
        if (between == 2 && from == self)
            bsp_send(to, NULL, two, sizeof two);
    }
}

static void random_numbers(void)
{
    const int p = bsp_nprocs();
    const size_t size = (size_t)p * NUMBERS * sizeof(double);
    Areas areas;
    uint64_t state = UINT64_C(2463534242) + (uint64_t)p;
    for (int k = 0; k < 2; k++) {
        areas.area[k] = calloc(size, 1);
        areas.mine[k] = calloc(size, 1);
        bsp_push_reg(areas.area[k], (int)size);
    }
    bsp_sync();
    for (int round = 0; round < ROUNDS; round++) {
        for (int from = 0; from < p; from++)
            put_numbers(&state, from, &areas);
        bsp_sync();
        for (int k = 0; k < 2; k++)
            EXPECT(memcmp(areas.area[k], areas.mine[k], size) == 0);
    }
    for (int k = 0; k < 2; k++) {
        bsp_pop_reg(areas.area[k]);
        free(areas.mine[k]);
    }
    bsp_sync();
    free(areas.area[0]);
    free(areas.area[1]);
}

const Check random_checks[] = {{"random_supersteps", random_supersteps},
                               {"random_numbers", random_numbers},
                               {0}};
