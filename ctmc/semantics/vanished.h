/* What is known of vanishing states, those in which an immediate activity can happen, and the
 * workspace for finding it (vanish.c).  States with the same key lead on alike (projection.h). */
#ifndef PEPA_CTMC_SEMANTICS_VANISHED_H
#define PEPA_CTMC_SEMANTICS_VANISHED_H

#include "base/memo.h"
#include "ctmc/semantics/block.h"
#include "ctmc/semantics/projection.h"

/* What states of a key lead to without time passing. */
typedef struct {
    size_t first_end, first_passed; /* in Vanished.portion */
    int32_t ends; /* how many tangible states, with their probabilities; or one of the next three */
    int32_t span; /* the bits of the key that decide what happens on the ways, after the first
                     * activities: a number in Vanished.masks */
    int32_t passed; /* how many actions happen on the way, with how often they do, in the mean; of a
                     * pending state: its node */
} Vanishing;

enum { STATE_TANGIBLE = -1, STATE_UNKNOWN = -2, STATE_PENDING = -3 };

/* An end, by what is added to the packed words on the way there (a number in Vanished.changes), or an
 * action; and a term for a number without a unit. */
typedef struct {
    int32_t id, term;
} Portion;

/* A footprint of moves that change certain bits of the key: those that decide where they end. */
typedef struct {
    int32_t mask, next; /* masks are numbers in Vanished.masks; the next one of such moves, or -1 */
} Footprint;

/* Terms that add up, by id. */
typedef struct {
    int32_t *term; /* TERM_NONE where there is none */
    int32_t *met;  /* the ids that have one, as they came; some may have been taken away */
    size_t count, cap;
} Sums;

/* A vanishing state whose ends are being found; nodes are numbered as they are met. */
typedef struct {
    int32_t id;       /* of its key */
    int32_t place;    /* in its component, once that is known */
    size_t edge, end; /* its edges */
} VanishNode;

/* A node with what decides its place in its component. */
typedef struct {
    const uint64_t *key;
    size_t bytes;
    int32_t component, node;
} VanishPlace;

/* An immediate activity; what it adds to the packed words is Elimination.change. */
typedef struct {
    int32_t node, id; /* from a node, to a state of this key */
    int32_t action, term;
} VanishEdge;

/* A row of the matrix: portions of Elimination.entry, by place, by edge and by action. */
typedef struct {
    size_t first, first_exit, first_passed, end;
    int32_t out; /* the sum of its weights to other states */
} VanishRow;

typedef struct Elimination {
    Block moves;  /* of one state */
    Block source; /* moves that may lead to vanishing states */
    VanishNode *node;
    uint64_t *packed; /* of each node */
    int64_t *graph;   /* Graph.row, ... */
    int32_t *component;
    VanishPlace *keyed; /* the nodes by component and key */
    size_t node_count, node_cap, graph_cap;
    VanishEdge *edge;
    uint64_t *change;
    int32_t *to; /* ... and its target */
    size_t edge_count, edge_cap;
    VanishRow *row;
    size_t row_cap;
    Portion *entry;
    size_t entry_count, entry_cap;
    Sums places, exits, ends, actions;
    uint64_t *culprit, *scratch; /* a state each */
    int32_t span;                /* of the component at hand */
} Elimination;

/* What was found so far; emptied when it grows large (tuning.h). */
typedef struct {
    const System *system;
    Projection projection;
    uint8_t *
        passed; /* per local state of the model: some vanishing state has it, and it matters there */
    uint8_t
        *repeats; /* per action: a state may have moves of it beside those that happen on a way */
    Table keys;   /* of the states that were looked at */
    Vanishing *result; /* of each key */
    Table changes;     /* what ways add to packed words */
    /* By what changes, its footprints; by the bits of a key that one of these has, by the footprint and
     * by what changes, a key where the same follows. */
    Table masks, met;
    int32_t *first_print; /* of a mask; -1: none */
    Footprint *print;
    int32_t *alike; /* per entry of `met`: a number in `keys` */
    size_t first_print_cap, print_count, print_cap, alike_cap;
    Portion *portion;
    size_t result_cap, portion_count, portion_cap;
    /* Where, in `shared`, the rates are of moves of a kind that lead to states of a key: the kinds
     * into each end, then a term for each action on the way. */
    Memo share;
    int32_t *shared;
    size_t shared_count, shared_cap;
    uint64_t *key, *key_from, *mask, *part; /* scratch */
    Sums traces; /* of a tangible state: the actions that happen on the ways from it */
    Elimination work;
    double most; /* bytes */
} Vanished;

PepaStatus vanished_init(Vanished *vanished, const System *system, PepaError *err);
void vanished_free(Vanished *vanished);
/* Forget what was found, if it takes more than vanished->most bytes.  False: memory is out. */
bool vanished_trim(Vanished *vanished);
/* Add the local states that vanishing states have, which another one met. */
void vanished_pass(Vanished *to, const Vanished *from);

/* The state of a node. */
static inline const uint64_t *vanished_node(const Vanished *v, int32_t node)
{
    return v->work.packed + (size_t)node * v->system->words;
}

/* The number of a mask; -1: memory is out. */
int32_t vanished_mask(Vanished *vanished, const uint64_t *mask);

/* Room for ids 0 .. count - 1.  False: memory is out. */
bool sums_reserve(Sums *sums, size_t count);
void sums_clear(Sums *sums);
static inline void sums_add(RateTable *rates, Sums *sums, int32_t id, int32_t term)
{
    if (sums->term[id] == TERM_NONE)
        sums->met[sums->count++] = id;
    sums->term[id] = sums->term[id] == TERM_NONE ? term : rates_sum(rates, sums->term[id], term);
}

#endif
