/* Branch and bound over columns. */
#include "grid/taag/schedule/pack_best.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

static const double NEAR = 1e-6; /* to a whole number */

/* Use a column so often more. */
static void use(PackBest *p, int32_t j, int32_t times)
{
    const PackLp *lp = p->lp;
    for (size_t e = lp->column[j].first; e < lp->column[j + 1].first; e++)
        lp->right[lp->entry[e].row] -= times * lp->entry[e].times;
    p->times[j] += times;
}

static double worth_of(const PackBest *p)
{
    double sum = 0;
    for (int32_t j = 0; j < p->lp->columns; j++)
        sum += p->times[j] * p->lp->column[j].worth;
    return sum;
}

/* Sums that differ by rounding are equal. */
static double slack(const PackBest *p)
{
    return 1e-12 * fmax(fabs(p->cutoff), p->scale);
}

/* How often the solution of the linear program, rounded, uses a column more. */
static int32_t rounded(const PackBest *p, int32_t j)
{
    return p->lp->column[j].open ? (int32_t)floor(p->lp->x[j] + NEAR) : 0;
}

/* The solution of the linear program with what it uses in part left out. */
static void offer(PackBest *p)
{
    const PackLp *lp = p->lp;
    CliqueAnswer answer = CLIQUE_FOUND;
    bool fits = true;
    int32_t j = 0;
    for (; j < lp->columns && fits; j++) {
        const int32_t more = rounded(p, j);
        fits = more <= pack_lp_most(lp, j);
        if (fits)
            use(p, j, more);
    }
    const double worth = worth_of(p);
    if (fits && worth > p->cutoff + slack(p)) {
        answer = p->possible ? p->possible(p->data, p->times) : CLIQUE_FOUND;
        if (answer == CLIQUE_FOUND) {
            p->found = true;
            p->cutoff = p->worth = worth;
            memcpy(p->best, p->times, (size_t)lp->columns * sizeof *p->best);
        }
        if (answer == CLIQUE_UNKNOWN)
            p->bound = fmax(p->bound, worth);
        p->no_memory = p->no_memory || answer == CLIQUE_NO_MEMORY;
    }
    for (int32_t i = 0; i < (fits ? j : j - 1); i++)
        use(p, i, -rounded(p, i));
}

/* The column to decide: the most divided one; else one that is used, or could be.  -1: none. */
static int32_t choose(const PackBest *p)
{
    int32_t best = -1;
    double most = -1;
    for (int32_t j = 0; j < p->lp->columns; j++) {
        const double x = p->lp->x[j], part = x - floor(x + NEAR);
        const double order = part > NEAR ? 1 + part : x > NEAR ? 0.5 : 0;
        if (p->lp->column[j].open && order > most && pack_lp_most(p->lp, j) > 0) {
            most = order;
            best = j;
        }
    }
    return best;
}

/* What follows from the columns used so far.  As deep as columns are used. */
static void branch(PackBest *p, int32_t depth)
{
    PackLp *lp = p->lp;
    while (!p->no_memory) {
        const int64_t before = lp->work;
        double most = worth_of(p) + pack_lp_solve(lp);
        p->effort->work += (lp->work - before) / 4; /* entries next to each other */
        if (p->unit > 0)
            most = p->unit * floor(most / p->unit + NEAR);
        if (most <= p->cutoff + slack(p))
            break;
        offer(p);
        if (most <= p->cutoff + slack(p))
            break;
        const int32_t j = choose(p);
        if (j < 0)
            break;
        if (effort_ended(p->effort)) {
            p->bound = fmax(p->bound, most);
            break;
        }
        use(p, j, 1);
        branch(p, depth + 1);
        use(p, j, -1);
        lp->column[j].open = false;
        p->closed[j] = depth;
    }
    for (int32_t j = 0; j < lp->columns; j++)
        if (!lp->column[j].open && p->closed[j] == depth)
            lp->column[j].open = true;
}

bool pack_best_find(PackBest *p)
{
    const size_t n = (size_t)p->lp->columns;
    if (!mem_new(p->best, n) || !mem_new_zeroed(p->times, n) || !mem_new_zeroed(p->closed, n))
        return false;
    p->bound = p->cutoff;
    p->scale = 0;
    for (size_t j = 0; j < n; j++)
        p->scale = fmax(p->scale, p->lp->column[j].worth);
    branch(p, 0);
    p->bound = fmax(p->bound, p->cutoff);
    return !p->no_memory;
}

void pack_best_free(PackBest *p)
{
    mem_free_all(p->best, p->times, p->closed);
    p->best = p->times = p->closed = NULL;
}
