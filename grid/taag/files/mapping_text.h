/* What the reader of mappings knows while libxml2 goes through the text: findings with their
 * places, and the attributes of the element at hand. */
#ifndef GRID_TAAG_MAPPING_TEXT_H
#define GRID_TAAG_MAPPING_TEXT_H

#include "base/intern.h"
#include "grid/taag/files/mapping_check.h"
#include "grid/taag/files/xml.h"

enum { MOST_FINDINGS = 20, MOST_DEPTH = 4 };

/* Elements; those of the mapping come in this order. */
typedef enum { NONE, MAPPING, SCHEMA, HOST, LATENCY, GROUP, EDGE, PROCESS } Part;

typedef struct {
    Mapping *mapping;
    Source source;
    DiagList found;
    Intern hosts;
    xmlParserCtxtPtr xml;
    Part open[MOST_DEPTH]; /* the elements around */
    int depth;
    Part last; /* of the mapping, so far */
    Span at;   /* this element */
    const xmlChar **attributes;
    int attribute_count;
    uint32_t used; /* bit by attribute: looked at */
    MappingPlaces places;
    size_t host_cap, group_cap, process_cap, edge_cap, size_cap, schema_edge_cap, place_cap;
    size_t group_of_cap;
    bool no_memory;
    bool broken; /* what follows a mistake of syntax says nothing */
} Reading;

/* Add a finding, unless there are many. */
#define report(r, span, ...)                                                                       \
    ((r)->found.errors < MOST_FINDINGS ? diag_error(&(r)->found, span, __VA_ARGS__) : (void)0)

/* Stop after many findings, and when memory is out.  This frees the attributes of the element at hand. */
void mapping_stop_if_enough(Reading *r);

/* An attribute of the element at hand; what is returned is 1: there is one that is right; 0: not,
 * and this has been reported where it must be there. */
typedef struct {
    const char *text;
    int length;
    Span at;
} Value;
int mapping_find(Reading *r, const char *name, Value *out); /* need not be there */
int mapping_need(Reading *r, const char *name, Value *out);
/* A whole number of least .. most; `otherwise` where it is missing (< least: it must be there). */
int mapping_number(Reading *r, const char *name, int32_t least, int32_t most, int32_t otherwise,
                   int32_t *out);
/* A finite number > 0, or >= 0 with `zero`. */
int mapping_quantity(Reading *r, const char *name, bool zero, double *out);
/* The number of a host with this name. */
int mapping_host_named(Reading *r, const char *attribute, int32_t *out);

#endif
