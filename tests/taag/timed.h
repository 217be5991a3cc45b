/* Collectives in simulated time. */
#ifndef TESTS_TAAG_TIMED_H
#define TESTS_TAAG_TIMED_H

/* A collective of blocks of `count` doubles, at a root; those without a root do not look at it. */
typedef struct {
    const char *name;
    int (*run)(int count, int root);
    int rooted;
    /* Bytes that one process must send, or receive, at least: so many blocks of `size` processes;
     * none: 0. */
    int (*blocks)(int size);
    int most; /* count: above this, the buffers of a simulation would not fit into memory */
} Collective;

extern const Collective collectives[];
extern const int collective_count;

/* Buffers for up to `count` doubles in each block; free them again. */
void timed_begin(int count);
void timed_end(void);
/* Seconds until the last process is done, when all begin at the same time. */
double seconds_of(const Collective *collective, int count, int root);
/* The largest latency of the root to a process, in seconds; without a root, of any two. */
double far_latency(const Collective *collective, int root);
/* Whether ranks change the cluster often, so that MPI's own trees do not suit the hosts. */
int is_mixed(void);

#endif
