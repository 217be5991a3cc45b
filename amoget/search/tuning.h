/* Tuned numbers of rankings and searches.  Counts are chains solved, as
 *     build/bin/bench_mappings STAGES PROCESSORS SEED
 * gives them, which `make bench` builds: `small` is the sum over its lines for 6 stages, 4
 * processors and seeds 1 to 8; `middle` that for 8, 8 and seeds 4 to 9; `large` are spread and slow
 * net of 10, 8 and seed 6.  `x: a b c d` are the counts with x in its place. */
#ifndef AMOGET_SEARCH_TUNING_H
#define AMOGET_SEARCH_TUNING_H

/* Mappings that AMOGET_ALL ranks: some gigabytes. */
enum { MOST_MAPPINGS = 1 << 26 };
/* AMOGET_AUTO solves so many mappings one by one, if they have no more states than this, all in
 * all: about a second.  It then needs no bounds, and every mapping has its throughput. */
enum { FEW_MAPPINGS = 4096 };
#define FEW_STATES 5e6
/* Mappings that a thread takes at a time; states of a batch from which threads are used, since
 * fewer are solved in some milliseconds.  Estimates. */
enum { BLOCK = 16 };

/* Mappings listed, or looked up, between two reports of progress: some milliseconds. */
enum { LISTED_BETWEEN_LOOKS = 65536 };
#define THREAD_STATES 1e4

/* Bounds of mappings that may tie with the best, to 9 digits and a little, do not rule them out.
 * Small and middle.  1e-9, 1e-8 and 1e-7: 348 361; 1e-5: 364 361. */
#define TIE_MARGIN 1e-8
/* What a new cut must raise the bound of its own mapping by to be worth its place, and by how much
 * a time must exceed the cutoff to rule a mapping out: more than a cut gives away for safety's sake
 * (below 6e-7 of the time in `make bench`), so that its own mapping never passes it again.  Small
 * and middle.  1e-6, 2e-6 and 4e-6: 348 361; 1e-3: 364 553. */
#define CUT_GAIN 2e-6

/* Cuts that are kept.  A safe choice: small, middle and large are 348 361 52 32 with 128 to 1,024.
 * With 32, middle is 362. */
enum { MOST_CUTS = 512 };
/* Partial mappings looked at before those found are solved.  A safe choice: small and middle are
 * 348 361 with 1,000 to 20,000, in the same time.  With 500, middle is 358. */
enum { EXPANSIONS = 2000 };

/* Mappings solved at a time, and those with chains of fewer states than this.  A batch knows the
 * cuts of those before it only, but it keeps threads at work.  Small and middle, with small batches
 * of 1: 303 323; 2: 348 361; 4: 400 452; 8: 517 542.  Large, with others of 4: 41 26; 8: 52 32;
 * 16: 55 38. */
enum { MOST_BATCH = 8, SMALL_BATCH = 2 };
#define SMALL_STATES 1e4

/* Tasks that processes share at a time, at most; of small chains, so many for each process: solved ahead
 * of their batch, so that processes talk less often.  Answers that are kept until they are asked for; the
 * partial mappings of the heap among which to look for such ones.  Serial searches of 7 stages and 6
 * processors, of solutions needed were found ahead, with 2, 6 and 14 ahead of each batch: 59%, 70%, 70%,
 * of which 3%, 19%, 26% in vain. */
enum { MOST_TASKS = 64, TASKS_EACH = 3, MOST_KEPT = 256, HEAP_SEEN = 512 };

/* From so many stages on, parts of so many stages less are looked at before the whole.  Middle.
 * From 8: 305, in 1.07 times the time; from 9: 361.  Large.  Without parts: 56 45; 2 less: 52 32;
 * 4 less: 56 42. */
enum { PARTS_FROM = 9, LEFT_OUT = 2 };

/* From so many stages on, a search begins with parts of this size.  Slow net of large, from 10
 * stages on, with parts of 4: 12; 5: 9; 6: 16; 7: 15; where it begins with the whole: 32.  A chain
 * of 6 stages has 729 states and takes some milliseconds. */
enum { MANY_STAGES = 12, WINDOW = 6 };
/* With a time limit, chains of so many stages less may be slow beside it: a tenth of a second where
 * nothing else runs.  An estimate. */
enum { FEWER = 3 };
/* Estimates of the local search, at most; its share of the time limit, which leaves the rest to
 * chains: an estimate.  Large, from 10 stages on.  None: 43 32; 20, 100, 400 and 2,000: 32 16. */
enum { MOST_ESTIMATES = 400 };
#define ESTIMATES_SHARE 0.25

#endif
