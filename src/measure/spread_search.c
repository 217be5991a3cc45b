/* Searches backwards along the jumps of a chain by rows that processes have explored together. */
#include "measure/spread_search.h"

#include <string.h>

#include "base/mem.h"
#include "base/processes.h"

typedef struct {
    uint8_t *marked;
    int32_t *queue, waiting; /* states that are to be gone back from */
    int64_t count;           /* marked in all */
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

static void tell(const SpreadFlow *f, int32_t copy, Search *s, Post *post)
{
    const Berth at = f->copy[copy];
    if (post_is_full(post, at.process))
        (void)post_deliver(post, true, mark_all, s);
    memcpy(post_add(post, at.process), &at.place, sizeof at.place);
}

void spread_list_outer(const FlowShare *s, int32_t n, int32_t *outer)
{
    for (int32_t i = 0; i < n; i++)
        outer[i] = -1;
    for (int32_t r = 0; r < s->rows; r++)
        outer[s->place[r]] = r;
}

/* From the states that wait to those that jump to them. */
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
            if (told[share->col[k]] || flow_share_val(share, k) < least)
                continue;
            told[share->col[k]] = 1;
            tell(f, share->col[k], s, post);
        }
    }
}

/* What is marked at first. */
static void begin(const SpreadFlow *f, const uint8_t *told, Search *s, Post *post)
{
    for (int32_t i = 0; i < f->flow.n; i++)
        if (s->marked[i]) {
            s->queue[s->waiting++] = i;
            s->count++;
        }
    for (int32_t c = 0; c < f->copies; c++)
        if (told[c])
            tell(f, c, s, post);
}

PepaStatus spread_search_back(const SpreadFlow *f, double least, uint8_t *marked, uint8_t *told,
                              int64_t *count, PepaError *err)
{
    const PepaProcesses *p = f->share.processes;
    const int32_t n = f->flow.n;
    Search s = {.marked = marked};
    Post post = {0};
    int32_t *outer = NULL;
    uint8_t *own = NULL;
    const bool ok = mem_new(s.queue, n) && mem_new(outer, n) &&
                    (told || mem_new_zeroed(own, f->copies)) &&
                    post_open(&post, p, sizeof(int32_t), post_items_for(p));
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        told = told ? told : own;
        spread_list_outer(&f->share, n, outer);
        begin(f, told, &s, &post);
        do
            search(f, outer, least, told, &s, &post);
        while (post_deliver(&post, false, mark_all, &s) || processes_count(p, s.waiting > 0) > 0);
        double all = (double)s.count;
        p->sum(p->user, &all, 1);
        *count = (int64_t)all;
    }
    post_free(&post);
    mem_free_all(s.queue, outer, own);
    return status;
}
