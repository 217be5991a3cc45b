/* Flows whose rows several processes share. */
#include "solvers/internal.h"

void flow_receive(const Flow *flow, const double *y)
{
    flow_receive_part(flow, y, 1);
}

void flow_receive_part(const Flow *flow, const double *y, double part)
{
    const FlowShare *s = flow->share;
    if (!s)
        return;
    part = *s->read == y ? part : 1;
    *s->read = y;
    for (int32_t i = 0; i < s->sent_count; i++)
        s->buffer[i] = y[s->sent[i]];
    s->processes->start(s->processes->user, s->exchange, s->buffer);
    s->processes->finish(s->processes->user, s->exchange);
    const double *others = s->buffer + s->sent_count;
    for (int32_t i = 0; i < s->rows; i++) {
        double sum = 0;
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
            sum += flow_share_val(s, k) * others[s->col[k]];
        double *come = &s->come[s->place[i]];
        *come = part < 1 ? part * sum + (1 - part) * *come : sum;
    }
}

double flow_largest(const Flow *flow, double mine)
{
    if (flow->share)
        flow->share->processes->largest(flow->share->processes->user, &mine, 1);
    return mine;
}

bool flow_agree(const Flow *flow, bool mine)
{
    return flow_largest(flow, !mine) == 0;
}

bool flow_method_is_shared(PepaMethod method)
{
    return method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_BICGSTAB;
}
