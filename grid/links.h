/* Latencies and bandwidths from moves: a move of s bytes takes latency + s / bandwidth.
 *
 * Sizes that differ (twofold and more) determine both: the line is that of Theil and Sen, the
 * median of slopes, here those of the i-th smallest size and the (i + n/2)-th, then scaled so that
 * moves take as long as it says in the mean.  Where all moves have one size, the last line that is
 * known, at first the description's, is scaled. */
#ifndef GRID_LINKS_H
#define GRID_LINKS_H

#include <amoget.h>
#include <stdbool.h>

#include "grid/series.h"

typedef struct GridLink GridLink;
struct GridLink {
    int32_t a, b; /* processes, a <= b: moves in both directions */
    GridSeries moves;
    bool known;                /* there is a line: the description's, or measured */
    double base[2];            /* its latency, bandwidth (+inf: none) */
    double latency, bandwidth; /* now */
    double error;              /* relative standard error of a move's duration */
    bool fresh;                /* moves have come since the last update */
    bool unwritten;            /* and since the last report */
    GridLink *next;            /* in the order in which they were first used */
};

typedef struct {
    int32_t processes, window;
    GridLink **of_pair; /* of (a, b), a <= b, at b (b + 1) / 2 + a; NULL: no move yet */
    GridLink *first, **last;
    GridValue *sorted; /* window: room to work in */
} GridLinks;

/* -1: out of memory (free is legal). */
int links_new(GridLinks *links, int32_t processes, int32_t window);
void links_free(GridLinks *links);
/* -1: out of memory, the move is not counted. */
int links_move(GridLinks *links, const AmogetDescription *desc, int32_t a, int32_t b,
               GridValue move);
/* Into the description; room: 2 x window values.  O(window log window) for each pair that was used
 * since the last time. */
PepaStatus links_update(GridLinks *links, AmogetDescription *desc, double max_age, double *room,
                        PepaError *err);
const GridLink *links_of(const GridLinks *links, int32_t a, int32_t b); /* or NULL */

/* The nearest number that a description can have: from 1e-30 to 1e30. */
double number_in_range(double value);

#endif
