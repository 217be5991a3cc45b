#include "ctmc/share/partition.h"

#include "ctmc/share/tuning.h"

void share_deal(const ShareGraph *g, int32_t processes, int32_t rounds, int32_t *process)
{
    const double half = 0.5;
    double all = 0, sum = 0;
    for (int32_t c = 0; c < g->count; c++)
        all += g->work[c];
    for (int32_t c = 0; c < g->count; c++) {
        const double middle = (sum + half * g->work[c]) / all;
        process[c] = (int32_t)(middle * processes * rounds) % processes;
        sum += g->work[c];
    }
}

/* ---- refining -------------------------------------------------------------------------------- */

typedef struct {
    const ShareGraph *g;
    int32_t processes, *process;
    int32_t *into; /* into[c * processes + p]: chunks of process p into which c flows */
    double *work;  /* per process */
    double most;   /* work that a process may have */
} Refining;

static int32_t *into(const Refining *r, int32_t chunk)
{
    return r->into + (size_t)chunk * (size_t)r->processes;
}

/* States that need not be copied any more, less those that must be, if chunk c goes to process q. */
static double gain(const Refining *r, int32_t c, int32_t q)
{
    const ShareGraph *g = r->g;
    const int32_t p = r->process[c];
    double saved = g->states[c] * ((into(r, c)[q] > 0) - (into(r, c)[p] > 0));
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
        const int32_t u = g->link[k].chunk;
        if (!g->link[k].from)
            continue;
        saved += g->states[u] * (r->process[u] != p && into(r, u)[p] == 1);
        saved -= g->states[u] * (r->process[u] != q && into(r, u)[q] == 0);
    }
    return saved;
}

static void move(Refining *r, int32_t c, int32_t q)
{
    const ShareGraph *g = r->g;
    const int32_t p = r->process[c];
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
        if (g->link[k].from) {
            into(r, g->link[k].chunk)[p]--;
            into(r, g->link[k].chunk)[q]++;
        }
    r->work[p] -= g->work[c];
    r->work[q] += g->work[c];
    r->process[c] = q;
}

/* The best process to move chunk c to; its own: none is better. */
static int32_t better(const Refining *r, int32_t c)
{
    const ShareGraph *g = r->g;
    const int32_t p = r->process[c];
    int32_t best = p;
    double most = 0;
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
        const int32_t q = r->process[g->link[k].chunk];
        const double then = r->work[q] + g->work[c];
        if (q == p || q == best || (then > r->most && then > r->work[p]))
            continue;
        const double saved = gain(r, c, q);
        if (saved > most || (saved == 0 && best == p && then < r->work[p])) {
            most = saved;
            best = q;
        }
    }
    return best;
}

static bool pass(Refining *r)
{
    bool moved = false;
    for (int32_t c = 0; c < r->g->count; c++) {
        const int32_t q = better(r, c);
        if (q != r->process[c]) {
            move(r, c, q);
            moved = true;
        }
    }
    return moved;
}

bool share_refine(const ShareGraph *g, int32_t processes, int32_t *process)
{
    Refining r = {.g = g, .processes = processes, .process = process};
    const size_t n = (size_t)g->count;
    const bool ok =
        mem_new_zeroed(r.into, n * (size_t)processes) && mem_new_zeroed(r.work, processes);
    for (int32_t c = 0; c < g->count && ok; c++) {
        r.work[process[c]] += g->work[c];
        r.most += g->work[c] * SHARE_UNEVEN / processes;
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
            into(&r, c)[process[g->link[k].chunk]] += g->link[k].to;
    }
    for (int32_t k = 0; ok && k < SHARE_PASSES && pass(&r); k++)
        ;
    mem_free_all(r.into, r.work);
    return ok;
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
