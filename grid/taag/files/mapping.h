/* A mapping: which process of a program runs on which host, and in which group.  The scheduler
 * writes it to a file in XML, and every started process reads that file (its first argument).
 *
 *   <mapping program="./nbody">
 *     <schema kind="graph"> <group size="2"/> <group size="1"/> <edge from="1" to="2"/> </schema>
 *     <host name="h1" places="2" speed="10"/>  <host name="h2" places="2" speed="5"/>
 *     <latency from="h1" to="h2" seconds="0.0019"/>
 *     <group> <process rank="0" host="h1"/> <process rank="1" host="h1"/> </group>
 *     <group> <process rank="2" host="h2"/> </group>
 *     <edge from="1" to="2"/>
 *   </mapping>
 *
 * grid/taag/files/mapping.rng describes the format in RELAX NG.  Groups are numbered from 1 in files and
 * from 0 in memory.  `<group parent="1">`: of a tree.  Other attributes of `schema`, by kind:
 *   groups, ring  processes, least, divisor (default 1)
 *   tree          processes, levels, least
 *   singleton     processes
 *
 * Source: Bosa, Schreiner, A supercomputing API for the grid, section 4. */
#ifndef GRID_TAAG_MAPPING_H
#define GRID_TAAG_MAPPING_H

#include <amoget_program.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    char *name;     /* at most MAPPING_NAME bytes */
    int32_t places; /* processes that it can take */
    double speed;   /* units of work per second of one place */
} MappingHost;

typedef struct {
    int32_t size;   /* processes */
    int32_t parent; /* TREE: the group of its manager; -1: the root, or no tree */
} MappingGroup;

typedef struct {
    char *program; /* may be NULL */
    AmogetProgram schema;
    int32_t host_count;
    MappingHost *hosts;
    /* host_count^2, seconds, symmetric (larger of the two ways); 0 on the diagonal */
    double *latency;
    int32_t process_count, *host_of, *group_of; /* by rank; group_of never falls */
    int32_t group_count;
    MappingGroup *groups;
    int32_t edge_count; /* between groups, as declared or as the schema implies */
    AmogetEdge *edges;
} Mapping;

enum { MAPPING_NAME = 255, MAPPING_MOST_HOSTS = 10000 };

/* Read the text of a mapping; `name` is what findings call it.  Nothing is fetched from anywhere,
 * and a document type declaration, which could define entities, is an error.
 * Errors: PEPA_EMODEL (each finding goes to `diagnose`, with line and column; err has the first),
 * PEPA_ELIMIT (2 GB or more), PEPA_ENOMEM.  *out is then NULL.  Cost: linear in the text. */
PepaStatus mapping_read(Mapping **out, const char *name, const char *text, size_t length,
                        PepaDiagnose diagnose, void *user, PepaError *err);
/* Write what mapping_read reads back to an equal mapping.  Errors: PEPA_EIO. */
PepaStatus mapping_write(const Mapping *mapping, FILE *to, PepaError *err);
void mapping_free(Mapping *mapping);

enum { MAPPING_KINDS = AMOGET_SINGLETON + 1 };

#endif
