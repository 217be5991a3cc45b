/* Components that stand side by side and could be counted as copies. */
#include "copies.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pepa_structure.h>

static bool same_actions(const PepaNode *a, const PepaNode *b)
{
    return a->kind == PEPA_NODE_COOPERATION && b->kind == PEPA_NODE_COOPERATION &&
           a->action_count == b->action_count &&
           (a->action_count == 0 ||
            memcmp(a->action, b->action, (size_t)a->action_count * sizeof *a->action) == 0);
}

/* Operands of cooperations on the same actions may be put together in any way: of those from `node` on, each component
 * alone adds `one` to count[local].  Returns the local state with most.  stack: scratch, one per node. */
static int32_t count_operands(const PepaStructure *m, int32_t node, int one, int32_t *stack,
                              int64_t *count)
{
    const PepaNode top = pepa_structure_node(m, node);
    int32_t height = 0, most = 0;
    stack[height++] = node;
    while (height > 0) {
        const PepaNode now = pepa_structure_node(m, stack[--height]);
        if (now.kind == PEPA_NODE_COMPONENT) {
            count[now.local] += one;
            most = count[now.local] > count[most] ? now.local : most;
        }
        if (!same_actions(&top, &now))
            continue;
        stack[height++] = now.left;
        stack[height++] = now.right;
    }
    return most;
}

/* P || P || ... has a state for each way that copies can be in; P[n] counts them. */
static void say_copies(const PepaStructure *m, const PepaNode *top, const char *name, int64_t count)
{
    (void)fprintf(stderr, "pepa: `%s` stands %lld times side by side: `%s[%lld", name,
                  (long long)count, name, (long long)count);
    for (int32_t k = 0; k < top->action_count; k++)
        (void)fprintf(stderr, "%s%s", k > 0 ? ", " : ", {",
                      pepa_structure_action_name(m, top->action[k]));
    (void)fprintf(stderr, "%s]` means the same and has fewer states\n",
                  top->action_count > 0 ? "}" : "");
}

void copies_show(const PepaModel *model)
{
    PepaStructure *m = NULL;
    PepaError err;
    if (pepa_structure_new(&m, model, &err) != PEPA_OK)
        return;
    const PepaStructureInfo info = pepa_structure_info(m);
    const size_t nodes = (size_t)info.nodes;
    int said = 0;
    int32_t *stack = calloc(nodes + 1, sizeof *stack);
    int64_t *count = calloc((size_t)info.local_states + 1, sizeof *count);
    bool *below = calloc(nodes + 1, sizeof *below); /* of a cooperation on the same actions */
    const bool made = stack && count && below;
    for (int32_t n = 0; n < info.nodes && made; n++) {
        const PepaNode node = pepa_structure_node(m, n);
        if (node.kind != PEPA_NODE_COOPERATION)
            continue;
        const PepaNode left = pepa_structure_node(m, node.left),
                       right = pepa_structure_node(m, node.right);
        below[node.left] = same_actions(&node, &left);
        below[node.right] = same_actions(&node, &right);
    }
    for (int32_t n = 0; n < info.nodes && made && said < 3; n++) {
        const PepaNode node = pepa_structure_node(m, n);
        if (node.kind != PEPA_NODE_COOPERATION || below[n])
            continue;
        const int32_t most = count_operands(m, n, 1, stack, count);
        if (count[most] > 1) {
            say_copies(m, &node, pepa_structure_local(m, most).name, count[most]);
            said++;
        }
        (void)count_operands(m, n, -1, stack, count);
    }
    free(stack);
    free(count);
    free(below);
    pepa_structure_free(m);
}
