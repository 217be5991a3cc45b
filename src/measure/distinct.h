/* The different numbers of a matrix, each kept once, so that entries take two bytes. */
#ifndef PEPA_MEASURE_DISTINCT_H
#define PEPA_MEASURE_DISTINCT_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_CHANCES = 1 << 16 };

typedef struct {
    double *value; /* count, in the order of their first occurrence; room for MOST_CHANCES */
    int32_t *slot; /* places of values by hash, counted from 1; 0: free.  NULL once closed */
    int32_t count, last;
} Chances; /* starts as {0} */

bool chances_init(Chances *c); /* false: memory is out */
/* The place of x among the values; -1: there are MOST_CHANCES others.  O(1). */
int32_t chances_find(Chances *c, double x);
/* No more to be found: gives back what is not needed to read the values. */
void chances_close(Chances *c);
void chances_free(Chances *c);

#endif
