/* What descriptions mean, and what is said of those that mean nothing. */
#include <math.h>

#include "describing.h"

#define STAGES     "pipeline { stage a; stage b; }\n"
#define PROCESSORS "processors { x time 1; y time 2; }\n"
#define NETWORK    "network { latency default 1; latency local 1; bandwidth default 1; }\n"

/* ---- stages and processors ---------------------------------------------------------------- */

Test(desc_checks, declared_twice)
{
    expect_found("pipeline { stage a;\n stage b; stage a; }\nprocessors { x time 1; x time 2; }\n"
                 "network { latency local 1; } pipeline { stage c; }",
                 PEPA_EMODEL,
                 "2:17: error: stage `a` is declared twice; the first time in line 1\n"
                 "3:24: error: processor `x` is declared twice; the first time in line 3\n"
                 "4:30: error: a second block `pipeline`; the first one is in line 1\n");
    expect_found(STAGES PROCESSORS NETWORK "input x; input y;\noutput y; output y;", PEPA_EMODEL,
                 "4:16: error: a second `input`; the first one is in line 4\n"
                 "5:18: error: a second `output`; the first one is in line 5\n");
    expect_found(
        "pipeline { stage a work 1 work 2; } processors { x time 1 cluster c time 2 cluster "
        "c; }\n" NETWORK,
        PEPA_EMODEL,
        "1:27: error: `work` is given twice\n1:69: error: `time` is given twice\n"
        "1:76: error: `cluster` is given twice\n");
    AmogetDescription *desc = /* a stage and a processor may have the same name */
        expect_description("pipeline { stage x; } processors { x time 3; }\n" NETWORK);
    amoget_free(desc);
}

Test(desc_checks, numbers_that_cannot_be)
{
    expect_found("pipeline { stage a work 0 output -1; stage b work -2 output 0; }\n"
                 "processors { x time 0; y time 1 availability 1.5 cores 0;\n"
                 "  z time 1 availability 0 cores 2.5; w time 1e31 cores 3e9; v cores 2; }\n"
                 "network { latency default 0; latency local -1ms; bandwidth default 0; }",
                 PEPA_EMODEL,
                 "1:25: error: the work must be positive, not 0\n"
                 "1:34: error: the output cannot be negative, not -1\n"
                 "1:51: error: the work must be positive, not -2\n"
                 "2:21: error: the time must be positive, not 0\n"
                 "2:46: error: the availability must be greater than 0 and at most 1, not 1.5\n"
                 "2:56: error: the number of cores must be a whole number from 1 to 2147483647, not 0\n"
                 "3:25: error: the availability must be greater than 0 and at most 1, not 0\n"
                 "3:33: error: the number of cores must be a whole number from 1 to 2147483647, not 2.5\n"
                 "3:45: error: the time must be from 1e-30 to 1e30, not 1e+31\n"
                 "3:56: error: the number of cores must be a whole number from 1 to 2147483647, not 3000000000\n"
                 "3:61: error: processor `v` has no `time`: seconds per unit of work\n"
                 "4:27: error: the latency must be positive (1 ns, say), not 0\n"
                 "4:44: error: the latency must be positive, not -1 ms\n"
                 "4:68: error: the bandwidth must be positive, not 0\n");
}

static void many(Text *text, const char *begin, int count, const char *format, const char *end)
{
    text_add(text, "%s", begin);
    for (int i = 0; i < count; i++) {
        text_add(text, "%s%d", format, i);
        text_add(text, "%s", end);
    }
    text_add(text, "}\n");
}

Test(desc_checks, limits)
{
    Text text = {0};
    many(&text, "pipeline {\n", 42, "stage s", ";\n");
    text_add(&text, PROCESSORS NETWORK "mappings { (x); }");
    expect_found(text.text, PEPA_ELIMIT, "42:7: error: more than 40 stages\n");
    text_free(&text);
    text_add(&text, STAGES);
    many(&text, "processors {\n", 1024, "p", " time 1;\n");
    text_add(&text, NETWORK);
    AmogetDescription *desc = expect_description(text.text);
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 1024);
    amoget_free(desc);
    text_free(&text);
    text_add(&text, STAGES);
    many(&text, "processors {\n", 1030, "p", " time 1;\n");
    text_add(&text, "network { latency default 1; latency p1 p1027 1; }\nmappings { (p0,p1029); }\n");
    expect_found(text.text, PEPA_ELIMIT, "1027:1: error: more than 1024 processors\n");
    text_free(&text);
}

/* ---- network ------------------------------------------------------------------------------ */

Test(desc_checks, the_more_specific_line_stands)
{
    static const char *const lines[] = {"latency p q 1;", "latency e p 2;",   "latency e g 3;",
                                        "latency e e 4;", "latency local 5;", "latency default 6;",
                                        "latency q q 7;"};
    enum { LINES = sizeof lines / sizeof *lines };
    /* every rotation and its reverse: the order is of no importance */
    for (int k = 0; k < 2 * LINES; k++) {
        Text text = {0};
        text_add(&text, STAGES "processors { p time 1 cluster g; q time 1 cluster e; r time 1 "
                               "cluster e; s time 1; }\nnetwork { ");
        for (int i = 0; i < LINES; i++)
            text_add(&text, "%s\n",
                     lines[k < LINES ? (i + k) % LINES : (2 * LINES + k - i) % LINES]);
        text_add(&text, "}");
        AmogetDescription *desc = expect_description(text.text);
        cr_expect_eq(latency_of(desc, "p", "q"), 1, "%s", text.text);
        cr_expect_eq(latency_of(desc, "p", "r"), 2, "%s", text.text);
        cr_expect_eq(latency_of(desc, "q", "r"), 4, "%s", text.text);
        cr_expect_eq(latency_of(desc, "r", "r"), 5, "%s", text.text);
        cr_expect_eq(latency_of(desc, "q", "q"), 7, "%s", text.text);
        cr_expect_eq(latency_of(desc, "s", "p"), 6, "%s", text.text);
        cr_expect_eq(latency_of(desc, "s", "q"), 6, "%s", text.text);
        amoget_free(desc);
        text_free(&text);
    }
}

Test(desc_checks, of_equals_the_last_line_stands)
{
    AmogetDescription *desc = expect_description(
        STAGES
        "processors { p time 1 cluster g; q time 1 cluster e; }\n"
        "network { latency default 1; latency default 2; latency local 3; latency local 4;\n"
        "  latency p e 5; latency g q 6; latency e p 7; bandwidth p q 8; bandwidth q p 9; }");
    cr_expect_eq(latency_of(desc, "p", "q"), 7);
    cr_expect_eq(latency_of(desc, "p", "p"), 4);
    cr_expect_eq(bandwidth_of(desc, "p", "q"), 9);
    cr_expect(isinf(bandwidth_of(desc, "p", "p")));
    amoget_free(desc);
    desc = expect_description(
        STAGES "processors { p time 1 cluster g; q time 1 cluster e; }\n"
               "network { latency default 1; latency local 3; latency e p 7; latency g q 6; }");
    cr_expect_eq(latency_of(desc, "p", "q"), 6);
    amoget_free(desc);
}

Test(desc_checks, unknown_places)
{
    expect_found(STAGES "processors { left time 1 cluster edin; right time 1; }\n"
                        "network { latency default 1; latency local 1; latency left rihgt 3;\n"
                        "  latency edni left 2; bandwidth nowhere 1 1; }\n"
                        "input lfet; output b;",
                 PEPA_EMODEL,
                 "3:60: error: there is no processor or cluster `rihgt`; did you mean `right`?\n"
                 "4:11: error: there is no processor or cluster `edni`; did you mean `edin`?\n"
                 "4:34: error: there is no processor or cluster `nowhere`\n"
                 "4:42: error: there is no processor or cluster `1`\n"
                 "5:7: error: there is no processor `lfet`; did you mean `left`?\n"
                 "5:20: error: there is no processor `b`\n");
}

Test(desc_checks, clusters_are_not_processors)
{
    expect_found(STAGES "processors { p time 1 cluster q;\n q time 1 cluster p; local time 2;\n"
                        "  r time 1 cluster default; default time 1; }\n" NETWORK,
                 PEPA_EMODEL,
                 "2:31: error: `q` cannot be a cluster: it is a processor, in line 3\n"
                 "3:19: error: `p` cannot be a cluster: it is a processor, in line 2\n"
                 "3:22: error: `local` is reserved: it cannot name a processor\n"
                 "4:20: error: `default` is reserved: it cannot name a cluster\n"
                 "4:20: error: `default` cannot be a cluster: it is a processor, in line 4\n"
                 "4:29: error: `default` is reserved: it cannot name a processor\n");
}

Test(desc_checks, missing_latencies)
{
    expect_found(STAGES "processors { p time 1; q time 1; r time 1; }\n"
                        "network { latency p q 1; latency local 1; }",
                 PEPA_EMODEL,
                 "2:34: error: no latency between `p` and `r`: `latency default ...;` gives one "
                 "for every pair\n");
    expect_found(STAGES "processors { p time 1; q time 1; }\nnetwork { latency p q 1; }\n",
                 PEPA_EMODEL,
                 "2:14: error: no latency within `p`: `latency local ...;` gives one for every "
                 "processor\n"
                 "2:24: error: no latency within `q`: `latency local ...;` gives one for every "
                 "processor\n");
    const char *three = STAGES "processors { p time 1; q time 1; r time 1; }\n"
                               "network { latency p q 1; latency local 1; }\n";
    Text text = {0};
    text_add(&text, "%smappings { (p,q); (q,q); (q,p); }", three);
    AmogetDescription *desc = expect_description(text.text);
    amoget_free(desc);
    text_free(&text);
    text_add(&text, "%smappings { (p,q); (q,r);\n (p,r); (r,q); (r,r); }", three);
    expect_found(text.text, PEPA_EMODEL,
                 "4:19: error: no latency between `q` and `r`: `latency default ...;` gives one "
                 "for every pair\n"
                 "5:2: error: no latency between `p` and `r`: `latency default ...;` gives one "
                 "for every pair\n");
    text_free(&text);
    text_add(&text, "%smappings { (p,q); } input r;", three);
    expect_found(text.text, PEPA_EMODEL,
                 "4:12: error: no latency between `r` and `p`: `latency default ...;` gives one "
                 "for every pair\n");
    text_free(&text);
}

/* ---- mappings ----------------------------------------------------------------------------- */

Test(desc_checks, mappings)
{
    expect_found(STAGES PROCESSORS NETWORK "mappings { (x); (x,y,x);\n (x,z); (y,x);\n (y,x); }",
                 PEPA_EMODEL,
                 "4:12: error: a mapping of 1 stage: there are 2\n"
                 "4:17: error: a mapping of 3 stages: there are 2\n"
                 "5:5: error: there is no processor `z`\n"
                 "6:2: warning: the same mapping as in line 5\n");
    expect_found(STAGES PROCESSORS NETWORK "mappings { (x,y);\n (x,x); (x,y); (x,x); }", PEPA_OK,
                 "5:9: warning: the same mapping as in line 4\n"
                 "5:16: warning: the same mapping as in line 5\n");
    AmogetDescription *desc = expect_description(STAGES PROCESSORS NETWORK "mappings { }");
    cr_expect_eq(amoget_mapping_count(desc), 0);
    amoget_free(desc);
}

/* ---- warnings ----------------------------------------------------------------------------- */

Test(desc_checks, the_default_within_processors)
{
    expect_found(STAGES PROCESSORS "network { latency default 1; }", PEPA_OK,
                 "3:19: warning: the default latency serves within processors as well; `latency "
                 "local ...;` gives moves within a processor their own\n");
    AmogetDescription *desc = expect_description(
        STAGES PROCESSORS "network { latency default 1; latency x x 1; latency y y 2; }");
    cr_expect_eq(latency_of(desc, "y", "y"), 2);
    amoget_free(desc);
}

Test(desc_checks, sizes_without_a_bandwidth)
{
    const char *quiet = PROCESSORS "network { latency default 1; latency local 1; }\n";
    Text text = {0};
    text_add(&text, "%spipeline { stage a;\n stage b output 3; }", quiet);
    expect_found(text.text, PEPA_OK,
                 "4:8: warning: data is sent, but no bandwidth is given: sizes do not matter\n");
    text_free(&text);
    text_add(&text, "%spipeline { stage a; } input x size 3;", quiet);
    expect_found(text.text, PEPA_OK,
                 "3:29: warning: data is sent, but no bandwidth is given: sizes do not matter\n");
    text_free(&text);
    text_add(&text, "%spipeline { stage a output 0; }", quiet);
    amoget_free(expect_description(text.text));
    text_free(&text);
    amoget_free(expect_description("pipeline { stage a output 3; }" PROCESSORS
                                   "network { latency default 1; latency local 1; bandwidth x y 3; "
                                   "}"));
}

/* ---- the paper's notation ----------------------------------------------------------------- */

/* Second row of the second set: durations of (1,1,3) by hand. */
Test(desc_checks, paper)
{
    AmogetDescription *desc = expect_description(
        "pipeline { stage 1; stage 2; stage 3; }\n"
        "processors { 1 time 0.1; 2 time 0.1; 3 time 1; }\n"
        "network { latency default 0.1; latency local 0.0001; latency 1 2 0.1; }\n"
        "mappings { (1,1,1); (1,1,2); (1,2,2); (1,2,1); (1,1,3); (1,3,3); (1,3,1); (1,2,3); }");
    static const double wanted[7] = {0.0001, 0.2, 0.0001, 0.2, 0.1, 1, 0.0001};
    double seconds[7];
    cr_assert_eq(amoget_mapping_count(desc), 8);
    cr_assert_eq(amoget_durations(desc, amoget_mapping(desc, 4), seconds, NULL), PEPA_OK);
    for (int i = 0; i < 7; i++)
        cr_expect_float_eq(seconds[i], wanted[i], 1e-15);
    amoget_free(desc);
}
