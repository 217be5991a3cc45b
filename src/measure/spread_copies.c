/* What flows into a process's states from those of others: which these are, its rows, and the exchange that
 * brings what they have. */
#include "measure/spread_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/bucket.h"

/* ---- states of others ------------------------------------------------------------------------ */

static int by_berth(const void *a, const void *b)
{
    const Berth *x = a, *y = b;
    return x->process != y->process ? (x->process > y->process) - (x->process < y->process)
                                    : (x->place > y->place) - (x->place < y->place);
}

/* In order; false: memory is out. */
static bool list_copies(SpreadBuilding *b)
{
    SpreadFlow *f = b->out;
    const int32_t count = b->sources.count;
    table_seal(&b->sources);
    if (!mem_new(f->copy, count))
        return false;
    for (; f->copies < count; f->copies++)
        f->copy[f->copies] = spread_source(*table_state(&b->sources, f->copies));
    if (count > 0)
        qsort(f->copy, (size_t)count, sizeof *f->copy, by_berth);
    return true;
}

static int32_t copy_of(const SpreadFlow *f, const Berth *source)
{
    int32_t low = 0, high = f->copies;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (by_berth(&f->copy[middle], source) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The sources of entries by their places in order. */
static bool number_copies(SpreadBuilding *b)
{
    const int32_t count = b->sources.count;
    int32_t *copy = NULL;
    if (!mem_new(copy, count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const Berth source = spread_source(*table_state(&b->sources, i));
        copy[i] = copy_of(b->out, &source);
    }
    for (size_t i = 0; i < b->outer.count; i++)
        b->outer.col[i] = copy[b->outer.col[i]];
    mem_free(copy);
    table_free(&b->sources);
    return true;
}

/* Rows of what flows in from others: only those that there are. */
static bool make_outer(SpreadBuilding *b)
{
    FlowShare *share = &b->out->share;
    Entries *e = &b->outer;
    int32_t *number = NULL, *place = NULL, rows = 0;
    int64_t *row = NULL;
    bool ok = mem_new_zeroed(number, b->order->n);
    for (size_t i = 0; i < e->count && ok; i++)
        number[e->row[i]] = 1;
    for (int32_t r = 0; r < b->order->n && ok; r++)
        rows += number[r];
    ok = ok && mem_new(place, rows) && mem_new(row, (size_t)rows + 1);
    for (int32_t r = 0, at = 0; r < b->order->n && ok; r++)
        if (number[r]) {
            number[r] = at;
            place[at++] = r;
        }
    for (size_t i = 0; i < e->count && ok; i++)
        e->row[i] = number[e->row[i]];
    mem_free(number);
    ok = ok && number_copies(b) && entries_line_up(e, rows, row);
    share->rows = rows;
    share->place = place;
    share->row = row;
    share->col = e->col;
    share->val = e->val;
    share->code = e->code;
    if (e->few)
        chances_close(&e->chances);
    b->out->outer_chances = e->chances;
    share->chance = e->chances.value;
    mem_free(e->row);
    *e = (Entries){0};
    return ok;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

typedef struct {
    int32_t *place; /* own ones that others want, by process */
    int32_t *by;    /* who */
    size_t count, place_cap, by_cap;
    bool full;
} Wanted;

static void want(void *user, int32_t process, const void *items, int32_t count)
{
    Wanted *w = user;
    const size_t all = w->count + (size_t)count;
    w->full =
        w->full || !(mem_grow(w->place, w->place_cap, all) && mem_grow(w->by, w->by_cap, all));
    for (int32_t i = 0; i < count && !w->full; i++) {
        memcpy(&w->place[w->count], (const char *)items + (size_t)i * sizeof *w->place,
               sizeof *w->place);
        w->by[w->count++] = process;
    }
}

static PepaStatus ask_for_copies(SpreadBuilding *b, Wanted *wanted)
{
    const SpreadFlow *f = b->out;
    Post post = {0};
    PepaStatus status = spread_agree(b, post_open(&post, b->processes, sizeof(int32_t),
                                                  post_items_for(b->processes)));
    for (int32_t i = 0; i < f->copies && status == PEPA_OK; i++) {
        const Berth at = f->copy[i];
        if (post_is_full(&post, at.process))
            (void)post_deliver(&post, true, want, wanted);
        memcpy(post_add(&post, at.process), &at.place, sizeof at.place);
    }
    while (status == PEPA_OK && post_deliver(&post, false, want, wanted))
        ;
    post_free(&post);
    return status == PEPA_OK ? spread_agree(b, !wanted->full) : status;
}

/* What each wants, side by side in the order in which it asked. */
static void sort_wanted(const Wanted *wanted, int32_t processes, int64_t *first, int32_t *sent)
{
    for (size_t i = 0; i < wanted->count; i++)
        bucket_count(first, wanted->by[i]);
    bucket_starts(first, processes);
    for (size_t i = 0; i < wanted->count; i++)
        sent[bucket_place(first, wanted->by[i])] = wanted->place[i];
}

/* One piece for each process that sends, and that receives. */
static PepaStatus open_exchange(SpreadBuilding *b, const Wanted *wanted)
{
    SpreadFlow *f = b->out;
    FlowShare *share = &f->share;
    const PepaProcesses *p = b->processes;
    const int32_t count = p->count, sent_count = (int32_t)wanted->count;
    int64_t *first = NULL;
    int32_t *sent = NULL;
    PepaPiece *piece = NULL;
    PepaPartner *partner = NULL;
    PepaExchange *exchange = &f->exchange;
    bool ok = mem_new_zeroed(first, (size_t)count + 2) && mem_new(sent, wanted->count) &&
              mem_new(piece, 2 * (size_t)count) && mem_new(partner, count) &&
              mem_new_zeroed(share->buffer, (size_t)sent_count + (size_t)f->copies) &&
              mem_new_zeroed(share->come, b->order->n);
    if (ok)
        sort_wanted(wanted, count, first, sent);
    for (int32_t q = 0, at = 0; q < count && ok; q++) {
        PepaPiece *to = piece + 2 * (size_t)q, *from = to + 1;
        *to = (PepaPiece){first[q], first[q + 1] - first[q]};
        *from = (PepaPiece){sent_count + at, 0};
        for (; at < f->copies && f->copy[at].process == q; at++)
            from->count++;
        if (to->count + from->count > 0)
            partner[exchange->partner_count++] =
                (PepaPartner){q, to->count > 0, from->count > 0, to, from};
    }
    exchange->partner = partner;
    share->processes = p;
    share->read = &f->read;
    share->sent = sent;
    share->sent_count = sent_count;
    share->exchange = ok ? p->open(p->user, exchange) : NULL;
    ok = ok && share->exchange;
    mem_free(first);
    f->piece = piece;
    return spread_agree(b, ok);
}

/* ---- all of it ------------------------------------------------------------------------------- */

PepaStatus spread_connect(SpreadBuilding *b)
{
    Wanted wanted = {0};
    PepaStatus status = spread_agree(b, list_copies(b) && make_outer(b));
    if (status == PEPA_OK)
        status = ask_for_copies(b, &wanted);
    if (status == PEPA_OK)
        status = open_exchange(b, &wanted);
    mem_free_all(wanted.place, wanted.by);
    return status;
}
