/* Reading a mapping: libxml2 calls a function for each element (SAX), so that every finding has
 * the place of its element in the text. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "amoget/program/kind.h"
#include "base/error.h"
#include "grid/taag/files/mapping_text.h"

static char *copy(Reading *r, const Value *v)
{
    char *text = mem_alloc((size_t)v->length + 1, 1);
    if (!text) {
        r->no_memory = true;
        return NULL;
    }
    memcpy(text, v->text, (size_t)v->length);
    text[v->length] = '\0';
    return text;
}

/* ---- elements ------------------------------------------------------------------------------- */

static void begin_mapping(Reading *r)
{
    Value v;
    if (mapping_find(r, "program", &v))
        r->mapping->program = copy(r, &v);
}

/* Attributes cannot be judged: nothing more is said about them. */
static void excuse_attributes(Reading *r)
{
    r->used = UINT32_MAX;
}

static bool is_kind(int kind, const Value *v)
{
    const char *name = kind_name((AmogetProgramKind)kind);
    return strlen(name) == (size_t)v->length && memcmp(name, v->text, (size_t)v->length) == 0;
}

static void begin_schema(Reading *r)
{
    Value v;
    AmogetProgram *s = &r->mapping->schema;
    int kind = 0;
    if (r->last == SCHEMA) {
        report(r, r->at, "there is a schema already");
        return;
    }
    r->places.schema = r->at;
    s->least = s->divisor = 1;
    if (!mapping_need(r, "kind", &v)) {
        excuse_attributes(r);
        return;
    }
    while (kind < MAPPING_KINDS && !is_kind(kind, &v))
        kind++;
    if (kind == MAPPING_KINDS) {
        report(r, v.at, "`kind` is groups, graph, tree, ring or singleton");
        excuse_attributes(r);
        return;
    }
    s->kind = (AmogetProgramKind)kind;
    if (s->kind == AMOGET_GRAPH)
        return;
    (void)mapping_number(r, "processes", 1, AMOGET_MOST_PROCESSES, 0, &s->processes);
    if (s->kind == AMOGET_TREE)
        (void)mapping_number(r, "levels", 2, AMOGET_MOST_LEVELS, 0, &s->levels);
    if (s->kind != AMOGET_SINGLETON)
        (void)mapping_number(r, "least", 1, AMOGET_MOST_PROCESSES, 1, &s->least);
    if (s->kind == AMOGET_GROUPS || s->kind == AMOGET_RING)
        (void)mapping_number(r, "divisor", 1, AMOGET_MOST_PROCESSES, 1, &s->divisor);
}

static void begin_schema_group(Reading *r)
{
    AmogetProgram *s = &r->mapping->schema;
    int32_t size;
    if (s->kind != AMOGET_GRAPH)
        report(r, r->at, "only a graph has groups of given sizes");
    else if (mapping_number(r, "size", 1, AMOGET_MOST_PROCESSES, 0, &size)) {
        if (s->processes > AMOGET_MOST_PROCESSES - size)
            report(r, r->at, "the graph has more than %d processes", AMOGET_MOST_PROCESSES);
        else if (!mem_grow(s->sizes, r->size_cap, s->group_count + 1))
            r->no_memory = true;
        else {
            s->sizes[s->group_count++] = size;
            s->processes += size;
        }
    }
}

static void begin_host(Reading *r)
{
    Mapping *m = r->mapping;
    MappingHost host = {0};
    Value v;
    int named = mapping_need(r, "name", &v);
    int right = mapping_number(r, "places", 0, AMOGET_MOST_PROCESSES, -1, &host.places);
    right = mapping_quantity(r, "speed", false, &host.speed) && right;
    if (!named || !right)
        return;
    if (v.length == 0 || v.length > MAPPING_NAME || memchr(v.text, '\n', (size_t)v.length))
        report(r, v.at, "a host's name has 1 to %d bytes, on one line", MAPPING_NAME);
    else if (intern_find(&r->hosts, v.text, (size_t)v.length) >= 0)
        report(r, v.at, "another host has this name");
    else if (m->host_count == MAPPING_MOST_HOSTS)
        report(r, r->at, "there are more than %d hosts", MAPPING_MOST_HOSTS);
    else if (!mem_grow(m->hosts, r->host_cap, m->host_count + 1) || !(host.name = copy(r, &v)))
        r->no_memory = true;
    else {
        m->hosts[m->host_count++] = host;
        if (intern_put(&r->hosts, v.text, (size_t)v.length) < 0)
            r->no_memory = true;
    }
}

/* All hosts have been read: no pair of two has a latency yet. */
static bool have_matrix(Reading *r)
{
    Mapping *m = r->mapping;
    size_t n = (size_t)m->host_count;
    if (m->latency || n == 0)
        return m->latency != NULL;
    if (!mem_new(m->latency, n * n)) {
        r->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < n * n; i++)
        m->latency[i] = i % (n + 1) == 0 ? 0 : NAN;
    return true;
}

static void begin_latency(Reading *r)
{
    Mapping *m = r->mapping;
    int32_t a, b;
    double seconds;
    int from = mapping_host_named(r, "from", &a), to = mapping_host_named(r, "to", &b);
    if (!mapping_quantity(r, "seconds", true, &seconds) || !from || !to || !have_matrix(r))
        return;
    size_t n = (size_t)m->host_count, there = (size_t)a * n + (size_t)b;
    if (a == b)
        report(r, r->at, "a latency is between two hosts");
    else if (!isnan(m->latency[there]))
        report(r, r->at, "this pair of hosts has a latency already");
    else
        m->latency[there] = m->latency[(size_t)b * n + (size_t)a] = seconds;
}

static void begin_group(Reading *r)
{
    Mapping *m = r->mapping;
    Value v;
    int32_t parent = 0;
    size_t need_groups = (size_t)m->group_count + 1;
    if (mapping_find(r, "parent", &v)) {
        if (m->schema.kind != AMOGET_TREE)
            report(r, v.at, "only groups of a tree have a parent");
        else
            (void)mapping_number(r, "parent", 1, AMOGET_MOST_PROCESSES, 0, &parent);
    }
    if (m->group_count == AMOGET_MOST_PROCESSES)
        report(r, r->at, "there are more than %d groups", AMOGET_MOST_PROCESSES);
    else if (!mem_grow(m->groups, r->group_cap, need_groups) ||
             !mem_grow(r->places.groups, r->place_cap, need_groups))
        r->no_memory = true;
    else {
        r->places.groups[m->group_count] = r->at;
        m->groups[m->group_count++] = (MappingGroup){0, parent - 1};
    }
}

static void begin_process(Reading *r)
{
    Mapping *m = r->mapping;
    int32_t rank, host;
    int ranked = mapping_number(r, "rank", 0, AMOGET_MOST_PROCESSES - 1, -1, &rank);
    if (!mapping_host_named(r, "host", &host) || !ranked)
        return;
    size_t count = (size_t)m->process_count + 1;
    if (rank != m->process_count)
        report(r, r->at, "ranks are given in their order: here comes %" PRId32, m->process_count);
    else if (!mem_grow(m->host_of, r->process_cap, count) ||
             !mem_grow(m->group_of, r->group_of_cap, count))
        r->no_memory = true;
    else {
        m->host_of[rank] = host;
        m->group_of[rank] = m->group_count - 1;
        m->groups[m->group_count - 1].size++;
        m->process_count++;
    }
}

static void begin_edge(Reading *r, int32_t groups, AmogetEdge **edges, int32_t *count, size_t *cap)
{
    AmogetEdge edge;
    if (groups == 0) {
        report(r, r->at, "edges come after the groups that they join, and here is no group yet");
        excuse_attributes(r);
        return;
    }
    int from = mapping_number(r, "from", 1, groups, 0, &edge.a);
    if (!mapping_number(r, "to", 1, groups, 0, &edge.b) || !from)
        return;
    if (edge.a == edge.b)
        report(r, r->at, "an edge is between two groups");
    else if (*count == INT32_MAX || !mem_grow(*edges, *cap, *count + 1))
        r->no_memory = true;
    else
        (*edges)[(*count)++] = (AmogetEdge){edge.a - 1, edge.b - 1};
}

/* ---- what libxml2 calls --------------------------------------------------------------------- */

typedef struct {
    const char *name;
    Part part, inside;
} Element;
static const Element elements[] = {
    {"mapping", MAPPING, NONE},    {"schema", SCHEMA, MAPPING}, {"host", HOST, MAPPING},
    {"latency", LATENCY, MAPPING}, {"group", GROUP, MAPPING},   {"edge", EDGE, MAPPING},
    {"process", PROCESS, GROUP},   {"group", GROUP, SCHEMA},    {"edge", EDGE, SCHEMA},
};

static void begin_part(Reading *r, const Element *element)
{
    Mapping *m = r->mapping;
    AmogetProgram *s = &m->schema;
    if (element->inside == SCHEMA && element->part == GROUP)
        begin_schema_group(r);
    else if (element->inside == SCHEMA && s->kind != AMOGET_GRAPH)
        report(r, r->at, "only a graph has edges in its schema");
    else if (element->inside == SCHEMA)
        begin_edge(r, s->group_count, &s->edges, &s->edge_count, &r->schema_edge_cap);
    else if (element->part == MAPPING)
        begin_mapping(r);
    else if (element->part == SCHEMA)
        begin_schema(r);
    else if (element->part == HOST)
        begin_host(r);
    else if (element->part == LATENCY)
        begin_latency(r);
    else if (element->part == GROUP)
        begin_group(r);
    else if (element->part == PROCESS)
        begin_process(r);
    else
        begin_edge(r, m->group_count, &m->edges, &m->edge_count, &r->edge_cap);
}

static void check_attributes(Reading *r)
{
    for (int i = 0; i < r->attribute_count; i++)
        if (i > 31 || !(r->used >> i & 1))
            report(r, r->at, "`%.80s` is no attribute of this element, or not with this `kind`",
                   (const char *)r->attributes[5 * i]);
}

static void start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **declared, int attribute_count, int defaulted,
                  const xmlChar **attributes)
{
    Reading *r = user;
    Part around = r->depth > 0 ? r->open[r->depth - 1] : NONE;
    const Element *element = NULL;
    (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    if (r->no_memory)
        xmlStopParser(r->xml);
    if (r->no_memory || r->broken)
        return;
    r->at = xml_tag(r->xml, &r->source);
    for (size_t i = 0; i < sizeof elements / sizeof *elements && !element; i++)
        if (!prefix && strcmp(elements[i].name, (const char *)name) == 0 &&
            elements[i].inside == around)
            element = &elements[i];
    if (!element || r->depth == MOST_DEPTH) {
        report(r, r->at, "there can be no element `%.80s` here", (const char *)name);
        xmlStopParser(r->xml); /* what is inside says nothing */
        return;
    }
    if (around == MAPPING &&
        (element->part < r->last || (r->last == NONE && element->part != SCHEMA)))
        report(r, r->at,
               "the parts of a mapping are, in this order: schema, host, latency, group, "
               "edge");
    r->attributes = attributes;
    r->attribute_count = attribute_count;
    r->used = 0;
    begin_part(r, element);
    check_attributes(r);
    mapping_stop_if_enough(r);
    if (around == MAPPING)
        r->last = element->part;
    r->open[r->depth++] = element->part;
}

static void end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    Reading *r = user;
    (void)name, (void)prefix, (void)uri;
    if (r->depth > 0)
        r->depth--;
}

static void characters(void *user, const xmlChar *text, int length)
{
    Reading *r = user;
    for (int i = 0; i < length && !r->broken; i++)
        if (!strchr(" \t\r\n", text[i])) {
            size_t at = xml_offset(r->xml, &r->source, text + i);
            report(r, ((Span){(uint32_t)at, (uint32_t)at + 1}), "there can be no text here");
            mapping_stop_if_enough(r);
            return;
        }
}

static void doctype(void *user, const xmlChar *name, const xmlChar *id, const xmlChar *system)
{
    Reading *r = user;
    (void)name, (void)id, (void)system;
    report(r, xml_tag(r->xml, &r->source),
           "a mapping has no document type declaration; take it out");
    xmlStopParser(r->xml);
}

static void broken(void *user, xmlErrorPtr error)
{
    Reading *r = user;
    if (error->code == XML_ERR_NO_MEMORY)
        r->no_memory = true;
    if (error->level < XML_ERR_ERROR || r->broken)
        return;
    r->broken = true;
    if (r->found.errors == 0)
        xml_broken(r->xml, &r->source, error, &r->found);
}

/* XML_PARSE_NOENT: `&amp;` becomes `&`.  Other entities cannot be: nothing defines any. */
static void parse(Reading *r)
{
    xmlSAXHandler calls = {.initialized = XML_SAX2_MAGIC,
                           .internalSubset = doctype,
                           .startElementNs = start,
                           .endElementNs = end,
                           .characters = characters,
                           .cdataBlock = characters,
                           .serror = broken};
    r->xml = xmlNewParserCtxt();
    if (!r->xml) {
        r->no_memory = true;
        return;
    }
    *r->xml->sax = calls;
    r->xml->userData = r;
    xmlDocPtr none = xmlCtxtReadMemory(r->xml, r->source.text, (int)r->source.length, NULL, "UTF-8",
                                       XML_PARSE_NONET | XML_PARSE_NOENT);
    xmlFreeDoc(none);
    if (!r->xml->wellFormed && r->found.errors == 0 && !r->no_memory)
        diag_error(&r->found, ((Span){0, 0}), "this is not XML");
    if (r->xml->myDoc)
        xmlFreeDoc(r->xml->myDoc);
    r->xml->myDoc = NULL;
    xmlFreeParserCtxt(r->xml);
}

/* Whether there is enough to check the mapping as a whole. */
static void check_parts(Reading *r)
{
    Mapping *m = r->mapping;
    Span all = {0, 0};
    if (r->found.errors > 0 || r->no_memory)
        return;
    if (m->host_count == 0 || m->process_count == 0 || m->schema.processes == 0) {
        diag_error(&r->found, all, "a mapping has a schema, hosts, and groups of processes");
        return;
    }
    for (int32_t g = 0; g < m->group_count; g++)
        if (m->groups[g].size == 0)
            diag_error(&r->found, r->places.groups[g], "this group has no processes");
    if (have_matrix(r))
        mapping_check(m, &r->places, &r->found);
}

PepaStatus mapping_read(Mapping **out, const char *name, const char *text, size_t length,
                        PepaDiagnose diagnose, void *user, PepaError *err)
{
    Reading r = {.source = {name, text, length}};
    *out = NULL;
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "%.150s: a mapping has less than 2 GB", name);
    if (mem_new_zeroed(r.mapping, 1)) {
        parse(&r);
        check_parts(&r);
    } else
        r.no_memory = true;
    PepaStatus status = r.no_memory          ? error_memory(err)
                        : r.found.errors > 0 ? PEPA_EMODEL
                                             : PEPA_OK;
    status = diagnose_all(&r.found, &r.source, diagnose, user, status, err);
    if (status == PEPA_OK)
        *out = r.mapping;
    else
        mapping_free(r.mapping);
    intern_free(&r.hosts);
    mem_free(r.places.groups);
    diag_free(&r.found);
    return status;
}
