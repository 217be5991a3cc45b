/* Blocks cut into parts, each for one thread: the graph of the parts, and the cut matrices. */
#include <string.h>

#include "base/mem.h"
#include "solvers/blocks/blocks_plan.h"
#include "solvers/schedule/costs.h"

/* Part of an off-diagonal block: the rows of its source that it reads, and its size. */
typedef struct {
    int32_t low, high, runs; /* low > high: none */
    int64_t entries;
} Span;

typedef struct {
    const Blocks *b;
    BlocksParts *out;
    int32_t parts, offs;
    /* Per off-diagonal block: the diagonal block of where it leads; -1: nowhere. */
    int32_t *diagonal;
    Span *span; /* per off-diagonal block and part */
} Draft;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- cuts ---------------------------------------------------------------------------------- */

/* The first leaves of the parts of a diagonal. */
static int32_t *leaves_of(const Draft *d, int32_t diagonal)
{
    return d->out->leaf + (size_t)diagonal * ((size_t)d->parts + 1);
}

/* The first row of a part. */
static int32_t row_of(const Draft *d, int32_t diagonal, int32_t part)
{
    return d->b->diagonals[diagonal].leaf[leaves_of(d, diagonal)[part]];
}

static Span *span_of(const Draft *d, int32_t off, int32_t part)
{
    return &d->span[(size_t)off * (size_t)d->parts + (size_t)part];
}

/* Of about as many rows. */
static void cut_diagonal(const Draft *d, int32_t index)
{
    const Diagonal *diagonal = &d->b->diagonals[index];
    int32_t leaf = 0, *first = leaves_of(d, index);
    for (int32_t p = 0; p < d->parts; p++) {
        while (diagonal->leaf[leaf] < (int64_t)diagonal->rows * p / d->parts)
            leaf++;
        first[p] = leaf;
    }
    first[d->parts] = diagonal->leaves;
}

/* The rows of a run that belong to a part, as a run; length 0: none. */
static BlockRun clip(const Draft *d, int32_t diagonal, int32_t part, const BlockRun *run)
{
    int32_t low = most(run->to, row_of(d, diagonal, part));
    int32_t high = least(run->to + run->length, row_of(d, diagonal, part + 1));
    if (low >= high)
        return (BlockRun){0, 0, 0};
    return (BlockRun){(uint16_t)low, (uint16_t)(run->from + low - run->to), (uint16_t)(high - low)};
}

/* The part that a row belongs to. */
static int32_t part_of(const Draft *d, int32_t diagonal, int32_t row)
{
    int32_t low = 0, high = d->parts;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (row_of(d, diagonal, middle) <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void measure_off(const Draft *d, int32_t off, int32_t diagonal)
{
    const OffDiagonal *t = &d->b->off_diagonals[off];
    for (int32_t p = 0; p < d->parts; p++)
        *span_of(d, off, p) = (Span){.low = INT32_MAX, .high = -1};
    for (int32_t r = 0; r < t->count; r++) {
        const BlockRun *whole = &d->b->runs[t->first + r];
        int32_t end = part_of(d, diagonal, whole->to + whole->length - 1);
        for (int32_t p = part_of(d, diagonal, whole->to); p <= end; p++) {
            BlockRun run = clip(d, diagonal, p, whole);
            Span *s = span_of(d, off, p);
            if (run.length == 0)
                continue;
            s->low = least(s->low, run.from);
            s->high = most(s->high, run.from + run.length - 1);
            s->entries += run.length;
            s->runs++;
        }
    }
}

static bool cut_alike(const Draft *d, int32_t a, int32_t b)
{
    for (int32_t p = 0; a != b && p <= d->parts; p++)
        if (row_of(d, a, p) != row_of(d, b, p))
            return false;
    return true;
}

/* False: an off-diagonal block leads to blocks whose leaves, and hence cuts, are different. */
static bool cut(Draft *d)
{
    const Blocks *b = d->b;
    for (int32_t i = 0; i < b->diagonal_count; i++)
        cut_diagonal(d, i);
    for (int32_t t = 0; t < d->offs; t++)
        d->diagonal[t] = -1;
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++) {
            int32_t off = b->in[e].off;
            if (d->diagonal[off] >= 0 && !cut_alike(d, d->diagonal[off], b->diagonal[k]))
                return false;
            if (d->diagonal[off] < 0)
                measure_off(d, off, b->diagonal[k]);
            d->diagonal[off] = b->diagonal[k];
        }
    return true;
}

/* ---- tasks --------------------------------------------------------------------------------- */

static int32_t task_of(const Draft *d, int32_t block, int32_t part)
{
    return block_place(d->b, block) * d->parts + (d->b->up ? part : d->parts - 1 - part);
}

/* Links with the parts of another block that a part reads. */
static void link_edge(const Draft *d, TaskPairs *pairs, int32_t block, int32_t part,
                      const BlockEdge *edge)
{
    const Span *s = span_of(d, edge->off, part);
    if (s->low > s->high)
        return;
    int32_t diagonal = d->b->diagonal[edge->from], end = part_of(d, diagonal, s->high);
    for (int32_t p = part_of(d, diagonal, s->low); p <= end; p++)
        pairs_add(pairs, task_of(d, block, part), task_of(d, edge->from, p), 0);
}

static double cost_of(const Draft *d, int32_t block, int32_t part)
{
    const Blocks *b = d->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const int32_t *leaf = leaves_of(d, b->diagonal[block]) + part;
    int32_t first = diagonal->leaf[leaf[0]], end = diagonal->leaf[leaf[1]];
    double cost = COST_ROW * (end - first) + diagonal->row[end] - diagonal->row[first];
    for (int32_t r = diagonal->run_row[leaf[0]]; r < diagonal->run_row[leaf[1]]; r++)
        cost += COST_RUN + diagonal->runs[r].run.length;
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const Span *span = span_of(d, b->in[e].off, part);
        cost += COST_EDGE + COST_RUN * span->runs + (double)span->entries;
    }
    return cost;
}

/* The parts of a block are linked one to the next, empty or not: they read each other. */
static bool make_graph(const Draft *d, TaskGraph *g, int32_t threads)
{
    TaskPairs pairs = {0};
    for (int32_t block = 0; block < d->b->blocks; block++)
        for (int32_t part = 0; part < d->parts; part++) {
            int32_t task = task_of(d, block, part);
            g->owner[task] = (uint8_t)((int64_t)part * threads / d->parts);
            g->cost[task] = cost_of(d, block, part);
            if (part > 0)
                pairs_add(&pairs, task, task_of(d, block, part - 1), 0);
            for (int64_t e = d->b->in_row[block]; e < d->b->in_row[block + 1]; e++)
                link_edge(d, &pairs, block, part, &d->b->in[e]);
        }
    return graph_link(g, &pairs, 1);
}

/* ---- off-diagonal blocks --------------------------------------------------------------------- */

static bool reserve_off(const Draft *d)
{
    BlocksParts *p = d->out;
    size_t spans = (size_t)d->offs * (size_t)d->parts, runs = 0, values = 0;
    for (size_t i = 0; i < spans; i++) {
        bool valued = d->b->off_diagonals[i / (size_t)d->parts].value >= 0;
        runs += (size_t)d->span[i].runs;
        values += valued ? (size_t)d->span[i].entries : 0;
    }
    return mem_new(p->off, spans) && mem_new(p->runs, runs) && mem_new(p->value, values);
}

/* Append the runs of an off-diagonal block that lead to a part. */
static void cut_off(const Draft *d, int32_t off, int32_t part, int64_t *runs, int64_t *values)
{
    BlocksParts *out = d->out;
    const OffDiagonal *whole = &d->b->off_diagonals[off];
    const double *value = whole->value < 0 ? NULL : d->b->value + whole->value;
    OffDiagonal *own = &out->off[(size_t)off * (size_t)d->parts + (size_t)part];
    const Span *span = span_of(d, off, part);
    *own = (OffDiagonal){*runs, value ? *values : -1, span->runs, (int32_t)span->entries};
    for (int32_t r = 0; own->count > 0 && r < whole->count; r++) {
        const BlockRun *run = &d->b->runs[whole->first + r];
        BlockRun clipped = clip(d, d->diagonal[off], part, run);
        if (clipped.length > 0)
            out->runs[(*runs)++] = clipped;
        if (clipped.length > 0 && value) {
            memcpy(out->value + *values, value + (clipped.to - run->to),
                   clipped.length * sizeof *value);
            *values += clipped.length;
        }
        value = value ? value + run->length : NULL;
    }
}

static bool cut_all_off(const Draft *d)
{
    int64_t runs = 0, values = 0;
    if (!reserve_off(d))
        return false;
    for (int32_t off = 0; off < d->offs; off++)
        for (int32_t part = 0; part < d->parts; part++)
            cut_off(d, off, part, &runs, &values);
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool draft_new(Draft *d)
{
    const size_t parts = (size_t)d->parts, offs = (size_t)d->offs;
    d->out->count = d->parts;
    d->out->leaf = mem_alloc((size_t)d->b->diagonal_count, (parts + 1) * sizeof *d->out->leaf);
    d->diagonal = mem_alloc(offs, sizeof *d->diagonal);
    d->span = mem_calloc(offs, parts * sizeof *d->span);
    return d->out->leaf && d->diagonal && d->span;
}

/* The plan by the parts that have been cut. */
static bool plan_parts(const Draft *d, BlocksPlan *plan, int32_t threads)
{
    const size_t tasks = (size_t)d->b->blocks * (size_t)d->parts;
    TaskGraph g = {.tasks = (int32_t)tasks};
    if (mem_new(g.cost, tasks) && mem_new(g.owner, tasks) && make_graph(d, &g, threads))
        return plan_new(&plan->plan, &g, d->parts, threads, 0);
    graph_free(&g);
    return false;
}

bool blocks_plan_parts(BlocksPlan **out, const Blocks *b, int32_t threads, int32_t parts)
{
    BlocksPlan *plan = mem_calloc(1, sizeof *plan);
    *out = NULL;
    if (!plan || b->blocks > INT32_MAX / parts) {
        mem_free(plan);
        return plan != NULL;
    }
    Draft d = {.b = b, .out = &plan->parts, .parts = parts, .offs = b->off_count};
    bool ok = draft_new(&d), fits = ok && cut(&d);
    ok = ok && (!fits || (plan_parts(&d, plan, threads) && cut_all_off(&d)));
    mem_free_all(d.diagonal, d.span);
    if (ok && fits) {
        *out = plan;
        return true;
    }
    blocks_plan_free(plan);
    return ok;
}

void blocks_plan_free(BlocksPlan *plan)
{
    if (!plan)
        return;
    plan_free(plan->plan);
    mem_free_all(plan->parts.leaf, plan->parts.off, plan->parts.runs, plan->parts.value, plan);
}
