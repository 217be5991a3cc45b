/* Draws the system equation: a tree of cooperations, with components as its leaves. */
#include <string.h>

#include "graph.h"

enum { SET_LINE = 30 }; /* characters of a line of a set */

/* "{a, b}", over several lines if it is long. */
static void add_set(Text *out, const Tree *tree, const PepaNode *node)
{
    size_t line = 0;
    text_add(out, "{");
    for (int32_t i = 0; i < node->action_count; i++) {
        const char *name = pepa_structure_action_name(tree->model, node->action[i]);
        const bool ends = line > 0 && line + strlen(name) > SET_LINE;
        text_add(out, "%s%s", i == 0 ? "" : ends ? ",\n" : ", ", name);
        line = ends ? strlen(name) : line + strlen(name) + 2;
    }
    text_add(out, "}");
}

/* The name of a component, and how many copies of it. */
static void add_component(Text *out, const Tree *tree, const PepaNode *node)
{
    text_add(out, "%s", pepa_structure_local(tree->model, node->local).name);
}

static void write_component(const char *text, int32_t i, FILE *to)
{
    (void)fprintf(to, "  n%d [label=", i);
    dot_string(to, text);
    (void)fputs("];\n", to);
}

/* An operator, with its set in small letters below. */
static void write_operator(const char *sign, const char *set, int32_t i, FILE *to)
{
    (void)fprintf(
        to,
        "  n%d [shape=plaintext, margin=\"0.04,0.02\", width=0.3, label=<<FONT POINT-SIZE=\"18\">",
        i);
    dot_tagged(to, sign);
    (void)fputs("</FONT>", to);
    if (set && *set) {
        (void)fputs("<BR/><FONT POINT-SIZE=\"9\">", to);
        dot_tagged(to, set);
        (void)fputs("</FONT>", to);
    }
    (void)fputs(">];\n", to);
}

/* Copies of a component are one box: "Client[100]". */
static bool write_node(const Tree *tree, int32_t i, FILE *to)
{
    const PepaNode node = pepa_structure_node(tree->model, i);
    Text text = {0}, set = {0};
    bool leaf = node.kind == PEPA_NODE_COMPONENT;
    if (node.action_count)
        add_set(&set, tree, &node);
    if (leaf)
        add_component(&text, tree, &node);
    if (node.kind == PEPA_NODE_COPIES) {
        const PepaNode below = pepa_structure_node(tree->model, node.left);
        leaf = below.kind == PEPA_NODE_COMPONENT;
        if (leaf)
            add_component(&text, tree, &below);
        text_add(&text, "[%lld]%s%s", (long long)node.copies, leaf && set.length ? "\n" : "",
                 leaf && set.length ? set.text : "");
    }
    const bool ok = !text.failed && !set.failed;
    if (ok && leaf)
        write_component(text.text, i, to);
    else if (ok)
        write_operator(node.kind == PEPA_NODE_COPIES   ? text.text
                       : node.kind == PEPA_NODE_HIDING ? "/"
                       : node.action_count             ? "\u22C8"
                                                       : "\u2225",
                       set.text, i, to);
    text_free(&text);
    text_free(&set);
    return ok;
}

/* Whether a node is drawn as a part of what it is an operand of. */
static bool is_within(const Tree *tree, int32_t i)
{
    const int32_t parent = tree->parent[i];
    return tree->stands[i] != i ||
           (parent >= 0 && pepa_structure_node(tree->model, i).kind == PEPA_NODE_COMPONENT &&
            pepa_structure_node(tree->model, parent).kind == PEPA_NODE_COPIES);
}

int draw_cooperation(const Session *s, FILE *to)
{
    Tree tree;
    int status = tree_new(&tree, s);
    if (status == EXIT_SOLVED)
        dot_begin(to, "TB");
    if (status == EXIT_SOLVED)
        (void)fputs("  graph [ordering=out, nodesep=0.2, ranksep=0.25];\n"
                    "  edge [arrowhead=none];\n",
                    to);
    for (int32_t i = 0; status == EXIT_SOLVED && i < tree.info.nodes; i++) {
        if (is_within(&tree, i))
            continue;
        if (!write_node(&tree, i, to))
            status = out_of_memory();
    }
    /* In the order of nodes, which is that of the text for the operands of each. */
    for (int32_t i = 0; status == EXIT_SOLVED && i < tree.info.nodes; i++)
        if (tree.parent[i] >= 0 && !is_within(&tree, i))
            (void)fprintf(to, "  n%d -> n%d;\n", tree.stands[tree.parent[i]], i);
    if (status == EXIT_SOLVED)
        (void)fputs("}\n", to);
    tree_free(&tree);
    return status;
}
