/* Warns of definitions that the system equation does not need, and of components that are counted and cannot be there. */
#include "parser/checking.h"

typedef struct {
    Check *check;
    bool counts;            /* what is only counted, in a rate, is needed as well */
    bool *rate, *process;   /* needed */
    const AstDef **waiting; /* definitions whose own needs are still to be followed */
    size_t count;
} Use;

static void need(Use *use, bool *needed, const AstDef *def)
{
    if (!*needed && def)
        use->waiting[use->count++] = def;
    *needed = true;
}

static void follow(Use *use, const AstDef *def)
{
    const Check *check = use->check;
    for (int32_t i = def->first; i <= def->body; i++) {
        const int32_t id = check->ref[i];
        const AstKind kind = check->ast->nodes[i].kind;
        if (id >= 0 && kind == AST_RATE)
            need(use, &use->rate[id], check->rate_def[id]);
        else if (id >= 0 && (kind != AST_COUNT || use->counts))
            need(use, &use->process[id], check->process_def[id]);
    }
}

/* False: memory is out. */
static bool find_needed(Use *use, Check *check, bool counts)
{
    const size_t rates = check->rates.count, processes = check->processes.count;
    *use = (Use){.check = check, .counts = counts};
    use->rate = check_alloc(check, rates, sizeof *use->rate);
    use->process = check_alloc(check, processes, sizeof *use->process);
    use->waiting = check_alloc(check, rates + processes, sizeof *use->waiting);
    if (check->no_memory)
        return false;
    follow(use, &check->ast->system);
    while (use->count > 0)
        follow(use, use->waiting[--use->count]);
    return true;
}

/* Of each process that is counted where it is needed and is none of the components, the first place. */
static void warn_of_counts(const Use *use, const AstDef *def, bool *component)
{
    const Check *check = use->check;
    for (int32_t i = def->first; i <= def->body; i++) {
        const AstNode *node = &check->ast->nodes[i];
        const int32_t id = check->ref[i];
        if (node->kind != AST_COUNT || id < 0 || component[id])
            continue;
        component[id] = true;
        diag_warning(check->diags, node->span, "no component can be in `%s`: it counts as 0",
                     check->processes.names[id]);
    }
}

void check_unused(Check *check)
{
    const size_t rates = check->rates.count, processes = check->processes.count;
    Use use, components;
    if (!find_needed(&use, check, true) || !find_needed(&components, check, false))
        return;
    for (size_t i = 0; i < rates; i++)
        if (!use.rate[i])
            diag_warning(check->diags, check->rate_def[i]->span, "rate `%s` is never used",
                         check->rates.names[i]);
    for (size_t i = 0; i < processes; i++)
        if (!use.process[i] && check->process_def[i])
            diag_warning(check->diags, check->process_def[i]->span, "process `%s` is never used",
                         check->processes.names[i]);
    for (size_t i = 0; i < rates; i++)
        if (use.rate[i])
            warn_of_counts(&use, check->rate_def[i], components.process);
    for (size_t i = 0; i < processes; i++)
        if (use.process[i] && check->process_def[i])
            warn_of_counts(&use, check->process_def[i], components.process);
    warn_of_counts(&use, &check->ast->system, components.process);
}
