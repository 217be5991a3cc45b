/* Parts of blocks, each for one thread. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/blocks_plan.h"

/* The rows of its source that a part of a tile reads, and what it has. */
typedef struct {
    int32_t low, high, runs; /* low > high: none */
    int64_t entries;
} Span;

typedef struct {
    const Blocks *b;
    BlocksPlan *plan;
    int32_t parts, tiles;
    int32_t *core; /* per tile: the core of a block that it leads to; -1: of none */
    Span *span;    /* per tile and part */
    double *done;  /* per turn: when it is done */
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

/* The first leaves of the parts of a core. */
static int32_t *leaves_of(const Draft *d, int32_t core)
{
    return d->plan->parted.leaf + (size_t)core * ((size_t)d->parts + 1);
}

/* The first row of a part. */
static int32_t row_of(const Draft *d, int32_t core, int32_t part)
{
    return d->b->cores[core].leaf[leaves_of(d, core)[part]];
}

static Span *span_of(const Draft *d, int32_t tile, int32_t part)
{
    return &d->span[(size_t)tile * (size_t)d->parts + (size_t)part];
}

/* Of about as many rows. */
static void cut_core(const Draft *d, int32_t index)
{
    const BlockCore *core = &d->b->cores[index];
    int32_t leaf = 0, *first = leaves_of(d, index);
    for (int32_t p = 0; p < d->parts; p++) {
        while (core->leaf[leaf] < (int64_t)core->rows * p / d->parts)
            leaf++;
        first[p] = leaf;
    }
    first[d->parts] = core->leaves;
}

/* The rows of a run that belong to a part, as a run; length 0: none. */
static BlockRun clip(const Draft *d, int32_t core, int32_t part, const BlockRun *run)
{
    int32_t low = most(run->to, row_of(d, core, part));
    int32_t high = least(run->to + run->length, row_of(d, core, part + 1));
    if (low >= high)
        return (BlockRun){0, 0, 0};
    return (BlockRun){(uint16_t)low, (uint16_t)(run->from + low - run->to), (uint16_t)(high - low)};
}

/* The part that a row belongs to. */
static int32_t part_of(const Draft *d, int32_t core, int32_t row)
{
    int32_t low = 0, high = d->parts;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (row_of(d, core, middle) <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void measure_tile(const Draft *d, int32_t tile, int32_t core)
{
    const BlockTile *t = &d->b->tiles[tile];
    for (int32_t p = 0; p < d->parts; p++)
        *span_of(d, tile, p) = (Span){.low = INT32_MAX, .high = -1};
    for (int32_t r = 0; r < t->count; r++) {
        const BlockRun *whole = &d->b->runs[t->first + r];
        int32_t end = part_of(d, core, whole->to + whole->length - 1);
        for (int32_t p = part_of(d, core, whole->to); p <= end; p++) {
            BlockRun run = clip(d, core, p, whole);
            Span *s = span_of(d, tile, p);
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

/* False: a tile leads to blocks that are cut differently, as may be if their leaves are different.
 */
static bool cut(Draft *d)
{
    const Blocks *b = d->b;
    for (int32_t i = 0; i < b->core_count; i++)
        cut_core(d, i);
    for (int32_t t = 0; t < d->tiles; t++)
        d->core[t] = -1;
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++) {
            int32_t tile = b->in[e].tile;
            if (d->core[tile] >= 0 && !cut_alike(d, d->core[tile], b->core[k]))
                return false;
            if (d->core[tile] < 0)
                measure_tile(d, tile, b->core[k]);
            d->core[tile] = b->core[k];
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
    const Span *s = span_of(d, edge->tile, part);
    if (s->low > s->high)
        return;
    int32_t core = d->b->core[edge->from], end = part_of(d, core, s->high);
    for (int32_t p = part_of(d, core, s->low); p <= end; p++)
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
    const BlockCore *core = &b->cores[b->core[block]];
    const int32_t *leaf = leaves_of(d, b->core[block]) + part;
    int32_t first = core->leaf[leaf[0]], end = core->leaf[leaf[1]];
    int64_t cost = (int64_t)COST_ROW * (end - first) + core->row[end] - core->row[first];
    for (int32_t r = core->run_row[leaf[0]]; r < core->run_row[leaf[1]]; r++)
        cost += core->runs[r].run.length;
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++)
        cost += COST_EDGE + span_of(d, b->in[e].tile, part)->entries;
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

/* ---- tiles --------------------------------------------------------------------------------- */

static bool reserve_tiles(const Draft *d)
{
    BlocksParted *p = &d->plan->parted;
    size_t spans = (size_t)d->tiles * (size_t)d->parts, runs = 0, values = 0;
    for (size_t i = 0; i < spans; i++) {
        bool valued = d->b->tiles[i / (size_t)d->parts].value >= 0;
        runs += (size_t)d->span[i].runs;
        values += valued ? (size_t)d->span[i].entries : 0;
    }
    p->tiles = mem_alloc(spans, sizeof *p->tiles);
    p->runs = mem_alloc(runs, sizeof *p->runs);
    p->value = mem_alloc(values, sizeof *p->value);
    return p->tiles && p->runs && p->value;
}

/* The runs of a tile that lead to a part, appended. */
static void cut_tile(const Draft *d, int32_t tile, int32_t part, int64_t *runs, int64_t *values)
{
    BlocksParted *out = &d->plan->parted;
    const BlockTile *whole = &d->b->tiles[tile];
    const double *value = whole->value < 0 ? NULL : d->b->value + whole->value;
    BlockTile *own = &out->tiles[(size_t)tile * (size_t)d->parts + (size_t)part];
    *own = (BlockTile){*runs, value ? *values : -1, span_of(d, tile, part)->runs};
    for (int32_t r = 0; own->count > 0 && r < whole->count; r++) {
        const BlockRun *run = &d->b->runs[whole->first + r];
        BlockRun clipped = clip(d, d->core[tile], part, run);
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

static bool cut_tiles(const Draft *d)
{
    int64_t runs = 0, values = 0;
    if (!reserve_tiles(d))
        return false;
    for (int32_t tile = 0; tile < d->tiles; tile++)
        for (int32_t part = 0; part < d->parts; part++)
            cut_tile(d, tile, part, &runs, &values);
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool make(Draft *d)
{
    if (!cut(d))
        return true;
    find_waits(d);
    d->plan->gain = simulate(d);
    return cut_tiles(d);
}

bool blocks_part(BlocksPlan **out, const Blocks *b, int32_t threads, int32_t parts)
{
    size_t n = (size_t)b->blocks * (size_t)parts, leaves = (size_t)parts + 1;
    BlocksPlan *plan = *out = mem_calloc(1, sizeof *plan);
    if (!plan)
        return false;
    Draft d = {.b = b, .plan = plan, .parts = parts};
    for (int64_t e = 0; e < b->in_row[b->blocks]; e++)
        d.tiles = most(d.tiles, b->in[e].tile + 1);
    plan->threads = threads;
    plan->parted.parts = parts;
    plan->parted.leaf = mem_alloc((size_t)b->core_count, leaves * sizeof *plan->parted.leaf);
    plan->parted.wait = mem_alloc(n, (size_t)threads * sizeof *plan->parted.wait);
    d.core = mem_alloc((size_t)d.tiles, sizeof *d.core);
    d.span = mem_calloc((size_t)d.tiles, (size_t)parts * sizeof *d.span);
    d.done = mem_alloc(n, sizeof *d.done);
    bool ok = plan->parted.leaf && plan->parted.wait && d.core && d.span && d.done && make(&d);
    mem_free(d.core);
    mem_free(d.span);
    mem_free(d.done);
    return ok;
}
