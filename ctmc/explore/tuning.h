/* Tuned numbers of exploration. */
#ifndef PEPA_CTMC_EXPLORE_TUNING_H
#define PEPA_CTMC_EXPLORE_TUNING_H

enum {
    MOST_ONE_BY_ONE = 20 * 1000 * 1000, /* states, if the settings say nothing */
    /* States; fewer are explored one by one by `auto`.  CPU seconds of `pepa solve` on pipeline 8,
     * kanban 3 and polling 9, as ratios to those with this value.  2,000: 3.7 1.0 0.8; 200,000:
     * 1.0 2.6 1.0. */
    FEWEST_FOR_SETS = 20000,
    /* States up to which processes that share a chain derive it each by itself, and one solves it, also as sets:
     * some seconds' work at most. */
    FEW_TO_SHARE = 200000,
    /* The same, more, for each second that a message takes: a sweep waits for 10 to 30 messages.  35.8 ms apart, two processes
     * took 8 to 52 s for models of 340,000 to 820,000 states of bench/families.awk, one of them 0.1 to 0.8 s. */
    FEW_PER_SECOND = 2000 * 1000 * 1000,
    /* States that are expanded at a time by one thread: few enough for their moves to stay in the
     * cache, enough for lookups to overlap.  Thousand misses of a last-level cache of 1 MiB on
     * `clients 60` and `polling 10` of bench/families.awk, by
     *     valgrind --tool=callgrind --cache-sim=yes --LL=1048576,16,64
     *         --toggle-collect=chain_explore pepa check MODEL --explore explicit
     * 32: 37 19; 256: 33 17; 1,024: 33 20. */
    BLOCK_STATES = 256,
    /* With so many states that wait, several threads explore.  A batch has at most so many blocks
     * per thread, of so many states and at least some: enough that all threads end at about the
     * same time, and rarely wait for each other.  Estimates, tested by `make bench-explore`. */
    MANY_STATES = 512,
    BATCH_BLOCKS = 16,
    BATCH_STATES = 256,
    FEWEST_STATES = 16
};

#endif
