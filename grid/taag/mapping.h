/* What the scheduler found, for the program that is started by it: hosts, latencies, groups of
 * processes and where each runs.  The file of a mapping is the first argument of the program. */
#ifndef GRID_TAAG_MAPPING_H
#define GRID_TAAG_MAPPING_H

#include <stdio.h>

#include <amoget_program.h>

typedef struct {
    char *name;
    int32_t places;
    double speed; /* units of work per second of one place */
} MappingHost;

typedef struct {
    int32_t size, parent; /* TREE: of this group, -1: root or no tree */
} MappingGroup;

typedef struct {
    char *program; /* may be NULL */
    AmogetProgram schema;
    int32_t host_count;
    MappingHost *hosts;
    double
        *latency; /* host_count^2, seconds, symmetric (larger of the two ways); 0 on the diagonal */
    int32_t process_count, *host_of, *group_of; /* by rank; ranks of a group are consecutive, group
                                                   0 first */
    int32_t group_count;
    MappingGroup *groups;
    int32_t edge_count;
    AmogetEdge *edges; /* between groups, as declared or as the schema implies */
} Mapping;

/* XML by libxml2, errors with line and column; a RELAX NG schema is shipped
 * (grid/taag/mapping.rng).
 */
PepaStatus mapping_read(Mapping **out, const char *name, const char *text, size_t length,
                        PepaDiagnose diagnose, void *user, PepaError *err);
PepaStatus mapping_write(const Mapping *mapping, FILE *to, PepaError *err);
void mapping_free(Mapping *mapping);

#endif
