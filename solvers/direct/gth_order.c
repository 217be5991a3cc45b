/* The order in which sparse chains are eliminated, and the chain in that order. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/bucket.h"
#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* ---- order ------------------------------------------------------------------------------ */

static SuiteSparse_long *widened(const int32_t *col, int64_t count)
{
    SuiteSparse_long *wide = mem_alloc((size_t)count, sizeof *wide);
    for (int64_t k = 0; wide && k < count; k++)
        wide[k] = col[k];
    return wide;
}

double most_work(const Control *control)
{
    return control->work > 0 ? control->work : ELIMINATION_WORK;
}

double gth_entries(const Control *control)
{
    const double entry = sizeof(double) + sizeof(int32_t);
    double within = (double)control->memory / entry;
    return control->memory == 0 || within > GTH_ENTRIES ? GTH_ENTRIES : within;
}

double gth_order_bytes(const Flow *flow)
{
    return ORDER_ENTRY_BYTES * (double)flow->row[flow->n] + ORDER_STATE_BYTES * flow->n;
}

PepaStatus gth_order(const Flow *flow, int32_t last, double most, int32_t *place, double *work)
{
    size_t n = (size_t)flow->n;
    double info[AMD_INFO];
    *work = HUGE_VAL;
    if ((double)flow->row[n] > most / 4)
        return PEPA_OK;
    SuiteSparse_long *col = widened(flow->col, flow->row[n]);
    SuiteSparse_long *row = mem_alloc(n + 1, sizeof *row), *order = mem_alloc(n, sizeof *order);
    PepaStatus status = PEPA_ENOMEM;
    if (col && row && order) {
        for (size_t i = 0; i <= n; i++)
            row[i] = flow->row[i];
        SuiteSparse_long done = amd_l_order((SuiteSparse_long)n, row, col, order, NULL, info);
        if (done == AMD_OK || done == AMD_OK_BUT_JUMBLED)
            status = PEPA_OK;
    }
    if (status == PEPA_OK) {
        int32_t at = 0;
        for (size_t k = 0; k < n; k++)
            if (order[k] != last)
                place[order[k]] = at++;
        if (last >= 0)
            place[last] = at;
        if (2 * info[AMD_LNZ] <= most)
            *work = info[AMD_NMULTSUBS_LU];
    }
    mem_free_all(col, row, order);
    return status;
}

/* ---- the chain, by sources -------------------------------------------------------------- */

void jumps_free(Jumps *jumps)
{
    mem_free_all(jumps->row, jumps->col, jumps->val);
    *jumps = (Jumps){0};
}

/* Counts a jump, or puts it in its place. */
static void add(Jumps *jumps, bool counting, int32_t from, int32_t to, double chance)
{
    if (counting) {
        bucket_count(jumps->row, from);
        return;
    }
    int64_t at = bucket_place(jumps->row, from);
    jumps->col[at] = to;
    jumps->val[at] = chance;
}

static void add_all(Jumps *jumps, bool counting, const Flow *flow, const int32_t *place,
                    const double *leave, const double *enter)
{
    int32_t n = flow->n, classes = jumps->columns - n;
    for (int32_t i = 0; i < n; i++) {
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            add(jumps, counting, place[flow->col[k]], place[i], flow_val(flow, k));
        for (int32_t c = 0; c < classes; c++) {
            double chance = leave[(size_t)i * (size_t)classes + (size_t)c];
            if (chance != 0)
                add(jumps, counting, place[i], n + c, chance);
        }
        if (enter && enter[i] != 0)
            add(jumps, counting, n, place[i], enter[i]);
    }
}

PepaStatus jumps_new(Jumps *jumps, const Flow *flow, const int32_t *place, int32_t classes,
                     const double *leave, const double *enter)
{
    const int32_t rows = flow->n + (enter ? 1 : 0);
    *jumps = (Jumps){.rows = rows, .columns = flow->n + classes};
    if (!mem_new_zeroed(jumps->row, (size_t)rows + 2))
        return PEPA_ENOMEM;
    add_all(jumps, true, flow, place, leave, enter);
    bucket_starts(jumps->row, rows);
    if (!mem_new(jumps->col, jumps->row[rows + 1]) || !mem_new(jumps->val, jumps->row[rows + 1])) {
        jumps_free(jumps);
        return PEPA_ENOMEM;
    }
    add_all(jumps, false, flow, place, leave, enter);
    return PEPA_OK;
}
