/* However many threads sweep over blocks, and in whatever way they share them, the bits are those
 * of one: nothing is read too early or too late. */
#include "block_cases.h"

#include "solvers/schedule/blocks_plan.h"

/* Jumps to share sweeps: threads, and into how many parts blocks are cut; 0: not at all. */
static const struct {
    int32_t threads, parts;
} ways[] = {{2, 0}, {3, 0}, {8, 0}, {64, 0}, {2, 2}, {2, 4}, {3, 5}, {4, 4}, {2, 16}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Have it done so, worth it or not. False: these blocks cannot be cut so. */
static bool insist(BlocksWorkspace *room, const Blocks *b, size_t way)
{
    BlocksPlan *plan;
    cr_assert(blocks_workspace_init(room, b, ways[way].threads));
    blocks_plan_free(room->plan);
    room->plan = NULL;
    bool ok = ways[way].parts ? blocks_part(&plan, b, ways[way].threads, ways[way].parts)
                              : blocks_share(&plan, b, ways[way].threads);
    cr_assert(ok);
    room->plan = plan;
    cr_assert_eq(workers_ready(room->workers, ways[way].threads), ways[way].threads);
    return plan->gain > 0;
}

/* Whatever the number of threads: the same bits. */
static void expect_same_bits(const Case *c, const char *what, BlocksWorkspace *many)
{
    static const double omega[] = {1, 1.5, 1, 0.9, 1, 1};
    BlocksWorkspace alone;
    cr_assert(blocks_workspace_init(&alone, &c->blocks, 1));
    arbitrary(c->x, c->n);
    arbitrary(c->y, c->n);
    for (size_t k = 0; k < sizeof omega / sizeof *omega; k++) {
        double one = 0, other = 0;
        double a = blocks_sweep(&c->blocks, c->x, omega[k], &alone, k % 2 ? &one : NULL);
        if (many->pace)
            many->pace->alone = HUGE_VAL; /* however long it takes together */
        double b = blocks_sweep(&c->blocks, c->y, omega[k], many, k % 2 ? &other : NULL);
        cr_assert(memcmp(&a, &b, sizeof a) == 0 && memcmp(&one, &other, sizeof one) == 0);
        a = blocks_residual(&c->blocks, c->x, &alone, &one);
        b = blocks_residual(&c->blocks, c->y, many, &other);
        cr_assert(memcmp(&a, &b, sizeof a) == 0 && memcmp(&one, &other, sizeof one) == 0);
    }
    cr_assert_eq(memcmp(c->x, c->y, (size_t)c->n * sizeof *c->x), 0, "%s, %d threads", what,
                 many->threads);
    blocks_workspace_free(&alone);
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

/* Where a row stands: its block, the part of that, and its turn if one thread goes through all. */
typedef struct {
    int32_t block, part, turn;
} Spot;

static Spot spot_of(const Blocks *b, const BlocksPlan *plan, int64_t state)
{
    Spot s = {0};
    int32_t parts = plan->parted.parts, row, leaf = 0;
    while (b->offset[s.block + 1] <= state)
        s.block++;
    row = (int32_t)(state - b->offset[s.block]);
    while (b->diagonals[b->diagonal[s.block]].leaf[leaf + 1] <= row)
        leaf++;
    const int32_t *first =
        parts ? plan->parted.leaf + (size_t)b->diagonal[s.block] * ((size_t)parts + 1) : NULL;
    while (parts && first[s.part + 1] <= leaf)
        s.part++;
    int32_t each = parts ? parts : 1;
    s.turn = b->up ? s.block * each + s.part + 1 : (b->blocks - 1 - s.block) * each + each - s.part;
    return s;
}

/* Every block once, and no chunk waits for one after it. */
static void list_chunks(const Blocks *b, const BlocksShared *s, int32_t *chunk)
{
    memset(chunk, -1, (size_t)b->blocks * sizeof *chunk);
    cr_assert(s->chunk[0] == 0 && s->chunk[s->chunks] == b->blocks);
    for (int32_t c = 0; c < s->chunks; c++) {
        cr_assert(s->chunk[c] < s->chunk[c + 1] && s->need[c] < c);
        for (int32_t k = s->chunk[c]; k < s->chunk[c + 1]; k++) {
            int32_t block = s->order[k];
            cr_assert(block >= 0 && block < b->blocks && chunk[block] < 0);
            chunk[block] = c;
        }
    }
}

/* A part of a block, from its turn. */
static Spot part_at(const Blocks *b, int32_t parts, int32_t turn)
{
    int32_t block = (turn - 1) / parts, part = (turn - 1) % parts;
    return (Spot){b->up ? block : b->blocks - 1 - block, b->up ? part : parts - 1 - part, turn};
}

/* How far each thread has come, at the least, when the part with this turn begins:
 * known[turn * threads + w], by what it waits for itself, and what those have waited for. */
static int32_t *list_waits(const Blocks *b, const BlocksPlan *plan)
{
    int32_t parts = plan->parted.parts, threads = plan->threads, turns = b->blocks * parts;
    int32_t *known = twice_room(((size_t)turns + 1) * (size_t)threads, sizeof *known);
    int32_t *last = twice_room((size_t)threads, sizeof *last);
    for (int32_t turn = 1; turn <= turns; turn++) {
        Spot s = part_at(b, parts, turn);
        int32_t owner = s.part * threads / parts, *now = known + (size_t)turn * (size_t)threads;
        const int32_t *wait = plan->parted.wait + (s.block * parts + s.part) * threads;
        for (int32_t w = 0; w < threads; w++) {
            int32_t from = w == owner ? last[owner] : wait[w];
            cr_assert(from < turn &&
                      (from == 0 || part_at(b, parts, from).part * threads / parts == w));
            for (int32_t v = 0; v < threads; v++)
                now[v] = known[from * threads + v] > now[v] ? known[from * threads + v] : now[v];
            now[w] = from > now[w] ? from : now[w];
        }
        last[owner] = turn;
    }
    free(last);
    return known;
}

/* Whatever a row reads, or is read by, has its turn on the same side of it as for one thread. */
static void expect_plan(Case *c, BlocksPlan *plan)
{
    const Blocks *b = &c->blocks;
    const bool up = c->twice.diagram->backward <= 0.5; /* the order that rows are in */
    int32_t *chunk = twice_room((size_t)b->blocks, sizeof *chunk), parts = plan->parted.parts;
    int32_t *known = parts ? list_waits(b, plan) : NULL;
    Spot *spot = twice_room((size_t)c->n, sizeof *spot);
    if (!parts)
        list_chunks(b, &plan->shared, chunk);
    for (int64_t i = 0; i < c->n; i++)
        spot[i] = spot_of(b, plan, i);
    for (int64_t row = 0; row < c->n; row++)
        for (int64_t e = c->rows.row[row]; e < c->rows.row[row + 1]; e++) {
            int64_t col = c->rows.col[e], last = c->n - 1;
            Spot x = spot[up ? row : last - row], y = spot[up ? col : last - col];
            Spot early = x.turn < y.turn ? x : y, late = x.turn < y.turn ? y : x;
            if (early.turn == late.turn)
                continue;
            if (parts)
                cr_assert_geq(known[late.turn * plan->threads + early.part * plan->threads / parts],
                              early.turn);
            else
                cr_assert_leq(chunk[early.block], plan->shared.need[chunk[late.block]]);
        }
    free(chunk);
    free(known);
    free(spot);
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
            cr_expect_eq(plan->threads, 2);
            cr_expect_eq(plan->parted.parts > 0, plans[i].cut, "%s", plans[i].what);
            cr_expect(plan->gain >= plans[i].least && plan->gain <= plans[i].most, "%s: %g",
                      plans[i].what, plan->gain);
        }
        blocks_plan_free(plan);
        blocks_free(&blocks);
        twice_free(&twice);
        model_free(model);
    }
}
