/* Plans for rows that come in lines, each of which has to wait for the one before: threads go
 * through them side by side, one some way behind the other. */
#include <math.h>

#include "base/mem.h"
#include "solvers/schedule/rows.h"
#include "solvers/schedule/rows_pieces.h"

/* What is known when a piece may begin. */
typedef struct {
    double at;   /* it has been heard of all that it waits for */
    double cost; /* of fetching what is elsewhere */
} Start;

static Start start_of(const RowsPieces *p, const uint8_t *owner, const double *done, int32_t piece)
{
    Start start = {0, 0};
    for (size_t e = p->begin[piece]; e < p->begin[piece + 1]; e++) {
        int32_t early = p->link[e].early;
        if (owner[early] == owner[piece])
            continue;
        start.at = fmax(start.at, done[early] + COST_TOLD);
        start.cost += COST_FETCH * p->link[e].ties;
    }
    return start;
}

/* How many times as fast as one thread. */
static double simulate(const RowsPieces *p, const uint8_t *owner, const Flow *flow, double *done)
{
    double free_at[MOST_WORKERS] = {0}, alone = 0, last = 0;
    for (int32_t piece = 0; piece < p->pieces; piece++) {
        int32_t first = p->first[piece], end = p->first[piece + 1], self = owner[piece];
        double cost = COST_ROW * (end - first) + (double)(flow->row[end] - flow->row[first]);
        Start start = start_of(p, owner, done, piece);
        done[piece] = fmax(start.at, free_at[self]) + start.cost + COST_PIECE / 2 + cost;
        free_at[self] = done[piece];
        last = fmax(last, done[piece]);
        alone += cost;
    }
    return alone / (COST_BEGIN + last);
}

static void find_waits(RowsPlan *plan, const RowsPieces *p)
{
    const size_t threads = (size_t)plan->threads;
    int32_t count[MOST_WORKERS] = {0};
    for (int32_t piece = 0; piece < p->pieces; piece++)
        plan->turn[piece] = ++count[plan->owner[piece]];
    for (int32_t late = 0; late < p->pieces; late++)
        for (size_t e = p->begin[late]; e < p->begin[late + 1]; e++) {
            int32_t early = p->link[e].early, of_early = plan->owner[early];
            int32_t of_late = plan->owner[late], left = count[of_late] + 1 - plan->turn[late];
            int32_t *before = plan->told_before + (size_t)late * threads + of_early;
            int32_t *after = plan->told_after + (size_t)early * threads + of_late;
            *before = plan->turn[early] > *before ? plan->turn[early] : *before;
            *after = left > *after ? left : *after;
        }
}

/* Takes the owners and the places of the pieces. */
static bool make(RowsPlan **out, RowsPieces *p, uint8_t **owner, int32_t threads, int32_t n)
{
    const size_t waits = (size_t)p->pieces * (size_t)threads;
    RowsPlan *plan = *out = mem_calloc(1, sizeof *plan);
    if (!plan)
        return false;
    plan->threads = threads;
    plan->pieces = p->pieces;
    plan->first = p->first;
    plan->owner = *owner;
    p->first = NULL;
    *owner = NULL;
    plan->turn = mem_alloc((size_t)p->pieces, sizeof *plan->turn);
    plan->told_before = mem_calloc(waits, sizeof *plan->told_before);
    plan->told_after = mem_calloc(waits, sizeof *plan->told_after);
    if (!plan->turn || !plan->told_before || !plan->told_after || !rows_plan_sums(plan, n))
        return false;
    find_waits(plan, p);
    return true;
}

bool rows_plan_lines(RowsPlan **out, const Flow *flow, int32_t threads, int32_t grain, double worth)
{
    RowsPieces p;
    uint8_t *owner;
    Workers *workers = flow->team ? flow->team->workers : NULL;
    *out = NULL;
    bool ok = rows_pieces_line_up(&p, &owner, flow, threads, grain, workers);
    double *done = ok ? mem_alloc((size_t)p.pieces, sizeof *done) : NULL;
    double gain = done ? simulate(&p, owner, flow, done) : 0;
    ok = ok && done;
    if (ok && gain >= worth)
        ok = make(out, &p, &owner, threads, flow->n);
    if (*out)
        (*out)->gain = gain;
    if (!ok) {
        rows_plan_free(*out);
        *out = NULL;
    }
    mem_free(done);
    mem_free(owner);
    rows_pieces_free(&p);
    return ok;
}
