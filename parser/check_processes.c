/* Checks processes: which are sequential and which static, and that recursion is guarded. */
#include <string.h>

#include "parser/checking.h"

static const char *static_noun(AstKind kind)
{
    return kind == AST_COOP ? "cooperation" : kind == AST_HIDE ? "hiding" : "replication";
}

/* ---- places of nodes --------------------------------------------------------------------- */

static void place_children(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    uint8_t place = (uint8_t)(check->place[i] & ~PLACE_BODY);
    switch (node->kind) {
    case AST_CHOICE:
        check->place[node->a] = check->place[node->b] = place | PLACE_SEQUENTIAL;
        break;
    case AST_PREFIX:
        check->place[node->b] = place | PLACE_SEQUENTIAL | PLACE_GUARDED;
        break;
    case AST_COOP:
    case AST_HIDE:
    case AST_COPIES:
        if (place & PLACE_SEQUENTIAL)
            place |= PLACE_REPORTED; /* below: the error is this node's */
        check->place[node->a] = place;
        if (node->kind == AST_COOP)
            check->place[node->b] = place;
        break;
    default:
        break;
    }
}

static void place_range(Check *check, const AstDef *def, uint8_t place)
{
    check->place[def->body] = place;
    for (int32_t i = def->body; i >= def->first; i--)
        place_children(check, i);
}

/* ---- unguarded occurrences ----------------------------------------------------------------- */

static bool unguarded(const Check *check, int32_t process, int32_t node)
{
    (void)process;
    return check->ast->nodes[node].kind == AST_NAME && !(check->place[node] & PLACE_GUARDED);
}

static void report_cycle(void *user, const int32_t *vertices, int32_t count)
{
    Check *check = user;
    bool cooperates = false;
    for (int32_t i = count - 1; i >= 0; i--)
        if (check->broken[vertices[i]])
            return;
    for (int32_t i = 0; i < count; i++) {
        const AstDef *def = check->process_def[vertices[i]];
        check->broken[vertices[i]] = true;
        cooperates = cooperates || ast_is_static(check->ast->nodes[def->body].kind);
    }
    int32_t first;
    const char *cycle = check_cycle_text(check, vertices, count, &check->processes, &first);
    diag_error(check->diags, check->process_def[first]->span,
               cooperates ? "`%s` contains itself: %s"
                          : "process `%s` is unguarded: %s without an activity in between",
               check->processes.names[first], cycle);
}

/* A definition is static if it is a cooperation, hiding or replication, or another name of one. */
static void find_static(Check *check)
{
    for (size_t k = 0; k < check->processes.count; k++) {
        int32_t process = check->process_order[k];
        const AstDef *def = check->process_def[process];
        if (!def)
            continue;
        const AstNode *body = &check->ast->nodes[def->body];
        int32_t alias = body->kind == AST_NAME ? check->ref[def->body] : -1;
        check->is_static[process] =
            ast_is_static(body->kind) || (alias >= 0 && check->is_static[alias]);
        check->broken[process] = check->broken[process] || (alias >= 0 && check->broken[alias]);
    }
}

/* ---- static components where only sequential ones are legal --------------------------------- */

static bool misplaced(const Check *check, int32_t i)
{
    return (check->place[i] & PLACE_SEQUENTIAL) && !(check->place[i] & PLACE_REPORTED);
}

static void check_place_of(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    if (ast_is_static(node->kind) && misplaced(check, i))
        diag_error(check->diags, node->mark,
                   "%s inside a sequential component: a choice or prefix has sequential "
                   "components only",
                   static_noun(node->kind));
}

static void check_use_of(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    int32_t process = check->ref[i];
    bool sequential = node->kind == AST_COUNT || (node->kind == AST_NAME && misplaced(check, i));
    if (!sequential || process < 0 || !check->is_static[process] || check->broken[process])
        return;
    const AstDef *def = check->process_def[process];
    uint32_t line = check_line(check, def->span);
    while (check->ast->nodes[def->body].kind == AST_NAME)
        def = check->process_def[check->ref[def->body]];
    const char *noun = static_noun(check->ast->nodes[def->body].kind);
    if (node->kind == AST_COUNT)
        diag_error(check->diags, node->span,
                   "`%s` (line %u) is a %s: only sequential components can be counted in a rate",
                   node->name, line, noun);
    else
        diag_error(check->diags, node->span,
                   "%s inside a sequential component: `%s` (line %u) is a %s", noun, node->name,
                   line, noun);
}

void check_processes(Check *check)
{
    const Ast *ast = check->ast;
    size_t count = check->processes.count;
    Graph graph;
    check->place = check_alloc(check, (size_t)ast->node_count, sizeof *check->place);
    check->is_static = check_alloc(check, count, sizeof *check->is_static);
    check->broken = check_alloc(check, count, sizeof *check->broken);
    check->process_order = check_alloc(check, count, sizeof *check->process_order);
    if (check->no_memory)
        return;
    for (int32_t i = 0; i < ast->def_count; i++)
        if (ast->defs[i].process)
            place_range(check, &ast->defs[i], PLACE_BODY);
    place_range(check, &ast->system, 0);
    if (!check_graph(check, &graph, check->process_def, (int32_t)count, unguarded))
        return;
    if (!graph_order(&graph, check->process_order, report_cycle, check)) {
        check->no_memory = true;
        return;
    }
    find_static(check);
    for (int32_t i = 0; i < ast->node_count; i++) {
        check_place_of(check, i);
        check_use_of(check, i);
    }
}
