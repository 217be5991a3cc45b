/* Resolves the sets of cooperation, hiding and replication, and compares them with the actions that
 * the components can do at all. */
#include "parser/alphabet.h"

typedef struct {
    Tree *tree;
    Check *check;
    Alphabet *of_node;                 /* node of the syntax tree, if static: its alphabet */
    Alphabet *done_by;                 /* the same, without what cooperation blocks for ever */
    Alphabet *of_local;                /* local state: what it and all that follows can do */
    int32_t *seen_local, *seen_action; /* the last search that met it */
    int32_t *queue;                    /* of local states */
    int32_t searches;
} Sets;

/* ---- what components can do ---------------------------------------------------------------- */

/* Breadth first over the local states reachable from `root`. */
static bool search(Sets *sets, int32_t root, Alphabet *found)
{
    const Locals *locals = sets->tree->locals;
    int32_t mark = ++sets->searches, tail = 0;
    size_t cap = 0;
    sets->queue[tail++] = root;
    sets->seen_local[root] = mark;
    for (int32_t head = 0; head < tail; head++) {
        const Local *local = &locals->locals[sets->queue[head]];
        for (int32_t k = local->first; k < local->first + local->count; k++) {
            const Activity *activity = &locals->activities[k];
            if (sets->seen_local[activity->target] != mark) {
                sets->seen_local[activity->target] = mark;
                sets->queue[tail++] = activity->target;
            }
            if (activity->action == ACTION_TAU || sets->seen_action[activity->action] == mark)
                continue;
            sets->seen_action[activity->action] = mark;
            if (!mem_reserve(&found->actions, &cap, (size_t)found->count + 1,
                             sizeof *found->actions))
                return false;
            found->actions[found->count++] = activity->action;
        }
    }
    alphabet_sort(found);
    return true;
}

/* What `of` (of_node or done_by) has for an operand of a static node, which was found before. */
static const Alphabet *view(Sets *sets, const Alphabet *of, int32_t i)
{
    const Check *check = sets->check;
    while (check->ast->nodes[i].kind == AST_NAME && check->is_static[check->ref[i]])
        i = check->process_def[check->ref[i]]->body;
    if (ast_is_static(check->ast->nodes[i].kind))
        return &of[i];
    const Locals *locals = sets->tree->locals;
    int32_t local = locals->state[locals->term[i]];
    Alphabet *known = &sets->of_local[local];
    if (!known->actions && locals->locals[local].count > 0 && !search(sets, local, known))
        sets->check->no_memory = true;
    return known;
}

/* ---- warnings about sets ------------------------------------------------------------------- */

static const char *suggest_action(Sets *sets, const char *name, const Alphabet *x,
                                  const Alphabet *y)
{
    Check *check = sets->check;
    size_t count = 0;
    if (check->suggestions <= 0)
        return "";
    const char **names = check_alloc(check, (size_t)x->count + (size_t)y->count, sizeof *names);
    for (int32_t k = 0; names && k < x->count; k++)
        names[count++] = check->actions.names[x->actions[k]];
    for (int32_t k = 0; names && k < y->count; k++)
        names[count++] = check->actions.names[y->actions[k]];
    return names ? check_suggestion(check, name, names, count) : "";
}

static void warn_word(Sets *sets, const AstNode *node, int32_t w, const Alphabet *left,
                      const Alphabet *right)
{
    DiagList *diags = sets->check->diags;
    const AstWord *word = &sets->check->ast->words[w];
    bool in_left = alphabet_has(left, sets->check->action[w]);
    bool in_right = alphabet_has(right, sets->check->action[w]);
    if (in_left && in_right)
        return;
    if (node->kind == AST_COOP && (in_left || in_right)) {
        diag_warning(diags, word->span,
                     "only the %s side can do `%s`; the other never joins in, so it is blocked "
                     "for ever%s",
                     in_left ? "left" : "right", word->name,
                     suggest_action(sets, word->name, in_left ? right : left, &(Alphabet){0}));
        return;
    }
    const char *suggestion = suggest_action(sets, word->name, left, right);
    if (node->kind == AST_HIDE)
        diag_warning(diags, word->span, "`%s` is hidden but never done%s", word->name, suggestion);
    else if (node->kind == AST_COPIES)
        diag_warning(diags, word->span, "the copies cooperate on `%s` but never do it%s",
                     word->name, suggestion);
    else
        diag_warning(diags, word->span, "neither side can do `%s`%s", word->name, suggestion);
}

/* Of a side that can do nothing at all, or nothing but tau, one warning tells, not one for each action of the set. */
static bool warn_idle(Sets *sets, const AstNode *node, const Alphabet *left, const Alphabet *right)
{
    if (node->kind != AST_COOP || node->word_count < 2 || (left->count > 0 && right->count > 0))
        return false;
    diag_warning(sets->check->diags, node->mark,
                 "%s nothing at all, or hides all that it does, so no action of this set ever "
                 "happens",
                 left->count > 0    ? "the right side does"
                 : right->count > 0 ? "the left side does"
                                    : "each side does");
    return true;
}

/* The set as written, ascending, without tau; each action is compared with what can be done. */
static bool written(Sets *sets, int32_t i, const Alphabet *left, const Alphabet *right,
                    Alphabet *out)
{
    const AstNode *node = &sets->check->ast->nodes[i];
    int32_t mark = ++sets->searches;
    out->actions = mem_alloc((size_t)node->word_count, sizeof *out->actions);
    if (!out->actions)
        return false;
    bool told = warn_idle(sets, node, left, right);
    for (int32_t w = node->word; w < node->word + node->word_count; w++) {
        int32_t action = sets->check->action[w];
        if (action == ACTION_TAU || sets->seen_action[action] == mark)
            continue;
        sets->seen_action[action] = mark;
        out->actions[out->count++] = action;
        if (!told)
            warn_word(sets, node, w, left, right);
    }
    alphabet_sort(out);
    return true;
}

static bool store(Sets *sets, int32_t i, const Alphabet *set)
{
    Tree *tree = sets->tree;
    if (!mem_reserve(&tree->sets, &tree->set_cap, tree->set_count + (size_t)set->count,
                     sizeof *tree->sets))
        return false;
    tree->set_first[i] = (int32_t)tree->set_count;
    tree->set_size[i] = set->count;
    for (int32_t k = 0; k < set->count; k++)
        tree->sets[tree->set_count++] = set->actions[k];
    return true;
}

/* Of the actions of both, those of the set that only one of them does. */
static bool without_blocked(const Alphabet *left, const Alphabet *right, const Alphabet *set,
                            Alphabet *out)
{
    Alphabet either = {0}, both = {0}, blocked = {0};
    const bool ok = alphabet_union(left, right, &either) &&
                    alphabet_intersect(left, right, &both) &&
                    alphabet_minus(set, &both, &blocked) && alphabet_minus(&either, &blocked, out);
    alphabet_free(&either);
    alphabet_free(&both);
    alphabet_free(&blocked);
    return ok;
}

static bool compose(const AstNode *node, const Alphabet *left, const Alphabet *right,
                    const Alphabet *set, bool block, Alphabet *out)
{
    return node->kind == AST_HIDE ? alphabet_minus(left, set, out)
           : block                ? without_blocked(left, right, set, out)
                                  : alphabet_union(left, right, out);
}

/* An operand's alphabet is not used again, unless it belongs to a name. */
static void forget(Sets *sets, int32_t operand)
{
    if (ast_is_static(sets->check->ast->nodes[operand].kind)) {
        alphabet_free(&sets->of_node[operand]);
        alphabet_free(&sets->done_by[operand]);
    }
}

static void resolve(Sets *sets, int32_t i)
{
    const AstNode *node = &sets->check->ast->nodes[i];
    const bool two = node->kind == AST_COOP;
    const Alphabet *left = view(sets, sets->of_node, node->a);
    const Alphabet *right = two ? view(sets, sets->of_node, node->b) : left;
    const Alphabet *done = view(sets, sets->done_by, node->a);
    const Alphabet *done_right = two ? view(sets, sets->done_by, node->b) : done;
    Alphabet set = {0};
    bool ok = node->word_count == AST_ALL ? alphabet_intersect(left, right, &set)
                                          : written(sets, i, done, done_right, &set);
    ok = ok && store(sets, i, &set) && compose(node, left, right, &set, false, &sets->of_node[i]) &&
         compose(node, done, done_right, &set, true, &sets->done_by[i]);
    if (!ok)
        sets->check->no_memory = true;
    alphabet_free(&set);
    forget(sets, node->a);
    if (two)
        forget(sets, node->b);
}

static void resolve_range(Sets *sets, const AstDef *def)
{
    for (int32_t i = def->first; i <= def->body && !sets->check->no_memory; i++)
        if (ast_is_static(sets->check->ast->nodes[i].kind))
            resolve(sets, i);
}

void tree_sets(Tree *tree)
{
    Check *check = tree->locals->check;
    size_t nodes = (size_t)check->ast->node_count, locals = tree->locals->local_count;
    Sets sets = {.tree = tree, .check = check};
    sets.of_node = check_alloc(check, nodes, sizeof *sets.of_node);
    sets.done_by = check_alloc(check, nodes, sizeof *sets.done_by);
    sets.of_local = check_alloc(check, locals, sizeof *sets.of_local);
    sets.seen_local = check_alloc(check, locals, sizeof *sets.seen_local);
    sets.seen_action = check_alloc(check, check->actions.count, sizeof *sets.seen_action);
    sets.queue = check_alloc(check, locals, sizeof *sets.queue);
    tree->set_first = check_alloc(check, nodes, sizeof *tree->set_first);
    tree->set_size = check_alloc(check, nodes, sizeof *tree->set_size);
    if (check->no_memory)
        return;
    for (size_t k = 0; k < check->processes.count; k++) {
        int32_t process = check->process_order[k];
        if (tree->used[process])
            resolve_range(&sets, check->process_def[process]);
    }
    resolve_range(&sets, &check->ast->system);
    for (size_t i = 0; i < nodes; i++) {
        alphabet_free(&sets.of_node[i]);
        alphabet_free(&sets.done_by[i]);
    }
    for (size_t i = 0; i < locals; i++)
        alphabet_free(&sets.of_local[i]);
}
