/* One model explored one by one and as a diagram, to be compared entry by entry. */
#ifndef PEPA_TESTS_DIAGRAMS_H
#define PEPA_TESTS_DIAGRAMS_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctmc/chain.h"
#include "settings.h"

typedef struct {
    PepaStatus status, sets; /* of the chain, and of the diagram */
    PepaError err;
    Chain *chain; /* one by one */
    DiagList diags;
    RateTable rates;
    System *system;
    Diagram *diagram; /* NULL: the model does not suit */
    DiagramFound found;
    Chain as_sets;  /* a chain of that; its values are its own, all else is borrowed */
    int32_t states; /* if there is a diagram */
    int32_t *id;    /* per state of the diagram: the chain's number for it */
    char why[256];  /* what differs */
} Twice;

static inline void *twice_room(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    if (!room)
        abort();
    return room;
}

static inline void twice_new(Twice *t, const Model *model, int aggregate, int32_t most_lower,
                             int64_t max_states)
{
    PepaSettings set = settings_for_tests();
    *t = (Twice){0};
    set.derive.separate_copies = !aggregate;
    set.derive.max_states = max_states;
    t->status = chain_derive(&t->chain, model, &set, &t->diags, &t->err);
    t->sets = rates_init(&t->rates, model, &t->err);
    if (t->sets == PEPA_OK)
        t->sets = system_new(&t->system, model, &t->rates, aggregate, &t->err);
    if (t->sets == PEPA_OK && t->rates.status == PEPA_OK)
        t->sets = diagram_new(&t->diagram, &t->found, t->system, &t->rates, most_lower,
                              (DiagramWorth){0}, &set, &t->err);
    if (!t->diagram)
        return;
    t->states = (int32_t)t->diagram->offset[t->diagram->upper_count];
    t->as_sets = (Chain){.model = model,
                         .system = t->system,
                         .rates = t->rates,
                         .diagram = t->diagram,
                         .state_count = t->states,
                         .actions = t->chain ? t->chain->actions : NULL,
                         .action_count = t->chain ? t->chain->action_count : 0,
                         .bottom_count = 1};
    t->sets = rate_values_new(&t->as_sets.now, &t->rates, &t->err);
}

static inline void twice_free(Twice *t)
{
    free(t->id);
    rate_values_free(&t->as_sets.now);
    diagram_free(t->diagram);
    system_free(t->system);
    rates_free(&t->rates);
    chain_free(t->chain);
    diag_free(&t->diags);
    *t = (Twice){0};
}

/* Say what differs, and be false. */
static inline bool twice_differs(Twice *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool twice_differs(Twice *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(t->why, sizeof t->why, format, args);
    va_end(args);
    return false;
}

static inline bool twice_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* ---- states -------------------------------------------------------------------------------- */

typedef struct {
    const uint64_t *word;
    size_t words;
    int32_t id;
} TwiceState;

static inline int twice_by_words(const void *a, const void *b)
{
    const TwiceState *x = a, *y = b;
    for (size_t w = 0; w < x->words; w++)
        if (x->word[w] != y->word[w])
            return x->word[w] < y->word[w] ? -1 : 1;
    return 0;
}

/* Both have the same states, the diagram each of them once; fills in `id`. */
static inline bool twice_states(Twice *t)
{
    const Chain *c = t->chain;
    const Diagram *d = t->diagram;
    size_t n = (size_t)c->states.count, words = c->states.words;
    if (t->states != c->states.count)
        return twice_differs(t, "%d states; there are %d", t->states, c->states.count);
    TwiceState *sorted = twice_room(n, sizeof *sorted);
    uint64_t *packed = twice_room(words, sizeof *packed);
    uint8_t *met = twice_room(n, 1);
    bool same = true;
    t->id = twice_room(n, sizeof *t->id);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (TwiceState){c->states.state + i * words, words, (int32_t)i};
    qsort(sorted, n, sizeof *sorted, twice_by_words);
    for (size_t i = 0; i < n && same; i++) {
        diagram_packed(d, (int64_t)i, packed);
        const TwiceState key = {packed, words, 0};
        const TwiceState *at = bsearch(&key, sorted, n, sizeof *sorted, twice_by_words);
        same = at && !met[at->id];
        if (same)
            met[t->id[i] = at->id] = 1;
    }
    if (!same)
        (void)twice_differs(t, "a state is none of the model's, or is there twice");
    int64_t first = d->offset[d->initial_upper] + d->initial_lower;
    if (same && t->id[first] != 0)
        same = twice_differs(t, "state %d is taken for the initial one", t->id[first]);
    free(sorted);
    free(packed);
    free(met);
    return same;
}

/* ---- transitions --------------------------------------------------------------------------- */

typedef struct {
    int32_t from, to, action;
    double rate;
} TwiceMove;

static inline int twice_by_place(const void *a, const void *b)
{
    const TwiceMove *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->action != y->action)
        return x->action < y->action ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* An edge's entries, numbered as in the chain. */
static inline size_t twice_edge(const Twice *t, const Edge *edge, int32_t from, int32_t to,
                                TwiceMove *moves)
{
    const Diagram *d = t->diagram;
    const Submatrix *matrix = &d->matrices[edge->matrix];
    for (int32_t k = 0; moves && k < matrix->count; k++) {
        int64_t at = matrix->first + k;
        int32_t term = matrix->term < 0 ? edge->term : d->entry_term[matrix->term + k];
        moves[k] = (TwiceMove){t->id[d->offset[from] + d->entry_from[at]],
                               t->id[d->offset[to] + d->entry_to[at]], edge->label,
                               t->as_sets.now.term[term]};
    }
    return (size_t)matrix->count;
}

/* All entries of a diagram, or only how many there are. */
static inline size_t twice_list(const Twice *t, TwiceMove *moves)
{
    const Diagram *d = t->diagram;
    size_t count = 0;
    for (int32_t u = 0; u < d->upper_count; u++) {
        int32_t set = d->set[u];
        for (int64_t e = d->edge_row[u]; e < d->edge_row[u + 1]; e++)
            count += twice_edge(t, &d->edges[e], u, d->edges[e].to, moves ? moves + count : NULL);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            count += twice_edge(t, &d->local[e], u, u, moves ? moves + count : NULL);
    }
    return count;
}

/* Every matrix between the sets that its edges join, ascending, within them. */
static inline bool twice_matrices(Twice *t)
{
    const Diagram *d = t->diagram;
    for (int32_t i = 0; i < d->matrix_count; i++) {
        const Submatrix *matrix = &d->matrices[i];
        for (int64_t k = matrix->first; k < matrix->first + matrix->count; k++) {
            bool ascending =
                k == matrix->first || d->entry_to[k - 1] < d->entry_to[k] ||
                (d->entry_to[k - 1] == d->entry_to[k] && d->entry_from[k - 1] < d->entry_from[k]);
            if (!ascending || d->entry_to[k] >= d->set_size[matrix->to] ||
                d->entry_from[k] >= d->set_size[matrix->from])
                return twice_differs(t, "matrix %d, entry %d", i, (int)(k - matrix->first));
        }
    }
    for (int32_t u = 0; u < d->upper_count; u++)
        for (int64_t e = d->edge_row[u]; e < d->edge_row[u + 1]; e++) {
            const Submatrix *matrix = &d->matrices[d->edges[e].matrix];
            if (matrix->from != d->set[u] || matrix->to != d->set[d->edges[e].to])
                return twice_differs(t, "edge %d has a matrix of other sets", (int)e);
        }
    return true;
}

/* The same transitions, action by action, at the same rates. */
static inline bool twice_transitions(Twice *t)
{
    const Chain *c = t->chain;
    size_t count = twice_list(t, NULL), kept = 0;
    TwiceMove *moves = twice_room(count, sizeof *moves);
    bool same = true;
    (void)twice_list(t, moves);
    qsort(moves, count, sizeof *moves, twice_by_place);
    for (size_t i = 0; i < count; i++)
        if (kept && twice_by_place(&moves[kept - 1], &moves[i]) == 0)
            moves[kept - 1].rate += moves[i].rate;
        else
            moves[kept++] = moves[i];
    if (kept != (size_t)c->transitions)
        same = twice_differs(t, "%zu transitions; there are %lld", kept, (long long)c->transitions);
    for (int32_t s = 0, i = 0; s < c->states.count && same; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1] && same; k++, i++) {
            TwiceMove want = {s, c->target[k], c->actions[chain_action(c, k)],
                              chain_rate(c, c->now.term, k)};
            same = twice_by_place(&moves[i], &want) == 0 && twice_near(moves[i].rate, want.rate);
            if (!same)
                (void)twice_differs(t, "%d to %d at %.17g; there is %d to %d at %.17g",
                                    moves[i].from, moves[i].to, moves[i].rate, s, want.to,
                                    want.rate);
        }
    free(moves);
    return same;
}

/* What the diagram says of itself: transitions, actions that occur, self-loops. */
static inline bool twice_tally(Twice *t)
{
    const Chain *c = t->chain;
    size_t n = (size_t)c->model->action_count;
    DiagramTally tally = {.occurs = twice_room(n, 1), .loops = twice_room(n, sizeof *tally.loops)};
    bool same = diagram_tally(t->diagram, &tally, &t->err) == PEPA_OK &&
                tally.transitions == c->transitions;
    for (int32_t a = 0; a < c->action_count; a++) {
        same = same && tally.occurs[c->actions[a]];
        tally.occurs[c->actions[a]] = 0;
    }
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            tally.loops[c->actions[chain_action(c, k)]] -= c->target[k] == s;
    for (size_t a = 0; a < n; a++)
        same = same && !tally.occurs[a] && tally.loops[a] == 0;
    free(tally.occurs);
    free(tally.loops);
    return same || twice_differs(t, "%lld transitions are counted, or other actions or self-loops",
                                 (long long)tally.transitions);
}

static inline bool twice_locals(Twice *t)
{
    const Chain *c = t->chain;
    size_t n = (size_t)c->model->local_count;
    int32_t *cells = twice_room((size_t)t->system->cell_count, sizeof *cells);
    int64_t *counts = twice_room(n, sizeof *counts);
    uint8_t *seen = twice_room(n, 1), *want = twice_room(n, 1);
    diagram_mark_locals(t->diagram, cells, 1, seen);
    for (int32_t s = 0; s < c->states.count; s++) {
        system_unpack(c->system, c->states.state + (size_t)s * c->states.words, cells);
        system_counts(c->system, cells, counts);
        for (size_t l = 0; l < n; l++)
            want[l] |= counts[l] > 0;
    }
    bool same = memcmp(seen, want, n) == 0;
    free(cells);
    free(counts);
    free(seen);
    free(want);
    return same || twice_differs(t, "other local states are seen");
}

/* States, transitions and all that the diagram can be asked; where there is none, nothing. */
static inline bool twice_alike(Twice *t)
{
    if (!t->diagram)
        return t->sets == PEPA_OK || t->sets == t->status ||
               twice_differs(t, "the diagram says: %s", t->err.message);
    if (t->status != PEPA_OK)
        return twice_differs(t, "the diagram fits, but one by one: %s", t->err.message);
    if (!twice_states(t) || !twice_matrices(t) || !twice_transitions(t) || !twice_tally(t) ||
        !twice_locals(t))
        return false;
    return t->found.irreducible == (t->chain->bottom == NULL) ||
           twice_differs(t, "irreducible: %d", t->found.irreducible);
}

#endif
