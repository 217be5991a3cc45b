#include "measure/spread_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bucket.h"
#include "base/budget.h"
#include "base/number.h"
#include "base/processes.h"

/* A jump, on its way: to the process that has the target among its states, and from there to the one that
 * solves for it. */
typedef struct {
    int32_t to; /* index among its states; then place */
    Berth from; /* where the source is solved for */
    int32_t none;
    double chance;
} Jump;

/* What has arrived: an entry of a row. */
typedef struct {
    int32_t row, col; /* col: of a copy, once they are numbered */
    double chance;
} Entry;

typedef struct {
    SpreadFlow *out;
    const SpreadOrder *order;
    const PepaProcesses *processes;
    const double *value;
    PepaError *err;
    Post post;
    int32_t state; /* own ones until here, and ... */
    int64_t at;    /* ... transitions are sent */
    Jump *passing; /* those that go on to where they are solved for */
    size_t passings, passed, passing_cap;
    Entry *inner, *outer;
    Berth *source; /* per entry of outer */
    size_t inners, inner_cap, outers, outer_cap, source_cap;
    bool full; /* memory is out */
} Building;

static PepaStatus agree(const Building *b, bool ok)
{
    return processes_agree(b->processes, ok ? PEPA_OK : error_memory(b->err), b->err);
}

/* ---- jumps on their way ---------------------------------------------------------------------- */

static void pass_on(void *user, int32_t process, const void *items, int32_t count)
{
    Building *b = user;
    (void)process;
    if (b->passed == b->passings)
        b->passed = b->passings = 0;
    b->full = b->full || !mem_grow(b->passing, b->passing_cap, b->passings + (size_t)count);
    if (b->full || count == 0)
        return;
    memcpy(b->passing + b->passings, items, (size_t)count * sizeof(Jump));
    b->passings += (size_t)count;
}

static void arrive(void *user, int32_t process, const void *items, int32_t count)
{
    Building *b = user;
    const Jump *jump = items;
    (void)process;
    for (int32_t i = 0; i < count; i++) {
        const bool inner = jump[i].from.process == b->processes->rank;
        const size_t inners = b->inners + inner, outers = b->outers + !inner;
        b->full = b->full || !(mem_grow(b->inner, b->inner_cap, inners) &&
                               mem_grow(b->outer, b->outer_cap, outers) &&
                               mem_grow(b->source, b->source_cap, outers));
        if (b->full)
            return;
        if (inner) {
            b->inner[b->inners++] = (Entry){jump[i].to, jump[i].from.place, jump[i].chance};
        } else {
            b->source[b->outers] = jump[i].from;
            b->outer[b->outers++] = (Entry){jump[i].to, -1, jump[i].chance};
        }
    }
}

/* Own transitions, until a process is sent much.  True: there are more. */
static bool send_own(Building *b)
{
    const Chain *c = b->order->chain;
    const int32_t count = b->processes->count;
    for (; b->state < c->state_count; b->state++, b->at = -1) {
        const int32_t s = b->state;
        double exit = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            exit += c->target[k] == chain_number(c, s) ? 0 : chain_rate(c, b->value, k);
        for (b->at = b->at < 0 ? c->row[s] : b->at; b->at < c->row[s + 1]; b->at++) {
            const int32_t t = c->target[b->at];
            if (t == chain_number(c, s))
                continue;
            if (post_is_full(&b->post, t % count))
                return true;
            *(Jump *)post_add(&b->post, t % count) =
                (Jump){t / count, b->order->berth[s], 0, chain_rate(c, b->value, b->at) / exit};
        }
    }
    return false;
}

static bool send_passing(Building *b)
{
    for (; b->passed < b->passings; b->passed++) {
        Jump jump = b->passing[b->passed];
        const Berth to = b->order->berth[jump.to];
        if (post_is_full(&b->post, to.process))
            return true;
        jump.to = to.place;
        *(Jump *)post_add(&b->post, to.process) = jump;
    }
    return false;
}

/* Some of the own transitions, which then all arrive, and so on. */
static PepaStatus send_all(Building *b)
{
    PepaStatus status =
        agree(b, post_open(&b->post, b->processes, sizeof(Jump), post_items_for(b->processes)));
    b->at = -1;
    for (bool more = true; more && status == PEPA_OK;) {
        more = send_own(b);
        more = post_deliver(&b->post, more, pass_on, b);
        while (post_deliver(&b->post, send_passing(b), arrive, b))
            ;
        status = agree(b, !b->full);
    }
    post_free(&b->post);
    mem_free(b->passing);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Ascending by column, in place: rows are short, as a rule.  Source: Shell, Comm. ACM 2 (1959); gaps
 * of Gonnet, Baeza-Yates, 1991. */
static void sort_row(int32_t *col, double *val, int64_t n)
{
    for (int64_t gap = n > 3 ? n * 5 / 11 : 1; n > 1; gap = gap > 3 ? gap * 5 / 11 : 1) {
        for (int64_t i = gap; i < n; i++) {
            const int32_t c = col[i];
            const double v = val[i];
            int64_t at = i;
            for (; at >= gap && col[at - gap] > c; at -= gap) {
                col[at] = col[at - gap];
                val[at] = val[at - gap];
            }
            col[at] = c;
            val[at] = v;
        }
        if (gap == 1)
            return;
    }
}

/* Entries, which are freed, into rows with each column once. */
static bool make_rows(Entry *entry, size_t count, int32_t rows, int64_t *row, int32_t **col,
                      double **val)
{
    int64_t *start = NULL, at = 0;
    const bool ok =
        mem_new_zeroed(start, (size_t)rows + 2) && mem_new(*col, count) && mem_new(*val, count);
    for (size_t i = 0; i < count && ok; i++)
        bucket_count(start, entry[i].row);
    if (ok)
        bucket_starts(start, rows);
    for (size_t i = 0; i < count && ok; i++) {
        const int64_t to = bucket_place(start, entry[i].row);
        (*col)[to] = entry[i].col;
        (*val)[to] = entry[i].chance;
    }
    mem_free(entry);
    row[0] = 0;
    for (int32_t r = 0; r < rows && ok; r++) {
        const int64_t from = start[r], to = start[r + 1];
        sort_row(*col + from, *val + from, to - from);
        for (int64_t k = from; k < to; k++)
            if (k > from && (*col)[k] == (*col)[at - 1]) {
                (*val)[at - 1] += (*val)[k];
            } else {
                (*col)[at] = (*col)[k];
                (*val)[at++] = (*val)[k];
            }
        row[r + 1] = at;
    }
    mem_free(start);
    if (ok) {
        mem_trim(*col, at);
        mem_trim(*val, at);
    }
    return ok;
}

static bool make_inner(Building *b)
{
    SpreadFlow *f = b->out;
    Entry *entry = b->inner;
    b->inner = NULL;
    if (mem_new(f->row, (size_t)b->order->n + 1))
        return make_rows(entry, b->inners, b->order->n, f->row, &f->col, &f->val);
    mem_free(entry);
    return false;
}

/* ---- states of others ------------------------------------------------------------------------ */

static int by_berth(const void *a, const void *b)
{
    const Berth *x = a, *y = b;
    return x->process != y->process ? (x->process > y->process) - (x->process < y->process)
                                    : (x->place > y->place) - (x->place < y->place);
}

/* Each source once; false: memory is out. */
static bool list_copies(Building *b)
{
    SpreadFlow *f = b->out;
    if (!mem_new(f->copy, b->outers))
        return false;
    if (b->outers > 0) {
        memcpy(f->copy, b->source, b->outers * sizeof *f->copy);
        qsort(f->copy, b->outers, sizeof *f->copy, by_berth);
    }
    for (size_t i = 0; i < b->outers; i++)
        if (f->copies == 0 || by_berth(&f->copy[f->copies - 1], &f->copy[i]) != 0)
            f->copy[f->copies++] = f->copy[i];
    mem_trim(f->copy, f->copies);
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

/* Rows of what flows in from others: only those that there are. */
static bool make_outer(Building *b)
{
    FlowShare *share = &b->out->share;
    int32_t *number = NULL, *place = NULL, rows = 0;
    int64_t *row = NULL;
    int32_t *col = NULL;
    double *val = NULL;
    bool ok = mem_new_zeroed(number, b->order->n);
    for (size_t i = 0; i < b->outers && ok; i++)
        number[b->outer[i].row] = 1;
    for (int32_t r = 0; r < b->order->n && ok; r++)
        rows += number[r];
    ok = ok && mem_new(place, rows) && mem_new(row, (size_t)rows + 1);
    for (int32_t r = 0, at = 0; r < b->order->n && ok; r++)
        if (number[r]) {
            number[r] = at;
            place[at++] = r;
        }
    for (size_t i = 0; i < b->outers && ok; i++) {
        b->outer[i].row = number[b->outer[i].row];
        b->outer[i].col = copy_of(b->out, &b->source[i]);
    }
    mem_free(number);
    if (ok) {
        ok = make_rows(b->outer, b->outers, rows, row, &col, &val);
        b->outer = NULL;
    }
    share->rows = rows;
    share->place = place;
    share->row = row;
    share->col = col;
    share->val = val;
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

static PepaStatus ask_for_copies(Building *b, Wanted *wanted)
{
    const SpreadFlow *f = b->out;
    Post post = {0};
    PepaStatus status =
        agree(b, post_open(&post, b->processes, sizeof(int32_t), post_items_for(b->processes)));
    for (int32_t i = 0; i < f->copies && status == PEPA_OK; i++) {
        const Berth at = f->copy[i];
        if (post_is_full(&post, at.process))
            (void)post_deliver(&post, true, want, wanted);
        memcpy(post_add(&post, at.process), &at.place, sizeof at.place);
    }
    while (status == PEPA_OK && post_deliver(&post, false, want, wanted))
        ;
    post_free(&post);
    return status == PEPA_OK ? agree(b, !wanted->full) : status;
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
static PepaStatus open_exchange(Building *b, const Wanted *wanted)
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
    return agree(b, ok);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static PepaStatus connect(Building *b)
{
    Wanted wanted = {0};
    PepaStatus status = agree(b, make_inner(b) && list_copies(b) && make_outer(b));
    if (status == PEPA_OK)
        status = ask_for_copies(b, &wanted);
    if (status == PEPA_OK)
        status = open_exchange(b, &wanted);
    mem_free_all(wanted.place, wanted.by);
    return status;
}

/* A jump that has arrived, and in a row. */
double spread_flow_building_bytes(const Chain *chain)
{
    const double each = sizeof(Entry) + sizeof(int32_t) + sizeof(double);
    return each * (double)chain->spread->transitions;
}

/* Of the run of this process. */
static PepaStatus check_memory(const Building *b, int64_t memory)
{
    char states[NUMBER_SIZE];
    const Chain *c = b->order->chain;
    const double bytes = spread_flow_building_bytes(c) * b->order->n / (double)c->spread->states;
    PepaStatus status = PEPA_OK;
    if (memory > 0 && !budget_allows(memory, bytes))
        status = budget_exceeded(b->err, bytes, memory, "solving for %s states",
                                 number_grouped(b->order->n, states));
    return processes_agree(b->processes, status, b->err);
}

PepaStatus spread_flow_new(SpreadFlow *out, const SpreadOrder *order, const double *value,
                           int64_t memory, PepaError *err)
{
    Building b = {.out = out,
                  .order = order,
                  .processes = order->chain->spread->processes,
                  .value = value,
                  .err = err};
    *out = (SpreadFlow){0};
    PepaStatus status = check_memory(&b, memory);
    if (status == PEPA_OK)
        status = send_all(&b);
    if (status == PEPA_OK)
        status = connect(&b);
    mem_free_all(b.inner, b.outer, b.source);
    out->flow = (Flow){.n = order->n,
                       .row = out->row,
                       .col = out->col,
                       .val = out->val,
                       .exit = order->exit,
                       .share = &out->share};
    return status;
}

void spread_flow_free(SpreadFlow *f)
{
    FlowShare *s = &f->share;
    if (s->exchange)
        s->processes->close(s->processes->user, s->exchange);
    chances_free(&f->chances);
    mem_free_all(f->row, f->col, f->val, f->code, f->copy, f->piece, f->exchange.partner, s->buffer,
                 s->come, (void *)s->sent, (void *)s->place, (void *)s->row, (void *)s->col,
                 (void *)s->val);
    *f = (SpreadFlow){0};
}

double spread_flow_bytes(const SpreadFlow *f)
{
    const FlowShare *s = &f->share;
    const double entry = sizeof *f->col + (f->code ? sizeof *f->code : sizeof *f->val),
                 n = f->flow.n;
    return entry * (double)(f->row[f->flow.n] + s->row[s->rows]) +
           n * (sizeof *f->row + sizeof *s->come) + s->rows * (double)sizeof *s->row +
           ((double)s->sent_count + f->copies) * (sizeof *s->buffer + sizeof(Berth));
}
