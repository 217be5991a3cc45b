/* Distances between a distribution and samples, and what they would be by chance: by parametric
 * bootstrap, since the parameters come from the same samples.
 * Source: Stute, Gonzalez Manteiga, Presedo Quindimil, "Bootstrap based goodness-of-fit tests",
 * Metrika 40 (1993); Davison, Hinkley, Bootstrap Methods and their Application, 1997, ch. 4. */
#include "fit/goodness.h"

#include <math.h>
#include <stdlib.h>

enum { REFIT_STEPS = 60 }; /* of EM, from the distribution that was drawn from */
#define REFIT_TOLERANCE 1e-7

Distance goodness_distance(const Phases *p, const double *ascending, size_t count, double *survival)
{
    const double n = (double)count;
    Distance d = {0, 1 / (12 * n)};
    phases_at(p, ascending, count, survival, NULL);
    for (size_t i = 0; i < count; i++) {
        const double cdf = 1 - survival[i], below = (double)i / n, above = (double)(i + 1) / n;
        d.kolmogorov = fmax(d.kolmogorov, fmax(cdf - below, above - cdf));
        d.cramer += (cdf - (below + above) / 2) * (cdf - (below + above) / 2);
    }
    return d;
}

int goodness_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool refit(const Phases *from, const double *value, size_t count, Watch *watch, Phases *p)
{
    const Effort effort = {REFIT_STEPS, REFIT_TOLERANCE, watch};
    PepaFitCandidate found;
    Sample s = {0};
    *p = *from;
    bool ok = sample_new(&s, value, count, SEARCH_VALUES);
    if (ok && p->family == PEPA_FIT_ERLANG)
        ok = search_family(&s, &effort, p->family, p->phases, p, &found);
    else if (ok)
        ok = climb(&s, &effort, p, &found);
    sample_free(&s);
    return ok;
}

bool goodness_bootstrap(const Phases *p, size_t count, Distance seen, int64_t runs, uint64_t seed,
                        Watch *watch, PepaFitTest *test)
{
    double *value = NULL, *survival = NULL;
    int64_t further = 0, rougher = 0;
    Phases fitted;
    bool ok = mem_new(value, count) && mem_new(survival, count);
    for (int64_t run = 0; run < runs && ok; run++) {
        for (size_t i = 0; i < count; i++)
            value[i] = phases_draw(p, &seed);
        qsort(value, count, sizeof *value, goodness_ascending);
        ok = refit(p, value, count, watch, &fitted);
        if (!ok)
            break;
        const Distance d = goodness_distance(&fitted, value, count, survival);
        further += d.kolmogorov >= seen.kolmogorov;
        rougher += d.cramer >= seen.cramer;
        watch->count++;
    }
    if (ok)
        *test = (PepaFitTest){(double)(further + 1) / (double)(runs + 1),
                              (double)(rougher + 1) / (double)(runs + 1), runs};
    mem_free_all(value, survival);
    return ok;
}
