/* The lines that one thread has derived, by shape. */
#ifndef AMOGET_CABINET_H
#define AMOGET_CABINET_H

#include "amoget/line.h"

typedef struct {
    Line *line;
    uint64_t hash; /* of its shape */
    int64_t used;  /* when last asked for */
} Drawer;

typedef struct {
    Drawer *drawers;
    size_t count, cap;
    int64_t states, clock; /* states: of all lines */
} Cabinet;                 /* starts as {0} */

/* The line of a shape, derived if it is not there; borrowed until the next call.  When there are
 * many states in all, the lines not asked for for longest go.  Errors: as line_new. */
PepaStatus cabinet_line(Cabinet *cabinet, const Shape *shape, int64_t max_states,
                        const LineStop *stop, Line **out, PepaError *err);
void cabinet_free(Cabinet *cabinet);

#endif
