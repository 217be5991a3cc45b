/* Balance equations evaluated afresh. */
#include "measure/certificate.h"

#include <math.h>

typedef struct {
    double off, flow, time_off, sum, least;
} Sums;

typedef struct {
    const double *pi;
    Sums part[PRODUCT_PARTS];
} Balance;

static void add_states(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                       const double *exit)
{
    Balance *b = user;
    const double *pi = b->pi + first;
    Sums sums = b->part[part];
    for (int32_t k = 0; k < count; k++) {
        double out = pi[k] * exit[k], off = fabs(in[k] - out);
        sums.off += off;
        sums.flow += out;
        sums.time_off += exit[k] > 0 ? off / exit[k] : 0;
        sums.sum += pi[k];
        sums.least = pi[k] < sums.least ? pi[k] : sums.least;
    }
    b->part[part] = sums;
}

static void add_processes(const PepaProcesses *p, Sums *all)
{
    double sums[] = {all->off, all->flow, all->time_off, all->sum}, lack = -all->least;
    p->sum(p->user, sums, 4);
    p->largest(p->user, &lack, 1);
    *all = (Sums){sums[0], sums[1], sums[2], sums[3], -lack};
}

Certificate certificate_of(Operator *op, const double *value, const double *pi,
                           const PepaProcesses *processes)
{
    Balance b = {.pi = pi};
    Sums all = {0};
    operator_product(op, value, pi, add_states, &b);
    for (int32_t part = 0; part < PRODUCT_PARTS; part++) {
        const Sums *s = &b.part[part];
        all.off += s->off;
        all.flow += s->flow;
        all.time_off += s->time_off;
        all.sum += s->sum;
        all.least = s->least < all.least ? s->least : all.least;
    }
    if (processes)
        add_processes(processes, &all);
    double residual = all.off == 0 ? 0 : all.off / all.flow;
    return (Certificate){.residual = isfinite(residual) ? residual : HUGE_VAL,
                         .by_time = isfinite(all.time_off) ? all.time_off : HUGE_VAL,
                         .sum = all.sum,
                         .least = all.least};
}

PepaStatus certificate_check(const Certificate *found, double tolerance, PepaStatus code,
                             const char *after, PepaError *err)
{
    const double rounding = 1e-9; /* of the sum */
    if (!(fabs(found->sum - 1) <= rounding) || !(found->least >= 0))
        return error_set(err, code, "the answer is no distribution: sum %.17g, least %g",
                         found->sum, found->least);
    if (!(found->residual <= tolerance))
        return error_set(err, code, "residual %.2g after %s", found->residual, after);
    if (!(found->by_time <= tolerance))
        return error_set(err, code,
                         "%.2g of the time is out of balance after %s, in states that are rarely "
                         "visited, each time for long",
                         found->by_time, after);
    return PEPA_OK;
}
