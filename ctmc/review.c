/* What a chain's structure tells the modeller: deadlocks, self-loops, local states that are never
 * reached or left for ever. */
#include <string.h>

#include "base/processes.h"
#include "ctmc/chain.h"

static const Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};

/* Cut a long state after one of its components. */
static void cut_state(Text *text)
{
    enum { LONGEST = 400 };
    if (text->failed || text->length <= LONGEST)
        return;
    text->length = LONGEST;
    while (text->length > 0 && text->text[text->length - 1] != ',')
        text->length--;
    text_add(text, " ...)");
}

static const PepaProcesses *processes_of(const Chain *c)
{
    return c->spread ? c->spread->processes : NULL;
}

/* A nearest one is explained; the others are counted. */
static PepaStatus review_deadlocks(const Chain *c, int32_t *cells, DiagList *diags, PepaError *err)
{
    if (!c->deadlocks)
        return PEPA_OK;
    if (c->spread) {
        diag_warning(
            diags, nowhere,
            "deadlock: nothing can happen in %d state%s; one process can show a nearest one",
            c->deadlocks, c->deadlocks == 1 ? "" : "s");
        return PEPA_OK;
    }
    DeadlockPath path;
    PepaStatus status = deadlock_find(c, &path, err);
    if (status != PEPA_OK)
        return status;
    Text text = {0};
    text_add(&text, "deadlock: nothing can happen in ");
    if (c->deadlocks == 1)
        text_add(&text, "state ");
    else
        text_add(&text, "%d states, the nearest is ", c->deadlocks);
    chain_state_text(c, path.state, cells, &text);
    cut_state(&text);
    status = deadlock_explain(c, &path, cells, &text, err);
    if (status == PEPA_OK && text.failed)
        status = error_memory(err);
    if (status == PEPA_OK)
        diag_warning(diags, nowhere, "%s", text.text);
    text_free(&text);
    mem_free(path.action);
    return status;
}

void review_loop(const Chain *c, int32_t action, int64_t loops, DiagList *diags)
{
    if (loops)
        diag_warning(diags, nowhere,
                     "self-loop: `%s` leaves the state as it is in %lld state%s; it counts as a "
                     "transition and in the throughput",
                     c->model->actions[action], (long long)loops, loops == 1 ? "" : "s");
}

static bool has_immediate(const Model *model)
{
    for (int32_t i = 0; i < model->activity_count; i++)
        if (model_is_immediate(model, model->activities[i].expr))
            return true;
    return false;
}

static PepaStatus review_loops(const Chain *c, DiagList *diags, PepaError *err)
{
    if (!c->loops || has_immediate(c->model)) /* some loops then stand for immediate activities */
        return PEPA_OK;
    double *loops = mem_calloc((size_t)c->action_count, sizeof *loops);
    PepaStatus status = processes_agree(processes_of(c), loops ? PEPA_OK : error_memory(err), err);
    for (int32_t s = 0; s < c->state_count && status == PEPA_OK; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (c->target[k] == chain_number(c, s))
                loops[chain_action(c, k)]++;
    if (status == PEPA_OK && c->spread)
        processes_of(c)->sum(processes_of(c)->user, loops, c->action_count);
    for (int32_t a = 0; a < c->action_count && status == PEPA_OK; a++)
        review_loop(c, c->actions[a], (int64_t)loops[a], diags);
    mem_free(loops);
    return status;
}

enum { SEEN = 1, STAYS = 2 };
enum { LOOK = 4096 }; /* states after which to see whether all is seen */

/* Nothing is left to be seen. */
static bool all_marked(const System *sys, const uint8_t *mark)
{
    for (int32_t i = 0; i < sys->component_count; i++)
        for (int32_t l = 0; l < sys->components[i].local_count; l++)
            if (mark[sys->components[i].local[l]] != (SEEN | STAYS))
                return false;
    return true;
}

/* Marks each local state that some state has, and that some bottom state has.  False: memory is
 * out. */
static bool mark_locals(const Chain *c, int32_t *cells, uint8_t *mark)
{
    const System *sys = c->system;
    for (int32_t l = 0; c->passed && l < c->model->local_count; l++)
        mark[l] = c->passed[l] ? SEEN | STAYS : 0;
    if (!c->row) {
        diagram_mark_locals(c->diagram, cells, SEEN | STAYS, mark);
        return true;
    }
    for (int32_t s = 0; s < c->state_count; s++) {
        if (s % LOOK == LOOK - 1 && all_marked(sys, mark))
            return true;
        uint8_t bits = !c->bottom || c->bottom[s] >= 0 ? SEEN | STAYS : SEEN;
        if (!chain_cells(c, s, cells))
            return false;
        cells_mark(sys, NULL, false, cells, bits, mark);
    }
    return true;
}

/* What any of the processes has marked.  False: memory is out in some of them. */
static bool gather_marks(const Chain *c, bool ok, uint8_t *mark)
{
    const PepaProcesses *p = processes_of(c);
    const int32_t n = c->model->local_count;
    if (!p)
        return ok;
    double *seen = mem_calloc(2 * (size_t)n, sizeof *seen);
    ok = processes_count(p, !(ok && seen)) == 0;
    for (int32_t l = 0; l < n && ok; l++) {
        seen[l] = mark[l] & SEEN;
        seen[n + l] = mark[l] & STAYS;
    }
    if (ok)
        p->largest(p->user, seen, 2 * n);
    for (int32_t l = 0; l < n && ok; l++)
        mark[l] = (uint8_t)((int)seen[l] | (int)seen[n + l]);
    mem_free(seen);
    return ok;
}

/* What a chain of processes tells of its bottom components is known later. */
static PepaStatus review_locals(const Chain *c, bool later, int32_t *cells, DiagList *diags,
                                PepaError *err)
{
    const System *sys = c->system;
    size_t n = (size_t)c->model->local_count;
    uint8_t *mark = mem_calloc(n, 1), *occurs = mem_calloc(n, 1);
    bool ok = mark && occurs && mark_locals(c, cells, mark);
    ok = gather_marks(c, ok, mark);
    if (ok) {
        for (int32_t i = 0; i < sys->component_count; i++)
            for (int32_t l = 0; l < sys->components[i].local_count; l++)
                occurs[sys->components[i].local[l]] = 1;
        for (int32_t l = 0; l < c->model->local_count; l++) {
            const Local *local = &c->model->locals[l];
            if (occurs[l] && !(mark[l] & SEEN) && !later)
                diag_warning(diags, local->span, "local state `%s` is never reached", local->name);
            else if (occurs[l] && mark[l] == SEEN && c->deadlocks < c->bottom_count)
                /* Where everything ends in deadlock, that is no news. */
                diag_warning(diags, local->span,
                             "local state `%s` is left for ever: it has no share in the long run",
                             local->name);
        }
    }
    mem_free_all(mark, occurs);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus chain_review(const Chain *c, DiagList *diags, PepaError *err)
{
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    PepaStatus status = processes_agree(processes_of(c), cells ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = review_deadlocks(c, cells, diags, err);
    if (status == PEPA_OK && !c->diagram) /* which has them counted */
        status = review_loops(c, diags, err);
    if (status == PEPA_OK)
        status = review_locals(c, false, cells, diags, err);
    mem_free(cells);
    return status;
}

PepaStatus chain_review_bottoms(const Chain *c, DiagList *diags, PepaError *err)
{
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    PepaStatus status = processes_agree(processes_of(c), cells ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = review_locals(c, true, cells, diags, err);
    mem_free(cells);
    return status;
}
