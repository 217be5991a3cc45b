/* n! as a product tree: numbers of any size (GMP) as arguments and results that own memory.
 *
 *   gumcc factorial.c -o factorial -lgmp && gumrun -n 4 factorial [n [cutoff]]
 *
 * The check is GMP's own factorial, which is computed in another way. */
#include <gmp.h>
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

enum { MOST = 100000000 }; /* its factorial takes 300 MB */

typedef struct {
    uint64_t from, to; /* the product of from .. to - 1 */
} Range;

static GumType product_type;
static uint64_t cutoff;

/* ---- values: mpz_t --------------------------------------------------------------------------------- */

static void pack(GumWriter *to, const void *value)
{
    const mpz_t *number = value;
    size_t size = 0;
    unsigned char *bytes = mpz_export(NULL, &size, -1, 1, 0, 0, *number); /* positive */
    gum_write(to, &size, sizeof size);
    gum_write(to, bytes, size);
    free(bytes);
}

static void unpack(GumReader *from, void *value)
{
    mpz_t *number = value;
    size_t size;
    gum_read(from, &size, sizeof size);
    mpz_init(*number);
    mpz_import(*number, size, -1, 1, 0, 0, gum_view(from, size));
}

static void clear(void *value)
{
    mpz_clear(*(mpz_t *)value);
}

/* ---- tasks ------------------------------------------------------------------------------------------ */

static void product(const void *argument, void *result)
{
    const Range *range = argument;
    mpz_t *out = result;
    mpz_init_set_ui(*out, 1);
    if (range->to - range->from <= cutoff) {
        for (uint64_t k = range->from; k < range->to; k++)
            mpz_mul_ui(*out, *out, k);
        return;
    }
    uint64_t middle = range->from + (range->to - range->from) / 2;
    Range low = {range->from, middle}, high = {middle, range->to};
    mpz_t here;
    GumFuture f = gum_par(product_type, &low);
    gum_seq(product_type, &high, &here);
    mpz_mul(*out, here, *(const mpz_t *)gum_force(f));
    gum_free(f);
    mpz_clear(here);
}

int main(int argc, char **argv)
{
    const Number number[] = {{"n", 0, MOST, 20000}, {"cutoff", 1, MOST, 100}};
    int64_t given[2];
    mpz_t result, expected;
    int right = 1;
    gum_init(&argc, &argv);
    arguments(argc, argv, "factorial [n [cutoff]]", 2, number, 2, given);
    Range all = {1, (uint64_t)given[0] + 1};
    cutoff = (uint64_t)given[1];
    product_type = gum_type(
        &(GumTask){"product", product, {.size = sizeof all}, {sizeof result, pack, unpack, clear}});
    if (gum_run(product_type, &all, &result) == GUM_OK && gum_pid() == 0) {
        mpz_init(expected);
        mpz_fac_ui(expected, (unsigned long)given[0]);
        right = mpz_cmp(result, expected) == 0;
        printf("%lld! has %zu digits: %s\n", (long long)given[0], mpz_sizeinbase(result, 10),
               right ? "right" : "WRONG");
        mpz_clear(expected);
        mpz_clear(result);
    }
    return gum_end() || !right;
}
