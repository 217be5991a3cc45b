/* Products of a vector with the generator of a diagram, upper state by upper state: the flow into
 * its states along the edges into it, and their exit rates. */
#include "ctmc/diagram/diagram.h"

#include <string.h>

#define INLINE inline __attribute__((always_inline)) /* for loops that do one of two things */

/* Entries of an off-diagonal block one after the other: from + k leads to to + k, k < length. */
typedef struct {
    uint16_t to, from, length;
} Run;

struct DiagramProduct {
    const Diagram *d;
    const uint8_t *without; /* per action, or NULL */
    Workers *workers;
    Run *runs;
    int64_t *matrix_run; /* per matrix: its first run */
    EdgeIn *in;
    int64_t *in_row;      /* per upper state: its edges in */
    int64_t *local_first; /* per set: where its entries of local_exit begin */
    double *local_exit; /* per member of a set: the rate at which events of the lower part leave */
    int32_t largest;    /* members of a set */
    double *scratch;    /* per thread: 2 * largest */
    const double *value, *x; /* of the product being computed */
    bool exits;
    ProductTask *task;
    void *user;
};

static bool goes_on(const Diagram *d, int64_t k)
{
    return d->entry_to[k] == d->entry_to[k - 1] + 1 && d->entry_from[k] == d->entry_from[k - 1] + 1;
}

static bool list_runs(DiagramProduct *b)
{
    const Diagram *d = b->d;
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int32_t i = 0; i < d->matrix_count; i++) {
            const Submatrix *t = &d->matrices[i];
            b->matrix_run[i] = count;
            for (int64_t k = t->first; k < t->first + t->count; k++)
                if (k > t->first && goes_on(d, k)) {
                    if (pass == 1)
                        b->runs[count - 1].length++;
                } else if (count++, pass == 1) {
                    b->runs[count - 1] = (Run){d->entry_to[k], d->entry_from[k], 1};
                }
        }
        b->matrix_run[d->matrix_count] = count;
        if (pass == 0 && !(b->runs = mem_alloc((size_t)count, sizeof *b->runs)))
            return false;
    }
    return true;
}

/* Over the entries of a submatrix: flow: sum_to += rate * x_from; else sum_from += rate.
 *   self  it is on the diagonal, and self-loops do not count */
static INLINE void add_entries(const DiagramProduct *b, int32_t matrix, int32_t term, bool self,
                               bool flow, const double *x, double *restrict sum)
{
    const Submatrix *t = &b->d->matrices[matrix];
    const double *value = b->value;
    const int32_t *terms = t->term < 0 ? NULL : b->d->entry_term + t->term;
    for (int64_t r = b->matrix_run[matrix]; r < b->matrix_run[matrix + 1]; r++) {
        Run run = b->runs[r];
        const double *restrict from = flow ? x + run.from : NULL;
        double *restrict to = sum + (flow ? run.to : run.from);
        if (self && run.from == run.to) {
            terms += terms ? run.length : 0;
        } else if (terms) {
            for (int32_t k = 0; k < run.length; k++)
                to[k] += flow ? value[*terms++] * from[k] : value[*terms++];
        } else {
            double rate = value[term];
            for (int32_t k = 0; k < run.length; k++)
                to[k] += flow ? rate * from[k] : rate;
        }
    }
}

static void add_flow(const DiagramProduct *b, int32_t matrix, int32_t term, const double *x,
                     bool self, double *sum)
{
    add_entries(b, matrix, term, self, true, x, sum);
}

static void add_exit(const DiagramProduct *b, int32_t matrix, int32_t term, bool self, double *exit)
{
    add_entries(b, matrix, term, self, false, NULL, exit);
}

static void find_local_exits(DiagramProduct *b)
{
    const Diagram *d = b->d;
    for (int32_t set = 0; set < d->set_count; set++) {
        double *exit = b->local_exit + b->local_first[set];
        memset(exit, 0, (size_t)d->set_size[set] * sizeof *exit);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            add_exit(b, d->local[e].matrix, d->local[e].term, true, exit);
    }
}

static void product_of(const DiagramProduct *b, int32_t part, int32_t upper, double *in,
                       double *exit)
{
    const Diagram *d = b->d;
    int32_t set = d->set[upper], size = d->set_size[set];
    memset(in, 0, (size_t)size * sizeof *in);
    if (b->exits)
        memcpy(exit, b->local_exit + b->local_first[set], (size_t)size * sizeof *exit);
    for (int64_t e = b->in_row[upper]; e < b->in_row[upper + 1]; e++) {
        EdgeIn edge = b->in[e];
        add_flow(b, edge.matrix, edge.term, b->x + diagram_place(d, edge.from), edge.from == upper,
                 in);
    }
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        if (!b->without || !b->without[d->local[e].label])
            add_flow(b, d->local[e].matrix, d->local[e].term, b->x + diagram_place(d, upper), true,
                     in);
    for (int64_t e = d->edge_row[upper]; b->exits && e < d->edge_row[upper + 1]; e++) {
        const Edge *edge = &d->edges[e];
        add_exit(b, edge->matrix, edge->term, edge->to == upper, exit);
    }
    b->task(b->user, part, diagram_place(d, upper), size, in, b->exits ? exit : NULL);
}

static void product_part(void *user, int32_t part, int32_t worker)
{
    const DiagramProduct *b = user;
    const int64_t n = b->d->own_count;
    double *scratch = b->scratch + 2 * (size_t)worker * (size_t)b->largest;
    for (int64_t i = n * part / PRODUCT_PARTS; i < n * (part + 1) / PRODUCT_PARTS; i++)
        product_of(b, part, diagram_own(b->d, (int32_t)i), scratch, scratch + b->largest);
}

void diagram_product(DiagramProduct *product, const double *value, const double *x, bool exits,
                     ProductTask *task, void *user)
{
    product->value = value;
    product->x = x;
    product->task = task;
    product->user = user;
    product->exits = exits;
    if (exits)
        find_local_exits(product);
    workers_run(product->workers, PRODUCT_PARTS, product_part, product);
}

void diagram_product_free(DiagramProduct *b)
{
    if (!b)
        return;
    mem_free_all(b->runs, b->matrix_run, b->in, b->in_row, b->local_exit, b->local_first,
                 b->scratch, b);
}

/* The edges into each upper state that carry something. */
static bool list_edges(DiagramProduct *b)
{
    const int64_t edges = b->d->edge_row[b->d->upper_count];
    uint8_t *there = NULL;
    if (b->without && !(there = mem_alloc((size_t)edges, sizeof *there)))
        return false;
    for (int64_t e = 0; there && e < edges; e++)
        there[e] = !b->without[b->d->edges[e].label];
    bool ok = diagram_edges_in(b->d, there, &b->in_row, &b->in);
    mem_free(there);
    return ok;
}

static bool reserve(DiagramProduct *b, int32_t threads)
{
    const Diagram *d = b->d;
    int64_t members = 0;
    if (!mem_new(b->local_first, d->set_count))
        return false;
    for (int32_t set = 0; set < d->set_count; set++) {
        b->local_first[set] = members;
        members += d->set_size[set];
        b->largest = d->set_size[set] > b->largest ? d->set_size[set] : b->largest;
    }
    return mem_new(b->local_exit, members) && mem_new(b->matrix_run, (size_t)d->matrix_count + 1) &&
           mem_new(b->scratch, 2 * (size_t)threads * (size_t)b->largest) && list_runs(b) &&
           list_edges(b);
}

PepaStatus diagram_product_new(DiagramProduct **out, const Diagram *diagram, const uint8_t *without,
                               Workers *workers, int32_t threads, PepaError *err)
{
    DiagramProduct *b = mem_calloc(1, sizeof *b);
    if (b)
        *b = (DiagramProduct){.d = diagram, .without = without, .workers = workers};
    if (b && reserve(b, threads)) {
        *out = b;
        return PEPA_OK;
    }
    diagram_product_free(b);
    return error_memory(err);
}
