/* Puts a probe into the tree of a model.  Nodes are not changed: what is above the place of the
 * probe is copied up to the system equation, and the rest is shared. */
#include "parser/probe/attach.h"

#include <string.h>

#include "parser/probe/component.h"

typedef struct {
    AstBuild build;
    const Ast *ast;
    const Model *model;
    const Place *place;
    uint8_t *dropped; /* per definition: it was used once, and its body is now in another one's */
} Attaching;

/* The tree so far: nodes and words keep their numbers. */
static void copy_tree(Attaching *t)
{
    const Ast *ast = t->ast;
    for (int32_t i = 0; i < ast->node_count; i++)
        (void)ast_node(&t->build, ast->nodes[i]);
    for (int32_t i = 0; i < ast->word_count; i++)
        (void)ast_word(&t->build, ast->words[i].name, ast->words[i].span);
}

static void copy_defs(Attaching *t)
{
    const Ast *ast = t->ast;
    for (int32_t i = 0; i < ast->def_count; i++)
        if (!t->dropped[i])
            ast_def(&t->build, ast->defs[i].process, ast->defs[i].name, ast->defs[i].span,
                    ast->defs[i].body);
}

/* ---- up from the place of the probe ---------------------------------------------------------- */

static AstNode node_of(const Attaching *t, int32_t i)
{
    return t->build.failed ? (AstNode){.kind = AST_NAME} : t->build.nodes[i];
}

/* How many copies a node P[n] has. */
static int64_t copies(const Attaching *t, int32_t i)
{
    const Span span = t->ast->nodes[i].span;
    for (int32_t k = 0; k < t->model->node_count; k++) {
        const Node *node = &t->model->nodes[k];
        if (node->kind == NODE_COPIES && node->span.begin == span.begin &&
            node->span.end == span.end)
            return node->copies;
    }
    return 1;
}

/* The number n - 1 for a number n. */
static int32_t less_one(Attaching *t, int32_t i)
{
    AstNode number = node_of(t, i);
    AstNode one = {AST_NUMBER, -1, -1, 0, 0, NULL, 1, number.span, number.span};
    if (number.kind == AST_NUMBER) {
        one.number = number.number - 1;
        return ast_node(&t->build, one);
    }
    AstNode less = {AST_SUB, i, -1, 0, 0, NULL, 0, number.span, number.span};
    less.b = ast_node(&t->build, one);
    return ast_node(&t->build, less);
}

/* P[n] with the probe at one P, `probed`: probed <L> P[n - 1]. */
static int32_t split(Attaching *t, int32_t i, int32_t probed)
{
    const int64_t count = copies(t, i);
    AstNode rest = node_of(t, i), both = rest;
    if (count == 1)
        return probed;
    both.kind = AST_COOP;
    both.a = probed;
    both.b = rest.a;
    if (count > 2) {
        rest.b = less_one(t, rest.b);
        both.b = ast_node(&t->build, rest);
    }
    return ast_node(&t->build, both);
}

/* Node `from` replaced by `by` in the whole of a definition: its new body.  *several: that is one
 * of several copies. */
static int32_t replace(Attaching *t, const PlaceStep *step, int32_t from, int32_t by, bool *several)
{
    const int32_t body = place_body(t->ast, step->def);
    while (from != body) {
        const int32_t above = t->place->parent[from];
        AstNode node = node_of(t, above);
        if (node.kind == AST_COPIES) {
            *several = *several || copies(t, above) > 1;
            by = split(t, above, by);
        } else {
            if (node.a == from)
                node.a = by;
            else
                node.b = by;
            by = ast_node(&t->build, node);
        }
        from = above;
    }
    return by;
}

/* How often a process is named. */
static int32_t uses(const Ast *ast, const char *name)
{
    int32_t count = 0;
    for (int32_t i = 0; i < ast->node_count; i++)
        if ((ast->nodes[i].kind == AST_NAME || ast->nodes[i].kind == AST_COUNT) &&
            ast->nodes[i].name && strcmp(ast->nodes[i].name, name) == 0)
            count++;
    return count;
}

/* The new system equation, given what comes in the place of the component. */
static int32_t replace_up(Attaching *t, int32_t by)
{
    const Place *p = t->place;
    int32_t kept = p->step_count; /* definitions are kept from this step on */
    for (int32_t k = p->step_count - 1; k >= 0; k--) {
        bool several = false;
        by = replace(t, &p->steps[k], k == p->step_count - 1 ? p->node : p->steps[k].node, by,
                     &several);
        if (k > 0)
            t->dropped[p->steps[k].def] = uses(t->ast, t->ast->defs[p->steps[k].def].name) == 1;
        if (several)
            kept = k + 1;
    }
    bool drop = true;
    for (int32_t k = 1; k < p->step_count; k++) {
        drop = drop && t->dropped[p->steps[k].def] && k < kept;
        t->dropped[p->steps[k].def] = drop;
    }
    return by;
}

/* ---- predicates ------------------------------------------------------------------------------ */

/* "A || B": the names of the states of a phase. */
static void phase_text(const ProbeComponent *c, ProbePhase phase, Text *out)
{
    for (int32_t i = 0; i < c->automaton->state_count; i++)
        if (c->automaton->phase[i] == phase)
            text_add(out, "%s%s", out->length ? " || " : "", c->name[i]);
}

static bool has_phase(const Automaton *a, ProbePhase phase)
{
    for (int32_t i = 0; i < a->state_count; i++)
        if (a->phase[i] == phase)
            return true;
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* P <a, b> Probe. */
static int32_t cooperate(Attaching *t, const ProbeComponent *c)
{
    const Span span = t->ast->nodes[t->place->node].span;
    AstNode probe = {AST_NAME, -1, -1, 0, 0, c->name[0], 0, span, span};
    AstNode both = {AST_COOP, t->place->node, -1, 0, 0, NULL, 0, span, span};
    both.b = ast_node(&t->build, probe);
    for (int32_t k = 0; k < c->automaton->action_count; k++) {
        int32_t word = ast_word(&t->build, c->probe->actions.names[k], span);
        both.word = both.word_count++ ? both.word : word;
    }
    return ast_node(&t->build, both);
}

bool probe_attach(Ast **out, const Ast *ast, const Model *model, const Probe *probe,
                  const Automaton *automaton, const Place *place, Arena *arena, Text *running,
                  Text *stopped)
{
    Attaching t = {.build.arena = arena, .ast = ast, .model = model, .place = place};
    ProbeComponent c = {&t.build, ast, model, probe, automaton, place->weighed, arena, NULL};
    Ast *made = NULL;
    t.dropped = mem_calloc((size_t)ast->def_count, sizeof *t.dropped);
    copy_tree(&t);
    if (t.dropped && !t.build.failed) {
        bool named = component_name(&c);
        int32_t system = named ? replace_up(&t, cooperate(&t, &c)) : 0;
        copy_defs(&t);
        if (named)
            component_define(&c);
        ast_def(&t.build, true, NULL, ast->system.span, system);
        made = named ? ast_finish(&t.build) : NULL;
    }
    if (made) {
        phase_text(&c, PHASE_RUNNING, running);
        phase_text(&c, has_phase(automaton, PHASE_DONE) ? PHASE_DONE : PHASE_STOPPED, stopped);
        *out = made;
    }
    mem_free(t.dropped);
    ast_build_free(&t.build);
    return made && !running->failed && !stopped->failed;
}
