/* Random grids and programs. */
#include "grids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLUSTERS = 4 };

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p)
        abort();
    return p;
}

double chance_uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

double chance_log_uniform(uint64_t *state, double low, double high)
{
    return low * pow(high / low, chance_uniform(state));
}

static int32_t whole(uint64_t *state, int32_t low, int32_t high)
{
    return low + (int32_t)(chance_uniform(state) * (high - low + 1));
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(chance_uniform(state))) * cos(6.283185307179586 * chance_uniform(state));
}

/* Source: Marsaglia, Tsang, A simple method for generating gamma variables, 2000. */
static double gamma_draw(uint64_t *state, double shape)
{
    if (shape < 1)
        return gamma_draw(state, shape + 1) * pow(chance_uniform(state), 1 / shape);
    const double d = shape - 1 / 3.0, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = normal(state), v = pow(1 + c * x, 3);
        if (1 + c * x > 0 && log(chance_uniform(state)) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* A grid whose processes are in these clusters. */
static TestGrid grid_of(int32_t n, const int32_t *cluster, const double *speed,
                        const double *inside, double between[MOST_CLUSTERS][MOST_CLUSTERS])
{
    const size_t links = (size_t)n * (size_t)n;
    TestGrid grid = {n, room((size_t)n, sizeof(double)), room(links, sizeof(double))};
    for (int32_t i = 0; i < n; i++) {
        const int32_t a = cluster[i];
        grid.time[i] = 1 / speed[a];
        for (int32_t j = 0; j < n; j++)
            if (i != j)
                grid.latency[i * n + j] = a == cluster[j] ? inside[a] : between[a][cluster[j]];
    }
    return grid;
}

void test_grid_new(TestGrid *grid, uint64_t *state)
{
    static const double mhz[] = {534, 1395, 1529, 800, 2000};
    const int32_t clusters = whole(state, 1, MOST_CLUSTERS);
    double speed[MOST_CLUSTERS], inside[MOST_CLUSTERS], between[MOST_CLUSTERS][MOST_CLUSTERS];
    const int32_t n = whole(state, 7, 41);
    for (int32_t a = 0; a < clusters; a++) {
        speed[a] = mhz[whole(state, 0, 4)] / 1000;
        inside[a] = chance_log_uniform(state, 0.13e-3, 0.35e-3);
        for (int32_t b = 0; b < a; b++)
            between[a][b] = between[b][a] = chance_log_uniform(state, 0.27e-3, 35.8e-3);
    }
    int32_t *cluster = room((size_t)n, sizeof *cluster);
    for (int32_t i = 0; i < n; i++)
        cluster[i] = i < clusters ? i : whole(state, 0, clusters - 1);
    *grid = grid_of(n, cluster, speed, inside, between);
    free(cluster);
}

void test_grid_few(TestGrid *grid, uint64_t *state)
{
    enum { MOST = 8, CLUSTERS = 3 };
    const int32_t n = whole(state, 1, MOST), clusters = whole(state, 1, CLUSTERS);
    double speed[MOST_CLUSTERS], inside[MOST_CLUSTERS], between[MOST_CLUSTERS][MOST_CLUSTERS];
    const double near = chance_log_uniform(state, 1e-6, 1e-3),
                 far = chance_log_uniform(state, 1e-4, 0.2);
    int32_t cluster[MOST];
    for (int32_t a = 0; a < CLUSTERS; a++) {
        speed[a] = chance_log_uniform(state, 0.3, 3);
        inside[a] = near;
        for (int32_t b = 0; b < CLUSTERS; b++)
            between[a][b] = far;
    }
    for (int32_t i = 0; i < n; i++)
        cluster[i] = i % clusters;
    *grid = grid_of(n, cluster, speed, inside, between);
}

void test_grid_free(TestGrid *grid)
{
    free(grid->time);
    free(grid->latency);
}

/* ---- programs -------------------------------------------------------------------------------- */

static double work_of(Shape shape, double mean, double spread, uint64_t *state)
{
    if (spread <= 0)
        return mean;
    if (shape == SHAPE_SPREAD) {
        const double s = sqrt(log1p(spread * spread));
        return mean * exp(s * normal(state) - s * s / 2);
    }
    const double k = 1 / (spread * spread);
    return mean * gamma_draw(state, k) / k;
}

/* Numbers of sparks below each task, in order of numbers: task t has children first[t] on. */
static void plant(TestProgram *p, Shape shape, uint64_t *state)
{
    int32_t *below = room((size_t)p->tasks, sizeof *below); /* tasks still to be placed below it */
    int32_t next = 1;
    below[0] = p->tasks - 1;
    for (int32_t t = 0; t < p->tasks; t++) {
        int32_t children = 0, left = below[t];
        p->first[t] = next;
        if (left > 0 && (shape == SHAPE_LIST || shape == SHAPE_SPREAD))
            children = left;
        else if (left > 0 && shape == SHAPE_TREE)
            children = left < 2 ? 1 : 2;
        else if (left > 0)
            children = t == 0 ? (int32_t)ceil(sqrt(left)) : left;
        for (int32_t c = 0; c < children; c++) {
            const int32_t others = children - c - 1;
            int32_t share = left / (children - c);
            if (shape == SHAPE_TREE && others > 0)
                share = (int32_t)(left * (0.2 + 0.6 * chance_uniform(state)));
            else if (shape == SHAPE_GROUPS && t == 0 && others > 0)
                share = (int32_t)(share * 2 * chance_uniform(state));
            if (share < 1)
                share = 1;
            if (share > left - others || others == 0)
                share = left - others;
            p->level[next] = p->level[t] + 1;
            below[next++] = share - 1;
            left -= share;
        }
    }
    p->first[p->tasks] = next;
    free(below);
}

void test_program_new(TestProgram *p, Shape shape, int32_t tasks, double mean, double spread,
                      uint64_t *state)
{
    *p = (TestProgram){.tasks = tasks + 1, .message = 20e-6, .slice = 10e-6};
    p->work = room((size_t)p->tasks, sizeof *p->work);
    p->first = room((size_t)p->tasks + 1, sizeof *p->first);
    p->level = room((size_t)p->tasks, sizeof *p->level);
    plant(p, shape, state);
    for (int32_t t = 1; t < p->tasks; t++)
        p->work[t] = work_of(shape, mean, spread, state);
}

void test_program_free(TestProgram *p)
{
    free(p->work);
    free(p->first);
    free(p->level);
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Sums of works and squares by level; the chain that is longest when sparks are made at once. */
void test_profile_new(Profile *profile, const TestProgram *p)
{
    double square[PROFILE_MOST_LEVELS] = {0};
    *profile = (Profile){.makespan = 1, .message = p->message, .slice = p->slice, .processes = 1};
    for (int32_t t = 0; t < p->tasks; t++) {
        const int32_t d = p->level[t] < PROFILE_MOST_LEVELS ? p->level[t] : PROFILE_MOST_LEVELS - 1;
        ProfileLevel *level = &profile->level[d];
        if (d >= profile->levels)
            profile->levels = d + 1;
        level->tasks++;
        level->work += p->work[t];
        square[d] += p->work[t] * p->work[t];
        level->longest = fmax(level->longest, p->work[t]);
        level->pure += p->pure && p->first[t] == p->first[t + 1];
        profile->critical = fmax(profile->critical, p->work[t]);
    }
    for (int32_t d = 0; d < profile->levels; d++) {
        ProfileLevel *level = &profile->level[d];
        const double n = (double)level->tasks, mean = level->work / n;
        level->deviation = sqrt(fmax(0, square[d] / n - mean * mean));
    }
    (void)strcpy(profile->program, "random");
    (void)strcpy(profile->policy, "random");
    profile->process = room(1, sizeof *profile->process);
    profile->process[0] = (ProfileProcess){.host = "-", .cluster = "-", .time = 1, .running = 1};
}

void test_profile_free(Profile *profile)
{
    free(profile->process);
}
