/* The steady state of a chain whose states are stored as sets: by sweeps over blocks, or on a
 * matrix written out by rows. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/trail.h"
#include "measure/blocks_build.h"
#include "measure/flow_order.h"
#include "measure/sets_left.h"
#include "measure/steady.h"
#include "solvers/tuning.h"

typedef struct {
    const SteadyJob *job;
    Blocks blocks;
    FlowOwner flow; /* the matrix by rows, or {0} */
    Control control;
} Solving;

static int64_t states_of(const Solving *s)
{
    return s->blocks.offset[s->blocks.blocks];
}

static PepaStatus first_guess(Solving *s, bool *found)
{
    int64_t n = states_of(s);
    double sum = 0;
    if (!s->job->set->solve.warm_start)
        return lumped_guess(s->job, s->control.memory, found);
    for (int64_t i = 0; i < n; i++)
        sum += s->job->pi[i] >= 0 ? s->job->pi[i] : NAN;
    *found = sum > 0 && isfinite(sum);
    return PEPA_OK;
}

static void clear_block(void *user, int32_t block, int32_t worker)
{
    const Solving *s = user;
    const int64_t *offset = s->blocks.offset + block;
    (void)worker;
    memset(s->job->pi + offset[0], 0, (size_t)(offset[1] - offset[0]) * sizeof *s->job->pi);
}

/* All probability in the initial state, and a few sweeps from there.  The long run of most models
 * is near it: a uniform start would first have to empty states that are far from it. */
static PepaStatus start_initial(Solving *s)
{
    const double half = 0.5;
    const Diagram *d = s->job->chain->diagram;
    BlocksWorkspace work = {0};
    bool ok = blocks_workspace_init(&work, &s->blocks, s->job->set->threads);
    if (ok) {
        blocks_each(&work, &s->blocks, clear_block, s);
        s->job->pi[d->offset[d->initial_upper] + d->initial_lower] = 1;
    }
    for (int32_t k = 0; k < START_SWEEPS && ok; k++)
        blocks_sweep(&s->blocks, s->job->pi, half, &work, NULL, NULL);
    blocks_workspace_free(&work);
    return ok ? PEPA_OK : error_memory(s->job->err);
}

static void start_equal(Solving *s)
{
    int64_t n = states_of(s);
    for (int64_t i = 0; i < n; i++)
        s->job->pi[i] = 1 / (double)n;
}

static PepaStatus sweep(Solving *s, PepaMethod method, double patience)
{
    Outcome out = {0};
    s->control.why = method == PEPA_AUTO ? PEPA_TRIED_BLOCKS : PEPA_TRIED_REQUESTED;
    PepaStatus status = solve_blocks(&s->blocks, method, s->job->set->threads, patience,
                                     &s->control, s->job->pi, &out, s->job->err);
    s->control.left = out.left;
    s->control.done = out.iterations;
    s->job->info->method = out.method;
    s->job->info->iterations = out.iterations;
    s->job->info->residual = out.residual;
    s->job->info->matrix = "free";
    if (outcome_caution(&out)[0])
        s->job->info->caution = outcome_caution(&out);
    return status;
}

/* The matrix by rows, and the vector that goes with it. */
static double bytes_by_rows(const Solving *s)
{
    const double state = 3 * sizeof(double);
    return flow_entry_bytes(s->job->set->solve.matrix, (double)s->blocks.entries) +
           state * (double)states_of(s);
}

static PepaStatus make_rows(Solving *s)
{
    double start = clock_seconds();
    PepaStatus status =
        flow_from_blocks(&s->flow, s->job->set->solve.matrix, &s->control, &s->blocks, s->job->err);
    s->job->info->matrix_seconds += clock_seconds() - start;
    if (status == PEPA_OK && s->control.evidence) {
        PepaMatrixForm form = s->flow.code ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
        s->control.evidence->entries = s->flow.row[s->flow.n];
        s->control.evidence->bytes = flow_entry_bytes(form, (double)s->flow.row[s->flow.n]);
    }
    return status;
}

/* The rows in an order that suits methods by rows.  *order: as RowOrder has it, the caller's, or
 * NULL: that of the sets, or its reverse. */
static PepaStatus order_rows(Solving *s, int32_t **order)
{
    const Diagram *d = s->job->chain->diagram;
    const int32_t n = s->flow.n, initial = (int32_t)d->offset[d->initial_upper] + d->initial_lower;
    const bool up = s->blocks.up;
    double start = clock_seconds();
    ChosenOrder chosen;
    PepaStatus status =
        flow_order_by_search(&s->flow, up ? initial : n - 1 - initial,
                             budget_left(s->control.memory, bytes_by_rows(s)), order, &chosen);
    for (int32_t i = 0; *order && !up && i < n; i++)
        (*order)[i] = n - 1 - (*order)[i];
    if (*order && chosen.backward <= OTHER_FLOW * diagram_order(d).backward)
        s->control.left = 0; /* sweeps over sets say little of sweeps in this order */
    if (*order && s->control.evidence) {
        s->control.evidence->order = chosen.by;
        s->control.evidence->reversed = chosen.reversed;
        s->control.evidence->backward = chosen.backward;
    }
    s->job->info->matrix_seconds += clock_seconds() - start;
    return status == PEPA_OK ? status : error_memory(s->job->err);
}

/* Write the matrix by rows, if it is not there, and solve it. */
static PepaStatus solve_by_rows(Solving *s, PepaMethod method)
{
    PepaStatus status = error_by_rows(s->job->err, states_of(s),
                                      "the matrix by rows (which sor and gauss-seidel do without)");
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(s->control.memory, bytes_by_rows(s)))
        return budget_exceeded(s->job->err, bytes_by_rows(s), s->control.memory,
                               "the matrix by rows (which sor and gauss-seidel do without)");
    status = s->flow.row ? PEPA_OK : make_rows(s);
    if (status != PEPA_OK)
        return status;
    int32_t *order = NULL;
    double *y = NULL;
    status = order_rows(s, &order);
    Control control = s->control;
    control.memory = budget_left(control.memory, bytes_by_rows(s));
    if (status == PEPA_OK && !mem_new(y, s->flow.n))
        status = error_memory(s->job->err);
    if (status == PEPA_OK)
        status = steady_solve_flow(s->job, &s->flow, (RowOrder){order, !s->blocks.up}, method,
                                   &control, 1, true, y, s->job->pi);
    mem_free_all(order, y);
    return status;
}

/* Sweeps may get the shares of groups wrong that only rare jumps join; methods on the matrix by
 * rows do better.  *jumps == RARE_BETWEEN: there are such groups, and s->flow is that matrix.
 * The sets of states usually rule it out; otherwise a large matrix is not written, but cautioned
 * against. */
static PepaStatus check_decomposable(Solving *s, bool large, RareJumps *jumps)
{
    PepaStatus status =
        diagram_rare_jumps(s->job->chain->diagram, s->job->value, &s->blocks, jumps, s->job->err);
    if (status != PEPA_OK || *jumps != RARE_BETWEEN)
        return status;
    *jumps = RARE_WITHIN;
    if (large) {
        s->job->info->caution = decomposable_suspicion;
        return PEPA_OK;
    }
    status = make_rows(s);
    if (status != PEPA_OK)
        return status;
    Flow view = flow_view(&s->flow, NULL);
    if (flow_nearly_decomposable(&view))
        *jumps = RARE_BETWEEN;
    else
        flow_free(&s->flow);
    return PEPA_OK;
}

static bool stays_matrix_free(const Solving *s)
{
    return s->job->set->solve.matrix == PEPA_MATRIX_FREE || states_of(s) > ERROR_MOST_STATES ||
           (double)s->blocks.entries > MOST_ENTRIES ||
           !budget_allows(s->control.memory, bytes_by_rows(s));
}

static const char *left_to_do(Solving *s, RareJumps jumps)
{
    return sets_left_to_do(s->job, &s->blocks, s->job->pi, s->control.memory, jumps);
}

/* Where there is no memory for rows: sweeps over sets, to the end. */
static PepaStatus sweep_on(Solving *s, RareJumps jumps)
{
    trail_add(s->job->info->trail, sizeof s->job->info->trail, "%s", s->job->err->message);
    flow_free(&s->flow);
    s->control.left = 0;
    PepaStatus status = start_initial(s);
    if (status == PEPA_OK)
        status = sweep(s, PEPA_AUTO, HUGE_VAL);
    if (status == PEPA_OK && !left_to_do(s, jumps)[0] && jumps == RARE_BETWEEN)
        s->job->info->caution = decomposable_suspicion;
    return status;
}

static PepaStatus choose(Solving *s)
{
    const bool large = stays_matrix_free(s);
    RareJumps jumps;
    PepaStatus status = check_decomposable(s, large, &jumps);
    if (status != PEPA_OK)
        return status;
    if (jumps != RARE_BETWEEN) {
        const double by_rows = BY_ROWS * ((double)s->blocks.entries + (double)states_of(s));
        status = sweep(s, PEPA_AUTO, large ? HUGE_VAL : by_rows);
        const char *left = status == PEPA_OK ? left_to_do(s, jumps) : "";
        if (large || (status == PEPA_OK && !left[0]) ||
            (status != PEPA_OK && status != PEPA_ENOCONV))
            return status;
        s->job->info->caution = "";
        if (left[0])
            trail_add(s->job->info->trail, sizeof s->job->info->trail, "sweeps left %s", left);
        else
            trail_add(s->job->info->trail, sizeof s->job->info->trail, "%s", s->job->err->message);
    }
    status = solve_by_rows(s, PEPA_AUTO);
    const bool refused = status == PEPA_ELIMIT && s->job->err->limit == PEPA_LIMIT_MEMORY;
    return refused ? sweep_on(s, jumps) : status;
}

static PepaStatus sweep_by_method(Solving *s, PepaMethod method)
{
    RareJumps jumps = NO_RARE_JUMPS;
    PepaStatus status = sweep(s, method, HUGE_VAL);
    if (status == PEPA_OK)
        status = check_decomposable(s, stays_matrix_free(s), &jumps);
    if (status == PEPA_OK && !left_to_do(s, jumps)[0] && jumps == RARE_BETWEEN) {
        Flow view = flow_view(&s->flow, NULL);
        Outcome out = {.method = s->job->info->method};
        s->job->info->caution = flow_caution(&view, NULL, &out, s->job->set->solve.tolerance, NULL);
    }
    return status;
}

static PepaStatus by_method(Solving *s)
{
    PepaMethod method = s->job->set->solve.method;
    bool by_rows = s->job->set->solve.matrix == PEPA_MATRIX_EXPLICIT ||
                   s->job->set->solve.matrix == PEPA_MATRIX_COMPACT;
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
    return swept ? sweep_by_method(s, method) : solve_by_rows(s, method);
}

static double sets_bytes_kept(const Chain *c)
{
    return diagram_bytes(c->diagram) + (double)c->state_count * sizeof(double);
}

static double sets_bytes_needed(const Chain *c, const PepaSettings *set)
{
    (void)set;
    return blocks_bytes(NULL, c->diagram);
}

static PepaStatus sets_solve(void *space, const SteadyJob *job, int32_t bottom, double weight)
{
    const Chain *c = job->chain;
    Solving s = {.job = job};
    char states[NUMBER_SIZE];
    (void)space;
    (void)bottom; /* all states are one component, */
    (void)weight; /* and so this is 1 */
    double start = clock_seconds();
    PepaStatus status = blocks_build(&s.blocks, c->diagram, job->value, job->err);
    job->info->matrix_seconds = clock_seconds() - start;
    if (status != PEPA_OK)
        return status;
    double taken = sets_bytes_kept(c) + blocks_bytes(&s.blocks, c->diagram);
    s.control = stricter_control(job->set, budget_left(job->set->memory, taken));
    s.control.keeper = job->keeper;
    if (job->set->evidence) {
        const ChosenOrder chosen = diagram_order(c->diagram);
        s.control.evidence = &job->set->evidence->solve;
        evidence_begin(s.control.evidence, &chosen, s.blocks.entries,
                       blocks_bytes(&s.blocks, c->diagram));
    }
    if (budget_allows(job->set->memory, taken))
        status = by_method(&s);
    else
        status = budget_exceeded(job->err, taken, job->set->memory, "solving for %s states",
                                 number_grouped(c->state_count, states));
    flow_free(&s.flow);
    blocks_free(&s.blocks);
    return status;
}

static int32_t sets_order(const Chain *c, const void *space, int32_t bottom, int32_t *order)
{
    const int32_t n = (int32_t)c->state_count;
    (void)space;
    (void)bottom; /* sets are all one */
    for (int32_t i = 0; order && i < n; i++)
        order[i] = diagram_goes_up(c->diagram) ? i : n - 1 - i;
    return n;
}

const SteadyForm steady_by_sets = {.solve = sets_solve,
                                   .order = sets_order,
                                   .bytes_kept = sets_bytes_kept,
                                   .bytes_needed = sets_bytes_needed};
