/* Which states are eliminated together: the tree of fronts. */
#include "solvers/direct/fronts.h"

#include <string.h>

#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* On which side of a front a state is; absorbing ones are columns. */
enum { ROW = 1, COLUMN = 2 };

/* A front as it grows, one state at a time: its pivots, and the states that are left to others, absorbing ones among them. */
typedef struct {
    int64_t start;
    int32_t pivots, all;
    int32_t next;   /* of those whose first state that is left is the same */
    int32_t into;   /* the front that it is a part of; itself */
    int32_t states; /* that all its parts eliminate */
    double entries; /* of factors, without zeros that parts bring to each other */
} Growing;

typedef struct {
    const Jumps *jumps, *back;
    Growing *front;
    size_t count, cap;
    int32_t *state; /* of all fronts */
    uint8_t *side;  /* of each of them */
    size_t used, state_cap, side_cap;
    int32_t *of;    /* per state: the front that eliminates it */
    int32_t *child; /* per state: fronts of which it is the first state that is left */
    int32_t *mark;  /* per column: the state that it was last seen for, */
    uint8_t *is;    /* on which side, */
    int32_t *found; /* and all that were, in order */
} Tree;

static bool tree_start(Tree *t, const Jumps *jumps, const Jumps *back)
{
    const size_t rows = (size_t)jumps->rows, columns = (size_t)jumps->columns;
    *t = (Tree){.jumps = jumps, .back = back};
    if (!(mem_new(t->of, rows) && mem_new(t->child, rows) && mem_new(t->mark, columns) &&
          mem_new(t->is, columns) && mem_new(t->found, columns)))
        return false;
    memset(t->child, -1, rows * sizeof *t->child);
    memset(t->mark, -1, columns * sizeof *t->mark);
    return true;
}

static void tree_free(Tree *t)
{
    mem_free_all(t->front, t->state, t->side, t->of, t->child, t->mark, t->is, t->found);
}

/* Where what is left of a front is. */
static int64_t left_at(const Growing *f)
{
    return f->start + f->pivots;
}

static int32_t left(const Growing *f)
{
    return f->all - f->pivots;
}

/* Column j, if it is later than state k, is on that side of the front of k; how many are found. */
static int32_t find(Tree *t, int32_t k, int32_t j, int side, int32_t found)
{
    if (j <= k)
        return found;
    if (t->mark[j] != k) {
        t->mark[j] = k;
        t->is[j] = 0;
        t->found[found++] = j;
    }
    t->is[j] |= (uint8_t)side;
    return found;
}

static int32_t find_left(Tree *t, int32_t k, const Growing *f, int32_t found)
{
    for (int64_t i = left_at(f); i < f->start + f->all; i++)
        found = find(t, k, t->state[i], t->side[i], found);
    return found;
}

static int32_t find_row(Tree *t, int32_t k, const Jumps *jumps, int side, int32_t found)
{
    for (int64_t i = jumps->row[k]; i < jumps->row[k + 1]; i++)
        found = find(t, k, jumps->col[i], side, found);
    return found;
}

/* State k leads to what was found. */
static bool begin_front(Tree *t, int32_t k, int32_t found)
{
    const size_t need = t->used + 1 + (size_t)found;
    if (!mem_grow(t->front, t->cap, t->count + 1) || !mem_grow(t->state, t->state_cap, need) ||
        !mem_grow(t->side, t->side_cap, need))
        return false;
    const Growing f = {.start = (int64_t)t->used, .all = 1 + found, .into = (int32_t)t->count};
    t->state[t->used] = k;
    t->side[t->used++] = ROW | COLUMN;
    for (int32_t i = 0; i < found; i++) {
        t->state[t->used] = t->found[i];
        t->side[t->used++] = t->is[t->found[i]];
    }
    t->of[k] = f.into;
    t->front[t->count++] = f;
    return true;
}

/* The first of the states that are left becomes a pivot, and has the front as a child. */
static void leave(Tree *t, int32_t f)
{
    const Growing *front = &t->front[f];
    const int64_t begin = left_at(front);
    int64_t least = begin;
    for (int64_t i = begin + 1; i < front->start + front->all; i++)
        if (t->state[i] < t->state[least])
            least = i;
    if (left(front) == 0 || t->state[least] >= t->jumps->rows)
        return;
    const int32_t first = t->state[least];
    const uint8_t side = t->side[least];
    t->state[least] = t->state[begin];
    t->side[least] = t->side[begin];
    t->state[begin] = first;
    t->side[begin] = side;
    t->front[f].next = t->child[first];
    t->child[first] = f;
}

/* State k is eliminated by the child that leaves most, if it concerns what that leaves and nothing
 * else; or begins a front. */
static bool grow(Tree *t, int32_t k)
{
    int32_t best = -1;
    for (int32_t f = t->child[k]; f >= 0; f = t->front[f].next)
        if (best < 0 || left(&t->front[f]) > left(&t->front[best]))
            best = f;
    const int32_t known = best >= 0 ? find_left(t, k, &t->front[best], 0) : 0;
    int32_t found = known;
    for (int32_t f = t->child[k]; f >= 0; f = t->front[f].next)
        if (f != best)
            found = find_left(t, k, &t->front[f], found);
    found = find_row(t, k, t->jumps, COLUMN, found);
    found = find_row(t, k, t->back, ROW, found);
    if (best < 0 || found > known) {
        if (!begin_front(t, k, found))
            return false;
        best = t->of[k];
    }
    Growing *f = &t->front[best];
    t->of[k] = best;
    f->pivots++;
    for (int64_t i = left_at(f); i < f->start + f->all; i++)
        t->side[i] = t->is[t->state[i]];
    f->entries += left(f) + 1;
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
    const int32_t first = left(front) == 0 ? t->jumps->rows : t->state[left_at(front)];
    return first >= t->jumps->rows ? -1 : t->of[first];
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
        if (parent < 0 || t->state[left_at(part) - 1] != k)
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

/* The states that front f leaves on that side, or absorbing ones, after `at` of `to`; NULL: they are counted. */
static int64_t lay_left(const Tree *t, const Growing *f, int side, bool absorbing, int32_t *to,
                        int64_t at)
{
    for (int64_t i = left_at(f); i < f->start + f->all; i++)
        if ((t->side[i] & side) && (t->state[i] >= t->jumps->rows) == absorbing) {
            if (to)
                to[at] = t->state[i];
            at++;
        }
    return at;
}

/* Rows, or columns, of the fronts as numbered: pivots, then what is left. */
static bool lay_side(Tree *t, const int32_t *number, int side, const Fronts *fronts,
                     FrontStates *to)
{
    const int32_t count = fronts->count;
    if (!mem_new_zeroed(to->start, (size_t)count + 1))
        return false;
    for (size_t i = 0; i < t->count; i++) {
        const Growing *f = &t->front[i];
        if (f->into == (int32_t)i)
            to->start[number[i] + 1] =
                lay_left(t, f, side, true, NULL, lay_left(t, f, side, false, NULL, f->states));
    }
    for (int32_t f = 0; f < count; f++)
        to->start[f + 1] += to->start[f];
    if (!mem_new(to->state, to->start[count]))
        return false;
    memset(fronts->pivots, 0, (size_t)count * sizeof *fronts->pivots);
    for (int32_t k = 0; k < t->jumps->rows; k++) {
        const int32_t f = number[whole_of(t, t->of[k])];
        to->state[to->start[f] + fronts->pivots[f]++] = k;
    }
    for (size_t i = 0; i < t->count; i++) {
        const Growing *f = &t->front[i];
        if (f->into != (int32_t)i)
            continue;
        const int64_t at = to->start[number[i]] + f->states;
        (void)lay_left(t, f, side, true, to->state, lay_left(t, f, side, false, to->state, at));
    }
    return true;
}

static bool lay_out(Tree *t, const int32_t *number, Fronts *to)
{
    const int32_t count = to->count;
    if (!(mem_new(to->pivots, count) && mem_new(to->parent, count) &&
          mem_new(to->absorbing, count)) ||
        !lay_side(t, number, ROW, to, &to->row) || !lay_side(t, number, COLUMN, to, &to->column))
        return false;
    for (size_t i = 0; i < t->count; i++) {
        const Growing *f = &t->front[i];
        if (f->into != (int32_t)i)
            continue;
        const int32_t parent = parent_of(t, (int32_t)i);
        to->parent[number[i]] = parent < 0 ? -1 : number[whole_of(t, parent)];
        to->absorbing[number[i]] = (int32_t)lay_left(t, f, COLUMN, true, NULL, 0);
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
    mem_free_all(fronts->pivots, fronts->parent, fronts->absorbing, fronts->row.start,
                 fronts->row.state, fronts->column.start, fronts->column.state);
    *fronts = (Fronts){0};
}
