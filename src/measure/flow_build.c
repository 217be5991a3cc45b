/* Writes the jump chain of a chain, transposed, by rows: explicit or compact entries. */
#include "measure/flow_build.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/hash.h"
#include "base/twofold.h"

enum { SLOT_BITS = 17, SLOTS = 1 << SLOT_BITS };

/* ---- distinct values ----------------------------------------------------------------------- */

/* Untouched pages cost nothing: small matrices use a few. */
bool chances_init(Chances *c)
{
    *c = (Chances){0};
    if (mem_new_zeroed(c->value, MOST_CHANCES) && mem_new_zeroed(c->slot, SLOTS))
        return true;
    chances_free(c);
    return false;
}

void chances_free(Chances *c)
{
    mem_free_all(c->value, c->slot);
    *c = (Chances){0};
}

void chances_close(Chances *c)
{
    mem_free(c->slot);
    c->slot = NULL;
    mem_trim(c->value, c->count);
}

static uint32_t home_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint32_t)(bits * HASH_STEP >> (64 - SLOT_BITS));
}

int32_t chances_find(Chances *c, double x)
{
    if (c->value[c->last] == x && c->count > 0)
        return c->last;
    uint32_t at = home_of(x);
    while (c->slot[at] && c->value[c->slot[at] - 1] != x)
        at = (at + 1) % SLOTS;
    if (!c->slot[at]) {
        if (c->count == MOST_CHANCES)
            return -1;
        c->value[c->count++] = x;
        c->slot[at] = c->count;
    }
    return c->last = c->slot[at] - 1;
}

/* ---- entries ------------------------------------------------------------------------------- */

void flow_free(FlowOwner *flow)
{
    chances_free(&flow->chances);
    mem_free_all(flow->row, flow->col, flow->val, flow->code, flow->exit);
    *flow = (FlowOwner){0};
}

Flow flow_view(const FlowOwner *flow, const double *b)
{
    return (Flow){.n = flow->n,
                  .row = flow->row,
                  .col = flow->col,
                  .val = flow->val,
                  .exit = flow->exit,
                  .b = b,
                  .code = flow->code,
                  .chance = flow->chances.value};
}

double flow_get(const FlowOwner *flow, int64_t k)
{
    return flow->val ? flow->val[k] : flow->chances.value[flow->code[k]];
}

bool flow_set(FlowOwner *flow, int64_t k, double value)
{
    if (flow->val) {
        flow->val[k] = value;
        return true;
    }
    int32_t place = chances_find(&flow->chances, value);
    flow->code[k] = (uint16_t)place;
    return place >= 0;
}

static bool tries_compact(PepaMatrixForm form, double entries)
{
    return form == PEPA_MATRIX_COMPACT || (form == PEPA_MATRIX_AUTO && entries >= MANY_ENTRIES);
}

double flow_entry_bytes(PepaMatrixForm form, double entries)
{
    const FlowOwner *f = NULL;
    size_t value = tries_compact(form, entries) ? sizeof *f->code : sizeof *f->val;
    return entries * (double)(sizeof *f->col + value);
}

double flow_row_bytes(double states)
{
    const FlowOwner *f = NULL;
    return states * (sizeof *f->row + sizeof *f->exit);
}

/* Allocate row[n] entries in one form, and free those of the other. */
static PepaStatus allocate_entries(FlowOwner *f, bool compact, int64_t memory, PepaError *err)
{
    const size_t entries = (size_t)f->row[f->n];
    PepaMatrixForm form = compact ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
    double need = flow_entry_bytes(form, (double)entries);
    if (!budget_allows(memory, need))
        return budget_exceeded(err, need, memory, "the matrix by rows");
    chances_free(&f->chances);
    bool ok = f->col || mem_new(f->col, entries);
    if (compact) {
        mem_free(f->val);
        f->val = NULL;
        ok = ok && (f->code || mem_new(f->code, entries)) && chances_init(&f->chances);
    } else {
        mem_free(f->code);
        f->code = NULL;
        ok = ok && (f->val || mem_new(f->val, entries));
    }
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus flow_entries(FlowOwner *f, PepaMatrixForm form, const Control *control,
                        FlowFiller *filler, void *user, PepaError *err)
{
    bool compact = tries_compact(form, (double)f->row[f->n]);
    Monitor monitor = monitor_start(control);
    monitor.wait = BETWEEN_READINGS; /* small matrices are made without a call */
    PepaStatus status = PEPA_ELIMIT;
    for (int ways = form == PEPA_MATRIX_AUTO ? 2 : 1; ways > 0 && status == PEPA_ELIMIT; ways--) {
        status = allocate_entries(f, compact, control->memory, err);
        if (status != PEPA_OK)
            return status;
        status = filler(f, &monitor, user);
        compact = false; /* if that had too many distinct values */
    }
    if (status == PEPA_OK && f->code)
        chances_close(&f->chances);
    if (status == PEPA_ELIMIT)
        return chances_too_many(err);
    if (status == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "making the matrix: cancelled");
    return status == PEPA_OK ? status : error_memory(err);
}

PepaStatus chances_too_many(PepaError *err)
{
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MATRIX,
                       "the jumps have more than %d different chances, too many for compact "
                       "rows; explicit rows have no such limit",
                       MOST_CHANCES);
}

/* ---- from a chain -------------------------------------------------------------------------- */

typedef struct {
    const Chain *chain;
    const double *value;
    const int32_t *order, *place;
    bool rates;             /* entries are rates, not chances */
    const uint8_t *without; /* per action: it has no entries; or NULL */
    int64_t *end;
} Filling;

static bool leads_away(const Filling *f, int64_t k)
{
    return f->without && f->without[f->chain->actions[chain_action(f->chain, k)]];
}

static double exit_rate(const Filling *f, int32_t s)
{
    const Chain *c = f->chain;
    double exit = 0;
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
        exit += c->target[k] == s && !leads_away(f, k) ? 0 : chain_rate(c, f->value, k);
    return exit;
}

/* The same, right to the last digit however many rates there are: what steps in time are off by it
 * adds up. */
static double exact_exit_rate(const Filling *f, int32_t s)
{
    const Chain *c = f->chain;
    Twofold exit = {0, 0};
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
        if (c->target[k] != s || leads_away(f, k))
            twofold_add(&exit, (Twofold){chain_rate(c, f->value, k), 0});
    return isfinite(exit.hi) ? exit.hi + exit.lo : exit.hi;
}

/* The states by their numbers, if there is no order. */
static int32_t at_place(const int32_t *list, int32_t i)
{
    return list ? list[i] : i;
}

/* row[i + 1]: how many distinct sources state i has; last[i]: scratch. */
static void count_sources(FlowOwner *f, const Chain *c, const int32_t *order, const int32_t *place,
                          int32_t *last)
{
    for (int32_t i = 0; i < f->n; i++) {
        int32_t s = at_place(order, i);
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t to = at_place(place, c->target[k]);
            if (c->target[k] == s || to < 0 || last[to] == i)
                continue;
            last[to] = i;
            f->row[to + 1]++;
        }
    }
}

/* Sources ascend, so those of one target ascend too, and a second transition between the same two
 * states finds the entry of the first as the last one of its row. */
static PepaStatus fill(FlowOwner *f, Monitor *monitor, void *user)
{
    const Filling *filling = user;
    const Chain *c = filling->chain;
    int64_t *end = filling->end; /* per row: of its entries until now */
    memcpy(end, f->row, (size_t)f->n * sizeof *end);
    for (int32_t i = 0; i < f->n; i++) {
        int32_t s = at_place(filling->order, i);
        if (monitor_cancels(monitor, c->row[s + 1] - c->row[s], 0, 1))
            return PEPA_ECANCEL;
        f->exit[i] = filling->rates ? exact_exit_rate(filling, s) : exit_rate(filling, s);
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t to = at_place(filling->place, c->target[k]);
            if (c->target[k] == s || to < 0)
                continue;
            double p = chain_rate(c, filling->value, k) / (filling->rates ? 1 : f->exit[i]);
            p = leads_away(filling, k) ? 0 : p;
            int64_t at = end[to];
            bool again = at > f->row[to] && f->col[at - 1] == i;
            if (again) {
                p += flow_get(f, --at);
            } else {
                f->col[at] = i;
                end[to] = at + 1;
            }
            if (!flow_set(f, at, p))
                return PEPA_ELIMIT;
        }
    }
    return PEPA_OK;
}

static PepaStatus fill_all(FlowOwner *f, PepaMatrixForm form, const Control *control,
                           Filling filling, PepaError *err)
{
    filling.end = mem_alloc((size_t)f->n, sizeof *filling.end);
    PepaStatus status =
        filling.end ? flow_entries(f, form, control, fill, &filling, err) : error_memory(err);
    mem_free(filling.end);
    return status;
}

PepaStatus flow_fill(FlowOwner *f, PepaMatrixForm form, const Control *control, const Chain *chain,
                     const double *value, const int32_t *order, const int32_t *place,
                     PepaError *err)
{
    return fill_all(f, form, control, (Filling){chain, value, order, place, false, NULL, NULL},
                    err);
}

PepaStatus flow_fill_rates(FlowOwner *f, const Control *control, const Chain *chain,
                           const double *value, const uint8_t *without, PepaError *err)
{
    return fill_all(f, PEPA_MATRIX_AUTO, control,
                    (Filling){chain, value, NULL, NULL, true, without, NULL}, err);
}

PepaStatus flow_build(FlowOwner *out, const Chain *chain, const int32_t *order, int32_t n,
                      const int32_t *place, PepaError *err)
{
    FlowOwner f = {.n = n};
    int32_t *last = mem_alloc((size_t)n, sizeof *last);
    bool ok = last && mem_new_zeroed(f.row, (size_t)n + 1) && mem_new(f.exit, n);
    if (ok) {
        memset(last, -1, (size_t)n * sizeof *last);
        count_sources(&f, chain, order, place, last);
        for (int32_t i = 0; i < n; i++)
            f.row[i + 1] += f.row[i];
        *out = f;
    } else {
        flow_free(&f);
    }
    mem_free(last);
    return ok ? PEPA_OK : error_memory(err);
}
