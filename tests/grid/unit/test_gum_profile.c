/* Profiles of GUM programs: what is read, what is refused, with its place, and what is written. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/gum/predict/profile_read.h"

typedef struct {
    int count;
    uint32_t line, column;
    char message[200];
} Seen;

static void see(void *user, const PepaDiagnostic *d)
{
    Seen *seen = user;
    if (seen->count++ == 0) {
        seen->line = d->line;
        seen->column = d->column;
        (void)snprintf(seen->message, sizeof seen->message, "%s", d->message);
    }
}

static PepaStatus read_text(const char *text, Profile **out, Seen *seen)
{
    PepaError err;
    *seen = (Seen){0};
    *out = NULL;
    return profile_read(out, "p", text, strlen(text), see, seen, &err);
}

#define VERSION_1 "gum-profile 1\n"
#define PROGRAM   "program parfib\n"
#define RUN       "run policy busiest processes 1 makespan 12.5 critical 0.8\n"
#define BYTES     "bytes task 120 result 16 fetched 7\n"
#define COST      "cost message 2e-06 slice 0.001\n"
#define LEVEL_0   "level 0 tasks 1 work 0.5 deviation 0 longest 0.5\n"
#define LEVEL_1   "level 1 tasks 10 work 20 deviation 0.25 longest 3 pure 8\n"
#define HOST      "process 0 host h cluster c time 2 running 10 fetching 1 idle 1.5 "
#define SPARKS    "made 10 taken 0 pruned 4 messages 3\n"
#define ALL       VERSION_1 PROGRAM RUN BYTES COST LEVEL_0 LEVEL_1 HOST SPARKS

Test(gum_profile, reads_every_number)
{
    Profile *p;
    Seen seen;
    cr_assert_eq(read_text("\xEF\xBB\xBF# a run\n" ALL "\n", &p, &seen), PEPA_OK);
    cr_expect_str_eq(p->program, "parfib");
    cr_expect_str_eq(p->policy, "busiest");
    cr_expect_eq(p->makespan, 12.5);
    cr_expect_eq(p->critical, 0.8);
    cr_expect(p->task_bytes == 120 && p->result_bytes == 16 && p->fetched_bytes == 7);
    cr_expect(p->message == 2e-6 && p->slice == 1e-3);
    cr_assert_eq(p->levels, 2);
    cr_expect(p->level[1].tasks == 10 && p->level[1].work == 20);
    cr_expect(p->level[1].deviation == 0.25 && p->level[1].longest == 3);
    cr_expect(p->level[0].pure == 0 && p->level[1].pure == 8); /* level 0 does not say it */
    cr_expect(profile_tasks(p) == 10 && profile_work(p) == 20.5);
    cr_assert_eq(p->processes, 1);
    const ProfileProcess *q = &p->process[0];
    cr_expect_str_eq(q->host, "h");
    cr_expect_str_eq(q->cluster, "c");
    cr_expect(q->time == 2 && q->running == 10 && q->fetching == 1 && q->idle == 1.5);
    cr_expect(q->made == 10 && q->taken == 0 && q->pruned == 4 && q->messages == 3);
    profile_free(p);
}

/* A run on one process sends nothing. */
Test(gum_profile, warns_of_costs_that_are_not_known)
{
    Profile *p;
    Seen seen;
    cr_assert_eq(read_text(ALL, &p, &seen), PEPA_OK);
    cr_expect_eq(seen.count, 0);
    profile_free(p);
    cr_assert_eq(read_text(VERSION_1 PROGRAM RUN BYTES
                           "cost message 0 slice 0.001\n" LEVEL_0 LEVEL_1 HOST SPARKS,
                           &p, &seen),
                 PEPA_OK);
    cr_expect_eq(seen.count, 1);
    cr_expect(strstr(seen.message, "the run had one process") != NULL, "%s", seen.message);
    profile_free(p);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text;
    PepaStatus status;
    uint32_t line, column;
    const char *says;
} wrong[] = {
    {"", PEPA_EMODEL, 0, 0, "no line 'gum-profile'"},
    {VERSION_1, PEPA_EMODEL, 0, 0, "no line 'program'"},
    {PROGRAM, PEPA_ESYNTAX, 1, 1, "`gum-profile 1`"},
    {"gum-profile 2\n", PEPA_ESYNTAX, 1, 13, "version 1"},
    {"gum-profile\n", PEPA_ESYNTAX, 1, 1, "`gum-profile 1`"},
    {"gum-profile one\n", PEPA_ESYNTAX, 1, 13, "not a number"},
    {VERSION_1 VERSION_1, PEPA_ESYNTAX, 2, 1, "one such line"},
    {VERSION_1 "programm x\n", PEPA_ESYNTAX, 2, 1, "lines begin with"},
    {VERSION_1 "program two words\n", PEPA_ESYNTAX, 2, 1, "its name"},
    {VERSION_1 "program \xC3\xA4\n", PEPA_ESYNTAX, 2, 9, "ASCII"},
    {VERSION_1 "program "
               "x234567890123456789012345678901234567890123456789012345678901234\n",
     PEPA_ESYNTAX, 2, 9, "at most 63"},
    {VERSION_1 "run policy\n", PEPA_ESYNTAX, 2, 5, "'policy' is missing"},
    {VERSION_1 "run policy busiest polcy x\n", PEPA_ESYNTAX, 2, 20, "did you mean 'policy'?"},
    {VERSION_1 "run policy busiest zzzzzz x\n", PEPA_ESYNTAX, 2, 20, "no such name"},
    {VERSION_1 "run policy a policy b\n", PEPA_ESYNTAX, 2, 14, "given before"},
    {VERSION_1 "run policy a\n", PEPA_ESYNTAX, 2, 1, "'processes' and its value"},
    {VERSION_1 "run policy a processes 0 makespan 1 critical 1\n", PEPA_ESYNTAX, 2, 1, "1 to"},
    {VERSION_1 "run policy a processes 1 makespan 0 critical 1\n", PEPA_ESYNTAX, 2, 35, "above 0"},
    {VERSION_1 "run policy a processes 1.5 makespan 1 critical 1\n", PEPA_ESYNTAX, 2, 24, "whole"},
    {VERSION_1 "cost message -1 slice 0\n", PEPA_ESYNTAX, 2, 14, "not a number"},
    {VERSION_1 "cost message inf slice 0\n", PEPA_ESYNTAX, 2, 14, "not a number"},
    {VERSION_1 "cost message 1e31 slice 0\n", PEPA_ESYNTAX, 2, 14, "more than 1e30"},
    {VERSION_1 "level\n", PEPA_ESYNTAX, 2, 1, "number of the level"},
    {VERSION_1 LEVEL_1, PEPA_ESYNTAX, 2, 7, "one more than the one before: 0"},
    {VERSION_1 "level 0 tasks 2 work 1 deviation 0 longest 1\n", PEPA_ESYNTAX, 2, 1, "1 task"},
    {VERSION_1 LEVEL_0 "level 1 tasks 2 work 1 deviation 0 longest 1.5\n", PEPA_ESYNTAX, 3, 1,
     "more than 'work'"},
    {VERSION_1 LEVEL_0 "level 1 tasks 2 work 1 deviation 0 longest 1 pure 3\n", PEPA_ESYNTAX, 3, 1,
     "more than 'tasks'"},
    {VERSION_1 LEVEL_0 "level 1 tasks 0 work 1 deviation 0 longest 1\n", PEPA_ESYNTAX, 3, 1,
     "without a task"},
    {VERSION_1 LEVEL_0 "level 1 tasks 4 work 8 deviation 0 longest 1.9\n", PEPA_ESYNTAX, 3, 1,
     "less than the mean"},
    {VERSION_1 LEVEL_0 "level 1 tasks 1000 work 8 deviation 1.01 longest 2\n", PEPA_ESYNTAX, 3, 1,
     "'deviation' is more"},
    {VERSION_1 LEVEL_0 "level 1 tasks 2 work 2 deviation 1.42 longest 2\n", PEPA_ESYNTAX, 3, 1,
     "'deviation' is more"},
    {VERSION_1 "cost message 1e-31 slice 0\n", PEPA_ESYNTAX, 2, 14, "less than 1e-30"},
    {VERSION_1 LEVEL_0 "level 1 tasks 0 work 0 deviation 0 longest 0\n"
                       "level 2 tasks 1 work 1 deviation 0 longest 1\n",
     PEPA_ESYNTAX, 4, 1, "any below"},
    {VERSION_1 "process 1 host a\n", PEPA_ESYNTAX, 2, 9, "before: 0"},
    {VERSION_1 "process 0 host a time 0\n", PEPA_ESYNTAX, 2, 23, "above 0"},
    {VERSION_1 "run a b c d e f g h i j k l m n o p q r s t u v w x y z a b c\n", PEPA_ESYNTAX, 2,
     59, "too many words"},
    {VERSION_1 PROGRAM
     "run policy a processes 2 makespan 1 critical 0\n" BYTES COST LEVEL_0 HOST SPARKS,
     PEPA_EMODEL, 0, 0, "says 2 processes, there are 1"},
    {VERSION_1 PROGRAM RUN BYTES COST LEVEL_0 HOST SPARKS, PEPA_EMODEL, 0, 0, "more than all work"},
    {VERSION_1 PROGRAM RUN BYTES COST "level 0 tasks 1 work 0 deviation 0 longest 0\n" HOST SPARKS,
     PEPA_EMODEL, 0, 0, "not above 0"},
};

/* As a run writes them, whose sums are rounded. */
Test(gum_profile, takes_what_is_just_possible)
{
    static const char *const levels[] =
        {"level 1 tasks 2 work 2 deviation 1.4142135623730951 longest 2\n",
         "level 1 tasks 3 work 0.30000000000000004 deviation 1e-09 longest 0.1\n",
         "level 1 tasks 1000000 work 500000 deviation 0.50000000000000011 longest 1\n",
         "level 1 tasks 1 work 1 deviation 2e-08 longest 1\n"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char text[1024];
        Profile *p;
        Seen seen;
        (void)snprintf(text, sizeof text, "%s%s%s", VERSION_1 PROGRAM RUN BYTES COST LEVEL_0,
                       levels[i], HOST SPARKS);
        cr_assert_eq(read_text(text, &p, &seen), PEPA_OK, "%s%s", levels[i], seen.message);
        profile_free(p);
    }
}

Test(gum_profile, says_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Profile *p;
        Seen seen;
        PepaStatus status = read_text(wrong[i].text, &p, &seen);
        cr_expect_eq(status, wrong[i].status, "%s: %d", wrong[i].text, status);
        cr_expect(p == NULL && seen.count > 0);
        cr_expect(seen.line == wrong[i].line && seen.column == wrong[i].column, "%s: %u:%u",
                  wrong[i].text, seen.line, seen.column);
        cr_expect(strstr(seen.message, wrong[i].says) != NULL, "%s: %s", wrong[i].text,
                  seen.message);
    }
}

Test(gum_profile, counts_errors_up_to_a_limit)
{
    char text[4000] = VERSION_1;
    Seen seen;
    Profile *p;
    for (int i = 0; i < 200; i++)
        (void)strcat(text, "nonsense\n");
    cr_expect_eq(read_text(text, &p, &seen), PEPA_ESYNTAX);
    cr_expect(seen.count >= 50 && seen.count <= 100, "%d", seen.count);
}

/* ---- what is written ------------------------------------------------------------------------- */

static char *written(const Profile *p)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    cr_assert(to && profile_write(p, to) == 0 && fclose(to) == 0);
    return text;
}

Test(gum_profile, is_the_same_when_written_and_read_again)
{
    Profile *p, *again;
    Seen seen;
    cr_assert_eq(read_text(ALL, &p, &seen), PEPA_OK);
    p->makespan = 1 / 3.0;
    p->process[0].made = INT64_C(9007199254740991);
    char *text = written(p);
    cr_assert_eq(read_text(text, &again, &seen), PEPA_OK, "%s", seen.message);
    cr_expect_eq(again->makespan, 1 / 3.0);
    cr_expect_eq(again->process[0].made, INT64_C(9007199254740991));
    char *twice = written(again);
    cr_expect_str_eq(text, twice);
    free(text);
    free(twice);
    profile_free(p);
    profile_free(again);
}

Test(gum_profile, makes_any_name_one_word)
{
    Profile *p, *again;
    Seen seen;
    cr_assert_eq(read_text(ALL, &p, &seen), PEPA_OK);
    (void)strcpy(p->program, "a b#\xC3\xA4\n");
    p->process[0].cluster[0] = '\0';
    char *text = written(p);
    cr_assert_eq(read_text(text, &again, &seen), PEPA_OK, "%s", seen.message);
    cr_expect_str_eq(again->program, "a_b____");
    cr_expect_str_eq(again->process[0].cluster, "-");
    free(text);
    profile_free(p);
    profile_free(again);
}

Test(gum_profile, says_when_writing_failed)
{
    Profile *p;
    Seen seen;
    cr_assert_eq(read_text(ALL, &p, &seen), PEPA_OK);
    FILE *full = fopen("/dev/full", "w");
    cr_assert(full != NULL);
    (void)setvbuf(full, NULL, _IONBF, 0);
    cr_expect_eq(profile_write(p, full), -1);
    (void)fclose(full);
    profile_free(p);
}
