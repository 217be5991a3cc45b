/* Mapping files: random ones are read back as they were written and suit the RELAX NG schema; each
 * mistake is found at its line and column. */
#include <criterion/criterion.h>
#include <libxml/relaxng.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/files/mapping.h"

static uint64_t random_state = 20090301;

static int32_t below(int32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((random_state >> 33) % (uint64_t)n);
}

/* ---- random mappings ------------------------------------------------------------------------ */

/* Groups of the given kind; a tree has three levels. */
static void random_groups(Mapping *m, int32_t count)
{
    int32_t ranks = 0;
    m->groups = calloc((size_t)count, sizeof *m->groups);
    m->group_count = count;
    for (int32_t g = 0; g < count; g++) {
        int manages = m->schema.kind == AMOGET_TREE && g <= count / 2;
        m->groups[g] = (MappingGroup){manages ? 1 : 1 + below(4), -1};
        if (m->schema.kind == AMOGET_TREE && g > 0)
            m->groups[g].parent = manages ? 0 : g - count / 2;
        ranks += m->groups[g].size;
    }
    m->process_count = m->schema.processes = ranks;
    m->host_of = calloc((size_t)ranks, sizeof *m->host_of);
    m->group_of = calloc((size_t)ranks, sizeof *m->group_of);
    for (int32_t g = 0, rank = 0; g < count; g++)
        for (int32_t i = 0; i < m->groups[g].size; i++, rank++) {
            m->group_of[rank] = g;
            m->host_of[rank] = below(m->host_count);
        }
}

static void random_hosts(Mapping *m)
{
    static const char *const odd[] = {"<&>\"'", "a b", "\xc3\xa9t\xc3\xa9", "h.example.org", "\t;"};
    size_t n = (size_t)(1 + below(6));
    m->host_count = (int32_t)n;
    m->hosts = calloc(n, sizeof *m->hosts);
    m->latency = calloc(n * n, sizeof *m->latency);
    for (size_t a = 0; a < n; a++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s%zu", odd[below(5)], a);
        m->hosts[a] = (MappingHost){strdup(name), 100, (1 + below(1000)) / 7.0};
        for (size_t b = 0; b < a; b++)
            m->latency[a * n + b] = m->latency[b * n + a] = below(1000) / 3e6;
    }
}

static Mapping *random_mapping(AmogetProgramKind kind)
{
    Mapping *m = calloc(1, sizeof *m);
    int32_t count = kind == AMOGET_SINGLETON ? 1
                    : kind == AMOGET_TREE    ? 3 + 2 * below(3)
                                             : 1 + below(5);
    m->program = below(2) ? strdup("./a & \"b\"") : NULL;
    m->schema = (AmogetProgram){.kind = kind, .least = 1, .divisor = 1, .levels = 3};
    if (kind != AMOGET_TREE)
        m->schema.levels = 0;
    else
        m->schema.divisor = 1;
    random_hosts(m);
    random_groups(m, count);
    m->edges = calloc(20, sizeof *m->edges);
    if (kind == AMOGET_RING)
        for (int32_t g = 0; g < count && count > 1 && !(count == 2 && g == 1); g++)
            m->edges[m->edge_count++] = (AmogetEdge){g, (g + 1) % count};
    if (kind == AMOGET_GRAPH) {
        m->schema.group_count = count;
        m->schema.sizes = calloc((size_t)count, sizeof(int32_t));
        m->schema.edges = calloc(20, sizeof *m->schema.edges);
        for (int32_t g = 0; g < count; g++)
            m->schema.sizes[g] = m->groups[g].size;
        for (int32_t g = 1; g < count; g++) {
            m->edges[m->edge_count++] = (AmogetEdge){below(g), g};
            m->schema.edges[m->schema.edge_count++] = m->edges[m->edge_count - 1];
        }
    }
    return m;
}

static void expect_same_edges(const AmogetEdge *a, const AmogetEdge *b, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        cr_assert(a[i].a == b[i].a && a[i].b == b[i].b, "edge %d", i);
}

static void expect_same(const Mapping *a, const Mapping *b)
{
    const AmogetProgram *s = &a->schema, *t = &b->schema;
    size_t n = (size_t)a->host_count;
    cr_assert((a->program == NULL) == (b->program == NULL));
    if (a->program)
        cr_assert_str_eq(a->program, b->program);
    cr_assert(s->kind == t->kind && s->processes == t->processes && s->least == t->least);
    cr_assert(s->divisor == t->divisor && s->levels == t->levels);
    cr_assert(s->group_count == t->group_count && s->edge_count == t->edge_count);
    for (int32_t g = 0; g < s->group_count; g++)
        cr_assert_eq(s->sizes[g], t->sizes[g]);
    expect_same_edges(s->edges, t->edges, s->edge_count);
    cr_assert_eq(a->host_count, b->host_count);
    for (size_t h = 0; h < n; h++) {
        cr_assert_str_eq(a->hosts[h].name, b->hosts[h].name);
        cr_assert(a->hosts[h].places == b->hosts[h].places &&
                  a->hosts[h].speed == b->hosts[h].speed);
    }
    for (size_t i = 0; i < n * n; i++)
        cr_assert(a->latency[i] == b->latency[i], "latency %zu", i);
    cr_assert(a->process_count == b->process_count && a->group_count == b->group_count);
    for (int32_t r = 0; r < a->process_count; r++)
        cr_assert(a->host_of[r] == b->host_of[r] && a->group_of[r] == b->group_of[r]);
    for (int32_t g = 0; g < a->group_count; g++)
        cr_assert(a->groups[g].size == b->groups[g].size &&
                  a->groups[g].parent == b->groups[g].parent);
    cr_assert_eq(a->edge_count, b->edge_count);
    expect_same_edges(a->edges, b->edges, a->edge_count);
}

static void expect_valid(xmlRelaxNGPtr grammar, const char *text, size_t length, int valid)
{
    xmlRelaxNGValidCtxtPtr checker = xmlRelaxNGNewValidCtxt(grammar);
    xmlDocPtr document = xmlReadMemory(text, (int)length, NULL, NULL, XML_PARSE_NONET);
    xmlRelaxNGSetValidErrors(checker, NULL, NULL, NULL);
    cr_assert(document != NULL);
    cr_assert((xmlRelaxNGValidateDoc(checker, document) == 0) == valid, "%s", text);
    xmlFreeDoc(document);
    xmlRelaxNGFreeValidCtxt(checker);
}

static xmlRelaxNGPtr load_grammar(void)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt("grid/taag/files/mapping.rng");
    xmlRelaxNGPtr grammar = xmlRelaxNGParse(parser);
    cr_assert(grammar != NULL);
    xmlRelaxNGFreeParserCtxt(parser);
    return grammar;
}

static char *write_text(const Mapping *m, size_t *size)
{
    char *text = NULL;
    PepaError err = {0};
    FILE *to = open_memstream(&text, size);
    cr_assert(mapping_write(m, to, &err) == PEPA_OK, "%s", err.message);
    (void)fclose(to);
    return text;
}

Test(mapping, what_is_written_is_read_back)
{
    xmlRelaxNGPtr grammar = load_grammar();
    for (int i = 0; i < 500; i++) {
        size_t size;
        PepaError err = {0};
        Mapping *m = random_mapping((AmogetProgramKind)(i % MAPPING_KINDS)), *back = NULL;
        char *text = write_text(m, &size);
        cr_assert(mapping_read(&back, "text", text, size, NULL, NULL, &err) == PEPA_OK,
                  "mapping %d: %u:%u: %s\n%s", i, err.line, err.column, err.message, text);
        expect_same(m, back);
        expect_valid(grammar, text, size, 1);
        mapping_free(m);
        mapping_free(back);
        free(text);
    }
    xmlRelaxNGFree(grammar);
}

/* ---- mistakes ------------------------------------------------------------------------------- */

#define HEAD "<mapping>\n<schema kind=\"groups\" processes=\"2\" least=\"2\"/>\n"
#define HOST "<host name=\"h\" places=\"2\" speed=\"1\"/>\n"
#define BODY "<group><process rank=\"0\" host=\"h\"/>\n<process rank=\"1\" host=\"h\"/></group>\n"
#define TAIL "</mapping>\n"

typedef struct {
    const char *text;
    uint32_t line, column;
    const char *words;
} Mistake;

static const Mistake mistakes[] = {
    {"", 1, 1, "XML"},
    {"<mapping", 1, 9, "not XML"},
    {"<pepa/>", 1, 1, "no element `pepa` here"},
    {"<!DOCTYPE mapping [<!ENTITY a \"b\">]><mapping/>", 1, 1, "document type declaration"},
    {"<mapping>\n" HOST TAIL, 2, 1, "in this order"},
    {HEAD "text" TAIL, 3, 1, "no text here"},
    {"<mapping><schema kind=\"star\"/></mapping>", 1, 24, "groups, graph, tree, ring or singleton"},
    {"<mapping><schema kind=\"star\" processes=\"2\"/></mapping>", 1, 24,
     "groups, graph, tree, ring or singleton"},
    {"<mapping><schema processes=\"2\"/></mapping>", 1, 10, "attribute `kind` is missing"},
    {HEAD HOST "<edge from=\"1\" to=\"2\"/>" TAIL, 4, 1, "here is no group yet"},
    {"<mapping><schema kind=\"groups\"/></mapping>", 1, 10, "attribute `processes` is missing"},
    {"<mapping><schema kind=\"singleton\" processes=\"0\"/>", 1, 46, "1 to 10000"},
    {"<mapping><schema kind=\"singleton\" processes=\"1x\"/>", 1, 46, "1 to 10000"},
    {"<mapping><schema kind=\"singleton\" processes=\"1\" least=\"1\"/>", 1, 10, "no attribute"},
    {HEAD "<host name=\"h\" places=\"2\" speed=\"0\"/>" TAIL, 3, 34, "number > 0"},
    {HEAD "<host name=\"h\" places=\"2\" speed=\"nan\"/>" TAIL, 3, 34, "number > 0"},
    {HEAD "<host name=\"h\" places=\"2\" speed=\"1e999\"/>" TAIL, 3, 34, "number > 0"},
    {HEAD "<host name=\"h\" places=\"2\" speed=\"1e\"/>" TAIL, 3, 34, "number > 0"},
    {HEAD "<host name=\"\" places=\"2\" speed=\"1\"/>" TAIL, 3, 13, "1 to 255 bytes"},
    {HEAD HOST HOST TAIL, 4, 13, "another host"},
    {HEAD HOST "<latency from=\"h\" to=\"g\" seconds=\"1\"/>" TAIL, 4, 23,
     "no host has the name `g`"},
    {HEAD HOST "<latency from=\"h\" to=\"h\" seconds=\"1\"/>" TAIL, 4, 1, "between two hosts"},
    {HEAD HOST "<latency from=\"h\" to=\"h\" seconds=\"-1\"/>" TAIL, 4, 35, "number >= 0"},
    {HEAD HOST "<group parent=\"1\"></group>" TAIL, 4, 16, "only groups of a tree"},
    {HEAD HOST "<group><process rank=\"1\" host=\"h\"/></group>" TAIL, 4, 8, "here comes 0"},
    {HEAD HOST "<group></group>" BODY TAIL, 4, 1, "no processes"},
    {HEAD HOST "<group><process rank=\"0\" host=\"h\"/></group>" TAIL, 2, 1, "wants 2"},
    {HEAD HOST BODY "<edge from=\"1\" to=\"1\"/>" TAIL, 6, 1, "between two groups"},
    {HEAD HOST BODY "<edge from=\"1\" to=\"2\"/>" TAIL, 6, 20, "1 to 1"},
    {HEAD "<host name=\"h\" places=\"1\" speed=\"1\"/>\n" BODY TAIL, 4, 1, "places for 1"},
    {HEAD HOST "<host name=\"g\" places=\"2\" speed=\"1\"/>" BODY TAIL, 2, 1, "have no latency"},
    {"<mapping><schema kind=\"groups\" processes=\"2\" divisor=\"2\"/>" HOST BODY TAIL, 1, 10,
     "not divisible by 2"},
    {"<mapping><schema kind=\"groups\" processes=\"2\" least=\"3\"/>" HOST BODY TAIL, 2, 1,
     "3 or more"},
    {"<mapping><schema kind=\"tree\" processes=\"2\" levels=\"2\"/>" HOST BODY TAIL, 2, 1, "not 1"},
    {"<mapping><schema kind=\"graph\"><group size=\"1\"/></schema>" HOST BODY TAIL, 1, 10,
     "wants 1"},
    {"<mapping><schema kind=\"graph\"><group size=\"3\"/></schema>" HOST BODY TAIL, 1, 10,
     "wants 3"},
    {"<mapping><schema kind=\"ring\" processes=\"2\"/>" HOST
     "<group><process rank=\"0\" host=\"h\"/></group><group><process rank=\"1\" "
     "host=\"h\"/></group>" TAIL,
     1, 10, "do not make one ring"},
    {"<mapping xmlns:x=\"y\"><x:schema/></mapping>", 1, 22, "no element `schema` here"},
    {HEAD HOST BODY, 6, 1, "not XML"},
};

Test(mapping, mistakes_are_found_at_their_place)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const Mistake *m = &mistakes[i];
        Mapping *out = (Mapping *)1;
        PepaError err = {0};
        cr_expect(mapping_read(&out, "text", m->text, strlen(m->text), NULL, NULL, &err) ==
                          PEPA_EMODEL &&
                      out == NULL,
                  "%s", m->text);
        cr_expect(err.line == m->line && err.column == m->column && strstr(err.message, m->words),
                  "%s\n%u:%u: %s", m->text, err.line, err.column, err.message);
    }
}

Test(mapping, random_damage_is_an_error_or_a_mapping)
{
    for (int i = 0; i < 3000; i++) {
        size_t size;
        PepaError err = {0};
        Mapping *m = random_mapping((AmogetProgramKind)(i % MAPPING_KINDS)), *back = NULL;
        char *text = write_text(m, &size);
        for (int k = 1 + below(3); k > 0; k--)
            text[below((int32_t)size)] = "<>/\"= a0&;"[below(10)];
        PepaStatus status = mapping_read(&back, "text", text, size, NULL, NULL, &err);
        cr_assert((status == PEPA_OK) == (back != NULL));
        cr_assert(status == PEPA_OK || (status == PEPA_EMODEL && err.line > 0 && err.message[0]));
        mapping_free(m);
        mapping_free(back);
        free(text);
    }
}
