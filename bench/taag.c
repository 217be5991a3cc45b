/* The scheduler of TAAG on random grids: what is proved, and in what time.
 *   bench_taag KINDS PROGRAMS GROUPS HOSTS SEEDS [SECONDS [paper]]
 * Each of KINDS, PROGRAMS, GROUPS and HOSTS is a list with commas; SEEDS is a number, and SECONDS a
 * limit of time.  Prints a line per grid:
 *   kind program groups hosts seed CPU-seconds level most mean bound-level bound-most bound-mean nodes
 * `bench/taag.awk` makes a table of them.
 *
 * Hosts have 2 to 8 cores; with CORES=32 in the environment a quarter of that to that.  Latencies, in milliseconds:
 *   flat      2 to 10 sites; 0.13 within; one random latency for each pair of sites, 1 to 50
 *   terms     the same, and a term of each host, up to 0.2: a link takes those of both its ends
 *   jitter    the same, but each link has a random share of its own: up to 0.8 within, 20% between
 *   levels    countries, sites, racks: random latencies within each, 20 to 90, 2 to 9, 0.1 to 0.3
 *   random    each link of its own: 0.1 to 50, each order of magnitude as likely
 *   plane     points of a square: 0.05 and the distance, at most 40 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/taag/schedule/schedule.h"

typedef struct {
    uint64_t state;
    const char *kind;
    int32_t hosts;
    int32_t *site, *country;
    double *x, *y, *between; /* between: hosts^2, of sites or countries */
} Grid;

/* Other processes do not count. */
static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double uniform(Grid *g, double low, double high)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(g->state >> 11) / 9007199254740992.0;
}

static int32_t below(Grid *g, int32_t n)
{
    return (int32_t)uniform(g, 0, n);
}

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) {
        (void)fputs("bench_taag: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void draw(Grid *g)
{
    int32_t n = g->hosts, sites = 2 + below(g, 9), countries = 2 + below(g, 3);
    g->site = room((size_t)n, sizeof *g->site);
    g->country = room((size_t)n, sizeof *g->country);
    g->x = room((size_t)n, sizeof *g->x);
    g->y = room((size_t)n, sizeof *g->y);
    g->between = room((size_t)n * (size_t)n, sizeof *g->between);
    for (int32_t i = 0; i < n; i++) {
        g->site[i] = below(g, sites);
        g->country[i] = g->site[i] % countries;
        g->x[i] = uniform(g, 0, 1);
        g->y[i] = uniform(g, 0, 1);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            g->between[i * n + j] = g->between[j * n + i] = uniform(g, 0, 1);
}

static double latency(Grid *g, int32_t a, int32_t b)
{
    int32_t n = g->hosts, s = g->site[a], t = g->site[b];
    double sites = s == t ? 0.13 : 1 + 49 * g->between[s * n + t];
    if (strcmp(g->kind, "flat") == 0)
        return sites;
    if (strcmp(g->kind, "terms") == 0)
        return sites + 0.2 * (g->x[a] + g->x[b]);
    if (strcmp(g->kind, "jitter") == 0)
        return s == t ? sites + uniform(g, 0, 0.8) : sites * uniform(g, 1, 1.2);
    if (strcmp(g->kind, "levels") == 0)
        return g->country[a] != g->country[b]
                   ? 20 + 70 * g->between[g->country[a] * n + g->country[b]]
               : s != t ? 2 + 7 * g->between[s * n + t]
                        : 0.1 + 0.2 * g->between[(n - 1 - s) * n + s];
    if (strcmp(g->kind, "random") == 0)
        return pow(10, uniform(g, -1, 1.7));
    return 0.05 + 40 / sqrt(2) * hypot(g->x[a] - g->x[b], g->y[a] - g->y[b]);
}

static AmogetMachine *machine_of(Grid *g)
{
    AmogetMachine *m = NULL;
    const char *most = getenv("CORES");
    const int32_t cores = most ? atoi(most) : 8;
    if (amoget_machine_new(&m, NULL) != PEPA_OK)
        exit(1);
    for (int32_t i = 0; i < g->hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, cores / 4 + below(g, cores - cores / 4 + 1), NULL);
    }
    for (int32_t i = 0; i < g->hosts; i++)
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, latency(g, i, j) / 1e3, NULL);
    return m;
}

/* groups    so many groups of 3.5 processes on average, of at least 3
 * free      4 processes for each group; groups of at least 4, of any number
 * equal     a graph without edges, groups of 4
 * wide      the same, groups of 6
 * mixed     the same, groups of 1 to 8
 * sparse    a graph with two random edges for each group, groups of 1 to 8;  thin: with one, so that it is in parts
 * ring      so many groups of at least 3
 * tree      as many processes as free; three levels, at least 3 leaves
 * spread    10 processes for each group, which is more than a host has; groups of at least 10, of any number
 * large     a graph without edges, groups of 4 to 16
 * far-ring  as spread, in a ring
 * far-tree  as many processes as spread; three levels, at least 9 leaves
 * Graphs with groups of 1 to 8:
 * star      a group that talks to all others;  wheel: these are in a ring;  two: two such groups
 * masters   one that talks to three, of which each talks to a third of the others
 * binary    a tree
 * mesh      rows of eight;  torus: the same, joined at the ends
 * cube      those that differ in one bit of their numbers
 * stars     each eighth talks to the seven after it;  rows: each talks to the next of its row of eight */

/* Does a graph of this name join groups a < b of n? */
static bool joined(const char *name, int32_t a, int32_t b, int32_t n)
{
    enum { ROW = 8, MASTERS = 3 };
    const bool wheel = strcmp(name, "wheel") == 0, torus = strcmp(name, "torus") == 0;
    if (strcmp(name, "star") == 0 || wheel)
        return a == 0 || (wheel && (b == a + 1 || (a == 1 && b == n - 1)));
    if (strcmp(name, "two") == 0)
        return a < 2 && b >= 2;
    if (strcmp(name, "stars") == 0)
        return a % ROW == 0 && b < a + ROW;
    if (strcmp(name, "rows") == 0)
        return b == a + 1 && b % ROW > 0;
    if (strcmp(name, "masters") == 0)
        return a == 0 ? b <= MASTERS : a == 1 + b % MASTERS && b > MASTERS;
    if (strcmp(name, "binary") == 0)
        return a == (b - 1) / 2;
    if (strcmp(name, "mesh") == 0 || torus)
        return b == a + ROW || (b == a + 1 && b % ROW > 0) ||
               (torus && ((a % ROW == 0 && b == a + ROW - 1) || (a < ROW && b == a + n - ROW)));
    return strcmp(name, "cube") == 0 && ((a ^ b) & ((a ^ b) - 1)) == 0;
}

static AmogetProgram program_of(Grid *g, const char *name, int32_t groups)
{
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = groups};
    const bool sparse = strcmp(name, "sparse") == 0, mixed = strcmp(name, "mixed") == 0;
    const bool thin = strcmp(name, "thin") == 0;
    p.sizes = room((size_t)groups, sizeof *p.sizes);
    p.edges = room((size_t)groups * (size_t)groups, sizeof *p.edges);
    for (int32_t b = 0; b < groups; b++)
        for (int32_t a = 0; a < b; a++)
            if (joined(name, a, b, groups))
                p.edges[p.edge_count++] = (AmogetEdge){a, b};
    const bool small = sparse || thin || mixed || p.edge_count > 0;
    for (int32_t i = 0; i < groups; i++)
        p.sizes[i] = small                        ? 1 + below(g, 8)
                     : strcmp(name, "large") == 0 ? 4 + below(g, 13)
                     : strcmp(name, "wide") == 0  ? 6
                     : strcmp(name, "spread") == 0 || strncmp(name, "far-", 4) == 0 ? 10
                                                                                    : 4;
    for (int32_t i = 0; i < groups; i++)
        p.processes += p.sizes[i];
    for (int32_t i = 0; i < groups * (sparse ? 2 : thin); i++) {
        int32_t a = below(g, groups), b = below(g, groups);
        bool again = a == b;
        for (int32_t e = 0; e < p.edge_count; e++)
            again = again || (p.edges[e].a == a && p.edges[e].b == b) ||
                    (p.edges[e].a == b && p.edges[e].b == a);
        if (!again)
            p.edges[p.edge_count++] = (AmogetEdge){a, b};
    }
    if (strcmp(name, "groups") == 0 || strcmp(name, "ring") == 0) {
        p.kind = name[0] == 'g' ? AMOGET_GROUPS : AMOGET_RING;
        p.processes = 3 * groups + groups / 2;
        p.least = 3;
        p.divisor = groups;
    } else if (strcmp(name, "free") == 0) {
        p.kind = AMOGET_GROUPS;
        p.least = 4;
    } else if (strcmp(name, "spread") == 0 || strcmp(name, "far-ring") == 0) {
        p.kind = name[0] == 's' ? AMOGET_GROUPS : AMOGET_RING;
        p.least = 10;
    } else if (strcmp(name, "tree") == 0 || strcmp(name, "far-tree") == 0) {
        p.kind = AMOGET_TREE;
        p.least = name[0] == 't' ? 3 : 9;
        p.levels = 3;
    }
    return p;
}

static void run(const char *kind, const char *name, int32_t groups, int32_t hosts, int32_t seed,
                double seconds, bool paper)
{
    Grid g = {.state = (uint64_t)seed * 0x9E3779B97F4A7C15u, .kind = kind, .hosts = hosts};
    ScheduleSettings set = {.coefficient = 1, .seconds = seconds, .paper = paper};
    Schedule found = {0};
    PepaError err = {0};
    draw(&g);
    AmogetMachine *machine = machine_of(&g);
    AmogetProgram program = program_of(&g, name, groups);
    double begin = cpu_seconds();
    PepaStatus status = schedule_find(&found, machine, &program, &set, &err);
    (void)printf("%s %s %d %d %d %.3f", kind, name, groups, hosts, seed, cpu_seconds() - begin);
    if (status == PEPA_OK)
        (void)printf(" %d %.9g %.9g %d %.9g %.9g %lld\n", found.cost.level, found.cost.most,
                     found.cost.mean, found.bound.level, found.bound.most, found.bound.mean,
                     (long long)found.nodes);
    else
        (void)printf(" error %s\n", err.message);
    (void)fflush(stdout);
    if (status == PEPA_OK)
        schedule_free(&found);
    amoget_machine_free(machine);
    free(program.sizes);
    free(program.edges);
    free(g.site);
    free(g.country);
    free(g.x);
    free(g.y);
    free(g.between);
}

/* The next word of a list with commas; false: there is none. */
static bool next_word(const char **list, char *word, size_t size)
{
    size_t n = strcspn(*list, ",");
    if (n == 0 || n >= size)
        return false;
    memcpy(word, *list, n);
    word[n] = '\0';
    *list += n + ((*list)[n] == ',');
    return true;
}

int main(int argc, char **argv)
{
    char kind[16], program[16], groups[16], hosts[16];
    if (argc < 6) {
        (void)fputs("usage: bench_taag KINDS PROGRAMS GROUPS HOSTS SEEDS [SECONDS [paper]]\n",
                    stderr);
        return 2;
    }
    double seconds = argc > 6 ? strtod(argv[6], NULL) : 0;
    for (const char *h = argv[4]; next_word(&h, hosts, sizeof hosts);)
        for (const char *g = argv[3]; next_word(&g, groups, sizeof groups);)
            for (const char *k = argv[1]; next_word(&k, kind, sizeof kind);)
                for (const char *p = argv[2]; next_word(&p, program, sizeof program);)
                    for (int32_t seed = 1; seed <= atoi(argv[5]); seed++)
                        run(kind, program, atoi(groups), atoi(hosts), seed, seconds, argc > 7);
    return 0;
}
