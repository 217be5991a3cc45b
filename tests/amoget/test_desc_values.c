/* Units, definitions, and values that replace others. */
#include <math.h>

#include "amoget/syntax/quantity.h"
#include "describing.h"

#define HEAD  "pipeline { stage a; } processors { x time 1; y time 1; }\n"
#define TIMES "; times have ns, us, ms, s, min or h"
#define SIZES "; sizes have B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"
#define BANDWIDTHS                                                                                 \
    "; bandwidths have B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bit/s, kbit/s, Mbit/s "   \
    "or Gbit/s"
#define NET "network { latency default 1; latency local 1; }\n"

/* ---- units -------------------------------------------------------------------------------- */

Test(desc_values, units)
{
    static const struct {
        const char *attribute, *text;
        double value;
    } units[] = {
        {"latency", "0.0001", 0.0001},
        {"latency", "100us", 0.0001},
        {"latency", "0.1 ms", 0.0001},
        {"latency", "2s", 2},
        {"latency", "1.5min", 90},
        {"latency", "2 h", 7200},
        {"bandwidth", "7", 7},
        {"bandwidth", "7B", 7},
        {"bandwidth", "3 KB", 3e3},
        {"bandwidth", "3kB/s", 3e3},
        {"bandwidth", "100MB", 100e6},
        {"bandwidth", "100 MB/s", 100e6},
        {"bandwidth", "1.5GB", 1.5e9},
        {"bandwidth", "2TB", 2e12},
        {"bandwidth", "4KiB/s", 4096},
        {"bandwidth", "4 MiB", 4194304},
        {"bandwidth", "4GiB/s", 4294967296},
        {"bandwidth", "8bit/s", 1},
        {"bandwidth", "64 Kbit/s", 8000},
        {"bandwidth", "100Mbit/s", 12.5e6},
        {"bandwidth", "10Gbit/s", 1.25e9},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        Text text = {0};
        text_add(&text, HEAD "network { latency default 9; latency local 1; %s x y %s; }",
                 units[i].attribute, units[i].text);
        AmogetDescription *desc = expect_description(text.text);
        bool latency = strcmp(units[i].attribute, "latency") == 0;
        double value = latency ? latency_of(desc, "x", "y") : bandwidth_of(desc, "x", "y");
        cr_expect_eq(value, units[i].value, "%s: %.17g", units[i].text, value);
        amoget_free(desc);
        text_free(&text);
    }
}

Test(desc_values, units_of_the_wrong_kind)
{
    expect_found("pipeline { stage a work 2s output 3 ms; }\n"
                 "processors { x time 5MB availability 1 B cores 2s; }\n"
                 "network { latency default 5MB; latency local 3 MB/s; bandwidth default 2 min; }\n"
                 "input x size 3 Mbit/s;",
                 PEPA_EMODEL,
                 "1:25: error: the work has no unit, but `s` is one of time\n"
                 "1:35: error: the output has a unit of size, but `ms` is one of time\n"
                 "2:21: error: the time has a unit of time, but `MB` is one of size\n"
                 "2:38: error: the availability has no unit, but `B` is one of size\n"
                 "2:48: error: the number of cores has no unit, but `s` is one of time\n"
                 "3:27: error: the latency has a unit of time, but `MB` is one of size\n"
                 "3:46: error: the latency has a unit of time, but `MB/s` is one of bandwidth\n"
                 "3:72: error: the bandwidth has a unit of bandwidth, but `min` is one of time\n"
                 "4:14: error: the size has a unit of size, but `Mbit/s` is one of bandwidth\n");
}

Test(desc_values, unknown_units)
{
    expect_found(HEAD "network { latency default 1sec; latency local 1MS; bandwidth x y 1Mbt/s; }",
                 PEPA_EMODEL,
                 "2:27: error: unknown unit `sec`" TIMES "\n"
                 "2:47: error: unknown unit `MS`; did you mean `ms`?\n"
                 "2:66: error: unknown unit `Mbt/s`; did you mean `Mbit/s`?\n");
    /* Of bits, and not of bytes. */
    expect_found(HEAD
                 "network { latency default 1s; bandwidth default 1Gb/s; bandwidth x y 1kbps;\n"
                 "bandwidth y x 1Mb; }",
                 PEPA_EMODEL,
                 "2:49: error: unknown unit `Gb/s`; did you mean `Gbit/s`?\n"
                 "2:70: error: unknown unit `kbps`; did you mean `kbit/s`?\n"
                 "3:15: error: unknown unit `Mb`; did you mean `Mbit/s`?\n");
}

/* Every value whose unit is unknown is told the units that it may have, and they are those. */
Test(desc_values, units_that_there_are)
{
    expect_found(
        "pipeline { stage a output 5 byte; } processors { x time 5 sec; y time 5 lines; }\n"
        "network { latency local 1; latency x y 3 turns; bandwidth default 5 mbps; }\n"
        "input x size 3 blocks;\n",
        PEPA_ESYNTAX,
        "1:29: error: unknown unit `byte`" SIZES "\n"
        "1:59: error: unknown unit `sec`" TIMES "\n"
        "1:73: error: unknown unit `lines`" TIMES "\n"
        "2:42: error: unknown unit `turns`" TIMES "\n"
        "2:69: error: unknown unit `mbps`" BANDWIDTHS "\n"
        "3:16: error: unknown unit `blocks`" SIZES "\n");
    expect_found("pipeline { stage a work 3 chunks; stage b; } processors { x time 3; }",
                 PEPA_ESYNTAX,
                 "1:27: error: unexpected `chunks`; expected a unit, `work`, `output`, `phases` or "
                 "`;`\n");
    for (Kind kind = KIND_TIME; kind <= KIND_BANDWIDTH; kind++) {
        const char *at = strstr(units_known(kind), " have ");
        int count = 0;
        for (size_t length; *at; at += length) {
            at += strspn(at, " ,");
            length = strcspn(at, " ,");
            const Unit *unit = unit_find(at, length);
            bool word = strncmp(at, "have ", 5) == 0 || strncmp(at, "or ", 3) == 0;
            cr_expect(word || (unit && unit->kind == kind), "%s", at);
            count += unit != NULL;
        }
        cr_expect_eq(count, kind == KIND_TIME ? 6 : kind == KIND_SIZE ? 9 : 12);
    }
}

/* ---- definitions -------------------------------------------------------------------------- */

Test(desc_values, definitions)
{
    AmogetDescription *desc = expect_description(
        "far = near2; pipeline { stage a work heavy output block; } heavy = 3; block = 4KiB;\n"
        "processors { x time t availability half cores n; y time t; } t = 20 ms; half = .5; n = "
        "2;\n"
        "network { latency default far; latency local near2; bandwidth default block; bandwidth "
        "local block; }\n"
        "near2 = 7; input x size block;");
    cr_expect_eq(desc->work[0], 3);
    cr_expect_eq(desc->output[0], 4096);
    cr_expect_eq(desc->output[1], 4096);
    cr_expect_eq(desc->machine->time[1], 0.02);
    cr_expect_eq(desc->machine->availability[0], 0.5);
    cr_expect_eq(desc->machine->cores[0], 2);
    cr_expect_eq(latency_of(desc, "x", "y"), 7);
    cr_expect_eq(bandwidth_of(desc, "x", "y"), 4096);
    amoget_free(desc);
}

Test(desc_values, wrong_definitions)
{
    expect_found("p = q;\nq = r;\nr = p; s = r; t = t; u = v; w = 2 ms; w = 3; k = 1 xs;\n"
                 "pipeline { stage a work s work_; }",
                 PEPA_ESYNTAX,
                 "3:52: error: unknown unit `xs`" TIMES SIZES BANDWIDTHS "\n"
                 "4:27: error: unexpected `work_`; did you mean `work`?\n");
    expect_found("p = q;\nq = r;\nr = p; s = r; t = t; u = v; w = 2 ms; w = 3; k = 1xs;\n"
                 "pipeline { stage a work s; stage b work u; stage c work w; stage d work kk;\n"
                 "  stage e work k; }\nprocessors { x time 1; } network { latency local 1; }",
                 PEPA_EMODEL,
                 "3:1: error: `r` is defined by itself\n"
                 "3:15: error: `t` is defined by itself\n"
                 "3:26: error: `v` is not defined\n"
                 "3:39: error: `w` is defined twice; the first time in line 3\n"
                 "3:50: error: unknown unit `xs`" TIMES SIZES BANDWIDTHS "\n"
                 "4:57: error: the work has no unit, but `ms` is one of time\n"
                 "4:73: error: `kk` is not defined\n");
    expect_found("latncy = 3; " HEAD "network { latency default latency; latency local 1; }",
                 PEPA_EMODEL, "2:27: error: `latency` is not defined; did you mean `latncy`?\n");
    expect_found("unused = 3; one = two; two = 2;" HEAD NET, PEPA_OK,
                 "1:1: warning: `unused` is never used\n1:13: warning: `one` is never used\n");
}

/* A long chain of names takes neither long nor much of the C stack. */
Test(desc_values, long_chains, .timeout = 20)
{
    Text text = {0};
    for (int i = 0; i < 50000; i++)
        text_add(&text, "d%d = d%d;\n", i, i + 1);
    text_add(&text, "d50000 = 5; pipeline { stage a work d0; } processors { x time d25000; }\n"
                    "network { latency local 1; }");
    AmogetDescription *desc = expect_description(text.text);
    cr_expect_eq(desc->work[0], 5);
    cr_expect_eq(desc->machine->time[0], 5);
    amoget_free(desc);
    text_free(&text);
}

/* ---- replaced values ---------------------------------------------------------------------- */

static const char grid[] =
    "speed = 0.5; pipeline { stage a work 2; stage b output 3; }\n"
    "processors { p time speed cluster east; q time speed cluster east; r time 1; }\n"
    "network { latency default 1; latency local 0.1; bandwidth default 100; bandwidth local 1GB; "
    "}\n"
    "include \"m.csv\";";
static const char csv[] = "0,latency,p,q,7\n0,availability,p,,0.25\n";

static AmogetDescription *replaced(const AmogetDefine *defines, size_t count, PepaStatus *status,
                                   PepaError *err)
{
    Hearing hearing = {.defines = defines, .define_count = count, .csv = csv};
    AmogetDescription *desc = read_with(grid, &hearing, status, err);
    cr_expect_str_eq(hearing.found.text, "", "%s", hearing.found.text);
    text_free(&hearing.found);
    return desc;
}

static const AmogetDefine paths[] = {
    {"speed", "250 ms"},
    {"time.r", "2"},
    {"time.p", "speed"},
    {"availability.p", ".75"},
    {"cores.q", "3"},
    {"work.a", "5"},
    {"output.b", "2KB"},
    {"latency.p.q", "9 ms"},
    {"latency.default", "4"},
    {"latency.local", " 0.2 "},
    {"bandwidth.r.q", "1Kbit/s"},
    {"bandwidth.default", "50"},
    {"time.r", "3"},
    {"latency.east.r", "8"},
};
enum { PATHS = sizeof paths / sizeof *paths };

static void expect_replaced(const AmogetDescription *desc)
{
    cr_expect_eq(desc->machine->time[0], 0.25);
    cr_expect_eq(desc->machine->time[1], 0.25);
    cr_expect_eq(desc->machine->time[2], 3, "the last of equals");
    cr_expect_eq(desc->machine->availability[0], 0.75, "a path overrides a measurement");
    cr_expect_eq(desc->machine->cores[1], 3);
    cr_expect_eq(desc->work[0], 5);
    cr_expect_eq(desc->output[2], 2000);
    cr_expect_eq(latency_of(desc, "p", "q"), 0.009);
    cr_expect_eq(latency_of(desc, "p", "r"), 8);
    cr_expect_eq(latency_of(desc, "r", "r"), 0.2);
    cr_expect_eq(bandwidth_of(desc, "q", "r"), 125);
    cr_expect_eq(bandwidth_of(desc, "p", "r"), 50);
}

Test(desc_values, paths)
{
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc = replaced(NULL, 0, &status, &err);
    cr_expect_eq(latency_of(desc, "p", "q"), 7);
    cr_expect_eq(desc->machine->availability[0], 0.25);
    amoget_free(desc);
    desc = replaced(paths, PATHS, &status, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    expect_replaced(desc);
    amoget_free(desc);
}

Test(desc_values, paths_to_nothing)
{
    static const struct {
        AmogetDefine define;
        const char *message;
    } wrong[] = {
        {{"sped", "1"}, "nothing is defined by the name `sped`; did you mean `speed`?"},
        {{"", "1"}, "nothing is defined by the name ``"},
        {{"speed", "1 2"}, "`1 2` is not a value for `speed`"},
        {{"speed", ""}, "`` is not a value for `speed`"},
        {{"tiem.p", "1"},
         "`tiem.p` names nothing: there is no attribute `tiem`; did you mean `time`?"},
        {{"cluster.p", "1"}, "`cluster.p` names nothing: there is no attribute `cluster`"},
        {{"time.s", "1"}, "`time.s` names nothing: there is no processor `s`"},
        {{"work.c", "1"}, "`work.c` names nothing: there is no stage `c`"},
        {{"work.a.b", "1"}, "`work.a.b` names nothing: `work` is of one stage"},
        {{"latency.p", "1"},
         "`latency.p` names nothing: a latency is between two processors, or "
         "`default` or `local`"},
        {{"latency.p.default", "1"},
         "`latency.p.default` names nothing: there is no processor `default`"},
        {{"latency.p.q.r", "1"}, "`latency.p.q.r` names nothing: paths have 3 names at most"},
        {{".", "1"}, "`.` names nothing: there is no attribute ``"},
        {{"time.p", "0"}, "`time.p`: the time must be positive, not 0"},
        {{"time.p", "3 MB"}, "`time.p`: the time has a unit of time, but `MB` is one of size"},
        {{"time.p", "3 xB"}, "`3 xB` is not a value for `time.p`"},
        {{"time.p", "nan"}, "`time.p`: `nan` is not defined"},
        {{"time.p", "1e999"}, "`1e999` is not a value for `time.p`"},
        {{"time.p", "0x10"}, "`0x10` is not a value for `time.p`"},
        {{"availability.p", "2"},
         "`availability.p`: the availability must be greater than 0 and at most 1, not 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        PepaStatus status;
        PepaError err = {0};
        cr_expect_null(replaced(&wrong[i].define, 1, &status, &err));
        cr_expect_eq(status, PEPA_EARG);
        cr_expect_str_eq(err.message, wrong[i].message);
    }
}

/* A definition that was wrong, or used in a circle, is mended by a value of its own. */
Test(desc_values, a_define_mends_a_definition)
{
    static const AmogetDefine define = {"p", "3 s"};
    Hearing hearing = {.defines = &define, .define_count = 1};
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc =
        read_with("p = q; q = p; pipeline { stage a; } processors { x time q; }\n" NET, &hearing,
                  &status, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    cr_expect_eq(desc->machine->time[0], 3);
    amoget_free(desc);
    text_free(&hearing.found);
}
