/* Nodes and the links between them that are short enough, as sets of bits; and how much a clique of
 * them can hold, by greedy colouring: it has at most one node of each colour.
 * Source: San Segundo et al., An exact bit-parallel algorithm for the maximum clique problem. */
#ifndef TAAG_SCHEDULE_LINK_GRAPH_H
#define TAAG_SCHEDULE_LINK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a set of nodes can hold: groups, processes, and what its nodes have above the size of a
 * small group each: as many nodes as there are groups must have enough of that. */
enum { ROOM_GROUPS, ROOM_PLACES, ROOM_SURPLUS, ROOMS };
typedef struct {
    int64_t of[ROOMS];
} Room;

static inline Room room_sum(Room a, Room b)
{
    for (int i = 0; i < ROOMS; i++)
        a.of[i] += b.of[i];
    return a;
}
static inline bool room_suffices(Room room, Room wanted)
{
    bool suffices = true;
    for (int i = 0; i < ROOMS; i++)
        suffices = suffices && room.of[i] >= wanted.of[i];
    return suffices;
}

typedef struct {
    int32_t count, words; /* vertices; words of a set of them */
    uint64_t *linked;     /* count x words */
    Room *room;           /* of each vertex; the caller's to set */
} LinkGraph;

/* No links.  False: out of memory, and nothing is held. */
bool link_graph_make(LinkGraph *out, int32_t count);
void link_graph_free(LinkGraph *graph);

static inline void link_set_add(uint64_t *set, int32_t v)
{
    set[v / 64] |= (uint64_t)1 << (v % 64);
}
static inline void link_set_remove(uint64_t *set, int32_t v)
{
    set[v / 64] &= ~((uint64_t)1 << (v % 64));
}
static inline uint64_t *link_graph_row(const LinkGraph *graph, int32_t v)
{
    return &graph->linked[(size_t)v * (size_t)graph->words];
}

/* Colour a set so that linked vertices differ, colour by colour into order; returns how many they
 * are.  bound: what a clique of each and those before it can hold.  scratch: 2 x words.
 * Vertices x words. */
int32_t link_graph_colour(const LinkGraph *graph, const uint64_t *set, uint64_t *scratch,
                          int32_t *order, Room *bound);

#endif
