/* What groups cost at least on sites with so many places: a transportation problem.
 *
 * Groups may be divided: a process on a site costs its share of what its group costs there.  Each is on its cheapest
 * site to begin with; what is too much there moves on along shortest paths of sites to one that has room.
 * Source: Ahuja, Magnanti, Orlin, Network flows, chapter 9 (successive shortest paths). */
#ifndef TAAG_SCHEDULE_TRANSPORT_H
#define TAAG_SCHEDULE_TRANSPORT_H

#include "grid/taag/schedule/sites.h"

typedef struct {
    int32_t groups, sites;
    int32_t *size; /* groups */
    double *cost;  /* groups x sites; INFINITY: it cannot be there; not all are */
    int32_t *here; /* scratch: groups x sites: processes */
} Transport;

bool transport_make(Transport *out, int32_t groups, int32_t sites);
void transport_free(Transport *transport);
static inline double *transport_costs(const Transport *transport, int32_t group)
{
    return transport->cost + (size_t)group * (size_t)transport->sites;
}
/* The least cost, or a bound that is enough; INFINITY: there is no room.  groups and their sizes and costs are
 * set; costs are of a process afterwards. */
double transport_least(Transport *transport, const int64_t *room, double enough, int64_t *work);

#endif
