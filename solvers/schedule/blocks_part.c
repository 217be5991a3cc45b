/* Parts of blocks, each for one thread. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/blocks_plan.h"

/* The rows of its source that a part of a off reads, and what it has. */
typedef struct {
    int32_t low, high, runs; /* low > high: none */
    int64_t entries;
} Span;

typedef struct {
    const Blocks *b;
    BlocksPlan *plan;
    int32_t parts, off_diagonals;
    int32_t *diagonal; /* per off: the diagonal of a block that it leads to; -1: of none */
    Span *span;        /* per off and part */
    double *done;      /* per turn: when it is done */
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
    return d->plan->parted.leaf + (size_t)diagonal * ((size_t)d->parts + 1);
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

/* False: a off leads to blocks that are cut differently, as may be if their leaves are different.
 */
static bool cut(Draft *d)
{
    const Blocks *b = d->b;
    for (int32_t i = 0; i < b->diagonal_count; i++)
        cut_diagonal(d, i);
    for (int32_t t = 0; t < d->off_diagonals; t++)
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

/* ---- waits --------------------------------------------------------------------------------- */

/* The later part in the order of one thread waits for the earlier one, if that is not its own
 * thread's. */
static void wait(const Draft *d, int32_t block, int32_t part, int32_t other, int32_t other_part)
{
    const BlocksPlan *plan = d->plan;
    int32_t here = parts_turn(d->b, d->parts, block, part);
    int32_t there = parts_turn(d->b, d->parts, other, other_part);
    int32_t owner = parts_owner(plan, part), other_owner = parts_owner(plan, other_part);
    size_t early = (size_t)(here < there ? owner : other_owner);
    size_t late = here < there ? (size_t)other * (size_t)d->parts + (size_t)other_part
                               : (size_t)block * (size_t)d->parts + (size_t)part;
    int32_t *turn = &plan->parted.wait[late * (size_t)plan->threads + early];
    if (owner != other_owner)
        *turn = most(*turn, least(here, there));
}

/* What a part of a block reads of another block. */
static void wait_for_edge(const Draft *d, int32_t block, int32_t part, const BlockEdge *edge)
{
    const Span *s = span_of(d, edge->off, part);
    if (s->low > s->high)
        return;
    int32_t diagonal = d->b->diagonal[edge->from], end = part_of(d, diagonal, s->high);
    for (int32_t p = part_of(d, diagonal, s->low); p <= end; p++)
        wait(d, block, part, edge->from, p);
}

static void find_waits(const Draft *d)
{
    const Blocks *b = d->b;
    size_t all = (size_t)b->blocks * (size_t)d->parts * (size_t)d->plan->threads;
    memset(d->plan->parted.wait, 0, all * sizeof *d->plan->parted.wait);
    for (int32_t k = 0; k < b->blocks; k++)
        for (int32_t part = 0; part < d->parts; part++) {
            if (part > 0) /* empty or not: those of a block come one after the other */
                wait(d, k, part, k, part - 1);
            for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++)
                wait_for_edge(d, k, part, &b->in[e]);
        }
}

/* ---- cost ---------------------------------------------------------------------------------- */

static int64_t cost_of(const Draft *d, int32_t block, int32_t part)
{
    const Blocks *b = d->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const int32_t *leaf = leaves_of(d, b->diagonal[block]) + part;
    int32_t first = diagonal->leaf[leaf[0]], end = diagonal->leaf[leaf[1]];
    int64_t cost = (int64_t)COST_ROW * (end - first) + diagonal->row[end] - diagonal->row[first];
    for (int32_t r = diagonal->run_row[leaf[0]]; r < diagonal->run_row[leaf[1]]; r++)
        cost += diagonal->runs[r].run.length;
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++)
        cost += COST_EDGE + span_of(d, b->in[e].off, part)->entries;
    return cost;
}

/* How many times as fast as one thread. */
static double simulate(const Draft *d)
{
    const Blocks *b = d->b;
    const BlocksPlan *plan = d->plan;
    double free_at[MOST_WORKERS] = {0}, alone = 0, last = 0;
    for (int32_t k = 0; k < b->blocks; k++)
        for (int32_t i = 0; i < d->parts; i++) {
            int32_t block = b->up ? k : b->blocks - 1 - k, part = b->up ? i : d->parts - 1 - i;
            int32_t owner = parts_owner(plan, part);
            const int32_t *waits =
                plan->parted.wait +
                ((size_t)block * (size_t)d->parts + (size_t)part) * (size_t)plan->threads;
            double cost = (double)cost_of(d, block, part), at = free_at[owner];
            for (int32_t w = 0; w < plan->threads; w++)
                if (waits[w] > 0)
                    at = fmax(at, d->done[waits[w] - 1] + COST_HANDING);
            at += cost + COST_HANDING / 8.0; /* looking whether others have come far enough */
            free_at[owner] = d->done[parts_turn(b, d->parts, block, part) - 1] = at;
            last = fmax(last, at);
            alone += cost;
        }
    return alone / (COST_BEGINNING + last);
}

/* ---- off_diagonals --------------------------------------------------------------------------------- */

static bool reserve_off(const Draft *d)
{
    BlocksParted *p = &d->plan->parted;
    size_t spans = (size_t)d->off_diagonals * (size_t)d->parts, runs = 0, values = 0;
    for (size_t i = 0; i < spans; i++) {
        bool valued = d->b->off_diagonals[i / (size_t)d->parts].value >= 0;
        runs += (size_t)d->span[i].runs;
        values += valued ? (size_t)d->span[i].entries : 0;
    }
    p->off_diagonals = mem_alloc(spans, sizeof *p->off_diagonals);
    p->runs = mem_alloc(runs, sizeof *p->runs);
    p->value = mem_alloc(values, sizeof *p->value);
    return p->off_diagonals && p->runs && p->value;
}

/* The runs of a off that lead to a part, appended. */
static void cut_off(const Draft *d, int32_t off, int32_t part, int64_t *runs, int64_t *values)
{
    BlocksParted *out = &d->plan->parted;
    const OffDiagonal *whole = &d->b->off_diagonals[off];
    const double *value = whole->value < 0 ? NULL : d->b->value + whole->value;
    OffDiagonal *own = &out->off_diagonals[(size_t)off * (size_t)d->parts + (size_t)part];
    *own = (OffDiagonal){*runs, value ? *values : -1, span_of(d, off, part)->runs};
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
    for (int32_t off = 0; off < d->off_diagonals; off++)
        for (int32_t part = 0; part < d->parts; part++)
            cut_off(d, off, part, &runs, &values);
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool make(Draft *d)
{
    if (!cut(d))
        return true;
    find_waits(d);
    d->plan->gain = simulate(d);
    return cut_all_off(d);
}

bool blocks_part(BlocksPlan **out, const Blocks *b, int32_t threads, int32_t parts)
{
    size_t n = (size_t)b->blocks * (size_t)parts, leaves = (size_t)parts + 1;
    BlocksPlan *plan = *out = mem_calloc(1, sizeof *plan);
    if (!plan)
        return false;
    Draft d = {.b = b, .plan = plan, .parts = parts};
    for (int64_t e = 0; e < b->in_row[b->blocks]; e++)
        d.off_diagonals = most(d.off_diagonals, b->in[e].off + 1);
    plan->threads = threads;
    plan->parted.parts = parts;
    plan->parted.leaf = mem_alloc((size_t)b->diagonal_count, leaves * sizeof *plan->parted.leaf);
    plan->parted.wait = mem_alloc(n, (size_t)threads * sizeof *plan->parted.wait);
    d.diagonal = mem_alloc((size_t)d.off_diagonals, sizeof *d.diagonal);
    d.span = mem_calloc((size_t)d.off_diagonals, (size_t)parts * sizeof *d.span);
    d.done = mem_alloc(n, sizeof *d.done);
    bool ok = plan->parted.leaf && plan->parted.wait && d.diagonal && d.span && d.done && make(&d);
    mem_free(d.diagonal);
    mem_free(d.span);
    mem_free(d.done);
    return ok;
}
