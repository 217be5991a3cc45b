/* What the numbers of programs can be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "amoget/program/program.h"
#include "base/mem.h"

#define FAULT(what, ...) ((void)snprintf(why, PROGRAM_WHY, __VA_ARGS__), what)

static ProgramFault groups_fault(const AmogetProgram *p, char why[PROGRAM_WHY])
{
    if (p->least < 1 || p->least > p->processes)
        return FAULT(PROGRAM_LEAST,
                     "the smallest group must have from 1 to %d processes, as many as there are, "
                     "not %d",
                     p->processes, p->least);
    if (p->divisor < 1 || p->divisor > p->processes / p->least)
        return FAULT(PROGRAM_DIVISOR,
                     "%d processes in groups of at least %d are %d groups at most: their number "
                     "cannot be divisible by %d",
                     p->processes, p->least, p->processes / p->least, p->divisor);
    return PROGRAM_NONE;
}

static ProgramFault tree_fault(const AmogetProgram *p, char why[PROGRAM_WHY])
{
    if (p->levels < 2 || p->levels > AMOGET_MOST_LEVELS)
        return FAULT(PROGRAM_LEVELS,
                     "a tree has from 2 to %d levels, of which the first is the root and the last "
                     "the leaves, not %d",
                     AMOGET_MOST_LEVELS, p->levels);
    if (p->least < 1 || p->least > p->processes - (p->levels - 1))
        return FAULT(PROGRAM_LEAST,
                     "a tree of %d processes and %d levels has %d leaves at most: a group of "
                     "leaves cannot have at least %d",
                     p->processes, p->levels,
                     p->processes < p->levels ? 0 : p->processes - (p->levels - 1), p->least);
    return PROGRAM_NONE;
}

static int compare_edges(const void *x, const void *y)
{
    const AmogetEdge *a = x, *b = y;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

static AmogetEdge ascending(AmogetEdge edge)
{
    return edge.a > edge.b ? (AmogetEdge){edge.b, edge.a} : edge;
}

/* Is some edge there twice, in either direction?  Which one, and where it is for the second time. */
static bool edge_twice(const AmogetProgram *p, AmogetEdge *twice, int32_t *second, bool *no_memory)
{
    AmogetEdge *edges;
    bool found = false, before = false;
    *no_memory = !mem_new(edges, p->edge_count);
    if (*no_memory)
        return false;
    for (int32_t e = 0; e < p->edge_count; e++)
        edges[e] = ascending(p->edges[e]);
    qsort(edges, (size_t)p->edge_count, sizeof *edges, compare_edges);
    for (int32_t e = 1; e < p->edge_count && !found; e++) {
        found = compare_edges(&edges[e - 1], &edges[e]) == 0;
        *twice = edges[e];
    }
    mem_free(edges);
    for (*second = 0; found && *second < p->edge_count; ++*second) {
        const AmogetEdge edge = ascending(p->edges[*second]);
        if (compare_edges(&edge, twice) != 0)
            continue;
        if (before)
            break;
        before = true;
    }
    return found;
}

static ProgramFault graph_fault(const AmogetProgram *p, int32_t *index, char why[PROGRAM_WHY])
{
    AmogetEdge twice;
    int64_t sum = 0;
    if (p->group_count < 1 || p->group_count > AMOGET_MOST_PROCESSES)
        return FAULT(PROGRAM_PROCESSES, "a graph has from 1 to %d groups, not %d",
                     AMOGET_MOST_PROCESSES, p->group_count);
    for (*index = 0; *index < p->group_count; ++*index) {
        if (p->sizes[*index] < 1)
            return FAULT(PROGRAM_SIZES, "group %d must have at least 1 process, not %d", *index + 1,
                         p->sizes[*index]);
        sum += p->sizes[*index];
    }
    *index = 0;
    if (sum != p->processes)
        return FAULT(PROGRAM_SIZES, "the sizes of groups add up to %lld processes, not %d",
                     (long long)sum, p->processes);
    for (*index = 0; *index < p->edge_count; ++*index) {
        AmogetEdge edge = p->edges[*index];
        int32_t out = edge.a < 0 || edge.a >= p->group_count ? edge.a : edge.b;
        if (out < 0 || out >= p->group_count)
            return FAULT(PROGRAM_EDGES, "there is no group %lld: the graph has groups 1 to %d",
                         (long long)out + 1, p->group_count);
        if (edge.a == edge.b)
            return FAULT(PROGRAM_EDGES, "an edge joins two groups, not group %d with itself",
                         edge.a + 1);
    }
    bool no_memory = false;
    if (p->edge_count > 1 && edge_twice(p, &twice, index, &no_memory))
        return FAULT(PROGRAM_EDGES, "the edge between groups %d and %d is given twice", twice.a + 1,
                     twice.b + 1);
    return no_memory ? FAULT(PROGRAM_MEMORY, "out of memory") : PROGRAM_NONE;
}

static bool is_cost(double x)
{
    return isfinite(x) && x >= 0;
}

static ProgramFault round_fault(const AmogetProgram *p, char why[PROGRAM_WHY])
{
    if (!is_cost(p->work) || !is_cost(p->data) || !is_cost(p->exchange))
        return FAULT(PROGRAM_ROUND, "work, data and exchange of a round must be finite, and 0 or "
                                    "more");
    if (p->phases < 0 || p->phases > AMOGET_MOST_PROGRAM_PHASES)
        return FAULT(PROGRAM_ROUND, "the number of phases must be from 1 to %d, not %d",
                     AMOGET_MOST_PROGRAM_PHASES, p->phases);
    return PROGRAM_NONE;
}

static ProgramFault kind_fault(const AmogetProgram *p, int32_t *index, char why[PROGRAM_WHY])
{
    switch (p->kind) {
    case AMOGET_GROUPS:
    case AMOGET_RING:
        return groups_fault(p, why);
    case AMOGET_TREE:
        return tree_fault(p, why);
    case AMOGET_GRAPH:
        return graph_fault(p, index, why);
    case AMOGET_SINGLETON:
        break;
    }
    return PROGRAM_NONE;
}

ProgramFault program_fault(const AmogetProgram *p, int32_t *index, char why[PROGRAM_WHY])
{
    *index = 0;
    if (p->processes < 1 || p->processes > AMOGET_MOST_PROCESSES)
        return FAULT(PROGRAM_PROCESSES, "a program has from 1 to %d processes, not %d",
                     AMOGET_MOST_PROCESSES, p->processes);
    ProgramFault fault = kind_fault(p, index, why);
    return fault != PROGRAM_NONE ? fault : round_fault(p, why);
}
