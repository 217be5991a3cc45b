/* A matrix of blocks in the making: shared by blocks_build.c, blocks_diagonal.c, blocks_sort.c. */
#ifndef PEPA_MEASURE_BLOCKS_PRIVATE_H
#define PEPA_MEASURE_BLOCKS_PRIVATE_H

#include "ctmc/diagram/diagram.h"
#include "solvers/blocks/blocks.h"

/* An entry of a block. */
typedef struct {
    int32_t to, from;
    double rate;
} BlockEntry;

/* What diagonal blocks and exit rates are made of: a set of lower states, and edges.  An edge
 * inside a block counts only the entries off the diagonal of its submatrix: the others are
 * self-loops. */
enum { OUTSIDE, INSIDE };
typedef struct {
    int32_t matrix, term, side; /* of the first one: the set, the number of edges, 0 */
} KeyEdge;

typedef struct {
    Blocks *b;
    const Diagram *d;
    const double *value;
    Lists diagonal_keys, part_keys; /* keys as lists of integers, per diagonal block and part */
    KeyEdge *key;                   /* the one being made */
    BlockEntry *entries, *sorted;   /* scratch; sorted: for sorting, as many */
    int64_t *place;                 /* scratch: where the entries of a bucket go */
    int32_t *leaf_of;               /* per place of a block */
    uint8_t *whole;      /* per matrix: all states leave by it, at the rate of the edge */
    const int32_t *copy; /* upper states of blocks that are copies: two ascending lists, */
    int32_t kept;        /* of which the first has so many */
    int32_t stride;      /* joint states of a leaf */
    size_t diagonal_cap, part_cap, key_cap, entry_cap, run_cap, value_cap, place_cap;
    int64_t run_count, value_count;
} BlocksBuild;

/* Make room for `need` entries; false: memory is out. */
bool block_entries_reserve(BlocksBuild *build, size_t need);
/* Sort the first `count` entries, which lie within a matrix of `rows` rows and columns, by rows and
 * within these by columns, the order of equals as it was; or, if they are in that order and all
 * different, by diagonals, which makes the longest runs.  O(count + rows).  False: memory is out.
 */
bool block_entries_by_row(BlocksBuild *build, size_t count, int32_t rows);
bool block_entries_by_diagonal(BlocksBuild *build, size_t count, int32_t rows);
bool block_entry_follows(const BlockEntry *entry, const BlockEntry *next);

/* Make build->key that of an upper state: its set, the local edges and the edges to itself; if side
 * is OUTSIDE, also those edges out that not all states leave by.  Its number among part_keys
 * (OUTSIDE) or diagonal_keys, where it is added.  -1: memory is out. */
int32_t blocks_find_key(BlocksBuild *build, int32_t upper, int32_t side);
/* The rate of entry k of an edge's submatrix. */
double blocks_entry_rate(const BlocksBuild *build, const KeyEdge *edge, int64_t k);
/* Choose how the lower states are cut into leaves; before blocks_find_diagonal. */
void blocks_choose_stride(BlocksBuild *build);
/* The diagonal block of an upper state: its local edges, and its edges to itself. */
bool blocks_find_diagonal(BlocksBuild *build, int32_t block);
/* Bytes that it takes. */
double diagonal_bytes(const Diagonal *diagonal);

#endif
