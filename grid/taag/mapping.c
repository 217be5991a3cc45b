/* Mappings as XML. */
#include "grid/taag/mapping.h"

#include "base/error.h"
#include "base/mem.h"

/* Text inside quotes. */
static void quoted(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text; text++)
        switch (*text) {
        case '&':
            (void)fputs("&amp;", to);
            break;
        case '<':
            (void)fputs("&lt;", to);
            break;
        case '"':
            (void)fputs("&quot;", to);
            break;
        default:
            (void)fputc(*text, to);
        }
    (void)fputc('"', to);
}

static void write_schema(const AmogetProgram *p, FILE *to)
{
    (void)fprintf(to, "  <schema kind=\"%s\" processes=\"%d\"", amoget_program_kind(p->kind),
                  p->processes);
    if (p->kind == AMOGET_GROUPS || p->kind == AMOGET_RING)
        (void)fprintf(to, " least=\"%d\" divisor=\"%d\"", p->least, p->divisor);
    if (p->kind == AMOGET_TREE)
        (void)fprintf(to, " least=\"%d\" levels=\"%d\"", p->least, p->levels);
    (void)fputs("/>\n", to);
}

static void write_groups(const Mapping *m, FILE *to)
{
    for (int32_t g = 0, rank = 0; g < m->group_count; g++) {
        (void)fputs("  <group", to);
        if (m->groups[g].parent >= 0)
            (void)fprintf(to, " parent=\"%d\"", m->groups[g].parent + 1);
        (void)fputs(">\n", to);
        for (int32_t i = 0; i < m->groups[g].size; i++, rank++) {
            (void)fprintf(to, "    <process rank=\"%d\" host=", rank);
            quoted(to, m->hosts[m->host_of[rank]].name);
            (void)fputs("/>\n", to);
        }
        (void)fputs("  </group>\n", to);
    }
}

PepaStatus mapping_write(const Mapping *m, FILE *to, PepaError *err)
{
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping", to);
    if (m->program) {
        (void)fputs(" program=", to);
        quoted(to, m->program);
    }
    (void)fputs(">\n", to);
    write_schema(&m->schema, to);
    for (int32_t i = 0; i < m->host_count; i++) {
        (void)fputs("  <host name=", to);
        quoted(to, m->hosts[i].name);
        (void)fprintf(to, " places=\"%d\" speed=\"%.17g\"/>\n", m->hosts[i].places,
                      m->hosts[i].speed);
    }
    for (int32_t a = 0; a < m->host_count; a++)
        for (int32_t b = a + 1; b < m->host_count; b++) {
            (void)fputs("  <latency from=", to);
            quoted(to, m->hosts[a].name);
            (void)fputs(" to=", to);
            quoted(to, m->hosts[b].name);
            (void)fprintf(to, " seconds=\"%.17g\"/>\n",
                          m->latency[(size_t)a * (size_t)m->host_count + (size_t)b]);
        }
    write_groups(m, to);
    for (int32_t e = 0; e < m->edge_count; e++)
        (void)fprintf(to, "  <edge from=\"%d\" to=\"%d\"/>\n", m->edges[e].a + 1,
                      m->edges[e].b + 1);
    (void)fputs("</mapping>\n", to);
    if (ferror(to))
        return error_set(err, PEPA_EIO, "the mapping cannot be written");
    return PEPA_OK;
}

void mapping_free(Mapping *m)
{
    if (!m)
        return;
    for (int32_t i = 0; m->hosts && i < m->host_count; i++)
        mem_free(m->hosts[i].name);
    mem_free_all(m->hosts, m->latency, m->host_of, m->group_of, m->groups, m->edges,
                 m->schema.sizes, m->schema.edges, m->program);
    mem_free(m);
}
