/* A model explored one by one and as a diagram: the matrix, and measures, are compared. */
#ifndef PEPA_TESTS_DIAGRAM_MEASURES_H
#define PEPA_TESTS_DIAGRAM_MEASURES_H

#include <math.h>
#include <stdlib.h>

#include "balance.h"
#include "diagrams.h"
#include "measure/blocks_build.h"
#include "measure/flow_order.h"
#include "measure/measures.h"

static inline bool twice_flows(Twice *t, const FlowOwner *got, const FlowOwner *want)
{
    for (int32_t i = 0; i < got->n; i++) {
        bool same = got->row[i + 1] == want->row[i + 1] && twice_near(got->exit[i], want->exit[i]);
        for (int64_t k = got->row[i]; k < got->row[i + 1] && same; k++)
            same = got->col[k] == want->col[k] && twice_near(flow_get(got, k), flow_get(want, k));
        if (!same)
            return twice_differs(t, "row %d of the matrix (exit rate %.17g, %.17g)", i,
                                 got->exit[i], want->exit[i]);
    }
    return true;
}

/* The chain's own flow in this order.  place: states entries of scratch. */
static inline bool twice_wanted(Twice *t, const FlowOwner *got, const int32_t *order,
                                int32_t *place)
{
    FlowOwner want = {0};
    for (int32_t i = 0; i < t->states; i++)
        place[order[i]] = i;
    bool same = flow_build(&want, t->chain, order, (int32_t)t->states, place, &t->err) == PEPA_OK &&
                flow_fill(&want, PEPA_MATRIX_EXPLICIT, &(Control){0}, t->chain, t->chain->now.term,
                          order, place, &t->err) == PEPA_OK &&
                twice_flows(t, got, &want);
    flow_free(&want);
    return same;
}

/* The same when the rows were put in the order of a search from the initial state. */
static inline bool twice_searched(Twice *t, FlowOwner *got, int32_t *order, int32_t *place)
{
    int32_t *found = NULL;
    ChosenOrder chosen = {0};
    bool same = flow_order_by_search(got, place[0], 0, &found, &chosen) == PEPA_OK;
    const int32_t at = chosen.reversed ? (int32_t)t->states - 1 : 0;
    if (found && found[at] != place[0])
        same = twice_differs(t, "the search begins in row %d, not in %d", found[at], place[0]);
    for (int32_t i = 0; found && i < t->states; i++)
        found[i] = order[found[i]];
    same = same && (!found || twice_wanted(t, got, found, place));
    mem_free(found);
    return same;
}

/* The blocks written out by rows, in this form, and the chain's own flow in the same order. */
static inline bool twice_matrix(Twice *t, const Blocks *blocks, PepaMatrixForm form)
{
    size_t n = (size_t)t->states;
    int32_t *order = twice_room(n, sizeof *order), *place = twice_room(n, sizeof *place);
    FlowOwner got = {0};
    for (size_t i = 0; i < n; i++)
        order[i] = t->id[blocks->up ? i : n - 1 - i];
    bool same = flow_from_blocks(&got, form, &(Control){0}, blocks, &t->err) == PEPA_OK &&
                twice_wanted(t, &got, order, place) && twice_searched(t, &got, order, place);
    flow_free(&got);
    free(order);
    free(place);
    return same;
}

/* Throughputs and mean counts of some distribution that is no steady state. */
static inline bool twice_measures(Twice *t)
{
    const Chain *c = t->chain;
    const System *s = c->system;
    size_t n = (size_t)t->states, actions = (size_t)c->action_count;
    int32_t *offset = twice_room((size_t)s->position_count + 1, sizeof *offset);
    measure_offsets(s, offset);
    size_t counts = (size_t)offset[s->position_count];
    double *got = twice_room(actions + counts, sizeof *got), *pi = twice_room(n, sizeof *pi);
    double *want = twice_room(actions + counts, sizeof *want), *there = twice_room(n, sizeof *pi);
    double sum = (double)n * (double)(n + 1) / 2;
    for (size_t i = 0; i < n; i++)
        there[t->id[i]] = pi[i] = (double)(1 + i * 7919 % n) / sum;
    if (n % 7919 == 0) /* then the weights above are not all distinct, and do not sum to 1 */
        for (size_t i = 0; i < n; i++)
            there[t->id[i]] = pi[i] = (double)(1 + i) / sum;
    chain_action_flow(&t->as_sets, t->as_sets.now.term, pi, got);
    chain_action_flow(c, c->now.term, there, want);
    bool same = measure_mean_counts(&t->as_sets, offset, pi, got + actions, &t->err) == PEPA_OK &&
                measure_mean_counts(c, offset, there, want + actions, &t->err) == PEPA_OK;
    for (size_t i = 0; i < actions + counts && same; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-11 * fmax(1, want[i])))
            same = twice_differs(t, "measure %zu is %.17g; it should be %.17g", i, got[i], want[i]);
    free(offset);
    free(got);
    free(want);
    free(pi);
    free(there);
    return same;
}

/* For what can be solved as blocks: an irreducible chain of several states. */
static inline bool twice_fits(const Twice *t)
{
    return t->diagram && t->states > 1 && t->status == PEPA_OK && !t->chain->bottom;
}

/* The residual of a distribution that is far from the steady one, from edges and from transitions.
 */
static inline bool twice_residual(Twice *t)
{
    size_t n = (size_t)t->states;
    double *pi = twice_room(n, sizeof *pi), *other = twice_room(n, sizeof *other), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pi[i] = 1 + (double)(i * 7919 % 101);
    for (size_t i = 0; i < n; i++)
        other[t->id[i]] = pi[i] /= sum;
    Certificate want = certificate_by_hand(t->chain, other);
    bool same = true;
    for (int form = 0; form < 2 && same; form++) {
        Certificate got = form ? certificate_by_library(&t->as_sets, pi, 1 + t->states % 3)
                               : certificate_by_library(t->chain, other, 1);
        same = fabs(got.residual - want.residual) <= 1e-12 * want.residual + 1e-15 &&
               fabs(got.by_time - want.by_time) <= 1e-12 * want.by_time + 1e-15 &&
               fabs(got.sum - 1) <= 1e-12 && got.least == 0;
        if (!same)
            (void)twice_differs(t, "residual %.17g, and not %.17g; by time %.17g, and not %.17g",
                                got.residual, want.residual, got.by_time, want.by_time);
    }
    free(pi);
    free(other);
    return same;
}

/* Measures, and the matrix of blocks if there is one. */
static inline bool twice_measured_alike(Twice *t)
{
    Blocks blocks;
    if (!t->diagram || t->status != PEPA_OK)
        return true;
    if (!twice_measures(t))
        return false;
    if (!twice_residual(t))
        return false;
    if (!twice_fits(t))
        return true;
    if (blocks_build(&blocks, t->diagram, t->as_sets.now.term, &t->err) != PEPA_OK)
        return twice_differs(t, "no blocks: %s", t->err.message);
    bool same = twice_matrix(t, &blocks, PEPA_MATRIX_EXPLICIT) &&
                twice_matrix(t, &blocks, PEPA_MATRIX_COMPACT);
    blocks_free(&blocks);
    return same;
}

#endif
