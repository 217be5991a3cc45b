/* Checks names: each is defined once, and each use refers to a definition. */
#include <string.h>
#include <strings.h>

#include "parser/checking.h"

/* ---- definitions ------------------------------------------------------------------------- */

static void define_name(Check *check, const AstDef *def)
{
    Intern *names = def->process ? &check->processes : &check->rates;
    const AstDef **first = def->process ? check->process_def : check->rate_def;
    size_t length = strlen(def->name);
    int32_t known = intern_find(names, def->name, length);
    if (known >= 0) {
        diag_error(check->diags, def->span, "%s `%s` is defined twice; the first time in line %u",
                   def->process ? "process" : "rate", def->name,
                   check_line(check, first[known]->span));
        return;
    }
    if (!def->process && strcmp(def->name, "tau") == 0)
        diag_error(check->diags, def->span, "`tau` is the hidden action; it cannot name a rate");
    else if (!def->process && strcmp(def->name, "infty") == 0)
        diag_error(check->diags, def->span, "`infty` is the passive rate; it cannot be defined");
    else if (!def->process && strcmp(def->name, "immediate") == 0)
        diag_warning(check->diags, def->span,
                     "`immediate` is a keyword in ipc; here it names an ordinary rate");
    int32_t id = intern_put(names, def->name, length);
    if (id < 0)
        check->no_memory = true;
    else
        first[id] = def;
}

/* ---- uses -------------------------------------------------------------------------------- */

/* May a statement that could not be read define the name, perhaps in the wrong case? */
static bool maybe_lost(const Check *check, const char *name)
{
    for (int32_t i = 0; i < check->ast->lost_count; i++)
        if (strcasecmp(check->ast->lost[i], name) == 0)
            return true;
    return false;
}

/* What was meant by an undefined rate: one that is defined, or else a rate that has a word of its own. */
static const char *suggest_rate(Check *check, const char *name)
{
    static const char *const without_end[] = {"inf", "infinity", "passive", "top"};
    for (size_t i = 0; i < sizeof without_end / sizeof *without_end; i++)
        if (strcasecmp(name, without_end[i]) == 0)
            return "; the passive rate is `T` or `infty`, that of what takes no time `immediate`";
    return check_suggestion(check, name, check->rates.names, check->rates.count);
}

static void resolve_rate(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    check->ref[i] = intern_find(&check->rates, node->name, strlen(node->name));
    if (check->ref[i] >= 0 || maybe_lost(check, node->name))
        return;
    diag_error(check->diags, node->span, "undefined rate `%s`%s", node->name,
               suggest_rate(check, node->name));
}

/* What was meant by an undefined process: one that is defined, or else Stop. */
static const char *suggest_process(Check *check, const char *name)
{
    static const char *const stop[] = {"Stop"};
    const Intern *defined = &check->processes;
    const char *near = check_suggestion(check, name, defined->names, defined->count);
    return near[0] ? near : check_suggestion(check, name, stop, 1);
}

static void resolve_process(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    int32_t id = intern_find(&check->processes, node->name, strlen(node->name));
    if (id < 0 && strcmp(node->name, "Stop") == 0) {
        id = intern_put(&check->processes, "Stop", strlen("Stop"));
        check->no_memory = check->no_memory || id < 0;
    } else if (id < 0 && !maybe_lost(check, node->name)) {
        diag_error(check->diags, node->span, "undefined process `%s`%s%s", node->name,
                   node->kind == AST_COUNT ? " in a rate" : "", suggest_process(check, node->name));
    }
    check->ref[i] = id;
}

/* ---- sets of actions --------------------------------------------------------------------- */

/* seen: action -> the last set (its node) that mentioned it */
static void check_set(Check *check, int32_t i, int32_t *seen)
{
    const AstNode *node = &check->ast->nodes[i];
    for (int32_t w = node->word; w < node->word + node->word_count; w++) {
        const AstWord *word = &check->ast->words[w];
        int32_t action = check->action[w];
        if (action == ACTION_TAU && node->kind == AST_HIDE)
            diag_warning(check->diags, word->span, "`tau` is hidden already");
        else if (action == ACTION_TAU)
            diag_error(check->diags, word->span,
                       "`tau` cannot be shared: hidden actions never "
                       "synchronise");
        else if (seen[action] == i)
            diag_warning(check->diags, word->span, "action `%s` is in the set twice", word->name);
        seen[action] = i;
    }
}

static void resolve_words(Check *check)
{
    const Ast *ast = check->ast;
    if (intern_put(&check->actions, "tau", strlen("tau")) != ACTION_TAU)
        check->no_memory = true;
    for (int32_t i = 0; i < ast->word_count && !check->no_memory; i++) {
        const char *name = ast->words[i].name;
        check->action[i] = intern_put(&check->actions, name, strlen(name));
        check->no_memory = check->action[i] < 0;
    }
    int32_t *seen = check_alloc(check, check->actions.count, sizeof *seen);
    if (!seen || check->no_memory)
        return;
    for (size_t i = 0; i < check->actions.count; i++)
        seen[i] = -1;
    for (int32_t i = 0; i < ast->node_count; i++)
        if (ast_is_static(ast->nodes[i].kind))
            check_set(check, i, seen);
}

void check_names(Check *check)
{
    const Ast *ast = check->ast;
    size_t defs = (size_t)ast->def_count, nodes = (size_t)ast->node_count;
    check->rate_def = check_alloc(check, defs, sizeof *check->rate_def);
    check->process_def = check_alloc(check, defs + 1, sizeof *check->process_def);
    check->ref = check_alloc(check, nodes, sizeof *check->ref);
    check->action = check_alloc(check, (size_t)ast->word_count, sizeof *check->action);
    for (int32_t i = 0; i < ast->def_count && !check->no_memory; i++)
        define_name(check, &ast->defs[i]);
    for (int32_t i = 0; i < ast->node_count && !check->no_memory; i++) {
        check->ref[i] = -1;
        if (!ast->nodes[i].name)
            continue;
        if (ast->nodes[i].kind == AST_RATE)
            resolve_rate(check, i);
        else if (ast->nodes[i].kind == AST_NAME || ast->nodes[i].kind == AST_COUNT)
            resolve_process(check, i);
    }
    if (!check->no_memory)
        resolve_words(check);
}
