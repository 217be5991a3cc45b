/* Steady states of a chain whose states are stored one by one: each bottom component by rows, in an
 * order that suits sweeps. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "ctmc/chain.h"
#include "measure/steady.h"

/* A bottom component: its states are order[first .. first + n), in the order to sweep them. */
typedef struct {
    int32_t first, n;
    FlowOwner flow; /* empty if n is 1 */
    ChosenOrder chosen;
} Part;

typedef struct {
    const Chain *chain;
    Part *parts;
    int32_t part_count, largest; /* largest: states of the largest part solved so far */
    int32_t *order, *place;      /* place: per state, its index within its part, or -1 */
    double bytes;                /* of the flows of all parts */
    /* Workspace, one entry per state. */
    double *scratch; /* two, the second of them y */
    double *y;
} Rows;

/* ---- structure ----------------------------------------------------------------------------- */

static void rows_free(void *space)
{
    Rows *r = space;
    if (!r)
        return;
    for (int32_t k = 0; r->parts && k < r->part_count; k++)
        flow_free(&r->parts[k].flow);
    mem_free_all(r->parts, r->order, r->place, r->scratch, r);
}

/* Group the states by part in `states`, ascending within a part. */
static void list_components(Rows *r, int32_t *states)
{
    const Chain *c = r->chain;
    int32_t first = 0;
    for (int32_t s = 0; s < c->state_count; s++)
        if (!c->bottom || c->bottom[s] >= 0)
            r->parts[c->bottom ? c->bottom[s] : 0].n++;
    for (int32_t k = 0; k < r->part_count; k++) {
        r->parts[k].first = first;
        first += r->parts[k].n;
        r->parts[k].n = 0;
    }
    for (int32_t s = 0; s < c->state_count; s++) {
        if (c->bottom && c->bottom[s] < 0)
            continue;
        Part *part = &r->parts[c->bottom ? c->bottom[s] : 0];
        states[part->first + part->n++] = s;
    }
}

/* Choose the orders; `states` as list_components leaves them. */
static PepaStatus choose_orders(Rows *r, const int32_t *states, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t k = 0; k < r->part_count && status == PEPA_OK; k++) {
        Part *part = &r->parts[k];
        int32_t *order = r->order + part->first;
        status = chain_order(r->chain, states + part->first, part->n, order, &part->chosen, err);
        for (int32_t i = 0; i < part->n && status == PEPA_OK; i++)
            r->place[order[i]] = i;
        if (status == PEPA_OK && part->n > 1)
            status = flow_build(&part->flow, r->chain, order, part->n, r->place, err);
        r->bytes += part->flow.row ? flow_row_bytes(part->flow.n) : 0;
    }
    return status;
}

static bool reserve(Rows *r, size_t n)
{
    bool ok = mem_new_zeroed(r->parts, r->part_count) && mem_new(r->order, n) &&
              mem_new(r->place, n) && mem_new(r->scratch, 2 * n);
    r->y = ok ? r->scratch + n : NULL;
    return ok;
}

static PepaStatus rows_make(void **space, const Chain *chain, PepaError *err)
{
    const size_t n = (size_t)chain->state_count;
    Rows *r = mem_alloc(1, sizeof *r);
    if (!r)
        return error_memory(err);
    *r = (Rows){.chain = chain, .part_count = chain->bottom_count};
    int32_t *states = mem_alloc(n, sizeof *states);
    PepaStatus status = states && reserve(r, n) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        memset(r->place, -1, n * sizeof *r->place);
        list_components(r, states);
        status = choose_orders(r, states, err);
    }
    mem_free(states);
    if (status == PEPA_OK)
        *space = r;
    else
        rows_free(r);
    return status;
}

static int32_t rows_order(const Chain *chain, const void *space, int32_t bottom, int32_t *order)
{
    const Rows *r = space;
    const Part *part = &r->parts[bottom];
    (void)chain;
    if (order)
        memcpy(order, r->order + part->first, (size_t)part->n * sizeof *order);
    return part->n;
}

static double *rows_workspace(void *space)
{
    return ((Rows *)space)->scratch;
}

/* ---- memory -------------------------------------------------------------------------------- */

static double rows_bytes_kept(const Chain *c)
{
    const Rows *r = NULL;
    const double vectors = 3 * sizeof(double), filling = 8; /* pi, scratch, y; by flow_fill */
    const double each = vectors + sizeof *r->order + sizeof *r->place + filling;
    return chain_bytes(c) + each * (double)c->state_count;
}

/* The larger of two: while chain_order runs, and while one vector is swept. */
static double rows_bytes_needed(const Chain *c, const PepaSettings *set)
{
    const double choosing = 44, sweeping = sizeof(double), n = (double)c->state_count;
    double swept = flow_row_bytes(n) + sweeping * n +
                   flow_entry_bytes(set->solve.matrix, (double)c->transitions);
    return swept > choosing * n ? swept : choosing * n;
}

static double entry_bytes(const FlowOwner *f)
{
    const PepaMatrixForm form = f->code ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
    return f->col ? flow_entry_bytes(form, (double)f->row[f->n]) : 0;
}

/* The rest of the limit when all that is allocated is taken away. */
static int64_t memory_left(const Rows *r, int64_t limit)
{
    return limit == 0 ? 0 : budget_left(limit, rows_bytes_kept(r->chain) + r->bytes);
}

/* ---- solution ------------------------------------------------------------------------------ */

static PepaStatus rows_solve(void *space, const SteadyJob *job, int32_t bottom, double weight)
{
    Rows *r = space;
    Part *part = &r->parts[bottom];
    const int32_t *order = r->order + part->first;
    const PepaSettings *set = job->set;
    if (bottom == 0 || part->n > r->largest)
        r->largest = part->n;
    if (part->n == 1) {
        job->pi[order[0]] = weight;
        return PEPA_OK;
    }
    double start = clock_seconds();
    r->bytes -= entry_bytes(&part->flow);
    Control control = stricter_control(set, memory_left(r, set->memory));
    PepaStatus status = flow_fill(&part->flow, set->solve.matrix, &control, r->chain, job->value,
                                  order, r->place, job->err);
    r->bytes += entry_bytes(&part->flow);
    job->info->matrix_seconds += clock_seconds() - start;
    if (status != PEPA_OK)
        return status;
    if (!set->solve.warm_start)
        for (int32_t i = 0; i < part->n; i++)
            job->pi[order[i]] = NAN; /* no guess */
    control.memory = memory_left(r, set->memory);
    if (set->evidence && part->n == r->largest) {
        control.evidence = &set->evidence->solve;
        evidence_begin(control.evidence, &part->chosen, part->flow.row[part->n],
                       flow_entry_bytes(part->flow.code ? PEPA_MATRIX_COMPACT
                                                        : PEPA_MATRIX_EXPLICIT,
                                        (double)part->flow.row[part->n]));
    }
    return steady_solve_flow(job, &part->flow, (RowOrder){order, false}, set->solve.method,
                             &control, weight, part->n == r->largest, r->y, r->scratch);
}

const SteadyForm steady_by_rows = {rows_make,      rows_free,       rows_solve,       rows_order,
                                   rows_workspace, rows_bytes_kept, rows_bytes_needed};
