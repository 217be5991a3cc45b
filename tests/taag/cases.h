/* What the cases of TAAG share: expectations, random numbers, and mappings written for the run. */
#ifndef TESTS_TAAG_CASES_H
#define TESTS_TAAG_CASES_H

#include <stdint.h>
#include <taag.h>

extern int rank, size;
extern char mapping_file[256];

/* Say so on stderr if not `good`. */
void expect(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Repeatable, the same on all processes. */
int below(int n);
/* Process 0 writes a mapping: a host for each process, in one group each.  On the simulated grid
 * hosts have the latencies of their clusters; elsewhere they form clusters by `shape`, 0 ..
 * SHAPES-1: by rank % 3, or others. */
enum { SHAPES = 4 };
extern int shape;
void write_mapping(void);
/* Process 0 writes this text; all know the name afterwards. */
void write_file(const char *text);
/* One-way latency in seconds between two processes, as in that mapping; their clusters. */
double latency_between(int a, int b);
int cluster_of(int process);

void queries(void); /* queries.c */
void tree_queries(void);
void ring_queries(void);
void misuse(void);
void collectives_agree(void); /* collectives.c */
void times(void);             /* times.c: simulated time only */
void table(void);

#endif
