#include "property/dense.h"

#include <criterion/criterion.h>

static void expect(long double got, long double want)
{
    long double off = got < want ? want - got : got - want;
    cr_expect(off <= 1e-17L * want, "%.20Lg, not %.20Lg", got, want);
}

/* Birth and death with rates twelve orders of magnitude apart: p_k = p_0 x^k to the last digit. */
Test(dense, stiff_birth_and_death)
{
    enum { N = 6 };
    long double rate[N * N] = {0}, pi[N], power = 1, sum = 0;
    for (int i = 0; i + 1 < N; i++) {
        rate[i * N + i + 1] = 1e-6L;
        rate[(i + 1) * N + i] = 1e6L;
    }
    dense_long_run(rate, N, 3, pi);
    for (int k = 0; k < N; k++, power *= 1e-12L)
        sum += power;
    power = 1;
    for (int k = 0; k < N; k++, power *= 1e-12L)
        expect(pi[k], power / sum);
}

/* Gambler's ruin between 0 and 4, up twice as likely as down: ruin from 1 is 7/15. */
Test(dense, absorption)
{
    enum { N = 5 };
    long double rate[N * N] = {0}, pi[N];
    for (int i = 1; i + 1 < N; i++) {
        rate[i * N + i + 1] = 2;
        rate[i * N + i - 1] = 1;
    }
    int bottom[N];
    cr_expect(dense_bottoms(rate, N, bottom) == 2);
    cr_expect(bottom[0] == 0 && bottom[4] == 1 && bottom[2] == -1);
    dense_long_run(rate, N, 1, pi);
    expect(pi[0], 7.0L / 15);
    expect(pi[4], 8.0L / 15);
    cr_expect(pi[1] + pi[2] + pi[3] <= 0);
}

/* Two states, rates a and b: (Q - e pi)^-1 = -e pi + (e pi - I) / (a + b), here with a = 1, b = 3:
 * rows (-13, -3) / 16 and (-9, -7) / 16. */
Test(dense, condition)
{
    const long double rate[4] = {0, 1, 3, 0}, pi[2] = {0.75L, 0.25L};
    expect(dense_condition(rate, 2, pi), 1);
}
