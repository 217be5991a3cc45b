/* A diagram in the making: what diagram_build.c and diagram_submatrix.c share. */
#ifndef PEPA_CTMC_DIAGRAM_DIAGRAM_BUILD_H
#define PEPA_CTMC_DIAGRAM_DIAGRAM_BUILD_H

#include "ctmc/diagram/diagram_search.h"

typedef struct {
    Diagram *d;
    Search *s;
    int32_t *place;      /* per upper state as found: its number in order */
    int32_t *old;        /* and back */
    int32_t *dense;      /* per set as found: its number among those in use, or -1 */
    int32_t *used;       /* and back */
    Memo matrices;          /* by context, tag and sets: an entry of `made` */
    Edge *made;          /* submatrix and term of each */
    Memo content;        /* submatrices by hash of their entries */
    uint16_t **rank;     /* per set: place of each lower state; NULL until needed */
    Edge *entries;       /* scratch: to, matrix = from, term */
    int64_t entry_count; /* of all submatrices */
    double listed;       /* bytes of what is kept per upper state and per set */
    size_t made_count, made_cap, matrix_cap, from_cap, to_cap, term_cap, edge_cap, local_cap;
    size_t entries_cap;
    int64_t term_count, edge_count;
} DiagramBuild;

enum { CONTEXT_SAME = -1 }; /* instead of a context: the lower state does not change */

/* Submatrix and term of a context's tag between two sets: matrix -1 if there is no entry; NULL:
 * memory is out. */
const Edge *diagram_submatrix(DiagramBuild *build, int32_t context, int32_t tag, int32_t from,
                         int32_t to);

#endif
