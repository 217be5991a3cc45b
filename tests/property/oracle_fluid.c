#include "property/oracle_fluid.h"

#include "property/fluid_flow.h"
#include "property/room.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_VARIABLES = 400, MAX_RUNS = 4, MAX_STEPS = 1000000, MAX_TINY = 5000 };

static const long double AGREE = 1e-9L, FIRST_TOLERANCE = 1e-11L, FINER = 32;

/* y: the counts, then their covariances row by row. */
typedef struct {
    const FluidSystem *system;
    size_t n, size; /* counts; length of y */
    long double *k1, *k2, *k3, *k4, *stage, *whole, *middle, *halves, *shifted, *jacobian,
        *diffusion;
    OracleStatus status;
    long steps, tiny;
} Integration;

/* ---- the right-hand side ---- */

static void flow(Integration *g, const long double *x, long double *drift, long double *diffusion)
{
    const OracleStatus status = fluid_flow(g->system, x, drift, diffusion);
    if (g->status == ORACLE_OK)
        g->status = status;
}

/* By differences of second order, from above only where the count is about 0: below, nothing is
 * defined.  jacobian[i * n + j]: of drift i by count j. */
static void differentiate(Integration *g, const long double *x, const long double *at)
{
    const size_t n = g->n;
    long double *up = g->shifted + n, *down = up + n;
    memcpy(g->shifted, x, n * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        const long double step = 1e-6L * (x[j] > 1 ? x[j] : 1);
        const bool one_sided = x[j] < step;
        const long double from = one_sided && x[j] < 0 ? 0 : x[j];
        g->shifted[j] = from + step;
        flow(g, g->shifted, up, NULL);
        g->shifted[j] = one_sided ? from + 2 * step : from - step;
        flow(g, g->shifted, down, NULL);
        for (size_t i = 0; i < n; i++)
            g->jacobian[i * n + j] = one_sided ? (4 * up[i] - down[i] - 3 * at[i]) / (2 * step)
                                               : (up[i] - down[i]) / (2 * step);
        g->shifted[j] = x[j];
    }
}

static void right_hand_side(Integration *g, const long double *y, long double *out)
{
    const size_t n = g->n;
    const bool covariances = g->size > n;
    flow(g, y, out, covariances ? g->diffusion : NULL);
    if (!covariances)
        return;
    differentiate(g, y, out);
    const long double *c = y + n;
    long double *change = out + n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            long double sum = g->diffusion[i * n + j];
            for (size_t k = 0; k < n; k++)
                sum +=
                    g->jacobian[i * n + k] * c[k * n + j] + c[i * n + k] * g->jacobian[j * n + k];
            change[i * n + j] = sum;
        }
}

/* ---- Runge and Kutta ---- */

static void ahead(const Integration *g, const long double *y, long double h, const long double *k)
{
    for (size_t i = 0; i < g->size; i++)
        g->stage[i] = y[i] + h * k[i];
}

/* out: y a time h later; k1: the right-hand side at y. */
static void step(Integration *g, const long double *y, long double h, const long double *k1,
                 long double *out)
{
    ahead(g, y, h / 2, k1);
    right_hand_side(g, g->stage, g->k2);
    ahead(g, y, h / 2, g->k2);
    right_hand_side(g, g->stage, g->k3);
    ahead(g, y, h, g->k3);
    right_hand_side(g, g->stage, g->k4);
    for (size_t i = 0; i < g->size; i++)
        out[i] = y[i] + h / 6 * (k1[i] + 2 * g->k2[i] + 2 * g->k3[i] + g->k4[i]);
}

/* The largest difference, relative where values are above 1. */
static long double difference(const long double *a, const long double *b, size_t count)
{
    long double most = 0;
    for (size_t i = 0; i < count; i++) {
        const long double scale = fabsl(b[i]) > 1 ? fabsl(b[i]) : 1, d = fabsl(a[i] - b[i]) / scale;
        if (!(d <= most))
            most = isnan(d) ? LDBL_MAX : d;
    }
    return most;
}

/* By how much a step and its two halves differ; g->halves: y a time h later. */
static long double try_step(Integration *g, const long double *y, long double h)
{
    step(g, y, h, g->k1, g->whole);
    step(g, y, h / 2, g->k1, g->middle);
    right_hand_side(g, g->middle, g->k1);
    step(g, g->middle, h / 2, g->k1, g->halves);
    return g->status == ORACLE_OK ? difference(g->whole, g->halves, g->size) : LDBL_MAX;
}

/* From y at one time to y at another.  A kink costs steps as small as the tolerance wants, a jump
 * that is crossed some tiny steps; a jump that holds the solution back takes nothing else. */
static bool go(Integration *g, long double *y, long double from, long double to,
               long double tolerance)
{
    long double h = to - from;
    const long double smallest = 1e-15L * (to > 1 ? to : 1);
    while (from < to) {
        right_hand_side(g, y, g->k1);
        if (g->status != ORACLE_OK || g->steps++ > MAX_STEPS || g->tiny > MAX_TINY)
            return false;
        const bool last = h >= to - from;
        if (last)
            h = to - from;
        const long double error = try_step(g, y, h);
        if (!(error <= tolerance) && h > smallest) {
            h /= 2;
            g->status = ORACLE_OK; /* of counts that are not reached */
            continue;
        }
        memcpy(y, g->halves, g->size * sizeof *y);
        g->tiny += h < 1e6L * smallest;
        from = last ? to : from + h;
        if (error < tolerance / 64)
            h *= 2;
    }
    return true;
}

/* ---- both runs ---- */

static bool run(Integration *g, const OracleFluidQuestion *question, long double tolerance,
                long double *out)
{
    long double *y = room(g->size, sizeof *y), time = 0;
    bool arrived = true;
    memcpy(y, g->system->start, g->n * sizeof *y);
    g->steps = g->tiny = 0;
    for (size_t k = 0; k < question->time_count && arrived; k++) {
        arrived = go(g, y, time, question->times[k], tolerance);
        time = question->times[k];
        memcpy(out + k * g->size, y, g->size * sizeof *y);
    }
    mem_free(y);
    return arrived;
}

static const char *agree(Integration *g, const OracleFluidQuestion *question, long double *out,
                         long double *apart)
{
    const size_t all = g->size * question->time_count;
    long double *finer = room(all, sizeof *finer), tolerance = FIRST_TOLERANCE;
    bool arrived = run(g, question, tolerance, out);
    *apart = LDBL_MAX;
    for (int i = 0; i < MAX_RUNS && arrived && *apart > AGREE; i++) {
        arrived = run(g, question, tolerance /= FINER, finer);
        *apart = difference(out, finer, all);
        memcpy(out, finer, all * sizeof *out);
    }
    mem_free(finer);
    if (g->status != ORACLE_OK)
        return oracle_status_text(g->status);
    if (!arrived)
        return g->tiny > MAX_TINY ? "a jump of the rates holds the solution back"
                                  : "too many steps";
    return *apart <= AGREE ? NULL : "two step sizes do not agree";
}

static Integration integration_new(const FluidSystem *system, bool covariances)
{
    const size_t n = system->count, square = covariances ? n * n : 0, size = n + square;
    Integration g = {.system = system, .n = n, .size = size, .status = ORACLE_OK};
    long double **const vector[] = {&g.k1,    &g.k2,    &g.k3,     &g.k4,
                                    &g.stage, &g.whole, &g.middle, &g.halves};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = room(size, sizeof(long double));
    g.shifted = room(3 * n, sizeof *g.shifted);
    g.jacobian = room(square, sizeof *g.jacobian);
    g.diffusion = room(square, sizeof *g.diffusion);
    return g;
}

static void integration_free(Integration *g)
{
    mem_free_all(g->k1, g->k2, g->k3, g->k4, g->stage, g->whole, g->middle, g->halves, g->shifted,
                 g->jacobian, g->diffusion);
}

/* ---- results ---- */

size_t oracle_fluid_find(const OracleFluid *result, int place, const char *name)
{
    size_t i = 0;
    while (i < result->locals &&
           (result->local[i].place != place || strcmp(result->local[i].name, name) != 0))
        i++;
    return i;
}

/* Variables of one place and name are one local state: sums of counts. */
static size_t *name_locals(const FluidSystem *system, OracleFluid *result)
{
    size_t *local_of = room(system->count, sizeof *local_of);
    result->local = room(system->count, sizeof *result->local);
    for (size_t i = 0; i < system->count; i++) {
        const FluidVariable *v = &system->variable[i];
        local_of[i] = oracle_fluid_find(result, v->place + 1, v->name);
        if (local_of[i] == result->locals)
            result->local[result->locals++] = (OracleLocal){v->place + 1, v->component, v->name};
    }
    return local_of;
}

static void gather(const Integration *g, const OracleFluidQuestion *question,
                   const long double *out, OracleFluid *result)
{
    size_t *local_of = name_locals(g->system, result);
    const size_t n = g->n, m = result->locals, times = question->time_count;
    result->times = times;
    result->mean = room(times * m, sizeof *result->mean);
    result->covariance = g->size > n ? room(times * m * m, sizeof *result->covariance) : NULL;
    for (size_t k = 0; k < times; k++)
        for (size_t i = 0; i < n; i++) {
            const long double *y = out + k * g->size;
            result->mean[k * m + local_of[i]] += y[i];
            for (size_t j = 0; j < n && g->size > n; j++)
                result->covariance[(k * m + local_of[i]) * m + local_of[j]] += y[n + i * n + j];
        }
    mem_free(local_of);
}

OracleFluid oracle_fluid_model(const RefModel *model, const OracleFluidQuestion *question)
{
    OracleFluid result = {0};
    FluidSystem system;
    result.status =
        fluid_system(&system, model, question->covariances ? MAX_VARIABLES / 8 : MAX_VARIABLES,
                     question->covariances);
    result.failure = result.status == ORACLE_OK ? NULL : oracle_status_text(result.status);
    if (!result.failure) {
        system.edge = question->edge;
        Integration g = integration_new(&system, question->covariances);
        long double *out = room(g.size * question->time_count, sizeof *out);
        result.failure = agree(&g, question, out, &result.difference);
        result.status = g.status;
        if (!result.failure)
            gather(&g, question, out, &result);
        mem_free(out);
        integration_free(&g);
    }
    result.names = system.names; /* which the local states are called by */
    system.names = (RefNames){0};
    fluid_system_free(&system);
    return result;
}

OracleFluid oracle_fluid(const char *text, const OracleFluidQuestion *question)
{
    RefModel model = {0};
    size_t where;
    const char *error =
        ref_parse(&model, text, question->constants, question->constant_count, &where);
    OracleFluid result = {0};
    if (error)
        result = (OracleFluid){.status = ORACLE_BAD_RATE, .failure = error, .where = where};
    else
        result = oracle_fluid_model(&model, question);
    result.model = model;
    return result;
}

void oracle_fluid_free(OracleFluid *result)
{
    mem_free_all(result->local, result->mean, result->covariance);
    ref_names_free(&result->names);
    ref_model_free(&result->model);
    *result = (OracleFluid){0};
}
