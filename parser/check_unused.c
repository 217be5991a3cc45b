/* Warns of definitions that the system equation does not need. */
#include "parser/checking.h"

typedef struct {
    Check *check;
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
        int32_t id = check->ref[i];
        if (id >= 0 && check->ast->nodes[i].kind == AST_RATE)
            need(use, &use->rate[id], check->rate_def[id]);
        else if (id >= 0)
            need(use, &use->process[id], check->process_def[id]);
    }
}

void check_unused(Check *check)
{
    size_t rates = check->rates.count, processes = check->processes.count;
    Use use = {.check = check};
    use.rate = check_alloc(check, rates, sizeof *use.rate);
    use.process = check_alloc(check, processes, sizeof *use.process);
    use.waiting = check_alloc(check, rates + processes, sizeof *use.waiting);
    if (check->no_memory)
        return;
    follow(&use, &check->ast->system);
    while (use.count > 0)
        follow(&use, use.waiting[--use.count]);
    for (size_t i = 0; i < rates; i++)
        if (!use.rate[i])
            diag_warning(check->diags, check->rate_def[i]->span, "rate `%s` is never used",
                         check->rates.names[i]);
    for (size_t i = 0; i < processes; i++)
        if (!use.process[i] && check->process_def[i])
            diag_warning(check->diags, check->process_def[i]->span, "process `%s` is never used",
                         check->processes.names[i]);
}
