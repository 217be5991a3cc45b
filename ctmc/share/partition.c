#include "ctmc/share/partition.h"

void share_deal(const ShareGraph *g, ShareParts parts, int32_t rounds, int32_t *process)
{
    const double half = 0.5;
    int32_t p = 0, round = 0;
    double all = 0, sum = 0, end = share_part(parts, 0); /* of the run of p, in parts of a round */
    for (int32_t c = 0; c < g->count; c++)
        all += g->work[c];
    for (int32_t c = 0; c < g->count; c++) {
        const double middle = rounds * (sum + half * g->work[c]) / all;
        while (middle >= round + end && !(p == parts.count - 1 && round == rounds - 1)) {
            p = (p + 1) % parts.count;
            round += p == 0;
            end = p == 0 ? share_part(parts, 0) : end + share_part(parts, p);
        }
        process[c] = p;
        sum += g->work[c];
    }
}

double share_copies(const ShareGraph *g, const int32_t *process)
{
    double copies = 0;
    for (int32_t c = 0; c < g->count; c++)
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const int32_t to = process[g->link[k].chunk];
            bool first = g->link[k].to && to != process[c];
            for (int32_t j = g->row[c]; j < k && first; j++)
                first = !g->link[j].to || process[g->link[j].chunk] != to;
            copies += first ? g->states[c] : 0;
        }
    return copies;
}
