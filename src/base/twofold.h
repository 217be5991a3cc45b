/* Numbers of twice the digits of a double, as sums of two.  Source: Ogita, Rump, Oishi, Accurate sum
 * and dot product, SIAM J. Sci. Comput. 26 (2005).  They rely on -ffp-contract=off.
 *
 * A sum of n terms, added or added as products, is off by at most 2^-53 of itself once it is rounded,
 * and (n 2^-53)^2 of the sum of their sizes.  Factors of products are at most 2^996. */
#ifndef PEPA_BASE_TWOFOLD_H
#define PEPA_BASE_TWOFOLD_H

/* hi + lo, where lo is a rounding error, or a sum of those that led to hi. */
typedef struct {
    double hi, lo;
} Twofold;

/* a + b, exactly. */
static inline Twofold twofold_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (Twofold){sum, (a - (sum - part)) + (b - part)};
}

/* Of 26 bits each. */
static inline Twofold twofold_halves(double a)
{
    const double c = 134217729 * a, high = c - (c - a); /* 2^27 + 1 */
    return (Twofold){high, a - high};
}

/* a b, exactly. */
static inline Twofold twofold_product(double a, double b)
{
    const Twofold x = twofold_halves(a), y = twofold_halves(b);
    const double product = a * b;
    const double rest = product - x.hi * y.hi - x.lo * y.hi - x.hi * y.lo;
    return (Twofold){product, x.lo * y.lo - rest};
}

static inline void twofold_add(Twofold *sum, Twofold more)
{
    const Twofold both = twofold_sum(sum->hi, more.hi);
    *sum = (Twofold){both.hi, sum->lo + (both.lo + more.lo)};
}

/* += factor (hi + lo) */
static inline void twofold_add_product(Twofold *sum, double factor, double hi, double lo)
{
    Twofold product = twofold_product(factor, hi);
    product.lo += factor * lo;
    twofold_add(sum, product);
}

#endif
