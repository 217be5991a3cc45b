/* Which states are eliminated together: the tree of fronts. */
#include "solvers/direct/fronts.h"

#include <string.h>

#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* A front as it grows, one state at a time: its columns are its pivots, the states that are left to
 * others, and absorbing ones. */
typedef struct {
    int64_t start;
    int32_t pivots, rows, columns;
    int32_t next;   /* of those whose first state that is left is the same */
    int32_t into;   /* the front that it is a part of; itself */
    int32_t states; /* that all its parts eliminate */
    double entries; /* of factors, without zeros that parts bring to each other */
} Growing;

typedef struct {
    const Jumps *jumps, *back;
    Growing *front;
    size_t count, cap;
    int32_t *column; /* of all fronts */
    size_t used, column_cap;
    int32_t *of;    /* per state: the front that eliminates it */
    int32_t *child; /* per state: fronts of which it is the first state that is left */
    int32_t *mark;  /* per column: the state that it was last seen for */
    int32_t *found; /* columns, as they are found */
} Tree;

static bool tree_start(Tree *t, const Jumps *jumps, const Jumps *back)
{
    const size_t rows = (size_t)jumps->rows, columns = (size_t)jumps->columns;
    *t = (Tree){.jumps = jumps, .back = back};
    if (!(mem_new(t->of, rows) && mem_new(t->child, rows) && mem_new(t->mark, columns) &&
          mem_new(t->found, columns)))
        return false;
    memset(t->child, -1, rows * sizeof *t->child);
    memset(t->mark, -1, columns * sizeof *t->mark);
    return true;
}

static void tree_free(Tree *t)
{
    mem_free_all(t->front, t->column, t->of, t->child, t->mark, t->found);
}

static const int32_t *left_of(const Tree *t, const Growing *f)
{
    return t->column + f->start + f->pivots;
}

static int32_t left(const Growing *f)
{
    return f->columns - f->pivots;
}

/* Columns that state k's elimination concerns and that are not known: how many of them are found. */
static int32_t find(Tree *t, int32_t k, const int32_t *column, int64_t count, int32_t found)
{
    for (int64_t j = 0; j < count; j++)
        if (column[j] > k && t->mark[column[j]] != k) {
            t->mark[column[j]] = k;
            t->found[found++] = column[j];
        }
    return found;
}

static int32_t find_row(Tree *t, int32_t k, const Jumps *jumps, int32_t found)
{
    return find(t, k, jumps->col + jumps->row[k], jumps->row[k + 1] - jumps->row[k], found);
}

/* States, or absorbing ones, of these but k are columns of the newest front. */
static void append(Tree *t, const int32_t *column, int32_t count, int32_t k, bool absorbing)
{
    for (int32_t j = 0; j < count; j++)
        if (column[j] != k && (column[j] >= t->jumps->rows) == absorbing)
            t->column[t->used++] = column[j];
}

/* State k leads to what was found and to what a child leaves (-1: there is none). */
static bool begin_front(Tree *t, int32_t k, int32_t child, int32_t found)
{
    const int32_t more = child < 0 ? 0 : left(&t->front[child]);
    if (!mem_grow(t->front, t->cap, t->count + 1) ||
        !mem_grow(t->column, t->column_cap, t->used + 1 + (size_t)found + (size_t)more))
        return false;
    const int32_t *also = child < 0 ? NULL : left_of(t, &t->front[child]);
    Growing f = {.start = (int64_t)t->used, .into = (int32_t)t->count};
    t->column[t->used++] = k;
    append(t, t->found, found, k, false);
    append(t, also, more, k, false);
    f.rows = (int32_t)((int64_t)t->used - f.start);
    append(t, t->found, found, k, true);
    append(t, also, more, k, true);
    f.columns = (int32_t)((int64_t)t->used - f.start);
    t->of[k] = f.into;
    t->front[t->count++] = f;
    return true;
}

/* The first state that is left comes first of these, and has the front as a child. */
static void leave(Tree *t, int32_t f)
{
    Growing *front = &t->front[f];
    int32_t *states = t->column + front->start + front->pivots, least = 0;
    const int32_t count = front->rows - front->pivots;
    if (count == 0)
        return;
    for (int32_t j = 1; j < count; j++)
        if (states[j] < states[least])
            least = j;
    const int32_t first = states[least];
    states[least] = states[0];
    states[0] = first;
    front->next = t->child[first];
    t->child[first] = f;
}

/* State k is eliminated by the child that leaves most, if it leads to what that leaves and to nothing
 * else; or begins a front. */
static bool grow(Tree *t, int32_t k)
{
    int32_t best = -1, found = 0;
    for (int32_t f = t->child[k]; f >= 0; f = t->front[f].next)
        if (best < 0 || left(&t->front[f]) > left(&t->front[best]))
            best = f;
    if (best >= 0)
        (void)find(t, k, left_of(t, &t->front[best]), left(&t->front[best]), 0);
    for (int32_t f = t->child[k]; f >= 0; f = t->front[f].next)
        if (f != best)
            found = find(t, k, left_of(t, &t->front[f]), left(&t->front[f]), found);
    found = find_row(t, k, t->jumps, found);
    found = find_row(t, k, t->back, found);
    if (best < 0 || found > 0) {
        if (!begin_front(t, k, best, found))
            return false;
        best = t->of[k];
    }
    Growing *f = &t->front[best];
    t->of[k] = best;
    f->pivots++;
    f->entries += f->columns - f->pivots + 1;
    f->states = f->pivots;
    leave(t, best);
    return true;
}

/* ---- fronts that are better one ----------------------------------------------------------- */

static int32_t whole_of(const Tree *t, int32_t f)
{
    while (t->front[f].into != f)
        f = t->front[f].into;
    return f;
}

/* The front that takes over what is left of f; -1: there is none. */
static int32_t parent_of(const Tree *t, int32_t f)
{
    const Growing *front = &t->front[f];
    return front->rows == front->pivots ? -1 : t->of[left_of(t, front)[0]];
}

/* Few states, or few zeros: as CHOLMOD does. */
static bool better_one(double states, double zeros)
{
    for (size_t i = 0; i < sizeof merging / sizeof *merging; i++)
        if (states <= merging[i].states)
            return zeros <= merging[i].zeros;
    return false;
}

/* Where states are eliminated last, from children to parents: a front may become a part of its
 * parent. */
static void merge(Tree *t)
{
    for (int32_t k = 0; k < t->jumps->rows; k++) {
        const int32_t f = t->of[k], parent = parent_of(t, f);
        Growing *part = &t->front[f];
        if (parent < 0 || t->column[part->start + part->pivots - 1] != k)
            continue;
        Growing *whole = &t->front[parent];
        const double states = (double)part->states + whole->states;
        const double all = states * (states + 1) / 2 + states * left(whole);
        const double entries = part->entries + whole->entries;
        if (better_one(states, 1 - entries / all)) {
            part->into = parent;
            whole->states += part->states;
            whole->entries = entries;
        }
    }
}

/* ---- in postorder ------------------------------------------------------------------------- */

/* Numbers of the fronts that are whole, children before parents, and that of the last state last;
 * `number` gets one for each. */
static bool number_fronts(Tree *t, int32_t *number, int32_t *found)
{
    const int32_t count = (int32_t)t->count;
    int32_t *first, *next, *stack;
    *found = 0;
    if (!mem_new(first, count))
        return false;
    if (!mem_new(next, count) || !mem_new(stack, count)) {
        mem_free_all(first, next);
        return false;
    }
    const int32_t top = whole_of(t, t->of[t->jumps->rows - 1]);
    int32_t roots = top, depth = 0;
    memset(first, -1, (size_t)count * sizeof *first);
    next[top] = -1;
    for (int32_t f = count - 1; f >= 0; f--) {
        if (t->front[f].into != f || f == top)
            continue;
        const int32_t up = parent_of(t, f), parent = up < 0 ? -1 : whole_of(t, up);
        int32_t *list = parent < 0 ? &roots : &first[parent];
        next[f] = *list;
        *list = f;
    }
    for (int32_t root = roots; root >= 0; root = next[root])
        for (stack[depth++] = root; depth > 0;) {
            const int32_t f = stack[depth - 1], child = first[f];
            if (child >= 0) {
                first[f] = next[child];
                stack[depth++] = child;
            } else {
                number[f] = (*found)++;
                depth--;
            }
        }
    mem_free_all(first, next, stack);
    return true;
}

/* Fronts as numbered: their states, ascending, then what they leave. */
static bool lay_out(Tree *t, const int32_t *number, Fronts *to)
{
    const int32_t count = to->count;
    if (!(mem_new_zeroed(to->pivots, count) && mem_new(to->rows, count) &&
          mem_new(to->parent, count) && mem_new_zeroed(to->start, (size_t)count + 1)))
        return false;
    for (size_t f = 0; f < t->count; f++)
        if (t->front[f].into == (int32_t)f)
            to->start[number[f] + 1] = t->front[f].states + left(&t->front[f]);
    for (int32_t f = 0; f < count; f++)
        to->start[f + 1] += to->start[f];
    if (!mem_new(to->column, to->start[count]))
        return false;
    for (int32_t k = 0; k < t->jumps->rows; k++) {
        const int32_t f = number[whole_of(t, t->of[k])];
        to->column[to->start[f] + to->pivots[f]++] = k;
    }
    for (size_t i = 0; i < t->count; i++) {
        const Growing *from = &t->front[i];
        if (from->into != (int32_t)i)
            continue;
        const int32_t f = number[i], parent = parent_of(t, (int32_t)i);
        memcpy(to->column + to->start[f] + to->pivots[f], left_of(t, from),
               (size_t)left(from) * sizeof *to->column);
        to->rows[f] = to->pivots[f] + from->rows - from->pivots;
        to->parent[f] = parent < 0 ? -1 : number[whole_of(t, parent)];
    }
    return true;
}

bool fronts_new(Fronts *fronts, const Jumps *jumps, const Jumps *back)
{
    Tree t;
    int32_t *number = NULL;
    *fronts = (Fronts){0};
    bool done = tree_start(&t, jumps, back);
    for (int32_t k = 0; k < jumps->rows && done; k++)
        done = grow(&t, k);
    if (done) {
        merge(&t);
        done = mem_new(number, t.count) && number_fronts(&t, number, &fronts->count) &&
               lay_out(&t, number, fronts);
    }
    mem_free(number);
    tree_free(&t);
    if (!done)
        fronts_free(fronts);
    return done;
}

void fronts_free(Fronts *fronts)
{
    mem_free_all(fronts->pivots, fronts->rows, fronts->parent, fronts->start, fronts->column);
    *fronts = (Fronts){0};
}
