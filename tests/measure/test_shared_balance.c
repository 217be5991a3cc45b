/* Whether groups of states of a chain that processes share as sets are in balance: what one process sees of the whole chain. */
#include <math.h>

#include "diagrams.h"
#include "families.h"
#include "family_text.h"
#include "measure/blocks_build.h"
#include "run_together.h"
#include "support.h"

typedef struct {
    Twice twice;
    double residual;
    bool slope;
    Drift off;      /* of one process */
    uint8_t *grown; /* per state of the diagram, as one process sees it */
    bool fills;
} Comparing;

/* Hills of all heights, no two states alike; or one slope, down from the first state. */
static double share_of(const Comparing *c, int64_t state)
{
    const double part = fmod((double)(state + 1) * 0.6180339887498949, 1);
    return c->slope ? exp(-90 * (double)state / c->twice.states) * (1 + part / 2)
                    : exp(-90 * part * part);
}

static void look_alone(Comparing *c)
{
    const Chain *chain = &c->twice.as_sets;
    Blocks blocks;
    PepaError err;
    double *x = twice_room((size_t)c->twice.states, sizeof *x);
    for (int32_t i = 0; i < c->twice.states; i++)
        x[i] = share_of(c, i);
    cr_assert_eq(blocks_build(&blocks, chain->diagram, chain->now.term, &err), PEPA_OK);
    c->off = blocks_imbalance(&blocks, x, c->residual, c->grown);
    c->fills = blocks_may_fill(&blocks, x, 1, c->grown, 0);
    blocks_free(&blocks);
    free(x);
}

static void look_together(const PepaProcesses *p, void *user)
{
    const Comparing *c = user;
    const Chain *chain = &c->twice.as_sets;
    DiagramShare share;
    Blocks blocks;
    PepaError err;
    cr_assert(diagram_share_new(&share, chain->diagram, p->rank, (ShareParts){p->count, NULL},
                                &share_costs));
    cr_assert_eq(blocks_build_share(&blocks, &share, chain->now.term, &err), PEPA_OK);
    BlocksShare sharing = {.processes = p,
                           .everything = p->open(p->user, &share.states),
                           .copies = &share.states};
    blocks.share = &sharing;
    const Diagram *d = &share.part;
    double *x = twice_room((size_t)share.all, sizeof *x);
    uint8_t *grown = twice_room((size_t)share.own, sizeof *grown);
    for (int32_t k = 0; k < d->own_count; k++) {
        const int32_t u = diagram_own(d, k);
        for (int64_t s = d->offset[u]; s < d->offset[u + 1]; s++)
            x[d->place[u] + s - d->offset[u]] = share_of(c, s);
    }
    const Drift off = blocks_imbalance(&blocks, x, c->residual, grown);
    cr_expect_float_eq(off.time, c->off.time, 1e-12);
    cr_expect_float_eq(off.rare, c->off.rare, 1e-9 * (1 + c->off.rare));
    cr_expect_float_eq(off.growth, c->off.growth, 1e-9 * (1 + c->off.growth));
    for (int32_t k = 0; k < d->own_count; k++) {
        const int32_t u = diagram_own(d, k);
        for (int64_t s = d->offset[u]; s < d->offset[u + 1]; s++)
            cr_assert_eq(grown[d->place[u] + s - d->offset[u]], c->grown[s], "state %d of %d by %d",
                         (int)s, (int)c->twice.states, (int)p->count);
    }
    cr_expect_eq(blocks_may_fill(&blocks, x, 1, grown, 0), c->fills);
    free(x);
    free(grown);
    p->close(p->user, sharing.everything);
    blocks_free(&blocks);
    diagram_share_free(&share);
}

/* What one process sees. */
static Comparing compare(const char *text, double residual, bool slope)
{
    Comparing c = {.residual = residual, .slope = slope};
    Model *model = model_of(text);
    twice_new(&c.twice, model, 1, 64, 1000000);
    cr_assert(c.twice.diagram && twice_states(&c.twice), "%s: %s", text, c.twice.why);
    c.grown = twice_room((size_t)c.twice.states, sizeof *c.grown);
    look_alone(&c);
    for (int32_t count = 1; count <= MOST_TOGETHER; count++)
        run_together(count, look_together, &c);
    free(c.grown);
    twice_free(&c.twice);
    model_free(model);
    return c;
}

Test(shared_balance, groups_are_those_of_one_process)
{
    static const double residual[] = {1e-4, 1e-6, 1e-9, 1e-13};
    static const char *const text[] = {"families.awk pipeline 5",    "families.awk kanban 1",
                                       "families.awk tandem 9",      "families.awk polling 4",
                                       "families.awk clients 8",     "structures/wells.awk 8 10 3",
                                       "structures/multirate.awk 20"}; /* swept downwards */
    int uneven = 0, filling = 0, models = 0;
    for (size_t i = 0; i < 2 * sizeof residual / sizeof *residual; i++)
        for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
            const Comparing c = compare(bench_text(text[k]), residual[i / 2], i % 2);
            uneven += c.off.time > 0.01;
            filling += c.fills;
            models++;
        }
    cr_expect(uneven > models / 4 && uneven < models, "%d of %d", uneven, models);
    cr_expect(filling > 0 && filling < models, "%d of %d", filling, models);
}
