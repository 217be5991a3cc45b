/* What processes did over time: sums are kept whatever is joined, and files read as they were written. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/gum/activity/read.h"

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static ActivityCell sum_of(const ActivityLog *log)
{
    ActivityCell sum = {0};
    for (int i = 0; i < ACTIVITY_CELLS; i++) {
        sum.running += log->cell[i].running;
        sum.idle += log->cell[i].idle;
        sum.made += log->cell[i].made;
    }
    return sum;
}

/* Pieces of time that follow each other: no interval has more than it is long, and the sums are those of
 * the pieces, from the shortest run to one a million times as long. */
Test(gum_activity, joining_keeps_sums)
{
    for (int seed = 1; seed <= 200; seed++) {
        uint64_t state = (uint64_t)seed;
        ActivityLog log;
        double now = 0, running = 0, idle = 0, made = 0;
        double scale = pow(10, -7 + (double)(seed % 9));
        activity_begin(&log);
        for (int i = 0; i < 500; i++) {
            double length = scale * (double)(draw(&state) % 1000);
            int runs = draw(&state) % 2 == 0;
            const ActivityCell what = {.running = runs ? length : 0,
                                       .idle = runs ? 0 : length,
                                       .made = (double)(draw(&state) % 10)};
            activity_add(&log, now, now + length, &what);
            now += length;
            running += what.running;
            idle += what.idle;
            made += what.made;
        }
        const ActivityCell sum = sum_of(&log);
        cr_assert_float_eq(sum.running, running, 1e-9 * now + 1e-15, "seed %d", seed);
        cr_assert_float_eq(sum.idle, idle, 1e-9 * now + 1e-15, "seed %d", seed);
        cr_assert_float_eq(sum.made, made, 1e-6, "seed %d", seed);
        cr_assert(log.width * ACTIVITY_CELLS > now, "seed %d", seed);
        cr_assert(log.width == ACTIVITY_WIDTH || log.width * ACTIVITY_CELLS <= 2 * now + log.width,
                  "seed %d: intervals are wider than they have to be", seed);
        int whole = (int)(now / log.width);
        for (int i = 0; i < ACTIVITY_CELLS; i++) {
            double both = log.cell[i].running + log.cell[i].idle;
            if (i < whole)
                cr_assert_float_eq(both, log.width, 1e-9 * now, "seed %d, interval %d", seed, i);
            else if (i > whole)
                cr_assert_float_eq(both, 0, 1e-9 * now, "seed %d, interval %d", seed, i);
        }
    }
}

Test(gum_activity, a_piece_is_spread_evenly)
{
    ActivityLog log;
    activity_begin(&log);
    activity_add(&log, 0.5e-4, 3.5e-4, &(ActivityCell){.running = 3e-4, .made = 6});
    const double made[] = {1, 2, 2, 1, 0};
    for (int i = 0; i < 5; i++)
        cr_expect_float_eq(log.cell[i].made, made[i], 1e-9, "%d", i);
    activity_add(&log, 4.2e-4, 4.2e-4, &(ActivityCell){.taken = 1});
    cr_expect_eq(log.cell[4].taken, 1);
    activity_widen(&log, 3e-4);
    cr_expect_float_eq(log.width, 4e-4, 1e-12);
    cr_expect_float_eq(log.cell[0].made, 6, 1e-9);
    cr_expect_eq(log.cell[1].taken, 1);
}

/* ---- files -------------------------------------------------------------------------------------- */

typedef struct {
    int count;
    uint32_t line, column;
    char message[200];
} Seen;

static void see(void *user, const PepaDiagnostic *each)
{
    Seen *seen = user;
    seen->count++;
    seen->line = each->line;
    seen->column = each->column;
    (void)snprintf(seen->message, sizeof seen->message, "%s", each->message);
}

static PepaStatus read_text(const char *text, Activity **out, Seen *seen)
{
    PepaError err;
    *seen = (Seen){0};
    return activity_read(out, "a", text, strlen(text), see, seen, &err);
}

Test(gum_activity, reads_what_was_written)
{
    ActivityCell cell[6];
    Activity a = {"queens", "busiest", 2, 3, 0.25, 0.1, cell}, *b;
    char *text, *second;
    size_t length, length_2;
    Seen seen;
    for (int i = 0; i < 6; i++)
        cell[i] = (ActivityCell){0.01 * i, 0.002, 0.03, i, 1.5, 7.25 * i, 2, i, 3};
    FILE *to = open_memstream(&text, &length);
    cr_assert_eq(activity_write(&a, to), 0);
    (void)fclose(to);
    cr_assert_eq(read_text(text, &b, &seen), PEPA_OK, "%s", seen.message);
    cr_expect_str_eq(b->program, "queens");
    cr_expect_str_eq(b->policy, "busiest");
    cr_expect(b->processes == 2 && b->intervals == 3 && b->makespan == 0.25 && b->width == 0.1);
    for (int i = 0; i < 6; i++)
        cr_expect_arr_eq(&b->cell[i], &cell[i], sizeof *cell, "row %d", i);
    to = open_memstream(&second, &length_2);
    cr_assert_eq(activity_write(b, to), 0);
    (void)fclose(to);
    cr_expect_str_eq(text, second);
    free(text);
    free(second);
    activity_free(b);
}

#define VERSION "gum-activity 1\n"
#define RUN     "run program q policy random processes 1 makespan 0.15 width 0.1\n"
#define ROW_0   "0 0 0.1 0 0 1 0 5 2 0 0\n"
#define ROW_1   "0 1 0 0 0.05 0 0 0 0 0 0\n"

Test(gum_activity, names_what_is_wrong)
{
    static const struct {
        const char *text;
        PepaStatus status;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"", PEPA_EMODEL, 0, 0, "the activity has no line 'gum-activity'"},
        {"gum-profile 1\n", PEPA_ESYNTAX, 1, 1, "the first line of an activity is"},
        {"gum-activity 2\n", PEPA_ESYNTAX, 1, 14, "this program reads version 1"},
        {VERSION, PEPA_EMODEL, 0, 0, "the activity has no line 'run'"},
        {VERSION "run program q\n", PEPA_ESYNTAX, 2, 1, "the second line is"},
        {VERSION "run program q policy r processes 0 makespan 1 width 1\n", PEPA_ESYNTAX, 2, 34,
         "a run has 1 to 65536 processes"},
        {VERSION "run program q policy r processes 1 makespan 0 width 1\n", PEPA_ESYNTAX, 2, 45,
         "the makespan is above 0"},
        {VERSION "run program q policy r processes 1 makespan 1 width 0\n", PEPA_ESYNTAX, 2, 53,
         "there are at most 256 intervals"},
        {VERSION "run program q policy r processes 1 makespan 257 width 1\n", PEPA_ESYNTAX, 2, 55,
         "there are at most 256 intervals"},
        {VERSION RUN ROW_0, PEPA_EMODEL, 0, 0,
         "1 processes with 2 intervals are announced, there are 1 rows"},
        {VERSION RUN ROW_1, PEPA_ESYNTAX, 3, 1, "here is the row of process 0, interval 0"},
        {VERSION RUN ROW_0 ROW_1 ROW_1, PEPA_ESYNTAX, 5, 1, "a row too many"},
        {VERSION RUN "0 0 0.1 0 0.001 1 0 5 2 0 0\n", PEPA_ESYNTAX, 3, 5,
         "running, fetching and idle are more than the interval"},
        {VERSION RUN "0 0 0.1 0 x 1 0 5 2 0 0\n", PEPA_ESYNTAX, 3, 11, "not a number from 0"},
        {VERSION RUN "0 0 0.1\n", PEPA_ESYNTAX, 3, 1, "a row has 11 numbers"},
        {VERSION RUN "0 0 0.1 0 0 1 0 5 2 0 0 1\n", PEPA_ESYNTAX, 3, 1, "a row has 11 numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Activity *a;
        Seen seen;
        cr_expect_eq(read_text(cases[i].text, &a, &seen), cases[i].status, "%zu", i);
        cr_expect_eq(seen.count, 1, "%zu", i);
        cr_expect(seen.line == cases[i].line && seen.column == cases[i].column, "%zu: %u:%u", i,
                  seen.line, seen.column);
        cr_expect(strncmp(seen.message, cases[i].message, strlen(cases[i].message)) == 0, "%zu: %s",
                  i, seen.message);
    }
    Activity *a;
    Seen seen;
    cr_assert_eq(read_text("\xEF\xBB\xBF# x\n" VERSION "\n" RUN ROW_0 "# y\n" ROW_1, &a, &seen),
                 PEPA_OK);
    activity_free(a);
}
