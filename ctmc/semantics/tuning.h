/* Tuned numbers of plans.  Counts are million instructions of exploration:
 *     valgrind --tool=callgrind --toggle-collect=chain_explore pepa check MODEL --explore explicit
 * `x: a b` are the counts with x in its place. */
#ifndef PEPA_CTMC_SEMANTICS_TUNING_H
#define PEPA_CTMC_SEMANTICS_TUNING_H

enum {
    /* Entries of a table of several slots.  `clients 60` of bench/families.awk, whose table is used
     * again and again, and P[100] <a> R[100] of two local states each, where each entry is used
     * once.  256: 93 30; 4,096: 58 30; 65,536: 58 41. */
    MOST_ENTRIES = 4096,
    /* Entries of a table of a single slot.  P[100] || C, and P[150] alone, where each entry is used
     * once; P can do two of three actions in each of three local states, C has four.
     * 4,096: 100 53; 131,072: 70 69. */
    MOST_OF_SLOT = 1 << 17,
    /* Weights of a single component's digits, one for each pair of an action and a local state.  A
     * component that has more, such as a chain of 60,000 states with 60,000 actions, can do few of its
     * actions in a local state; its moves are looked up there. */
    MOST_WEIGHTS = 1 << 24,
    /* The same for apparent rates that simulation keeps, of 16 bytes each. */
    MOST_SINGLES = 1 << 22
};

/* Bytes of what is known of vanishing states: a small part of what a chain takes that needs so much. */
#define MOST_VANISHED 64e6

#endif
