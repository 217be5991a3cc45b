/* A flow that processes share, gathered in the first of them, which solves it as one process would, with the methods that
 * processes do not share.  The others wait. */
#include "solvers/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/processes.h"
#include "solvers/tuning.h"

/* An entry of the matrix; or, as columns, what there is of each row. */
enum { EXIT = -1, GUESS = -2, START = -3, LEAVE = -4, KINDS = 4 };

typedef struct {
    int32_t row, col;
    double value;
} Item;

typedef struct {
    Attempt *try;
    const Flow *flow;
    const PepaProcesses *p;
    Post post;
    double *first, *entry; /* per process, and one more: rows and entries before it */
    int64_t *next;         /* per process: where its next entry goes */
    double *number;        /* of what others send: the rows, among all */
    Item *own;             /* of one row */
    int64_t *row;          /* in the first process: */
    int32_t *col;
    double *val, *of_row[KINDS];
    double *y; /* of the rows that are here */
} Gather;

static bool here(const Gather *g)
{
    return g->p->rank == 0;
}

static int64_t own_entries(const Flow *flow)
{
    return flow->row[flow->n] + flow->share->row[flow->share->rows];
}

/* Bytes in the first process: the matrix, vectors, and what multilevel takes. */
static double bytes_of(double rows, double entries)
{
    const double levels = 2 * entries * 12, vectors = 24 * sizeof(double);
    return entries * 12 + levels + rows * (vectors + sizeof(int64_t));
}

bool flow_gathers(const Flow *flow, const Control *control)
{
    const PepaProcesses *p = flow->share->processes;
    double all[2] = {flow->n, (double)own_entries(flow)};
    p->sum(p->user, all, 2);
    return all[0] <= INT32_MAX &&
           flow_agree(flow,
                      p->rank != 0 || budget_allows(control->memory, bytes_of(all[0], all[1])));
}

/* ---- to the first process -------------------------------------------------------------------- */

static bool count_all(Gather *g)
{
    const size_t count = (size_t)g->p->count;
    const int32_t rank = g->p->rank;
    if (!(mem_new_zeroed(g->first, count + 1) && mem_new_zeroed(g->entry, count + 1) &&
          mem_new(g->next, count)))
        return false;
    g->first[rank + 1] = g->flow->n;
    g->entry[rank + 1] = (double)own_entries(g->flow);
    return true;
}

static void add_up(const Gather *g, double *count)
{
    g->p->sum(g->p->user, count, g->p->count + 1);
    for (int32_t q = 0; q < g->p->count; q++)
        count[q + 1] += count[q];
}

static bool reserve(Gather *g)
{
    const FlowShare *s = g->flow->share;
    const size_t all = (size_t)g->first[g->p->count], entries = (size_t)g->entry[g->p->count];
    int64_t widest = 0, others = 0, at = 0;
    for (int32_t i = 0; i < g->flow->n; i++) {
        int64_t width = g->flow->row[i + 1] - g->flow->row[i];
        if (at < s->rows && s->place[at] == i) {
            width += s->row[at + 1] - s->row[at];
            at++;
        }
        widest = width > widest ? width : widest;
    }
    for (int64_t k = 0; k < s->row[s->rows]; k++)
        others = s->col[k] >= others ? s->col[k] + 1 : others;
    if (!(mem_new(g->own, widest) && mem_new(g->number, others) &&
          post_open(&g->post, g->p, sizeof(Item), post_items_for(g->p))))
        return false;
    if (!here(g))
        return true;
    for (int32_t q = 0; q < g->p->count; q++)
        g->next[q] = (int64_t)g->entry[q];
    for (int kind = 0; kind < KINDS; kind++)
        if (!mem_new_zeroed(g->of_row[kind], all))
            return false;
    return mem_new_zeroed(g->row, all + 1) && mem_new(g->col, entries) && mem_new(g->val, entries);
}

/* The numbers of the rows that others' entries are in. */
static void number_others(Gather *g)
{
    const FlowShare *s = g->flow->share;
    for (int32_t i = 0; i < s->sent_count; i++)
        s->buffer[i] = g->first[g->p->rank] + s->sent[i];
    s->processes->start(s->processes->user, s->exchange, s->buffer);
    s->processes->finish(s->processes->user, s->exchange);
    for (int64_t k = 0; k < s->row[s->rows]; k++)
        g->number[s->col[k]] = s->buffer[s->sent_count + s->col[k]];
    *s->read = NULL; /* the buffer has to be filled again */
}

static void take_in(void *user, int32_t process, const void *items, int32_t count)
{
    Gather *g = user;
    const Item *item = items;
    for (int32_t k = 0; k < count; k++, item++) {
        if (item->col < 0) {
            g->of_row[-item->col - 1][item->row] = item->value;
            continue;
        }
        const int64_t at = g->next[process]++;
        g->row[item->row + 1]++;
        g->col[at] = item->col;
        g->val[at] = item->value;
    }
}

static void send(Gather *g, Item item)
{
    while (post_is_full(&g->post, 0))
        (void)post_deliver(&g->post, true, take_in, g);
    *(Item *)post_add(&g->post, 0) = item;
}

static int by_column(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

/* at: of the rows into which others flow, the next one. */
static void send_row(Gather *g, int32_t i, int32_t *at)
{
    const Flow *f = g->flow;
    const FlowShare *s = f->share;
    const int32_t first = (int32_t)g->first[g->p->rank], row = first + i;
    int64_t count = 0;
    for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
        g->own[count++] = (Item){row, first + f->col[k], flow_val(f, k)};
    if (*at < s->rows && s->place[*at] == i) {
        for (int64_t k = s->row[*at]; k < s->row[*at + 1]; k++)
            g->own[count++] = (Item){row, (int32_t)g->number[s->col[k]], flow_share_val(s, k)};
        ++*at;
        qsort(g->own, (size_t)count, sizeof *g->own, by_column);
    }
    for (int64_t k = 0; k < count; k++)
        send(g, g->own[k]);
    send(g, (Item){row, EXIT, f->exit ? f->exit[i] : 1});
    send(g, (Item){row, GUESS, g->try->y[i]});
    if (f->b)
        send(g, (Item){row, START, f->b[i]});
    if (f->leave)
        send(g, (Item){row, LEAVE, f->leave[i]});
}

static void send_all(Gather *g)
{
    int32_t at = 0;
    number_others(g);
    for (int32_t i = 0; i < g->flow->n; i++)
        send_row(g, i, &at);
    while (post_deliver(&g->post, false, take_in, g))
        continue;
    for (int64_t i = 0; here(g) && i < (int64_t)g->first[g->p->count]; i++)
        g->row[i + 1] += g->row[i];
}

/* ---- the solution ---------------------------------------------------------------------------- */

static int go_on(void *user, const PepaProgress *now)
{
    const Gather *g = user;
    const Control *c = g->try->control;
    g->p->poll(g->p->user); /* the others wait */
    return c->progress ? c->progress(c->user, now) : 0;
}

/* What becomes of it, in numbers that all processes get. */
enum { STATUS, METHOD, ITERATIONS, COUPLED, NUMBERS };

static const Method *const known[] = {&method_gth,        &method_direct,     &method_gauss_seidel,
                                      &method_sor,        &method_bicgstab,   &method_gmres,
                                      &method_multilevel, &method_aggregation};
enum { KNOWN = sizeof known / sizeof *known };

static void solve_here(Gather *g, GatherSolve *solve, double *found)
{
    const int32_t n = (int32_t)g->first[g->p->count];
    Flow whole = {.n = n,
                  .row = g->row,
                  .col = g->col,
                  .val = g->val,
                  .exit = g->flow->exit ? g->of_row[-EXIT - 1] : NULL,
                  .b = g->flow->b ? g->of_row[-START - 1] : NULL,
                  .leave = g->flow->leave ? g->of_row[-LEAVE - 1] : NULL};
    Control control = *g->try->control;
    Outcome out = {0};
    double *scratch = NULL;
    control.evidence = NULL;
    control.keeper = NULL;
    control.factors = NULL;
    control.left = 0;
    control.stall = (StallRule){0};
    control.progress = go_on;
    control.user = g;
    control.memory = budget_left(control.memory, (double)g->entry[g->p->count] * 12 +
                                                     (double)n * (KINDS + 1) * sizeof(double));
    const PepaStatus status = solve(&whole, &control, g->y, &out, NULL);
    while (found[METHOD] < KNOWN - 1 && strcmp(known[(int)found[METHOD]]->name, out.method) != 0)
        found[METHOD]++;
    found[STATUS] = status == PEPA_ENOMEM || status == PEPA_ECANCEL ? status : PEPA_OK;
    found[ITERATIONS] = (double)out.iterations;
    if (status == PEPA_OK && !whole.b && mem_new(scratch, (size_t)n + 1))
        found[COUPLED] = flow_caution(&whole, g->y, &out, control.tolerance, scratch)[0] == '\0';
    mem_free(scratch);
}

static void take_back(void *user, int32_t process, const void *items, int32_t count)
{
    Gather *g = user;
    const Item *item = items;
    (void)process;
    for (int32_t k = 0; k < count; k++)
        g->y[item[k].row] = item[k].value;
}

/* From the first process to those that have the rows. */
static void give_back(Gather *g, double *y)
{
    const double *from = g->y;
    g->y = y;
    for (int32_t q = 0; here(g) && q < g->p->count; q++)
        for (int64_t i = (int64_t)g->first[q]; i < (int64_t)g->first[q + 1]; i++) {
            while (post_is_full(&g->post, q))
                (void)post_deliver(&g->post, true, take_back, g);
            *(Item *)post_add(&g->post, q) =
                (Item){(int32_t)(i - (int64_t)g->first[q]), 0, from[i]};
        }
    while (post_deliver(&g->post, false, take_back, g))
        continue;
}

static void gather_free(Gather *g)
{
    post_free(&g->post);
    mem_free_all(g->first, g->entry, g->next, g->number, g->own, g->row, g->col, g->val);
    for (int kind = 0; kind < KINDS; kind++)
        mem_free(g->of_row[kind]);
}

/* All agree on what the first has found. */
static void gather(Gather *g, GatherSolve *solve, double *y)
{
    double found[NUMBERS] = {0};
    send_all(g);
    g->y = g->of_row[-GUESS - 1];
    if (here(g))
        solve_here(g, solve, found);
    if (g->p->wait)
        g->p->wait(g->p->user);
    g->p->sum(g->p->user, found, NUMBERS);
    g->try->status = (PepaStatus)found[STATUS];
    g->try->method = known[(int)found[METHOD]]->name;
    g->try->iterations += (int64_t)found[ITERATIONS];
    g->try->coupled = found[COUPLED] > 0;
    g->try->gathered = true;
    if (g->try->status == PEPA_OK)
        give_back(g, y);
}

void gather_run(Attempt *try, GatherSolve *solve, double *y)
{
    Gather g = {.try = try, .flow = try->flow, .p = try->flow->share->processes};
    bool ok = flow_agree(try->flow, count_all(&g));
    if (ok) {
        add_up(&g, g.first);
        add_up(&g, g.entry);
        ok = flow_agree(try->flow, reserve(&g));
    }
    if (ok)
        gather(&g, solve, y);
    else
        try->status = PEPA_ENOMEM;
    gather_free(&g);
    if (try->status == PEPA_OK && !attempt_offer(try, y) && !try->why)
        try->why = "was not found by one process either";
}
