/* Sorting by regular sampling: sample_sort [N].
 *
 * Each process sorts its part and takes p samples of it; all get all samples, choose the same p - 1
 * splitters, and send each element to the process of its interval.  No process gets more than
 * 2 n / p + p elements.  Check: the result against qsort on one process.
 * Source: Shi and Schaeffer, Parallel sorting by regular sampling, JPDC 14 (1992). */
#include <bsp.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort(int64_t *keys, int count)
{
    qsort(keys, (size_t)count, sizeof *keys, by_value);
}

static void *allocate(size_t count)
{
    void *keys = calloc(count + 1, sizeof(int64_t));
    if (!keys)
        bsp_abort("sample_sort: out of memory");
    return keys;
}

/* Key i: the same whatever process makes it (splitmix64, Steele and others, 2014). */
static int64_t key(int64_t i)
{
    uint64_t z = (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)(z % 1000003); /* some are equal */
}

/* The p samples of all processes, sorted. */
static int64_t *all_samples(const int64_t *keys, int count)
{
    int p = bsp_nprocs(), size = (int)sizeof(int64_t);
    int64_t *samples = allocate((size_t)(p * p)), *mine = allocate((size_t)p);
    bsp_push_reg(samples, p * p * size);
    bsp_sync();
    for (int i = 0; i < p; i++)
        mine[i] = count > 0 ? keys[(int64_t)i * count / p] : INT64_MAX;
    for (int q = 0; q < p; q++)
        bsp_put(q, mine, samples, bsp_pid() * p * size, p * size);
    bsp_pop_reg(samples);
    bsp_sync();
    free(mine);
    sort(samples, p * p);
    return samples;
}

/* Sorts all keys together: process q gets the q-th interval.  Returns how many; *keys is replaced. */
static int sample_sort(int64_t **keys, int count)
{
    int p = bsp_nprocs(), size = (int)sizeof **keys, from = 0, messages, bytes, got = 0;
    sort(*keys, count);
    int64_t *samples = all_samples(*keys, count);
    for (int q = 0; q < p; q++) {
        int to = from;
        while (to < count && (q == p - 1 || (*keys)[to] < samples[(q + 1) * p]))
            to++;
        bsp_send(q, NULL, *keys + from, (to - from) * size);
        from = to;
    }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    free(*keys);
    *keys = allocate((size_t)(bytes / size));
    for (int i = 0; i < messages; i++) {
        void *tag, *part;
        int length = bsp_hpmove(&tag, &part);
        memcpy(*keys + got, part, (size_t)length);
        got += length / size;
    }
    sort(*keys, got);
    free(samples);
    return got;
}

/* Process 0 compares all with what qsort makes of them. */
static void check(const int64_t *keys, int count, int n)
{
    int64_t first = 0, *counts = allocate((size_t)bsp_nprocs()), mine = count;
    bsp_push_reg(counts, bsp_nprocs() * (int)sizeof *counts);
    bsp_sync();
    for (int q = 0; q < bsp_nprocs(); q++)
        bsp_put(q, &mine, counts, bsp_pid() * (int)sizeof mine, sizeof mine);
    bsp_sync();
    for (int q = 0; q < bsp_pid(); q++)
        first += counts[q];
    int64_t *all = allocate(bsp_pid() == 0 ? (size_t)n : 0);
    bsp_push_reg(all, bsp_pid() == 0 ? n * (int)sizeof *all : 0);
    bsp_sync();
    bsp_put(0, keys, all, (int)first * (int)sizeof *all, count * (int)sizeof *all);
    bsp_sync();
    if (bsp_pid() == 0) {
        int64_t *expected = allocate((size_t)n);
        for (int i = 0; i < n; i++)
            expected[i] = key(i);
        sort(expected, n);
        if (memcmp(expected, all, (size_t)n * sizeof *all) != 0)
            bsp_abort("sample_sort: wrong order");
        free(expected);
    }
    free(all);
    free(counts);
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    /* Process 0 registers room for all keys, whose bytes are an int. */
    int n = argument(argc, argv, "sample_sort", "N", 0, INT_MAX / (int)sizeof(int64_t), 30000);
    int p = bsp_nprocs(), pid = bsp_pid();
    int first = (int)((int64_t)n * pid / p), count = (int)((int64_t)n * (pid + 1) / p) - first;
    int64_t *keys = allocate((size_t)count);
    for (int i = 0; i < count; i++)
        keys[i] = key(first + i);
    count = sample_sort(&keys, count);
    check(keys, count, n);
    if (pid == 0)
        printf("sample_sort: %d keys on %d processes: right\n", n, p);
    free(keys);
    bsp_end();
    return 0;
}
