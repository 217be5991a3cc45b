/* What a chain's structure tells the modeller: deadlocks, self-loops, local states that are never
 * reached or left for ever. */
#include <string.h>

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

/* A nearest one is explained; the others are counted. */
static PepaStatus review_deadlocks(const Chain *c, int32_t *cells, DiagList *diags, PepaError *err)
{
    if (!c->deadlocks)
        return PEPA_OK;
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

static PepaStatus review_loops(const Chain *c, DiagList *diags, PepaError *err)
{
    if (!c->loops || c->system->preempts) /* some loops then stand for immediate activities */
        return PEPA_OK;
    int64_t *loops = mem_calloc((size_t)c->action_count, sizeof *loops);
    if (!loops)
        return error_memory(err);
    for (int32_t s = 0; s < c->state_count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (c->target[k] == s)
                loops[chain_action(c, k)]++;
    for (int32_t a = 0; a < c->action_count; a++)
        review_loop(c, c->actions[a], loops[a], diags);
    mem_free(loops);
    return PEPA_OK;
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

static PepaStatus review_locals(const Chain *c, int32_t *cells, DiagList *diags, PepaError *err)
{
    const System *sys = c->system;
    size_t n = (size_t)c->model->local_count;
    uint8_t *mark = mem_calloc(n, 1), *occurs = mem_calloc(n, 1);
    bool ok = mark && occurs && mark_locals(c, cells, mark);
    if (ok) {
        for (int32_t i = 0; i < sys->component_count; i++)
            for (int32_t l = 0; l < sys->components[i].local_count; l++)
                occurs[sys->components[i].local[l]] = 1;
        for (int32_t l = 0; l < c->model->local_count; l++) {
            const Local *local = &c->model->locals[l];
            if (occurs[l] && !(mark[l] & SEEN))
                diag_warning(diags, local->span, "local state `%s` is never reached", local->name);
            else if (occurs[l] && !(mark[l] & STAYS) && c->deadlocks < c->bottom_count)
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
    if (!cells)
        return error_memory(err);
    PepaStatus status = review_deadlocks(c, cells, diags, err);
    if (status == PEPA_OK && !c->diagram) /* which has them counted */
        status = review_loops(c, diags, err);
    if (status == PEPA_OK)
        status = review_locals(c, cells, diags, err);
    mem_free(cells);
    return status;
}
