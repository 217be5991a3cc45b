/* Tuned numbers of exploration by sets.  `x: a b c` are CPU seconds of `pepa check MODEL` with x in
 * its place, as ratios to those with the value here, on pipeline 16, kanban 6 and cluster 256 of
 * bench/families.awk. */
#ifndef PEPA_CTMC_DIAGRAM_TUNING_H
#define PEPA_CTMC_DIAGRAM_TUNING_H

enum {
    /* Lower states, at most; submatrices have 16-bit indices.
     * 2,048: 5.3 9.2 0.5; 65,535: 1.7 1.0 1.0. */
    DIAGRAM_LOWER = 16384,
    /* Limits for models that sets do not suit: distinct sets; rows and answers of all contexts. */
    MOST_SETS = 100 * 1000,
    MOST_ROWS = 16 * 1000 * 1000,
    MOST_ANSWERS = 1 << 28
};

/* Work of an upper state, in that of a lower one, where the slots are divided.  Milliseconds of
 * `pepa check` of ambulance 7, stages 30, transplant 11 and raid 12 of bench/structures with 1e9
 * (as many lower slots as there is room for): 115 37 27 26; with 64: 33 3 9 26; here: 15 3 3 27;
 * with 0.1: 27 3 4 27. */
#define UPPER_WORK 4.0
/* The reverse order of the slots is searched first where it takes so many times less by that
 * measure, and so much at most: of more upper states few may be reachable.  `raid` 12: 4.0 times;
 * as sets it takes 29 ms, one by one 86 ms. */
#define MUCH_LESS    2.0
#define TELLING_WORK 1e5
/* Work of an answer that has to be computed, in that of looking at one. */
#define ANSWER_WORK 10.0
/* The search is abandoned after this work, if it exceeds so much per state found.
 * 5e6 and 5e8, or 10 and 100: 1.0 1.0 1.0. */
/* The most states of a search that nothing else limits: half a terabyte for a vector. */
#define MOST_IN_SETS (INT64_C(1) << 36)

#define SEARCH_PATIENCE 5e7
#define SEARCH_WORTH    30.0
/* It is abandoned as well when, after so many visits of upper states, there are fewer states than
 * this for each: then exploring one by one is quicker.  Of the models of bench/structures and
 * families.awk, `contention`, `locks` and two more have 1.6 to 6.5 after 4,096 visits, and were 3
 * to 27 times quicker one by one.  Upper slots with many joint local states show it sooner:
 * `tandem` 255 has 2 after 512 visits, 81 after 1,024, and 511 joint local states; `locks` and
 * `contention` have 13,000 to 3 million.  CPU s of locks 6 with 4,096 visits in any case 0.15, here
 * 0.04.  Still sooner if an answer has been computed for every other state: so it is after 64
 * visits with `locks`, `election` and `circuits`, which were 3 to 10 times quicker one by one, but
 * not with `raid`.  For some visits it has to be twice as many, if the search has taken so much
 * work for each: `subscribers` 9, `warehouse` 2 and `nucleosomes` 32, with 17, 9 and 19 after 1,024
 * visits and 10 and more of work, took 2 to 4 times as long to explore in vain; a server of 500
 * browsers, with 12 and 0.4, took half the time when it was explored as sets.  Near the end hardly
 * any states are new: `raid` 20, five times quicker as sets, has 22 after 16,384 visits, 15 after
 * 32,768 and 9 in the end. */
enum {
    FIRST_VISITS = 64,
    FEW_VISITS = 256,
    SOME_VISITS = 1024,
    MANY_VISITS = 4096,
    LATE_VISITS = 16384
};
#define MANY_UPPER     1e4
#define SEARCH_SHARING 8.0
#define DEAR           2.0
#define UNSHARED       0.5
/* Work that the reverse order of the slots may take: so many times that of the first order, that of
 * so many sweeps over the states, and this; without a first diagram as long as it is so little for
 * each state found.  0 and 8 times: 1.0 1.0 1.0.  After 2e5, `readers` 150 of bench/structures has
 * 1 for each, and is solved twice as fast as sets; `locks` 8 has 11, `election` 6 and `locks` 6
 * have more than 50. */
#define SECOND_TIMES  2.0
#define SECOND_SWEEPS 2.0
#define SECOND_SLACK  2e5
#define SECOND_WORTH  5.0
/* Relative difference of the backward flows of two orders that does not count. */
#define ORDERS_ALIKE 0.01
/* What a diagram and the blocks for its solution take, in diagrams: 2.2 to 3.2 on the families, up to 6.1
 * where few upper states have large submatrices. */
#define WITH_BLOCKS 7.0
/* Entries of submatrices from which a diagram saves nothing: this, and so many for each state.
 * 1e5 and 0.5: 1.0 1.0 1.0. */
#define ENTRIES_SLACK 1e6
#define ENTRIES_WORTH 2.0

#endif
