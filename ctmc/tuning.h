/* Tuned numbers of chains.  `x: a b c` are CPU seconds with x in its place, as ratios to those with
 * the value here; bench/families.awk makes the models. */
#ifndef PEPA_CTMC_TUNING_H
#define PEPA_CTMC_TUNING_H

enum {
    FEWEST_TO_ORDER = 256, /* states; fewer are solved by elimination, in any order */
    /* The search for bottom components: states of a task; states of a breadth-first neighbourhood;
     * steps of all walks per state of the chain, before Tarjan's search.  `pepa check --explore
     * explicit` of pipeline 13, kanban 4 and polling 14.  Tasks of 512: 1.0 1.0 1.1.  A
     * neighbourhood of 8: 1.0 1.0 1.0, of 512: 1.0 1.0 1.1; without any, cluster 256: 2.3. */
    SLICE = 4096,
    NEAR = 64,
    WALK_STEPS = 4
};

#endif
