/* However many threads sweep over blocks, and in whatever way they share them, the bits are those
 * of one: nothing is read too early or too late. */
#include "block_cases.h"

#include "solvers/blocks/blocks_plan.h"

/* Jumps to share sweeps: threads, and into how many parts blocks are cut; 0: not at all. */
static const struct {
    int32_t threads, parts;
} ways[] = {{2, 0}, {3, 0}, {8, 0}, {64, 0}, {2, 2}, {2, 4}, {3, 5}, {4, 4}, {2, 16}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Follow such a plan, worth it or not.  False: these blocks cannot be cut so. */
static bool insist(BlocksWorkspace *work, const Blocks *b, size_t way)
{
    BlocksPlan *plan;
    cr_assert(blocks_workspace_init(work, b, ways[way].threads));
    blocks_plan_free(work->plan);
    work->plan = NULL;
    bool ok = ways[way].parts ? blocks_plan_parts(&plan, b, ways[way].threads, ways[way].parts)
                              : blocks_plan_whole(&plan, b, ways[way].threads);
    cr_assert(ok);
    work->plan = plan;
    cr_assert(runner_follow(work->runner, plan ? plan->plan : NULL));
    return plan != NULL;
}

/* Whatever the number of threads: the same bits, and x as it was. */
static void expect_same_bits(const Case *c, const char *what, BlocksWorkspace *many)
{
    static const double omega[] = {1, 1.5, 1, 0.9, 1, 1};
    const size_t bytes = (size_t)c->n * sizeof *c->x;
    double *before = mem_alloc(3, bytes), *was = before + c->n, *earlier = was + c->n;
    float *moved = mem_alloc((size_t)c->n, sizeof *moved);
    BlocksWorkspace alone;
    cr_assert(before && moved && blocks_workspace_init(&alone, &c->blocks, 1));
    many->runner->eager = true;
    memset(was, 0, bytes);
    arbitrary(c->x, c->n);
    arbitrary(c->y, c->n);
    for (size_t k = 0; k < sizeof omega / sizeof *omega; k++) {
        double one, other;
        BlocksTally first = {0}, second = {0};
        memcpy(before, c->x, bytes);
        memcpy(earlier, was, bytes);
        blocks_sweep(&c->blocks, c->x, omega[k], &alone, NULL, k % 2 ? &first : NULL);
        blocks_sweep(&c->blocks, c->y, omega[k], many, &(Iterate){was, k > 2 ? moved : NULL},
                     k % 2 ? &second : NULL);
        for (int64_t i = 0; k > 2 && i < c->n; i++)
            cr_assert_float_eq(moved[i] / ITERATE_SCALE, before[i] - earlier[i],
                               1e-7 * fabs(before[i] - earlier[i]));
        cr_assert_eq(memcmp(was, before, bytes), 0, "%s, %d threads", what, many->threads);
        cr_assert_eq(memcmp(&first, &second, sizeof first), 0);
        double a = blocks_residual(&c->blocks, c->x, &alone, &one);
        double b = blocks_residual(&c->blocks, c->y, many, &other);
        cr_assert(memcmp(&a, &b, sizeof a) == 0 && memcmp(&one, &other, sizeof one) == 0);
    }
    cr_assert_eq(memcmp(c->x, c->y, bytes), 0, "%s, %d threads", what, many->threads);
    blocks_workspace_free(&alone);
    mem_free(moved);
    mem_free(before);
}

Test(blocks_plan, sweeps_by_threads)
{
    static const int32_t threads[] = {2, 3, 8, 64, 1000};
    for (int i = 0; i < CASES; i++)
        for (int up = 0; up < 2; up++) {
            Case c;
            BlocksWorkspace room;
            case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
            c.blocks.up = up;
            for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
                cr_assert(blocks_workspace_init(&room, &c.blocks, threads[t]));
                expect_same_bits(&c, cases[i].what, &room);
                blocks_workspace_free(&room);
            }
            for (size_t w = 0; w < WAYS; w++) {
                if (insist(&room, &c.blocks, w))
                    expect_same_bits(&c, cases[i].what, &room);
                blocks_workspace_free(&room);
            }
            case_free(&c);
        }
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* The task that a state belongs to. */
static int32_t task_of(const Blocks *b, const BlocksPlan *plan, int64_t state)
{
    const int32_t parts = plan->parts.count;
    int32_t block = 0, leaf = 0, part = 0, task = 0;
    while (b->offset[block + 1] <= state)
        block++;
    int32_t place = b->up ? block : b->blocks - 1 - block, diagonal = b->diagonal[block];
    if (parts == 0) {
        while (plan->plan->first[task + 1] <= place)
            task++;
        return task;
    }
    while (b->diagonals[diagonal].leaf[leaf + 1] <= state - b->offset[block])
        leaf++;
    while (plan->parts.leaf[diagonal * (parts + 1) + part + 1] <= leaf)
        part++;
    return place * parts + (b->up ? part : parts - 1 - part);
}

/* known[task * threads + w]: how many of its tasks thread w has done, at the least, when the task
 * begins, by what it waits for itself and what those have waited for. */
static int32_t *list_waits(const Plan *plan, int32_t *turn)
{
    const size_t threads = (size_t)plan->threads;
    int32_t *known = twice_room((size_t)plan->tasks * threads, sizeof *known);
    int32_t *own = twice_room((size_t)plan->tasks * threads, sizeof *own); /* [w, turn]: the task */
    int32_t done[MOST_WORKERS] = {0};
    for (int32_t task = 0; task < plan->tasks; task++) {
        int32_t owner = plan->owner[task], *now = known + (size_t)task * threads;
        for (int32_t w = 0; w < plan->threads; w++) {
            int32_t told = plan->told_before[(size_t)task * threads + (size_t)w];
            int32_t wait = w == owner ? done[w] : told;
            cr_assert_leq(wait, done[w]); /* else the task would wait for a later one */
            if (wait == 0)
                continue;
            const int32_t *then = known + (size_t)own[w * plan->tasks + wait] * threads;
            for (int32_t v = 0; v < plan->threads; v++)
                now[v] = then[v] > now[v] ? then[v] : now[v];
            now[w] = wait > now[w] ? wait : now[w];
        }
        turn[task] = ++done[owner];
        if (turn[task] < plan->tasks)
            own[owner * plan->tasks + turn[task]] = task;
    }
    free(own);
    return known;
}

/* Every task once, and its place in the order. */
static void list_places(const Plan *plan, int32_t *place)
{
    for (int32_t k = 0; k < plan->tasks; k++)
        place[k] = -1;
    for (int32_t k = 0; k < plan->tasks; k++) {
        cr_assert_eq(place[plan->order[k]], -1);
        place[plan->order[k]] = k;
    }
}

static void expect_wait(const Plan *plan, const int32_t *place, int32_t early, int32_t late)
{
    int32_t away = place[late] - place[early];
    cr_assert_gt(away, 0);
    cr_assert(away > WINDOW || plan->before[place[late]] >> (away - 1) & 1);
}

/* Of two tasks one of which reads the other, the later waits for the earlier. */
static void expect_plan(Case *c, BlocksPlan *blocks_plan)
{
    const Blocks *b = &c->blocks;
    const Plan *plan = blocks_plan->plan;
    const bool up = c->twice.diagram->backward <= 0.5; /* the order that rows are in */
    int32_t *place = twice_room((size_t)plan->tasks, sizeof *place);
    int32_t *known = plan->owner ? list_waits(plan, place) : NULL;
    int32_t *task = twice_room((size_t)c->n, sizeof *task);
    if (!plan->owner)
        list_places(plan, place);
    for (int64_t i = 0; i < c->n; i++)
        task[i] = task_of(b, blocks_plan, i);
    for (int64_t row = 0; row < c->n; row++)
        for (int64_t e = c->rows.row[row]; e < c->rows.row[row + 1]; e++) {
            int64_t col = c->rows.col[e], last = c->n - 1;
            int32_t x = task[up ? row : last - row], y = task[up ? col : last - col];
            int32_t early = x < y ? x : y, late = x < y ? y : x;
            if (early == late)
                continue;
            if (known)
                cr_assert_geq(known[late * plan->threads + plan->owner[early]], place[early]);
            else
                expect_wait(plan, place, early, late);
        }
    free(place);
    free(known);
    free(task);
}

Test(blocks_plan, plans)
{
    for (int i = 0; i < CASES; i++)
        for (int up = 0; up < 2; up++) {
            Case c;
            case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
            c.blocks.up = up;
            for (size_t w = 0; w < WAYS; w++) {
                BlocksWorkspace room;
                if (insist(&room, &c.blocks, w))
                    expect_plan(&c, room.plan);
                blocks_workspace_free(&room);
            }
            case_free(&c);
        }
}

/* How many threads are worth it, and which way, is seen from the blocks. */
Test(blocks_plan, plans_that_pay)
{
    static const struct {
        const char *what;
        int aggregate;
        int32_t most_lower;
        bool cut; /* a chain of blocks, each of which waits for the one before */
        double least, most;
    } plans[] = {
        {"tandem 3", 0, 30, false, 0, 0},       /* too small */
        {"pipeline 10", 0, 243, false, 1.5, 2}, /* many blocks side by side */
        {"tandem 300", 0, 2000, true, 1.3, 2},  /* none */
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        Model *model = model_of_family(plans[i].what);
        BlocksPlan *plan;
        Blocks blocks;
        PepaError err = {0};
        Twice twice;
        twice_new(&twice, model, plans[i].aggregate, plans[i].most_lower, 1000000);
        cr_assert_not_null(twice.diagram);
        cr_assert_eq(blocks_build(&blocks, twice.diagram, twice.as_sets.now.term, &err), PEPA_OK);
        cr_assert(blocks_plan_new(&plan, &blocks, 2));
        cr_expect_eq(plan != NULL, plans[i].least > 0, "%s", plans[i].what);
        if (plan) {
            double gain = plan->plan->gain;
            cr_expect_eq(plan->plan->threads, 2);
            cr_expect_eq(plan->parts.count > 0, plans[i].cut, "%s", plans[i].what);
            cr_expect(gain >= plans[i].least && gain <= plans[i].most, "%s: %g", plans[i].what,
                      gain);
        }
        blocks_plan_free(plan);
        blocks_free(&blocks);
        twice_free(&twice);
        model_free(model);
    }
}
