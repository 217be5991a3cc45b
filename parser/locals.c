/* Finds the local states: which terms are equal, their names, and their activities. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/checking.h"

/* ---- terms ------------------------------------------------------------------------------- */

static int32_t put_term(Locals *locals, TermKind kind, int32_t a, int32_t b, int32_t c,
                        int32_t node)
{
    int32_t before = locals->terms.count;
    int32_t term = cons_put(&locals->terms, (ConsKey){(int32_t)kind, a, b, c, 0});
    if (term < 0)
        locals->check->no_memory = true;
    else if (locals->terms.count > before || locals->node[term] < 0)
        locals->node[term] = node;
    return term;
}

/* The alternatives of a choice in their order, parentheses ignored, joined from the left.
 *   waiting  workspace, one entry per node */
static int32_t join(Locals *locals, int32_t choice, int32_t *waiting)
{
    const AstNode *nodes = locals->check->ast->nodes;
    int32_t count = 0, term = -1;
    waiting[count++] = choice;
    while (count > 0 && !locals->check->no_memory) {
        int32_t i = waiting[--count];
        if (nodes[i].kind == AST_CHOICE) {
            waiting[count++] = nodes[i].b;
            waiting[count++] = nodes[i].a;
        } else if (term < 0) {
            term = locals->term[i];
        } else {
            term = put_term(locals, TERM_CHOICE, term, locals->term[i], 0, count ? -1 : choice);
        }
    }
    return term;
}

static void find_term(Locals *locals, int32_t i, int32_t *waiting)
{
    const Check *check = locals->check;
    const AstNode *node = &check->ast->nodes[i];
    if (node->kind == AST_PREFIX) {
        locals->term[i] = put_term(locals, TERM_PREFIX, check->action[node->word],
                                   check->expr[node->a], locals->term[node->b], i);
    } else if (node->kind == AST_CHOICE) {
        locals->term[i] = join(locals, i, waiting);
    } else if (node->kind == AST_NAME && !check->is_static[check->ref[i]]) {
        const AstDef *def = check->process_def[check->ref[i]];
        locals->term[i] = put_term(locals, TERM_NAME, check->ref[i], 0, 0, def ? def->body : -1);
    }
}

/* A choice within a choice is no term of its own: every node makes one term at most. */
static void find_terms(Locals *locals)
{
    Check *check = locals->check;
    const AstNode *nodes = check->ast->nodes;
    size_t count = (size_t)check->ast->node_count;
    bool *inner = check_alloc(check, count, sizeof *inner);
    int32_t *waiting = check_alloc(check, count, sizeof *waiting);
    if (check->no_memory)
        return;
    for (size_t i = 0; i < count; i++)
        if (nodes[i].kind == AST_CHOICE)
            inner[nodes[i].a] = inner[nodes[i].b] = true;
    for (size_t i = 0; i < count && !check->no_memory; i++) {
        locals->term[i] = -1;
        if (nodes[i].kind != AST_CHOICE || !inner[i])
            find_term(locals, (int32_t)i, waiting);
    }
}

/* ---- names ------------------------------------------------------------------------------- */

typedef struct {
    uint32_t begin;
    int32_t term;
} Mention;

static int by_place(const void *a, const void *b)
{
    const Mention *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The terms of a definition that can be local states and have no name of their own: what follows a
 * prefix, and the leaves of a cooperation. */
static size_t mentions(const Locals *locals, const AstDef *def, Mention *found)
{
    const AstNode *nodes = locals->check->ast->nodes;
    size_t count = 0;
    for (int32_t i = def->first; i <= def->body; i++) {
        bool leaf = locals->check->place[i] == 0;
        int32_t at = nodes[i].kind == AST_PREFIX ? nodes[i].b : -1;
        if (at >= 0 && nodes[at].kind != AST_NAME)
            found[count++] = (Mention){nodes[at].span.begin, locals->term[at]};
        if (leaf && (nodes[i].kind == AST_PREFIX || nodes[i].kind == AST_CHOICE))
            found[count++] = (Mention){nodes[i].span.begin, locals->term[i]};
    }
    qsort(found, count, sizeof *found, by_place);
    return count;
}

/* The next of stem_2, stem_3, ... that is not taken. */
static const char *make_name(Locals *locals, const char *stem, int32_t *number, Intern *made)
{
    Check *check = locals->check;
    for (;;) {
        Text text = {0};
        text_add(&text, "%s_%d", stem, *number);
        ++*number;
        size_t before = made->count;
        int32_t id = -1;
        bool taken = !text.failed && intern_find(&check->processes, text.text, text.length) >= 0;
        if (!text.failed && !taken)
            id = intern_put(made, text.text, text.length);
        const char *name = id >= 0 && made->count > before
                               ? arena_copy(&check->scratch, text.text, text.length)
                               : NULL;
        bool failed =
            text.failed || (!taken && id < 0) || (id >= 0 && made->count > before && !name);
        text_free(&text);
        if (failed)
            check->no_memory = true;
        if (failed || name)
            return name;
    }
}

static void name_terms(Locals *locals, const AstDef *def, Mention *found, Intern *made)
{
    size_t count = mentions(locals, def, found);
    int32_t number = def->name ? 2 : 1;
    for (size_t k = 0; k < count && !locals->check->no_memory; k++)
        if (!locals->name[found[k].term])
            locals->name[found[k].term] =
                make_name(locals, def->name ? def->name : "System", &number, made);
}

void locals_begin(Locals *locals)
{
    Check *check = locals->check;
    const Ast *ast = check->ast;
    size_t nodes = (size_t)ast->node_count, terms = nodes + check->processes.count;
    locals->term = check_alloc(check, nodes, sizeof *locals->term);
    locals->node = check_alloc(check, terms, sizeof *locals->node);
    locals->state = check_alloc(check, terms, sizeof *locals->state);
    locals->name = check_alloc(check, terms, sizeof *locals->name);
    locals->reported = check_alloc(check, nodes, sizeof *locals->reported);
    Mention *found = check_alloc(check, nodes, sizeof *found);
    if (check->no_memory)
        return;
    for (size_t i = 0; i < terms; i++)
        locals->state[i] = -1;
    find_terms(locals);
    Intern made = {0};
    for (int32_t i = 0; i < ast->def_count && !check->no_memory; i++)
        if (ast->defs[i].process)
            name_terms(locals, &ast->defs[i], found, &made);
    if (!check->no_memory)
        name_terms(locals, &ast->system, found, &made);
    intern_free(&made);
}

/* ---- local states ------------------------------------------------------------------------ */

static int32_t add_local(Locals *locals, int32_t term)
{
    const Check *check = locals->check;
    if (locals->state[term] >= 0)
        return locals->state[term];
    size_t id = locals->local_count;
    if (!mem_reserve(&locals->locals, &locals->local_cap, id + 1, sizeof *locals->locals) ||
        !mem_reserve(&locals->local_term, &locals->term_cap, id + 1, sizeof *locals->local_term)) {
        locals->check->no_memory = true;
        return -1;
    }
    const ConsKey key = cons_key(&locals->terms, term);
    Local *local = &locals->locals[id];
    *local = (Local){.span = {SPAN_NOWHERE, SPAN_NOWHERE},
                     .whole = (int32_t)id,
                     .name = locals->name[term]};
    if (key.kind == TERM_NAME) {
        local->name = check->processes.names[key.a];
        if (check->process_def[key.a])
            local->span = check->process_def[key.a]->span;
    } else {
        local->span = check->ast->nodes[locals->node[term]].span;
    }
    locals->local_term[id] = term;
    locals->state[term] = (int32_t)id;
    locals->local_count++;
    return (int32_t)id;
}

/* An activity of the local state being unfolded. */
typedef struct {
    int32_t prefix; /* where it is written */
    int32_t origin; /* the alternative of the state's own text that it comes from */
    int32_t index;  /* in the array of activities */
    const Activity *activity;
} Found;

typedef struct {
    int32_t node, origin;
} Alternative;

typedef struct {
    Alternative *stack; /* still to be unfolded, the next one last */
    Found *found;
    size_t stack_count, stack_cap, found_count, found_cap;
} Unfolding;

static bool push(Unfolding *unfolding, int32_t node, int32_t origin)
{
    if (!mem_reserve(&unfolding->stack, &unfolding->stack_cap, unfolding->stack_count + 1,
                     sizeof *unfolding->stack))
        return false;
    unfolding->stack[unfolding->stack_count++] = (Alternative){node, origin};
    return true;
}

static bool add_activity(Locals *locals, Unfolding *unfolding, Alternative from)
{
    const Check *check = locals->check;
    const AstNode *node = &check->ast->nodes[from.node];
    size_t at = locals->activity_count;
    if (!mem_reserve(&locals->activities, &locals->activity_cap, at + 1,
                     sizeof *locals->activities) ||
        !mem_reserve(&unfolding->found, &unfolding->found_cap, unfolding->found_count + 1,
                     sizeof *unfolding->found))
        return false;
    int32_t target = add_local(locals, locals->term[node->b]);
    if (target < 0)
        return false;
    locals->activities[at] =
        (Activity){check->action[node->word], check->expr[node->a], target, node->mark};
    unfolding->found[unfolding->found_count++] =
        (Found){from.node, from.origin < 0 ? from.node : from.origin, (int32_t)at, NULL};
    locals->activity_count++;
    return true;
}

/* Replace a choice or a name by its alternatives. */
static bool unfold_one(Locals *locals, Unfolding *unfolding, Alternative from)
{
    const Check *check = locals->check;
    const AstNode *node = &check->ast->nodes[from.node];
    if (node->kind == AST_PREFIX)
        return add_activity(locals, unfolding, from);
    if (node->kind == AST_CHOICE)
        return push(unfolding, node->b, from.origin) && push(unfolding, node->a, from.origin);
    const AstDef *def = check->process_def[check->ref[from.node]];
    int32_t origin = from.origin < 0 ? from.node : from.origin;
    return !def || push(unfolding, def->body, origin);
}

static void too_many(Locals *locals, int32_t local)
{
    diag_error(locals->check->diags, locals->locals[local].span,
               "`%s` has too many activities: the model unfolds to more than %d alternatives",
               locals->locals[local].name, CHECK_MAX_ACTIVITIES);
}

/* ---- activities that count twice ---------------------------------------------------------- */

static int by_activity(const void *a, const void *b)
{
    const Found *x = a, *y = b;
    const Activity *p = x->activity, *q = y->activity;
    if (p->action != q->action)
        return p->action < q->action ? -1 : 1;
    if (p->expr != q->expr)
        return p->expr < q->expr ? -1 : 1;
    if (p->target != q->target)
        return p->target < q->target ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool equal_activities(const Activity *p, const Activity *q)
{
    return p->action == q->action && p->expr == q->expr && p->target == q->target;
}

/* The name of a local state: what counts twice within it is reported there. */
static bool names_local(const Locals *locals, int32_t node)
{
    const AstNode *origin = &locals->check->ast->nodes[node];
    return origin->kind == AST_NAME && locals->state[locals->term[node]] >= 0;
}

/* first[0 .. count) are equal: report it once, at the second alternative that they come from. */
static void report_double(Locals *locals, int32_t local, const Found *first, size_t count)
{
    const Check *check = locals->check;
    const Found *again = first + 1;
    while (again < first + count - 1 && again->origin == first->origin)
        again++;
    if (locals->reported[again->origin] ||
        (again->origin == first->origin && names_local(locals, again->origin)))
        return;
    locals->reported[again->origin] = true;
    const AstNode *origin = &check->ast->nodes[again->origin];
    char times[32];
    (void)snprintf(times, sizeof times, "%zu times", count);
    diag_warning(check->diags, origin->kind == AST_PREFIX ? origin->mark : origin->span,
                 "activity `%s` of `%s` is counted %s; %s",
                 check->actions.names[again->activity->action], locals->locals[local].name,
                 count == 2 ? "twice" : times,
                 first->prefix == again->prefix ? "the PEPA plug-in and ipc count it once"
                                                : "other tools may count it once");
}

static void report_doubles(Locals *locals, int32_t local, Unfolding *unfolding)
{
    Found *found = unfolding->found;
    size_t count = unfolding->found_count;
    for (size_t i = 0; i < count; i++)
        found[i].activity = &locals->activities[found[i].index];
    if (count > 1)
        qsort(found, count, sizeof *found, by_activity);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (!equal_activities(found[i].activity, found[next].activity))
                break;
        if (next - i > 1)
            report_double(locals, local, &found[i], next - i);
    }
}

static void unfold(Locals *locals, int32_t local, Unfolding *unfolding)
{
    Check *check = locals->check;
    int32_t node = locals->node[locals->local_term[local]];
    locals->locals[local].first = (int32_t)locals->activity_count;
    unfolding->found_count = unfolding->stack_count = 0;
    bool ok = node < 0 || push(unfolding, node, -1);
    while (ok && unfolding->stack_count > 0) {
        if (++locals->steps > CHECK_MAX_ACTIVITIES) {
            too_many(locals, local);
            return;
        }
        ok = unfold_one(locals, unfolding, unfolding->stack[--unfolding->stack_count]);
    }
    if (!ok) {
        check->no_memory = true;
        return;
    }
    locals->locals[local].count = (int32_t)unfolding->found_count;
    report_doubles(locals, local, unfolding);
}

int32_t locals_reach(Locals *locals, int32_t term)
{
    int32_t id = add_local(locals, term);
    Unfolding unfolding = {0};
    while (locals->unfolded < locals->local_count && !locals->check->no_memory &&
           locals->steps <= CHECK_MAX_ACTIVITIES)
        unfold(locals, (int32_t)locals->unfolded++, &unfolding);
    mem_free(unfolding.stack);
    mem_free(unfolding.found);
    return id;
}

int32_t locals_count(Locals *locals, int32_t process)
{
    const AstDef *def = locals->check->process_def[process];
    int32_t term = put_term(locals, TERM_NAME, process, 0, 0, def ? def->body : -1);
    return term < 0 ? -1 : add_local(locals, term);
}

void locals_free(Locals *locals)
{
    lists_free(&locals->terms);
    mem_free(locals->locals);
    mem_free(locals->local_term);
    mem_free(locals->activities);
}
