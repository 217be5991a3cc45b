/* A matrix of blocks in the making: what blocks_build.c, blocks_diagonal.c and blocks_sort.c share.
 * */
#ifndef PEPA_MEASURE_BLOCKS_PRIVATE_H
#define PEPA_MEASURE_BLOCKS_PRIVATE_H

#include "measure/blocks_build.h"

/* An entry of a block. */
typedef struct {
    int32_t to, from;
    double rate;
} BlockEntry;

typedef struct {
    Blocks *b;
    const Diagram *d;
    const double *value;
    Memo diagonal_of, part_of;            /* by hash of their key */
    int32_t *diagonal_first, *part_first; /* per diagonal, part: its key among keys */
    Edge *keys;
    Edge *key;                    /* scratch */
    BlockEntry *entries, *sorted; /* scratch; sorted: for sorting */
    size_t *place;                /* scratch: where the entries of a key go */
    int32_t *leaf_of;             /* per place of a block */
    int32_t stride;               /* joint states of a leaf */
    size_t diagonal_cap, part_cap, keys_cap, key_cap, entry_cap, run_cap, value_cap, key_count;
    size_t sorted_cap, place_cap;
    size_t diagonal_first_cap, part_first_cap;
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

/* Instead of its target, an edge in a key has its side.  Entries on the diagonal of a submatrix are
 * self-loops INSIDE a block, and do not count. */
enum { OUTSIDE, INSIDE };
/* Set build->key[n] to an edge, on this side. */
bool blocks_add_key(BlocksBuild *build, size_t n, const Edge *edge, int32_t side);
/* Where the number is kept of what is made of the first n edges of build->key and of this set: -1
 * if that is new; the caller then sets it.  NULL: memory is out. */
int32_t *blocks_find_key(BlocksBuild *build, Memo *memo, const int32_t *first, int32_t set,
                         size_t n);
/* Remember build->key; its place, or -1. */
int32_t blocks_keep_key(BlocksBuild *build, int32_t set, size_t n);
/* The rate of entry k of an edge's submatrix. */
double blocks_entry_rate(const BlocksBuild *build, const Edge *edge, int64_t k);
/* Choose how the lower states are cut into leaves; before blocks_find_diagonal. */
void blocks_choose_stride(BlocksBuild *build);
/* The diagonal block of an upper state: its local edges, and its edges to itself. */
bool blocks_find_diagonal(BlocksBuild *build, int32_t block);

#endif
