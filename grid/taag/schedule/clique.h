/* How near all hosts of a program can be to each other.
 *
 * Where each group talks to each, any two hosts of different groups have at most the largest
 * latency of the cost between them, and any two of one group at most that of its level: all hosts
 * in use are a clique of links of at most the larger of both.  So no largest latency is possible at
 * which no clique has enough places.  Maximum weight clique by branch and bound over greedy
 * colourings; hosts with equal neighbours count as one.  Source: Tomita, Seki, An efficient
 * branch-and-bound algorithm for finding a maximum clique. */
#ifndef TAAG_SCHEDULE_CLIQUE_H
#define TAAG_SCHEDULE_CLIQUE_H

#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/hosts.h"

typedef struct {
    double least; /* no clique with less than this, in milliseconds, has the places; or 0 */
    bool found;
    bool *member; /* hosts: the clique of the smallest latency at which one was found */
    bool looked_for;
} Clique;

/* places: that are needed; allowed: links of at most this are always used.  False: out of memory.
 */
bool clique_find(Clique *out, const Hosts *hosts, int32_t places, double allowed, Effort *effort);
void clique_free(Clique *clique);
/* *none: it is proved that no clique of links of at most ms has so many places.  False: out of memory. */
bool clique_misses(bool *none, const Hosts *hosts, int32_t places, double ms, Effort *effort);

/* What cliques of links of a level hold: places that are not proved to be too many, and such that are; zeroed: not
 * known. */
typedef struct {
    int32_t some, none;
} CliqueRoom;

/* The first level from *level on of which a clique may hold a group of so many processes, which is on one.
 * room: levels + 1.  False: out of memory. */
bool clique_level(int32_t *level, CliqueRoom *room, const Hosts *hosts, int32_t processes,
                  Effort *effort);

#endif
