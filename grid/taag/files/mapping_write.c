/* Writing a mapping, and freeing it. */
#include <inttypes.h>

#include "amoget/program/kind.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "grid/taag/files/mapping.h"

/* Text in an attribute.  Line ends would be read back as blanks if they stood there as they are. */
static void put_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>' || c == '"' || c < ' ')
            (void)fprintf(to, "&#%d;", c);
        else
            (void)fputc(c, to);
    }
}

static void put_name(FILE *to, const char *attribute, const char *name)
{
    (void)fprintf(to, " %s=\"", attribute);
    put_text(to, name);
    (void)fputc('"', to);
}

static void put_edges(FILE *to, const char *margin, const AmogetEdge *edges, int32_t count)
{
    for (int32_t e = 0; e < count; e++)
        (void)fprintf(to, "%s<edge from=\"%" PRId32 "\" to=\"%" PRId32 "\"/>\n", margin,
                      edges[e].a + 1, edges[e].b + 1);
}

static void put_schema(FILE *to, const AmogetProgram *schema)
{
    (void)fprintf(to, "  <schema kind=\"%s\"", kind_name(schema->kind));
    if (schema->kind == AMOGET_GRAPH) {
        (void)fputs(">\n", to);
        for (int32_t g = 0; g < schema->group_count; g++)
            (void)fprintf(to, "    <group size=\"%" PRId32 "\"/>\n", schema->sizes[g]);
        put_edges(to, "    ", schema->edges, schema->edge_count);
        (void)fputs("  </schema>\n", to);
        return;
    }
    (void)fprintf(to, " processes=\"%" PRId32 "\"", schema->processes);
    if (schema->kind == AMOGET_TREE)
        (void)fprintf(to, " levels=\"%" PRId32 "\"", schema->levels);
    if (schema->kind != AMOGET_SINGLETON)
        (void)fprintf(to, " least=\"%" PRId32 "\"", schema->least);
    if (schema->kind == AMOGET_GROUPS || schema->kind == AMOGET_RING)
        (void)fprintf(to, " divisor=\"%" PRId32 "\"", schema->divisor);
    (void)fputs("/>\n", to);
}

static void put_hosts(FILE *to, const Mapping *m)
{
    char number[NUMBER_SIZE];
    for (int32_t h = 0; h < m->host_count; h++) {
        (void)fputs("  <host", to);
        put_name(to, "name", m->hosts[h].name);
        number_write(m->hosts[h].speed, number);
        (void)fprintf(to, " places=\"%" PRId32 "\" speed=\"%s\"/>\n", m->hosts[h].places, number);
    }
    for (int32_t a = 0; a < m->host_count; a++)
        for (int32_t b = a + 1; b < m->host_count; b++) {
            (void)fputs("  <latency", to);
            put_name(to, "from", m->hosts[a].name);
            put_name(to, "to", m->hosts[b].name);
            number_write(m->latency[(size_t)a * (size_t)m->host_count + (size_t)b], number);
            (void)fprintf(to, " seconds=\"%s\"/>\n", number);
        }
}

static void put_groups(FILE *to, const Mapping *m)
{
    int32_t rank = 0;
    for (int32_t g = 0; g < m->group_count; g++) {
        (void)fputs("  <group", to);
        if (m->groups[g].parent >= 0)
            (void)fprintf(to, " parent=\"%" PRId32 "\"", m->groups[g].parent + 1);
        (void)fputs(">\n", to);
        for (int32_t i = 0; i < m->groups[g].size; i++, rank++) {
            (void)fprintf(to, "    <process rank=\"%" PRId32 "\"", rank);
            put_name(to, "host", m->hosts[m->host_of[rank]].name);
            (void)fputs("/>\n", to);
        }
        (void)fputs("  </group>\n", to);
    }
}

PepaStatus mapping_write(const Mapping *m, FILE *to, PepaError *err)
{
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping", to);
    if (m->program)
        put_name(to, "program", m->program);
    (void)fputs(">\n", to);
    put_schema(to, &m->schema);
    put_hosts(to, m);
    put_groups(to, m);
    put_edges(to, "  ", m->edges, m->edge_count);
    (void)fputs("</mapping>\n", to);
    if (fflush(to) != 0 || ferror(to))
        return error_set(err, PEPA_EIO, "the mapping could not be written");
    return PEPA_OK;
}

void mapping_free(Mapping *m)
{
    if (!m)
        return;
    for (int32_t h = 0; h < m->host_count; h++)
        mem_free(m->hosts[h].name);
    mem_free_all(m->program, m->hosts, m->latency, m->host_of, m->group_of, m->groups, m->edges,
                 m->schema.sizes, m->schema.edges, m);
}
