/* Calls the minimisers of GSL, the only file that does.
 *
 * GSL ends the program on an error unless it is told not to, which would be told to the whole
 * process; so nothing is asked of it that is an error: functions are finite, brackets enclose a
 * minimum, and memory is tried for first.  Where the caller has told it so, NULL is memory that was gone by then.
 *
 * Sources: Fletcher, Practical Methods of Optimization, 1987, ch. 2 and 3 (BFGS); Nelder and Mead,
 * A simplex method for function minimization, 1965; Brent, Algorithms for Minimization without
 * Derivatives, 1973, ch. 5. */
#include "optimise/minimise.h"

#include <gsl/gsl_min.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { GSL_VECTORS = 32 }; /* more than a minimiser has, beside a matrix in simplices */
#define LINE_TOLERANCE 0.1 /* of searches along a line: what GSL's manual recommends */

static double value_at(const gsl_vector *x, void *user)
{
    const Smooth *f = user;
    return f->value(f->user, x->data, NULL);
}

static void slope_at(const gsl_vector *x, void *user, gsl_vector *slope)
{
    const Smooth *f = user;
    (void)f->value(f->user, x->data, slope->data);
}

static void both_at(const gsl_vector *x, void *user, double *value, gsl_vector *slope)
{
    const Smooth *f = user;
    *value = f->value(f->user, x->data, slope->data);
}

/* Whether there is the memory that GSL will ask for. */
static bool memory_for(int32_t variables)
{
    const size_t n = (size_t)variables;
    double *probe = NULL;
    const bool ok = mem_new(probe, n * (GSL_VECTORS + n) + 1024);
    mem_free(probe);
    return ok;
}

static double largest(const gsl_vector *x)
{
    double most = 0;
    for (size_t i = 0; i < x->size; i++)
        most = fmax(most, fabs(x->data[i]));
    return most;
}

bool minimise_smooth(const Smooth *f, double *t, double step, double tolerance, int32_t most)
{
    const size_t n = (size_t)f->variables;
    if (!memory_for(f->variables))
        return false;
    gsl_multimin_function_fdf g = {value_at, slope_at, both_at, n, (void *)f};
    gsl_vector *start = gsl_vector_alloc(n);
    gsl_multimin_fdfminimizer *m =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, n);
    const bool ok = start && m;
    if (ok) {
        memcpy(start->data, t, n * sizeof *t);
        gsl_multimin_fdfminimizer_set(m, &g, start, step, LINE_TOLERANCE);
    }
    double before = INFINITY;
    for (int32_t i = 0; ok && i < most && !f->stop(f->user) && m->f < before; i++) {
        before = m->f; /* at a kink GSL repeats a step that leads nowhere */
        if (largest(m->gradient) <= tolerance || gsl_multimin_fdfminimizer_iterate(m) != 0)
            break;
    }
    if (ok)
        memcpy(t, m->x->data, n * sizeof *t);
    gsl_multimin_fdfminimizer_free(m);
    gsl_vector_free(start);
    return ok;
}

/* ---- without derivatives --------------------------------------------------------------------- */

static bool by_simplices(const Smooth *f, double *t, double step, double tolerance, int32_t most)
{
    const size_t n = (size_t)f->variables;
    gsl_multimin_function g = {value_at, n, (void *)f};
    gsl_vector *start = gsl_vector_alloc(n), *steps = gsl_vector_alloc(n);
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    const bool ok = start && steps && m;
    if (ok) {
        memcpy(start->data, t, n * sizeof *t);
        gsl_vector_set_all(steps, step);
        gsl_multimin_fminimizer_set(m, &g, start, steps);
    }
    for (int32_t i = 0; ok && i < most && !f->stop(f->user); i++)
        if (gsl_multimin_fminimizer_iterate(m) != 0 || m->size <= tolerance)
            break;
    if (ok)
        memcpy(t, m->x->data, n * sizeof *t);
    gsl_multimin_fminimizer_free(m);
    gsl_vector_free(steps);
    gsl_vector_free(start);
    return ok;
}

static double one_value(double x, void *user)
{
    const Smooth *f = user;
    return f->value(f->user, &x, NULL);
}

/* A place with a lower value than step before it and step behind it, as far as `most` steps lead. */
static bool enclose(const Smooth *f, double *middle, double value[3], double step, int32_t most)
{
    value[1] = one_value(*middle, (void *)f);
    for (int32_t i = 0; i < most && !f->stop(f->user); i++) {
        value[0] = one_value(*middle - step, (void *)f);
        value[2] = one_value(*middle + step, (void *)f);
        if (value[0] >= value[1] && value[2] >= value[1])
            return value[0] > value[1] && value[2] > value[1];
        const int side = value[0] < value[2] ? 0 : 2;
        *middle += side == 0 ? -step : step;
        value[1] = value[side];
    }
    return false;
}

static bool by_brent(const Smooth *f, double *t, double step, double tolerance, int32_t most)
{
    double value[3];
    gsl_function g = {one_value, (void *)f};
    if (!enclose(f, t, value, step, most))
        return true;
    gsl_min_fminimizer *m = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (!m)
        return false;
    gsl_min_fminimizer_set_with_values(m, &g, *t, value[1], *t - step, value[0], *t + step,
                                       value[2]);
    for (int32_t i = 0; i < most && !f->stop(f->user); i++)
        if (gsl_min_fminimizer_iterate(m) != 0 || m->x_upper - m->x_lower <= tolerance)
            break;
    *t = m->x_minimum;
    gsl_min_fminimizer_free(m);
    return true;
}

bool minimise_rough(const Smooth *f, double *t, double step, double tolerance, int32_t most)
{
    return memory_for(f->variables) &&
           (f->variables == 1 ? by_brent : by_simplices)(f, t, step, tolerance, most);
}
