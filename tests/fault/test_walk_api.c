/* Walks with each allocation failing: a failure leaves the walk where it was, and the same again
 * with memory does what it should. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_walk.h"

static void say_state(Text *out, const PepaWalk *walk)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    text_add(out, " %lld:", (long long)info.length);
    for (int32_t p = 0; p < info.positions; p++)
        text_add(out, " %s", pepa_walk_position(walk, p).component);
    for (int32_t l = 0; l < info.local_states; l++)
        text_add(out, " %s", pepa_walk_local_name(walk, l));
    for (int32_t i = 0; i < info.enabled; i++)
        text_add(out, " %s %.17g", pepa_walk_step(walk, i).action, pepa_walk_step(walk, i).rate);
}

static PepaStatus call_new(World *w, PepaError *err)
{
    PepaWalk *walk = NULL;
    PepaStatus status = pepa_walk_new(&walk, w->model, NULL, err);
    cr_assert_eq(status == PEPA_OK, walk != NULL);
    if (walk)
        say_state(&w->said, walk);
    pepa_walk_free(walk);
    return status;
}

Test(fault_walk_api, new)
{
    replay("pepa_walk_new", call_new);
}

typedef PepaStatus Use(World *w, PepaWalk *walk, Text *out, PepaError *err);

static PepaStatus use_take(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    (void)w;
    (void)out;
    return pepa_walk_take(walk, 2, err);
}

/* Every step of some states, so that all tables grow.  It begins anew after a failure. */
static PepaStatus use_take_all(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    const int64_t before = pepa_walk_info(walk).length;
    (void)w;
    (void)out;
    for (int32_t i = 0; i < 40 && status == PEPA_OK; i++)
        status = pepa_walk_take(walk, i % pepa_walk_info(walk).enabled, err);
    if (status != PEPA_OK) {
        mem_fail_at(0, false);
        cr_assert_eq(pepa_walk_back(walk, pepa_walk_info(walk).length - before, NULL), PEPA_OK);
    }
    return status;
}

static PepaStatus use_back(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    (void)w;
    (void)out;
    return pepa_walk_back(walk, 3, err);
}

static PepaStatus use_go(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    (void)w;
    (void)out;
    return pepa_walk_go(walk, "(P:1|Q:1, S1, R:1|R_2:1)", err);
}

static PepaStatus use_jump(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    (void)w;
    (void)out;
    return pepa_walk_jump(walk, 14, err);
}

static PepaStatus use_text(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    char *text = NULL;
    (void)w;
    PepaStatus status = pepa_walk_text(walk, 1, &text, err);
    cr_assert_eq(status == PEPA_OK, text != NULL);
    if (text)
        text_add(out, "%s", text);
    pepa_text_free(text);
    return status;
}

static PepaStatus use_counts(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    int32_t counts[20] = {-7};
    (void)w;
    PepaStatus status = pepa_walk_counts(walk, 0, counts, err);
    cr_assert_eq(status == PEPA_OK, counts[0] != -7);
    for (int32_t i = 0; i < pepa_walk_info(walk).counts && status == PEPA_OK; i++)
        text_add(out, " %d", counts[i]);
    return status;
}

static PepaStatus use_holds(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    int holds = -7;
    PepaStatus status = pepa_walk_holds(walk, w->predicate, &holds, err);
    cr_assert_eq(status == PEPA_OK, holds != -7);
    if (status == PEPA_OK)
        text_add(out, "%d", holds);
    return status;
}

/* A failure on the way leaves the steps until then, so it begins anew. */
static PepaStatus use_run(World *w, PepaWalk *walk, Text *out, PepaError *err)
{
    uint64_t random = 5;
    int64_t taken = -7;
    PepaRunEnd end = PEPA_RUN_DEADLOCK;
    const int64_t before = pepa_walk_info(walk).length;
    PepaStatus status = pepa_walk_run(walk, w->predicate, 50, &random, &taken, &end, err);
    cr_assert_eq(pepa_walk_info(walk).length, before + taken);
    if (status == PEPA_OK)
        text_add(out, "%d %d", (int)taken, (int)end);
    else {
        mem_fail_at(0, false);
        cr_assert_eq(pepa_walk_back(walk, taken, NULL), PEPA_OK);
    }
    return status;
}

/* The use with its k-th allocation failing, after some steps.  Returns whether there was one. */
static bool fail_use(Use *use, int64_t k, bool and_after, Text *said)
{
    World w;
    PepaWalk *walk = NULL;
    PepaError err = {0};
    Text out = {0}, before = {0}, after = {0};
    world_new(&w);
    cr_assert(mem_reserve(&out.text, &out.cap, 1 << 12, 1));
    cr_assert_eq(pepa_walk_new(&walk, w.model, NULL, &err), PEPA_OK);
    for (int32_t i = 0; i < 4; i++)
        cr_assert_eq(pepa_walk_take(walk, 0, &err), PEPA_OK);
    say_state(&before, walk);
    mem_fail_at(k, and_after);
    PepaStatus status = use(&w, walk, &out, &err);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    cr_assert(status == PEPA_OK || status == PEPA_ENOMEM, "%s", err.message);
    if (status == PEPA_ENOMEM) {
        cr_assert(err.code == PEPA_ENOMEM && err.message[0]);
        say_state(&after, walk);
        cr_assert_str_eq(after.text, before.text, "allocation %d", (int)k);
        cr_assert_eq(use(&w, walk, &out, &err), PEPA_OK);
    }
    say_state(&out, walk);
    text_add(said, "%s", out.text);
    cr_assert(!said->failed && !out.failed && !before.failed);
    text_free(&out);
    text_free(&before);
    text_free(&after);
    pepa_walk_free(walk);
    world_free(&w);
    return reached || status == PEPA_ENOMEM;
}

static void replay_use(Use *use, bool allocates)
{
    Text wanted = {0};
    (void)fail_use(use, 0, false, &wanted);
    for (int and_after = 0; and_after < 2; and_after++) {
        bool reached = true;
        int64_t k = 1;
        for (; reached; k++) {
            Text said = {0};
            reached = fail_use(use, k, and_after != 0, &said);
            cr_assert_str_eq(said.text, wanted.text, "allocation %d", (int)k);
            text_free(&said);
        }
        cr_assert(k > 2 || !allocates, "it allocates nothing");
    }
    text_free(&wanted);
}

Test(fault_walk_api, moves)
{
    replay_use(use_take, false); /* tables that are large enough need not grow */
    replay_use(use_take_all, true);
    replay_use(use_go, true);
    replay_use(use_jump, true);
}

Test(fault_walk_api, where_it_is)
{
    replay_use(use_text, true);
    replay_use(use_counts, true);
    replay_use(use_holds, true);
}

Test(fault_walk_api, runs)
{
    replay_use(use_run, true);
}

/* It goes to a state whose moves are known: there may be nothing to allocate. */
Test(fault_walk_api, back)
{
    Text wanted = {0}, said = {0};
    (void)fail_use(use_back, 0, false, &wanted);
    (void)fail_use(use_back, 1, true, &said);
    cr_assert_str_eq(said.text, wanted.text);
    text_free(&wanted);
    text_free(&said);
}
