/* Programs from XML, by the SAX interface of libxml2: it knows where in the text each element is.
 */
#include "grid/taag/files/program_xml.h"

#include <libxml/parserInternals.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "amoget/program/program.h"
#include "base/error.h"
#include "base/number.h"
#include "grid/taag/files/xml.h"

enum { MOST_ATTRIBUTES = 4 };
/* Elements that there can be, and their attributes; the first `needed` cannot be left out. */
typedef struct {
    const char *name, *parent;
    const char *attribute[MOST_ATTRIBUTES];
    int needed;
} Element;
static const Element elements[] = {
    {"program", NULL, {"work", "data", "exchange", "phases"}, 0},
    {"groups", "program", {"processes", "least", "divisor"}, 1},
    {"ring", "program", {"processes", "least", "divisor"}, 1},
    {"tree", "program", {"processes", "levels", "least"}, 2},
    {"singleton", "program", {"processes"}, 1},
    {"graph", "program", {NULL}, 0},
    {"group", "graph", {"size"}, 1},
    {"edge", "graph", {"from", "to"}, 2},
};
enum { ELEMENTS = sizeof elements / sizeof *elements, MOST_DEPTH = 4, MOST_ERRORS = 20 };

#define MOST_COST  1e30
#define LEAST_WORK "1e-30"

typedef struct {
    xmlParserCtxtPtr parser;
    const Source *source;
    DiagList *diags;
    const Element *open[MOST_DEPTH];
    int depth;
    bool root, kind; /* <program>, and a kind in it, were there */
    bool no_memory;
    bool broken; /* what follows a mistake of syntax says nothing */
    Span where;  /* of the kind */
    AmogetProgram program;
    Span *size_at, *edge_at;
    size_t size_cap, edge_cap;
} Reading;

/* The tag that was read last. */
static Span tag_here(const Reading *r)
{
    return xml_tag(r->parser, r->source);
}

/* The last place before where libxml2 is that reads so; the last tag, if it is written in another way. */
static Span text_here(const Reading *r, const char *text, size_t length)
{
    size_t at = tag_here(r).end;
    while (at > 0 &&
           (at + length > r->source->length || memcmp(r->source->text + at, text, length) != 0))
        at--;
    return at > 0 ? (Span){(uint32_t)at, (uint32_t)(at + length)} : tag_here(r);
}

static void stop(Reading *r)
{
    if (r->diags->errors >= MOST_ERRORS || r->no_memory)
        xmlStopParser(r->parser);
}

static const Element *find(const char *name)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (strcmp(elements[i].name, name) == 0)
            return &elements[i];
    return NULL;
}

/* Attributes of libxml2: name, prefix, URI, begin and end of the value, each. */
static const xmlChar **attribute(const char *name, int count, const xmlChar **all)
{
    for (int i = 0; i < count; i++)
        if (strcmp((const char *)all[5 * i], name) == 0)
            return &all[5 * i];
    return NULL;
}

/* Where in a tag an attribute is, from its name to the end of its value; the tag, if it is not found. */
static Span attribute_span(const Reading *r, Span tag, const char *name)
{
    const char *text = r->source->text;
    const size_t length = strlen(name);
    char quote = '\0';
    for (size_t i = tag.begin + 1; i + length < tag.end; i++) {
        if (quote != '\0' || text[i] == '"' || text[i] == '\'') {
            quote = quote == '\0' ? text[i] : text[i] == quote ? '\0' : quote;
            continue;
        }
        size_t end = i + length;
        if (!strchr(" \t\r\n", text[i - 1]) || memcmp(text + i, name, length) != 0 ||
            !strchr("= \t\r\n", text[end]))
            continue;
        while (end < tag.end && text[end] != '"' && text[end] != '\'')
            end++;
        const char *close =
            end < tag.end ? memchr(text + end + 1, text[end], tag.end - end - 1) : NULL;
        return (Span){(uint32_t)i, close ? (uint32_t)(close + 1 - text) : tag.end};
    }
    return tag;
}

/* The value of an attribute without blanks at its ends, cut where there is no room.  False: it was cut. */
static bool value_of(const xmlChar **attribute, char *text, size_t room)
{
    const char *from = (const char *)attribute[3], *to = (const char *)attribute[4];
    while (from < to && strchr(" \t\r\n", *from))
        from++;
    while (to > from && strchr(" \t\r\n", to[-1]))
        to--;
    (void)snprintf(text, room, "%.*s", (int)(to - from), from);
    return (size_t)(to - from) < room;
}

/* The number of an attribute; `otherwise` if it is not there. */
static int32_t number_of(Reading *r, Span span, const char *name, int count, const xmlChar **all,
                         int32_t otherwise)
{
    const xmlChar **found = attribute(name, count, all);
    char text[24], *end;
    if (!found)
        return otherwise;
    const bool fits = value_of(found, text, sizeof text);
    const long value = strtol(text, &end, 10);
    const bool number = end != text && !*end;
    if (number && (!fits || value > INT32_MAX || value < INT32_MIN))
        diag_error(r->diags, attribute_span(r, span, name),
                   "`%s` must be a whole number up to %d, not `%.20s`", name, INT32_MAX, text);
    else if (!number)
        diag_error(r->diags, attribute_span(r, span, name),
                   "`%s` must be a whole number, not `%.20s`", name, text);
    else
        return (int32_t)value;
    return otherwise;
}

/* The same of a number that need not be whole, as the block `program` has them; 0 if it is not there. */
static double cost_of(Reading *r, Span span, const char *name, const char *least, int count,
                      const xmlChar **all)
{
    const xmlChar **found = attribute(name, count, all);
    char text[2 * NUMBER_SIZE];
    if (!found)
        return 0;
    const bool whole = value_of(found, text, sizeof text);
    const double value = number_read(text);
    if (whole && number_is(text) && value >= number_read(least) && value <= MOST_COST)
        return value;
    diag_error(r->diags, attribute_span(r, span, name),
               "`%s` must be a number from %s to 1e30, not `%.20s`", name, least, text);
    return 0;
}

static void set_round(Reading *r, Span span, int count, const xmlChar **all)
{
    AmogetProgram *p = &r->program;
    p->work = cost_of(r, span, "work", LEAST_WORK, count, all);
    p->data = cost_of(r, span, "data", "0", count, all);
    p->exchange = cost_of(r, span, "exchange", "0", count, all);
    p->phases = number_of(r, span, "phases", count, all, AMOGET_PROGRAM_PHASES);
    if (p->phases < 1 || p->phases > AMOGET_MOST_PROGRAM_PHASES) {
        diag_error(r->diags, attribute_span(r, span, "phases"),
                   "the number of phases must be from 1 to %d, not %d", AMOGET_MOST_PROGRAM_PHASES,
                   p->phases);
        p->phases = AMOGET_PROGRAM_PHASES;
    }
}

/* The names of an element's attributes, as a list. */
static const char *attributes_of(const Element *e, char list[80])
{
    size_t at = 0;
    for (int j = 0; j < MOST_ATTRIBUTES && e->attribute[j]; j++)
        at += (size_t)snprintf(list + at, 80 - at, "%s`%s`", j > 0 ? ", " : "; it may have ",
                               e->attribute[j]);
    list[at] = '\0';
    return list;
}

static void check_attributes(Reading *r, const Element *e, Span span, int count,
                             const xmlChar **all)
{
    char list[80];
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int j = 0; j < MOST_ATTRIBUTES && e->attribute[j]; j++)
            known = known || strcmp((const char *)all[5 * i], e->attribute[j]) == 0;
        if (!known)
            diag_error(r->diags, attribute_span(r, span, (const char *)all[5 * i]),
                       "<%s> has no attribute `%.40s`%s", e->name, (const char *)all[5 * i],
                       attributes_of(e, list));
    }
    for (int j = 0; j < e->needed; j++)
        if (!attribute(e->attribute[j], count, all))
            diag_error(r->diags, span, "<%s> needs the attribute `%s`", e->name, e->attribute[j]);
}

static void add_group(Reading *r, Span span, int32_t size)
{
    AmogetProgram *p = &r->program;
    const MemColumn columns[] = {{&p->sizes, sizeof *p->sizes}, {&r->size_at, sizeof *r->size_at}};
    if (p->group_count > AMOGET_MOST_PROCESSES)
        return; /* program_fault of the result says so */
    if (!mem_reserve_columns(columns, 2, &r->size_cap, (size_t)p->group_count + 1)) {
        r->no_memory = true;
        return;
    }
    r->size_at[p->group_count] = attribute_span(r, span, "size");
    p->sizes[p->group_count++] = size;
    /* Sizes below 1 are told of later. */
    const int64_t sum = p->processes + (size < 1 ? 1 : (int64_t)size);
    p->processes = sum > AMOGET_MOST_PROCESSES ? AMOGET_MOST_PROCESSES + 1 : (int32_t)sum;
}

static void add_edge(Reading *r, Span span, int32_t from, int32_t to)
{
    AmogetProgram *p = &r->program;
    const MemColumn columns[] = {{&p->edges, sizeof *p->edges}, {&r->edge_at, sizeof *r->edge_at}};
    bool far = from < 1 || to < 1;
    if (!mem_reserve_columns(columns, 2, &r->edge_cap, (size_t)p->edge_count + 1)) {
        r->no_memory = true;
        return;
    }
    r->edge_at[p->edge_count] = span;
    p->edges[p->edge_count++] = far ? (AmogetEdge){-1, -1} : (AmogetEdge){from - 1, to - 1};
}

static void set_kind(Reading *r, const Element *e, Span span, int count, const xmlChar **all)
{
    AmogetProgram *p = &r->program;
    if (r->kind) {
        diag_error(r->diags, span, "a second kind of program: there is one");
        return;
    }
    r->kind = true;
    r->where = span;
    for (int kind = 0; kind <= AMOGET_SINGLETON; kind++)
        if (strcmp(amoget_program_kind((AmogetProgramKind)kind), e->name) == 0)
            p->kind = (AmogetProgramKind)kind;
    p->processes = number_of(r, span, "processes", count, all, 0);
    p->least = number_of(r, span, "least", count, all, 1);
    p->divisor = number_of(r, span, "divisor", count, all, 1);
    p->levels = number_of(r, span, "levels", count, all, 0);
}

static void begin_element(void *user, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int spaces, const xmlChar **space, int count,
                          int defaulted, const xmlChar **all)
{
    Reading *r = user;
    const Element *e = find((const char *)name);
    const Element *above = r->depth > 0 && r->depth <= MOST_DEPTH ? r->open[r->depth - 1] : NULL;
    Span span = tag_here(r);
    (void)prefix;
    (void)spaces;
    (void)space;
    (void)defaulted;
    if (r->broken)
        return;
    if (r->depth < MOST_DEPTH)
        r->open[r->depth] = e;
    r->depth++;
    if (uri)
        diag_error(r->diags, span, "<%.40s> is in the namespace `%.80s`: programs have none",
                   (const char *)name, (const char *)uri);
    bool home = e && (above ? e->parent && strcmp(e->parent, above->name) == 0
                            : r->depth == 1 && !e->parent);
    if (!home && (above || r->depth == 1)) {
        diag_error(r->diags, span, "<%.40s> cannot stand here%s", (const char *)name,
                   r->depth == 1 ? ": the document is <program>...</program>"
                   : above->name[0] == 'p'
                       ? ": in <program> stands one of <groups>, <graph>, <tree>, <ring> and "
                         "<singleton>"
                   : strcmp(above->name, "graph") == 0 ? ": in <graph> stand <group> and <edge>"
                                                       : "");
    } else if (home) {
        check_attributes(r, e, span, count, all);
        r->root = true;
        if (strcmp(e->name, "group") == 0)
            add_group(r, span, number_of(r, span, "size", count, all, 1));
        else if (strcmp(e->name, "edge") == 0)
            add_edge(r, span, number_of(r, span, "from", count, all, 1),
                     number_of(r, span, "to", count, all, 2));
        else if (e->parent)
            set_kind(r, e, span, count, all);
        else
            set_round(r, span, count, all);
    }
    stop(r);
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name;
    (void)prefix;
    (void)uri;
    ((Reading *)user)->depth--;
}

static void refuse_type(void *user, const xmlChar *name, const xmlChar *external,
                        const xmlChar *system)
{
    Reading *r = user;
    (void)name;
    (void)external;
    (void)system;
    diag_error(r->diags, tag_here(r), "a document type is not allowed here");
    xmlStopParser(r->parser);
}

static void characters(void *user, const xmlChar *text, int length)
{
    Reading *r = user;
    int first = 0, end = r->broken ? 0 : length;
    while (first < length && strchr(" \t\r\n", text[first]))
        first++;
    while (end > first && strchr(" \t\r\n", text[end - 1]))
        end--;
    if (first < end)
        diag_error(r->diags, text_here(r, (const char *)text + first, (size_t)(end - first)),
                   "text cannot stand here");
    stop(r);
}

static void broken(void *user, xmlErrorPtr error)
{
    Reading *r = user;
    if (error->code == XML_ERR_NO_MEMORY)
        r->no_memory = true;
    if (error->level < XML_ERR_ERROR || r->broken)
        return;
    r->broken = true;
    if (r->diags->errors == 0)
        xml_broken(r->parser, r->source, error, r->diags);
}

static PepaStatus parse(Reading *r)
{
    xmlSAXHandler *sax = r->parser->sax;
    memset(sax, 0, sizeof *sax);
    sax->initialized = XML_SAX2_MAGIC;
    sax->startElementNs = begin_element;
    sax->endElementNs = end_element;
    sax->characters = characters;
    sax->cdataBlock = characters;
    sax->internalSubset = refuse_type;
    r->parser->userData = r;
    sax->serror = broken;
    /* Always UTF-8: libxml2 would print what it cannot convert. */
    xmlFreeDoc(xmlCtxtReadMemory(r->parser, r->source->text, (int)r->source->length, NULL, "UTF-8",
                                 XML_PARSE_NONET));
    if (r->no_memory || r->diags->no_memory)
        return PEPA_ENOMEM;
    if (!r->parser->wellFormed && r->diags->errors == 0)
        diag_error(r->diags, (Span){0, 0}, "this is not XML");
    return r->diags->errors == 0 ? PEPA_OK : r->broken ? PEPA_ESYNTAX : PEPA_EMODEL;
}

/* What the document says, as a program. */
static PepaStatus make(Reading *r, AmogetProgram **out)
{
    if (!r->kind) {
        diag_error(r->diags, (Span){0, 0},
                   "an empty program: in <program> stands one of <groups>, <graph>, <tree>, <ring> "
                   "and <singleton>");
        return PEPA_EMODEL;
    }
    char why[PROGRAM_WHY];
    int32_t index;
    const ProgramFault fault = program_fault(&r->program, &index, why);
    if (fault == PROGRAM_NONE)
        return amoget_program_new(out, &r->program, NULL);
    if (fault == PROGRAM_MEMORY)
        return PEPA_ENOMEM;
    diag_error(r->diags,
               fault == PROGRAM_SIZES   ? r->size_at[index]
               : fault == PROGRAM_EDGES ? r->edge_at[index]
                                        : r->where,
               "%s", why);
    return PEPA_EMODEL;
}

PepaStatus program_xml_read(AmogetProgram **out, const char *name, const char *text, size_t length,
                            PepaDiagnose diagnose, void *user, PepaError *err)
{
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    Source source = {name, text ? text : "", length};
    DiagList diags = {0};
    Reading r = {.source = &source, .diags = &diags};
    AmogetProgram *made = NULL;
    PepaStatus status = PEPA_ENOMEM;
    if (length == 0) { /* libxml2 takes no empty text */
        diag_error(&diags, (Span){0, 0}, "the text is empty: it is no XML");
        status = PEPA_ESYNTAX;
    } else if ((r.parser = xmlNewParserCtxt()) != NULL) {
        status = parse(&r);
        if (status == PEPA_OK)
            status = make(&r, &made);
        xmlFreeParserCtxt(r.parser);
    }
    if (status == PEPA_ENOMEM)
        error_memory(err);
    else
        status = diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    mem_free_all(r.program.sizes, r.program.edges, r.size_at, r.edge_at);
    if (status == PEPA_OK)
        *out = made;
    else
        amoget_program_free(made);
    return status;
}
