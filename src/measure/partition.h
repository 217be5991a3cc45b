/* A partition of states into blocks that is refined: blocks are split, never joined.  The states of
 * a block stand side by side in a list, so that a split costs what it moves.  Source: Valmari,
 * Franceschinis, TACAS 2010. */
#ifndef PEPA_MEASURE_PARTITION_H
#define PEPA_MEASURE_PARTITION_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

/* Two weights are the same if they differ by no more than this share of the larger: rounding of the
 * rates that they are sums of, since sums are compensated.  A rate is some ten operations, each of
 * which rounds by half of DBL_EPSILON.  Whatever differs by more is kept apart. */
#define SAME_WEIGHT (64 * DBL_EPSILON)

typedef struct {
    int32_t n, count;              /* states; blocks */
    int32_t *state;                /* all states: those of block b are state[first[b] .. end[b]) */
    int32_t *place;                /* per state: where it is in there */
    int32_t *block;                /* per state */
    int32_t *first, *end, *marked; /* per block; marked: so many of its states, the first ones */
} Partition;                       /* starts as {0} */

typedef struct {
    double weight;
    int32_t state;
} Weighted;

/* All states in one block.  False: memory is out. */
bool partition_init(Partition *p, int32_t n);
void partition_free(Partition *p);

/* Move the state among the marked ones of its block; the number of those before. */
int32_t partition_mark(Partition *p, int32_t state);

/* Split block b by the weights of `count` of its states, all different; the others weigh 0.  The
 * largest group keeps the number b; the others are new blocks, the last ones of p->count.
 *   item  in any order; out: reordered
 * All weights of a group are within SAME_WEIGHT of each other, so that groups cannot drift: a group
 * is what is within half of it from one weight, that of most states if there is such a one; or, of
 * the rest in ascending order, what is within all of it from the group's first.  NaN is a weight
 * like others.
 * O(count + r log r), r the states outside the first group: each of them ends in a block of at most
 * half the size, which makes a refinement O(transitions x log n). */
void partition_split(Partition *p, int32_t b, Weighted *item, int32_t count);

/* Whether two weights are the same but for `share`. */
bool weights_same(double a, double b, double share);

#endif
