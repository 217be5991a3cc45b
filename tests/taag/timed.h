/* Collectives in simulated time. */
#ifndef TESTS_TAAG_TIMED_H
#define TESTS_TAAG_TIMED_H

/* Bytes a second of a process's link, as in tests/grid/smpi/grid.xml. */
#define BANDWIDTH 12.5e6

/* A collective of blocks of `count` doubles, at a root; ALL_TO_ALL does not look at it. */
typedef struct {
    const char *name;
    int (*run)(int count, int root);
    enum { TO_ALL, TO_ROOT, ALL_TO_ALL } pattern;
    /* What a process must receive: NOTHING, ONE block in all, or one of EACH process. */
    enum { NOTHING, ONE, EACH } data;
    int most; /* count: above this, the buffers of a simulation would not fit into memory */
} Collective;

extern const Collective collectives[];
extern const int collective_count;

/* Buffers for up to `count` doubles in each block; free them again. */
void timed_begin(int count);
void timed_end(void);
/* Seconds until the last process is done, when all begin at the same time. */
double seconds_of(const Collective *collective, int count, int root);
/* Seconds that it takes at least, by latencies and by the bytes that pass one link.  Allreduce: a
 * process sends 2 (p - 1) / p times the block (Patarasu, Yuan, Bandwidth optimal all-reduce
 * algorithms for clusters of workstations, 2009).  bytes = 0: the farthest latency. */
double lower_bound(const Collective *collective, double bytes, int root);
/* Whether ranks change the cluster often, so that MPI's own trees do not suit the hosts. */
int is_mixed(void);

#endif
