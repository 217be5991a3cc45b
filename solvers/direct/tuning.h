/* Tuned numbers and limits of direct methods.  Seconds are those of "solve" that `pepa solve MODEL
 * --explore explicit --method gth --json` gives; bench/families.awk makes the models. */
#ifndef PEPA_SOLVERS_DIRECT_TUNING_H
#define PEPA_SOLVERS_DIRECT_TUNING_H

/* Chains of so many states are eliminated as dense ones, without looking for an order; larger
 * ones up to the other size (72 MB), where an order promises too little: a multiply-add of the
 * sparse elimination takes as long as so many of the dense loop.  Costs of 1 and 16 choose alike
 * on polling 8, cluster 16, tandem 20 and kanban 2. */
enum { GTH_DENSE = 200, GTH_MOST_DENSE = 3000 };
#define GTH_SPARSE_COST 4.0

/* Rows of a block of the dense elimination: of 3,000 doubles each, they stay in the second-level
 * cache.  On polling 8, 3,072 states: 8: 0.91 s; 32: 0.83 s; 128: 1.78 s. */
enum { GTH_ROWS = 32 };

/* Entries that elimination and LU factors may have: 2.4 GB, 3.2 GB.  Multiply-adds: some hours. */
#define GTH_ENTRIES      2e8
#define KLU_ENTRIES      2e8
#define ELIMINATION_WORK 1e12

/* Bytes of finding an order, most of them in AMD, for an entry and for a state; the same for an
 * entry with the matrix that KLU is given; of an entry of KLU's factors. */
#define ORDER_ENTRY_BYTES 28.0
#define ORDER_STATE_BYTES 100.0
#define KLU_BEFORE_BYTES  44.0
#define KLU_ENTRY_BYTES   16.0

#endif
