/* Memory runs out while it is found out how threads share sweeps: nothing leaks, and the next try
 * is as if nothing had been. */
#include "diagrams.h"
#include "measure/blocks_build.h"
#include "fault/memory.h"

#include "families.h"
#include "solvers/blocks/blocks_plan.h"

typedef struct {
    int32_t threads, parts; /* parts < 0: whatever pays */
} Way;

static bool plan_room(BlocksWorkspace *room, const Blocks *b, Way way)
{
    BlocksPlan *plan = NULL;
    if (way.parts < 0)
        return blocks_workspace_init(room, b, way.threads);
    *room = (BlocksWorkspace){0};
    bool ok = way.parts ? blocks_plan_parts(&plan, b, way.threads, way.parts)
                        : blocks_plan_whole(&plan, b, way.threads);
    room->plan = plan;
    return ok;
}

static void expect_clean(const Blocks *b, Way way, bool and_after)
{
    bool done = false;
    for (int64_t k = 1; !done; k++) {
        BlocksWorkspace room;
        mem_fail_at(k, and_after);
        done = plan_room(&room, b, way);
        cr_assert_eq(done, mem_allocations() < k, "allocation %d", (int)k);
        mem_fail_at(0, false);
        blocks_workspace_free(&room);
    }
}

Test(fault_blocks, plans)
{
    static const Way ways[] = {{2, -1}, {8, -1}, {3, 0}, {2, 4}, {4, 8}};
    static const char *const what[] = {"tandem 200", "pipeline 9", "polling 6"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        PepaError err = {0};
        Model *model = model_of_family(what[i]);
        Blocks blocks;
        Twice twice;
        twice_new(&twice, model, 0, 1000, 1000000);
        cr_assert_not_null(twice.diagram);
        cr_assert_eq(blocks_build(&blocks, twice.diagram, twice.as_sets.now.term, &err), PEPA_OK);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            expect_clean(&blocks, ways[w], false);
            expect_clean(&blocks, ways[w], true);
        }
        blocks_free(&blocks);
        twice_free(&twice);
        model_free(model);
    }
}
