/* The sum of Euler's totients phi(1) + ... + phi(n), each counted by its definition, in chunks.
 *
 *   gumcc sumeuler.c -o sumeuler && gumrun -n 4 sumeuler [n [chunk]]
 *
 * The check is a sieve: phi(k) = k times the product of (1 - 1/p) over the primes p that divide k. */
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

enum { MOST = 1000000 };

typedef struct {
    int32_t from, to; /* to: not included */
} Range;

static GumType chunk_type;
static int32_t chunk;

static int32_t gcd(int32_t a, int32_t b)
{
    while (b) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void run_chunk(const void *argument, void *result)
{
    const Range *range = argument;
    int64_t sum = 0;
    for (int32_t k = range->from; k < range->to; k++) {
        for (int32_t i = 1; i <= k; i++)
            sum += gcd(i, k) == 1;
        gum_poll();
    }
    *(int64_t *)result = sum;
}

static void run_all(const void *argument, void *result)
{
    int32_t n = *(const int32_t *)argument, count = (n + chunk - 1) / chunk;
    GumFuture *each = malloc((size_t)count * sizeof *each);
    int64_t sum = 0, part;
    if (!each)
        gum_abort("out of memory");
    for (int32_t i = 0; i < count; i++) {
        Range range = {1 + i * chunk, i + 1 < count ? 1 + (i + 1) * chunk : n + 1};
        each[i] = gum_par(chunk_type, &range);
    }
    for (int32_t i = count; i-- > 0;) {
        gum_take(each[i], &part);
        sum += part;
    }
    free(each);
    *(int64_t *)result = sum;
}

static int64_t expected(int32_t n)
{
    int32_t *phi = malloc(((size_t)n + 1) * sizeof *phi);
    int64_t sum = 0;
    if (!phi)
        return -1;
    for (int32_t k = 0; k <= n; k++)
        phi[k] = k;
    for (int32_t p = 2; p <= n; p++)
        if (phi[p] == p)
            for (int32_t k = p; k <= n; k += p)
                phi[k] -= phi[k] / p;
    for (int32_t k = 1; k <= n; k++)
        sum += phi[k];
    free(phi);
    return sum;
}

int main(int argc, char **argv)
{
    const Number number[] = {{"n", 1, MOST, 2000}, {"chunk", 1, MOST, 50}};
    int64_t given[2], result = 0;
    int right = 1;
    gum_init(&argc, &argv);
    arguments(argc, argv, "sumeuler [n [chunk]]", 2, number, 2, given);
    int32_t n = (int32_t)given[0];
    chunk = (int32_t)given[1];
    chunk_type =
        gum_type(&(GumTask){"chunk", run_chunk, {.size = sizeof(Range)}, {.size = sizeof result}});
    gum_pure(chunk_type);
    GumType all = gum_type(&(GumTask){"all", run_all, {.size = sizeof n}, {.size = sizeof result}});
    if (gum_run(all, &n, &result) == GUM_OK && gum_pid() == 0) {
        right = result == expected(n);
        printf("the totients to %d have the sum %lld: %s\n", (int)n, (long long)result,
               right ? "right" : "WRONG");
    }
    return gum_end() || !right;
}
