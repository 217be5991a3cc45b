/* Writes a matrix of blocks by rows. */
#include <string.h>

#include "measure/blocks_build.h"

typedef struct {
    FlowOwner *flow;
    const Blocks *b;
    int64_t *end;         /* per row of the block at hand: where its next entry goes */
    int64_t first;        /* first state of the block */
    bool counted;         /* flow->row has row lengths */
    bool too_many_values; /* too many different values for compact rows */
} Expansion;

/* The row of a state of the blocks. */
static inline int64_t row_of(const Expansion *x, int64_t state)
{
    return x->b->up ? state : x->flow->n - 1 - state;
}

/* An entry of rate q from state `from` into row `to` of the block; to be divided by exit rates. */
static inline void put(Expansion *x, int32_t to, int64_t from, double q)
{
    FlowOwner *f = x->flow;
    int64_t at = x->end[to]++;
    f->col[at] = (int32_t)row_of(x, from);
    x->too_many_values |= !flow_set(f, at, q);
}

typedef enum { COUNT, FILL } Pass;

/* The entries of a block row: counted by row of the block, or put in place. */
static void expand_block(Expansion *x, int32_t block, Pass pass)
{
    const Blocks *b = x->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    int64_t *count = x->end; /* COUNT */
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off = &b->off_diagonals[edge->off];
        const double *value = off->value < 0 ? NULL : b->value + off->value;
        int64_t from = b->offset[edge->from];
        for (int32_t r = 0; r < off->count; r++) {
            BlockRun run = b->runs[off->first + r];
            for (int32_t k = 0; k < run.length; k++)
                if (pass == COUNT)
                    count[run.to + k]++;
                else
                    put(x, run.to + k, from + run.from + k,
                        value ? edge->rate * *value++ : edge->rate);
        }
    }
    for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++)
        for (int32_t k = 0; k < diagonal->runs[r].run.length; k++)
            if (pass == COUNT)
                count[diagonal->runs[r].run.to + k]++;
            else
                put(x, diagonal->runs[r].run.to + k, x->first + diagonal->runs[r].run.from + k,
                    diagonal->runs[r].rate);
    for (int32_t i = 0; i < diagonal->rows; i++)
        for (int32_t k = diagonal->row[i]; k < diagonal->row[i + 1]; k++)
            if (pass == COUNT)
                count[i]++;
            else
                put(x, i, x->first + diagonal->col[k], diagonal->val[k]);
}

static void move_entry(FlowOwner *f, int64_t from, int64_t to)
{
    f->col[to] = f->col[from];
    if (f->code)
        f->code[to] = f->code[from];
    else
        f->val[to] = f->val[from];
}

/* Sort a row by columns. */
static void sort_row(FlowOwner *f, int64_t begin, int64_t end)
{
    for (int64_t i = begin + 1; i < end; i++) {
        int32_t col = f->col[i];
        uint16_t code = f->code ? f->code[i] : 0;
        double val = f->val ? f->val[i] : 0;
        int64_t k = i;
        for (; k > begin && f->col[k - 1] > col; k--)
            move_entry(f, k - 1, k);
        f->col[k] = col;
        if (f->code)
            f->code[k] = code;
        else
            f->val[k] = val;
    }
}

/* Turn the rates of a row into jump probabilities, equal columns added up, and move it to `to`.
 *   rates  the values of the codes of the rates
 * Returns the new length of the row. */
static int64_t normalise_row(Expansion *x, const Chances *rates, int64_t begin, int64_t end,
                             int64_t to)
{
    FlowOwner *f = x->flow;
    int64_t first = to;
    sort_row(f, begin, end);
    for (int64_t i = begin; i < end; i++) {
        double p = (f->val ? f->val[i] : rates->value[f->code[i]]) / f->exit[f->col[i]];
        if (to > first && f->col[to - 1] == f->col[i])
            p += flow_get(f, --to);
        f->col[to] = f->col[i];
        x->too_many_values |= !flow_set(f, to++, p);
    }
    return to - first;
}

/* Row lengths before equal columns are added up, and exit rates. */
static void count_rows(Expansion *x)
{
    FlowOwner *f = x->flow;
    const Blocks *b = x->b;
    memset(f->row, 0, ((size_t)f->n + 1) * sizeof *f->row);
    for (int32_t block = 0; block < b->blocks; block++) {
        x->first = b->offset[block];
        memset(x->end, 0, (size_t)b->largest * sizeof *x->end);
        expand_block(x, block, COUNT);
        for (int64_t i = x->first; i < b->offset[block + 1]; i++) {
            f->row[row_of(x, i) + 1] = x->end[i - x->first];
            f->exit[row_of(x, i)] = b->base[block] + b->parts[b->part[block]][i - x->first];
        }
    }
    for (int32_t i = 0; i < f->n; i++)
        f->row[i + 1] += f->row[i];
    x->counted = true;
}

static bool fill_rates(Expansion *x)
{
    const Blocks *b = x->b;
    for (int32_t block = 0; block < b->blocks && !x->too_many_values; block++) {
        x->first = b->offset[block];
        for (int64_t i = x->first; i < b->offset[block + 1]; i++)
            x->end[i - x->first] = x->flow->row[row_of(x, i)];
        expand_block(x, block, FILL);
    }
    return !x->too_many_values;
}

static PepaStatus fill(FlowOwner *f, void *user)
{
    Expansion *x = user;
    Chances rates = {0};
    x->too_many_values = false;
    if (!x->counted)
        count_rows(x);
    if (!fill_rates(x))
        return PEPA_ELIMIT;
    x->counted = false;
    if (f->code) {
        rates = f->chances;
        if (!chances_init(&f->chances)) {
            chances_free(&rates);
            return PEPA_ENOMEM;
        }
    }
    int64_t to = 0, begin = 0;
    for (int32_t i = 0; i < f->n && !x->too_many_values; i++) {
        int64_t end = f->row[i + 1];
        to += normalise_row(x, &rates, begin, end, to);
        begin = end;
        f->row[i + 1] = to;
    }
    chances_free(&rates);
    return x->too_many_values ? PEPA_ELIMIT : PEPA_OK;
}

PepaStatus flow_from_blocks(FlowOwner *out, PepaMatrixForm form, int64_t memory,
                            const Blocks *blocks, PepaError *err)
{
    FlowOwner f = {.n = (int32_t)blocks->offset[blocks->blocks]};
    Expansion x = {.flow = &f, .b = blocks};
    x.end = mem_alloc((size_t)blocks->largest, sizeof *x.end);
    f.row = mem_alloc((size_t)f.n + 1, sizeof *f.row);
    f.exit = mem_alloc((size_t)f.n, sizeof *f.exit);
    PepaStatus status = x.end && f.row && f.exit ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        count_rows(&x);
        status = flow_entries(&f, form, memory, fill, &x, err);
    }
    mem_free(x.end);
    if (status == PEPA_OK)
        *out = f;
    else
        flow_free(&f);
    return status;
}
