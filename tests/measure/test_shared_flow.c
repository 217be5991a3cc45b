/* The matrix by rows of a process's part of sets: what flows into each state is what its transitions say. */
#include "measure/shared_flow.h"

#include "diagrams.h"
#include "families.h"
#include "family_text.h"
#include "run_together.h"
#include "support.h"

typedef struct {
    Twice twice;
    double *into; /* per state of the diagram: what flows in */
    PepaMatrixForm form;
    int64_t states, copies; /* of all processes, so far */
} Comparing;

/* Any numbers. */
static double flow_of(int64_t state)
{
    return 1 + (double)(state * 7919 % 101);
}

/* By the transitions of the chain that was explored one by one. */
static void find_into(Comparing *c)
{
    const Chain *chain = c->twice.chain;
    double *by_id = twice_room((size_t)c->twice.states, sizeof *by_id);
    for (int32_t i = 0; i < c->twice.states; i++) {
        const int32_t s = c->twice.id[i];
        double exit = 0;
        for (int64_t k = chain->row[s]; k < chain->row[s + 1]; k++)
            exit += chain->target[k] == s ? 0 : chain_rate(chain, chain->now.term, k);
        for (int64_t k = chain->row[s]; k < chain->row[s + 1]; k++)
            if (chain->target[k] != s)
                by_id[chain->target[k]] +=
                    flow_of(i) * chain_rate(chain, chain->now.term, k) / exit;
    }
    for (int32_t i = 0; i < c->twice.states; i++)
        c->into[i] = by_id[c->twice.id[i]];
    free(by_id);
}

/* The row of the k-th own state. */
static int32_t row_of(const Blocks *b, int64_t k)
{
    return (int32_t)(b->up ? k : b->offset[b->blocks] - 1 - k);
}

/* put: its flows go to y; else what flows in is compared. */
static void each_state(const Comparing *c, const DiagramShare *share, const Blocks *b,
                       const Flow *flow, double *y, bool put)
{
    const Diagram *d = &share->part;
    for (int32_t k = 0; k < d->own_count; k++) {
        const int32_t u = diagram_own(d, k);
        for (int64_t s = d->offset[u]; s < d->offset[u + 1]; s++) {
            const int32_t row = row_of(b, d->place[u] + s - d->offset[u]);
            if (put)
                y[row] = flow_of(s);
            else
                cr_assert(twice_near(flow_into(flow, y, row), c->into[s]),
                          "state %d: %.17g, not %.17g", (int)s, flow_into(flow, y, row),
                          c->into[s]);
        }
    }
}

static void compare_part(const PepaProcesses *p, void *user)
{
    Comparing *c = user;
    const Chain *chain = &c->twice.as_sets;
    const Control none = {0};
    DiagramShare share;
    Blocks blocks;
    SharedFlow flow;
    PepaError err;
    cr_assert(diagram_share_new(&share, chain->diagram, p->rank, (ShareParts){p->count, NULL},
                                &share_costs));
    cr_assert_eq(blocks_build_share(&blocks, &share, chain->now.term, &err), PEPA_OK);
    BlocksShare sharing = {.processes = p, .everything = p->open(p->user, &share.states)};
    blocks.share = &sharing;
    cr_assert_eq(shared_flow_new(&flow, &blocks, &share.states, c->form, &none, &err), PEPA_OK,
                 "%s", err.message);
    cr_assert_eq(flow.flow.n, share.own);
    cr_assert_eq(flow.flow.code != NULL, c->form == PEPA_MATRIX_COMPACT);
    double *y = twice_room((size_t)share.own, sizeof *y);
    each_state(c, &share, &blocks, NULL, y, true);
    flow_receive(&flow.flow, y);
    each_state(c, &share, &blocks, &flow.flow, y, false);
    c->states += share.own;
    c->copies += share.all - share.own;
    free(y);
    shared_flow_free(&flow);
    p->close(p->user, sharing.everything);
    blocks_free(&blocks);
    diagram_share_free(&share);
}

static void compare(const char *text, PepaMatrixForm form)
{
    Comparing c = {.form = form};
    Model *model = model_of(text);
    twice_new(&c.twice, model, 1, 64, 1000000);
    cr_assert(c.twice.diagram && twice_states(&c.twice), "%s: %s", text, c.twice.why);
    c.into = twice_room((size_t)c.twice.states, sizeof *c.into);
    find_into(&c);
    for (int32_t count = 1; count <= MOST_TOGETHER; count++) {
        c.states = c.copies = 0;
        run_together(count, compare_part, &c);
        cr_expect_eq(c.states, c.twice.states);
        cr_expect_eq(c.copies > 0, count > 1, "%s", text);
    }
    free(c.into);
    twice_free(&c.twice);
    model_free(model);
}

Test(shared_flow, rows_are_transitions)
{
    compare(family_text("pipeline 5"), PEPA_MATRIX_EXPLICIT);
    compare(family_text("kanban 1"), PEPA_MATRIX_COMPACT);
    compare(family_text("tandem 9"), PEPA_MATRIX_COMPACT);
    compare(family_text("polling 4"), PEPA_MATRIX_EXPLICIT);
    compare(family_text("clients 8"), PEPA_MATRIX_COMPACT);
    compare(bench_text("structures/multirate.awk 20"), PEPA_MATRIX_EXPLICIT); /* swept downwards */
}
