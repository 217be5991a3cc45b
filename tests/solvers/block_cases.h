/* Models as blocks, by rows, and solved by elimination. */
#ifndef PEPA_TESTS_BLOCK_CASES_H
#define PEPA_TESTS_BLOCK_CASES_H

#include "solvers/blocks/blocks.h"

#include "diagram_measures.h"
#include "families.h"
#include "measure/longrun.h"
#include "solvers/internal.h"

/* A model as blocks, by rows, and solved by elimination. */
typedef struct {
    Model *model;
    Twice twice;
    Blocks blocks;
    FlowOwner rows;
    int64_t n;
    double *exact, *x, *y; /* by states of the blocks: pi; scratch */
} Case;

/* "tandem 5", or a text. */
static inline void case_new(Case *c, const char *what, int aggregate, int32_t most_lower)
{
    PepaError err = {0};
    Outcome out;
    const Control control = {.tolerance = 1e-12};
    *c = (Case){.model = strchr(what, '=') ? model_of(what) : model_of_family(what)};
    twice_new(&c->twice, c->model, aggregate, most_lower, 100000);
    cr_assert(twice_fits(&c->twice) && twice_alike(&c->twice), "%s: %s", what, c->twice.why);
    cr_assert_eq(blocks_build(&c->blocks, c->twice.diagram, c->twice.as_sets.now.term, &err),
                 PEPA_OK);
    cr_assert_eq(flow_from_blocks(&c->rows, PEPA_MATRIX_AUTO, &(Control){0}, &c->blocks, &err),
                 PEPA_OK);
    c->n = c->rows.n;
    c->exact = twice_room((size_t)c->n, sizeof *c->exact);
    c->x = twice_room((size_t)c->n, sizeof *c->x);
    c->y = twice_room((size_t)c->n, sizeof *c->y);
    for (int64_t i = 0; i < c->n; i++)
        c->y[i] = 1;
    Flow view = flow_view(&c->rows, NULL);
    cr_assert_eq(solve_flow(PEPA_GTH, &view, &control, c->y, &out, &err), PEPA_OK, "%s",
                 err.message);
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++)
        sum += c->y[i] / c->rows.exit[i];
    for (int64_t i = 0; i < c->n; i++)
        c->exact[c->blocks.up ? i : c->n - 1 - i] = c->y[i] / c->rows.exit[i] / sum;
}

static inline void case_free(Case *c)
{
    flow_free(&c->rows);
    blocks_free(&c->blocks);
    twice_free(&c->twice);
    model_free(c->model);
    free(c->exact);
    free(c->x);
    free(c->y);
}

/* Positive, of several magnitudes, sum about 1. */
static inline void arbitrary(double *x, int64_t n)
{
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = exp(-5 * (double)(state >> 40) / (1 << 24)) / (double)n;
    }
}

static const struct {
    const char *what;
    int aggregate;
    int32_t most_lower;
} cases[] = {
    {"pipeline 4", 0, 3},
    {"pipeline 6", 0, 81},
    {"clients 6", 1, 20},
    {"clients 6", 1, 1000},
    {"clients 4", 0, 70},
    {"tandem 9", 0, 30},
    {"kanban 1", 1, 64},
    {"kanban 1", 1, 5},
    {"polling 5", 0, 4},
    {"polling 6", 0, 16384},
    {"cluster 2", 1, 300},
    {"cluster 3", 1, 16384},
    {"cluster 3", 0, 200},
    /* moves from states to themselves, within blocks and from block to block */
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L", 0, 2},
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; L <a> U", 0, 2},
};
enum { CASES = sizeof cases / sizeof *cases };

#endif
