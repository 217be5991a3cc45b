/* Finds the component to which a probe is attached, through the definitions of cooperations. */
#include "parser/probe/place.h"

#include <string.h>

typedef struct {
    Place *place;
    const Probe *probe;
    const Ast *ast;
    const Model *model;
    DiagList *diags;
    uint8_t *inside; /* per node: in a sequential component, after a prefix or in a choice */
    uint8_t *seen;   /* per definition: visited */
    int32_t *stack;  /* nodes; as many as definitions and operators */
} Finding;

static int32_t find_name(const Place *place, const char *name)
{
    return name ? intern_find(&place->names, name, strlen(name)) : -1;
}

/* The definition of a process, or -1. */
static int32_t find_def(const Place *place, const char *name)
{
    int32_t id = find_name(place, name);
    return id < 0 ? -1 : place->def[id];
}

static bool reserve(Finding *f)
{
    Place *p = f->place;
    const int32_t nodes = f->ast->node_count, defs = f->ast->def_count;
    return mem_new(p->def, defs) && mem_new(p->parent, nodes) && mem_new(p->steps, defs + 1) &&
           mem_new_zeroed(p->weighed, f->probe->actions.count) &&
           mem_new_zeroed(f->inside, nodes) && mem_new_zeroed(f->seen, defs) &&
           mem_new(f->stack, 2 * (size_t)nodes + 1);
}

/* What the other functions look up. */
static bool prepare(Finding *f)
{
    Place *p = f->place;
    const Ast *ast = f->ast;
    if (!reserve(f))
        return false;
    for (int32_t i = 0; i < ast->def_count; i++) {
        const AstDef *def = &ast->defs[i];
        int32_t id = def->process ? intern_put(&p->names, def->name, strlen(def->name)) : 0;
        if (id < 0)
            return false;
        if (def->process)
            p->def[id] = i;
    }
    memset(p->parent, -1, (size_t)ast->node_count * sizeof *p->parent);
    for (int32_t i = ast->node_count - 1; i >= 0; i--) {
        const AstNode *node = &ast->nodes[i];
        const int32_t operands[] = {node->a, node->b};
        const bool sequential = node->kind == AST_PREFIX || node->kind == AST_CHOICE;
        for (int k = 0; k < ast_operands(node->kind); k++) {
            p->parent[operands[k]] = i;
            f->inside[operands[k]] = f->inside[i] || sequential;
        }
    }
    return true;
}

/* ---- the component --------------------------------------------------------------------------- */

/* A definition that a probe can look into: a cooperation, or another name for something. */
static bool is_open(const Ast *ast, int32_t def)
{
    AstKind kind = ast->nodes[ast->defs[def].body].kind;
    return ast_is_static(kind) || kind == AST_NAME;
}

static int32_t first_of(const Ast *ast, int32_t def)
{
    return def < 0 ? ast->system.first : ast->defs[def].first;
}

/* Depth first, names from the left: false if no component has the name. */
static bool find_component(Finding *f)
{
    Place *p = f->place;
    const Ast *ast = f->ast;
    p->steps[p->step_count++] = (PlaceStep){-1, first_of(ast, -1) - 1};
    while (p->step_count > 0) {
        PlaceStep *step = &p->steps[p->step_count - 1];
        const AstNode *node = &ast->nodes[++step->node];
        if (step->node > place_body(ast, step->def)) {
            p->step_count--;
            continue;
        }
        if (node->kind != AST_NAME || f->inside[step->node])
            continue;
        if (strcmp(node->name, f->probe->component) == 0) {
            p->node = step->node;
            return true;
        }
        int32_t def = find_def(p, node->name);
        if (def < 0 || f->seen[def] || !is_open(ast, def))
            continue;
        f->seen[def] = 1;
        p->steps[p->step_count++] = (PlaceStep){def, first_of(ast, def) - 1};
    }
    return false;
}

static void report_component(Finding *f)
{
    const Place *p = f->place;
    const char *name = f->probe->component;
    const Span span = f->probe->component_span;
    const char *meant = suggest(name, p->names.names, p->names.count);
    if (find_name(p, name) >= 0)
        diag_error(f->diags, span,
                   "`%s` does not stand in the system equation; a probe is attached to a "
                   "component by the name that stands there",
                   name);
    else if (meant)
        diag_error(f->diags, span, "no component is called `%s`; did you mean `%s`?", name, meant);
    else
        diag_error(f->diags, span, "no component is called `%s`", name);
}

/* ---- actions --------------------------------------------------------------------------------- */

static bool has_word(const Ast *ast, const AstNode *node, const char *action)
{
    for (int32_t i = 0; i < node->word_count; i++)
        if (strcmp(ast->words[node->word + i].name, action) == 0)
            return true;
    return false;
}

/* Is the expression w * infty, or a name for it?  Its nodes are consecutive. */
static bool is_passive(const Finding *f, int32_t rate)
{
    const AstNode *nodes = f->ast->nodes;
    int32_t i = rate;
    while (ast_operands(nodes[i].kind) > 0)
        i = nodes[i].a;
    for (; i <= rate; i++) {
        if (nodes[i].kind == AST_PASSIVE)
            return true;
        for (int32_t k = 0; nodes[i].kind == AST_RATE && k < f->model->rate_count; k++)
            if (f->model->rates[k].value.level == LEVEL_PASSIVE &&
                strcmp(f->model->rates[k].name, nodes[i].name) == 0)
                return true;
    }
    return false;
}

typedef enum { ANYHOW, VISIBLY, PASSIVELY } Manner;

/* Does the place do the action, in that manner?  Visibly: not hidden. */
static bool does(Finding *f, const char *action, Manner manner)
{
    const Ast *ast = f->ast;
    size_t count = 0;
    memset(f->seen, 0, (size_t)ast->def_count);
    f->stack[count++] = f->place->node;
    while (count > 0) {
        const AstNode *node = &ast->nodes[f->stack[--count]];
        if (node->kind == AST_NAME) {
            int32_t def = find_def(f->place, node->name);
            if (def >= 0 && !f->seen[def])
                f->stack[count++] = ast->defs[def].body;
            if (def >= 0)
                f->seen[def] = 1;
            continue;
        }
        if (node->kind == AST_HIDE && manner != ANYHOW && has_word(ast, node, action))
            continue;
        if (node->kind == AST_PREFIX && has_word(ast, node, action) &&
            (manner != PASSIVELY || is_passive(f, node->a)))
            return true;
        if (node->kind != AST_PREFIX)
            f->stack[count++] = node->a;
        if (node->kind != AST_HIDE && node->kind != AST_COPIES)
            f->stack[count++] = node->b;
    }
    return false;
}

/* Where the action is first named in the probe. */
static Span mention(const Probe *probe, int32_t action)
{
    size_t i = 0;
    while (probe->nodes[i].action != action)
        i++;
    return probe->nodes[i].span;
}

static void check_action(Finding *f, int32_t action)
{
    const char *name = f->probe->actions.names[action];
    const char *of = f->probe->component ? f->probe->component : "the system";
    const char *quote = f->probe->component ? "`" : "";
    const Span span = mention(f->probe, action);
    if (does(f, name, VISIBLY)) {
        f->place->weighed[action] = f->probe->component && does(f, name, PASSIVELY);
        return;
    }
    if (does(f, name, ANYHOW)) {
        diag_error(f->diags, span,
                   "`%s` is hidden in %s%s%s; a probe sees what is not hidden where it is attached",
                   name, quote, of, quote);
        return;
    }
    for (int32_t i = 0; i < f->model->timeless_count; i++)
        if (strcmp(f->model->timeless[i], name) == 0) {
            diag_error(f->diags, span,
                       "%s%s%s does `%s` immediately, and in the mean field what takes no time is "
                       "not seen: name the activities before or after it that take time, or use "
                       "--simulate in place of --fluid",
                       quote, of, quote, name);
            return;
        }
    const char *meant = suggest(name, f->model->actions, (size_t)f->model->action_count);
    if (meant && strcmp(meant, name) != 0)
        diag_error(f->diags, span, "%s%s%s never does `%s`; did you mean `%s`?", quote, of, quote,
                   name, meant);
    else
        diag_error(f->diags, span, "%s%s%s never does `%s`", quote, of, quote, name);
}

PepaStatus place_find(Place *place, const Probe *probe, const Ast *ast, const Model *model,
                      DiagList *diags)
{
    const size_t errors = diags->errors;
    Finding f = {.place = place, .probe = probe, .ast = ast, .model = model, .diags = diags};
    bool ok = prepare(&f), found = ok;
    if (ok && !probe->component) {
        place->steps[place->step_count++] = (PlaceStep){-1, ast->system.body};
        place->node = ast->system.body;
    } else if (ok && !find_component(&f)) {
        report_component(&f);
        found = false;
    }
    for (size_t a = 0; found && a < probe->actions.count; a++)
        check_action(&f, (int32_t)a);
    mem_free_all(f.inside, f.seen, f.stack);
    return !ok || diags->no_memory ? PEPA_ENOMEM : diags->errors == errors ? PEPA_OK : PEPA_EARG;
}

void place_free(Place *place)
{
    intern_free(&place->names);
    mem_free_all(place->def, place->parent, place->steps, place->weighed);
    *place = (Place){0};
}
