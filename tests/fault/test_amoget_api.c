/* Every public function of libamoget, as test_api.c does with those of libpepa. */
#include <stdio.h>

#include "fault/memory.h"
#include "fault/world.h"
#include "amoget_program.h"
#include "base/error.h"
#include "grid/taag/schedule/schedule.h"
#include "grid/taag/schedule/shift.h"
#include "grid/taag/schedule/threshold.h"

static const int32_t placed[STAGES] = {0, 2};

static const char *give(void *user, const char *file, size_t *length, PepaError *err)
{
    (void)user;
    (void)file;
    (void)err;
    *length = strlen("1,latency,p,q,5\n");
    return "1,latency,p,q,5\n";
}

static PepaStatus call_parse(World *w, PepaError *err)
{
    char text[1024];
    AmogetDescription *out = NULL;
    AmogetDefine define = {"time.p", "5 ms"};
    AmogetReading how = {.defines = &define, .define_count = 1, .include = give};
    (void)snprintf(text, sizeof text, "%s include \"x.csv\";", world_description);
    PepaStatus status = amoget_parse(&out, "d", text, strlen(text), &how, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        show_description(&w->said, out);
    amoget_free(out);
    return status;
}

static PepaStatus call_machine_parse(World *w, PepaError *err)
{
    AmogetMachine *out = NULL;
    AmogetDefine define = {"time.p", "5 ms"};
    AmogetReading how = {.defines = &define, .define_count = 1};
    PepaStatus status =
        amoget_machine_parse(&out, "d", world_description, strlen(world_description), &how, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        say_numbers(w, (double[]){amoget_time(out, 0), amoget_latency(out, 0, 1)}, 2);
    amoget_machine_free(out);
    return status;
}

static PepaStatus call_program_parse(World *w, PepaError *err)
{
    static const char text[] =
        "processors { p time 1; q time 1; } network { latency default 1; latency local 1; }\n"
        "program { graph 3 sizes 3 6 9 edges (1,2) (2,3); }";
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    PepaStatus status =
        amoget_program_parse(&machine, &program, "d", text, strlen(text), NULL, err);
    cr_assert_eq(status == PEPA_OK, program != NULL);
    if (program)
        say_numbers(w, (double[]){program->processes, program->edges[1].b}, 2);
    amoget_program_free(program);
    amoget_machine_free(machine);
    return status;
}

static PepaStatus call_program_new(World *w, PepaError *err)
{
    int32_t sizes[] = {2, 2};
    AmogetEdge edges[] = {{0, 1}};
    AmogetProgram from = {.kind = AMOGET_GRAPH,
                          .processes = 4,
                          .group_count = 2,
                          .sizes = sizes,
                          .edge_count = 1,
                          .edges = edges};
    AmogetProgram *out = NULL;
    PepaStatus status = amoget_program_new(&out, &from, err);
    (void)w;
    cr_assert_eq(status == PEPA_OK, out != NULL);
    cr_assert(strcmp(amoget_program_kind(from.kind), "graph") == 0);
    amoget_program_free(out);
    return status;
}

/* Nine hosts of three sites, one core each. */
static PepaStatus make_sites(AmogetMachine **out, PepaError *err)
{
    PepaStatus status = amoget_machine_new(out, err);
    for (int32_t i = 0; i < 9 && status == PEPA_OK; i++) {
        const char name[] = {'h', (char)('0' + i), '\0'};
        status = amoget_add_processor(*out, name, 1, err);
        for (int32_t j = 0; j < i && status == PEPA_OK; j++)
            status = amoget_set_latency(*out, i, j, i % 3 == j % 3 ? 1e-4 : 1e-2 * (i + j), err);
    }
    return status;
}

/* Groups and graphs that fit on hosts of two places, and others, a ring and a tree that do not: one after the other,
 * as each failure is after all that was before it. */
enum { SPREADS = 6 };
static int spread;
static PepaStatus call_spread(World *w, PepaError *err)
{
    int32_t sizes[] = {3, 2, 3}, small[] = {1, 2, 1, 2};
    AmogetEdge edges[] = {{0, 1}, {1, 2}, {2, 3}};
    AmogetMachine *machine = NULL;
    const AmogetProgram programs[SPREADS] =
        {{.kind = AMOGET_GRAPH,
          .processes = 6,
          .group_count = 4,
          .sizes = small,
          .divisor = 1,
          .edges = edges,
          .edge_count = 3},
         {.kind = AMOGET_GRAPH,
          .processes = 8,
          .group_count = 3,
          .sizes = sizes,
          .divisor = 1,
          .edges = edges,
          .edge_count = 2},
         {.kind = AMOGET_RING, .processes = 5, .least = 1, .divisor = 4},
         {.kind = AMOGET_GRAPH, .processes = 8, .group_count = 3, .sizes = sizes, .divisor = 1},
         {.kind = AMOGET_RING, .processes = 9, .least = 3, .divisor = 3},
         {.kind = AMOGET_TREE, .processes = 9, .least = 2, .divisor = 1, .levels = 3}};
    const ScheduleSettings set = {.coefficient = spread < 1 ? 2 : 1};
    Schedule found = {0};
    PepaStatus status = make_sites(&machine, err);
    if (status == PEPA_OK)
        status = schedule_find(&found, machine, &programs[spread], &set, err);
    if (status == PEPA_OK)
        say_numbers(w, &found.cost.mean, 1);
    schedule_free(&found);
    amoget_machine_free(machine);
    return status;
}

/* The parts of the search that begin with a placement: one within a limit of latencies, processes that move. */
static PepaStatus call_parts(World *w, PepaError *err)
{
    int32_t sizes[] = {1, 2, 1}, host_of[4] = {0};
    AmogetEdge edges[] = {{0, 1}, {1, 2}};
    AmogetProgram graph = {.kind = AMOGET_GRAPH,
                           .processes = 4,
                           .divisor = 1,
                           .group_count = 3,
                           .sizes = sizes,
                           .edges = edges,
                           .edge_count = 2};
    Hosts hosts = {0};
    Shape shape = {0};
    Best best = {0};
    Cost bound = {0, 0, 0};
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    bool no_memory = false;
    PepaStatus status = hosts_make(&hosts, amoget_machine(w->desc), 4, err);
    if (status != PEPA_OK)
        return status;
    bool good = division_make(&shape, &graph, 3, &no_memory) && best_make(&best, 4) &&
                threshold_solve(&hosts, &shape, &bound, &best, &effort);
    if (good) {
        host_of[3] = hosts.count - 1;
        best.found = false;
        best_offer(&best, &hosts, &shape, host_of);
        good = shift_improve(&hosts, &shape, true, 0, &best, &effort);
    }
    if (good)
        say_numbers(w, &best.cost.most, 1);
    best_free(&best);
    division_free(&shape);
    hosts_free(&hosts);
    return good ? PEPA_OK : error_memory(err);
}

/* All ways to find a mapping; sizes that differ are packed. */
static PepaStatus call_schedule(World *w, PepaError *err)
{
    int32_t sizes[] = {1, 2, 1};
    AmogetMachine *machine = amoget_machine(w->desc);
    AmogetProgram groups = {.kind = AMOGET_GROUPS, .processes = 3, .least = 1, .divisor = 1};
    AmogetProgram graph = {.kind = AMOGET_GRAPH,
                           .processes = 4,
                           .divisor = 1,
                           .group_count = 3,
                           .sizes = sizes};
    double cost[4];
    PepaStatus status = PEPA_OK;
    for (int way = 0; way < 4 && status == PEPA_OK; way++) {
        ScheduleSettings set = {.coefficient = 2, .paper = way == 1, .in_order = way == 2};
        Schedule found = {0};
        status = schedule_find(&found, machine, way < 3 ? &groups : &graph, &set, err);
        cost[way] = found.cost.mean;
        schedule_free(&found);
    }
    if (status == PEPA_OK)
        say_numbers(w, cost, 4);
    return status;
}

static PepaStatus call_machine_new(World *w, PepaError *err)
{
    AmogetMachine *out = NULL;
    PepaStatus status = amoget_machine_new(&out, err);
    (void)w;
    cr_assert_eq(status == PEPA_OK, out != NULL);
    amoget_machine_free(out);
    return status;
}

static PepaStatus call_measure(World *w, PepaError *err)
{
    static const char seen[] = "3,latency,p,q,7\n4,availability,r,,0.5\n4,bandwidth,q,r,1kB\n";
    return amoget_measure(amoget_machine(w->desc), "m.csv", seen, strlen(seen), NULL, err);
}

static PepaStatus call_new(World *w, PepaError *err)
{
    AmogetDescription *out = NULL;
    PepaStatus status = amoget_new(&out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        show_description(&w->said, out);
    amoget_free(out);
    return status;
}

/* Stages come before mappings, so to another description. */
static PepaStatus call_add_stage(World *w, PepaError *err)
{
    AmogetDescription *desc = NULL;
    PepaStatus status = amoget_new(&desc, err);
    if (status == PEPA_OK)
        status = amoget_add_stage(desc, "first", err);
    if (desc)
        cr_assert_eq(amoget_stage_count(desc), status == PEPA_OK);
    if (status == PEPA_OK)
        show_description(&w->said, desc);
    amoget_free(desc);
    return status;
}

static PepaStatus call_add_processor(World *w, PepaError *err)
{
    return amoget_add_processor(amoget_machine(w->desc), "another", 0.5, err);
}

static PepaStatus call_set_address(World *w, PepaError *err)
{
    AmogetMachine *machine = amoget_machine(w->desc);
    PepaStatus status = amoget_set_address(machine, 0, "node-1", err);
    const char *wanted = status == PEPA_OK ? "node-1" : amoget_processor_name(machine, 0);
    cr_assert_str_eq(amoget_processor_address(machine, 0), wanted);
    return status;
}

static PepaStatus call_add_mapping(World *w, PepaError *err)
{
    return amoget_add_mapping(w->desc, placed, err);
}

static PepaStatus call_read_mapping(World *w, PepaError *err)
{
    int32_t mapping[STAGES] = {-7, -7};
    PepaStatus status = amoget_read_mapping(w->desc, "(r, q)", mapping, err);
    cr_assert_eq(status == PEPA_OK, mapping[0] == 2 && mapping[1] == 1);
    cr_assert(status == PEPA_OK || (mapping[0] == -7 && mapping[1] == -7));
    return status;
}

static PepaStatus call_model(World *w, PepaError *err)
{
    char *out = NULL;
    PepaStatus status = amoget_model(w->desc, placed, &out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    text_add(&w->said, "%s", out ? out : "");
    amoget_text_free(out);
    return status;
}

static PepaStatus call_ranker_new(World *w, PepaError *err)
{
    AmogetRanker *out = NULL;
    PepaStatus status = amoget_ranker_new(&out, w->desc, NULL, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    amoget_ranker_free(out);
    return status;
}

static PepaStatus rank(World *w, AmogetSearch search, PepaError *err)
{
    AmogetRanking *out = NULL;
    AmogetSettings set = {0};
    set.search = search;
    set.top = 2;
    PepaStatus status = amoget_rank(w->ranker, &set, &out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    for (int64_t k = 0; out && k < out->count; k++) {
        text_add(&w->said, "%d,%d", out->entries[k].mapping[0], out->entries[k].mapping[1]);
        say_numbers(w, &out->entries[k].throughput, 1);
    }
    amoget_ranking_free(out);
    return status;
}

static PepaStatus call_rank_listed(World *w, PepaError *err)
{
    return rank(w, AMOGET_LISTED, err);
}

static PepaStatus call_rank_all(World *w, PepaError *err)
{
    return rank(w, AMOGET_ALL, err);
}

static PepaStatus call_rank_best(World *w, PepaError *err)
{
    return rank(w, AMOGET_BEST, err);
}

static PepaStatus call_explain(World *w, PepaError *err)
{
    AmogetExplanation *out = NULL;
    PepaStatus status = amoget_explain(w->ranker, placed, NULL, &out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        say_numbers(w, out->share, out->parts);
    amoget_explanation_free(out);
    return status;
}

Test(fault_amoget_api, descriptions)
{
    replay("amoget_parse", call_parse);
    replay("amoget_machine_parse", call_machine_parse);
    replay("amoget_program_parse", call_program_parse);
    replay("amoget_program_new", call_program_new);
    replay("schedule_find", call_schedule);
    for (spread = 0; spread < SPREADS; spread++)
        replay("schedule_find of groups on sites", call_spread);
    replay("parts of schedule_find", call_parts);
    replay("amoget_machine_new", call_machine_new);
    replay("amoget_measure", call_measure);
    replay("amoget_new", call_new);
    replay("amoget_add_stage", call_add_stage);
    replay("amoget_add_processor", call_add_processor);
    replay("amoget_set_address", call_set_address);
    replay("amoget_add_mapping", call_add_mapping);
    replay("amoget_read_mapping", call_read_mapping);
    replay("amoget_model", call_model);
}

Test(fault_amoget_api, rankings)
{
    replay("amoget_ranker_new", call_ranker_new);
    replay("amoget_rank, listed", call_rank_listed);
    replay("amoget_rank, all", call_rank_all);
    replay("amoget_rank, best", call_rank_best);
    replay("amoget_explain", call_explain);
}

/* What has no way to say that memory is out does not ask for any, nor do the plain setters. */
Test(fault_amoget_api, need_no_memory)
{
    World w;
    world_new(&w);
    AmogetDescription *desc = w.desc;
    mem_fail_at(1, true);
    cr_expect_str_eq(amoget_search_name(AMOGET_BEST), "best");
    show_description(&w.said, desc);
    cr_expect_eq(amoget_set_work(desc, 1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_output(desc, -1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_time(amoget_machine(desc), 1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_availability(amoget_machine(desc), 1, 0.2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_cores(amoget_machine(desc), 1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_memory(amoget_machine(desc), 1, 5e9, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_latency(amoget_machine(desc), 0, 1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_bandwidth(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 2, NULL),
                 PEPA_OK);
    cr_expect_eq(amoget_set_ends(desc, 1, AMOGET_NOWHERE, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_phases(desc, 1, 2, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_sharing(desc, AMOGET_SERIAL, NULL), PEPA_OK);
    cr_expect_eq(amoget_set_transfer(desc, AMOGET_BUFFERED, NULL), PEPA_OK);
    cr_expect_eq(amoget_sharing(desc), AMOGET_SERIAL);
    cr_expect_eq(amoget_transfer(desc), AMOGET_BUFFERED);
    cr_expect_eq(amoget_work(desc, 1), 2);
    cr_expect_eq(amoget_output(desc, -1), 2);
    cr_expect_eq(amoget_phases(desc, 1), 2);
    cr_expect_eq(amoget_time(amoget_machine(desc), 1), 2);
    cr_expect_eq(amoget_availability(amoget_machine(desc), 1), 0.2);
    cr_expect_eq(amoget_cores(amoget_machine(desc), 1), 2);
    cr_expect_eq(amoget_memory(amoget_machine(desc), 1), 5e9);
    cr_expect_eq(amoget_latency(amoget_machine(desc), 1, 0), 2);
    cr_expect_eq(amoget_bandwidth(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL), 2);
    int32_t input = 0, output = 0;
    amoget_ends(desc, &input, &output);
    cr_expect(input == 1 && output == AMOGET_NOWHERE);
    cr_expect_eq(amoget_activity_count(desc), 3 * amoget_stage_count(desc));
    cr_expect_eq(mem_allocations(), 0);
    mem_fail_at(0, false);
    world_free(&w);
}
