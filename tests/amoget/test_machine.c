/* Machines without a pipeline: read from the text of a description, built, copied. */
#include <math.h>

#include "describing.h"

/* The machine of a text, or NULL; everything that is found is compared with `wanted`. */
static AmogetMachine *machine_of(const char *text, Hearing hearing, PepaStatus wanted_status,
                                 const char *wanted)
{
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    AmogetReading how = {.defines = hearing.defines,
                         .define_count = hearing.define_count,
                         .include = give_csv,
                         .diagnose = hear,
                         .user = &hearing};
    text_add(&hearing.found, "%s", "");
    PepaStatus status = amoget_machine_parse(&machine, "test.amo", text, strlen(text), &how, &err);
    cr_expect_str_eq(hearing.found.text, wanted, "in\n%s\nfound\n%swanted\n%s", text,
                     hearing.found.text, wanted);
    cr_expect_eq(status, wanted_status, "status %d: %s", status, err.message);
    cr_assert_eq(machine != NULL, status == PEPA_OK);
    text_free(&hearing.found);
    return machine;
}

#define MACHINE                                                                                    \
    "slow = 3 s;\n"                                                                                \
    "processors { x time 1 cluster site; y time slow availability 0.5; z time 2 cores 4; }\n"      \
    "network { latency default 1ms; latency local 1us; latency x y 5 ms;\n"                        \
    "  bandwidth x z 1MB; }\n"

static void expect_machine(const AmogetMachine *machine)
{
    cr_assert_eq(amoget_processor_count(machine), 3);
    cr_expect_str_eq(amoget_processor_name(machine, 1), "y");
    cr_expect_eq(amoget_find_processor(machine, "z"), 2);
    cr_expect_eq(amoget_find_processor(machine, "site"), -1);
    cr_expect_eq(amoget_time(machine, 1), 3);
    cr_expect_eq(amoget_availability(machine, 1), 0.5);
    cr_expect_eq(amoget_cores(machine, 2), 4);
    cr_expect_eq(amoget_latency(machine, 1, 0), 5e-3);
    cr_expect_eq(amoget_latency(machine, 2, 0), 1e-3);
    cr_expect_eq(amoget_latency(machine, 2, 2), 1e-6);
    cr_expect_eq(amoget_latency(machine, AMOGET_LOCAL, AMOGET_LOCAL), 1e-6);
    cr_expect_eq(amoget_bandwidth(machine, 2, 0), 1e6);
    cr_expect(isinf(amoget_bandwidth(machine, 1, 0)));
}

Test(machine, addresses)
{
    static const char text[] = "processors { a address \"node-01.example.org\" time 1; b time 1; "
                               "c time 1 address \"größe-01\"; }";
    AmogetMachine *machine = NULL, *copy;
    PepaError err = {0};
    cr_assert_eq(amoget_machine_parse(&machine, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_str_eq(amoget_processor_address(machine, 0), "node-01.example.org");
    cr_expect_str_eq(amoget_processor_address(machine, 1), "b");
    cr_expect_str_eq(amoget_processor_address(machine, 2), "größe-01");
    cr_expect_str_eq(amoget_processor_name(machine, 0), "a");
    static const char *const bad[] = {"", "-n", "a b", "a,b", "a:2", "b", "größe-01", "a;b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(amoget_set_address(machine, 0, bad[i], &err), PEPA_EARG, "%s", bad[i]);
    cr_expect_eq(amoget_set_address(machine, 3, "x", &err), PEPA_EARG);
    cr_expect_eq(amoget_set_address(machine, 0, "10.0.0.1", &err), PEPA_OK);
    cr_expect_eq(amoget_set_address(machine, 0, "d", &err), PEPA_OK);
    cr_expect_eq(amoget_add_processor(machine, "d", 1, &err), PEPA_EARG);
    cr_expect_eq(amoget_processor_count(machine), 3);
    cr_expect_eq(amoget_set_address(machine, 0, "10.0.0.1", &err), PEPA_OK);
    cr_expect_eq(amoget_add_processor(machine, "d", 1, &err), PEPA_OK);
    copy = machine_copy(machine);
    amoget_machine_free(machine);
    cr_expect_str_eq(amoget_processor_address(copy, 0), "10.0.0.1");
    cr_expect_str_eq(amoget_processor_address(copy, 1), "b");
    amoget_machine_free(copy);
}

/* The names of processors without an address are addresses too. */
Test(machine, addresses_that_are_another_one)
{
    amoget_machine_free(
        machine_of("processors { a time 1 address \"b\"; b time 1; c time 1 address \"b\"; }",
                   (Hearing){0}, PEPA_EMODEL,
                   "1:36: error: the address is that of processor `a` as well\n"
                   "1:63: error: the address is that of processor `a` as well\n"));
}

Test(machine, a_text_may_have_a_machine_only)
{
    AmogetMachine *machine = machine_of(MACHINE, (Hearing){0}, PEPA_OK, "");
    expect_machine(machine);
    amoget_machine_free(machine);
}

/* The pipeline, its ends and mappings are left aside, even with names that nobody declared, and a
 * definition may be theirs. */
Test(machine, of_a_whole_description_it_is_the_same)
{
    AmogetMachine *machine =
        machine_of("load = 3;\npipeline { stage a work load; stage a output bytes; }\n"
                   "input nobody size 3 MB; output x; sharing odd; transfer odd;\n" MACHINE
                   "mappings { (x, nobody); }\n",
                   (Hearing){0}, PEPA_OK, "");
    expect_machine(machine);
    amoget_machine_free(machine);
    AmogetDescription *desc = expect_description("pipeline { stage a; stage b; }\n" MACHINE);
    expect_machine(amoget_machine(desc));
    amoget_free(desc);
}

Test(machine, latencies_may_be_missing)
{
    AmogetMachine *machine =
        machine_of("processors { x time 1; y time 1; }", (Hearing){0}, PEPA_OK, "");
    cr_expect(isnan(amoget_latency(machine, 0, 1)));
    amoget_machine_free(machine);
}

/* A keyword, which may be a name as well. */
Test(machine, memory)
{
    static const AmogetDefine define = {"memory.b", "3 KiB"};
    static const char text[] =
        "memory = 2 GB; processors { a time 1 memory memory; memory memory 1B time 1;\n"
        "b time 1 cores 2 memory 1.5MB; c time 1; d time 1; e time 1; f time 1; g time 1;\n"
        "h time 1 memory 7B; }";
    AmogetMachine *machine = machine_of(text, (Hearing){0}, PEPA_OK, "");
    static const double bytes[] = {2e9, 1, 1.5e6, 0, 0, 0, 0, 0, 7};
    for (int32_t j = 0; j < 9; j++)
        cr_expect_eq(amoget_memory(machine, j), bytes[j]);
    cr_expect_eq(amoget_set_memory(machine, 3, 5e3, NULL), PEPA_OK);
    cr_expect_eq(amoget_memory(machine, 3), 5e3);
    cr_expect_eq(amoget_set_memory(machine, 3, 0, NULL), PEPA_OK);
    cr_expect_eq(amoget_memory(machine, 3), 0);
    PepaError wrong;
    cr_expect_eq(amoget_set_memory(machine, 3, -1, &wrong), PEPA_EARG);
    cr_expect_str_eq(wrong.message, "memory of -1: it must be positive, or 0 if it is not known");
    cr_expect_eq(amoget_set_memory(machine, 9, 1, NULL), PEPA_EARG);
    amoget_machine_free(machine);
    machine = machine_of(text, (Hearing){&define, 1, NULL, 0, {0}}, PEPA_OK, "");
    cr_expect_eq(amoget_memory(machine, 2), 3072);
    amoget_machine_free(machine);
    (void)machine_of("processors { a time 1 memory 0; b time 1 memory 2 s; }", (Hearing){0},
                     PEPA_EMODEL,
                     "1:30: error: the memory must be at least 1 B, not 0\n"
                     "1:49: error: the memory has a unit of size, but `s` is one of time\n");
}

Test(machine, what_is_wrong_is_said)
{
    (void)machine_of("pipeline { stage a; }\n", (Hearing){0}, PEPA_EMODEL,
                     "1:21: error: no processors: they are declared in `processors { NAME time "
                     "SECONDS; ... }`\n");
    (void)machine_of("pipeline { stage ; }\nprocessors { x time slow; }\n", (Hearing){0},
                     PEPA_ESYNTAX, "1:18: error: unexpected `;`; expected a name\n");
    (void)machine_of("processors { x; x time 1; y time -1; }\nnetwork { latency x q 1ms; }",
                     (Hearing){0}, PEPA_EMODEL,
                     "1:14: error: processor `x` has no `time`: seconds per unit of work\n"
                     "1:17: error: processor `x` is declared twice; the first time in line 1\n"
                     "1:34: error: the time must be positive, not -1\n"
                     "2:21: error: there is no processor `q`\n");
}

Test(machine, defines_and_measurements_replace_its_numbers)
{
    static const AmogetDefine defines[] = {{"slow", "4"}, {"cores.y", "2"}, {"latency.x.y", "1 s"}};
    AmogetMachine *machine =
        machine_of(MACHINE "include \"seen.csv\";\n",
                   (Hearing){defines, 3, "7,latency,x,y,2\n8,availability,z,,0.25\n", 0, {0}},
                   PEPA_OK, "");
    cr_expect_eq(amoget_time(machine, 1), 4);
    cr_expect_eq(amoget_cores(machine, 1), 2);
    cr_expect_eq(amoget_latency(machine, 0, 1), 1);
    cr_expect_eq(amoget_availability(machine, 2), 0.25);
    const char *name = amoget_processor_name(machine, 2);
    static const char seen[] = "9,bandwidth,y,z,1KB/s\n9,availability,x,,0.125\n";
    cr_assert_eq(amoget_measure(machine, "m.csv", seen, strlen(seen), NULL, NULL), PEPA_OK);
    cr_expect_eq(amoget_bandwidth(machine, 2, 1), 1e3);
    cr_expect_eq(amoget_availability(machine, 0), 0.125);
    cr_expect(name == amoget_processor_name(machine, 2), "names stay where they are");
    static const char half[] = "10,availability,x,,0.5\n10,availability,y,,2\n";
    cr_expect_eq(amoget_measure(machine, "m.csv", half, strlen(half), NULL, NULL), PEPA_EMODEL);
    cr_expect_eq(amoget_availability(machine, 0), 0.125, "all or nothing");
    amoget_machine_free(machine);
}

Test(machine, a_define_of_a_stage_is_refused)
{
    static const AmogetDefine define = {"work.a", "4"};
    AmogetReading how = {.defines = &define, .define_count = 1};
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    cr_expect_eq(amoget_machine_parse(&machine, "m", MACHINE, strlen(MACHINE), &how, &err),
                 PEPA_EARG);
    cr_expect_str_eq(err.message, "`work.a` is of a pipeline: here is only a machine");
    cr_expect_null(machine);
}

Test(machine, built_by_hand)
{
    AmogetMachine *machine = NULL;
    cr_assert_eq(amoget_machine_new(&machine, NULL), PEPA_OK);
    cr_expect_eq(amoget_processor_count(machine), 0);
    cr_expect_eq(amoget_set_latency(machine, AMOGET_DEFAULT, AMOGET_DEFAULT, 2, NULL), PEPA_OK);
    for (int j = 0; j < 9; j++)
        cr_assert_eq(amoget_add_processor(machine, (char[]){'p', (char)('0' + j), 0}, j + 1, NULL),
                     PEPA_OK);
    cr_expect_eq(amoget_add_processor(machine, "p3", 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_latency(machine, 3, 4, 5, NULL), PEPA_OK);
    cr_expect_eq(amoget_latency(machine, 4, 3), 5);
    cr_expect_eq(amoget_latency(machine, 8, 0), 2, "defaults hold for processors to come");
    cr_expect_eq(amoget_time(machine, 8), 9);
    amoget_machine_free(machine);
}

Test(machine, copies_are_apart)
{
    AmogetMachine *machine = machine_of(MACHINE, (Hearing){0}, PEPA_OK, "");
    AmogetMachine *copy = machine_copy(machine);
    cr_assert(copy);
    amoget_set_time(machine, 1, 7, NULL);
    amoget_set_latency(machine, 0, 1, 7, NULL);
    expect_machine(copy);
    cr_assert_eq(amoget_add_processor(copy, "late", 1, NULL), PEPA_OK);
    cr_expect_eq(amoget_latency(copy, 3, 0), 1e-3, "defaults are copied as well");
    amoget_machine_free(copy);
    cr_expect_eq(amoget_latency(machine, 0, 1), 7);
    amoget_machine_free(machine);
}

Test(machine, null_arguments)
{
    AmogetMachine *machine = NULL;
    cr_expect_eq(amoget_machine_new(NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_machine_parse(NULL, "a", "", 0, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_machine_parse(&machine, NULL, "", 0, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_machine_parse(&machine, "a", NULL, 1, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_measure(NULL, "a", "", 0, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_processor(NULL, "x", 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_time(NULL, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_availability(NULL, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_cores(NULL, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_memory(NULL, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_address(NULL, 0, "x", NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_latency(NULL, 0, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_bandwidth(NULL, 0, 0, 1, NULL), PEPA_EARG);
    amoget_machine_free(NULL);
}
