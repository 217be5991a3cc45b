/* The system equation for pictures: who is whose operand, and on which actions who cooperates. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static bool same_set(const PepaNode *a, const PepaNode *b)
{
    return a->action_count == b->action_count &&
           memcmp(a->action, b->action, (size_t)a->action_count * sizeof *a->action) == 0;
}

/* Operands come before what they are operands of. */
static void join(Tree *tree)
{
    for (int32_t i = tree->info.nodes - 1; i >= 0; i--) {
        PepaNode node = pepa_structure_node(tree->model, i);
        const int32_t operand[] = {node.left, node.right};
        for (int k = 0; k < 2; k++) {
            const int32_t below = operand[k];
            if (below < 0)
                continue;
            PepaNode other = pepa_structure_node(tree->model, below);
            const bool merges = node.kind == PEPA_NODE_COOPERATION &&
                                other.kind == PEPA_NODE_COOPERATION && same_set(&node, &other);
            tree->parent[below] = i;
            tree->stands[below] = merges ? tree->stands[i] : below;
        }
    }
}

int tree_new(Tree *tree, const Session *s)
{
    PepaError err;
    *tree = (Tree){0};
    PepaStatus status = pepa_structure_new(&tree->model, s->model, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    tree->info = pepa_structure_info(tree->model);
    tree->parent = malloc((size_t)tree->info.nodes * sizeof *tree->parent);
    tree->stands = malloc((size_t)tree->info.nodes * sizeof *tree->stands);
    if (!tree->parent || !tree->stands)
        return out_of_memory();
    tree->parent[tree->info.nodes - 1] = -1;
    tree->stands[tree->info.nodes - 1] = tree->info.nodes - 1;
    join(tree);
    return EXIT_SOLVED;
}

void tree_free(Tree *tree)
{
    pepa_structure_free(tree->model);
    free(tree->parent);
    free(tree->stands);
    *tree = (Tree){0};
}

static int ascending(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool tree_shares(const Tree *tree, int32_t leaf, int32_t action)
{
    /* What stands for a cooperation has its set. */
    for (int32_t i = tree->parent[leaf]; i >= 0; i = tree->parent[tree->stands[i]]) {
        PepaNode node = pepa_structure_node(tree->model, i);
        const bool named =
            node.action_count &&
            bsearch(&action, node.action, (size_t)node.action_count, sizeof action, ascending);
        if (named)
            return node.kind != PEPA_NODE_HIDING;
    }
    return false;
}
