#include "measure/shared_flow.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/processes.h"
#include "solvers/blocks/blocks.h"

static int64_t own_states(const Blocks *b)
{
    return b->offset[b->blocks];
}

static int64_t copied_states(const Blocks *b)
{
    return b->offset[b->blocks + b->copies] - own_states(b);
}

/* The row of an own state. */
static int32_t row_of(const Blocks *b, int64_t state)
{
    return (int32_t)(b->up ? state : own_states(b) - 1 - state);
}

static PepaStatus agree(const Blocks *b, bool ok, PepaError *err)
{
    return processes_agree(b->share->processes, ok ? PEPA_OK : error_memory(err), err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Of own states, then of copies: in the order of the blocks. */
static PepaStatus find_exits(const SharedFlow *f, double **exit, PepaError *err)
{
    const Blocks *b = f->blocks;
    const int64_t own = own_states(b);
    const PepaStatus status = agree(b, mem_new(*exit, own + copied_states(b)), err);
    for (int64_t i = 0; i < own && status == PEPA_OK; i++)
        (*exit)[i] = f->inner.exit[row_of(b, i)];
    if (status == PEPA_OK)
        blocks_renew_all(b, *exit);
    return status;
}

static PepaStatus make_outer(SharedFlow *f, PepaMatrixForm form, const Control *control,
                             PepaError *err)
{
    const Blocks *b = f->blocks;
    double *exit = NULL;
    PepaStatus status = find_exits(f, &exit, err);
    if (status == PEPA_OK)
        status = processes_agree(b->share->processes,
                                 flow_from_copies(&f->outer, form, control, b, exit + own_states(b),
                                                  err),
                                 err);
    mem_free(exit);
    return status;
}

/* Rows of what flows in from others: only those that there are. */
static bool pack_outer(SharedFlow *f)
{
    FlowOwner *outer = &f->outer;
    int32_t rows = 0;
    for (int32_t i = 0; i < outer->n; i++)
        rows += outer->row[i + 1] > outer->row[i];
    if (!mem_new(f->place, rows))
        return false;
    rows = 0;
    for (int32_t i = 0; i < outer->n; i++)
        if (outer->row[i + 1] > outer->row[i]) {
            f->place[rows] = i;
            outer->row[++rows] = outer->row[i + 1]; /* not read again: rows <= i + 1 */
        }
    f->share.rows = rows;
    mem_trim(outer->row, rows + 1);
    mem_free(outer->exit);
    outer->exit = NULL;
    return true;
}

/* ---- the exchange ---------------------------------------------------------------------------- */

static int64_t entries_of(const PepaPiece *piece, int32_t count)
{
    int64_t all = 0;
    for (int32_t i = 0; i < count; i++)
        all += piece[i].count;
    return all;
}

/* Own states that go to a partner, in the order in which it has copies of them. */
static void list_sent(SharedFlow *f, const PepaPartner *partner)
{
    FlowShare *share = &f->share;
    for (int32_t i = 0; i < partner->sent_count; i++)
        for (int64_t k = 0; k < partner->sent[i].count; k++)
            f->sent[share->sent_count++] = row_of(f->blocks, partner->sent[i].first + k);
}

/* Pieces of the buffer: one that is sent, and those of copies, which follow all that is sent. */
static bool list_exchange(SharedFlow *f, const PepaExchange *states)
{
    PepaExchange *exchange = &f->exchange;
    int64_t sent = 0, pieces = 0;
    for (int32_t i = 0; i < states->partner_count; i++) {
        sent += entries_of(states->partner[i].sent, states->partner[i].sent_count);
        pieces += 1 + states->partner[i].received_count;
    }
    if (!mem_new(f->sent, sent) || !mem_new(f->piece, pieces) ||
        !mem_new(exchange->partner, states->partner_count))
        return false;
    PepaPiece *piece = f->piece;
    for (int32_t i = 0; i < states->partner_count; i++) {
        const PepaPartner *from = &states->partner[i];
        PepaPartner *to = &exchange->partner[exchange->partner_count++];
        *to = (PepaPartner){from->process, from->sent_count > 0, from->received_count, piece,
                            piece + 1};
        piece->first = f->share.sent_count;
        list_sent(f, from);
        piece->count = f->share.sent_count - piece->first;
        piece++;
        for (int32_t k = 0; k < from->received_count; k++, piece++)
            *piece = (PepaPiece){from->received[k].first - own_states(f->blocks) + sent,
                                 from->received[k].count};
    }
    return true;
}

static bool open_exchange(SharedFlow *f, const PepaExchange *states)
{
    const PepaProcesses *p = f->blocks->share->processes;
    FlowShare *share = &f->share;
    if (!list_exchange(f, states) ||
        !mem_new_zeroed(share->buffer, share->sent_count + copied_states(f->blocks)) ||
        !mem_new_zeroed(share->come, f->inner.n))
        return false;
    share->processes = p;
    return (share->exchange = p->open(p->user, &f->exchange)) != NULL;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void take_all(SharedFlow *f)
{
    const FlowOwner *outer = &f->outer;
    FlowShare *share = &f->share;
    share->sent = f->sent;
    share->place = f->place;
    share->row = outer->row;
    share->col = outer->col;
    share->val = outer->val;
    share->code = outer->code;
    share->chance = outer->chances.value;
    share->read = &f->read;
    f->flow = flow_view(&f->inner, NULL);
    f->flow.share = share;
}

PepaStatus shared_flow_new(SharedFlow *f, const Blocks *blocks, const PepaExchange *states,
                           PepaMatrixForm form, const Control *control, PepaError *err)
{
    *f = (SharedFlow){.blocks = blocks};
    PepaStatus status = flow_from_blocks(&f->inner, form, control, blocks, err);
    status = processes_agree(blocks->share->processes, status, err);
    if (status == PEPA_OK)
        status = make_outer(f, form, control, err);
    if (status == PEPA_OK)
        status = agree(blocks, pack_outer(f) && open_exchange(f, states), err);
    if (status == PEPA_OK)
        take_all(f);
    return status;
}

void shared_flow_free(SharedFlow *f)
{
    FlowShare *s = &f->share;
    if (s->exchange)
        s->processes->close(s->processes->user, s->exchange);
    flow_free(&f->inner);
    flow_free(&f->outer);
    mem_free_all(f->place, f->sent, f->exchange.partner, f->piece, s->buffer, s->come);
    *f = (SharedFlow){0};
}

/* With a vector. */
static double flow_bytes(const SharedFlow *f)
{
    const PepaMatrixForm inner = f->inner.code ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT,
                         outer = f->outer.code ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
    const double state = sizeof *f->share.come + sizeof(double), copy = sizeof *f->share.buffer,
                 sent = copy + sizeof *f->sent, row = sizeof *f->place + sizeof *f->outer.row;
    return flow_row_bytes(f->inner.n) + state * f->inner.n + row * f->share.rows +
           flow_entry_bytes(inner, (double)f->inner.row[f->inner.n]) +
           flow_entry_bytes(outer, (double)f->share.row[f->share.rows]) +
           copy * (double)copied_states(f->blocks) + sent * f->share.sent_count;
}

/* ---- solutions ------------------------------------------------------------------------------- */

/* Flows of own states, from probabilities. */
static void enter(const SharedFlow *f, const double *pi, double *y)
{
    for (int32_t i = 0; i < f->inner.n; i++) {
        const int32_t r = row_of(f->blocks, i);
        y[r] = pi[i] * f->inner.exit[r];
    }
}

/* Probabilities, with the sum 1 over all processes, and copies. */
static void leave(const SharedFlow *f, const double *y, double *pi)
{
    double sum = 0;
    for (int32_t i = 0; i < f->inner.n; i++) {
        const int32_t r = row_of(f->blocks, i);
        sum += pi[i] = y[r] / f->inner.exit[r];
    }
    blocks_sum(f->blocks, &sum, 1);
    for (int32_t i = 0; i < f->inner.n; i++)
        pi[i] /= sum;
    blocks_renew_all(f->blocks, pi);
}

/* Keeps probabilities in place of flows. */
typedef struct {
    const SharedFlow *flow;
    const Keeper *keeper;
    double *pi;
} Keeping;

static bool is_due(void *user)
{
    const Keeping *k = user;
    return k->keeper->due(k->keeper->user);
}

static void keep(void *user, const double *y, const PepaProgress *now)
{
    const Keeping *k = user;
    leave(k->flow, y, k->pi);
    k->keeper->keep(k->keeper->user, k->pi, now);
}

static PepaStatus solve(SharedFlow *f, const SteadyJob *job, const Control *control, double *y)
{
    Keeping keeping = {f, control->keeper, job->pi};
    const Keeper keeper = {&keeping, is_due, keep};
    Control own = *control;
    Outcome out = {0};
    own.keeper = control->keeper ? &keeper : NULL;
    bool ok = flow_team_new(&f->flow.team, &f->flow, job->set->threads);
    PepaStatus status = agree(f->blocks, ok, job->err);
    enter(f, job->pi, y);
    if (status == PEPA_OK)
        status = solve_flow(PEPA_AUTO, &f->flow, &own, y, &out, job->err);
    flow_team_free(f->flow.team);
    leave(f, y, job->pi);
    job->info->method = out.method ? out.method : "none";
    job->info->precondition = out.precondition ? out.precondition : "none";
    job->info->iterations = out.iterations;
    job->info->residual = out.residual;
    job->info->matrix = f->inner.code ? "compact" : "explicit";
    const double *judged = status == PEPA_OK && out.judged ? y : NULL;
    const char *caution = flow_caution(&f->flow, judged, &out, job->set->solve.tolerance, NULL);
    if (caution[0])
        job->info->caution = caution;
    return processes_agree(f->share.processes, status, job->err);
}

double shared_flow_bytes(const Blocks *b)
{
    const double entry = 24, state = 14 * sizeof(double); /* bytes; with factors; with vectors */
    const double copy = 4 * sizeof(double);
    return entry * (double)b->entries + state * (double)own_states(b) +
           copy * (double)copied_states(b);
}

PepaStatus shared_flow_solve(const SteadyJob *job, const Blocks *blocks, const PepaExchange *states,
                             const Control *control)
{
    SharedFlow flow;
    double *y = NULL;
    Control left = *control;
    const double start = clock_seconds();
    PepaStatus status =
        shared_flow_new(&flow, blocks, states, job->set->solve.matrix, control, job->err);
    job->info->matrix_seconds += clock_seconds() - start;
    if (status == PEPA_OK)
        status = agree(blocks, mem_new(y, flow.inner.n), job->err);
    if (status == PEPA_OK) {
        const double taken = flow_bytes(&flow);
        left.memory = budget_left(control->memory, taken);
        status = solve(&flow, job, &left, y);
    }
    shared_flow_free(&flow);
    mem_free(y);
    return status;
}
