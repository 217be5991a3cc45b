/* The state space as a two-level decision diagram, found without visiting states one by one.
 *
 * An upper state is a joint local state of the upper slots (see split.h); with it go the lower
 * states that are reachable together with it: a set.  Many upper states share a set, so what
 * depends on the set alone is computed once: its image under an event, and the submatrix of an
 * event between two sets.  The generator is a sparse matrix over upper states whose entries are
 * submatrices times rates.
 *
 * Sources: Miner, Ciardo, Efficient reachability set generation and storage using decision
 * diagrams, ICATPN 1999 (sets and saturation); Buchholz, Ciardo, Donatelli, Kemper, Complexity of
 * memory-efficient Kronecker operations, INFORMS J. Comput. 12 (2000) (index sets, hierarchy);
 * Ciardo, Miner, A data structure for the efficient Kronecker solution of GSPNs, PNPM 1999 (matrix
 * diagrams). */
#ifndef PEPA_CTMC_DIAGRAM_DIAGRAM_H
#define PEPA_CTMC_DIAGRAM_DIAGRAM_H

#include "ctmc/diagram/context.h"
#include "ctmc/diagram/tuning.h"
#include "base/workers.h"

/* A submatrix of the generator, between the lower states of two sets.  Entry k in first .. first +
 * count - 1: from the entry_from[k]-th lower state of set `from` to the entry_to[k]-th of set `to`,
 * ascending by to, then from; at the rate entry_term[term + k - first], or, term < 0, at that of
 * the edge. */
typedef struct {
    int32_t from, to, count;
    int64_t first, term;
} Submatrix;

typedef struct Edge {
    int32_t to; /* upper state; unused for a local edge */
    int32_t matrix;
    int32_t term;  /* the rate of all entries; -1: they have their own */
    int32_t label; /* model action id */
} Edge;

typedef struct Diagram {
    const System *system;
    Split *split;
    int32_t upper_count, set_count;
    uint64_t *upper;   /* packed states with lower cells 0, in lexicographic order */
    int32_t *set;      /* per upper state */
    int64_t *offset;   /* upper_count + 1: the number of its first state */
    int32_t **members; /* per set: its lower states, ascending */
    int32_t *set_size;
    int64_t *edge_row; /* per upper state: edges by events that look at the upper part */
    Edge *edges;
    int32_t *local_row; /* per set: edges by events that look at the lower part only */
    Edge *local;
    Submatrix *matrices;
    int32_t matrix_count;
    uint16_t *entry_from, *entry_to;
    int32_t *entry_term;
    double backward;                      /* diagram_backward, at the rates of the model */
    int32_t initial_upper, initial_lower; /* the initial state; lower: its place in its set */
    /* Where processes share the diagram (share.h): sums, values and products are those of the states
     * of the own upper states, ascending, and vectors begin with them; place[u] is where the states of
     * u begin in vectors, -1 for those that this process does not see.  Else own and place are NULL,
     * and own_count is upper_count. */
    int32_t *own, own_count;
    int64_t *place;
    bool too_large; /* submatrices have so many entries that a diagram saves nothing */
} Diagram;

/* Which chains are not worth a diagram. */
typedef struct {
    int64_t fewest;  /* with fewer states */
    int64_t leaving; /* with up to so many, some of which are left for ever */
    int64_t most;    /* with more: no vector of them fits; 0: 2^36 */
} DiagramWorth;

/* What the search has found. */
typedef struct {
    bool few, leaving; /* the chain is not worth a diagram for that reason */
    bool irreducible;  /* if there is a diagram */
} DiagramFound;

/* Explore.  Of the order of the slots and its reverse, the one is kept in which a sweep over the
 * states has less backward flow.  A chain that is not worth a diagram is explored in one order.
 *   most_lower  lower states at most, up to 65,535
 * *out is NULL if the system does not suit: functional rates, one slot, too many distinct sets or
 * offers, or an error in the model, which one-by-one exploration reports.  Then `rates` may hold
 * rates that do not occur, and failed ones.
 * *out is NULL too if set->memory is too small: PEPA_ELIMIT if set->derive.explore is
 * PEPA_SYMBOLIC.
 * Errors: PEPA_ELIMIT (more states than set->derive.max_states, or worth.most), PEPA_ENOMEM,
 * PEPA_ECANCEL. */
PepaStatus diagram_new(Diagram **out, DiagramFound *found, const System *system, RateTable *rates,
                       int32_t most_lower, DiagramWorth worth, const PepaSettings *set,
                       PepaError *err);
void diagram_free(Diagram *diagram);
/* Bytes in use, not reserved. */
double diagram_bytes(const Diagram *diagram);

/* An edge in the list of its target. */
typedef struct {
    int32_t from, matrix, term;
} EdgeIn;
/* The edges by target, sources ascending: those into upper state u are in[row[u]] ..
 * in[row[u+1]-1].
 *   there  which edges count; NULL: all
 * The caller frees both arrays, also on failure.  False: memory is out. */
bool diagram_edges_in(const Diagram *diagram, const uint8_t *there, int64_t **row, EdgeIn **in);

/* Whether every state can reach the initial state, so that all states are one component.
 * Errors: PEPA_ENOMEM. */
PepaStatus diagram_irreducible(const Diagram *diagram, bool *out, PepaError *err);
/* The same along the edges[e] with edge[e] and the local[e] with local[e] alone. */
PepaStatus diagram_all_reach_initial(const Diagram *diagram, const uint8_t *edge,
                                     const uint8_t *local, bool *out, PepaError *err);

/* The k-th own upper state, and where the states of an upper state begin in vectors. */
static inline int32_t diagram_own(const Diagram *diagram, int32_t k)
{
    return diagram->own ? diagram->own[k] : k;
}
static inline int64_t diagram_place(const Diagram *diagram, int32_t upper)
{
    return diagram->place ? diagram->place[upper] : diagram->offset[upper];
}

/* Does a sweep in ascending order of states have less backward flow than in descending order? */
static inline bool diagram_goes_up(const Diagram *diagram)
{
    return diagram->backward <= 0.5;
}

/* The share of the rates that lead to states with smaller numbers.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_backward(const Diagram *diagram, const double *value, double *out,
                            PepaError *err);

/* transitions: distinct (source, action, target); per action of the model: whether it occurs, and
 * how many of its transitions are self-loops.  The caller provides the arrays and zeroes all.
 * Errors: PEPA_ENOMEM. */
typedef struct {
    int64_t transitions;
    uint8_t *occurs;
    int64_t *loops;
} DiagramTally;
PepaStatus diagram_tally(const Diagram *diagram, DiagramTally *tally, PepaError *err);

/* Set bits in mark[l] for each local state l of the model that some state has.  cells:
 * cell_count. */
void diagram_mark_locals(const Diagram *diagram, int32_t *cells, uint8_t bits, uint8_t *mark);
/* For one state: the same, and mean[offset[position] + l] += p times the components there.
 *   upper  per slot: those with upper[slot] == part count; NULL: all */
void cells_mark(const System *system, const uint8_t *upper, bool part, const int32_t *cells,
                uint8_t bits, uint8_t *mark);
void cells_add(const System *system, const uint8_t *upper, bool part, const int32_t *offset,
               const int32_t *cells, double p, double *mean);

/* The upper state of a state, and its packed words.  O(log upper states). */
int32_t diagram_upper(const Diagram *diagram, int64_t state);
void diagram_packed(const Diagram *diagram, int64_t state, uint64_t *packed);
/* The packed words of the states first .. end - 1, side by side. */
void diagram_list(const Diagram *diagram, int64_t first, int64_t end, uint64_t *packed);

/* Products of the generator of a diagram with vectors, and sums over its states and transitions:
 * the part of ctmc/operator.h for states that are stored as sets.
 *   value  per term: its rate
 *   x, pi  one entry per state */

/* Some consecutive entries of x Q, as operator_product hands them out:
 *   in    sum over j != i of x_j q_ji, for the `count` states i from `first` on
 *   exit  sum over j != i of q_ij
 *   part  0 .. PRODUCT_PARTS - 1: calls with the same part are in the order of states, one at a
 *         time; calls with different parts may run in parallel */
typedef void ProductTask(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                         const double *exit);
/* Independent of the number of threads, so that sums by part are too. */
enum { PRODUCT_PARTS = 32 };

/* What products need besides the diagram: memory for edges and off-diagonal blocks, not for states.
 * Workers are borrowed.
 *   without  per action of the model: its transitions carry nothing from state to state, though
 *            they count among exit rates; NULL: all carry
 * Errors: PEPA_ENOMEM. */
typedef struct DiagramProduct DiagramProduct;
PepaStatus diagram_product_new(DiagramProduct **out, const Diagram *diagram, const uint8_t *without,
                               Workers *workers, int32_t threads, PepaError *err);
void diagram_product_free(DiagramProduct *product);
/* About the work of two sweeps, or, without exit rates, of one: the task is then given NULL in their
 * place. */
void diagram_product(DiagramProduct *product, const double *value, const double *x, bool exits,
                     ProductTask *task, void *user);

/* flow[i] += sum over the transitions of actions[i] of x at the source times the rate, self-loops
 * included.  actions: `count` ids of the model, ascending; transitions of others do not count. */
void diagram_action_flow(const Diagram *diagram, const double *value, const double *x,
                         const int32_t *actions, int32_t count, double *flow);

/* mean[offset[position] + local state] += the mean number of components there.
 * Errors: PEPA_ENOMEM. */
PepaStatus diagram_mean_counts(const Diagram *diagram, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err);

/* A contribution to the transition from `from` to `to` by `action` (id in the model) at the rate of
 * `term`: transitions that several events make come as several of these. */
typedef struct {
    int64_t from, to;
    int32_t action, term;
} Transition;
typedef void TransitionTask(void *user, const Transition *transition);
/* All those of the states first .. end - 1 that are own ones, sources ascending.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_each_transition(const Diagram *diagram, int64_t first, int64_t end,
                                   TransitionTask *task, void *user, PepaError *err);

#endif
