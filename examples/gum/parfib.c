/* Fibonacci numbers by their definition: very many sparks, of which few are taken.
 *
 *   gumcc parfib.c -o parfib && gumrun -n 4 parfib [n [cutoff]]
 *
 * Below `cutoff` numbers are computed without sparks; 0: none are. */
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

enum { MOST = 92 }; /* of 64 bits */

static GumType fib_type;
static int32_t cutoff; /* the same on all processes: all have the same arguments */

static int64_t fib(int32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int64_t parallel_fib(int32_t n)
{
    int64_t other;
    int32_t less = n - 1;
    if (n < 2)
        return n;
    if (n < cutoff)
        return fib(n);
    GumFuture f = gum_par(fib_type, &less);
    int64_t here = parallel_fib(n - 2);
    gum_take(f, &other);
    return here + other;
}

static void run(const void *argument, void *result)
{
    *(int64_t *)result = parallel_fib(*(const int32_t *)argument);
}

/* In as many steps as n. */
static int64_t expected(int32_t n)
{
    uint64_t a = 0, b = 1; /* the one after the largest */
    for (int32_t i = 0; i < n; i++) {
        uint64_t c = a + b;
        a = b;
        b = c;
    }
    return (int64_t)a;
}

int main(int argc, char **argv)
{
    const Number number[] = {{"n", 0, MOST, 27}, {"cutoff", 0, MOST, 0}};
    int64_t given[2], result = 0;
    int right = 1;
    gum_init(&argc, &argv);
    arguments(argc, argv, "parfib [n [cutoff]]", 2, number, 2, given);
    int32_t n = (int32_t)given[0];
    cutoff = (int32_t)given[1];
    fib_type = gum_type(&(GumTask){"fib", run, {.size = sizeof n}, {.size = sizeof result}});
    if (gum_run(fib_type, &n, &result) == GUM_OK && gum_pid() == 0) {
        right = result == expected(n);
        printf("fib(%d) = %lld: %s\n", (int)n, (long long)result, right ? "right" : "WRONG");
    }
    return gum_end() || !right;
}
