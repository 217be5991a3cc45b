/* The graph whose nodes are groups. */
#include "grid/taag/edges.h"

static int is_complete(const Mapping *m)
{
    return m->edge_count == 0 &&
           (m->schema.kind == AMOGET_GROUPS || m->schema.kind == AMOGET_GRAPH);
}

int edges_join(const Mapping *m, int32_t a, int32_t b)
{
    if (a == b)
        return 0;
    if (is_complete(m) || m->groups[a].parent == b || m->groups[b].parent == a)
        return 1;
    for (int32_t e = 0; e < m->edge_count; e++)
        if ((m->edges[e].a == a && m->edges[e].b == b) ||
            (m->edges[e].a == b && m->edges[e].b == a))
            return 1;
    return 0;
}

/* b, if it has no distance yet, is one edge farther than `from`; whether it is new. */
static int reach(int32_t *distance, int32_t from, int32_t b, int32_t step)
{
    if (distance[from] != step || distance[b] >= 0)
        return 0;
    distance[b] = step + 1;
    return 1;
}

void edges_distances(const Mapping *m, int32_t from, int32_t *distance)
{
    int found = 1;
    for (int32_t g = 0; g < m->group_count; g++)
        distance[g] = g == from ? 0 : is_complete(m) ? 1 : -1;
    for (int32_t step = 0; found && !is_complete(m); step++) {
        found = 0;
        for (int32_t e = 0; e < m->edge_count; e++) {
            AmogetEdge edge = m->edges[e];
            found |= reach(distance, edge.a, edge.b, step) | reach(distance, edge.b, edge.a, step);
        }
        for (int32_t g = 0; g < m->group_count; g++) {
            int32_t parent = m->groups[g].parent;
            if (parent >= 0)
                found |= reach(distance, g, parent, step) | reach(distance, parent, g, step);
        }
    }
}

/* The other end of the first edge of `at` that does not lead to `before`. */
static int32_t next_in_ring(const Mapping *m, int32_t at, int32_t before)
{
    for (int32_t e = 0; e < m->edge_count; e++) {
        AmogetEdge edge = m->edges[e];
        if (edge.a == at && edge.b != before)
            return edge.b;
        if (edge.b == at && edge.a != before)
            return edge.a;
    }
    return before < 0 ? at : before; /* rings of one group and of two */
}

void edges_ring(const Mapping *m, int32_t *right_of)
{
    int32_t before = -1, at = 0;
    for (int32_t i = 0; i < m->group_count; i++) {
        int32_t next = next_in_ring(m, at, before);
        right_of[at] = next;
        before = at;
        at = next;
    }
}
