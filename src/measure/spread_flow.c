/* The jump chain of a chain by rows that processes have explored together, by rows: jumps go to where their
 * targets are solved for. */
#include "measure/spread_flow.h"

#include <string.h>

#include "base/bucket.h"
#include "base/budget.h"
#include "base/number.h"
#include "measure/spread_compact.h"
#include "measure/spread_copies.h"

/* ---- jumps on their way ---------------------------------------------------------------------- */

static void pass_on(void *user, int32_t process, const void *items, int32_t count)
{
    SpreadBuilding *b = user;
    (void)process;
    if (b->passed == b->passings)
        b->passed = b->passings = 0;
    b->full = b->full || !mem_grow(b->passing, b->passing_cap, b->passings + (size_t)count);
    if (b->full || count == 0)
        return;
    memcpy(b->passing + b->passings, items, (size_t)count * sizeof(Jump));
    b->passings += (size_t)count;
}

/* In the order of their first arrival; -1: memory is out. */
static int32_t number_source(SpreadBuilding *b, Berth source)
{
    const uint64_t key = spread_source_key(source);
    return table_put(&b->sources, &key, table_hash(&b->sources, &key));
}

static void arrive(void *user, int32_t process, const void *items, int32_t count)
{
    SpreadBuilding *b = user;
    const Jump *jump = items;
    (void)process;
    for (int32_t i = 0; i < count && !b->full; i++) {
        const bool inner = jump[i].from.process == b->processes->rank;
        const int32_t col = inner ? jump[i].from.place : number_source(b, jump[i].from);
        b->full =
            col < 0 || !entries_add(inner ? &b->inner : &b->outer, jump[i].to, col, jump[i].chance);
    }
}

static bool ends(const SpreadBuilding *b, int64_t k)
{
    const Chain *c = b->order->chain;
    return b->without && b->without[c->actions[chain_action(c, k)]];
}

/* Of a state: self-loops apart, unless they end. */
static double exit_from(const SpreadBuilding *b, int32_t s)
{
    const Chain *c = b->order->chain;
    double exit = 0;
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
        exit += c->target[k] == chain_number(c, s) && !ends(b, k) ? 0 : chain_rate(c, b->value, k);
    return exit;
}

/* Own transitions, until a process is sent much.  True: there are more. */
static bool send_own(SpreadBuilding *b)
{
    const Chain *c = b->order->chain;
    const int32_t count = b->processes->count;
    for (; b->state < c->state_count; b->state++, b->at = -1) {
        const int32_t s = b->state;
        const double exit = exit_from(b, s);
        for (b->at = b->at < 0 ? c->row[s] : b->at; b->at < c->row[s + 1]; b->at++) {
            const int32_t t = c->target[b->at];
            const bool stays = b->order->in_place && t % count == b->processes->rank;
            if (stays || t == chain_number(c, s) || ends(b, b->at))
                continue;
            if (post_is_full(&b->post, t % count))
                return true;
            *(Jump *)post_add(&b->post, t % count) =
                (Jump){t / count, b->order->berth[s], 0, chain_rate(c, b->value, b->at) / exit};
        }
    }
    return false;
}

static bool send_passing(SpreadBuilding *b)
{
    for (; b->passed < b->passings; b->passed++) {
        const Jump jump = b->passing[b->passed];
        const Berth target = b->order->berth[jump.to];
        const Berth row = b->onward ? jump.from : target, col = b->onward ? target : jump.from;
        if (post_is_full(&b->post, row.process))
            return true;
        *(Jump *)post_add(&b->post, row.process) = (Jump){row.place, col, 0, jump.chance};
    }
    return false;
}

/* Some of the own transitions, which then all arrive, and so on. */
static PepaStatus send_all(SpreadBuilding *b)
{
    PepaStatus status = spread_agree(b, post_open(&b->post, b->processes, sizeof(Jump),
                                                  post_items_for(b->processes)));
    b->at = -1;
    for (bool more = true; more && status == PEPA_OK;) {
        more = send_own(b);
        more = post_deliver(&b->post, more, pass_on, b);
        while (post_deliver(&b->post, send_passing(b), arrive, b))
            ;
        status = spread_agree(b, !b->full);
    }
    post_free(&b->post);
    mem_free(b->passing);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Jumps between own states that are solved for here: pass 0 counts those of rows, pass 1 puts them there, in the order
 * of their sources. */
static bool put_own(SpreadBuilding *b, int64_t *next, int pass)
{
    const Chain *c = b->order->chain;
    const int32_t count = b->processes->count, rank = b->processes->rank;
    bool ok = true;
    for (int32_t from = 0; from < b->order->n && ok; from++) {
        const int32_t s = b->order->origin[from].place;
        const double exit = pass == 0 ? 0 : exit_from(b, s);
        for (int64_t k = c->row[s]; k < c->row[s + 1] && ok; k++) {
            const int32_t t = c->target[k];
            if (t % count != rank || t == chain_number(c, s) || ends(b, k))
                continue;
            const int32_t to = b->order->berth[t / count].place;
            const int32_t row = b->onward ? from : to, col = b->onward ? to : from;
            if (pass == 0)
                bucket_count(next, row);
            else
                ok = entries_set(&b->inner, bucket_place(next, row), col,
                                 chain_rate(c, b->value, k) / exit);
        }
    }
    return ok;
}

static bool make_own(SpreadBuilding *b, int64_t *row)
{
    const int32_t n = b->order->n;
    int64_t *next = NULL;
    bool ok = mem_new_zeroed(next, (size_t)n + 2) && put_own(b, next, 0);
    if (ok) {
        bucket_starts(next, n);
        memcpy(row, next + 1, ((size_t)n + 1) * sizeof *row);
        ok = entries_make(&b->inner, (size_t)row[n]) && put_own(b, next, 1);
    }
    mem_free(next);
    return ok && entries_tidy(&b->inner, n, row, !b->onward);
}

static bool make_inner(SpreadBuilding *b)
{
    SpreadFlow *f = b->out;
    return mem_new(f->row, (size_t)b->order->n + 1) &&
           (b->order->in_place ? make_own(b, f->row)
                               : entries_line_up(&b->inner, b->order->n, f->row));
}

static void take_inner(SpreadBuilding *b)
{
    SpreadFlow *f = b->out;
    Entries *e = &b->inner;
    f->col = e->col;
    f->val = e->val;
    f->code = e->code;
    f->chances = e->chances;
    if (e->few)
        chances_close(&f->chances);
    *e = (Entries){0};
    f->flow = (Flow){.n = b->order->n,
                     .row = f->row,
                     .col = f->col,
                     .val = f->val,
                     .code = f->code,
                     .chance = f->chances.value,
                     .exit = b->order->exit,
                     .share = &f->share};
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A jump that has arrived. */
double spread_flow_building_bytes(const Chain *chain)
{
    const double each = 2 * sizeof(int32_t) + sizeof(double);
    return each * (double)chain->spread->transitions;
}

/* Of the run of this process. */
static PepaStatus check_memory(const SpreadBuilding *b, int64_t memory)
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

static PepaStatus build(SpreadBuilding *b, PepaMatrixForm form, int64_t memory)
{
    const bool few = spread_tries_compact(b->order->chain, form);
    *b->out = (SpreadFlow){0};
    b->processes = b->order->chain->spread->processes;
    PepaStatus status = check_memory(b, memory);
    if (status == PEPA_OK)
        status = spread_agree(b, entries_init(&b->inner, few) && entries_init(&b->outer, few) &&
                                     table_init(&b->sources, 1));
    if (status == PEPA_OK)
        status = send_all(b);
    if (status == PEPA_OK)
        status = spread_agree(b, make_inner(b));
    if (status == PEPA_OK)
        status = spread_agree_form(b, form);
    if (status == PEPA_OK) {
        take_inner(b);
        status = spread_connect(b);
    }
    entries_free(&b->inner);
    entries_free(&b->outer);
    table_free(&b->sources);
    return status;
}

PepaStatus spread_flow_new(SpreadFlow *out, const SpreadOrder *order, const double *value,
                           PepaMatrixForm form, int64_t memory, PepaError *err)
{
    return spread_flow_until(out, order, value, NULL, form, memory, err);
}

PepaStatus spread_flow_until(SpreadFlow *out, const SpreadOrder *order, const double *value,
                             const uint8_t *without, PepaMatrixForm form, int64_t memory,
                             PepaError *err)
{
    SpreadBuilding b = {.out = out, .order = order, .value = value, .without = without, .err = err};
    return build(&b, form, memory);
}

PepaStatus spread_flow_onward(SpreadFlow *out, const SpreadOrder *order, const double *value,
                              PepaMatrixForm form, int64_t memory, PepaError *err)
{
    SpreadBuilding b = {.out = out, .order = order, .value = value, .onward = true, .err = err};
    return build(&b, form, memory);
}

/* Rows in place; code or val may be NULL. */
typedef struct {
    int32_t rows;
    const int32_t *place; /* per row; NULL: its number */
    int64_t *row;
    int32_t *col;
    double *val;
    uint16_t *code;
} Rows;

/* Without the columns that are marked, and without the rows whose places are. */
static void drop(const Rows *r, const double *marked_col, const uint8_t *marked_row)
{
    int64_t *row = r->row, kept = 0, k = 0;
    int32_t *col = r->col;
    double *val = r->val;
    uint16_t *code = r->code;
    for (int32_t i = 0; i < r->rows; i++) {
        const bool whole = marked_row && marked_row[r->place ? r->place[i] : i];
        for (; k < row[i + 1]; k++) {
            if (whole || (marked_col && marked_col[col[k]] != 0))
                continue;
            col[kept] = col[k];
            if (code)
                code[kept] = code[k];
            if (val)
                val[kept] = val[k];
            kept++;
        }
        row[i + 1] = kept;
    }
}

static Rows inner_rows(const SpreadFlow *f)
{
    return (Rows){f->flow.n, NULL, f->row, f->col, f->val, f->code};
}

static Rows outer_rows(const SpreadFlow *f)
{
    const FlowShare *s = &f->share;
    return (Rows){s->rows,           s->place,         (int64_t *)s->row,
                  (int32_t *)s->col, (double *)s->val, (uint16_t *)s->code};
}

void spread_flow_drop(SpreadFlow *f, const double *marked)
{
    const Rows inner = inner_rows(f), outer = outer_rows(f);
    flow_receive(&f->flow, marked);
    f->read = NULL; /* another vector may be there */
    drop(&inner, marked, NULL);
    drop(&outer, f->share.buffer + f->share.sent_count, NULL);
}

void spread_flow_clear(SpreadFlow *f, const uint8_t *marked)
{
    const Rows inner = inner_rows(f), outer = outer_rows(f);
    f->read = NULL;
    drop(&inner, NULL, marked);
    drop(&outer, NULL, marked);
}

void spread_flow_free(SpreadFlow *f)
{
    FlowShare *s = &f->share;
    if (s->exchange)
        s->processes->close(s->processes->user, s->exchange);
    chances_free(&f->chances);
    chances_free(&f->outer_chances);
    mem_free_all(f->row, f->col, f->val, f->code, f->copy, f->piece, f->exchange.partner, s->buffer,
                 s->come, (void *)s->sent, (void *)s->place, (void *)s->row, (void *)s->col,
                 (void *)s->val, (void *)s->code);
    *f = (SpreadFlow){0};
}

double spread_flow_bytes(const SpreadFlow *f)
{
    const FlowShare *s = &f->share;
    const double inner = sizeof *f->col + (f->code ? sizeof *f->code : sizeof *f->val),
                 outer = sizeof *s->col + (s->code ? sizeof *s->code : sizeof *s->val),
                 n = f->flow.n;
    return inner * (double)f->row[f->flow.n] + outer * (double)s->row[s->rows] +
           n * (sizeof *f->row + sizeof *s->come) + s->rows * (double)sizeof *s->row +
           ((double)s->sent_count + f->copies) * (sizeof *s->buffer + sizeof(Berth));
}
