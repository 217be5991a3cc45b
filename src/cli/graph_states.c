/* Draws the derivation graph: the states with the numbers that `pepa states` gives them, and what
 * leads from one to another. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { STATE_LINE = 34 }; /* characters of a line of a state */

/* The text of a state with ends of lines at some of its commas. */
static void break_lines(char *text)
{
    char *line = text;
    for (char *p = text; *p; p++) {
        if (p[0] != ',' || p[1] != ' ')
            continue;
        const size_t next = 2 + strcspn(p + 2, ",");
        if ((size_t)(p - line) + next > STATE_LINE) {
            p[1] = '\n';
            line = p + 2;
        }
    }
}

static int write_state(const Session *s, int32_t i, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    Text label = {0};
    char *text;
    PepaError err;
    PepaStatus status = pepa_chain_state_text(s->chain, i, &text, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    break_lines(text);
    text_add(&label, "%d\n%s", i + 1, text);
    pepa_text_free(text);
    if (!label.failed) {
        (void)fprintf(to, "  s%d [label=", i + 1);
        dot_string(to, label.text);
        (void)fprintf(to, "%s];\n", t->row[i] == t->row[i + 1] ? ", peripheries=2" : "");
    }
    const bool failed = label.failed;
    text_free(&label);
    return failed ? out_of_memory() : EXIT_SOLVED;
}

/* Whether some cooperation of the system equation is on an action. */
static bool names_action(const Tree *tree, const char *name)
{
    for (int32_t i = 0; i < tree->info.nodes; i++) {
        const PepaNode node = pepa_structure_node(tree->model, i);
        for (int32_t k = 0; k < node.action_count && node.kind != PEPA_NODE_HIDING; k++)
            if (strcmp(pepa_structure_action_name(tree->model, node.action[k]), name) == 0)
                return true;
    }
    return false;
}

/* All transitions of state i to the target of k that are shared or not, as k is: one arrow. */
static int write_arrow(const Session *s, const bool *shared, int32_t i, int64_t k, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    const bool heavy = shared[pepa_transition_action(t, k)];
    Text label = {0};
    for (int64_t j = t->row[i]; j < t->row[i + 1]; j++) {
        const int32_t action = pepa_transition_action(t, j);
        if (t->target[j] != t->target[k] || shared[action] != heavy)
            continue;
        if (j < k) { /* it has been written */
            text_free(&label);
            return EXIT_SOLVED;
        }
        text_add(&label, "%s (%s, %.5g) ", label.length ? "\n" : "",
                 pepa_chain_action_name(s->chain, action), pepa_transition_rate(t, j));
    }
    if (!label.failed) {
        (void)fprintf(to, "  s%d -> s%d", i + 1, t->target[k] + 1);
        dot_activities(to, label.text, heavy);
        (void)fputs("];\n", to);
    }
    const bool failed = label.failed;
    text_free(&label);
    return failed ? out_of_memory() : EXIT_SOLVED;
}

static void write_start(const Session *s, int32_t i, FILE *to)
{
    if (starts_in(s, i) && s->start)
        (void)fprintf(to, "  initial -> s%d [label=\"%.5g \"];\n", i + 1, s->start[i]);
    else if (starts_in(s, i))
        (void)fprintf(to, "  initial -> s%d;\n", i + 1);
}

static int write_all(const Session *s, const bool *shared, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    int status = EXIT_SOLVED;
    bool legend = false;
    dot_begin(to, "TB");
    for (int32_t a = 0; a < s->info.actions; a++)
        legend = legend || shared[a];
    if (legend)
        dot_legend(to);
    (void)fputs("  initial [shape=point, width=0.07];\n", to);
    for (int32_t i = 0; i < s->info.states; i++)
        write_start(s, i, to);
    for (int32_t i = 0; i < s->info.states && status == EXIT_SOLVED; i++)
        status = write_state(s, i, to);
    for (int32_t i = 0; i < s->info.states && status == EXIT_SOLVED; i++)
        for (int64_t k = t->row[i]; k < t->row[i + 1] && status == EXIT_SOLVED; k++)
            status = write_arrow(s, shared, i, k, to);
    (void)fputs("}\n", to);
    return status;
}

int draw_states(const Session *s, FILE *to)
{
    Tree tree;
    bool *shared = calloc((size_t)s->info.actions + 1, sizeof *shared);
    int status = tree_new(&tree, s);
    if (status == EXIT_SOLVED && !shared)
        status = out_of_memory();
    for (int32_t a = 0; status == EXIT_SOLVED && a < s->info.actions; a++)
        shared[a] = names_action(&tree, pepa_chain_action_name(s->chain, a));
    if (status == EXIT_SOLVED)
        status = write_all(s, shared, to);
    tree_free(&tree);
    free(shared);
    return status;
}
