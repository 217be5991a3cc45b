/* Writes DOT, the language of Graphviz: what all pictures share, and names of any kind.
 * Source: graphviz.org/doc/info/lang.html; escString and "HTML-like labels" there. */
#include <string.h>

#include "graph.h"

void dot_begin(FILE *to, const char *direction)
{
    (void)fprintf(to,
                  "digraph pepa {\n"
                  "  graph [rankdir=%s, fontname=\"Helvetica\", fontsize=11];\n"
                  "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11,\n"
                  "        height=0.3, margin=\"0.1,0.04\"];\n"
                  "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n",
                  direction);
}

/* In a label, `&lt;` would be read as `<`, and `\N` as the name of a node. */
void dot_string(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (const char *p = text; *p; p++)
        if (*p == '"' || *p == '\\')
            (void)fprintf(to, "\\%c", *p);
        else if (*p == '&')
            (void)fputs("&amp;", to);
        else if (*p == '\n')
            (void)fputs("\\n", to);
        else
            (void)fputc(*p, to);
    (void)fputc('"', to);
}

void dot_tagged(FILE *to, const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p == '<')
            (void)fputs("&lt;", to);
        else if (*p == '>')
            (void)fputs("&gt;", to);
        else if (*p == '&')
            (void)fputs("&amp;", to);
        else if (*p == '\n')
            (void)fputs("<BR/>", to);
        else if (*p == '\\')
            (void)fputs("\\\\", to);
        else
            (void)fputc(*p, to);
}

void dot_activities(FILE *to, const char *label, bool shared)
{
    (void)fputs(" [label=", to);
    dot_string(to, label);
    if (shared)
        (void)fputs(", penwidth=2.2", to);
}

void dot_legend(FILE *to)
{
    (void)fputs("  label=\"Heavy arrows: shared activities.\";\n", to);
}
