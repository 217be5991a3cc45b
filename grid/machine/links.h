/* The link estimator: latency and bandwidth between two processes, from transfers.
 *
 * A transfer of s bytes takes latency + s / bandwidth.  Transfers whose sizes differ by a factor of
 * two or more determine both numbers, by the line of Theil and Sen: the median of slopes, here the
 * slopes between the i-th and the (i + n/2)-th smallest size.  The line is then scaled so that it
 * fits the mean duration.  Where all transfers have one size, the last known line (at first the
 * description's) is scaled. */
#ifndef GRID_MACHINE_LINKS_H
#define GRID_MACHINE_LINKS_H

#include <amoget_machine.h>
#include <stdbool.h>

#include "grid/machine/window.h"

typedef struct GridLink GridLink;
struct GridLink {
    int32_t a, b; /* processes, a <= b: transfers in both directions */
    Window transfers;
    bool known;                /* there is a line: the description's, or measured */
    double base[2];            /* its latency, bandwidth (+inf: none) */
    double latency, bandwidth; /* now */
    double error;              /* relative standard error of a transfer's duration */
    bool fresh;                /* transfers were added since the last update */
    bool unwritten;            /* and since the last report */
    GridLink *next;            /* in the order in which they were first used */
};

typedef struct {
    int32_t processes, window;
    GridLink **of_pair; /* of (a, b), a <= b, at b (b + 1) / 2 + a; NULL: no transfer yet */
    GridLink *first, **last;
    Measurement *sorted; /* window: workspace */
} GridLinks;

/* -1: out of memory (free is legal). */
int links_new(GridLinks *links, int32_t processes, int32_t window);
void links_free(GridLinks *links);
/* -1: out of memory, the transfer is not counted. */
int links_transfer(GridLinks *links, const AmogetMachine *machine, int32_t a, int32_t b,
                   Measurement transfer);
/* Put latencies and bandwidths into the machine; workspace: window values.
 * O(window log window) for each pair that was used since the last update. */
PepaStatus links_update(GridLinks *links, AmogetMachine *machine, double max_age, double *workspace,
                        PepaError *err);
const GridLink *links_of(const GridLinks *links, int32_t a, int32_t b); /* or NULL */

/* The nearest number that a description allows: from 1e-30 to 1e30. */
double number_in_range(double value);

#endif
