/* The explored CTMC: states, transitions, and the term that gives each transition its rate. */
#ifndef PEPA_CTMC_CHAIN_H
#define PEPA_CTMC_CHAIN_H

#include "ctmc/diagram/diagram.h"
#include "pepa_evidence.h"
#include "pepa_shared.h"

/* An order of states (chain_order). */
typedef struct {
    PepaOrder by;
    bool reversed;
    double backward; /* 0 for a few states: it is not computed */
} ChosenOrder;

/* A chain by rows of which each process has some states.  State i of process p has the number
 * i * processes + p in all of them, which is what `target` tells. */
typedef struct {
    const PepaProcesses *processes; /* borrowed */
    int64_t states, transitions;    /* of all of them */
    double *part;                   /* per process: of the states; NULL: all the same */
    /* Of all `start_count` states in which the chain begins, those from `start` on are its own. */
    int32_t start, starts;
    /* Its states are a run of all in the order that `order` is, but for `reversed`, which tells how
     * sweeps are to go through them. */
    bool in_runs;
    ChosenOrder order;
} Spread;

/* What one process has in a view of a chain that several share: vectors have its states, then copies
 * of those of others. */
typedef struct {
    const PepaProcesses *processes; /* borrowed */
    void *copies; /* an exchange that brings them into a vector, opened; NULL: there are none */
    int64_t all;  /* entries of a vector */
} ChainShare;

typedef struct {
    const Model *model; /* borrowed: must outlive the chain */
    System *system;
    RateTable rates; /* how rates are made; complete once the chain is derived */
    RateValues now;  /* their values as the model has them */
    int64_t state_count;
    int64_t initial;     /* the initial state; the first one, if there are several: */
    int32_t start_count; /* 0, or the chain begins in the first states (or see spread), ... */
    uint8_t *passed;     /* per local state of the model: some vanishing state has it; or NULL */
    int32_t *start_term; /* ... with the probabilities that these terms have; NULL: 1 */
    Diagram *diagram;    /* states explored as sets; or NULL, and they are in: */
    Table states;        /* packed; id = order of discovery, 0 the initial one; or a run */
    /* Transitions by source, distinct in (action, target), ascending in both if not spread.  Empty if all states
     * are one component and the diagram has their transitions. */
    int64_t *row; /* states + 1, or NULL */
    int32_t *target;
    uint16_t *narrow; /* per transition: its kind; NULL if there are more than 65,536 kinds ... */
    int32_t *wide;    /* ... then here */
    int64_t transitions;
    bool loops;                       /* some of them may lead back to where they begin */
    int32_t *kind_action, *kind_term; /* per kind: index into actions; term of its rate */
    int32_t kind_count;
    int32_t *actions; /* model ids of the actions that occur, ascending */
    int32_t action_count;
    /* Bottom strongly connected components, numbered by their smallest state. */
    int32_t *bottom; /* per state: its bottom component, or -1; NULL: all states are one */
    int32_t bottom_count, deadlocks;
    int64_t memory;          /* bytes that deriving it may take; 0: no limit */
    Spread *spread;          /* what is said above is of this process's states; or NULL */
    const ChainShare *share; /* of a view, whose state_count is of this process's states; or NULL */
} Chain;

/* Explore a model; findings (errors with the state in which they occur, warnings) go to diags.
 * Contract of pepa_chain_derive otherwise. */
PepaStatus chain_derive(Chain **out, const Model *model, const PepaSettings *set, DiagList *diags,
                        PepaError *err);
/* One that was explored one by one: does its model suit sets, as far as can be seen without a search? */
bool chain_may_be_sets(const Chain *chain);
/* The same by processes.  Few states, and sets, they derive each by itself; many one by one, or sets of
 * many of which some are left for ever, they have each some of: chain->spread. */
PepaStatus chain_derive_together(Chain **out, const Model *model, const PepaProcesses *processes,
                                 const PepaSettings *set, DiagList *diags, PepaError *err);
/* States up to which one process is ready sooner than these, as far as they are from each other. */
int64_t chain_few_to_share(const PepaProcesses *processes);
/* The latter, however few there are: one by one; or found as sets, of which each process gets a run.  *out is NULL if
 * sets do not suit (diagram_new), or there are fewer states. */
PepaStatus chain_derive_spread(Chain **out, const Model *model, const PepaProcesses *processes,
                               const PepaSettings *set, DiagList *diags, PepaError *err);
PepaStatus chain_derive_runs(Chain **out, const Model *model, const PepaProcesses *processes,
                             int64_t fewest, const PepaSettings *set, DiagList *diags,
                             PepaError *err);
void chain_free(Chain *chain);
/* The probabilities of all states at time 0; not of a chain that processes have spread.
 *   value  per term, such as chain->now.term */
void chain_begin(const Chain *chain, const double *value, double *probability);
static inline bool chain_has_one_start(const Chain *chain)
{
    return chain->start_count <= 1;
}
/* The error that it has not, although `what` needs it: PEPA_EMODEL. */
PepaStatus chain_several_starts(PepaError *err, const char *what);
/* Entries of a vector over the chain. */
static inline int64_t chain_entries(const Chain *chain)
{
    return chain->share ? chain->share->all : chain->state_count;
}
/* Copies of the states of others become what these have.  All processes call it. */
void chain_receive(const Chain *chain, double *x);
/* Processes that share a view agree; alone, status. */
PepaStatus chain_agree(const Chain *chain, PepaStatus status, PepaError *err);
/* The sums of numbers over them, and the largest. */
void chain_sum(const Chain *chain, double *x, int32_t n);
void chain_largest(const Chain *chain, double *x, int32_t n);
/* Where a state is in vectors over the chain; -1: nowhere, since it is another process's. */
int64_t chain_entry(const Chain *chain, int64_t state);
/* Bytes in use for what grows with the states. */
double chain_bytes(const Chain *chain);

/* Bytes of a solution by rows besides the chain: of a state its orders, exit rate and probabilities, 48; of a transition an
 * entry of the rows, 12, and one of factors, 16. */
static inline double chain_solution_bytes(double states, double transitions)
{
    return 48 * states + 28 * transitions;
}

/* The states of all processes, and the number of a state in them; alone, all and itself. */
static inline int64_t chain_states(const Chain *chain)
{
    return chain->spread ? chain->spread->states : chain->state_count;
}
static inline int64_t chain_number(const Chain *chain, int64_t state)
{
    const PepaProcesses *p = chain->spread ? chain->spread->processes : NULL;
    return p ? state * p->count + p->rank : state;
}

/* The bottom component of a state; -1: it is left for ever. */
static inline int32_t chain_component(const Chain *chain, int64_t state)
{
    return chain->bottom ? chain->bottom[state] : 0;
}

static inline int32_t chain_kind(const Chain *chain, int64_t transition)
{
    return chain->narrow ? chain->narrow[transition] : chain->wide[transition];
}
static inline int32_t chain_action(const Chain *chain, int64_t transition)
{
    return chain->kind_action[chain_kind(chain, transition)];
}
static inline int32_t chain_term(const Chain *chain, int64_t transition)
{
    return chain->kind_term[chain_kind(chain, transition)];
}
/* value: per term, such as chain->now.term. */
static inline double chain_rate(const Chain *chain, const double *value, int64_t transition)
{
    return value[chain_term(chain, transition)];
}

/* A transition of the row at hand, to be sorted by action, then target. */
typedef struct {
    uint64_t action_target;
    int32_t kind; /* or its term */
} Step;
void steps_sort(Step *steps, size_t count);

/* Parts of chain_derive: states and transitions; bottom components; warnings.
 *   many  so many states that wait are explored in parallel; 0: a tuned number */
PepaStatus chain_explore(Chain *chain, const PepaSettings *set, int32_t many, DiagList *diags,
                         PepaError *err);
/* The same by several processes, each of which gets the states whose hashes are its own.  All call it;
 * an error in one is one in all. */
PepaStatus chain_spread(Chain *chain, const PepaProcesses *processes, const PepaSettings *set,
                        DiagList *diags, PepaError *err);
PepaStatus chain_find_bsccs(Chain *chain, int32_t threads, PepaError *err);
/* The same without the test that usually saves the search: are all states one component? */
PepaStatus chain_search_bsccs(Chain *chain, PepaError *err);
/* For a chain explored as sets: rows and kinds.  Errors: PEPA_ELIMIT (memory), PEPA_EMODEL (rates that are not finite
 * together), PEPA_ENOMEM. */
PepaStatus chain_write_rows(Chain *chain, PepaError *err);
/* The same by several processes, each of which gets a run of the states, and its part of the transitions; then it has no
 * sets.  All call it, with the same sets.
 *   suit  out: else the chain is of no use: some process has too little memory for its run besides the sets, or the
 *         rates of a state are not finite together */
PepaStatus chain_spread_sets(Chain *chain, const PepaProcesses *processes, const PepaSettings *set,
                             bool *suit, PepaError *err);
/* Transitions while they are found.  False: memory is out.
 *   cap  of target and narrow or wide */
bool chain_reserve(Chain *chain, size_t *cap, int64_t transitions);
bool chain_widen(Chain *chain, size_t cap, int64_t transitions); /* from narrow to wide */
void chain_trim(Chain *chain, int64_t states);                   /* when all are there */
PepaStatus chain_review(const Chain *chain, DiagList *diags, PepaError *err);
/* What else it finds where processes have spread a chain, once they know its bottom components: `bottom` of their
 * own states. */
PepaStatus chain_review_bottoms(const Chain *chain, DiagList *diags, PepaError *err);
/* One of its findings: `loops` transitions of a model's action leave the state as it is. */
void review_loop(const Chain *chain, int32_t action, int64_t loops, DiagList *diags);

/* "(Stage1, Stage2_2, Client:3|ClientWait:1)". */
void system_state_text(const System *system, const int32_t *cells, Text *out);
/* The packed words of a state. */
void chain_packed(const Chain *chain, int64_t state, uint64_t *packed);
/* The cells of a state; false: memory is out. */
bool chain_cells(const Chain *chain, int64_t state, int32_t *cells);
void chain_state_text(const Chain *chain, int64_t state, int32_t *cells, Text *out);

/* A Gauss-Seidel sweep carries probability along all transitions from an earlier to a later state;
 * backward flow waits for the next sweep.  The candidates are the order of discovery and the
 * lexicographic orders of the packed states, with the first or the last component most significant,
 * each forwards and backwards.  The one with the least backward flow (averaged over states) is
 * chosen.  A few states keep their order; states of a diagram have one chosen by the same rule.
 *   member  count states, ascending;  order: count entries, out: the same states
 *   chosen  which it is
 * O(count log count + transitions). */
PepaStatus chain_order(const Chain *chain, const int32_t *member, int32_t count, int32_t *order,
                       ChosenOrder *chosen, PepaError *err);
/* That of a diagram. */
ChosenOrder diagram_order(const Diagram *diagram);
/* Sorts an order of states, which stand side by side, packed, lexicographically: the last component
 * counts most, or the first one.  O(count x words), 32 bytes per state of scratch.  False: memory is out. */
bool states_sort(const System *system, const uint64_t *states, bool by_first, int32_t *order,
                 int32_t count);
/* < 0, 0, > 0: a comes before b, is b, comes after it, in that order. */
int states_compare(const System *system, bool by_first, const uint64_t *a, const uint64_t *b);
/* Reverses an order of `count` states. */
void order_reverse(int32_t *order, int32_t count);

/* ---- deadlocks ------------------------------------------------------------------------------- */

/* A deadlocked state that is nearest to the initial state, and a shortest path to it: `length`
 * actions, indices into chain->actions.  The caller frees `action`. */
typedef struct {
    int32_t state, length;
    int32_t *action;
} DeadlockPath;

/* For a chain that has deadlocks.  Of the nearest ones, and of the shortest paths, those whose
 * states have the smallest numbers.  O(transitions of the states that are no farther), 12 bytes per
 * state of scratch.  Errors: PEPA_ENOMEM. */
PepaStatus deadlock_find(const Chain *chain, DeadlockPath *out, PepaError *err);
/* Append lines: the path, and for each component which actions it waits for and which components
 * cannot take part in them.  Equal lines are counted; long lists are cut.
 *   cells  scratch, cell_count of the system
 * O(components x programs).  Errors: PEPA_ENOMEM. */
PepaStatus deadlock_explain(const Chain *chain, const DeadlockPath *path, int32_t *cells, Text *out,
                            PepaError *err);

#endif
