/* The bottom components of a chain by rows that processes have explored together.
 *
 * A state's colour is the largest of the numbers of the states that it reaches, itself included; numbers are
 * by process, then by place.  The states of a bottom component have one colour, the number of one of them:
 * their root.  A state that reaches a jump between two colours is in no such component; a root that does not
 * is in one, which is all that it reaches.  So three searches find all components, however many there are.
 * Source: Orzan, On Distributed Verification and Verified Distribution, Amsterdam 2004, ch. 4. */
#include "measure/spread_bottoms.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/processes.h"
#include "measure/spread_search.h"

void spread_bottoms_free(SpreadBottoms *b)
{
    mem_free(b->of);
    *b = (SpreadBottoms){0};
}

void spread_reduce(const PepaProcesses *p, SpreadReduce *reduce, double *x, int64_t count)
{
    const int64_t most = 8192;
    for (int64_t k = 0; k < count; k += most)
        reduce(p->user, x + k, (int32_t)(count - k < most ? count - k : most));
}

/* ---- colours --------------------------------------------------------------------------------- */

/* A colour for a state of another process. */
typedef struct {
    double colour;
    int32_t place, none;
} Paint;

typedef struct {
    const SpreadFlow *flow;
    double *colour; /* per place; 0: none yet */
    int32_t *outer; /* per place: its row of outer entries, or -1 */
    int32_t *stack;
    int32_t *fresh, news; /* that others have coloured, once each */
    uint8_t *is_fresh;
    double *told;              /* per copy: its colour as its process gets to know it */
    int32_t *waiting, waiters; /* copies whose processes have to be told, once each */
    uint8_t *waits;
    Post post;
} Colours;

static void receive(void *user, int32_t process, const void *items, int32_t count)
{
    Colours *c = user;
    const Paint *paint = items;
    (void)process;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = paint[i].place;
        if (!(paint[i].colour > c->colour[at]))
            continue;
        c->colour[at] = paint[i].colour;
        if (!c->is_fresh[at])
            c->fresh[c->news++] = at;
        c->is_fresh[at] = 1;
    }
}

static void tell_later(Colours *c, int32_t copy, double colour)
{
    if (!(colour > c->told[copy]))
        return;
    c->told[copy] = colour;
    if (!c->waits[copy])
        c->waiting[c->waiters++] = copy;
    c->waits[copy] = 1;
}

/* The colour of a state goes back to all that reach it within this process, as far as it is larger than
 * theirs: each of them is on the stack once, at most. */
static void paint_back(Colours *c, int32_t from)
{
    const SpreadFlow *f = c->flow;
    const FlowShare *s = &f->share;
    const double colour = c->colour[from];
    int32_t high = 0;
    c->stack[high++] = from;
    while (high > 0) {
        const int32_t i = c->stack[--high], r = c->outer[i];
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
            if (c->colour[f->col[k]] < colour) {
                c->colour[f->col[k]] = colour;
                c->stack[high++] = f->col[k];
            }
        for (int64_t k = r < 0 ? 0 : s->row[r]; r >= 0 && k < s->row[r + 1]; k++)
            tell_later(c, s->col[k], colour);
    }
}

/* A state and its colour, to be sorted: the largest colour first. */
typedef struct {
    double colour;
    int32_t place, none;
} Ranked;

static int by_colour(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    return (x->colour < y->colour) - (x->colour > y->colour);
}

/* In place of what was received one by one: so that no state is coloured twice. */
static bool paint_fresh(Colours *c)
{
    Ranked *ranked = NULL;
    const int32_t count = c->news;
    if (!mem_new(ranked, count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = c->fresh[i];
        ranked[i] = (Ranked){c->colour[at], at, 0};
        c->is_fresh[at] = 0;
    }
    c->news = 0;
    qsort(ranked, (size_t)count, sizeof *ranked, by_colour);
    for (int32_t i = 0; i < count; i++)
        if (c->colour[ranked[i].place] <= ranked[i].colour) /* else that has gone back already */
            paint_back(c, ranked[i].place);
    mem_free(ranked);
    return true;
}

static void tell(Colours *c)
{
    while (c->waiters > 0) {
        const int32_t copy = c->waiting[--c->waiters];
        const Berth at = c->flow->copy[copy];
        c->waits[copy] = 0;
        if (post_is_full(&c->post, at.process))
            (void)post_deliver(&c->post, true, receive, c);
        *(Paint *)post_add(&c->post, at.process) = (Paint){c->told[copy], at.place, 0};
    }
}

static double number_of(const PepaProcesses *p, int32_t place)
{
    const double each = 2147483648.0; /* more than places of a process */
    return p->rank * each + place + 1;
}

static PepaStatus find_colours(Colours *c, PepaError *err)
{
    const PepaProcesses *p = c->flow->share.processes;
    const int32_t n = c->flow->flow.n;
    bool ok = true;
    for (int32_t i = n - 1; i >= 0; i--)
        if (c->colour[i] == 0) {
            c->colour[i] = number_of(p, i);
            paint_back(c, i);
        }
    do {
        ok = ok && paint_fresh(c);
        tell(c);
    } while (post_deliver(&c->post, false, receive, c) ||
             processes_count(p, ok && c->news + c->waiters > 0) > 0);
    return processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
}

/* ---- components ------------------------------------------------------------------------------ */

/* Those that jump to another colour. */
static void mark_edges(const Colours *c, uint8_t *leads, uint8_t *told)
{
    const SpreadFlow *f = c->flow;
    const FlowShare *s = &f->share;
    flow_receive(&f->flow, c->colour);
    *s->read = NULL; /* another vector may be there */
    const double *others = s->buffer + s->sent_count;
    for (int32_t i = 0; i < f->flow.n; i++)
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
            leads[f->col[k]] |= c->colour[f->col[k]] != c->colour[i];
    for (int32_t r = 0; r < s->rows; r++)
        for (int64_t k = s->row[r]; k < s->row[r + 1]; k++)
            told[s->col[k]] |= others[s->col[k]] != c->colour[s->place[r]];
}

/* The components of all processes, of which the roots of this one are some: its first one. */
static PepaStatus number_roots(SpreadBottoms *out, const PepaProcesses *p, int32_t roots,
                               int32_t *first, PepaError *err)
{
    double *count = NULL, all = 0, before = 0;
    PepaStatus status =
        processes_agree(p, mem_new_zeroed(count, p->count) ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        count[p->rank] = roots;
        p->sum(p->user, count, p->count);
    }
    for (int32_t q = 0; q < p->count && status == PEPA_OK; q++) {
        all += count[q];
        before += q < p->rank ? count[q] : 0;
    }
    mem_free(count);
    if (all > INT32_MAX)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_STATES,
                           "the chain ends in one of %.0f bottom components", all);
    *first = (int32_t)before;
    out->count = (int32_t)all;
    return status;
}

/* Component + 1 of a state that jumps to i, if that is known; 0: none. */
static double component_before(const SpreadFlow *f, int32_t i, int32_t outer, const double *number,
                               const double *others)
{
    const FlowShare *s = &f->share;
    for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
        if (number[f->col[k]] > 0)
            return number[f->col[k]];
    for (int64_t k = outer < 0 ? 0 : s->row[outer]; outer >= 0 && k < s->row[outer + 1]; k++)
        if (others[s->col[k]] > 0)
            return others[s->col[k]];
    return 0;
}

/* What roots reach is their component.  number: per place, in: component + 1 of roots, 0 elsewhere. */
static void search_ahead(const Colours *c, double *number)
{
    const SpreadFlow *f = c->flow;
    const PepaProcesses *p = f->share.processes;
    const int32_t n = f->flow.n;
    for (bool more = true; more;) {
        bool here = false;
        flow_receive(&f->flow, number);
        const double *others = f->share.buffer + f->share.sent_count;
        for (bool some = true, back = false; some; back = !back) {
            some = false;
            for (int32_t k = 0; k < n; k++) {
                const int32_t i = back ? n - 1 - k : k;
                if (number[i] != 0)
                    continue;
                number[i] = component_before(f, i, c->outer[i], number, others);
                some = some || number[i] != 0;
            }
            here = here || some;
        }
        more = processes_count(p, here) > 0;
    }
    *f->share.read = NULL;
}

static PepaStatus find_components(const Colours *c, SpreadBottoms *out, PepaError *err)
{
    const SpreadFlow *f = c->flow;
    const PepaProcesses *p = f->share.processes;
    const int32_t n = f->flow.n;
    uint8_t *leads = NULL, *told = NULL;
    int64_t left;
    int32_t roots = 0, first = 0;
    const bool ok =
        mem_new_zeroed(leads, n) && mem_new_zeroed(told, f->copies) && mem_new(out->of, n);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        mark_edges(c, leads, told);
        status = spread_search_back(f, 0, leads, told, &left, err);
    }
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        roots += !leads[i] && c->colour[i] == number_of(p, i);
    if (status == PEPA_OK)
        status = number_roots(out, p, roots, &first, err);
    if (status == PEPA_OK) {
        double *number = c->colour; /* which are not needed any more */
        for (int32_t i = 0; i < n; i++)
            number[i] = !leads[i] && number[i] == number_of(p, i) ? ++first : 0;
        search_ahead(c, number);
        for (int32_t i = 0; i < n; i++)
            out->of[i] = (int32_t)number[i] - 1;
    }
    mem_free_all(leads, told);
    return status;
}

PepaStatus spread_bottoms_new(SpreadBottoms *out, const SpreadFlow *f, PepaError *err)
{
    const PepaProcesses *p = f->share.processes;
    const int32_t n = f->flow.n, copies = f->copies;
    Colours c = {.flow = f};
    *out = (SpreadBottoms){0};
    const bool ok = mem_new_zeroed(c.colour, n) && mem_new(c.outer, n) && mem_new(c.stack, n) &&
                    mem_new(c.fresh, n) && mem_new_zeroed(c.is_fresh, n) &&
                    mem_new_zeroed(c.told, copies) && mem_new(c.waiting, copies) &&
                    mem_new_zeroed(c.waits, copies) &&
                    post_open(&c.post, p, sizeof(Paint), post_items_for(p));
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        spread_list_outer(&f->share, n, c.outer);
        status = find_colours(&c, err);
    }
    if (status == PEPA_OK)
        status = find_components(&c, out, err);
    post_free(&c.post);
    mem_free_all(c.colour, c.outer, c.stack, c.fresh, c.is_fresh, c.told, c.waiting, c.waits);
    if (status != PEPA_OK)
        spread_bottoms_free(out);
    return status;
}

PepaStatus spread_bottoms_bring(const SpreadOrder *order, int32_t *of, double *scratch,
                                PepaError *err)
{
    const Chain *c = order->chain;
    double *by_state = NULL;
    PepaStatus status = mem_new(by_state, c->state_count) ? PEPA_OK : error_memory(err);
    status = processes_agree(c->spread->processes, status, err);
    for (int64_t i = 0; i < c->state_count && status == PEPA_OK; i++)
        by_state[i] = chain_component(c, i);
    if (status == PEPA_OK)
        status = spread_order_bring(order, by_state, 1, scratch, err);
    for (int32_t i = 0; i < order->n && status == PEPA_OK; i++)
        of[i] = (int32_t)scratch[i];
    mem_free(by_state);
    return status;
}
