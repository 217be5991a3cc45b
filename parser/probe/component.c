/* Defines the component that a probe is compiled to. */
#include "parser/probe/component.h"

#include <string.h>

/* Beyond any sum of weights: of two passive partners the smaller weight counts, and it is never
 * the probe's. */
static const double beyond = 1e100;

static const char *const phase_names[] = {"Stopped", "Running", "Done"};

/* ---- names ----------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool taken(const ProbeComponent *c, const char *prefix)
{
    for (int32_t i = 0; i < c->ast->def_count; i++)
        if (begins(c->ast->defs[i].name, prefix))
            return true;
    for (int32_t i = 0; i < c->model->local_count; i++)
        if (begins(c->model->locals[i].name, prefix))
            return true;
    return false;
}

/* Probe, Probe2, Probe3, ..: the first with which no name begins. */
static void choose_prefix(const ProbeComponent *c, char *prefix, size_t size)
{
    (void)snprintf(prefix, size, "Probe");
    for (int i = 2; taken(c, prefix); i++)
        (void)snprintf(prefix, size, "Probe%d", i);
}

bool component_name(ProbeComponent *c)
{
    const Automaton *a = c->automaton;
    int32_t count[PHASES] = {0}, number[PHASES] = {0};
    char prefix[32], name[64];
    choose_prefix(c, prefix, sizeof prefix);
    c->name = arena_alloc(c->arena, (size_t)a->state_count * sizeof *c->name);
    if (!c->name)
        return false;
    for (int32_t i = 0; i < a->state_count; i++)
        count[a->phase[i]]++;
    for (int32_t i = 0; i < a->state_count; i++) {
        const int phase = a->phase[i];
        int length = snprintf(name, sizeof name, "%s%s", prefix, phase_names[phase]);
        if (count[phase] > 1)
            length =
                snprintf(name, sizeof name, "%s%s%d", prefix, phase_names[phase], ++number[phase]);
        c->name[i] = arena_copy(c->arena, name, (size_t)length);
        if (!c->name[i])
            return false;
    }
    return true;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static const Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};

static int32_t leaf(ProbeComponent *c, AstKind kind, const char *name, double number)
{
    return ast_node(c->build, (AstNode){kind, -1, -1, 0, 0, name, number, nowhere, nowhere});
}

static int32_t operate(ProbeComponent *c, AstKind kind, int32_t a, int32_t b)
{
    return ast_node(c->build, (AstNode){kind, a, b, 0, 0, NULL, 0, nowhere, nowhere});
}

/* The state: (a, infty).Next + (b, infty).Other + .. */
static void define_state(ProbeComponent *c, int32_t state)
{
    const Automaton *a = c->automaton;
    int32_t all = -1;
    for (int32_t k = 0; k < a->action_count; k++) {
        int32_t rate = leaf(c, AST_PASSIVE, NULL, 0);
        if (c->weighed[k])
            rate = operate(c, AST_MUL, leaf(c, AST_NUMBER, NULL, beyond), rate);
        const int32_t to = a->next[(size_t)state * (size_t)a->action_count + (size_t)k];
        int32_t prefix = operate(c, AST_PREFIX, rate, leaf(c, AST_NAME, c->name[to], 0));
        if (!c->build->failed) {
            c->build->nodes[prefix].word = ast_word(c->build, c->probe->actions.names[k], nowhere);
            c->build->nodes[prefix].word_count = 1;
        }
        all = all < 0 ? prefix : operate(c, AST_CHOICE, all, prefix);
    }
    ast_def(c->build, true, c->name[state], nowhere, all);
}

void component_define(ProbeComponent *c)
{
    for (int32_t i = 0; !c->build->failed && i < c->automaton->state_count; i++)
        define_state(c, i);
}
