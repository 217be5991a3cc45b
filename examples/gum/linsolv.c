/* The exact solution of a linear system A x = b of whole numbers, modulo many primes (GMP).
 *
 *   gumcc linsolv.c -o linsolv -lgmp && gumrun -n 4 linsolv [n]
 *
 * For each prime a task finds det(A) and det(A) x modulo the prime by Gaussian elimination; it fetches the
 * system from where it is.  The Chinese remainder theorem gives the numbers themselves, which Hadamard's
 * inequality bounds.  The check: A (det x) = det b, exactly.
 * Source: Loidl and others, Engineering Parallel Symbolic Programs in GpH, 1999. */
#include <gmp.h>
#include <gum.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

enum { MOST = 100, DIGITS = 100, BITS = 30 };

typedef struct {
    GumRef system; /* n x (n + 1) numbers: A, b */
    int64_t prime;
    int32_t n;
} Task;

/* det x and det, modulo the prime; no solution: the prime divides det. */
typedef struct {
    int64_t number[MOST + 1];
    int32_t found;
} Image;

static GumType image_type;

/* ---- modulo a prime ------------------------------------------------------------------------------- */

static int64_t power(int64_t base, int64_t exponent, int64_t p)
{
    int64_t out = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % p)
        if (exponent & 1)
            out = out * base % p;
    return out;
}

/* The row with the pivot of column k becomes row k.  0: there is none. */
static int pivot(int64_t (*a)[MOST + 1], int n, int k, int64_t *det, int64_t p)
{
    int row = k;
    while (row < n && a[row][k] == 0)
        row++;
    if (row == n)
        return 0;
    if (row != k) {
        int64_t copy[MOST + 1];
        memcpy(copy, a[k], sizeof copy);
        memcpy(a[k], a[row], sizeof copy);
        memcpy(a[row], copy, sizeof copy);
        *det = (p - *det) % p;
    }
    *det = *det * a[k][k] % p;
    return 1;
}

static int eliminate(int64_t (*a)[MOST + 1], int n, int64_t p, int64_t *det)
{
    *det = 1;
    for (int k = 0; k < n; k++) {
        if (!pivot(a, n, k, det, p))
            return 0;
        int64_t inverse = power(a[k][k], p - 2, p);
        for (int j = k; j <= n; j++)
            a[k][j] = a[k][j] * inverse % p;
        for (int i = 0; i < n; i++) {
            int64_t factor = a[i][k];
            for (int j = k; i != k && factor != 0 && j <= n; j++)
                a[i][j] = (a[i][j] + (p - factor) * a[k][j]) % p;
        }
        gum_poll();
    }
    return 1;
}

static void image(const void *argument, void *result)
{
    const Task *task = argument;
    const int64_t *system = gum_fetch(task->system);
    int64_t(*a)[MOST + 1] = malloc((size_t)task->n * sizeof *a), det, p = task->prime;
    Image *out = result;
    if (!a)
        gum_abort("out of memory");
    memset(out, 0, sizeof *out);
    for (int i = 0; i < task->n; i++)
        for (int j = 0; j <= task->n; j++)
            a[i][j] = ((system[i * (task->n + 1) + j] % p) + p) % p;
    out->found = eliminate(a, task->n, p, &det);
    for (int i = 0; i < task->n && out->found; i++)
        out->number[i] = a[i][task->n] * det % p;
    out->number[task->n] = det;
    free(a);
}

/* ---- all primes ----------------------------------------------------------------------------------- */

/* number = residue (mod prime), and as before modulo *product. */
static void combine(mpz_t number, const mpz_t product, int64_t residue, int64_t prime)
{
    int64_t has = (int64_t)mpz_fdiv_ui(number, (unsigned long)prime),
            step = (int64_t)mpz_fdiv_ui(product, (unsigned long)prime);
    int64_t times = (residue - has + prime) % prime * power(step, prime - 2, prime) % prime;
    mpz_addmul_ui(number, product, (unsigned long)times);
}

/* The numbers lie between -product / 2 and product / 2. */
static void centre(mpz_t number, const mpz_t product)
{
    mpz_t half;
    mpz_init(half);
    mpz_fdiv_q_2exp(half, product, 1);
    if (mpz_cmp(number, half) > 0)
        mpz_sub(number, number, product);
    mpz_clear(half);
}

static int solves(const int64_t *system, int n, mpz_t *number)
{
    mpz_t left;
    int right = mpz_sgn(number[n]) != 0;
    mpz_init(left);
    for (int i = 0; i < n && right; i++) {
        mpz_mul_si(left, number[n], -(long)system[i * (n + 1) + n]);
        for (int j = 0; j < n; j++) {
            mpz_t part;
            mpz_init(part);
            mpz_mul_si(part, number[j], (long)system[i * (n + 1) + j]);
            mpz_add(left, left, part);
            mpz_clear(part);
        }
        right = mpz_sgn(left) == 0;
    }
    mpz_clear(left);
    return right;
}

static int is_prime(int64_t p)
{
    for (int64_t d = 2; d * d <= p; d++)
        if (p % d == 0)
            return 0;
    return 1;
}

static void collect(GumFuture *each, const int64_t *primes, int count, int n, mpz_t *number)
{
    mpz_t product;
    mpz_init_set_ui(product, 1);
    for (int k = 0; k < count; k++) {
        Image image_of;
        gum_take(each[k], &image_of);
        if (!image_of.found)
            continue; /* few primes divide the determinant: there are spare ones */
        for (int i = 0; i <= n; i++)
            combine(number[i], product, image_of.number[i], primes[k]);
        mpz_mul_ui(product, product, (unsigned long)primes[k]);
    }
    for (int i = 0; i <= n; i++)
        centre(number[i], product);
    mpz_clear(product);
}

/* Solves a system that chance makes.  1: and the solution is right. */
static void run(const void *argument, void *result)
{
    enum { SPARE = 3 };
    int n = *(const int32_t *)argument;
    int64_t *system = malloc((size_t)n * (size_t)(n + 1) * sizeof *system), *primes, p = 1 << BITS;
    uint64_t chance = 1;
    for (int i = 0; system && i < n * (n + 1); i++) {
        chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407u;
        system[i] = (int64_t)(chance >> 33) % (2 * DIGITS - 1) - (DIGITS - 1);
    }
    int count = SPARE + (int)(n * log2(DIGITS * sqrt(n)) / (BITS - 1)) + 1;
    GumFuture *each = malloc((size_t)count * sizeof *each);
    primes = malloc((size_t)count * sizeof *primes);
    if (!system || !primes || !each)
        gum_abort("out of memory");
    Task task = {.system = gum_publish(system, (size_t)n * (size_t)(n + 1) * sizeof *system),
                 .n = n};
    for (int k = 0; k < count; k++) {
        while (!is_prime(--p))
            ;
        task.prime = primes[k] = p;
        each[k] = gum_par(image_type, &task);
    }
    mpz_t *number = malloc((size_t)(n + 1) * sizeof *number);
    if (!number)
        gum_abort("out of memory");
    for (int i = 0; i <= n; i++)
        mpz_init(number[i]);
    collect(each, primes, count, n, number);
    *(int32_t *)result = solves(system, n, number);
    for (int i = 0; i <= n; i++)
        mpz_clear(number[i]);
    free(number);
    free(each);
    free(primes);
    free(system);
}

int main(int argc, char **argv)
{
    const Number number = {"n", 1, MOST, 30};
    int64_t given;
    gum_init(&argc, &argv);
    arguments(argc, argv, "linsolv [n]", 1, &number, 1, &given);
    int32_t n = (int32_t)given, right = 0;
    image_type =
        gum_type(&(GumTask){"image", image, {.size = sizeof(Task)}, {.size = sizeof(Image)}});
    GumType all = gum_type(&(GumTask){"system", run, {.size = sizeof n}, {.size = sizeof right}});
    int has = gum_run(all, &n, &right) == GUM_OK && gum_pid() == 0;
    if (has)
        printf("%d equations solved exactly: %s\n", (int)n, right ? "right" : "WRONG");
    return gum_end() || (has && !right);
}
