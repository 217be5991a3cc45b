/* Tuned numbers of Krylov methods.  Counts are iterations of tandem 255, cluster 128 and kanban 4
 * (or those named), as `pepa solve MODEL --explore explicit --method M --precondition P --json`
 * gives them; bench/families.awk makes the models.  `x: a b c` are the counts with x in its
 * place. */
#ifndef PEPA_SOLVERS_KRYLOV_TUNING_H
#define PEPA_SOLVERS_KRYLOV_TUNING_H

/* bicgstab, ilu0.  0: 117 328 25; 10: 105 224 20; 40: 89 123 20, for four times the sweeps. */
enum { RESTART_SWEEPS = 10 };

/* Steps of a round.  bicgstab, ilu0.  50: 100 252 20; 250 and 1,000: 105 224 20; the recurrence
 * drifts in longer rounds.  idr.  250: 101 627 38; 1,000: 101 324 38.  gmres, whose vectors are
 * as many, on tandem 255 and polling 14.  25: 86 39; 50: 115 40; 100: 80 40. */
enum { BICGSTAB_ROUND = 250, IDR_ROUND = 1000, GMRES_ROUND = 50 };

/* idr: the least cosine of a step's angle.  0.4: 106 328 38; 0.7: 101 324 38. */
#define IDR_ANGLE 0.7

/* bicgstab, ilut, on cluster 128, polling 14 and kanban 4.  What is dropped, of the largest in
 * its row: 0.1: 43 21 17; 0.01: 14 5 14; 0.001: 12 5 14, and slower on kanban 4.  Entries
 * that a row may have besides: 3: 24 5 15; 6: 14 5 14; 12: 13 5 13, and slower on polling 14. */
#define ILUT_DROP 1e-2
enum { ILUT_EXTRA = 6 };
/* Columns that wait from which they are a heap.  CPU s of overhaul 12 of bench/structures, with rows
 * of thousands of entries, ilut: 4 with a heap, 26 without; short rows: 1.06 to 1.12 with it. */
enum { LONG_QUEUE = 256 };
/* bicgstab, block, on polling 14 and kanban 4.  States of a block: 128 and 512: 25 23.  Entries of
 * factors for one of the matrix, beyond which blocks are halved: 6, 12 and 24: 25 23. */
enum { MOST_BLOCK = 512 };
#define BLOCK_FILL 12.0

#endif
