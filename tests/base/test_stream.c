/* Random numbers against the known answers of the source, and streams against each other. */
#include "base/stream.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* The known answers that come with the source's code (kat_vectors, philox4x64 of 10 rounds). */
Test(stream, known_answers)
{
    static const struct {
        uint64_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0},
         {0, 0},
         {UINT64_C(0x16554d9eca36314c), UINT64_C(0xdb20fe9d672d0fdc), UINT64_C(0xd7e772cee186176b),
          UINT64_C(0x7e68b68aec7ba23b)}},
        {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
         {UINT64_MAX, UINT64_MAX},
         {UINT64_C(0x87b092c3013fe90b), UINT64_C(0x438c3c67be8d0224), UINT64_C(0x9cc7d7c69cd777b6),
          UINT64_C(0xa09caebf594f0ba0)}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t out[4];
        philox(known[i].key, known[i].counter, 1, out);
        cr_expect_arr_eq(out, known[i].out, sizeof out);
    }
}

/* Blocks that are computed together are those of one counter after the other, also where the lower
 * word overflows. */
Test(stream, blocks_follow_each_other)
{
    const uint64_t key[2] = {7, 0}, begin[4] = {UINT64_MAX - 2, 5, 1, 0};
    uint64_t all[7 * 4], one[4];
    philox(key, begin, 7, all);
    for (uint64_t i = 0; i < 7; i++) {
        const uint64_t at[4] = {begin[0] + i, 5 + (i > 2), 1, 0};
        philox(key, at, 1, one);
        cr_expect_arr_eq(one, all + 4 * i, sizeof one);
    }
}

/* Numbers of a stream are those of its own counters, and in order. */
Test(stream, numbers_are_those_of_the_counters)
{
    Stream s;
    uint64_t block[4];
    stream_start(&s, 42, 9);
    for (uint64_t i = 0; i < 3 * STREAM_BUFFER; i++) {
        const uint64_t key[2] = {42, 0}, at[4] = {i / 4, 0, 9, 0};
        philox(key, at, 1, block);
        const double x = stream_uniform(&s);
        cr_expect_eq(x, ((double)(block[i % 4] >> 12) + 0.5) * 0x1p-52);
        cr_expect(x > 0 && x < 1);
    }
}

/* Mean, variance, and correlation with the next number and with the next stream: of 10^6 numbers
 * each, within 6 standard errors. */
Test(stream, moments)
{
    enum { N = 1000000 };
    const double bound = 6 / sqrt(N);
    Stream s, t;
    double sum = 0, square = 0, next = 0, other = 0, before = 0;
    stream_start(&s, 1, 0);
    stream_start(&t, 1, 1);
    for (int i = 0; i < N; i++) {
        const double x = (stream_uniform(&s) - 0.5) * sqrt(12);
        sum += x;
        square += x * x;
        next += x * before;
        other += x * (stream_uniform(&t) - 0.5) * sqrt(12);
        before = x;
    }
    cr_expect_lt(fabs(sum / N), bound);
    cr_expect_lt(fabs(square / N - 1), bound); /* its standard error is 0.9 / sqrt(N) */
    cr_expect_lt(fabs(next / N), bound);
    cr_expect_lt(fabs(other / N), bound);
}
