/* The ways in which a program can be divided into groups.
 *
 * A division has `parts` groups whose sizes can be chosen, and fixed ones: the root and the
 * managers of a tree, which are groups of one process.  All of GROUPS, RING, and the groups of
 * leaves of a TREE can be chosen; those of a GRAPH and the one of a SINGLETON are given.
 *
 * Groups are numbered by size, largest first; those of a GRAPH as declared; those of a TREE in
 * breadth-first order from the root, leaves by size.  A RING joins neighbours in these numbers.
 * A TREE of g groups of leaves has g managers of leaves, and above them, on level i of l,
 * ceil(g^((i-1)/(l-2))) managers: fans of equal width, with children as even as can be.  With two
 * levels the root is the manager of the leaves. */
#ifndef TAAG_SCHEDULE_SHAPE_H
#define TAAG_SCHEDULE_SHAPE_H

#include <amoget_program.h>
#include <stdbool.h>

typedef struct {
    const AmogetProgram *program;
    int32_t parts;  /* groups whose sizes are chosen */
    int32_t rest;   /* the processes in them */
    int32_t fixed;  /* groups before them */
    int32_t groups; /* fixed + parts */
    int32_t *size;  /* groups */
    int32_t *unit;  /* groups: those with the same number are placed together (a group of leaves and
                       its manager) */
    int32_t *order; /* groups, in the order in which they are placed: units from the largest on */
    int32_t *parent; /* groups; -1 */
    int32_t edge_count;
    AmogetEdge *edges; /* of GRAPH, TREE and RING; none, and complete: each with each */
    bool complete;
    int32_t joined; /* connected components of the graph of groups */
    int32_t degree; /* the fewest connections that a group has */
    int32_t least;  /* of a part */
    bool given;     /* the sizes are not chosen */
} Shape;

/* The numbers of parts that there can be: *first, *first + *step .. *last; none if first > last. */
void division_parts(const AmogetProgram *program, int32_t *first, int32_t *last, int32_t *step);
/* The shape of that many parts, with the first of its partitions: the one with the largest groups.
 * False: there is none, or *no_memory. */
bool division_make(Shape *out, const AmogetProgram *program, int32_t parts, bool *no_memory);
/* The next partition, in descending lexicographic order; false: that was the last. */
bool division_next(Shape *shape);
/* Sizes of the parts, sum `rest`; where they are not given, in any order: they are sorted. */
void division_set(Shape *shape, const int32_t *sizes);
void division_free(Shape *shape);
/* How many divisions a program has, over all numbers of parts.  processes^2; NaN: out of memory. */
double division_count(const AmogetProgram *program);

#endif
