/* Unfolds the system equation: a tree in which no name of a cooperation is left. */
#include <stdlib.h>
#include <string.h>

#include "parser/checking.h"

/* ---- unfolding --------------------------------------------------------------------------- */

typedef struct {
    int32_t *waiting; /* nodes of the syntax tree; ~node: its operands are done */
    int32_t *done;    /* finished nodes of the tree, operands of what is waiting */
    size_t waiting_count, waiting_cap, done_count, done_cap;
} Stack;

static bool push(int32_t **items, size_t *count, size_t *cap, int32_t item)
{
    if (!mem_reserve(items, cap, *count + 1, sizeof item))
        return false;
    (*items)[(*count)++] = item;
    return true;
}

static bool wait_for(Stack *stack, int32_t node)
{
    return push(&stack->waiting, &stack->waiting_count, &stack->waiting_cap, node);
}

static bool add_node(Tree *tree, Stack *stack, Node node, int32_t origin)
{
    size_t id = tree->node_count;
    if (!mem_reserve(&tree->nodes, &tree->node_cap, id + 1, sizeof node) ||
        !mem_reserve(&tree->origin, &tree->origin_cap, id + 1, sizeof origin))
        return false;
    node.span = tree->locals->check->ast->nodes[origin].span;
    tree->nodes[id] = node;
    tree->origin[id] = origin;
    tree->node_count++;
    return push(&stack->done, &stack->done_count, &stack->done_cap, (int32_t)id);
}

/* A node whose operands are done. */
static bool close_node(Tree *tree, Stack *stack, int32_t i)
{
    const Check *check = tree->locals->check;
    const AstNode *from = &check->ast->nodes[i];
    Node node = {.left = -1, .right = -1, .local = -1};
    if (from->kind == AST_COOP)
        node.right = stack->done[--stack->done_count];
    node.left = stack->done[--stack->done_count];
    node.kind = from->kind == AST_COOP   ? NODE_COOP
                : from->kind == AST_HIDE ? NODE_HIDE
                                         : NODE_COPIES;
    if (from->kind == AST_COPIES) /* a whole number, give or take CHECK_WHOLE */
        node.copies = (int64_t)(check->meaning[from->b].value + 0.5);
    return add_node(tree, stack, node, i);
}

static bool open_node(Tree *tree, Stack *stack, int32_t i)
{
    const Check *check = tree->locals->check;
    const AstNode *from = &check->ast->nodes[i];
    if (ast_is_static(from->kind))
        return wait_for(stack, ~i) && (from->kind != AST_COOP || wait_for(stack, from->b)) &&
               wait_for(stack, from->a);
    if (from->kind == AST_NAME && check->is_static[check->ref[i]]) {
        tree->used[check->ref[i]] = true;
        return wait_for(stack, check->process_def[check->ref[i]]->body);
    }
    int32_t local = locals_reach(tree->locals, tree->locals->term[i]);
    return local >= 0 &&
           add_node(tree, stack, (Node){NODE_LEAF, -1, -1, local, 0, 0, 0, from->span}, i);
}

void tree_unfold(Tree *tree)
{
    Check *check = tree->locals->check;
    Stack stack = {0};
    tree->used = check_alloc(check, check->processes.count, sizeof *tree->used);
    bool ok = !check->no_memory && wait_for(&stack, check->ast->system.body);
    while (ok && stack.waiting_count > 0) {
        if (tree->node_count >= CHECK_MAX_NODES) {
            diag_error(check->diags, check->ast->system.span,
                       "the system equation is too large: more than %d components and operators",
                       CHECK_MAX_NODES);
            break;
        }
        int32_t next = stack.waiting[--stack.waiting_count];
        ok = next < 0 ? close_node(tree, &stack, ~next) : open_node(tree, &stack, next);
    }
    check->no_memory = check->no_memory || !ok;
    mem_free(stack.waiting);
    mem_free(stack.done);
}

void tree_free(Tree *tree)
{
    mem_free(tree->nodes);
    mem_free(tree->origin);
    mem_free(tree->sets);
    *tree = (Tree){0};
}
