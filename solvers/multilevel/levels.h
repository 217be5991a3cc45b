/* Coarser and coarser versions of a chain: the tools of the multilevel method.
 *
 * With an estimate y of the flows, the matrix (I - P') diag(y) has columns that sum to 0, and rows
 * as well once y is right: what flows into a state flows out.  States are put together in groups;
 * adding up what flows between groups gives a chain of the groups, whose solution z corrects y to
 * y_i z_I / y_I within group I, or, for the linear problem, spreads a correction in proportion to
 * y.  Sources: Horton, Leutenegger, SIGMETRICS 1994; De Sterck et al., SIAM J. Sci. Comput. 30
 * (2008); Notay, SIAM J. Sci. Comput. 34 (2012). */
#ifndef PEPA_SOLVERS_MULTILEVEL_LEVELS_H
#define PEPA_SOLVERS_MULTILEVEL_LEVELS_H

#include "solvers/internal.h"
#include "solvers/multilevel/tuning.h"

/* Groups of two states, sometimes one, three or more.  The two of a pair have a large flow between
 * them, in either direction, relative to what flows through each.
 *   y      n: flows, all > 0
 *   group  n, out: the number of each state's group; groups are numbered by their first members
 * A state whose strongest links are to states that are taken joins one of these.
 * Returns the number of groups: mostly at most n / 2, unless flows vanish.  O(entries) if rows are short.
 * Source: Notay 2012. */
int32_t group_states(const Flow *flow, const double *y, int32_t *group);

/* The chain of the groups: flow.val are its jump chances, rows not sorted. */
typedef struct {
    Flow flow;
    int64_t *row;
    int32_t *col;
    double *val;
    double *y; /* n: what flows out of each group to others, > 0 */
} Coarse;      /* starts as {0} */

/*   slot   out, per entry of `fine`: the entry of the groups' chain that it is part of, or -1 if it
 *          stays within a group.  NULL: not wanted; it must be NULL for more than INT32_MAX entries
 * PEPA_OK or PEPA_ENOMEM.  O(entries). */
PepaStatus coarse_new(Coarse *out, const Flow *fine, const double *y, const int32_t *group,
                      int32_t groups, int32_t *slot);
/* The chances and flows of the same groups for another y: one pass over the entries. */
void coarse_renew(Coarse *coarse, const Flow *fine, const double *y, const int32_t *slot);
void coarse_free(Coarse *coarse);

/* The dense factors of GTH's elimination: sums, products and quotients of numbers >= 0. */
typedef struct {
    int32_t n;
    double *a;    /* n x n */
    double *work; /* n */
    double *y;    /* n: y = P'y, sum 1 */
} Dense;          /* starts as {0} */

PepaStatus dense_new(Dense *out, const Flow *flow); /* PEPA_OK or PEPA_ENOMEM; O(n^3) */
/* (I - P') x = b for b with sum 0; x has sum 0. */
void dense_solve(const Dense *dense, const double *b, double *x);
void dense_free(Dense *dense);

/* Raises y_i to at least 1e-100 of the sum: flows far below all others weigh nothing, but must not
 * vanish, as their states need a share in groups. */
void flows_lift(int32_t n, double *y);

/* A V-cycle has groups of two; a W-cycle has groups of four and goes to their chain twice, which
 * carries probability further in long chains; but once if the chain of the groups has not much fewer entries. */
typedef enum { CYCLE_V, CYCLE_W } CycleKind;

/* One multiplicative cycle: sweeps, groups chosen by the flows as they are now, the same for
 * their chain, sweeps.  y: n entries > 0, in and out, sum kept as far as sweeps keep it.
 * The work of some twenty sweeps.  PEPA_OK or PEPA_ENOMEM. */
PepaStatus cycle_groups(const Flow *flow, CycleKind kind, double *y);

/* V-cycles with the groups of the first, which only add up flows afresh: a quarter of the work.  For
 * flows that hardly change any more. */
typedef struct {
    struct KeptLevel *levels;
    int32_t count;
} Kept; /* starts as {0} */

/* y: all > 0; the first cycle finds the groups by it.  Where there are more than INT32_MAX entries each cycle has groups
 * of its own.  PEPA_OK or PEPA_ENOMEM. */
PepaStatus kept_cycle(Kept *kept, const Flow *flow, double *y);
void kept_free(Kept *kept);

/* Pieces of cycles.  y_i becomes y_i z_I / y_I, z_I scaled to the sum of y_I; z is spent. */
void cycle_spread(int32_t n, const int32_t *group, const Coarse *coarse, double *z, double *y);
PepaStatus cycle_solve_few(const Flow *flow, double *y); /* at most COARSEST states, exactly */

/* How the next cycles look for the shape of the solution. */
typedef struct {
    CycleKind kind;
    double near; /* residual that they have to reach */
} Shaping;
#define SHAPING_START ((Shaping){CYCLE_V, SHAPE_NEAR})

/* Cycles as part of an attempt, counted and offered, until groups are worth keeping.  They keep flows
 * positive and are at their best far from the solution, where almost all probability must move.
 *   y        n: flows > 0 with a sum of about 1, in and out
 *   scratch  n
 * False: nothing more to do, or out of memory: see try->status. */
bool shape_find(Attempt *try, Shaping *shaping, double *y, double *scratch);
/* The shape was not good enough: cycles that carry further, until the next is clearly better than at
 * this criterion. */
void shaping_harder(Shaping *shaping, double criterion);

/* Blocks of the chain as chains of their own. */
typedef struct {
    const Flow *flow;
    const int32_t *group; /* n: of each state */
    int32_t groups;
    int64_t *first;  /* groups + 2: member[first[g] .. first[g+1]) are its states, ascending */
    int32_t *member; /* n */
    int32_t *place;  /* n: of each state in its group */
    double *leave;   /* n: the chance of each state to leave its group */
    int64_t *row;    /* scratch for the largest group: its chain, ... */
    int32_t *col;
    double *val, *x; /* ... its flows, what comes from others, the chances to leave */
} Inside;            /* starts as {0} */

/* PEPA_OK, PEPA_ENOMEM, or PEPA_ELIMIT: a group has more than INSIDE_STATES states, whose order of
 * elimination takes long to find.  flow and group are borrowed.  O(entries). */
PepaStatus inside_new(Inside *out, const Flow *flow, const int32_t *group, int32_t groups);
/* One group after the other: y there becomes what its states have for what flows in from the others, by
 * elimination without subtractions: a block Gauss-Seidel sweep.  PEPA_ELIMIT: an elimination would take
 * more memory than control->memory, or more multiply-adds than INSIDE_PASSES passes over its group; y
 * of the groups before it is new.  PEPA_ECANCEL: between two groups; try: whose callback is asked, or NULL. */
PepaStatus inside_solve(const Inside *in, const Control *control, Attempt *try, double *y);
void inside_free(Inside *in);

/* Aggregation and disaggregation for nearly decomposable chains.  There the residual hardly depends
 * on how probability is divided among groups that rare jumps join.  The chain of these groups, at the
 * rates that y gives it, does: it is solved by elimination without subtractions, and y is scaled
 * group by group.  Between, sweeps even out what is within groups; where they take long, it is
 * found exactly, or by cycles where that is too much work.  Groups that common jumps leave are joined to those
 * that they lead to.  From try->y, which may be an answer or far from it; rounds count as iterations.
 * try->coupled: shares have settled, and the residual of each group, also of those joined to others,
 * is small beside its own flow, or what it and those joined with it exchange with others; a small
 * error of what y says within the groups then makes a small error of their shares, however rare the
 * jumps between them (O'Cinneide, Numer. Math. 65, 1993).  False as well when memory or work is too
 * much.  Source: Koury, McAllister, Stewart, SIAM J. Algebr. Discrete Methods 5 (1984). */
void settle_groups(Attempt *try);

/* The groups of now, kept: an approximate inverse of the singular matrix I - P'. */
typedef struct {
    Flow flow;
    Coarse owner;    /* of flow; empty on the finest level */
    const double *y; /* n: the flows that shape corrections */
    double *inverse; /* n: 1 / y, the weights of inner products */
    int32_t *group;  /* n; NULL on the last level */
    double *share;   /* n: y_i / y_I */
    double *work;    /* vectors r, x and the directions of GCR; NULL on the finest level */
} Level;

typedef struct {
    Level *levels;
    int32_t count, steps;
    Dense last;
} Levels; /* starts as {0} */

void levels_free(Levels *levels);
double levels_bytes(const Flow *flow); /* that they take, about */

/* Other levels, for the flows y, which are lifted, and borrowed until levels_free.  Groups of about
 * four from level to level; at most `steps` steps of GCR on each of the coarser ones.  False:
 * try->status or try->why (almost all flows vanish) says why not. */
bool levels_renew(Levels *levels, Attempt *try, double *y, int32_t steps);

/* x ~ (I - P')^-1 b for b with sum 0, by a K-cycle: on each coarser level a few steps of GCR in
 * the norm sum r_i^2 / y_i, which bounds (sum |r_i|)^2 / sum y_i.  Not quite linear in b.  The work
 * of some five sweeps.  Source: Notay, Vassilevski, Numer. Linear Algebra Appl. 15 (2008). */
void levels_solve(const Levels *levels, const double *b, double *x);

#endif
