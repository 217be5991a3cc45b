/* The enumeration. */
#include "brute.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int32_t order_of(double ms)
{
    return (int32_t)floor(log10(ms) + 1e-9) + 32;
}

static void number_levels(Brute *b)
{
    int32_t next = 0;
    for (int32_t i = 0; i < b->hosts; i++)
        for (int32_t j = 0; j < i; j++)
            b->number[order_of(b->ms[i][j])] = 1;
    for (int32_t c = 0; c < 64; c++)
        if (b->number[c])
            b->number[c] = ++next;
}

static void evaluate(Brute *b)
{
    double latency[MOST][MOST] = {{0}}, most = 0, sum = 0;
    int32_t level = 0, connections = 0;
    for (int32_t p = 0; p < b->n; p++)
        for (int32_t q = 0; q < p; q++) {
            int32_t x = b->group[p], y = b->group[q];
            double ms = b->ms[b->at[p]][b->at[q]];
            if (b->unit[x] == b->unit[y] && ms > 0 && b->number[order_of(ms)] > level)
                level = b->number[order_of(ms)];
            latency[x][y] = latency[y][x] = fmax(latency[x][y], ms);
        }
    for (int32_t x = 0; x < b->groups; x++)
        for (int32_t y = 0; y < x; y++)
            if (b->talks[x][y]) {
                most = fmax(most, latency[x][y]);
                sum += latency[x][y];
                connections++;
            }
    double mean = connections ? sum / connections : 0;
    bool equal = level == b->level && most == b->most && fabs(mean - b->mean) < 1e-9;
    bool less = level != b->level ? level < b->level
                : most != b->most ? most < b->most
                                  : mean < b->mean - 1e-9;
    if (equal && b->found)
        less = b->parts != b->best_parts ? b->parts < b->best_parts : b->largest > b->best_largest;
    if (b->found && !less)
        return;
    b->found = true;
    b->level = level;
    b->most = most;
    b->mean = mean;
    b->best_parts = b->parts;
    b->best_largest = b->largest;
}

static void assign(Brute *b, int32_t p)
{
    if (p == b->n) {
        evaluate(b);
        return;
    }
    int32_t from = p > 0 && b->group[p] == b->group[p - 1] ? b->at[p - 1] : 0;
    for (int32_t h = from; h < b->hosts; h++)
        if (b->free[h] > 0) {
            b->free[h]--;
            b->at[p] = h;
            assign(b, p + 1);
            b->free[h]++;
        }
}

static void talk(Brute *b, int32_t x, int32_t y)
{
    b->talks[x][y] = b->talks[y][x] = true;
}

/* Groups of these sizes, descending but for a graph. */
static void with_sizes(Brute *b, const int32_t *size, int32_t parts)
{
    const AmogetProgram *p = b->program;
    int32_t fixed = 0;
    memset(b->talks, 0, sizeof b->talks);
    b->n = p->processes;
    b->parts = parts;
    b->largest = size[0];
    if (p->kind == AMOGET_TREE)
        fixed = p->levels == 2 ? 1 : 1 + parts;
    b->groups = fixed + parts;
    for (int32_t g = 0; g < b->groups; g++) {
        b->size[g] = g < fixed ? 1 : size[g - fixed];
        b->unit[g] = g;
    }
    for (int32_t i = 0; i < parts && p->kind == AMOGET_TREE; i++) {
        int32_t manager = p->levels == 2 ? 0 : 1 + i;
        b->unit[fixed + i] = manager;
        talk(b, manager, fixed + i);
        if (p->levels > 2)
            talk(b, 0, manager);
    }
    for (int32_t g = 0; g < b->groups && p->kind == AMOGET_RING && parts > 1; g++)
        talk(b, g, (g + 1) % parts);
    for (int32_t e = 0; e < p->edge_count; e++)
        talk(b, p->edges[e].a, p->edges[e].b);
    bool all = p->kind == AMOGET_GROUPS || (p->kind == AMOGET_GRAPH && p->edge_count == 0);
    for (int32_t x = 0; x < b->groups && all; x++)
        for (int32_t y = 0; y < x; y++)
            talk(b, x, y);
    for (int32_t g = 0, rank = 0; g < b->groups; g++)
        for (int32_t i = 0; i < b->size[g]; i++)
            b->group[rank++] = g;
    assign(b, 0);
}

/* All descending sequences with a sum, of parts of at least `least`; returns how many. */
static int32_t divide(Brute *b, int32_t *size, int32_t parts, int32_t rest, bool tree)
{
    const AmogetProgram *p = b->program;
    int32_t left = tree && p->levels > 2 ? rest - parts : rest, count = 0;
    if (parts > 0 && left == 0 && (tree || parts % p->divisor == 0) &&
        !(tree && p->levels == 2 && parts > 1) && (b->only == 0 || b->only == parts)) {
        with_sizes(b, size, parts);
        count++;
    }
    int32_t most = parts ? size[parts - 1] : rest;
    for (int32_t next = most < rest ? most : rest; next >= p->least && parts < MOST - 1; next--) {
        size[parts] = next;
        count += divide(b, size, parts + 1, rest - next, tree);
    }
    return count;
}

int32_t enumerate(Brute *b)
{
    const AmogetProgram *p = b->program;
    int32_t size[MOST];
    number_levels(b);
    memcpy(b->free, b->places, sizeof b->free);
    switch (p->kind) {
    case AMOGET_GRAPH:
        with_sizes(b, p->sizes, p->group_count);
        return 1;
    case AMOGET_SINGLETON:
        with_sizes(b, &p->processes, 1);
        return 1;
    case AMOGET_TREE:
        return divide(b, size, 0, p->processes - 1, true);
    default:
        return divide(b, size, 0, p->processes, false);
    }
}

AmogetMachine *brute_machine(const Brute *b)
{
    AmogetMachine *m = NULL;
    char name[16];
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < b->hosts; i++) {
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        /* 0 places: half a core */
        amoget_set_cores(m, i, b->places[i] ? b->places[i] : 1, NULL);
        if (!b->places[i])
            amoget_set_availability(m, i, 0.5, NULL);
    }
    for (int32_t i = 0; i < b->hosts; i++)
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, b->ms[i][j] / 1e3, NULL);
    return m;
}
