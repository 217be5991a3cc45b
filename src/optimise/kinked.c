/* Descent where derivatives jump, as those of the lesser of two measures do.
 *
 * Near a kink a step against the derivative is hardly ever one down.  So derivatives are gathered from points
 * within a radius, and the step is against the shortest vector g of their convex hull.  A step of length r that does
 * not lower the function by r |g| / 4 has a place on its way whose derivative makes that vector shorter, and
 * joins them.  Where |g| is within the tolerance, no direction leads down by more than that within the radius,
 * which then gets smaller.
 * Sources: Goldstein, Optimization of Lipschitz continuous functions, Mathematical Programming 13 (1977); Burke,
 * Lewis, Overton, A robust gradient sampling algorithm, SIAM J. Optim. 15 (2005). */
#include "optimise/minimise.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum {
    SPARE = 8,          /* derivatives that are kept, beyond two for each variable */
    MOST_PAIRS = 20000, /* steps for the shortest vector */
    MOST_HALVES = 12,   /* of a step, to find a derivative that helps */
    MOST_DOUBLES = 30,
    MOST_STEPS = 12 /* with a radius */
};
#define ENOUGH 0.25  /* of the fall that |g| promises */
#define SHRINK 0.1   /* of the radius */
#define EXACT  1e-14 /* of the largest derivative: the shortest vector is found */

typedef struct {
    const Smooth *f;
    int32_t n, count, most;   /* variables; derivatives, and how many may be kept */
    double *at, *slope;       /* of these: most x n; the first is that of x */
    double *share;            /* most: of each in the shortest vector, sum 1 */
    double *x, *g, *y, *next; /* n each */
    double value;             /* at x */
} Kinked;

static double dot(const double *a, const double *b, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double *slope_of(const Kinked *k, int32_t i)
{
    return k->slope + (size_t)i * (size_t)k->n;
}

static double *place_of(const Kinked *k, int32_t i)
{
    return k->at + (size_t)i * (size_t)k->n;
}

/* ---- the shortest vector ---------------------------------------------------------------------- */

static void combine(Kinked *k)
{
    memset(k->g, 0, (size_t)k->n * sizeof *k->g);
    for (int32_t i = 0; i < k->count; i++)
        for (int32_t j = 0; j < k->n; j++)
            k->g[j] += k->share[i] * slope_of(k, i)[j];
}

/* The vertex with the least product with g, and of those in use the one with the largest. */
static double find_pair(const Kinked *k, int32_t *low, int32_t *high)
{
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < k->count; i++) {
        const double product = dot(slope_of(k, i), k->g, k->n);
        if (product < least) {
            least = product;
            *low = i;
        }
        if (k->share[i] > 0 && product > most) {
            most = product;
            *high = i;
        }
    }
    return most - least;
}

/* Of the convex hull, by moving shares from one derivative to another. */
static void shorten(Kinked *k)
{
    double size = 0;
    for (int32_t i = 0; i < k->count; i++) {
        k->share[i] = 1.0 / k->count;
        size = fmax(size, dot(slope_of(k, i), slope_of(k, i), k->n));
    }
    combine(k);
    for (int32_t step = 0; step < MOST_PAIRS; step++) {
        int32_t low = 0, high = 0;
        const double gain = find_pair(k, &low, &high);
        if (!(gain > EXACT * size))
            return;
        double square = 0;
        for (int32_t j = 0; j < k->n; j++)
            square += pow(slope_of(k, low)[j] - slope_of(k, high)[j], 2);
        const double part = fmin(k->share[high], gain / square);
        k->share[low] += part;
        k->share[high] -= part;
        if (step % k->most == 0)
            combine(k);
        else
            for (int32_t j = 0; j < k->n; j++)
                k->g[j] += part * (slope_of(k, low)[j] - slope_of(k, high)[j]);
    }
}

/* ---- derivatives near x ----------------------------------------------------------------------- */

/* In place of the oldest but that of x, if there is no room. */
static void add(Kinked *k, const double *at, const double *slope)
{
    const size_t row = (size_t)k->n * sizeof *k->at;
    if (k->count == k->most) {
        k->count--;
        memmove(place_of(k, 1), place_of(k, 2), (size_t)(k->count - 1) * row);
        memmove(slope_of(k, 1), slope_of(k, 2), (size_t)(k->count - 1) * row);
    }
    memcpy(place_of(k, k->count), at, row);
    memcpy(slope_of(k, k->count), slope, row);
    k->count++;
}

/* Those beyond the radius go. */
static void drop(Kinked *k, double radius)
{
    const size_t row = (size_t)k->n * sizeof *k->at;
    int32_t kept = 1;
    for (int32_t i = 1; i < k->count; i++) {
        double away = 0;
        for (int32_t j = 0; j < k->n; j++)
            away = fmax(away, fabs(place_of(k, i)[j] - k->x[j]));
        if (away > radius)
            continue;
        memmove(place_of(k, kept), place_of(k, i), row);
        memmove(slope_of(k, kept), slope_of(k, i), row);
        kept++;
    }
    k->count = kept;
}

/* x is now y, where the derivative is `next`: the first of those that are kept. */
static void move(Kinked *k, double value, double radius)
{
    const size_t row = (size_t)k->n * sizeof *k->at;
    memcpy(k->x, k->y, row);
    memcpy(place_of(k, 0), k->y, row);
    memcpy(slope_of(k, 0), k->next, row);
    k->value = value;
    drop(k, radius);
}

/* ---- steps -------------------------------------------------------------------------------------- */

/* At x - length g / |g|, which becomes y. */
static double look(Kinked *k, double length, double norm)
{
    for (int32_t j = 0; j < k->n; j++)
        k->y[j] = k->x[j] - length * k->g[j] / norm;
    return k->f->value(k->f->user, k->y, k->next);
}

/* y, a step of `length` away, becomes x; as long as that goes down, the step is doubled first. */
static void go(Kinked *k, double length, double norm, double value, double radius)
{
    move(k, value, radius);
    for (int32_t i = 0; i < MOST_DOUBLES && !k->f->stop(k->f->user); i++) {
        value = look(k, length, norm); /* as far again */
        if (!(value < k->value))
            return;
        move(k, value, radius);
        length *= 2;
    }
}

/* A step of the radius, or a derivative more.  False: neither is to be had. */
static bool advance(Kinked *k, double radius, double norm)
{
    double low = 0, high = radius, value_low = k->value;
    for (int32_t i = 0; i <= MOST_HALVES && !k->f->stop(k->f->user); i++) {
        const double at = i == 0 ? radius : (low + high) / 2, value = look(k, at, norm);
        if (k->value - value >= ENOUGH * at * norm) {
            go(k, at, norm, value, radius);
            return true;
        }
        if (dot(k->next, k->g, k->n) <= norm * norm / 2) {
            add(k, k->y, k->next);
            return true;
        }
        /* The derivative that helps is where the fall is too small. */
        if (i > 0 && value_low - value >= ENOUGH * (at - low) * norm) {
            low = at;
            value_low = value;
        } else if (i > 0) {
            high = at;
        }
    }
    return false;
}

static bool kinked_new(Kinked *k, const Smooth *f)
{
    const int32_t n = f->variables;
    *k = (Kinked){.f = f, .n = n, .most = 2 * n + SPARE};
    return mem_new(k->at, k->most * n) && mem_new(k->slope, k->most * n) &&
           mem_new(k->share, k->most) && mem_new(k->x, n) && mem_new(k->g, n) && mem_new(k->y, n) &&
           mem_new(k->next, n);
}

/* From the largest radius to the shortest.  A few steps with each: at a distance from a kink they go to and fro
 * along it, until shorter ones have found it. */
static void pass(Kinked *k, double step, double shortest, double tolerance)
{
    for (double radius = step; radius >= shortest; radius *= SHRINK) {
        drop(k, radius);
        for (int32_t i = 0; i < MOST_STEPS && !k->f->stop(k->f->user); i++) {
            shorten(k);
            const double norm = sqrt(dot(k->g, k->g, k->n));
            if (!(norm > tolerance) || !advance(k, radius, norm))
                break;
        }
    }
}

bool minimise_kinked(const Smooth *f, double *t, double step, double shortest, double tolerance,
                     int32_t most)
{
    Kinked k;
    const bool ok = kinked_new(&k, f);
    double before = INFINITY;
    if (ok) {
        memcpy(k.y, t, (size_t)k.n * sizeof *t);
        move(&k, f->value(f->user, k.y, k.next), step);
    }
    for (int32_t i = 0; ok && i < most && before - k.value > shortest; i++) {
        before = k.value;
        pass(&k, step, shortest, tolerance);
    }
    if (ok)
        memcpy(t, k.x, (size_t)k.n * sizeof *t);
    mem_free_all(k.at, k.slope, k.share, k.x, k.g, k.y, k.next);
    return ok;
}
