/* Compiles a sequential component: its local states, and what each can do; and orders these so that
 * most moves lead onwards. */
#include "ctmc/system/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

/* Breadth-first closure: fills local[] and index[]; returns how many. */
static int32_t close_over(const Model *model, int32_t initial, int32_t *local, int32_t *index)
{
    int32_t count = 1;
    local[0] = initial;
    index[initial] = 0;
    for (int32_t i = 0; i < count; i++) {
        const Local *state = &model->locals[local[i]];
        for (int32_t k = 0; k < state->count; k++) {
            int32_t target = model->activities[state->first + k].target;
            if (index[target] < 0) {
                index[target] = count;
                local[count++] = target;
            }
        }
    }
    return count;
}

static int32_t count_activities(const Model *model, const int32_t *local, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += model->locals[local[i]].count;
    return sum;
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The distinct actions of the local states, ascending; actions has room for every activity. */
static int32_t alphabet(const Model *model, const int32_t *local, int32_t count, int32_t *actions)
{
    int32_t n = 0, distinct = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < model->locals[local[i]].count; k++)
            actions[n++] = model->activities[model->locals[local[i]].first + k].action;
    qsort(actions, (size_t)n, sizeof *actions, by_number);
    for (int32_t i = 0; i < n; i++)
        if (distinct == 0 || actions[distinct - 1] != actions[i])
            actions[distinct++] = actions[i];
    return distinct;
}

/* An activity about to be placed: k orders equal ones as they stand in the text. */
typedef struct {
    int32_t action, target, expr, k;
} Placed;

static int by_action_target(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    if (x->action != y->action)
        return x->action < y->action ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->k > y->k) - (x->k < y->k);
}

/* Moves of one local state and one action: placed[0 .. n).  Equal targets add up unless rates of
 * different levels or priorities meet, which is reported wherever the state is reached. */
static int32_t place(RateTable *rates, const Placed *placed, int32_t n, LocalMove *moves,
                     int32_t *apparent)
{
    int32_t count = 0;
    bool by_state = false, mixed = false;
    for (int32_t i = 0; i < n; i++) {
        if (rates->model->exprs[placed[i].expr].functional) {
            by_state = true;
            moves[count++] = (LocalMove){placed[i].target, ~placed[i].expr};
            continue;
        }
        int32_t term = rates_expr(rates, placed[i].expr);
        LocalMove *last = count ? &moves[count - 1] : NULL;
        bool same = last && last->term >= 0 && last->target == placed[i].target &&
                    rates_alike(rates, last->term, term);
        if (same)
            last->term = rates_sum(rates, last->term, term);
        else
            moves[count++] = (LocalMove){placed[i].target, term};
    }
    int32_t sum = TERM_NONE;
    for (int32_t i = 0; i < count && !by_state && !mixed; i++) {
        if (sum == TERM_NONE)
            sum = moves[i].term;
        else if (!rates_alike(rates, sum, moves[i].term))
            mixed = true;
        else
            sum = rates_sum(rates, sum, moves[i].term);
    }
    if (mixed && placed[0].action == ACTION_TAU) /* which never cooperates: it has no such rate */
        by_state = true;
    *apparent = by_state ? TERM_BY_STATE : mixed ? TERM_MIXED : sum;
    return count;
}

/* The offers of every local state; placed is scratch for the largest one. */
static void place_all(Component *c, const Model *model, RateTable *rates, const int32_t *index,
                      Placed *placed)
{
    int32_t offers = 0, moves = 0, clocks = 0;
    for (int32_t s = 0; s < c->local_count; s++) {
        const Local *state = &model->locals[c->local[s]];
        int32_t count = 0;
        c->clock_row[s] = clocks;
        for (int32_t k = 0; k < state->count; k++) {
            const Activity *a = &model->activities[state->first + k];
            if (model_is_duration(model, a->expr))
                c->clocks[clocks++] =
                    (LocalClock){sorted_find(c->action, c->action_count, a->action),
                                 index[a->target], a->expr, a->span};
            else
                placed[count++] = (Placed){a->action, index[a->target], a->expr, k};
        }
        qsort(placed, (size_t)count, sizeof *placed, by_action_target);
        c->row[s] = offers;
        for (int32_t at = 0, n; at < count; at += n) {
            for (n = 1; at + n < count && placed[at + n].action == placed[at].action;)
                n++;
            LocalOffer *offer = &c->offers[offers++];
            offer->action = sorted_find(c->action, c->action_count, placed[at].action);
            offer->first = moves;
            moves += place(rates, placed + at, n, c->moves + moves, &offer->apparent);
            offer->end = moves;
        }
    }
    c->row[c->local_count] = offers;
    c->clock_row[c->local_count] = clocks;
}

/* The local states by what they can do. */
static void invert(Component *c)
{
    int32_t *row = c->able_row; /* action_count + 2 zeros */
    for (int32_t i = 0; i < c->row[c->local_count]; i++)
        row[c->offers[i].action + 2]++;
    for (int32_t k = 0; k < c->action_count; k++)
        row[k + 2] += row[k + 1];
    for (int32_t s = 0; s < c->local_count; s++)
        for (int32_t i = c->row[s]; i < c->row[s + 1]; i++)
            c->able[row[c->offers[i].action + 1]++] = s;
}

bool component_compile(Component *out, Arena *arena, const Model *model, RateTable *rates,
                       int32_t initial, int32_t *index)
{
    int32_t *local = mem_alloc((size_t)model->local_count, sizeof *local);
    if (!local)
        return false;
    int32_t count = close_over(model, initial, local, index);
    size_t locals = (size_t)count, activities = (size_t)count_activities(model, local, count);
    Placed *placed = mem_alloc(activities, sizeof *placed);
    *out = (Component){.local_count = count,
                       .local = arena_alloc(arena, locals * sizeof *out->local),
                       .action = arena_alloc(arena, activities * sizeof *out->action),
                       .row = arena_alloc(arena, (locals + 1) * sizeof *out->row),
                       .able_row = arena_alloc(arena, (activities + 2) * sizeof *out->able_row),
                       .able = arena_alloc(arena, activities * sizeof *out->able),
                       .offers = arena_alloc(arena, activities * sizeof *out->offers),
                       .moves = arena_alloc(arena, activities * sizeof *out->moves),
                       .clock_row = arena_alloc(arena, (locals + 1) * sizeof *out->clock_row),
                       .clocks = arena_alloc(arena, (model->durations ? activities : 0) *
                                                        sizeof *out->clocks)};
    bool ok = placed && out->local && out->action && out->row && out->able_row && out->able &&
              out->offers && out->moves && out->clock_row && out->clocks;
    if (ok) {
        memcpy(out->local, local, locals * sizeof *local);
        out->action_count = alphabet(model, local, count, out->action);
        place_all(out, model, rates, index, placed);
        invert(out);
    }
    for (int32_t i = 0; i < count; i++)
        index[local[i]] = -1;
    mem_free_all(local, placed);
    return ok;
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct {
    int32_t local, next; /* a local state being left, and the next of its moves to look at */
} Frame;

/* Where the moves of a local state are: those of its offers stand side by side. */
static int32_t moves_end(const Component *c, int32_t local)
{
    return c->row[local + 1] > c->row[local] ? c->offers[c->row[local + 1] - 1].end : 0;
}

static int32_t moves_begin(const Component *c, int32_t local)
{
    return c->row[local + 1] > c->row[local] ? c->offers[c->row[local]].first : 0;
}

bool component_flow_order(const Component *c, int32_t *order)
{
    size_t n = (size_t)c->local_count;
    Frame *stack = mem_alloc(n, sizeof *stack);
    uint8_t *seen = mem_calloc(n, 1);
    int32_t depth = 0, place = c->local_count;
    if (stack && seen) {
        stack[depth++] = (Frame){0, moves_begin(c, 0)};
        seen[0] = 1;
    }
    while (depth > 0) {
        Frame *top = &stack[depth - 1];
        if (top->next == moves_end(c, top->local)) {
            order[--place] = top->local;
            depth--;
            continue;
        }
        int32_t target = c->moves[top->next++].target;
        if (!seen[target]) {
            seen[target] = 1;
            stack[depth++] = (Frame){target, moves_begin(c, target)};
        }
    }
    bool ok = stack && seen;
    mem_free_all(stack, seen);
    return ok;
}
