/* Nearly decomposable chains: the shares of groups of states that only rare jumps join. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/scc.h"
#include "solvers/multilevel/mixing.h"

/* In the order in which they are tried. */
typedef enum { BY_SWEEPS, EXACTLY, BY_CYCLES } Way;

typedef struct {
    const Flow *flow;
    double *y;
    int32_t *group, groups;  /* per state: its group; how many there are */
    int32_t *closed, count;  /* per state: the closed group that it is put to; how many there are */
    int32_t *joined;         /* the same per group */
    double *residual, *mass; /* scratch: n entries; two per group */
    double *old;             /* n: y a round ago */
    Way way;                 /* how flows within groups are evened out */
    Inside inside;           /* the closed groups, if they were solved exactly */
    Kept kept;               /* groups of cycles, if there were any */
    Mixing mixing;           /* of rounds that began when flows were nearly right */
    Coarse chain;            /* of the closed groups, if it was made */
    int32_t *slot;           /* as of coarse_new for it; NULL: it is made again each time */
} Coupling;

/* Groups: strongly connected by common jumps.  False: memory is out. */
static bool find_groups(Coupling *c)
{
    const Flow *flow = c->flow;
    Graph graph = {.n = flow->n};
    int64_t *row = NULL, count = 0;
    int32_t *target = NULL;
    bool ok = mem_new(row, (size_t)flow->n + 1) && mem_new(target, flow->row[flow->n]);
    for (int32_t i = 0; i < flow->n && ok; i++) {
        row[i] = count;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            if (flow_val(flow, k) >= RARE_JUMP)
                target[count++] = flow->col[k];
        row[i + 1] = count;
    }
    graph.row = row;
    graph.target = target;
    ok = ok && scc_find(&graph, c->group, &c->groups, NULL) == PEPA_OK;
    mem_free_all(row, target);
    return ok;
}

/* A group that common jumps leave is put to the one that most flows into: what is left at rates so
 * high shares what flows in from rare jumps, and hardly matters for the shares of the others.
 * Groups are numbered so that common jumps go to larger numbers.  False: memory is out. */
static bool close_groups(Coupling *c)
{
    const Flow *flow = c->flow;
    double *most = NULL;
    const bool ok = mem_new(c->joined, c->groups) && mem_new_zeroed(most, c->groups);
    int32_t *into = c->joined; /* at first, per group: the one that most flows into */
    for (int32_t g = 0; ok && g < c->groups; g++)
        into[g] = -1;
    for (int32_t i = 0; ok && i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const int32_t from = c->group[flow->col[k]], to = c->group[i];
            const double chance = flow_val(flow, k), much = chance * c->y[flow->col[k]];
            if (from != to && chance >= RARE_JUMP && (into[from] < 0 || much > most[from])) {
                most[from] = much;
                into[from] = to;
            }
        }
    for (int32_t g = c->groups - 1; ok && g >= 0; g--)
        into[g] = into[g] < 0 ? c->count++ : into[into[g]];
    for (int32_t i = 0; ok && i < flow->n; i++)
        c->closed[i] = into[c->group[i]];
    mem_free(most);
    return ok;
}

/* The largest residual of a group (+inf: a number is not finite), relative to what flows through it, or to what leaves its closed
 * group for others, if that is more: below that it does not matter for any share.  Groups through
 * which next to nothing flows are left out. */
static double group_residual(const Coupling *c)
{
    double most = 0, *sum = c->mass, *off = c->mass + c->groups;
    memset(c->mass, 0, 2 * (size_t)c->groups * sizeof *c->mass);
    if (!isfinite(flow_defect(c->flow, c->y, c->residual)))
        return HUGE_VAL;
    for (int32_t i = 0; i < c->flow->n; i++) {
        sum[c->group[i]] += c->y[i];
        off[c->group[i]] += fabs(c->residual[i]);
    }
    for (int32_t g = 0; g < c->groups; g++) {
        const double flow = fmax(sum[g], c->chain.y[c->joined[g]]);
        if (sum[g] > NEXT_TO_NOTHING && !(off[g] <= most * flow))
            most = off[g] / flow;
    }
    return most;
}

/* The chain of the closed groups, at the rates of now. */
static PepaStatus make_chain(Coupling *c)
{
    if (c->chain.row && c->slot) {
        coarse_renew(&c->chain, c->flow, c->y, c->slot);
        return PEPA_OK;
    }
    coarse_free(&c->chain);
    if (c->flow->row[c->flow->n] <= INT32_MAX && !mem_new(c->slot, c->flow->row[c->flow->n]))
        return PEPA_ENOMEM;
    return coarse_new(&c->chain, c->flow, c->y, c->closed, c->count, c->slot);
}

/* Give the groups the shares that the chain of the groups has, at the rates that y gives it.
 *   *change  the most that a share has changed, as a part of itself
 * PEPA_OK, PEPA_ENOMEM, or what elimination returns. */
static PepaStatus share_out(Coupling *c, const Control *control, double *change)
{
    const Coarse *chain = &c->chain;
    double *z = NULL, before = 0, after = 0;
    Outcome out;
    PepaStatus status = make_chain(c);
    if (status == PEPA_OK && !mem_new(z, c->count))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK) {
        memcpy(z, chain->y, (size_t)c->count * sizeof *z);
        status = attempt_run(&method_gth, &chain->flow, control, z, &out, NULL);
    }
    *change = 0;
    for (int32_t g = 0; g < c->count && status == PEPA_OK; g++) {
        before += chain->y[g];
        after += z[g];
    }
    for (int32_t g = 0; g < c->count && status == PEPA_OK; g++) {
        z[g] = z[g] / after * before / chain->y[g];
        if (chain->y[g] > NEXT_TO_NOTHING)
            *change = fmax(*change, fabs(z[g] - 1));
    }
    for (int32_t i = 0; i < c->flow->n && status == PEPA_OK; i++)
        c->y[i] *= z[c->closed[i]];
    mem_free(z);
    return status;
}

/* PEPA_ELIMIT: it would take too much work or memory. */
static PepaStatus solve_inside(Coupling *c, const Control *control, Attempt *try)
{
    PepaStatus status = PEPA_OK;
    if (!c->inside.first)
        status = inside_new(&c->inside, c->flow, c->closed, c->count);
    return status == PEPA_OK ? inside_solve(&c->inside, control, try, c->y) : status;
}

/* A cycle; with groups that are kept once the flows are nearly `right`. */
static PepaStatus cycle(Coupling *c, bool right)
{
    if (!right)
        return cycle_groups(c->flow, CYCLE_V, c->y);
    flows_lift(c->flow->n, c->y);
    return kept_cycle(&c->kept, c->flow, c->y);
}

static PepaStatus smooth(Coupling *c, const Control *control, Attempt *try, bool right)
{
    if (c->way == BY_SWEEPS) {
        for (int32_t k = 0; k < COUPLING_SWEEPS; k++)
            (void)flow_sweep(c->flow, c->y);
        return PEPA_OK;
    }
    PepaStatus status = PEPA_ELIMIT;
    if (c->way == EXACTLY)
        status = solve_inside(c, control, try);
    if (status == PEPA_ECANCEL)
        try->status = status;
    if (status == PEPA_ELIMIT) {
        c->way = BY_CYCLES;
        status = cycle(c, right);
    }
    return status;
}

/* The way of the next round, by what this one has left of the residual. */
static void choose_way(Coupling *c, double before, double residual)
{
    const Way way = c->way;
    if (c->way == BY_SWEEPS && !(residual <= SWEEPS_FALL * before))
        c->way = c->count > 1 && c->count <= c->flow->n / INSIDE_FEWEST ? EXACTLY : BY_CYCLES;
    else if (c->way == EXACTLY && !(residual <= INSIDE_FALL * before))
        c->way = BY_CYCLES;
    if (c->way != way)
        mixing_forget(&c->mixing);
}

/* What the last rounds say together, to go on with.  False: it is no flow. */
static bool mix(Coupling *c)
{
    (void)mixing_step(&c->mixing, c->old, c->y);
    const bool ok = flow_normalise(c->flow, c->y);
    flows_lift(c->flow->n, c->y);
    return ok;
}

/* Is the whole chain in balance as well, at the tolerance?  Long stays weigh more there than in groups. */
static bool balanced(const Coupling *c, double tolerance)
{
    double residual;
    return flow_criterion(c->flow, c->y, &residual) <= tolerance;
}

static bool couple_groups(Attempt *try, double *y)
{
    const Control exact = {.tolerance = try->control->tolerance,
                           .memory = try->control->memory,
                           .work = COUPLING_WORK};
    Coupling c = {.flow = try->flow, .y = y};
    double *vectors = NULL, change = HUGE_VAL, residual = HUGE_VAL;
    double least = HUGE_VAL, calmest = HUGE_VAL; /* residual and change so far */
    int32_t idle = 0; /* rounds since one of them was last clearly less than ever */
    const double enough = fmin(COUPLED, SHARE_OF_TOLERANCE * try->control->tolerance);
    bool ok = mem_new(c.group, c.flow->n) && mem_new(c.closed, c.flow->n) &&
              mem_new(c.residual, c.flow->n) && mem_new(c.old, c.flow->n) && find_groups(&c) &&
              mem_new(c.mass, 2 * (size_t)c.groups);
    const double mixing = MIXING_VECTORS * (double)c.flow->n * sizeof *vectors;
    if (budget_allows(try->control->memory, levels_bytes(c.flow) + mixing) &&
        mem_new(vectors, MIXING_VECTORS * (size_t)c.flow->n))
        c.mixing = mixing_start(c.flow, vectors);
    if (ok)
        flows_lift(c.flow->n, y);
    ok = ok && close_groups(&c);
    bool settled = false, right = false;
    while (ok && !settled && idle < COUPLING_IDLE) {
        const double before = residual;
        memcpy(c.old, y, (size_t)c.flow->n * sizeof *y);
        ok = attempt_step(try, c.way == BY_SWEEPS ? COUPLING_SWEEPS : CYCLE_PASSES, residual) &&
             share_out(&c, &exact, &change) == PEPA_OK && smooth(&c, &exact, try, right) == PEPA_OK;
        residual = ok ? group_residual(&c) : HUGE_VAL;
        const bool calmer = change > COUPLED && change <= COUPLING_FALL * calmest;
        idle = residual <= COUPLING_FALL * least || calmer ? 0 : idle + 1;
        least = fmin(least, residual);
        calmest = fmin(calmest, change);
        settled =
            ok && change <= COUPLED && residual <= enough && balanced(&c, try->control->tolerance);
        right = fmax(change, residual) <= NEARLY_RIGHT;
        if (ok && !settled && right && vectors)
            ok = mix(&c);
        if (!settled)
            choose_way(&c, before, residual);
    }
    inside_free(&c.inside);
    kept_free(&c.kept);
    coarse_free(&c.chain);
    mem_free_all(c.group, c.closed, c.residual, c.mass, c.old, c.slot, c.joined, vectors);
    return settled;
}

void settle_groups(Attempt *try)
{
    double *x = NULL;
    if (!mem_new(x, try->flow->n)) {
        try->status = PEPA_ENOMEM;
        return;
    }
    memcpy(x, try->y, (size_t)try->flow->n * sizeof *x);
    const bool settled = couple_groups(try, x);
    (void)attempt_answer(try, x);
    try->coupled = settled && attempt_met(try);
    mem_free(x);
}
