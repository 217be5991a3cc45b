/* Cuts upper states into chunks, and finds the flows between them. */
#include "ctmc/share/graph.h"

#include <math.h>
#include <string.h>

#include "ctmc/share/tuning.h"

int32_t share_chunk_of(const ShareGraph *g, int32_t upper)
{
    int32_t low = 0, high = g->count; /* bound[low] <= upper < bound[high] */
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (g->bound[middle] <= upper)
            low = middle;
        else
            high = middle;
    }
    return g->up ? low : g->count - 1 - low;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static double work_of(const Diagram *d, int32_t upper)
{
    const int32_t set = d->set[upper];
    double work = d->set_size[set];
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1]; e++)
        work += d->matrices[d->edges[e].matrix].count;
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        work += d->matrices[d->local[e].matrix].count;
    return work;
}

/* Each upper state by itself, or chunks of about the same work; an upper state goes to the chunk in
 * which its middle is. */
static void cut(ShareGraph *g, const Diagram *d, double all)
{
    const double half = 0.5;
    const bool each = g->count == d->upper_count;
    double sum = 0;
    int32_t chunk = 0;
    g->bound[0] = 0;
    for (int32_t u = 0; u < d->upper_count; u++) {
        const double work = work_of(d, u), middle = sum + half * work;
        while (chunk + 1 < g->count && (each ? chunk < u : middle >= all * (chunk + 1) / g->count))
            g->bound[++chunk] = u;
        sum += work;
    }
    while (chunk < g->count)
        g->bound[++chunk] = d->upper_count;
}

static void weigh(ShareGraph *g, const Diagram *d)
{
    for (int32_t c = 0; c < g->count; c++) {
        g->work[c] = g->states[c] = 0;
        for (int32_t u = share_first(g, c); u < share_end(g, c); u++) {
            g->work[c] += work_of(d, u);
            g->states[c] += d->set_size[d->set[u]];
        }
    }
}

/* ---- links ----------------------------------------------------------------------------------- */

typedef struct {
    const Diagram *d;
    ShareGraph *g;
    int32_t *seen;  /* per chunk: the last chunk that was found to flow into it */
    int32_t *place; /* per chunk: where its next link goes; NULL: they are only counted */
} Linking;

static void add(Linking *l, int32_t from, int32_t to)
{
    if (l->place) {
        l->g->link[l->place[from]++] = (ShareLink){to, false, true};
        l->g->link[l->place[to]++] = (ShareLink){from, true, false};
    } else {
        l->g->row[from + 1]++;
        l->g->row[to + 1]++;
    }
}

static void visit(Linking *l)
{
    const ShareGraph *g = l->g;
    for (int32_t c = 0; c < g->count; c++)
        l->seen[c] = -1;
    for (int32_t c = 0; c < g->count; c++) {
        l->seen[c] = c;
        for (int32_t u = share_first(g, c); u < share_end(g, c); u++)
            for (int64_t e = l->d->edge_row[u]; e < l->d->edge_row[u + 1]; e++) {
                const int32_t to = share_chunk_of(g, l->d->edges[e].to);
                if (l->seen[to] != c) {
                    l->seen[to] = c;
                    add(l, c, to);
                }
            }
    }
}

static int by_chunk(const void *a, const void *b)
{
    const ShareLink *x = a, *y = b;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

/* Both directions of a pair become one link. */
static void join(ShareGraph *g)
{
    int32_t end = 0;
    for (int32_t c = 0, first = 0; c < g->count; c++) {
        const int32_t last = g->row[c + 1], begin = end;
        qsort(g->link + first, (size_t)(last - first), sizeof *g->link, by_chunk);
        for (int32_t k = first; k < last; k++) {
            ShareLink *before = end > begin ? &g->link[end - 1] : NULL;
            if (before && before->chunk == g->link[k].chunk) {
                before->from = true;
                before->to = true;
            } else
                g->link[end++] = g->link[k];
        }
        first = last;
        g->row[c + 1] = end;
    }
}

static bool find_links(ShareGraph *g, const Diagram *d)
{
    Linking l = {.d = d, .g = g};
    if (!mem_new_zeroed(g->row, g->count + 1) || !mem_new(l.seen, g->count))
        return false;
    visit(&l);
    for (int32_t c = 0; c < g->count; c++)
        g->row[c + 1] += g->row[c];
    const bool ok = mem_new(g->link, g->row[g->count]) && mem_new(l.place, g->count);
    if (ok) {
        memcpy(l.place, g->row, (size_t)g->count * sizeof *l.place);
        visit(&l);
        join(g);
    }
    mem_free_all(l.seen, l.place);
    return ok;
}

static int32_t chunks_for(int32_t upper, double work)
{
    const double most = fmin(fmax(work / SHARE_MESSAGE, SHARE_FEW), SHARE_MOST);
    return upper < most ? upper : (int32_t)most;
}

bool share_graph_new(ShareGraph *out, const Diagram *d)
{
    double all = 0;
    for (int32_t u = 0; u < d->upper_count; u++)
        all += work_of(d, u);
    *out = (ShareGraph){.count = chunks_for(d->upper_count, all), .up = diagram_goes_up(d)};
    if (!mem_new(out->bound, out->count + 1) || !mem_new(out->work, out->count) ||
        !mem_new(out->states, out->count))
        return false;
    cut(out, d, all);
    weigh(out, d);
    return find_links(out, d);
}

void share_graph_free(ShareGraph *g)
{
    mem_free_all(g->bound, g->work, g->states, g->row, g->link);
    *g = (ShareGraph){0};
}
