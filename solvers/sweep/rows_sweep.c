/* Sweeps over the rows in place. */
#include <math.h>

#include "solvers/internal.h"
#include "solvers/rows/rows.h"

/* Of what processes send each other before a sweep.  Between processes sweeps are steps of Jacobi's
 * method, which need not converge: of two halves between which the chain goes to and fro, neither would
 * ever learn of the other in time.  Damped like this, such errors are halved. */
static const double RENEWED = 0.75;

typedef struct {
    const Flow *flow;
    double *y, omega;
    double change; /* of all rows, if one thread has gone through them */
} Sweep;

/* The engine's hot loop: one pass over the matrix, no divisions.  What the flow consists of is
 * looked up once: the compiler cannot know that storing to y leaves it as it is. */
static inline double sweep_either(const Flow *flow, bool compact, bool relaxed, double omega,
                                  double *y, int32_t first, int32_t end)
{
    const int64_t *row = flow->row;
    const int32_t *col = flow->col;
    const uint16_t *code = flow->code;
    const double *val = flow->val, *chance = flow->chance, *b = flow->b, *come = flow_come(flow);
    double sum = 0;
    int64_t k = row[first];
    for (int32_t i = first; i < end; i++) {
        const int64_t stop = row[i + 1];
        double now = b ? b[i] : 0;
        if (come)
            now += come[i];
        for (; k < stop; k++)
            now += (compact ? chance[code[k]] : val[k]) * y[col[k]];
        if (relaxed) {
            y[i] += omega * (now - y[i]);
            continue;
        }
        sum += fabs(now - y[i]);
        y[i] = now;
    }
    return sum;
}

static double sweep_compact(const Flow *flow, double *y, int32_t first, int32_t end)
{
    return sweep_either(flow, true, false, 1, y, first, end);
}

static double sweep_explicit(const Flow *flow, double *y, int32_t first, int32_t end)
{
    return sweep_either(flow, false, false, 1, y, first, end);
}

/* sum |change of y_i|. */
static inline double sweep_rows(const Flow *flow, double *y, int32_t first, int32_t end)
{
    return flow->val ? sweep_explicit(flow, y, first, end) : sweep_compact(flow, y, first, end);
}

static void sweep_all(Sweep *s)
{
    const int32_t n = s->flow->n;
    for (int32_t first = 0, end; first < n; first = end) {
        end = n - first < SUM_ROWS ? n : first + SUM_ROWS;
        s->change += sweep_rows(s->flow, s->y, first, end);
    }
}

/* Rows of a block that is cut: their changes are kept one by one. */
static void sweep_apart(const Sweep *s, int32_t slot, int32_t first, int32_t end)
{
    double *change = s->flow->team->plan->change + (size_t)slot * SUM_ROWS;
    for (int32_t i = first; i < end; i++)
        change[i % SUM_ROWS] = sweep_rows(s->flow, s->y, i, i + 1);
}

static void sweep_piece(void *user, int32_t task, int32_t first, int32_t end)
{
    Sweep *s = user;
    if (task < 0) {
        sweep_all(s);
        return;
    }
    const RowsPlan *plan = s->flow->team->plan;
    const int32_t n = s->flow->n;
    for (int32_t i = first, stop; i < end; i = stop) {
        int32_t block = i / SUM_ROWS, begin = block * SUM_ROWS;
        int32_t past = n - begin < SUM_ROWS ? n : begin + SUM_ROWS;
        stop = past < end ? past : end;
        if (begin == i && past <= end)
            plan->found[block] = sweep_rows(s->flow, s->y, i, stop);
        else
            sweep_apart(s, plan->slot[begin < first ? task : task + 1], i, stop);
    }
}

/* Block by block, and row by row within one, as sweep_all has it. */
static double change_of(const RowsPlan *plan, int32_t n)
{
    double sum = 0;
    for (int32_t slot = 0; slot < plan->slots; slot++) {
        const double *change = plan->change + (size_t)slot * SUM_ROWS;
        int32_t begin = plan->group[slot] * SUM_ROWS;
        double part = 0;
        for (int32_t k = 0; k < SUM_ROWS && begin + k < n; k++)
            part += change[k];
        plan->found[plan->group[slot]] = part;
    }
    for (int32_t block = 0; block < (n + SUM_ROWS - 1) / SUM_ROWS; block++)
        sum += plan->found[block];
    return sum;
}

double flow_sweep(const Flow *flow, double *y)
{
    Sweep s = {.flow = flow, .y = y};
    flow_receive_part(flow, y, RENEWED);
    const RowsPlan *plan = rows_in_order(flow, ROWS_SWEEP, y, sweep_piece, &s);
    double change = plan ? change_of(plan, flow->n) : s.change;
    if (flow->share)
        flow->share->processes->sum(flow->share->processes->user, &change, 1);
    return change;
}

static void relax_piece(void *user, int32_t task, int32_t first, int32_t end)
{
    const Sweep *s = user;
    (void)task;
    if (s->flow->val)
        (void)sweep_either(s->flow, false, true, s->omega, s->y, first, end);
    else
        (void)sweep_either(s->flow, true, true, s->omega, s->y, first, end);
}

void flow_sweep_relaxed(const Flow *flow, double *y, double omega)
{
    Sweep s = {.flow = flow, .y = y, .omega = omega};
    flow_receive(flow, y);
    (void)rows_in_order(flow, ROWS_RELAX, y, relax_piece, &s);
}
