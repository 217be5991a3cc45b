/* Threads that share what is done to the rows of a flow. */
#include "solvers/schedule/rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

enum { CHUNK = 4096 }; /* rows whose sums are taken in one go */

/* ---- the team ------------------------------------------------------------------------------- */

void flow_team_free(FlowTeam *team)
{
    if (!team)
        return;
    workers_free(team->workers);
    rows_plan_free(team->plan);
    mem_free(team->sums);
    mem_free(team);
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
    team->workers = workers_new(team->threads);
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
    (*out)->eager = (*out)->planned = true;
    (*out)->plan = plan;
    return ok && (!plan || workers_ready((*out)->workers, plan->threads) == plan->threads);
}

/* A plan that was made when there was more room goes. */
void rows_spare(const Flow *flow, double bytes)
{
    FlowTeam *team = flow->team;
    if (!team)
        return;
    team->spare = bytes;
    if (team->plan && !team->eager && rows_plan_bytes(flow) > bytes) {
        rows_plan_free(team->plan);
        team->plan = NULL;
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
}

/* ---- in the order of the rows --------------------------------------------------------------- */

typedef struct {
    FlowTeam *team;
    const Flow *flow;
    const double *read;
    RowsPiece *piece;
    void *user;
    bool up; /* from the last row to the first */
} Walk;

/* All places before `at` have been taken: wait while one that must be done first is being worked
 * on, or may be. */
static void wait_for_others(const Walk *walk, int32_t at, uint64_t before, int32_t self)
{
    for (int32_t w = 0; w < walk->team->plan->threads; w++)
        for (int32_t waits = 0; w != self; waits++) {
            int32_t other = atomic_load(&walk->team->place[w].at), away = at - other / 2;
            bool known = other & 1 && away <= WINDOW;
            if (away <= 0 || (known && !(before >> (away - 1) & 1)))
                break;
            workers_wait(waits);
        }
}

/* A thread says that it may take a place before it does: nobody believes it to be elsewhere. */
static void take_pieces(void *user, int32_t self, int32_t worker)
{
    const Walk *walk = user;
    FlowTeam *team = walk->team;
    const RowsPlan *plan = team->plan;
    atomic_int *here = &team->place[self].at;
    (void)worker;
    for (;;) {
        atomic_store(here, 2 * atomic_load(&team->next));
        int32_t at = atomic_fetch_add(&team->next, 1);
        if (at >= plan->pieces)
            break;
        atomic_store(here, 2 * at + 1);
        int32_t place = walk->up ? plan->pieces - 1 - at : at, piece = plan->order[place];
        wait_for_others(walk, at, walk->up ? plan->after[place] : plan->before[place], self);
        walk->piece(walk->user, piece, plan->first[piece], plan->first[piece + 1]);
    }
    atomic_store(here, INT_MAX);
}

/* seen: how far the other threads had come when they were last looked at. */
static void wait_for_each(const Walk *walk, const int32_t *told, int32_t *seen)
{
    for (int32_t w = 0; w < walk->team->plan->threads; w++)
        for (int32_t waits = 0; seen[w] < told[w]; waits++) {
            seen[w] = atomic_load(&walk->team->place[w].at);
            if (seen[w] < told[w])
                workers_wait(waits);
        }
}

/* Parts of lines are short, and what comes next is elsewhere: ask for where it begins in time. */
enum { LINE = 64, MATRIX_AHEAD = 24, VECTOR_AHEAD = 12 };

static void fetch_lines(const void *from, int32_t lines)
{
    for (int32_t l = 0; l < lines; l++)
        __builtin_prefetch((const char *)from + LINE * l);
}

static void fetch_matrix(const Flow *flow, int32_t row)
{
    const int64_t k = flow->row[row];
    fetch_lines(flow->col + k, MATRIX_AHEAD);
    if (flow->val)
        fetch_lines(flow->val + k, 2 * MATRIX_AHEAD);
    else
        fetch_lines(flow->code + k, MATRIX_AHEAD / 2);
}

static void fetch_vector(const Flow *flow, const double *read, int32_t row)
{
    for (int64_t k = flow->row[row]; k < flow->row[row + 1]; k++)
        fetch_lines(read + flow->col[k], VECTOR_AHEAD);
}

/* The next piece of the same owner, from `k` on; plan->pieces if there is none. */
static int32_t next_own(const Walk *walk, int32_t self, int32_t k)
{
    const RowsPlan *plan = walk->team->plan;
    while (k < plan->pieces && plan->owner[walk->up ? plan->pieces - 1 - k : k] != self)
        k++;
    return k;
}

static void take_own(void *user, int32_t self, int32_t worker)
{
    const Walk *walk = user;
    const RowsPlan *plan = walk->team->plan;
    const int32_t *told = walk->up ? plan->told_after : plan->told_before;
    int32_t seen[MOST_WORKERS] = {0}, done = 0;
    (void)worker;
    seen[self] = INT32_MAX;
    for (int32_t k = next_own(walk, self, 0), next; k < plan->pieces; k = next) {
        int32_t piece = walk->up ? plan->pieces - 1 - k : k, ahead = -1;
        next = next_own(walk, self, k + 1);
        if (next < plan->pieces)
            ahead = plan->first[walk->up ? plan->pieces - 1 - next : next];
        if (ahead >= 0)
            fetch_matrix(walk->flow, ahead);
        wait_for_each(walk, told + (size_t)piece * (size_t)plan->threads, seen);
        walk->piece(walk->user, piece, plan->first[piece], plan->first[piece + 1]);
        atomic_store_explicit(&walk->team->place[self].at, ++done, memory_order_release);
        if (ahead >= 0)
            fetch_vector(walk->flow, walk->read, ahead);
    }
}

static void walk_together(Walk *walk)
{
    FlowTeam *team = walk->team;
    atomic_store(&team->next, 0);
    for (int32_t w = 0; w < team->plan->threads; w++)
        atomic_store(&team->place[w].at, team->plan->owner ? 0 : INT_MAX);
    workers_run(team->workers, team->plan->threads, team->plan->owner ? take_own : take_pieces,
                walk);
}

/* The matrix is gone through some times before a plan is made: it takes about as long as that. */
static bool has_plan(const Flow *flow)
{
    const int32_t soon = 4;
    FlowTeam *team = flow->team;
    if (!team || team->rows != flow->row)
        return false;
    if (!team->planned && team->times++ >= soon && rows_plan_bytes(flow) <= team->spare) {
        team->planned = true;
        (void)rows_plan_new(&team->plan, flow, team->threads); /* one thread needs no memory */
        int32_t wanted = team->plan && team->plan->owner ? team->plan->threads : 1;
        if (workers_ready(team->workers, wanted) < wanted) { /* and owners wait for each other */
            rows_plan_free(team->plan);
            team->plan = NULL;
        }
    }
    return team->plan != NULL;
}

/* In the way that was quicker when both were tried last; now and then in the other. */
static bool choose_together(const RowsPace *pace, bool planned, bool *trial)
{
    bool better = pace->together <= pace->alone;
    *trial = planned && (pace->alone == 0 || pace->together == 0 || pace->times >= pace->rest);
    if (!planned || pace->alone == 0)
        return false;
    return pace->together == 0 || better != *trial;
}

/* A time that is much longer than the last is believed by and by: something else may have come in
 * between. */
static void note_pace(RowsPace *pace, bool together, bool trial, double seconds)
{
    enum { OFTEN = 4, SELDOM = 64 };
    const double believed = 1.25, clear = 0.8;
    double *kind = together ? &pace->together : &pace->alone;
    bool before = pace->together <= pace->alone;
    *kind = *kind > 0 ? fmin(seconds, believed * *kind) : seconds;
    pace->times++;
    if (!trial)
        return;
    bool same = before == (pace->together <= pace->alone);
    bool seldom = pace->together < clear * pace->alone || (same && 4 * pace->rest >= SELDOM);
    pace->rest = seldom ? SELDOM : same && pace->rest > 0 ? 4 * pace->rest : OFTEN;
    pace->times = 0;
}

const RowsPlan *rows_in_order(const Flow *flow, RowsKind kind, const double *read, RowsPiece *piece,
                              void *user)
{
    bool planned = has_plan(flow), trial;
    if (!flow->team || flow->team->rows != flow->row) {
        piece(user, -1, 0, flow->n);
        return NULL;
    }
    Walk walk = {flow->team, flow, read, piece, user, kind == ROWS_UPPER};
    RowsPace *pace = &flow->team->pace[kind];
    bool together = choose_together(pace, planned, &trial) || (planned && flow->team->eager);
    double start = clock_seconds();
    if (together)
        walk_together(&walk);
    else
        piece(user, -1, 0, flow->n);
    note_pace(pace, together, trial, clock_seconds() - start);
    return together ? flow->team->plan : NULL;
}
