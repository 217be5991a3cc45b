/* Writes a matrix of blocks by rows: expands one block row after the other into a list of entries,
 * and sorts each row of it. */
#include <string.h>

#include "measure/blocks_build.h"

/* An entry of a row: the rate of a transition from state `from` of the blocks. */
typedef struct {
    int32_t col;
    double rate;
} Entry;

typedef struct {
    const Blocks *b;
    int32_t n;
    const double
        *copy_exit; /* entries are from copies, at these exit rates; NULL: from own states */
    Entry *entries; /* of the block row at hand, row after row */
    int64_t *end;   /* per row of it: its entries, or where its next one goes */
    int64_t first;  /* first state of the block */
    bool counted;   /* flow->row has the lengths of rows before equal columns are added up */
} Expansion;

/* The row of a state of the blocks. */
static inline int32_t row_of(const Expansion *x, int64_t state)
{
    return (int32_t)(x->b->up ? state : x->n - 1 - state);
}

/* The column of one, or of a copy. */
static inline int32_t column_of(const Expansion *x, int64_t state)
{
    return x->copy_exit ? (int32_t)(state - x->n) : row_of(x, state);
}

typedef enum { COUNT, FILL } Pass;

/* An entry from state `from` to row `to` of the block row. */
static inline void put(Expansion *x, Pass pass, int32_t to, int64_t from, double rate)
{
    if (pass == COUNT)
        x->end[to]++;
    else
        x->entries[x->end[to]++] = (Entry){column_of(x, from), rate};
}

/* The entries of a block row: counted by row, or put in place. */
static void expand_block(Expansion *x, int32_t block, Pass pass)
{
    const Blocks *b = x->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off = &b->off_diagonals[edge->off];
        const double *value = off->value < 0 ? NULL : b->value + off->value;
        int64_t from = b->offset[edge->from];
        if ((edge->from >= b->blocks) != (x->copy_exit != NULL))
            continue;
        for (int32_t r = 0; r < off->count; r++) {
            BlockRun run = b->runs[off->first + r];
            for (int32_t k = 0; k < run.length; k++)
                put(x, pass, run.to + k, from + run.from + k,
                    value ? edge->rate * *value++ : edge->rate);
        }
    }
    if (x->copy_exit)
        return;
    for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++) {
        BlockRun run = diagonal->runs[r].run;
        for (int32_t k = 0; k < run.length; k++)
            put(x, pass, run.to + k, x->first + run.from + k, diagonal->runs[r].rate);
    }
    for (int32_t i = 0; i < diagonal->rows; i++)
        for (int32_t k = diagonal->row[i]; k < diagonal->row[i + 1]; k++)
            put(x, pass, i, x->first + diagonal->col[k], diagonal->val[k]);
}

/* Row lengths before equal columns are added up, and exit rates.  Returns the most entries of a
 * block row. */
static int64_t count_rows(Expansion *x, FlowOwner *f)
{
    const Blocks *b = x->b;
    int64_t most = 0;
    for (int32_t block = 0; block < b->blocks; block++) {
        int64_t entries = 0;
        x->first = b->offset[block];
        memset(x->end, 0, (size_t)b->largest * sizeof *x->end);
        expand_block(x, block, COUNT);
        for (int64_t i = x->first; i < b->offset[block + 1]; i++) {
            f->row[row_of(x, i) + 1] = x->end[i - x->first];
            f->exit[row_of(x, i)] = b->base[block] + b->parts[b->part[block]][i - x->first];
            entries += x->end[i - x->first];
        }
        most = entries > most ? entries : most;
    }
    f->row[0] = 0;
    for (int32_t i = 0; i < f->n; i++)
        f->row[i + 1] += f->row[i];
    x->counted = true;
    return most;
}

/* By columns; the order of equals stays. */
static void sort_row(Entry *entries, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        Entry e = entries[i];
        int64_t k = i;
        for (; k > 0 && entries[k - 1].col > e.col; k--)
            entries[k] = entries[k - 1];
        entries[k] = e;
    }
}

/* Append a row to f, from place `to` on, as jump probabilities with equal columns added up.
 * Returns its end; -1: there are too many different values. */
static int64_t write_row(FlowOwner *f, const double *exit, const Entry *entries, int64_t count,
                         int64_t to)
{
    int64_t first = to;
    for (int64_t i = 0; i < count; i++) {
        double p = entries[i].rate / exit[entries[i].col];
        if (to > first && f->col[to - 1] == entries[i].col)
            p += flow_get(f, --to);
        f->col[to] = entries[i].col;
        if (!flow_set(f, to++, p))
            return -1;
    }
    return to;
}

static PepaStatus fill(FlowOwner *f, Monitor *monitor, void *user)
{
    Expansion *x = user;
    const Blocks *b = x->b;
    const double *exit = x->copy_exit ? x->copy_exit : f->exit;
    int64_t begin = 0, to = 0; /* of the rows as counted, and as written */
    if (!x->counted)
        (void)count_rows(x, f);
    x->counted = false;
    for (int32_t k = 0; k < b->blocks && to >= 0; k++) {
        int32_t block = b->up ? k : b->blocks - 1 - k;
        int64_t rows = b->offset[block + 1] - b->offset[block], at = begin;
        int64_t *row = f->row + (b->up ? b->offset[block] : f->n - b->offset[block + 1]) + 1;
        x->first = b->offset[block];
        for (int64_t i = 0; i < rows; i++) {
            x->end[b->up ? i : rows - 1 - i] = at - begin;
            at = row[i];
        }
        if (monitor_cancels(monitor, at - begin, 0, 1))
            return PEPA_ECANCEL;
        expand_block(x, block, FILL);
        begin = at;
        at = 0; /* of the entries of this block row */
        for (int64_t i = 0; i < rows && to >= 0; i++) {
            int64_t end = x->end[b->up ? i : rows - 1 - i];
            sort_row(x->entries + at, end - at);
            row[i] = to = write_row(f, exit, x->entries + at, end - at, to);
            at = end;
        }
    }
    return to < 0 ? PEPA_ELIMIT : PEPA_OK;
}

static PepaStatus write_rows(FlowOwner *out, PepaMatrixForm form, const Control *control,
                             const Blocks *blocks, const double *copy_exit, PepaError *err)
{
    FlowOwner f = {.n = (int32_t)blocks->offset[blocks->blocks]};
    Expansion x = {.b = blocks, .n = f.n, .copy_exit = copy_exit};
    bool ok = mem_new(x.end, blocks->largest) && mem_new(f.row, (size_t)f.n + 1) &&
              mem_new(f.exit, f.n) && mem_new(x.entries, count_rows(&x, &f));
    PepaStatus status = ok ? flow_entries(&f, form, control, fill, &x, err) : error_memory(err);
    mem_free_all(x.end, x.entries);
    if (status == PEPA_OK)
        *out = f;
    else
        flow_free(&f);
    return status;
}

PepaStatus flow_from_blocks(FlowOwner *out, PepaMatrixForm form, const Control *control,
                            const Blocks *blocks, PepaError *err)
{
    return write_rows(out, form, control, blocks, NULL, err);
}

PepaStatus flow_from_copies(FlowOwner *out, PepaMatrixForm form, const Control *control,
                            const Blocks *blocks, const double *exit, PepaError *err)
{
    return write_rows(out, form, control, blocks, exit, err);
}
