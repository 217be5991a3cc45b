/* Factors of D - A by fronts: the matrix as a chain, and room. */
#include "solvers/direct/factors.h"

#include "base/bucket.h"
#include "base/budget.h"
#include "base/mem.h"
#include "solvers/direct/factors_solve.h"
#include "solvers/direct/tuning.h"

void factors_free(Factors *f)
{
    elimination_free(&f->elimination);
    jumps_free(&f->jumps);
    mem_free_all(f->place, f->visits, f->later, f->out, f->x, f->part);
    *f = (Factors){0};
}

/* ---- the chain ------------------------------------------------------------------------------ */

/* Counts a jump, or puts it in its place.  What leaves `fixed`, the absorbing state, has no row. */
static void add(Jumps *jumps, bool counting, int32_t from, int32_t to, double chance)
{
    if (from == jumps->rows)
        return;
    if (counting) {
        bucket_count(jumps->row, from);
        return;
    }
    const int64_t at = bucket_place(jumps->row, from);
    jumps->col[at] = to;
    jumps->val[at] = chance;
}

static void add_all(Factors *f, const Flow *flow, bool counting)
{
    const int32_t absorbing = f->jumps.rows;
    for (int32_t i = 0; i < absorbing && f->fixed < 0; i++)
        add(&f->jumps, counting, i, absorbing, 0);
    for (int32_t i = 0; i < f->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const int32_t here = f->place[i], there = f->place[flow->col[k]];
            if (f->rows == ROWS_OF_SOURCES)
                add(&f->jumps, counting, there, here, flow_val(flow, k));
            else
                add(&f->jumps, counting, here, there, flow_val(flow, k));
        }
}

static bool make_chain(Factors *f, const Flow *flow)
{
    Jumps *jumps = &f->jumps;
    *jumps = (Jumps){.rows = f->n - (f->fixed >= 0 ? 1 : 0)};
    jumps->columns = jumps->rows + 1;
    if (!mem_new_zeroed(jumps->row, (size_t)jumps->rows + 2))
        return false;
    add_all(f, flow, true);
    bucket_starts(jumps->row, jumps->rows);
    const int64_t count = jumps->row[jumps->rows + 1];
    if (!mem_new(jumps->col, count) || !mem_new(jumps->val, count))
        return false;
    add_all(f, flow, false);
    return true;
}

/* ---- room ----------------------------------------------------------------------------------- */

/* Of pivots with p - 1, p - 2, .. 0 others after them, beside r rows and c columns. */
static double work_of(double p, double r, double c)
{
    return p * r * c + p * (p - 1) / 2 * (r + c) + (p - 1) * p * (2 * p - 1) / 6;
}

static void count_work(Factors *f)
{
    const Elimination *e = &f->elimination;
    const Fronts *fronts = &e->fronts;
    for (int32_t i = 0; i < fronts->count; i++) {
        const double pivots = fronts->pivots[i], rows = front_count(&fronts->row, i) - pivots;
        const double columns = front_count(&fronts->column, i) - pivots;
        f->entries += pivots * (pivots + rows + columns);
        f->work += work_of(pivots, rows, columns);
    }
}

static PepaStatus make_room(Factors *f, const Control *control, double taken)
{
    const Elimination *e = &f->elimination;
    size_t visits = 0, later = 0, most = 0;
    for (int32_t i = 0; i < e->fronts.count; i++) {
        const size_t rows = (size_t)front_count(&e->fronts.row, i);
        const size_t columns = (size_t)front_count(&e->fronts.column, i);
        visits += elimination_visits(e, i);
        later += elimination_later(e, i);
        most = rows > most ? rows : most;
        most = columns > most ? columns : most;
    }
    const size_t n = (size_t)f->n;
    const double numbers = (double)(visits + later + e->deepest + e->largest + 2 * n + most);
    if (numbers > LU_ENTRIES || !budget_allows(control->memory, sizeof(double) * numbers + taken))
        return PEPA_ELIMIT;
    return mem_new(f->visits, visits) && mem_new(f->later, later) && mem_new(f->out, n) &&
                   mem_new(f->x, n) && mem_new(f->part, most)
               ? PEPA_OK
               : PEPA_ENOMEM;
}

PepaStatus factors_analyse(Factors *f, const Flow *flow, FactorRows rows, int32_t fixed,
                           const Control *control)
{
    /* The chain, by sources and by targets, and what finding an order takes. */
    const double chain =
        2 * (sizeof(double) + sizeof(int32_t)) * ((double)flow->row[flow->n] + flow->n);
    double work;
    f->rows = rows;
    f->n = flow->n;
    f->fixed = fixed;
    if (!budget_allows(control->memory, chain) ||
        !budget_allows(control->memory, gth_order_bytes(flow)))
        return PEPA_ELIMIT;
    PepaStatus status =
        mem_new(f->place, f->n) ? gth_order(flow, fixed, LU_ENTRIES, f->place, &work) : PEPA_ENOMEM;
    if (status == PEPA_OK && !(work <= most_work(control)))
        status = PEPA_ELIMIT;
    if (status == PEPA_OK &&
        !(make_chain(f, flow) && elimination_start(&f->elimination, &f->jumps)))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK)
        status = make_room(f, control, chain);
    if (status == PEPA_OK)
        count_work(f);
    return status;
}

PepaStatus factors_make(Factors *f, const double *leave, const Control *control)
{
    Elimination *e = &f->elimination;
    Monitor monitor;
    if (control)
        monitor = monitor_start(control);
    for (int32_t i = 0; leave && i < f->n; i++)
        f->jumps.val[f->jumps.row[f->place[i]]] = leave[i];
    e->visits = f->visits;
    e->later = f->later;
    e->out = f->out;
    return elimination_run(e, control ? &monitor : NULL, false);
}

void factors_correct(Factors *f, const double *r, double *x)
{
    const Elimination *e = &f->elimination;
    const FactorsSolve solve = {.elimination = e, .x = f->x, .part = f->part};
    for (int32_t i = 0; i < f->n; i++)
        if (i != f->fixed)
            f->x[f->place[i]] = r[i];
    if (f->rows == ROWS_OF_SOURCES)
        factors_solve_sources(&solve);
    else
        factors_solve_targets(&solve);
    for (int32_t i = 0; i < f->n; i++)
        if (i != f->fixed)
            x[i] += f->x[f->place[i]];
}
