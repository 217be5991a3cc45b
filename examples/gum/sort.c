/* Merge sort: arguments and results of any length.
 *
 *   gumcc sort.c -o sort && gumrun -n 4 sort [n [cutoff]]
 *
 * A spark has a copy of its half, which becomes its own.  The check: in order, and the same numbers, as
 * the sums of them and of a hash of each say. */
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

enum { MOST = 100000000 }; /* some GB with all copies */

static GumType sort_type;
static size_t cutoff;

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static GumBytes copy_of(const int64_t *numbers, size_t count)
{
    GumBytes copy = {malloc(count * sizeof *numbers + 1), count * sizeof *numbers};
    if (!copy.bytes)
        gum_abort("out of memory");
    memcpy(copy.bytes, numbers, copy.size);
    return copy;
}

static void merge(const int64_t *a, size_t m, const int64_t *b, size_t n, int64_t *out)
{
    size_t i = 0, j = 0;
    while (i < m || j < n)
        *out++ = j == n || (i < m && a[i] <= b[j]) ? a[i++] : b[j++];
}

static void run(const void *argument, void *result)
{
    const GumBytes *all = argument;
    const int64_t *numbers = all->bytes;
    size_t count = all->size / sizeof *numbers, half = count / 2;
    GumBytes *out = result;
    *out = copy_of(numbers, count);
    if (count <= cutoff) {
        qsort(out->bytes, count, sizeof *numbers, compare);
        return;
    }
    GumBytes low = copy_of(numbers, half), high = copy_of(numbers + half, count - half), sorted;
    GumFuture f = gum_par(sort_type, &low);
    gum_seq(sort_type, &high, &sorted);
    const GumBytes *other = gum_force(f);
    merge(other->bytes, half, sorted.bytes, count - half, out->bytes);
    gum_free(f);
    gum_bytes_clear(&sorted);
}

static uint64_t hash(int64_t number)
{
    uint64_t z = (uint64_t)number * UINT64_C(0x9E3779B97F4A7C15);
    return (z ^ (z >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
}

static uint64_t sum_of(const int64_t *numbers, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += hash(numbers[i]);
    return sum;
}

static int is_sorted(const int64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (numbers[i - 1] > numbers[i])
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    const GumValue bytes = GUM_BYTES;
    const Number number[] = {{"n", 0, MOST, 100000}, {"cutoff", 1, MOST, 2000}};
    int64_t given[2];
    GumBytes numbers = {0}, sorted = {0};
    uint64_t sum = 0;
    int right = 1;
    gum_init(&argc, &argv);
    arguments(argc, argv, "sort [n [cutoff]]", 2, number, 2, given);
    size_t count = (size_t)given[0];
    cutoff = (size_t)given[1];
    sort_type = gum_type(&(GumTask){"sort", run, bytes, bytes});
    if (gum_pid() == 0) {
        int64_t *each = malloc(count * sizeof *each + 1);
        if (!each)
            fprintf(stderr, "sort: no memory for %zu numbers\n", count);
        for (size_t i = 0; each && i < count; i++)
            each[i] = (int64_t)hash((int64_t)i) >> 20;
        numbers = (GumBytes){each, each ? count * sizeof *each : 0};
        sum = sum_of(each, numbers.size / sizeof *each);
    }
    if (gum_run(sort_type, &numbers, &sorted) == GUM_OK && gum_pid() == 0) {
        right = sorted.size == count * sizeof(int64_t) && is_sorted(sorted.bytes, count) &&
                sum_of(sorted.bytes, count) == sum;
        printf("%zu numbers sorted: %s\n", count, right ? "right" : "WRONG");
        gum_bytes_clear(&sorted);
    }
    return gum_end() || !right;
}
