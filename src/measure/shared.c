/* The long run by many processes, which sweep as one would. */
#include "measure/shared.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/processes.h"
#include "base/trail.h"
#include "ctmc/explore/tuning.h"
#include "measure/blocks_build.h"
#include "measure/certificate.h"
#include "measure/keep.h"
#include "measure/longrun.h"
#include "measure/measures.h"
#include "measure/sets_left.h"
#include "measure/shared_flow.h"
#include "measure/shared_rows.h"

void shared_sum(const Shared *s, double *x, int32_t n)
{
    chain_sum(&s->part, x, n);
}

/* ---- one part -------------------------------------------------------------------------------- */

void shared_free(Shared *s)
{
    for (int32_t i = 0; s->step && i < s->sharing.steps; i++)
        if (s->step[i].exchange)
            s->processes->close(s->processes->user, s->step[i].exchange);
    void *const exchange[] = {s->sharing.everything, s->sharing.kept};
    for (int32_t i = 0; i < 2; i++)
        if (exchange[i])
            s->processes->close(s->processes->user, exchange[i]);
    mem_free(s->step);
    diagram_share_free(&s->share);
    mem_free_all(s->pi, s->parts, s->bottom);
    spread_potential_free(s->potential);
    spread_ends_free(&s->ends);
    *s = (Shared){0};
}

static bool open_exchanges(Shared *s)
{
    const PepaProcesses *p = s->processes;
    const DiagramShare *share = &s->share;
    bool ok = mem_new_zeroed(s->step, share->steps);
    const Diagram *part = &share->part;
    s->sharing = (BlocksShare){.processes = p,
                               .everything = p->open(p->user, &share->states),
                               .kept = p->open(p->user, &share->kept_states),
                               .copies = &share->states,
                               .passes = share->passes,
                               .steps = share->steps,
                               .step = s->step,
                               .blocks = part->upper_count,
                               .own = part->own,
                               .copy = share->copy,
                               .copies_kept = share->kept,
                               .at = share->at,
                               .swept = share->swept};
    for (int32_t i = 0; i < share->steps && ok; i++) {
        const ShareStep *from = &share->step[i];
        BlocksStep *to = &s->step[i];
        *to = (BlocksStep){from->first, from->count, from->need, from->need_count, NULL};
        if (from->exchange.partner_count > 0)
            ok = (to->exchange = p->open(p->user, &from->exchange)) != NULL;
    }
    return ok && s->sharing.everything && s->sharing.kept;
}

static PepaStatus take_part(Shared *s, const Chain *chain, const PepaProcesses *p, int64_t memory,
                            PepaError *err)
{
    const double each = 2 * sizeof(double); /* bytes of a state, with copies */
    const double need = each * (double)chain->state_count;
    PepaStatus status = processes_parts(p, need, memory, &s->parts, err);
    if (status != PEPA_OK)
        return status;
    s->processes = p;
    const ShareCosts costs = share_costs_between(p->latency, p->byte);
    const bool ok = diagram_share_new(&s->share, chain->diagram, p->rank,
                                      (ShareParts){p->count, s->parts}, &costs);
    s->part = *chain;
    s->part.diagram = &s->share.part;
    s->part.state_count = s->own = s->share.own;
    s->copies = s->share.all - s->share.own;
    status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK && !open_exchanges(s))
        status = error_memory(err);
    s->held = (ChainShare){p, s->sharing.everything, s->share.all};
    s->part.share = &s->held;
    return processes_agree(p, status, err);
}

static void take_rows(Shared *s, const Chain *chain, const PepaProcesses *p)
{
    s->processes = p;
    s->part = *chain;
    s->own = chain->state_count;
    s->held = (ChainShare){p, NULL, s->own};
    s->part.share = &s->held;
}

static PepaStatus not_shared(PepaError *err)
{
    return error_limit(
        err, PEPA_EARG, PEPA_LIMIT_MATRIX,
        "processes share chains that are kept as sets; this one is kept by rows, which "
        "a process handles alone: pepa_solve_steady, pepa_transient_measures");
}

PepaStatus shared_part_new(Shared *s, const Chain *chain, const PepaProcesses *p, int64_t memory,
                           PepaError *err)
{
    if (chain->row && !chain->spread)
        return not_shared(err);
    if (chain->diagram && !chain->spread)
        return take_part(s, chain, p, memory, err);
    take_rows(s, chain, p);
    return PEPA_OK;
}

/* With a vector, of which sweeps use the beginning: the rest takes no memory until then. */
static PepaStatus begin(Shared *s, const SteadyJob *job, const PepaProcesses *p)
{
    PepaError *err = job->err;
    PepaStatus status = shared_part_new(s, job->chain, p, job->set->memory, err);
    if (status == PEPA_OK && !mem_new_zeroed(s->pi, chain_entries(&s->part)))
        status = error_memory(err);
    status = processes_agree(p, status, err);
    if (status == PEPA_OK && s->part.diagram)
        mem_touch(s->pi, (size_t)s->sharing.swept * sizeof *s->pi);
    return status;
}

/* What was kept; or all probability in the initial state, and a few sweeps from there, as one process
 * begins. */
static PepaStatus start(Shared *s, const Keep *keep, const Blocks *blocks, int32_t threads,
                        PepaError *err)
{
    const double half = 0.5;
    const Diagram *d = &s->share.part;
    BlocksWorkspace work = {0};
    bool loaded;
    const PepaStatus status =
        processes_agree(s->processes, keep_load(keep, s->pi, &loaded, err), err);
    if (status == PEPA_OK && loaded)
        blocks_renew(blocks, s->pi);
    if (status != PEPA_OK || loaded)
        return status;
    const bool ok = blocks_agree(blocks, blocks_workspace_init(&work, blocks, threads));
    if (ok && d->place[d->initial_upper] >= 0) /* or a copy of it */
        s->pi[d->place[d->initial_upper] + d->initial_lower] = 1;
    if (ok)
        blocks_renew(blocks, s->pi);
    for (int32_t k = 0; k < START_SWEEPS && ok; k++)
        blocks_sweep(blocks, s->pi, half, &work, NULL, NULL);
    blocks_finish(blocks);
    blocks_workspace_free(&work);
    return ok ? PEPA_OK : error_memory(err);
}

static PepaStatus check_decomposable(const Blocks *blocks, const SteadyJob *job, RareJumps *jumps)
{
    PepaStatus status =
        diagram_rare_jumps(job->chain->diagram, job->value, blocks, jumps, job->err);
    if (status == PEPA_OK && *jumps == RARE_BETWEEN)
        job->info->caution = decomposable_suspicion;
    return status;
}

static PepaStatus sweep(Shared *s, const Blocks *blocks, const SteadyJob *job, double patience,
                        Control *control)
{
    Outcome out = {0};
    PepaStatus status = solve_blocks(blocks, job->set->solve.method, job->set->threads, patience,
                                     control, s->pi, &out, job->err);
    control->left = out.left;
    control->done += out.iterations;
    job->info->method = out.method ? out.method : "none";
    job->info->precondition = "none";
    job->info->iterations = out.iterations;
    job->info->residual = out.residual;
    job->info->matrix = "free";
    if (outcome_caution(&out)[0])
        job->info->caution = outcome_caution(&out);
    return status;
}

/* What sweeps may take before rows are worth their while, of all processes; HUGE_VAL: any time. */
static double patience_of(const Shared *s, const Blocks *blocks, const SteadyJob *job,
                          int64_t memory)
{
    const PepaSolve *set = &job->set->solve;
    const bool may =
        set->method == PEPA_AUTO && set->matrix != PEPA_MATRIX_FREE &&
        budget_allows(memory, shared_flow_bytes(blocks) + blocks_passing_bytes(blocks));
    double work[] = {(double)blocks->entries, (double)s->own};
    blocks_sum(blocks, work, 2);
    const bool all = blocks_agree(blocks, may) && work[0] <= MOST_ENTRIES;
    return all ? BY_ROWS_SHARED * (work[0] + work[1]) : HUGE_VAL;
}

/* Sweeps; or rows, where many seem to be left; and sweeps after all, where that does not do. */
static PepaStatus iterate(Shared *s, const Blocks *blocks, const SteadyJob *job, int64_t memory,
                          RareJumps jumps)
{
    Control control = stricter_control(job->set, memory);
    Keep keep;
    control.keeper = keep_init_part(&keep, job->set->solve.keeping, &s->share.part, s->processes);
    PepaStatus status = start(s, &keep, blocks, job->set->threads, job->err);
    const double patience = patience_of(s, blocks, job, memory);
    if (status == PEPA_OK)
        status = sweep(s, blocks, job, patience, &control);
    if (status == PEPA_OK)
        (void)sets_left_to_do(job, blocks, s->pi, memory, jumps);
    if (status != PEPA_ENOCONV || control.left == 0)
        return status;
    trail_add(job->info->trail, sizeof job->info->trail, "%s", job->err->message);
    SteadyJob rows = *job;
    rows.pi = s->pi;
    control.memory = budget_left(control.memory, blocks_passing_bytes(blocks));
    status = shared_flow_solve(&rows, blocks, &s->share.states, &control);
    if (status != PEPA_ENOCONV && status != PEPA_ELIMIT)
        return status;
    trail_add(job->info->trail, sizeof job->info->trail, "%s", job->err->message);
    status = sweep(s, blocks, job, HUGE_VAL, &control);
    if (status == PEPA_OK)
        (void)sets_left_to_do(job, blocks, s->pi, memory, jumps);
    return status;
}

/* The balance equations evaluated afresh, from the diagram. */
static PepaStatus certify(const Shared *s, const SteadyJob *job)
{
    Operator *op = NULL;
    const PepaProcesses *p = s->processes;
    PepaStatus status = operator_new(&op, &s->part, NULL, job->set->threads, NULL, job->err);
    status = processes_agree(p, status, job->err);
    if (status == PEPA_OK) {
        chain_receive(&s->part, s->pi);
        const Certificate found = certificate_of(op, job->value, s->pi, p);
        job->info->residual = found.residual;
        status = certificate_check(&found, job->set->solve.tolerance, PEPA_ENOCONV,
                                   job->info->method, job->err);
    }
    operator_free(op);
    return status;
}

static PepaStatus solve(Shared *s, const SteadyJob *job)
{
    const PepaProcesses *p = s->processes;
    Blocks blocks;
    char states[NUMBER_SIZE];
    RareJumps jumps = NO_RARE_JUMPS;
    const double start = clock_seconds();
    PepaStatus status = blocks_build_share(&blocks, &s->share, job->value, job->err);
    const double taken = diagram_bytes(&s->share.part) + (double)s->share.all * sizeof(double) +
                         (status == PEPA_OK ? blocks_bytes(&blocks, &s->share.part) : 0);
    job->info->matrix_seconds = clock_seconds() - start;
    if (status == PEPA_OK && !budget_allows(job->set->memory, taken))
        status = budget_exceeded(job->err, taken, job->set->memory, "solving for %s states",
                                 number_grouped(s->share.own, states));
    const bool built = status == PEPA_OK || status == PEPA_ELIMIT;
    blocks.share = &s->sharing;
    status = processes_agree(p, status, job->err);
    if (status == PEPA_OK)
        status = processes_agree(p, check_decomposable(&blocks, job, &jumps), job->err);
    if (status == PEPA_OK)
        status =
            iterate(s, &blocks, job,
                    budget_left(job->set->memory, taken - blocks_passing_bytes(&blocks)), jumps);
    if (built)
        blocks_free(&blocks);
    return processes_agree(p, status, job->err);
}

static PepaStatus solve_sets(Shared *s, const SteadyJob *job, const PepaProcesses *p)
{
    PepaStatus status = begin(s, job, p);
    return status == PEPA_OK ? solve(s, job) : status;
}

static PepaStatus solve_rows(Shared *s, SteadyJob *job, const PepaProcesses *p)
{
    PepaStatus status = begin(s, job, p);
    job->pi = s->pi;
    return status == PEPA_OK ? shared_rows_solve(job, &s->ends, &s->bottom, &s->copies) : status;
}

bool shared_is_for_one(const Chain *chain, const PepaProcesses *p, const PepaSettings *set)
{
    return p->latency > 0 && !chain->spread && set->derive.explore == PEPA_EXPLORE_AUTO &&
           chain->state_count <= chain_few_to_share(p) &&
           processes_count(p, longrun_check_memory(chain, set, NULL) == PEPA_OK) == p->count;
}

PepaStatus shared_for_one(const PepaProcesses *p, PepaError *err)
{
    char few[NUMBER_SIZE];
    return error_limit(err, PEPA_EARG, PEPA_LIMIT_MATRIX,
                       "processes share sets of more than %s states, or those that "
                       "explore=symbolic asks for; fewer a "
                       "process handles as soon alone: pepa_solve_steady, pepa_transient_measures",
                       number_grouped(chain_few_to_share(p), few));
}

/* One process solves sets of few states as soon, and by rows where sweeps leave groups of them out of balance. */
static bool suits_one(const Chain *chain, const PepaProcesses *p, const PepaSettings *set)
{
    return set->derive.explore == PEPA_EXPLORE_AUTO && set->solve.method == PEPA_AUTO &&
           set->solve.matrix == PEPA_MATRIX_AUTO && !set->solve.keeping &&
           (chain->state_count <= FEW_TO_SHARE || shared_is_for_one(chain, p, set));
}

/* What all processes see alike. */
static PepaStatus check(const Chain *chain, const PepaProcesses *p, const PepaSettings *set,
                        PepaError *err)
{
    const PepaMethod method = set->solve.method;
    if (chain->spread && !flow_method_is_shared(method))
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_METHOD,
                           "processes share the methods auto, gauss-seidel and bicgstab for chains "
                           "by rows, not %s",
                           pepa_method_name(method));
    if (chain->spread && set->solve.precondition == PEPA_PRECONDITION_MULTILEVEL)
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_METHOD,
                           "processes do not share multilevel preconditioning");
    if (chain->spread)
        return PEPA_OK;
    if (chain->row)
        return not_shared(err);
    if (method != PEPA_AUTO && method != PEPA_GAUSS_SEIDEL && method != PEPA_SOR)
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_METHOD,
                           "processes share the methods auto, gauss-seidel and sor, not %s",
                           pepa_method_name(method));
    if (suits_one(chain, p, set))
        return shared_for_one(p, err);
    return PEPA_OK;
}

PepaStatus shared_solve(Shared *out, const Chain *chain, const PepaProcesses *processes,
                        const PepaSettings *set, PepaInfo *info, PepaError *err)
{
    PepaError unseen;
    PepaInfo found = info_unsolved(set, "none");
    SteadyJob job = {.chain = chain,
                     .value = chain->now.term,
                     .forced = chain->now.forced,
                     .set = set,
                     .info = &found,
                     .err = err ? err : &unseen};
    const double start = clock_seconds();
    PepaStatus status = check(chain, processes, set, job.err);
    if (status == PEPA_OK)
        status =
            chain->spread ? solve_rows(out, &job, processes) : solve_sets(out, &job, processes);
    if (status == PEPA_OK)
        status = certify(out, &job);
    if (status == PEPA_ENOCONV)
        longrun_advise(&job, "", set->solve.method != PEPA_AUTO);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    return status;
}

/* ---- measures -------------------------------------------------------------------------------- */

void shared_action_flow(const Shared *s, double *flow)
{
    chain_action_flow(&s->part, s->part.now.term, s->pi, flow);
    shared_sum(s, flow, s->part.action_count);
}

PepaStatus shared_mean_counts(const Shared *s, const int32_t *offset, double *mean, PepaError *err)
{
    const int32_t n = offset[s->part.system->position_count];
    memset(mean, 0, (size_t)n * sizeof *mean);
    PepaStatus status = chain_mean_counts(&s->part, offset, s->pi, mean, err);
    status = processes_agree(s->processes, status, err);
    if (status == PEPA_OK) {
        shared_sum(s, mean, n);
        measure_restore_copies(s->part.system, offset, mean);
    }
    return status;
}

PepaStatus shared_values(const Shared *s, const Expressions *e, double *value, PepaError *err)
{
    const int32_t n = expressions_functionals(e);
    double *mean = mem_alloc((size_t)n, sizeof *mean);
    PepaStatus status =
        mean ? expressions_means(e, &s->part.now, s->pi, mean, err) : error_memory(err);
    status = processes_agree(s->processes, status, err);
    if (status == PEPA_OK) {
        shared_sum(s, mean, n);
        status = expressions_combine(e, &s->part.now, mean, value, err);
        status = processes_agree(s->processes, status, err);
    }
    mem_free(mean);
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

PepaStatus shared_encloser(Shared *s, const PepaSettings *set, Encloser *out, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (!s->part.spread)
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_MATRIX,
                           "processes share bounds of chains by rows; this one is kept as sets");
    if (!s->potential) {
        s->view = s->part;
        s->view.bottom = s->bottom;
        s->view.bottom_count = s->ends.count;
        status = spread_potential_new(&s->potential, &s->view, s->pi, set, err);
    }
    *out = (Encloser){&s->view, NULL, s->potential};
    return status;
}
