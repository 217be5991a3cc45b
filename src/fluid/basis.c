/* Finds a basis of the moves' changes by Gauss-Jordan elimination on sparse vectors.
 *
 * A vector is stored when it is found, with 0 at the pivots before it.  At those after it, it may have
 * entries, until it is used: then it is reduced by vectors that have none, which are made so first.
 * As in a forest of disjoint sets whose paths are compressed, no vector is reduced in vain. */
#include "fluid/basis.h"

#include <math.h>
#include <string.h>

typedef struct {
    int32_t variable;
    double value;
} Entry;

typedef struct {
    Entry *entry;
    int32_t count, pivot; /* 1 there */
} Vector;

typedef struct {
    const Population *p;
    Vector *vector;
    int32_t *owner; /* per variable: the vector whose pivot it is, or -1 */
    int32_t r;
    /* A sum that is being made: value and mark per variable, and which ones are marked. */
    double *value;
    bool *mark;
    int32_t *marked, count;
    int32_t *stack, *at; /* of vectors to reduce, and the entry that each has come to */
} Elimination;

/* ---- sums -------------------------------------------------------------------------------------- */

static void add(Elimination *e, int32_t variable, double by)
{
    if (!e->mark[variable]) {
        e->mark[variable] = true;
        e->marked[e->count++] = variable;
        e->value[variable] = 0;
    }
    e->value[variable] += by;
}

static void subtract(Elimination *e, double share, const Vector *v)
{
    for (int32_t k = 0; k < v->count && share != 0; k++)
        add(e, v->entry[k].variable, -share * v->entry[k].value);
}

/* The sum without the vectors of others' pivots, which have no entry at any pivot but their own. */
static void reduce_sum(Elimination *e, int32_t own)
{
    const int32_t begun_with = e->count;
    for (int32_t k = 0; k < begun_with; k++) {
        const int32_t owner = e->owner[e->marked[k]];
        if (owner >= 0 && owner != own)
            subtract(e, e->value[e->marked[k]], &e->vector[owner]);
    }
}

static bool is_nothing(double x)
{
    return fabs(x) < 1e-9; /* entries are small whole numbers, or near them */
}

/* The sum, over its value at the pivot, as a vector; the sum is empty then. */
static bool take_sum(Elimination *e, int32_t pivot, Vector *to)
{
    const double by = e->value[pivot];
    Entry *entry = NULL;
    int32_t count = 0;
    const bool ok = mem_new(entry, e->count);
    for (int32_t k = 0; k < e->count; k++) {
        const int32_t variable = e->marked[k];
        if (ok && !is_nothing(e->value[variable]))
            entry[count++] = (Entry){variable, e->value[variable] / by};
        e->mark[variable] = false;
    }
    e->count = 0;
    if (!ok)
        return false;
    mem_free(to->entry);
    mem_trim(entry, count);
    *to = (Vector){entry, count, pivot};
    return true;
}

/* ---- vectors ----------------------------------------------------------------------------------- */

/* The first entry of a vector from k on that is at the pivot of another one; its count if none is. */
static int32_t next_pivot(const Elimination *e, const Vector *v, int32_t k)
{
    while (k < v->count && (e->owner[v->entry[k].variable] < 0 || v->entry[k].variable == v->pivot))
        k++;
    return k;
}

/* Reduce a vector, and before it those by which it is: these were found later, so this ends. */
static bool reduce(Elimination *e, int32_t vector)
{
    int32_t depth = 0;
    e->stack[0] = vector;
    e->at[0] = 0;
    while (depth >= 0) {
        Vector *v = &e->vector[e->stack[depth]];
        const int32_t k = e->at[depth] = next_pivot(e, v, e->at[depth]);
        if (k < v->count) {
            e->stack[++depth] = e->owner[v->entry[k].variable];
            e->at[depth - 1]++;
            e->at[depth] = 0;
            continue;
        }
        if (next_pivot(e, v, 0) < v->count) {
            for (int32_t i = 0; i < v->count; i++)
                add(e, v->entry[i].variable, v->entry[i].value);
            reduce_sum(e, e->stack[depth]);
            if (!take_sum(e, v->pivot, v))
                return false;
        }
        depth--;
    }
    return true;
}

/* The largest entry of the sum; among equal ones the last variable.  -1: nothing is left. */
static int32_t pivot_of(const Elimination *e)
{
    double most = 0;
    int32_t pivot = -1;
    for (int32_t k = 0; k < e->count; k++)
        most = fmax(most, fabs(e->value[e->marked[k]]));
    for (int32_t k = 0; k < e->count && !is_nothing(most); k++)
        if (e->marked[k] > pivot && is_nothing(fmax(most - fabs(e->value[e->marked[k]]), 0)))
            pivot = e->marked[k];
    return pivot;
}

static void drop_sum(Elimination *e)
{
    for (int32_t k = 0; k < e->count; k++)
        e->mark[e->marked[k]] = false;
    e->count = 0;
}

/* What a move changes that no move before it does. */
static bool put_move(Elimination *e, const PopulationMove *m)
{
    for (int32_t k = m->first; k < m->end; k++) {
        const PopulationStep step = e->p->steps[k];
        const int32_t ends[] = {step.from, step.to};
        for (int32_t i = 0; i < 2; i++)
            if (e->owner[ends[i]] >= 0 && !reduce(e, e->owner[ends[i]]))
                return false;
    }
    for (int32_t k = m->first; k < m->end; k++) {
        add(e, e->p->steps[k].from, -1);
        add(e, e->p->steps[k].to, 1);
    }
    reduce_sum(e, -1);
    const int32_t pivot = pivot_of(e);
    if (pivot < 0)
        drop_sum(e);
    else if (!take_sum(e, pivot, &e->vector[e->r]))
        return false;
    else
        e->owner[pivot] = e->r++;
    return true;
}

/* ---- all --------------------------------------------------------------------------------------- */

static bool eliminate(Elimination *e, size_t most)
{
    const Population *p = e->p;
    const size_t n = (size_t)p->variables;
    bool ok = mem_new_zeroed(e->vector, most + 1) && mem_new(e->owner, n) && mem_new(e->value, n) &&
              mem_new_zeroed(e->mark, n) && mem_new(e->marked, n) && mem_new(e->stack, most + 1) &&
              mem_new(e->at, most + 1);
    for (size_t k = 0; k < n && ok; k++)
        e->owner[k] = -1;
    for (size_t m = 0; m < p->move_count && ok && (size_t)e->r < most; m++)
        ok = put_move(e, &p->moves[m]);
    for (int32_t i = e->r; i-- > 0 && ok;)
        ok = reduce(e, i);
    return ok;
}

/* Entries by variable, coordinates ascending. */
static bool put_rows(const Elimination *e, Sparse *out, int32_t **free)
{
    size_t entries = 0;
    for (int32_t i = 0; i < e->r; i++)
        entries += (size_t)e->vector[i].count;
    out->rows = e->p->variables;
    if (entries > INT32_MAX || !mem_new(*free, e->r) || !mem_new_zeroed(out->row, out->rows + 2) ||
        !mem_new(out->col, entries) || !mem_new(out->value, entries))
        return false;
    for (int32_t i = 0; i < e->r; i++)
        for (int32_t k = 0; k < e->vector[i].count; k++)
            out->row[e->vector[i].entry[k].variable + 2]++;
    for (int32_t k = 0; k < out->rows; k++)
        out->row[k + 2] += out->row[k + 1];
    for (int32_t i = 0; i < e->r; i++) {
        (*free)[i] = e->vector[i].pivot;
        for (int32_t k = 0; k < e->vector[i].count; k++) {
            const Entry entry = e->vector[i].entry[k];
            const int32_t to = out->row[entry.variable + 1]++;
            out->col[to] = i;
            out->value[to] = entry.value;
        }
    }
    return true;
}

bool basis_new(const Population *p, Sparse *out, int32_t **free, int32_t *r)
{
    Elimination e = {.p = p};
    /* Each slot keeps its total, so that the rank is smaller than n. */
    const bool ok = eliminate(&e, (size_t)(p->variables - p->slots)) && put_rows(&e, out, free);
    *r = e.r;
    for (int32_t i = 0; e.vector && i < e.r; i++)
        mem_free(e.vector[i].entry);
    mem_free_all(e.vector, e.owner, e.value, e.mark, e.marked, e.stack, e.at);
    return ok;
}
