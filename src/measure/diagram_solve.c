#include "measure/diagram_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/pages.h"
#include "base/budget.h"
#include "measure/blocks_build.h"
#include "measure/diagram_rare.h"
#include "measure/lumped_guess.h"

/* Entries of a matrix by rows beyond which sweeps over blocks are the only way: some 5 GB. */
#define MOST_ENTRIES 4e8

typedef struct {
    const Chain *chain;
    Blocks blocks;
    const PepaSettings *set;
    Control control;
    double *pi;
    PepaInfo *info;
    PepaError *err;
} Solving;

static int64_t states_of(const Solving *s)
{
    return s->blocks.offset[s->blocks.blocks];
}

static void note(Solving *s, const Outcome *out)
{
    s->info->method = out->method;
    s->info->precondition = out->precondition ? out->precondition : "none";
    s->info->iterations = out->iterations;
    s->info->residual = out->residual;
    if (outcome_caution(out)[0])
        s->info->caution = outcome_caution(out);
}

static PepaStatus first_guess(Solving *s, bool *found)
{
    int64_t n = states_of(s);
    double sum = 0;
    PepaSettings within = *s->set;
    *found = false;
    within.memory = s->control.memory;
    if (!s->set->solve.warm_start)
        return lumped_guess(s->chain, &within, s->pi, found, s->err);
    for (int64_t i = 0; i < n; i++)
        sum += s->pi[i] >= 0 ? s->pi[i] : NAN;
    *found = sum > 0 && isfinite(sum);
    return PEPA_OK;
}

static void clear_block(void *user, int32_t block, int32_t worker)
{
    const Solving *s = user;
    const int64_t *offset = s->blocks.offset + block;
    (void)worker;
    memset(s->pi + offset[0], 0, (size_t)(offset[1] - offset[0]) * sizeof *s->pi);
}

/* All in the initial state, which most models are likely to be near, and a little way on from
 * there: sweeps then need not drain the far corners of the state space first. */
static PepaStatus start_initial(Solving *s)
{
    enum { STEPS = 3 };
    const double half = 0.5;
    const Diagram *d = s->chain->diagram;
    BlocksRoom room = {0};
    bool ok = blocks_room_init(&room, &s->blocks, s->set->threads);
    if (ok) {
        blocks_each(&room, &s->blocks, clear_block, s);
        s->pi[d->offset[d->initial_upper] + d->initial_lower] = 1;
    }
    for (int32_t k = 0; k < STEPS && ok; k++)
        (void)blocks_sweep(&s->blocks, s->pi, half, &room, NULL);
    blocks_room_free(&room);
    return ok ? PEPA_OK : error_memory(s->err);
}

static void start_equal(Solving *s)
{
    int64_t n = states_of(s);
    for (int64_t i = 0; i < n; i++)
        s->pi[i] = 1 / (double)n;
}

static PepaStatus sweep(Solving *s, PepaMethod method, double patience)
{
    Outcome out = {0};
    PepaStatus status = solve_blocks(&s->blocks, method, s->set->threads, patience, &s->control,
                                     s->pi, &out, s->err);
    note(s, &out);
    s->info->matrix = "free";
    return status;
}

/* y_i = pi_i d_i, in the order of rows; and back. */
static void to_rows(const Solving *s, const FlowOwner *flow, double *y)
{
    for (int64_t i = 0; i < flow->n; i++) {
        int64_t row = s->blocks.up ? i : flow->n - 1 - i;
        y[row] = s->pi[i] * flow->exit[row];
    }
}

static PepaStatus from_rows(Solving *s, const FlowOwner *flow, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < flow->n; i++)
        sum += y[i] / flow->exit[i];
    for (int64_t i = 0; i < flow->n; i++) {
        int64_t row = s->blocks.up ? i : flow->n - 1 - i;
        s->pi[i] = y[row] / flow->exit[row] / sum;
    }
    return isfinite(sum) && sum > 0 ? PEPA_OK
                                    : error_set(s->err, PEPA_ENOCONV, "the probabilities overflow");
}

/* The matrix by rows, and the vector that goes with it. */
static double bytes_by_rows(const Solving *s)
{
    const double state = 3 * sizeof(double);
    return flow_entry_bytes(s->set->solve.matrix, (double)s->blocks.entries) +
           state * (double)states_of(s);
}

/* The matrix by rows; to be freed. */
static PepaStatus make_rows(Solving *s, FlowOwner *flow)
{
    double start = clock_seconds();
    PepaStatus status =
        flow_from_blocks(flow, s->set->solve.matrix, s->control.memory, &s->blocks, s->err);
    s->info->matrix_seconds += clock_seconds() - start;
    return status;
}

static bool too_large(const Solving *s)
{
    return (double)s->blocks.entries > MOST_ENTRIES ||
           !budget_allows(s->control.memory, bytes_by_rows(s));
}

static PepaStatus solve_rows(Solving *s, const FlowOwner *flow, PepaMethod method)
{
    Flow view = flow_view(flow, NULL);
    Outcome out = {0};
    double *y = mem_alloc((size_t)flow->n, sizeof *y);
    if (!y || !flow_team_new(&view.team, &view, s->set->threads)) {
        mem_free(y);
        return error_memory(s->err);
    }
    to_rows(s, flow, y);
    Control rest = s->control;
    rest.memory = budget_left(rest.memory, bytes_by_rows(s));
    PepaStatus status = solver_of(method)(&view, &rest, y, &out, s->err);
    note(s, &out);
    s->info->matrix = flow->code ? "compact" : "explicit";
    if (out.trail[0]) {
        size_t told = strlen(s->info->trail);
        (void)snprintf(s->info->trail + told, sizeof s->info->trail - told, "%s%s",
                       told ? "; " : "", out.trail);
    }
    if (status == PEPA_OK) /* pi is written to next */
        s->info->caution = flow_caution(&view, y, &out, s->set->solve.tolerance, s->pi);
    if (status == PEPA_OK)
        status = from_rows(s, flow, y);
    flow_team_free(view.team);
    mem_free(y);
    return status;
}

/* The matrix by rows, solved. */
static PepaStatus write_out(Solving *s, PepaMethod method)
{
    FlowOwner flow;
    if (!budget_allows(s->control.memory, bytes_by_rows(s)))
        return budget_exceeded(s->err, bytes_by_rows(s), s->control.memory,
                               "the matrix by rows (which sor and gauss-seidel do without)");
    PepaStatus status = make_rows(s, &flow);
    if (status != PEPA_OK)
        return status;
    status = solve_rows(s, &flow, method);
    flow_free(&flow);
    return status;
}

/* Where rare jumps join groups of states, sweeps may get their shares wrong, and more is known of
 * the matrix by rows.  *apart: they do, and *flow is that matrix, to be freed.  Mostly the sets of
 * states tell that they do not; a large matrix is not looked at otherwise, and cautioned against.
 */
static PepaStatus look_for_groups(Solving *s, bool large, FlowOwner *flow, bool *apart)
{
    bool together = false;
    PepaStatus status =
        diagram_holds_together(s->chain->diagram, &s->chain->rates, &s->blocks, &together, s->err);
    *apart = false;
    if (status != PEPA_OK || together)
        return status;
    if (large) {
        s->info->caution =
            "some jumps are rare (chances below 1e-4): if they join groups of states, "
            "the residual hardly shows how probability is divided between these";
        return PEPA_OK;
    }
    status = make_rows(s, flow);
    if (status != PEPA_OK)
        return status;
    Flow view = flow_view(flow, NULL);
    *apart = flow_falls_apart(&view);
    if (!*apart)
        flow_free(flow);
    return PEPA_OK;
}

static bool keeps_to_blocks(const Solving *s)
{
    return s->set->solve.matrix == PEPA_MATRIX_FREE || too_large(s);
}

static PepaStatus choose(Solving *s)
{
    const double patience = 200; /* sweeps; another method takes as long as that, all in all */
    bool apart, large = keeps_to_blocks(s);
    FlowOwner flow;
    PepaStatus status = look_for_groups(s, large, &flow, &apart);
    if (apart) {
        status = solve_rows(s, &flow, PEPA_AUTO);
        flow_free(&flow);
    }
    if (status != PEPA_OK || apart)
        return status;
    status = sweep(s, PEPA_AUTO, large ? HUGE_VAL : patience);
    if (status != PEPA_ENOCONV || large)
        return status;
    if (s->err)
        (void)snprintf(s->info->trail, sizeof s->info->trail, "%s", s->err->message);
    return write_out(s, PEPA_AUTO);
}

static PepaStatus sweep_by_name(Solving *s, PepaMethod method)
{
    bool apart = false;
    FlowOwner flow;
    PepaStatus status = sweep(s, method, HUGE_VAL);
    if (status == PEPA_OK)
        status = look_for_groups(s, keeps_to_blocks(s), &flow, &apart);
    if (apart) {
        Flow view = flow_view(&flow, NULL);
        Outcome out = {.method = s->info->method};
        s->info->caution = flow_caution(&view, NULL, &out, s->set->solve.tolerance, NULL);
        flow_free(&flow);
    }
    return status;
}

static PepaStatus by_method(Solving *s)
{
    PepaMethod method = s->set->solve.method;
    bool by_rows = s->set->solve.matrix == PEPA_MATRIX_EXPLICIT || s->set->solve.matrix == PEPA_MATRIX_COMPACT;
    bool found, swept = !by_rows &&
                        (method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR || method == PEPA_AUTO);
    PepaStatus status = first_guess(s, &found);
    if (status == PEPA_OK && !found && swept)
        status = start_initial(s);
    else if (status == PEPA_OK && !found)
        start_equal(s);
    if (status != PEPA_OK)
        return status;
    if (method == PEPA_AUTO && swept)
        return choose(s);
    return swept ? sweep_by_name(s, method) : write_out(s, method);
}

static PepaStatus check_room(const Solving *s, double need)
{
    char states[BUDGET_TEXT];
    if (budget_allows(s->set->memory, need))
        return PEPA_OK;
    return budget_exceeded(s->err, need, s->set->memory, "solving for %s states",
                           budget_count(s->chain->state_count, states));
}

PepaStatus diagram_solve(const Chain *chain, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err)
{
    PepaError unseen;
    Solving s = {.chain = chain, .set = set, .pi = pi, .info = info, .err = err ? err : &unseen};
    double standing = diagram_bytes(chain->diagram) + (double)chain->state_count * sizeof *pi;
    PepaStatus status = check_room(&s, standing + blocks_bytes(NULL, chain->diagram));
    if (status != PEPA_OK)
        return status;
    pages_huge(pi, (size_t)chain->state_count * sizeof *pi);
    double start = clock_seconds();
    status = blocks_build(&s.blocks, chain->diagram, &chain->rates, err);
    info->matrix_seconds = clock_seconds() - start;
    if (status != PEPA_OK)
        return status;
    standing += blocks_bytes(&s.blocks, chain->diagram);
    s.control = (Control){.tolerance = 0.9 * set->solve.tolerance,
                          .max_iter = set->solve.max_iter,
                          .progress = set->progress,
                          .user = set->user,
                          .memory = budget_left(set->memory, standing),
                          .precondition = set->solve.precondition};
    status = check_room(&s, standing);
    if (status == PEPA_OK)
        status = by_method(&s);
    blocks_free(&s.blocks);
    return status;
}
