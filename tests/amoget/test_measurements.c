/* Measurements, included or brought in later. */
#include <math.h>

#include "describing.h"

#define GRID                                                                                       \
    "pipeline { stage a; stage b; }\nprocessors { p time 1 cluster c; q time 1; r time 1; }\n"     \
    "network { latency default 1; latency local 0.1; latency p q 2; }\n"

static PepaStatus measure(AmogetDescription *desc, const char *csv, double now, Hearing *hearing,
                          PepaError *err)
{
    AmogetReading how = {.diagnose = hear, .user = hearing, .now = now};
    text_add(&hearing->found, "%s", "");
    return amoget_measure(amoget_machine(desc), "m.csv", csv, strlen(csv), &how, err);
}

static void expect_measured(const char *csv, double now, PepaStatus wanted_status,
                            const char *wanted)
{
    AmogetDescription *desc = expect_description(GRID);
    Hearing hearing = {0};
    PepaError err = {0};
    PepaStatus status = measure(desc, csv, now, &hearing, &err);
    cr_expect_eq(status, wanted_status, "%s", err.message);
    cr_expect(status == PEPA_OK || err.code == status);
    cr_expect_str_eq(hearing.found.text, wanted, "in\n%s\nfound\n%swanted\n%s", csv,
                     hearing.found.text, wanted);
    text_free(&hearing.found);
    amoget_free(desc);
}

/* The description after measurements in which nothing is found. */
static AmogetDescription *measured(const char *csv)
{
    AmogetDescription *desc = expect_description(GRID);
    Hearing hearing = {0};
    PepaError err = {0};
    cr_assert_eq(measure(desc, csv, 0, &hearing, &err), PEPA_OK, "%s", err.message);
    cr_expect_str_eq(hearing.found.text, "");
    text_free(&hearing.found);
    return desc;
}

Test(measurements, every_kind)
{
    AmogetDescription *desc = measured("\xEF\xBB\xBFtime,what,from,to,value\r\n"
                                       "# a remark, with commas\r\n\r\n"
                                       "100.5,latency,q,p,5 ms\r\n"
                                       " 100 , bandwidth , p , r , 10Mbit/s \r\n"
                                       "99,latency,r,r,3\n"
                                       "1e2,availability,q,,0.5\n100,time,r,,2 ms");
    cr_expect_eq(latency_of(desc, "p", "q"), 0.005);
    cr_expect_eq(latency_of(desc, "r", "r"), 3);
    cr_expect_eq(latency_of(desc, "p", "p"), 0.1);
    cr_expect_eq(latency_of(desc, "p", "r"), 1);
    cr_expect_eq(bandwidth_of(desc, "r", "p"), 1.25e6);
    cr_expect_eq(desc->machine->availability[1], 0.5);
    cr_expect_eq(desc->machine->availability[0], 1);
    cr_expect_eq(desc->machine->time[2], 0.002);
    amoget_free(desc);
}

Test(measurements, the_newest_line_wins)
{
    AmogetDescription *desc = measured("3,latency,p,q,30\n1,latency,q,p,10\n2,latency,p,q,20\n"
                                       "5,latency,p,r,1\n5,latency,r,p,2\n"
                                       "5,availability,p,,0.5\n4,availability,p,,0.4\n");
    cr_expect_eq(latency_of(desc, "p", "q"), 30);
    cr_expect_eq(latency_of(desc, "p", "r"), 2, "of equal times the later line");
    cr_expect_eq(desc->machine->availability[0], 0.5);
    amoget_free(desc);
}

/* Two directions, measured at one time: neither was newer. */
Test(measurements, the_worse_direction_counts)
{
    AmogetDescription *desc =
        measured("5,latency,r,p,9\n5,latency,p,r,2\n5,latency,p,r,3\n4,latency,p,q,9\n"
                 "5,latency,q,p,1\n4,latency,p,q,7\n7,bandwidth,q,r,100\n7,bandwidth,r,q,200\n");
    cr_expect_eq(latency_of(desc, "p", "r"), 9);
    cr_expect_eq(latency_of(desc, "p", "q"), 1);
    cr_expect_eq(bandwidth_of(desc, "q", "r"), 100);
    amoget_free(desc);
}

/* The files of a description, by name. */
static const char *one_of_two(void *user, const char *name, size_t *length, PepaError *err)
{
    const char *const *file = user;
    const char *text = file[strcmp(name, "a.csv") == 0 ? 0 : 1];
    (void)err;
    *length = strlen(text);
    return text;
}

/* Whichever file is included first: what is newer in either counts, and the worse direction of both. */
Test(measurements, several_files)
{
    static const char *const file[] = {"9,time,p,,0.5\n5,latency,p,r,3\n3,availability,q,,0.25\n",
                                       "8,time,p,,7\n5,latency,r,p,9\n4,availability,q,,0.75\n"
                                       "7,time,r,,2\n"};
    static const char *const includes[] = {"include \"a.csv\"; include \"b.csv\";",
                                           "include \"b.csv\"; include \"a.csv\";"};
    for (int i = 0; i < 2; i++) {
        AmogetDescription *desc = NULL;
        AmogetReading how = {.include = one_of_two, .user = (void *)file};
        PepaError err = {0};
        char text[400];
        (void)snprintf(text, sizeof text, "%s%s", GRID, includes[i]);
        cr_assert_eq(amoget_parse(&desc, "two", text, strlen(text), &how, &err), PEPA_OK, "%s",
                     err.message);
        cr_expect_eq(desc->machine->time[0], 0.5);
        cr_expect_eq(desc->machine->time[2], 2);
        cr_expect_eq(desc->machine->availability[1], 0.75);
        cr_expect_eq(latency_of(desc, "p", "r"), 9);
        amoget_free(desc);
    }
}

/* A busy machine does not stop a mapping. */
Test(measurements, nothing_was_free)
{
    expect_measured("5,availability,p,,0\n", 0, PEPA_OK,
                    "m.csv:1:19: warning: no part of the processor was free; 0.001 is assumed\n");
}

Test(measurements, nothing)
{
    amoget_free(measured(""));
    amoget_free(measured("\n\n# nothing\n"));
    amoget_free(measured("time,what,from,to,value"));
}

Test(measurements, malformed_lines)
{
    expect_measured("abc\n1,latency,p\n1,latency,p,q,3,4\n-1,latency,p,q,1\n1s,latency,p,q,1\n"
                    "1,latancy,p,q,1\n1,latency,p-q,q,1\n1,latency,p,,1\n1,availability,p,q,1\n"
                    "1,latency,p,q,\n1,latency,p,q,x\n1,latency,p,q,1 xs\n1,latency,p,q,1e999\n"
                    "time,what,from,to,value\n1,latency,p,q,0x10\n1,time,p,q,1\n",
                    0, PEPA_ESYNTAX,
                    "m.csv:1:1: error: a measurement has 5 fields: time,what,from,to,value\n"
                    "m.csv:2:1: error: a measurement has 5 fields: time,what,from,to,value\n"
                    "m.csv:3:1: error: a measurement has 5 fields: time,what,from,to,value\n"
                    "m.csv:4:1: error: not a time: seconds since 1970, without a unit\n"
                    "m.csv:5:1: error: not a time: seconds since 1970, without a unit\n"
                    "m.csv:6:3: error: not measured: `latency`, `bandwidth`, `availability` "
                    "and `time` are\n"
                    "m.csv:7:11: error: not the name of a processor\n"
                    "m.csv:8:13: error: not the name of a processor\n"
                    "m.csv:9:18: error: an availability is of one processor: leave this empty\n"
                    "m.csv:10:15: error: not a value: a finite number\n"
                    "m.csv:11:15: error: not a value: a finite number\n"
                    "m.csv:12:17: error: unknown unit; times have ns, us, ms, s, min or h\n"
                    "m.csv:13:15: error: not a value: a finite number\n"
                    "m.csv:14:1: error: not a time: seconds since 1970, without a unit\n"
                    "m.csv:14:6: error: not measured: `latency`, `bandwidth`, `availability` "
                    "and `time` are\n"
                    "m.csv:15:16: error: unknown unit; times have ns, us, ms, s, min or h\n"
                    "m.csv:16:10: error: a time is of one processor: leave this empty\n");
}

Test(measurements, values_that_cannot_be)
{
    expect_measured("1,latency,p,q,0\n1,latency,p,q,5 MB\n1,bandwidth,p,q,-1\n"
                    "1,availability,p,,1.5\n",
                    0, PEPA_EMODEL,
                    "m.csv:1:15: error: the latency must be positive (1 ns, say), not 0\n"
                    "m.csv:2:15: error: the latency has a unit of time, but `MB` is one of size\n"
                    "m.csv:3:17: error: the bandwidth must be positive, not -1\n"
                    "m.csv:4:19: error: the availability must be greater than 0 and at most 1, "
                    "not 1.5\n");
}

Test(measurements, strangers)
{
    expect_measured("1,latency,p,nobody,1\n1,latency,nobody,q,1\n2,latency,q,c,1\n"
                    "2,availability,nobody,,1\n",
                    0, PEPA_OK,
                    "m.csv:1:13: warning: the description has no processor `nobody`\n"
                    "m.csv:3:13: warning: the description has no processor `c`\n");
}

Test(measurements, stale)
{
    expect_measured("1000,latency,p,q,1\n1000,latency,p,p,1\n1000,availability,r,,1\n"
                    "1000,bandwidth,p,q,1\n1301,bandwidth,p,q,1\n1001,latency,q,r,1\n",
                    1400, PEPA_OK,
                    "m.csv:1:1: warning: stale: the latency between `p` and `q` was measured 301 s "
                    "before the newest line\n"
                    "m.csv:2:1: warning: stale: the latency within `p` was measured 301 s before "
                    "the newest line\n"
                    "m.csv:3:1: warning: stale: the availability of `r` was measured 301 s before "
                    "the newest line\n");
    expect_measured("1,latency,p,q,1\n3,latency,p,r,1\n2,latency,q,r,1\n", 304, PEPA_OK,
                    "m.csv:2:1: warning: stale: the newest measurement is 301 s old\n");
    expect_measured("1,latency,p,q,1\n", 10801, PEPA_OK,
                    "m.csv:1:1: warning: stale: the newest measurement is 3 h old\n");
    expect_measured("1,latency,p,q,1\n", 864001, PEPA_OK,
                    "m.csv:1:1: warning: stale: the newest measurement is 10 days old\n");
    expect_measured("1,latency,p,q,1\n", 301, PEPA_OK, "");
    expect_measured("1,latency,p,q,1\n", 0, PEPA_OK, "");
    expect_measured("60,latency,p,q,1\n", 1, PEPA_OK, ""); /* clocks differ a little */
    expect_measured("500,latency,p,q,1\n", 1, PEPA_OK,
                    "m.csv:1:1: warning: the newest measurement is 499 s in the future: times are "
                    "seconds since 1970\n");
}

Test(measurements, all_or_nothing)
{
    AmogetDescription *desc = expect_description(GRID);
    Hearing hearing = {0};
    PepaError err;
    cr_expect_eq(measure(desc, "1,latency,p,q,77\n1,latency,p,r,0\n", 0, &hearing, &err),
                 PEPA_EMODEL);
    cr_expect_eq(latency_of(desc, "p", "q"), 2);
    cr_expect(err.line == 2 && err.column == 15);
    cr_expect_eq(measure(desc, "2,latency,p,q,78\n", 0, &hearing, &err), PEPA_OK);
    cr_expect_eq(measure(desc, "1,latency,p,q,79\n", 0, &hearing, &err), PEPA_OK);
    cr_expect_eq(latency_of(desc, "p", "q"), 79, "each text stands for itself");
    text_free(&hearing.found);
    amoget_free(desc);
}

/* ---- included ----------------------------------------------------------------------------- */

Test(measurements, included)
{
    Hearing hearing = {.csv = "1,latency,p,q,5\n1,latency,q,r,6\n"};
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc = read_with("include \"m.csv\";" GRID, &hearing, &status, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    cr_expect_eq(latency_of(desc, "p", "q"), 5, "measurements override the text");
    cr_expect_eq(latency_of(desc, "q", "r"), 6);
    amoget_free(desc);
    text_free(&hearing.found);
}

Test(measurements, included_latencies_are_not_missing)
{
    const char *text = "pipeline { stage a; stage b output 1; }\n"
                       "processors { p time 1; q time 1; }\nnetwork { latency local 1; }\n"
                       "include \"m.csv\";\n";
    expect_heard(text, (Hearing){.csv = "1,latency,p,q,5\n1,bandwidth,p,q,5\n"}, PEPA_OK, "");
    expect_heard(text, (Hearing){.csv = "1,bandwidth,p,q,5\n"}, PEPA_EMODEL,
                 "2:24: error: no latency between `p` and `q`: `latency default ...;` gives one "
                 "for every pair\n");
}

Test(measurements, age_of_an_include)
{
    const char *csv = "1000,latency,p,q,1\n1100,latency,p,r,1\n";
    expect_heard(GRID "include \"m.csv\" max-age 99 s;", (Hearing){.csv = csv}, PEPA_OK,
                 "m.csv:1:1: warning: stale: the latency between `p` and `q` was measured 100 s "
                 "before the newest line\n");
    expect_heard(GRID "age = 2 min; include \"m.csv\" max-age age;",
                 (Hearing){.csv = csv, .now = 1221}, PEPA_OK,
                 "m.csv:2:1: warning: stale: the newest measurement is 121 s old\n");
    expect_heard(GRID "include \"m.csv\" max-age 0;", (Hearing){.csv = csv}, PEPA_EMODEL,
                 "4:25: error: the greatest age must be positive, not 0\n");
}

Test(measurements, includes_that_fail)
{
    expect_heard(GRID "include \"m.csv\";", (Hearing){0}, PEPA_EIO,
                 "4:9: error: cannot open m.csv\n");
    expect_heard(GRID "include \"m.csv\"; input s;", (Hearing){0}, PEPA_EMODEL,
                 "4:9: error: cannot open m.csv\n4:24: error: there is no processor `s`\n");
    expect_heard(GRID "include \"m.csv\";", (Hearing){.csv = "1,latency\n"}, PEPA_ESYNTAX,
                 "m.csv:1:1: error: a measurement has 5 fields: time,what,from,to,value\n");
    AmogetDescription *desc = NULL;
    PepaError err;
    const char *text = GRID "include \"m.csv\";";
    cr_expect_eq(amoget_parse(&desc, "d", text, strlen(text), NULL, &err), PEPA_EIO);
    cr_expect_str_eq(err.message, "files cannot be included here");
}

/* The description's own findings first, then each file's. */
Test(measurements, order_of_findings)
{
    expect_heard("include \"a.csv\"; include \"b.csv\"; unused = 1;\n" GRID,
                 (Hearing){.csv = "1,latency,p,s,1\n"}, PEPA_OK,
                 "1:35: warning: `unused` is never used\n"
                 "a.csv:1:13: warning: the description has no processor `s`\n"
                 "b.csv:1:13: warning: the description has no processor `s`\n");
}

Test(measurements, a_hundred_errors_are_enough)
{
    Text text = {0}, wanted = {0};
    for (int i = 1; i <= 200; i++)
        text_add(&text, "?\n");
    for (int i = 1; i <= 99; i++)
        text_add(&wanted,
                 "m.csv:%d:1: error: a measurement has 5 fields: time,what,from,to,value\n", i);
    text_add(&wanted, "m.csv:99:1: error: too many errors\n");
    expect_measured(text.text, 0, PEPA_ESYNTAX, wanted.text);
    text_free(&text);
    text_free(&wanted);
}

/* Many lines about few pairs. */
Test(measurements, long_files, .timeout = 30)
{
    Text text = {0};
    for (int i = 0; i < 100000; i++)
        text_add(&text, "%d,latency,%s,%d\n", i * 7 % 100000, i % 2 ? "p,q" : "q,r", i + 1);
    AmogetDescription *desc = measured(text.text);
    /* lines of times 99999 and 99998, found by 7 i = time modulo 100000 */
    cr_expect_eq(latency_of(desc, "p", "q"), 42858);
    cr_expect_eq(latency_of(desc, "q", "r"), 85715);
    amoget_free(desc);
    text_free(&text);
}
