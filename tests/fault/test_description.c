/* Every allocation of the way from text to description fails, alone or with all that follow: the
 * answer is PEPA_ENOMEM, or what it would have been; nothing is handed out, changed or leaked (seen
 * by the leak checker of `make asan`). */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fault/memory.h"
#include "amoget/description/description.h"

static const char *const texts[] = {
    /* everything at once */
    "speed = fast; fast = 20 ms; unused = 1;\npipeline { stage a work 2 output 4MB; stage b; }\n"
    "processors { p time speed cluster e; q time 1 availability 0.5 cores 2 cluster f;\n"
    "  r time 1 cluster e; s1 time 1; s2 time 1; s3 time 1; s4 time 1; s5 time 1; s6 time 1; }\n"
    "network { latency default 1; latency local 1; latency e f 2; latency p e 3; latency p q 4;\n"
    "  bandwidth default 100MB; }\nmappings { (p,q); (q,q); (p,q); }\ninput p size 1KB; output q;\n"
    "include \"a.csv\" max-age 10 s; include \"b.csv\";",
    /* findings of every pass */
    "pipelin { stage a; }\npipeline { stage a wrok 2; stage b c\n d; processors { x time 1 }\n",
    "x = y; y = x; speed = zz; pipeline { stage a stage a work 5MB; }\n"
    "processors { pear time 1s; paer tim 2; }",
    "pipeline { stage a; stage b; }\nprocessors { pear time 1; plum time speed; }\nspeed = 1;\n"
    "network { latency paer plum 1; latency default 0; }\nmappings { (pear); (pear,pulm); }",
    "pipeline { stage a; stage b output 1; }\nprocessors { p time speed; q time 1; }\nspeed = 1;\n"
    "network { latency p p 1; }\nmappings { (p,p); (p,q); (q,p); }",
    "speed = 1; include \"missing\"; pipeline { stage a; } processors { p time 1; }\n"
    "network { latency local 1; }",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static const char a_csv[] = "time,what,from,to,value\n1,latency,p,q,5\n2,latency,p,r,6\n"
                            "90,bandwidth,q,r,1MB\n3,availability,p,,0.5\n1,latency,p,x,4\n";
static const char b_csv[] = "1,latency,p,q,9\n";
static const char wrong_csv[] = "1,latency,p,q,-9\nabc\n1,latency,p,q,1xx\n";

static void ignore(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message) + strlen(each->excerpt);
}

static const char *give(void *user, const char *file, size_t *length, PepaError *err)
{
    (void)user;
    const char *text = strcmp(file, "a.csv") == 0 ? a_csv : strcmp(file, "b.csv") == 0 ? b_csv : "";
    *length = strlen(text);
    if (!*text)
        *err = (PepaError){.code = PEPA_EIO};
    return *text ? text : NULL;
}

/* What is asked for beside the text. */
static const AmogetDefine defines[] = {{"speed", "1 s"}, {"time.p", "speed"}, {"latency.p.q", "3"}};
static const AmogetDefine misspelt[] = {{"sped", "1 s"}};
static const struct {
    const AmogetDefine *defines;
    size_t count;
} askings[] = {{NULL, 0}, {defines, 1}, {defines, 3}, {misspelt, 1}};
enum { ASKINGS = sizeof askings / sizeof *askings };

static PepaStatus parse(const char *text, int asking, AmogetDescription **out)
{
    size_t said = 0;
    PepaError err = {0};
    AmogetReading how = {.defines = askings[asking].defines,
                         .define_count = askings[asking].count,
                         .include = give,
                         .now = 1000,
                         .diagnose = ignore,
                         .user = &said};
    PepaStatus status = amoget_parse(out, "d.amo", text, strlen(text), &how, &err);
    cr_assert_eq(status == PEPA_OK, *out != NULL);
    cr_assert(status == PEPA_OK || err.code == status, "%s, but %s: %s", pepa_status_text(status),
              pepa_status_text(err.code), err.message);
    return status;
}

static void replay_parse(const char *text, int asking)
{
    AmogetDescription *desc = NULL;
    mem_fail_at(0, false);
    PepaStatus expected = parse(text, asking, &desc);
    amoget_free(desc);
    int64_t count = mem_allocations();
    cr_assert_gt(count, 5);
    for (int64_t k = 1; k <= count; k++) {
        desc = NULL;
        mem_fail_at(k, k % 2 == 0);
        PepaStatus status = parse(text, asking, &desc);
        mem_fail_at(0, false);
        amoget_free(desc);
        cr_assert(status == PEPA_ENOMEM || status == expected, "allocation %lld of %lld: %s in\n%s",
                  (long long)k, (long long)count, pepa_status_text(status), text);
    }
}

Test(fault_description, parse)
{
    for (int i = 0; i < TEXTS; i++)
        for (int asking = 0; asking < ASKINGS; asking++)
            replay_parse(texts[i], asking);
}

/* A failure leaves the description as it was. */
static void replay_measure(const char *csv, double before, double after)
{
    AmogetDescription *desc = NULL;
    mem_fail_at(0, false);
    cr_assert_eq(parse(texts[0], 0, &desc), PEPA_OK);
    size_t said = 0;
    AmogetReading how = {.now = 1000, .diagnose = ignore, .user = &said};
    PepaStatus status = PEPA_ENOMEM;
    for (int64_t k = 1; status == PEPA_ENOMEM; k++) {
        PepaError err = {0};
        cr_assert_float_eq(desc->machine->latency.value[1], before, 1e-12);
        mem_fail_at(k, k % 2 == 0);
        status = amoget_measure(amoget_machine(desc), "m.csv", csv, strlen(csv), &how, &err);
        mem_fail_at(0, false);
        cr_assert_eq(status, err.code);
    }
    cr_expect_float_eq(desc->machine->latency.value[1], after, 1e-12);
    amoget_free(desc);
}

Test(fault_description, measure)
{
    replay_measure(a_csv, 9, 5);
    replay_measure("2,latency,q,p,11\n2,latency,x,q,11\n3,latency,x,q,11\n", 9, 11);
    replay_measure(wrong_csv, 9, 9);
}

/* Step by step: each that fails can be taken again. */
static void insist(PepaStatus (*step)(AmogetDescription *desc, int32_t i), AmogetDescription *desc,
                   int32_t i)
{
    PepaStatus status = PEPA_ENOMEM;
    for (int64_t k = 1; status == PEPA_ENOMEM; k++) {
        mem_fail_at(k, k % 2 == 0);
        status = step(desc, i);
        mem_fail_at(0, false);
    }
    cr_assert_eq(status, PEPA_OK);
}

static PepaStatus add_stage(AmogetDescription *desc, int32_t i)
{
    return amoget_add_stage(desc, (char[]){(char)('a' + i), '\0'}, NULL);
}

static PepaStatus add_processor(AmogetDescription *desc, int32_t j)
{
    return amoget_add_processor(amoget_machine(desc), (char[]){(char)('a' + j), '\0'}, j + 1, NULL);
}

static PepaStatus add_mapping(AmogetDescription *desc, int32_t j)
{
    return amoget_add_mapping(desc, (int32_t[]){j, 0, 1}, NULL);
}

Test(fault_description, steps)
{
    AmogetDescription *desc = NULL;
    mem_fail_at(1, false);
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_ENOMEM);
    mem_fail_at(0, false);
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    for (int32_t i = 0; i < 3; i++)
        insist(add_stage, desc, i);
    for (int32_t j = 0; j < 20; j++) {
        insist(add_processor, desc, j);
        cr_assert_eq(amoget_set_latency(amoget_machine(desc), 0, j, j + 1, NULL), PEPA_OK);
    }
    for (int32_t j = 0; j < 20; j++)
        insist(add_mapping, desc, j);
    cr_assert(amoget_stage_count(desc) == 3 && amoget_processor_count(amoget_machine(desc)) == 20 &&
              amoget_mapping_count(desc) == 20);
    for (int32_t j = 0; j < 20; j++) {
        cr_expect_float_eq(desc->machine->latency.value[j], j + 1, 1e-12);
        cr_expect_float_eq(desc->machine->time[j], j + 1, 1e-12);
        cr_expect_eq(amoget_mapping(desc, j)[0], j);
    }
    amoget_free(desc);
}
