/* Parser descriptions in tests: what was found, and what came out. */
#ifndef TESTS_AMOGET_DESCRIBING_H
#define TESTS_AMOGET_DESCRIBING_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "amoget/description/description.h"

/* What a test gives to the reader, and what it hears. */
typedef struct {
    const AmogetDefine *defines;
    size_t define_count;
    const char *csv; /* the text of every include; NULL: there is no such file */
    double now;
    Text found; /* a line "file:1:2: error: ..." each, without the file for the description */
} Hearing;

static inline void hear(void *user, const PepaDiagnostic *each)
{
    Hearing *hearing = user;
    if (strcmp(each->file, "test.amo") != 0)
        text_add(&hearing->found, "%s:", each->file);
    text_add(&hearing->found, "%u:%u: %s: %s\n", each->line, each->column,
             each->severity == PEPA_ERROR ? "error" : "warning", each->message);
}

static inline const char *give_csv(void *user, const char *file, size_t *length, PepaError *err)
{
    const Hearing *hearing = user;
    if (hearing->csv) {
        *length = strlen(hearing->csv);
        return hearing->csv;
    }
    err->code = PEPA_EIO;
    (void)snprintf(err->message, sizeof err->message, "cannot open %s", file);
    return NULL;
}

/* The description, or NULL; hearing->found is to be freed. */
static inline AmogetDescription *read_with(const char *text, Hearing *hearing, PepaStatus *status,
                                           PepaError *err)
{
    AmogetDescription *desc = NULL;
    AmogetReading how = {.defines = hearing->defines,
                         .define_count = hearing->define_count,
                         .include = give_csv,
                         .now = hearing->now,
                         .diagnose = hear,
                         .user = hearing};
    text_add(&hearing->found, "%s", "");
    *status = amoget_parse(&desc, "test.amo", text, strlen(text), &how, err);
    cr_assert_eq(*status == PEPA_OK, desc != NULL);
    cr_assert(*status == PEPA_OK || err->code == *status);
    return desc;
}

/* Read `text` and compare everything that is found with `wanted`. */
static inline void expect_heard(const char *text, Hearing hearing, PepaStatus wanted_status,
                                const char *wanted)
{
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc = read_with(text, &hearing, &status, &err);
    cr_expect_str_eq(hearing.found.text, wanted, "in\n%s\nfound\n%swanted\n%s", text,
                     hearing.found.text, wanted);
    cr_expect_eq(status, wanted_status, "status %d, wanted %d, in\n%s", status, wanted_status,
                 text);
    text_free(&hearing.found);
    amoget_free(desc);
}

static inline void expect_found(const char *text, PepaStatus wanted_status, const char *wanted)
{
    expect_heard(text, (Hearing){0}, wanted_status, wanted);
}

/* The description of a text in which nothing is found. */
static inline AmogetDescription *expect_description(const char *text)
{
    Hearing hearing = {0};
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc = read_with(text, &hearing, &status, &err);
    cr_assert_str_eq(hearing.found.text, "", "in\n%s\nfound\n%s", text, hearing.found.text);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    text_free(&hearing.found);
    return desc;
}

/* Stages s0 .., processors p0 .. of times 1, 1 + more, 1 + 2 more, .. */
static inline AmogetDescription *build(int32_t stages, int32_t processors, double more)
{
    AmogetDescription *desc = NULL;
    char name[16];
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    for (int32_t i = 0; i < stages; i++) {
        (void)snprintf(name, sizeof name, "s%d", i);
        cr_assert_eq(amoget_add_stage(desc, name, NULL), PEPA_OK);
    }
    for (int32_t j = 0; j < processors; j++) {
        (void)snprintf(name, sizeof name, "p%d", j);
        cr_assert_eq(amoget_add_processor(amoget_machine(desc), name, 1 + j * more, NULL), PEPA_OK);
    }
    return desc;
}

/* By names, looked up both ways. */
static inline double latency_of(const AmogetDescription *desc, const char *a, const char *b)
{
    int32_t from = amoget_find_processor(amoget_machine(desc), a),
            to = amoget_find_processor(amoget_machine(desc), b);
    cr_assert(from >= 0 && to >= 0);
    double there = desc->machine->latency.value[from * desc->machine->capacity + to];
    double back = desc->machine->latency.value[to * desc->machine->capacity + from];
    cr_expect(memcmp(&there, &back, sizeof there) == 0, "%s %s: %g and %g", a, b, there, back);
    return there;
}

static inline double bandwidth_of(const AmogetDescription *desc, const char *a, const char *b)
{
    int32_t from = amoget_find_processor(amoget_machine(desc), a),
            to = amoget_find_processor(amoget_machine(desc), b);
    cr_assert(from >= 0 && to >= 0);
    return desc->machine->bandwidth.value[from * desc->machine->capacity + to];
}

#endif
