/* What must be true of a mapping as a whole. */
#include "grid/taag/files/mapping_check.h"

#include <inttypes.h>
#include <math.h>

static void check_latencies(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    for (int32_t a = 0; a < m->host_count; a++)
        for (int32_t b = a + 1; b < m->host_count; b++)
            if (isnan(m->latency[(size_t)a * (size_t)m->host_count + (size_t)b])) {
                diag_error(found, places->schema,
                           "hosts `%.80s` and `%.80s` have no latency; add <latency from=... "
                           "to=... seconds=.../>",
                           m->hosts[a].name, m->hosts[b].name);
                return; /* one is enough: there may be a million */
            }
}

static void check_places(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    for (int32_t host = 0; host < m->host_count; host++) {
        int32_t used = 0, rank = 0, last = 0;
        for (; rank < m->process_count; rank++)
            if (m->host_of[rank] == host) {
                used++;
                last = rank;
            }
        if (used > m->hosts[host].places)
            diag_error(found, places->groups[m->group_of[last]],
                       "host `%.80s` has %" PRId32 " processes, and places for %" PRId32,
                       m->hosts[host].name, used, m->hosts[host].places);
    }
}

/* The level of each group of a tree, whose parents come before it; the root has level 1. */
static int32_t level_of(const Mapping *m, int32_t group)
{
    int32_t level = 1;
    for (; m->groups[group].parent >= 0; group = m->groups[group].parent)
        level++;
    return level;
}

static void check_tree_group(const Mapping *m, int32_t g, Span at, DiagList *found)
{
    const MappingGroup *group = &m->groups[g];
    int32_t level = level_of(m, g), levels = m->schema.levels;
    if (g > 0 && group->parent < m->groups[g - 1].parent)
        diag_error(found, at,
                   "the groups of a tree are in breadth-first order; this one's parent "
                   "comes before that of the group before");
    if (level > levels)
        diag_error(found, at, "group %" PRId32 " is on level %" PRId32 " of a tree of %" PRId32,
                   g + 1, level, levels);
    else if (level < levels && group->size != 1)
        diag_error(found, at,
                   "group %" PRId32 " manages others and has %" PRId32 " processes, not 1", g + 1,
                   group->size);
    else if (level == levels && group->size < m->schema.least)
        diag_error(found, at,
                   "group %" PRId32 " has %" PRId32 " processes; the schema wants %" PRId32
                   " or more",
                   g + 1, group->size, m->schema.least);
    int32_t child = g + 1;
    while (child < m->group_count && m->groups[child].parent != g)
        child++;
    if (level < levels && child == m->group_count)
        diag_error(found, at, "group %" PRId32 " is a manager without groups below it", g + 1);
}

static void check_tree(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    for (int32_t g = 0; g < m->group_count; g++)
        if ((g == 0) != (m->groups[g].parent < 0) || m->groups[g].parent >= g) {
            diag_error(found, places->groups[g],
                       g == 0 ? "group 1 is the root of the tree: it has no parent"
                              : "this group needs the attribute `parent`, a group before it");
            return;
        }
    for (int32_t g = 0; g < m->group_count; g++)
        check_tree_group(m, g, places->groups[g], found);
}

/* Whether the edges make one ring: go round from group 0, never back to where we came from. */
static bool is_ring(const Mapping *m)
{
    int32_t before = -1, at = 0, steps = 0;
    if (m->group_count == 1)
        return m->edge_count == 0;
    if (m->edge_count != (m->group_count == 2 ? 1 : m->group_count))
        return false;
    do {
        int32_t next = -1, degree = 0;
        for (int32_t e = 0; e < m->edge_count; e++) {
            AmogetEdge edge = m->edges[e];
            if (edge.a != at && edge.b != at)
                continue;
            degree++;
            int32_t other = edge.a == at ? edge.b : edge.a;
            if (next < 0 || other != before)
                next = next >= 0 && before < 0 ? next : other;
        }
        if (degree != (m->group_count == 2 ? 1 : 2))
            return false;
        before = at;
        at = next;
    } while (++steps < m->group_count && at != 0);
    return at == 0 && steps == m->group_count;
}

static void check_sizes(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    for (int32_t g = 0; g < m->group_count; g++)
        if (m->groups[g].size < m->schema.least)
            diag_error(found, places->groups[g],
                       "group %" PRId32 " has %" PRId32 " processes; the schema wants %" PRId32
                       " or more",
                       g + 1, m->groups[g].size, m->schema.least);
    if (m->group_count % m->schema.divisor != 0)
        diag_error(found, places->schema,
                   "there are %" PRId32 " groups, a number not divisible by %" PRId32,
                   m->group_count, m->schema.divisor);
}

static void check_graph(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    if (m->group_count != m->schema.group_count) {
        diag_error(found, places->schema, "there are %" PRId32 " groups; the schema wants %" PRId32,
                   m->group_count, m->schema.group_count);
        return;
    }
    for (int32_t g = 0; g < m->group_count; g++)
        if (m->groups[g].size != m->schema.sizes[g])
            diag_error(found, places->groups[g],
                       "group %" PRId32 " has %" PRId32 " processes; the schema wants %" PRId32,
                       g + 1, m->groups[g].size, m->schema.sizes[g]);
}

void mapping_check(const Mapping *m, const MappingPlaces *places, DiagList *found)
{
    if (m->process_count != m->schema.processes)
        diag_error(found, places->schema,
                   "there are %" PRId32 " processes; the schema wants %" PRId32, m->process_count,
                   m->schema.processes);
    check_latencies(m, places, found);
    check_places(m, places, found);
    switch (m->schema.kind) {
    case AMOGET_RING:
        if (!is_ring(m))
            diag_error(found, places->schema, "the edges do not make one ring of all groups");
        check_sizes(m, places, found);
        break;
    case AMOGET_GROUPS:
        check_sizes(m, places, found);
        break;
    case AMOGET_GRAPH:
        check_graph(m, places, found);
        break;
    case AMOGET_TREE:
        check_tree(m, places, found);
        break;
    case AMOGET_SINGLETON:
        if (m->group_count != 1)
            diag_error(found, places->schema, "a singleton has one group, not %" PRId32,
                       m->group_count);
    }
}
