/* From the syntax tree to a machine: what the passes share.  A reader of something that has a
 * machine takes part in them (Extension). */
#ifndef AMOGET_MACHINE_CHECK_H
#define AMOGET_MACHINE_CHECK_H

#include "amoget/machine/machine.h"
#include "amoget/syntax/syntax.h"

enum { CHECK_SUGGESTIONS = 20 /* names for which near misses are searched */ };

/* The value of a definition. */
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

typedef enum {
    BLOCK_PIPELINE,
    BLOCK_PROCESSORS,
    BLOCK_NETWORK,
    BLOCK_MAPPINGS,
    BLOCK_PROGRAM,
    BLOCKS
} Block;

typedef struct {
    const Source *source;
    const Syntax *tree;
    DiagList *diags;
    AmogetMachine *machine; /* being built: the caller's */
    Arena scratch;          /* the arrays below */
    uint32_t *newlines;     /* where they are in the text */
    size_t newline_count;
    bool no_memory, limit; /* too many stages or processors, which was reported */
    int suggestions;       /* still to be made */

    Intern definition_names, cluster_names;
    Definition *definitions;
    const Say *processor[MOST_PROCESSORS]; /* their declarations */
    int32_t cluster_of[MOST_PROCESSORS];   /* or -1 */
    Cluster *clusters;
    int32_t members[MOST_PROCESSORS];
    const Say *block[BLOCKS];        /* where each begins first, or NULL */
    const Say *first[SAY_BLOCK + 1]; /* statement of each kind */
} Check;

/* Reads the statements that are not about a machine, into what `owner` is.  Without one they are
 * left aside. */
typedef struct {
    void *owner;
    /* All statements; the machine is known by then. */
    void (*check)(Check *check, void *owner);
    /* A define by path: `value` for the attribute, one of a stage, of what has that name. */
    PepaStatus (*define)(Check *check, void *owner, const AmogetDefine *define, const char *name,
                         Attribute attribute, double value, PepaError *err);
    /* What is missing, once measurements and defines are in. */
    void (*complete)(Check *check, void *owner);
} Extension;

/* Read a text into an empty machine, and whatever the extension (or NULL) adds.  `function` is the
 * public one that does this.  Errors: as of amoget_machine_parse; the machine is then of no use. */
PepaStatus machine_read(AmogetMachine *machine, const Extension *extension, const char *function,
                        const char *name, const char *text, size_t length, const AmogetReading *how,
                        PepaError *err);

/* Scratch memory, zeroed; NULL (and check->no_memory) when there is none. */
void *scratch_alloc(Check *check, size_t count, size_t size);
/* The line of the text in which the span begins.  O(log lines). */
uint32_t finding_line(const Check *check, Span span);
/* "; did you mean `x`?" for the nearest of the names, or "", in scratch memory. */
const char *finding_hint(Check *check, const char *name, const char *const *names, size_t count);
/* The processor of that name; -1 and an error: there is none. */
int32_t check_processor(Check *check, Word name);

/* Evaluate a value, and read the result as an attribute.  kind: of the units that can be meant;
 * KIND_PLAIN: any.  False: why. */
bool check_quantity(Check *check, const Value *value, Kind kind, Quantity *out, char why[WHY_SIZE]);
bool check_attribute(Check *check, const Value *value, Attribute attribute, double *out,
                     char why[WHY_SIZE]);
/* The same, but false: an error was reported. */
bool check_value(Check *check, const Value *value, Attribute attribute, double *out);

/* What a statement sets for an attribute, or NULL; *value stays as it was if it says nothing, or nothing
 * that can be.  value: NULL for what is no number. */
const Setting *check_setting(Check *check, const Say *say, Attribute attribute, double *value);

/* May one more of these be added?  False: an error was reported.  first: the declarations so
 * far. */
bool check_is_new(Check *check, const Say *say, const Intern *names, const Say *const *first,
                  int32_t most, const char *what);
/* Visit the statements of a kind. */
void check_each(Check *check, SayKind kind, void *owner,
                void (*visit)(Check *check, const Say *say, void *owner));
/* No latency between two processors, or within one: an error. */
void check_missing(Check *check, Span span, int32_t a, int32_t b);
/* Does some processor have no value of its own but what is said of different ones? */
bool check_default_within(const AmogetMachine *machine, const PairTable *table);
/* A define by path names nothing: there is no such `what`.  PEPA_EARG. */
PepaStatus check_unknown(Check *check, const AmogetDefine *define, const char *what,
                         const char *part, const Intern *names, PepaError *err);

/* Passes of machine_read, in this order; each reports what it finds. */
bool check_begin(Check *check); /* false: out of memory */
PepaStatus check_definitions(Check *check, const AmogetReading *how, PepaError *err);
void check_processors(Check *check); /* blocks, processors, clusters */
void check_network(Check *check);    /* latencies and bandwidths */
/* Then measurements are read, then come those by path. */
PepaStatus check_paths(Check *check, const Extension *extension, const AmogetReading *how,
                       PepaError *err);
void check_free(Check *check);

/* A define's value, not yet evaluated; false: it is none. */
bool check_define_value(Check *check, const AmogetDefine *define, Value *out);

/* A processor, or (processors and more) a cluster; -1: there is none of that name. */
int32_t check_place(const Check *check, const char *name);
/* Set a number between two places. */
void check_set_places(Check *check, PairTable *table, int32_t x, int32_t y, double value);

#endif
