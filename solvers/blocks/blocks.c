/* Keeps matrices of blocks: rare entries, workspaces, loops over parts, sums. */
#include "solvers/blocks/blocks.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/blocks/tuning.h"

void blocks_free(Blocks *b)
{
    for (int32_t i = 0; b->diagonals && i < b->diagonal_count; i++) {
        mem_free_all(b->diagonals[i].leaf, b->diagonals[i].run_row, b->diagonals[i].row,
                     b->diagonals[i].runs, b->diagonals[i].col, b->diagonals[i].val);
    }
    for (int32_t i = 0; b->parts && i < b->part_count; i++)
        mem_free(b->parts[i]);
    mem_free_all(b->diagonals, b->parts, b->offset, b->in_row, b->in, b->diagonal, b->part, b->base,
                 b->off_diagonals, b->runs, b->value);
    *b = (Blocks){0};
}

static double least_value(const Blocks *b, const OffDiagonal *off)
{
    double least = off->value < 0 ? 1 : HUGE_VAL;
    for (int32_t k = 0; off->value >= 0 && k < off->entries; k++)
        least = fmin(least, b->value[off->value + k]);
    return least;
}

/* The smallest rate within a diagonal. */
static double least_rate(const Diagonal *diagonal)
{
    double least = HUGE_VAL;
    for (int32_t k = 0; k < diagonal->row[diagonal->rows]; k++)
        least = fmin(least, diagonal->val[k]);
    for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++)
        least = fmin(least, diagonal->runs[r].rate);
    return least;
}

/* Parts are numbered as blocks first have them. */
static void find_most(const Blocks *b, double *part_most, double *most)
{
    for (int32_t k = 0, part = 0; k < b->blocks; k++) {
        int32_t own = b->part[k];
        if (own == part) {
            part_most[part] = 0;
            for (int64_t i = 0; i < b->offset[k + 1] - b->offset[k]; i++)
                part_most[part] = fmax(part_most[part], b->parts[part][i]);
            part++;
        }
        most[k] = b->base[k] + part_most[own];
    }
}

/* least: per diagonal, then per off, once it is known; NAN until then. */
static bool find_rare(const Blocks *b, const double *most, double *least)
{
    bool found = false;
    for (int32_t k = 0; k < b->blocks && !found; k++) {
        double *diagonal = &least[b->diagonal[k]];
        if (isnan(*diagonal))
            *diagonal = least_rate(&b->diagonals[b->diagonal[k]]);
        found = *diagonal < RARE_JUMP * most[k];
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1] && !found; e++) {
            const BlockEdge *edge = &b->in[e];
            double *off = &least[b->diagonal_count + edge->off];
            if (isnan(*off))
                *off = least_value(b, &b->off_diagonals[edge->off]);
            found = edge->rate * *off < RARE_JUMP * most[edge->from];
        }
    }
    return found;
}

bool blocks_exits(const Blocks *b, double *most)
{
    double *part_most = mem_alloc((size_t)b->part_count, sizeof *part_most);
    if (part_most)
        find_most(b, part_most, most);
    mem_free(part_most);
    return part_most;
}

bool blocks_rare(const Blocks *b, double *most, bool *out)
{
    size_t all = (size_t)b->diagonal_count + (size_t)b->off_count;
    double *least = mem_alloc(all, sizeof *least);
    for (size_t i = 0; least && i < all; i++)
        least[i] = NAN;
    bool ok = least && blocks_exits(b, most);
    bool found = ok && find_rare(b, most, least);
    mem_free(least);
    *out = found;
    return ok;
}

typedef struct {
    WorkTask *task;
    void *user;
    int32_t blocks, each;
} Each;

static void do_some(void *user, int32_t index, int32_t worker)
{
    const Each *e = user;
    int32_t first = index * e->each, end = first + e->each;
    for (int32_t k = first; k < end && k < e->blocks; k++)
        e->task(e->user, k, worker);
}

void blocks_each(const BlocksWorkspace *work, const Blocks *b, WorkTask *task, void *user)
{
    int32_t tasks = TAKES * work->threads;
    if (b->blocks == 0) /* other processes have all */
        return;
    Each each = {task, user, b->blocks, (b->blocks + tasks - 1) / tasks};
    workers_run(work->workers, (b->blocks + each.each - 1) / each.each, do_some, &each);
}

typedef struct {
    double *x, scale;
    int64_t n;
    double above[PARTS], below[PARTS];
} Settling;

/* (|x| + x) / 2 and (|x| - x) / 2, without branches. */
static void weigh_part(void *user, int32_t part, int32_t worker)
{
    Settling *s = user;
    double sum[2] = {0}, size[2] = {0}; /* side by side, as additions wait for each other */
    int64_t i = s->n * part / PARTS, end = s->n * (part + 1) / PARTS;
    (void)worker;
    if ((end - i) % 2 == 1) {
        sum[0] = s->x[i];
        size[0] = fabs(s->x[i++]);
    }
    for (; i < end; i += 2) {
        sum[0] += s->x[i];
        sum[1] += s->x[i + 1];
        size[0] += fabs(s->x[i]);
        size[1] += fabs(s->x[i + 1]);
    }
    s->above[part] = ((size[0] + size[1]) + (sum[0] + sum[1])) / 2;
    s->below[part] = ((size[0] + size[1]) - (sum[0] + sum[1])) / 2;
}

static void scale_part(void *user, int32_t part, int32_t worker)
{
    const Settling *s = user;
    (void)worker;
    for (int64_t i = s->n * part / PARTS; i < s->n * (part + 1) / PARTS; i++) {
        double scaled = s->scale * s->x[i];
        s->x[i] = scaled > 0 ? scaled : 0;
    }
}

bool blocks_normalise(const Blocks *b, double *x, const BlocksWorkspace *work)
{
    Settling s = {.x = x, .n = b->offset[b->blocks]};
    double all[2] = {0}; /* above, below */
    workers_run(work->workers, PARTS, weigh_part, &s);
    for (int32_t part = 0; part < PARTS; part++) {
        all[0] += s.above[part];
        all[1] += s.below[part];
    }
    blocks_sum(b, all, 2);
    const double above = all[0], below = all[1];
    s.scale = above >= below ? 1 / above : -1 / below;
    if (!(above + below > 0) || !isfinite(s.scale) || s.scale == 0)
        return false;
    workers_run(work->workers, PARTS, scale_part, &s);
    return true;
}
