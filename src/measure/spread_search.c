/* Searches along the jumps of a chain by rows that processes have explored together. */
#include "measure/spread_search.h"

#include <string.h>

#include "base/mem.h"
#include "base/processes.h"

/* ---- backwards ------------------------------------------------------------------------------- */

typedef struct {
    uint8_t *marked;
    int32_t *queue, waiting, count; /* of the queue; in all */
} Search;

static void mark(Search *s, int32_t place)
{
    if (s->marked[place])
        return;
    s->marked[place] = 1;
    s->queue[s->waiting++] = place;
    s->count++;
}

static void mark_all(void *user, int32_t process, const void *items, int32_t count)
{
    (void)process;
    for (int32_t i = 0; i < count; i++) {
        int32_t place;
        memcpy(&place, (const char *)items + (size_t)i * sizeof place, sizeof place);
        mark(user, place);
    }
}

/* The row of outer entries of each place; -1: none. */
static void list_outer(const FlowShare *s, int32_t n, int32_t *outer)
{
    for (int32_t i = 0; i < n; i++)
        outer[i] = -1;
    for (int32_t r = 0; r < s->rows; r++)
        outer[s->place[r]] = r;
}

/* From the states that wait to those that jump to them.  True: some of other processes have to be sent. */
static void search(const SpreadFlow *f, const int32_t *outer, double least, uint8_t *told,
                   Search *s, Post *post)
{
    const FlowShare *share = &f->share;
    while (s->waiting > 0) {
        const int32_t i = s->queue[--s->waiting];
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
            if (flow_val(&f->flow, k) >= least)
                mark(s, f->col[k]);
        for (int64_t k = outer[i] < 0 ? 0 : share->row[outer[i]];
             outer[i] >= 0 && k < share->row[outer[i] + 1]; k++) {
            const Berth at = f->copy[share->col[k]];
            if (told[share->col[k]] || share->val[k] < least)
                continue;
            if (post_is_full(post, at.process))
                (void)post_deliver(post, true, mark_all, s);
            told[share->col[k]] = 1;
            memcpy(post_add(post, at.process), &at.place, sizeof at.place);
        }
    }
}

PepaStatus spread_search_back(const SpreadFlow *f, const SpreadOrder *order, Berth at, double least,
                              uint8_t *marked, bool *all, PepaError *err)
{
    const PepaProcesses *p = f->share.processes;
    const int32_t n = f->flow.n;
    Search s = {.marked = marked};
    Post post = {0};
    int32_t *outer = NULL;
    uint8_t *told = NULL;
    const bool ok = mem_new(s.queue, n) && mem_new(outer, n) && mem_new_zeroed(told, f->copies) &&
                    post_open(&post, p, sizeof(int32_t), post_items_for(p));
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        memset(marked, 0, (size_t)n);
        list_outer(&f->share, n, outer);
        if (at.process == p->rank)
            mark(&s, at.place);
        do
            search(f, outer, least, told, &s, &post);
        while (post_deliver(&post, false, mark_all, &s) || processes_count(p, s.waiting > 0) > 0);
        double count = s.count;
        p->sum(p->user, &count, 1);
        *all = count == (double)order->chain->spread->states;
    }
    post_free(&post);
    mem_free_all(s.queue, outer, told);
    return status;
}

/* ---- ahead ----------------------------------------------------------------------------------- */

/* Is there a jump to i from a marked state?  x: 1 of marked states. */
static bool is_reached(const Flow *flow, const double *x, int32_t i)
{
    if (flow->share->come[i] > 0)
        return true;
    for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
        if (x[flow->col[k]] > 0)
            return true;
    return false;
}

/* Marks what is reached, there and back through the states.  Whether that is any. */
static bool mark_reached(const Flow *flow, double *x, bool backwards)
{
    bool more = false;
    for (int32_t k = 0; k < flow->n; k++) {
        const int32_t i = backwards ? flow->n - 1 - k : k;
        if (x[i] == 0 && is_reached(flow, x, i)) {
            x[i] = 1;
            more = true;
        }
    }
    return more;
}

static void search_ahead(const SpreadFlow *f, Berth at, double *marked)
{
    const Flow *flow = &f->flow;
    const PepaProcesses *p = f->share.processes;
    bool more = true;
    for (int32_t i = 0; i < flow->n; i++)
        marked[i] = at.process == p->rank && at.place == i;
    while (more) {
        bool here = false;
        flow_receive(flow, marked);
        for (bool some = true; some;) {
            some = mark_reached(flow, marked, false);
            some = mark_reached(flow, marked, true) || some;
            here = here || some;
        }
        more = processes_count(p, here) > 0;
    }
    *f->share.read = NULL; /* another vector may be there */
}

/* ---- the bottom ------------------------------------------------------------------------------ */

/* One of all: that of the first process that has one; false: none has. */
static bool choose(const PepaProcesses *p, int32_t mine, Berth *at)
{
    double first = mine < 0 ? 0 : p->count - p->rank, place = 0;
    p->largest(p->user, &first, 1);
    at->process = p->count - (int32_t)first;
    if (at->process == p->rank)
        place = mine;
    p->sum(p->user, &place, 1);
    at->place = (int32_t)place;
    return first > 0;
}

PepaStatus spread_search_bottom(const SpreadFlow *f, const SpreadOrder *order, Berth *at,
                                double *inside, bool *one, PepaError *err)
{
    enum { ROUNDS = 40 };
    const PepaProcesses *p = f->share.processes;
    uint8_t *back = NULL;
    bool deeper = true;
    PepaStatus status = mem_new(back, f->flow.n) ? PEPA_OK : error_memory(err);
    status = processes_agree(p, status, err);
    (void)choose(p, f->flow.n > 0 ? 0 : -1, at);
    for (int k = 0; k < ROUNDS && deeper && status == PEPA_OK; k++) {
        int32_t next = -1;
        status = spread_search_back(f, order, *at, 0, back, one, err);
        if (status != PEPA_OK)
            break;
        search_ahead(f, *at, inside);
        for (int32_t i = 0; i < f->flow.n && next < 0; i++)
            next = inside[i] > 0 && !back[i] ? i : -1;
        Berth there;
        deeper = choose(p, next, &there);
        *at = deeper ? there : *at;
    }
    *one = *one && !deeper;
    mem_free(back);
    return status;
}
