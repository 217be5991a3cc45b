/* Traces of bulk-synchronous programs: what is read, and what is refused, with its place. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "grid/bsp/predict/trace.h"

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

static PepaStatus read_text(const char *text, Trace **out, Seen *seen)
{
    PepaError err;
    *seen = (Seen){0};
    *out = NULL;
    return trace_read(out, "t", text, strlen(text), see, seen, &err);
}

#define BEGIN "bsp-trace 1\nprocesses 3\n"

Test(bsp_trace, adds_up_and_finds_equal_supersteps)
{
    Trace *t;
    Seen seen;
    const char *text = "# recorded\n" BEGIN "step 1\nwork 0 1.5\nwork 0 0.5 # twice\nsend 1 2 8\n"
                       "send 0 1 100\nsend 1 2 4\nsend 2 2 50\nsend 0 2 0\n"
                       "step 2\nwork 2 1\n\n"
                       "step 3\nsend 0 1 100\nwork 0 2\nsend 1 2 12\r\n";
    cr_assert_eq(read_text(text, &t, &seen), PEPA_OK);
    cr_assert_eq(seen.count, 0);
    cr_assert_eq(t->processes, 3);
    cr_assert_eq(t->steps, 3);
    cr_assert_eq(trace_work(t, 0)[0], 2);
    cr_assert_eq(trace_work(t, 1)[2], 1);
    cr_assert_eq(t->step[0].count, 2);
    const TraceSend *send = t->send + t->step[0].first;
    cr_assert_eq(send[0].from, 0);
    cr_assert_eq(send[0].bytes, 100);
    cr_assert_eq(send[1].to, 2);
    cr_assert_eq(send[1].bytes, 12);
    cr_assert_eq(t->step[0].same, 2);
    cr_assert_eq(t->step[1].same, 1);
    cr_assert_eq(t->step[2].same, 0);
    cr_assert_eq(t->step[2].as, 0);
    trace_free(t);
}

Test(bsp_trace, many_supersteps)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    enum { STEPS = 5000, KINDS = 37 };
    (void)fputs(BEGIN, to);
    for (int i = 1; i <= STEPS; i++)
        (void)fprintf(to, "step %d\nwork 1 %d\nsend 0 1 %d\n", i, i % KINDS, 1 + i % KINDS);
    (void)fclose(to);
    Trace *t;
    Seen seen;
    cr_assert_eq(read_text(text, &t, &seen), PEPA_OK);
    int64_t all = 0, kinds = 0;
    for (int64_t i = 0; i < t->steps; i++) {
        const TraceStep *first = &t->step[t->step[i].as];
        all += t->step[i].same;
        kinds += t->step[i].same > 0;
        cr_assert_eq(trace_work(t, i)[1], trace_work(t, t->step[i].as)[1]);
        cr_assert(first->same > 0);
    }
    cr_assert_eq(all, STEPS);
    cr_assert_eq(kinds, KINDS);
    trace_free(t);
    free(text);
}

/* Version 2: numbered from 0; what was requested is apart from what was not. */
Test(bsp_trace, answers)
{
    Trace *t;
    Seen seen;
    cr_assert_eq(read_text("bsp-trace 2\nprocesses 3\n"
                           "step 0\nreply 1 2 8\nsend 1 2 16\nreply 1 2 4\nsend 1 0 1\n"
                           "step 1\nsend 1 2 16\nsend 1 2 12\nsend 1 0 1\n",
                           &t, &seen),
                 PEPA_OK);
    cr_assert_eq(t->steps, 2);
    cr_assert_eq(t->step[0].count, 3);
    const TraceSend *send = t->send + t->step[0].first;
    cr_expect(send[0].to == 0 && !send[0].reply);
    cr_expect(send[1].to == 2 && !send[1].reply && send[1].bytes == 16);
    cr_expect(send[2].to == 2 && send[2].reply && send[2].bytes == 12);
    cr_expect_eq(t->step[1].count, 2);
    trace_free(t);
    t = NULL;
    cr_assert_eq(read_text("bsp-trace 2\nprocesses 2\nstep 0\nreply 0 1 8\nstep 1\nsend 0 1 8\n",
                           &t, &seen),
                 PEPA_OK);
    cr_expect(t->step[0].same == 1 && t->step[1].same == 1,
              "an answer is not what was sent at once");
    trace_free(t);
}

/* Supersteps that differ in how much is sent only, so many that they share places of a table. */
Test(bsp_trace, supersteps_that_begin_alike)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    enum { STEPS = 1500, SENDS = 50 };
    (void)fputs("bsp-trace 1\nprocesses 100\n", to);
    for (int i = 0; i < STEPS; i++) {
        (void)fprintf(to, "step %d\n", i + 1);
        for (int k = 1; k <= i % SENDS; k++)
            (void)fprintf(to, "send 0 %d 8\n", k);
        for (int k = 1; k <= i / SENDS; k++)
            (void)fprintf(to, "send 1 %d 8\n", 1 + k);
    }
    (void)fclose(to);
    Trace *t;
    Seen seen;
    cr_assert_eq(read_text(text, &t, &seen), PEPA_OK);
    for (int64_t i = 0; i < t->steps; i++)
        cr_assert_eq(t->step[i].same, 1);
    trace_free(t);
    free(text);
}

Test(bsp_trace, what_is_wrong_is_said_with_its_place)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *says;
    } cases[] = {
        {"", 0, 0, "no superstep"},
        {"processes 3\n", 1, 1, "the first line of a trace"},
        {"bsp-trace 3\n", 1, 11, "versions 1 and 2"},
        {"bsp-trace 0\n", 1, 11, "versions 1 and 2"},
        {"bsp-trace\n", 1, 1, "the first line"},
        {"bsp-trace 1\nstep 1\n", 2, 1, "`processes`"},
        {"bsp-trace 1\nprocesses 0\n", 2, 11, "1 to 1024"},
        {"bsp-trace 1\nprocesses 1025\n", 2, 11, "1 to 1024"},
        {"bsp-trace 1\nprocesses 2.5\n", 2, 11, "1 to 1024"},
        {"bsp-trace 1\nprocesses nan\n", 2, 11, "not a number"},
        {BEGIN, 0, 0, "no superstep"},
        {BEGIN "processes 3\n", 3, 1, "`step`"},
        {BEGIN "work 1 1\n", 3, 1, "`step`"},
        {BEGIN "step 2\n", 3, 6, "one after another"},
        {BEGIN "step 1\nstep 1\n", 4, 6, "one after another"},
        {BEGIN "step 1\nstep 3\n", 4, 6, "one after another"},
        {BEGIN "step 1\nprocesses 3\n", 4, 1, "given before"},
        {BEGIN "step 1\nbsp-trace 1\n", 4, 1, "first line"},
        {BEGIN "step 1\nwork 3 1\n", 4, 6, "no such process"},
        {BEGIN "step 1\nwork -1 1\n", 4, 6, "not a number"},
        {BEGIN "step 1\nwork 1 -1\n", 4, 8, "not a number"},
        {BEGIN "step 1\nwork 1 1e-320\n", 4, 8, "less than 1e-30, but not 0"},
        {BEGIN "step 1\nwork 1 1e999\n", 4, 8, "more than 1e30"},
        {BEGIN "step 1\nwork 1 1.1e30\n", 4, 8, "more than 1e30"},
        {BEGIN "step 1\nwork 1 0x1p3\n", 4, 8, "not a number"},
        {BEGIN "step 1\nwork 1 1s\n", 4, 8, "not a number"},
        {BEGIN "step 1\n\twork 1\n", 4, 2, "the line is `work`"},
        {BEGIN "step 1\nwork 1 2 3\n", 4, 1, "the line is `work`"},
        {BEGIN "step 1\nsend 1 2\n", 4, 1, "the line is `send`"},
        {BEGIN "step 1\nsend 1 2 3 4 5 6\n", 4, 1, "the line is `send`"},
        {BEGIN "step 1\nsend 0 3 8\n", 4, 8, "no such process"},
        {BEGIN "step 1\nreply 1 2\n", 4, 1, "the line is `reply`"},
        {BEGIN "step 1\nfrobnicate\n", 4, 1, "begin with `work`, `send`, `reply` or `step`"},
        {BEGIN "step 0\n", 3, 6, "numbered from 1"},
        {"bsp-trace 2\nprocesses 3\nstep 1\n", 3, 6, "numbered from 0"},
        {"bsp-trace 2\nprocesses 3\nstep 0\nstep 0\n", 4, 6, "numbered from 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Trace *t;
        Seen seen;
        PepaStatus status = read_text(cases[i].text, &t, &seen);
        cr_expect(status == PEPA_ESYNTAX || status == PEPA_EMODEL, "%s", cases[i].text);
        cr_expect_null(t);
        cr_expect(seen.line == cases[i].line && seen.column == cases[i].column, "%s: %u:%u",
                  cases[i].text, seen.line, seen.column);
        cr_expect(strstr(seen.message, cases[i].says), "%s: %s", cases[i].text, seen.message);
    }
}

Test(bsp_trace, says_all_errors_of_supersteps_up_to_99)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    (void)fputs(BEGIN "step 1\n", to);
    for (int i = 0; i < 300; i++)
        (void)fputs("work 7 1\n", to);
    (void)fclose(to);
    Trace *t;
    Seen seen;
    cr_assert_eq(read_text(text, &t, &seen), PEPA_ESYNTAX);
    cr_assert_eq(seen.count, 100); /* and "too many errors" */
    free(text);
}
