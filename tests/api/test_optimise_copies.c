/* pepa_optimise.h: optimal numbers of copies against Erlang's loss formula, alone and with a rate. */
#include <math.h>
#include <stdio.h>

#include "optimising.h"

/* The fewest lines that lose no more than a share of calls, at a price per line. */
Test(optimise_api, erlang)
{
    const PepaWithin within[] = {{"servers", 0.5, 40.5}};
    const double losses[] = {0.5, 0.1, 0.01, 1e-4};
    for (int i = 0; i < 4; i++) {
        char text[100];
        const char *const subject[] = {text, NULL};
        int least = 1;
        (void)snprintf(text, sizeof text, "probability:{Line == 0} <= %g", losses[i]);
        while (blocking(8, least) > losses[i])
            least++;
        Answer a = optimise(lines, "10 * rate:servers", false, within, 1, subject, NULL);
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.rate[0], least, "%g: %g lines, not %d", losses[i], a.rate[0], least);
        cr_expect_float_eq(a.value[1], blocking(8, least), 1e-9);
        cr_expect(a.found.global);
        cr_expect_eq(a.found.ended, PEPA_OPTIMUM_ENUMERATED);
        cr_expect_eq(a.found.evaluations, least, "dearer ones need not be solved");
        cr_expect_eq(a.found.skipped, 40 - least);
        cr_expect_eq(a.found.states, least + 1);
        cr_expect(isnan(a.found.residual));
    }
}

/* The same with more choice than can be looked at: from the fewest on. */
Test(optimise_api, erlang_pattern)
{
    const PepaWithin within[] = {{"servers", 1, 100000}};
    const char *const subject[] = {"probability:{Line == 0} <= 0.01", NULL};
    Answer a = optimise(lines, "rate:servers", false, within, 1, subject, NULL);
    int least = 1;
    while (blocking(8, least) > 0.01)
        least++;
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], least, "%g, not %d", a.rate[0], least);
    cr_expect_not(a.found.global);
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_NEIGHBOURS);
    cr_expect_lt(a.found.evaluations, 60);
}

/* A number of lines and the speed at which calls come: the most revenue that blocks few. */
Test(optimise_api, mixed)
{
    const PepaWithin within[] = {{"servers", 1, 12}, {"offered", 0.1, 20}};
    const char *const subject[] = {"probability:{Line == 0} <= 0.05", "rate:servers <= 9", NULL};
    Answer a =
        optimise(lines, "throughput:call - 0.1 * rate:servers", true, within, 2, subject, NULL);
    double low = 0.1, high = 20; /* the load of 9 lines that blocks 5 per cent */
    while (high - low > 1e-12) {
        const double middle = (low + high) / 2;
        *(blocking(middle, 9) > 0.05 ? &high : &low) = middle;
    }
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], 9);
    cr_expect_float_eq(a.rate[1], low, 1e-5);
    cr_expect_float_eq(a.found.objective, low * 0.95 - 0.9, 1e-5);
    cr_expect_eq(a.binding[2], PEPA_BINDS_HIGH);
    cr_expect_eq(a.binding[3], PEPA_BINDS_HIGH);
}
