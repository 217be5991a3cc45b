/* Draws the sequential components: local states, and the activities that lead from one to another.
 * Local states that activities connect are one kind of component, which is drawn once, however many
 * components are of it and wherever they begin. */
#include <stdlib.h>

#include "drawing.h"
#include "graph.h"

typedef struct {
    Tree tree;
    int32_t *kind;   /* per local state: another of its kind, or itself; -1: no component has it */
    double *initial; /* per local state: how many components begin there */
    int32_t *queue;  /* per local state */
    bool *shared;    /* per action: some component of the kind at hand cooperates on it */
    bool heavy;      /* some arrow is */
} Picture;

static int picture_new(Picture *p, const Session *s)
{
    *p = (Picture){0};
    int status = tree_new(&p->tree, s);
    if (status != EXIT_SOLVED)
        return status;
    const size_t locals = (size_t)p->tree.info.local_states;
    p->kind = malloc(locals * sizeof *p->kind);
    p->initial = calloc(locals, sizeof *p->initial);
    p->queue = malloc(locals * sizeof *p->queue);
    p->shared = calloc((size_t)p->tree.info.actions, sizeof *p->shared);
    return p->kind && p->initial && p->queue && p->shared ? EXIT_SOLVED : out_of_memory();
}

static void picture_free(Picture *p)
{
    tree_free(&p->tree);
    free(p->kind);
    free(p->initial);
    free(p->queue);
    free(p->shared);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* The one that stands for the kind of a local state. */
static int32_t kind_of(Picture *p, int32_t local)
{
    while (p->kind[local] != local) {
        p->kind[local] = p->kind[p->kind[local]];
        local = p->kind[local];
    }
    return local;
}

static bool is_kind(Picture *p, int32_t local, int32_t kind)
{
    return p->kind[local] >= 0 && kind_of(p, local) == kind;
}

/* The local state of a leaf; -1: the node is none. */
static int32_t begins_in(const Picture *p, int32_t node)
{
    return pepa_structure_node(p->tree.model, node).local;
}

static double copies_of(const Picture *p, int32_t node)
{
    double copies = 1;
    for (; node >= 0; node = p->tree.parent[node])
        copies *= (double)pepa_structure_node(p->tree.model, node).copies;
    return copies;
}

static void find_kinds(Picture *p)
{
    int32_t found = 0;
    for (int32_t l = 0; l < p->tree.info.local_states; l++)
        p->kind[l] = -1;
    for (int32_t i = 0; i < p->tree.info.nodes; i++) {
        const int32_t local = begins_in(p, i);
        if (local < 0)
            continue;
        p->initial[local] += copies_of(p, i);
        if (p->kind[local] < 0) {
            p->kind[local] = local;
            p->queue[found++] = local;
        }
    }
    for (int32_t at = 0; at < found; at++) {
        const PepaLocal from = pepa_structure_local(p->tree.model, p->queue[at]);
        for (int32_t k = from.first; k < from.first + from.count; k++) {
            const int32_t target = pepa_structure_activity(p->tree.model, k).target;
            if (p->kind[target] < 0) {
                p->kind[target] = target;
                p->queue[found++] = target;
            }
            p->kind[kind_of(p, target)] = kind_of(p, p->queue[at]);
        }
    }
}

/* ---- arrows ---------------------------------------------------------------------------------- */

static bool is_shared(const Picture *p, int32_t activity)
{
    return p->shared[pepa_structure_activity(p->tree.model, activity).action];
}

/* The actions on which the components of a kind cooperate, on at least one of their places. */
static void find_shared(Picture *p, int32_t kind)
{
    for (int32_t a = 0; a < p->tree.info.actions; a++)
        p->shared[a] = false;
    for (int32_t i = 0; i < p->tree.info.nodes; i++) {
        const int32_t begin = begins_in(p, i);
        if (begin < 0 || kind_of(p, begin) != kind)
            continue;
        for (int32_t l = 0; l < p->tree.info.local_states; l++) {
            const PepaLocal local = pepa_structure_local(p->tree.model, l);
            if (!is_kind(p, l, kind))
                continue;
            for (int32_t k = local.first; k < local.first + local.count; k++) {
                const int32_t action = pepa_structure_activity(p->tree.model, k).action;
                p->shared[action] = p->shared[action] || tree_shares(&p->tree, i, action);
            }
        }
    }
}

/* Activities first .. end - 1 that lead to the same local state as `first`, and are shared or not
 * as it is: one arrow, a line of its label each. */
static int write_arrow(Picture *p, int32_t from, int32_t first, int32_t end, FILE *to)
{
    const PepaActivity what = pepa_structure_activity(p->tree.model, first);
    Text label = {0};
    for (int32_t k = first; k < end; k++) {
        const PepaActivity each = pepa_structure_activity(p->tree.model, k);
        if (each.target == what.target && is_shared(p, k) == is_shared(p, first))
            text_add(&label, "%s (%s, %s) ", label.length ? "\n" : "",
                     pepa_structure_action_name(p->tree.model, each.action), each.rate);
    }
    if (!label.failed) {
        (void)fprintf(to, "    l%d -> l%d", from, what.target);
        dot_activities(to, label.text, is_shared(p, first));
        p->heavy = p->heavy || is_shared(p, first);
        (void)fputs("];\n", to);
    }
    const bool failed = label.failed;
    text_free(&label);
    return failed ? out_of_memory() : EXIT_SOLVED;
}

/* Whether an activity before k, from `first` on, has the arrow of k. */
static bool has_arrow(const Picture *p, int32_t first, int32_t k)
{
    const int32_t target = pepa_structure_activity(p->tree.model, k).target;
    int32_t i = first;
    while (i < k && !(pepa_structure_activity(p->tree.model, i).target == target &&
                      is_shared(p, i) == is_shared(p, k)))
        i++;
    return i < k;
}

static int write_local(Picture *p, int32_t l, FILE *to)
{
    const PepaLocal local = pepa_structure_local(p->tree.model, l);
    int status = EXIT_SOLVED;
    (void)fprintf(to, "    l%d [label=", l);
    dot_string(to, local.name);
    (void)fprintf(to, "];\n");
    if (p->initial[l] > 0)
        (void)fprintf(to, "    i%d [shape=point, width=0.07];\n    i%d -> l%d", l, l, l);
    if (p->initial[l] > 1)
        (void)fprintf(to, " [label=\" \u00D7 %.15g\"]", p->initial[l]);
    if (p->initial[l] > 0)
        (void)fputs(";\n", to);
    for (int32_t k = local.first; k < local.first + local.count && status == EXIT_SOLVED; k++)
        if (!has_arrow(p, local.first, k))
            status = write_arrow(p, l, k, local.first + local.count, to);
    return status;
}

static int write_kind(Picture *p, int32_t kind, FILE *to)
{
    int status = EXIT_SOLVED;
    find_shared(p, kind);
    (void)fprintf(to, "  subgraph cluster_%d {\n    peripheries=0; margin=12;\n", kind);
    for (int32_t l = 0; l < p->tree.info.local_states && status == EXIT_SOLVED; l++)
        if (is_kind(p, l, kind))
            status = write_local(p, l, to);
    (void)fputs("  }\n", to);
    return status;
}

/* In how many columns so many kinds are drawn: about twice as many as rows. */
static int32_t columns_of(int32_t kinds)
{
    enum { FEW = 4 };
    int32_t columns = FEW;
    while (kinds > FEW && columns * columns < 2 * kinds)
        columns++;
    return columns;
}

/* Graphviz draws what nothing connects in one row.  Arrows that are not seen put each kind below one
 * of the row before: from all local states of that to where this one begins. */
static void write_rows(Picture *p, FILE *to)
{
    const int32_t locals = p->tree.info.local_states;
    int32_t kinds = 0, *kind = p->queue; /* in their order */
    for (int32_t l = 0; l < locals; l++)
        if (p->kind[l] == l)
            kind[kinds++] = l;
    const int32_t columns = columns_of(kinds);
    for (int32_t i = columns; i < kinds; i++) {
        int32_t begin = 0;
        while (!(is_kind(p, begin, kind[i]) && p->initial[begin] > 0))
            begin++;
        for (int32_t l = 0; l < locals; l++)
            if (is_kind(p, l, kind[i - columns]))
                (void)fprintf(to, "  l%d -> i%d [style=invis, weight=0];\n", l, begin);
    }
}

int draw_components(const Session *s, FILE *to)
{
    Picture p;
    int status = picture_new(&p, s);
    if (status == EXIT_SOLVED) {
        find_kinds(&p);
        dot_begin(to, "TB");
    }
    for (int32_t l = 0; status == EXIT_SOLVED && l < p.tree.info.local_states; l++)
        if (p.kind[l] == l)
            status = write_kind(&p, l, to);
    if (status == EXIT_SOLVED)
        write_rows(&p, to);
    if (status == EXIT_SOLVED && p.heavy)
        dot_legend(to);
    if (status == EXIT_SOLVED)
        (void)fputs("}\n", to);
    picture_free(&p);
    return status;
}
