/* The team of a flow: passes over its rows, and sweeps by a plan. */
#include "solvers/rows/rows.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { CHUNK = 4096 }; /* rows whose sums are taken in one go */

/* ---- the team ------------------------------------------------------------------------------- */

/* Takes the plan, and follows it if there are enough threads. */
static void follow(FlowTeam *team, RowsPlan *plan)
{
    rows_plan_free(team->plan);
    team->plan = plan;
    if (!runner_follow(&team->runner, plan ? plan->plan : NULL)) {
        rows_plan_free(plan);
        team->plan = NULL;
    }
}

void flow_team_free(FlowTeam *team)
{
    if (!team)
        return;
    workers_free(team->workers);
    rows_plan_free(team->plan);
    mem_free_all(team->sums, team);
}

static int32_t chunks_of(int32_t n)
{
    return (int32_t)(((int64_t)n + CHUNK - 1) / CHUNK);
}

static bool team_new(FlowTeam **out, const Flow *flow, int32_t threads, int64_t least)
{
    *out = NULL;
    if (threads <= 1 || flow->row[flow->n] + flow->n < least)
        return true;
    FlowTeam *team = mem_calloc(1, sizeof *team);
    if (!team)
        return false;
    team->threads = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    team->least = least;
    team->spare = HUGE_VAL;
    team->rows = flow->row;
    team->chunks = chunks_of(flow->n);
    team->sums = mem_alloc((size_t)team->chunks, SUMS * sizeof *team->sums);
    team->workers = team->runner.workers = workers_new(team->threads);
    if (!team->sums || !team->workers) {
        flow_team_free(team);
        return false;
    }
    *out = team;
    return true;
}

bool flow_team_new(FlowTeam **out, const Flow *flow, int32_t threads)
{
    const int64_t least = 200000; /* some tenths of a millisecond */
    return team_new(out, flow, threads, least);
}

bool rows_team_eager(FlowTeam **out, const Flow *flow, int32_t threads, RowsPlan *plan)
{
    bool ok = team_new(out, flow, threads, 0);
    if (!*out) {
        rows_plan_free(plan);
        return ok;
    }
    (*out)->eager = (*out)->planned = (*out)->runner.eager = true;
    int32_t wanted = plan ? plan->plan->threads : 1;
    follow(*out, plan);
    return ok && workers_ready((*out)->workers, wanted) == wanted;
}

/* A plan made when there was more memory is dropped. */
void rows_spare(const Flow *flow, double bytes)
{
    FlowTeam *team = flow->team;
    if (!team)
        return;
    team->spare = bytes;
    if (team->plan && !team->eager && rows_plan_bytes(flow) > bytes) {
        follow(team, NULL);
        team->planned = false;
    }
}

/* ---- in any order --------------------------------------------------------------------------- */

typedef struct {
    RowsTask *task;
    void *user;
    int32_t n;
    double *sums;
} Pass;

static void do_chunk(const Pass *pass, int32_t chunk, double *sum)
{
    int32_t first = chunk * CHUNK, end = pass->n - first < CHUNK ? pass->n : first + CHUNK;
    memset(sum, 0, SUMS * sizeof *sum);
    pass->task(pass->user, first, end, sum);
}

/* Neighbours in pass->sums share cache lines: one store each. */
static void share_chunk(void *user, int32_t chunk, int32_t worker)
{
    const Pass *pass = user;
    double sum[SUMS];
    (void)worker;
    do_chunk(pass, chunk, sum);
    memcpy(pass->sums + SUMS * (size_t)chunk, sum, sizeof sum);
}

static void add_to(double *sum, const double *part)
{
    for (int k = 0; sum && k < SUMS; k++)
        sum[k] += part[k];
}

void rows_each(const Flow *flow, bool matrix, RowsTask *task, void *user, double *sum)
{
    const FlowTeam *team = flow->team;
    const int64_t work = flow->n + (matrix ? flow->row[flow->n] : 0);
    const int32_t chunks = chunks_of(flow->n);
    if (sum)
        memset(sum, 0, SUMS * sizeof *sum);
    const bool shared = team && work >= team->least && chunks <= team->chunks;
    Pass pass = {task, user, flow->n, shared ? team->sums : NULL};
    if (shared)
        workers_run(team->workers, chunks, share_chunk, &pass);
    for (int32_t c = 0; c < chunks; c++) {
        double part[SUMS];
        if (!shared)
            do_chunk(&pass, c, part);
        add_to(sum, shared ? team->sums + SUMS * (size_t)c : part);
    }
    if (sum && flow->share)
        flow->share->processes->sum(flow->share->processes->user, sum, SUMS);
}

/* ---- in the order of the rows --------------------------------------------------------------- */

typedef struct {
    const Flow *flow;
    const double *read;
    RowsPiece *piece;
    void *user;
} Walk;

static void walk_task(void *user, int32_t task, int32_t worker)
{
    const Walk *walk = user;
    const int32_t *first = walk->flow->team->plan->plan->first + task;
    (void)worker;
    walk->piece(walk->user, task, first[0], first[1]);
}

static void walk_alone(void *user)
{
    const Walk *walk = user;
    walk->piece(walk->user, -1, 0, walk->flow->n);
}

/* Parts of lines are short, and the next one is elsewhere: prefetch where it begins. */
enum { MATRIX_AHEAD = 24, VECTOR_AHEAD = 12 }; /* cache lines */

static void fetch_lines(const void *from, int32_t lines)
{
    for (int32_t l = 0; l < lines; l++)
        __builtin_prefetch((const char *)from + CACHE_LINE * l);
}

static void walk_ahead(void *user, int32_t task, bool near)
{
    const Walk *walk = user;
    const Flow *flow = walk->flow;
    const int32_t row = flow->team->plan->plan->first[task];
    int64_t k = flow->row[row];
    if (near) {
        for (; k < flow->row[row + 1]; k++)
            fetch_lines(walk->read + flow->col[k], VECTOR_AHEAD);
        return;
    }
    fetch_lines(flow->col + k, MATRIX_AHEAD);
    if (flow->val)
        fetch_lines(flow->val + k, 2 * MATRIX_AHEAD);
    else
        fetch_lines(flow->code + k, MATRIX_AHEAD / 2);
}

/* After some sweeps, for a plan takes about as long as those. */
static void make_plan(const Flow *flow)
{
    const int32_t soon = 4;
    FlowTeam *team = flow->team;
    if (team->planned || team->sweeps++ < soon || rows_plan_bytes(flow) > team->spare)
        return;
    team->planned = true;
    RowsPlan *plan = NULL;
    (void)rows_plan_new(&plan, flow, team->threads); /* without memory, one thread goes on */
    follow(team, plan);
}

const RowsPlan *rows_in_order(const Flow *flow, RowsKind kind, const double *read, RowsPiece *piece,
                              void *user)
{
    FlowTeam *team = flow->team;
    if (!team || team->rows != flow->row) {
        piece(user, -1, 0, flow->n);
        return NULL;
    }
    make_plan(flow);
    Walk walk = {flow, read, piece, user};
    const Sweeping sweeping = {walk_task, walk_alone, walk_ahead, &walk};
    return runner_sweep(&team->runner, (int32_t)kind, kind == ROWS_UPPER, &sweeping) ? team->plan
                                                                                     : NULL;
}
