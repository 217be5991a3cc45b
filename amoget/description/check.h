/* From the syntax tree to a description: what the passes of the check share.  Private to check*.c,
 * defines.c and read.c. */
#ifndef AMOGET_CHECKING_H
#define AMOGET_CHECKING_H

#include "amoget/description/description.h"
#include "amoget/description/syntax.h"

enum { CHECK_SUGGESTIONS = 20 /* names for which near misses are searched */ };

/* What a definition comes to. */
typedef struct {
    const Say *say; /* where it is */
    Value value;    /* as there, or as a define says */
    Quantity quantity;
    bool good; /* quantity is known; else an error was reported */
    bool used;
} Definition;

/* What a cluster holds: processors members[first ..]. */
typedef struct {
    int32_t first, count;
} Cluster;

typedef struct {
    const Source *source;
    const Syntax *tree;
    DiagList *diags;
    AmogetDescription *desc; /* being built */
    Arena scratch;           /* the arrays below */
    uint32_t *newlines;      /* where they are in the text */
    size_t newline_count;
    bool no_memory, limit; /* too many stages or processors, which was reported */
    int suggestions;       /* still to be made */

    Intern definition_names, cluster_names;
    Definition *definitions;
    const Say *stage[MOST_STAGES], *processor[MOST_PROCESSORS]; /* their declarations */
    int32_t cluster_of[MOST_PROCESSORS];                        /* or -1 */
    Cluster *clusters;
    int32_t members[MOST_PROCESSORS];
    const Say *first[SAY_BLOCK + 1]; /* statement of each kind */
} Check;

/* Scratch memory, zeroed; NULL (and check->no_memory) when there is none. */
void *desc_alloc(Check *check, size_t count, size_t size);
/* The line of the text in which the span begins.  O(log lines). */
uint32_t desc_line(const Check *check, Span span);
/* "; did you mean `x`?" for the nearest of the names, or "", in scratch memory. */
const char *desc_suggestion(Check *check, const char *name, const char *const *names, size_t count);
/* The processor of that name; -1 and an error: there is none. */
int32_t desc_processor(Check *check, Word name);

/* What a value comes to, and that as an attribute.  False: why. */
bool desc_quantity(Check *check, const Value *value, Quantity *out, char why[WHY_SIZE]);
bool desc_attribute(Check *check, const Value *value, Attribute attribute, double *out,
                    char why[WHY_SIZE]);
/* The same, but false: an error was reported. */
bool desc_value(Check *check, const Value *value, Attribute attribute, double *out);

/* What a statement sets for an attribute, or NULL; *value (not ATTRIBUTE_CLUSTER) stays as it was
 * if it says nothing, or nothing that can be. */
const Setting *desc_setting(Check *check, const Say *say, Attribute attribute, double *value);

/* Passes, in this order; each reports what it finds. */
bool desc_check_begin(Check *check); /* false: out of memory */
PepaStatus desc_check_definitions(Check *check, const AmogetReading *how, PepaError *err);
void desc_check_parts(Check *check);   /* blocks, stages, processors, clusters, ends */
void desc_check_network(Check *check); /* latencies and bandwidths */
void desc_check_mappings(Check *check);
/* Then measurements are read, then come: */
PepaStatus desc_check_defines(Check *check, const AmogetReading *how, PepaError *err); /* by path */
void desc_check_complete(Check *check); /* latencies that are missing, warnings */
void desc_check_free(Check *check);

/* A define's value, not yet evaluated; false: it is none. */
bool desc_define_value(Check *check, const AmogetDefine *define, Value *out);

/* A processor, or (processors and more) a cluster; -1: there is none of that name. */
int32_t desc_place(const Check *check, const char *name);
/* Set a number between two places. */
void desc_set_places(Check *check, PairTable *table, int32_t x, int32_t y, double value);

#endif
