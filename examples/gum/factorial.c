/* n! as a product tree: numbers of any size (GMP) as arguments and results that own memory.
 *
 *   gumcc factorial.c -o factorial -lgmp && gumrun -n 4 factorial [n [cutoff]]
 *
 * The check is GMP's own factorial, which is computed in another way. */
#include <gmp.h>
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>

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
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    Range all = {1, n + 1};
    mpz_t result, expected;
    cutoff = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    if (cutoff < 1)
        cutoff = 1;
    gum_init(&argc, &argv);
    product_type = gum_type(
        &(GumTask){"product", product, {.size = sizeof all}, {sizeof result, pack, unpack, clear}});
    if (gum_run(product_type, &all, &result) == GUM_OK && gum_pid() == 0) {
        mpz_init(expected);
        mpz_fac_ui(expected, n);
        printf("%llu! has %zu digits: %s\n", (unsigned long long)n, mpz_sizeinbase(result, 10),
               mpz_cmp(result, expected) == 0 ? "right" : "WRONG");
        mpz_clear(expected);
        mpz_clear(result);
    }
    return gum_end();
}
