/* Programs from descriptions and from XML: what is read, and what is said of what is wrong. */
#include <criterion/criterion.h>
#include <libxml/relaxng.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/files/program_xml.h"

#define MACHINE "processors { h1 time 1; h2 time 1; } network { latency default 1ms; }\n"

static void hear(void *user, const PepaDiagnostic *each)
{
    text_add(user, "%u:%u: %s\n", each->line, each->column, each->message);
}

static AmogetProgram *described(const char *text, Text *found)
{
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    AmogetReading how = {.diagnose = hear, .user = found};
    text_add(found, "%s", "");
    (void)amoget_program_parse(&machine, &program, "test", text, strlen(text), &how, NULL);
    amoget_machine_free(machine);
    return program;
}

static void expect_said(const char *block, const char *wanted)
{
    Text text = {0}, found = {0};
    text_add(&text, MACHINE "%s", block);
    AmogetProgram *program = described(text.text, &found);
    cr_expect_null(program, "%s", block);
    cr_expect_not_null(strstr(found.text, wanted), "%s\n%swanted %s", block, found.text, wanted);
    amoget_program_free(program);
    text_free(&text);
    text_free(&found);
}

Test(program, described)
{
    Text found = {0};
    AmogetProgram *p =
        described("n = 16; least = 4;\n" MACHINE "program { groups n min least divisor 2; }",
                  &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->kind == AMOGET_GROUPS && p->processes == 16 && p->least == 4 && p->divisor == 2);
    amoget_program_free(p);
    p = described(MACHINE "program { graph 3 sizes 3 6 9 edges (1,2) (3,2); }", &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->kind == AMOGET_GRAPH && p->processes == 18 && p->group_count == 3);
    cr_expect(p->sizes[0] == 3 && p->sizes[1] == 6 && p->sizes[2] == 9 && p->edge_count == 2);
    cr_expect(p->edges[1].a == 2 && p->edges[1].b == 1);
    amoget_program_free(p);
    p = described(MACHINE "program { tree 19 levels 3 min 5; }", &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->kind == AMOGET_TREE && p->processes == 19 && p->levels == 3 && p->least == 5);
    amoget_program_free(p);
    p = described(MACHINE "program { ring 12; } pipeline { stage groups; }", &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->kind == AMOGET_RING && p->least == 1 && p->divisor == 1);
    amoget_program_free(p);
    cr_expect_null(described(MACHINE, &found));
    text_free(&found);
}

/* What a round costs: numbers with units, and names. */
Test(program, round_described)
{
    Text found = {0};
    AmogetProgram *p = described("far = 1MB;\n" MACHINE "program { work 2.5; ring 12; data 80kB; "
                                 "exchange far; phases 5; }",
                                 &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->work == 2.5 && p->data == 80e3 && p->exchange == 1e6 && p->phases == 5);
    amoget_program_free(p);
    p = described(MACHINE "program { ring 12; }", &found);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->work == 0 && p->data == 0 && p->exchange == 0 && p->phases == 0);
    amoget_program_free(p);
    text_free(&found);
    expect_said("program { ring 12; work -1; }", "2:25: the work must be positive, not -1");
    expect_said("program { ring 12; data 1kg; }", "2:25: unknown unit `kg`");
    expect_said("program { ring 12; exchange; }", "2:20: `exchange` takes one value");
    expect_said("program { ring 12; phases 101; }", "2:27: the number of phases must be a whole");
    expect_said("program { ring 12; phases 2.5; }", "2:27: the number of phases must be a whole");
    expect_said("program { work 1; work 2; ring 12; }", "a second `work`");
    expect_said("program { work 1 2 3; ring 12; }", "2:16: `work` takes one value");
    expect_said("program { work 1; }", "2:1: an empty program");
}

Test(program, wrong)
{
    expect_said("program { groups 0; }", "2:18: a program has from 1 to 10000 processes, not 0");
    expect_said("program { groups 6 min 7; }", "2:20: the smallest group must have from 1 to 6");
    expect_said("program { groups 16 min 4 divisor 9; }", "2:27: 16 processes in groups of at");
    expect_said("program { graph 3 sizes 3 6; }", "2:19: the graph has 3 groups: there are 2");
    expect_said("program { graph 2 sizes 3 0; }", "2:27: group 2 must have at least 1 process");
    expect_said("program { graph 2 sizes 3 -3; }", "2:27: group 2 must have at least 1 process");
    expect_said("program { graph 2 sizes 3 6 edges (1,2) (1,3); }", "2:41: there is no group 3");
    expect_said("program { graph 2 sizes 3 6 edges (2,2); }", "2:35: an edge joins two groups");
    expect_said("program { graph 2 sizes 3 6 edges (1,2) (2,1); }",
                "2:41: the edge between groups 1 and 2 is given twice");
    expect_said("program { graph 2 sizes 3 6 edges (0,1); }", "2:35: there is no group 0");
    expect_said("program { tree 5 min 1; }", "`levels` is missing");
    expect_said("program { tree 5 levels 1; }", "2:18: a tree has from 2 to 16 levels");
    expect_said("program { tree 5 levels 3 min 9; }", "2:27: a tree of 5 processes and 3 levels");
    expect_said("program { grups 4; }", "2:11: `grups` is no kind of program");
    expect_said("program { groups; }", "the number of processes is missing");
    expect_said("program { groups 4.5; }", "must be a whole number, not `4.5`");
    expect_said("program { groups 16 max 4; }", "2:21: unexpected `max`");
    expect_said("program { groups 16 min 4 min 4; }", "2:27: `min` is given twice");
    expect_said("program { groups 4; ring 3; }", "2:21: a second program");
    expect_said("program { }", "2:1: an empty program");
    expect_said("program { groups 4 }", "missing `;`");
}

static void expect_refused(const AmogetProgram *from, const char *wanted)
{
    AmogetProgram *program = NULL;
    PepaError err = {0};
    cr_expect_eq(amoget_program_new(&program, from, &err), PEPA_EARG);
    cr_expect_null(program);
    cr_expect_str_eq(err.message, wanted);
}

/* What no description can say. */
Test(program, filled_in_wrong)
{
    int32_t sizes[] = {1, 2};
    const AmogetProgram unknown = {.kind = (AmogetProgramKind)9, .processes = 3},
                        no_sizes = {.kind = AMOGET_GRAPH, .processes = 3, .group_count = 2},
                        no_edges = {.kind = AMOGET_GRAPH,
                                    .processes = 3,
                                    .group_count = 2,
                                    .sizes = sizes,
                                    .edge_count = 1},
                        negative = {.kind = AMOGET_SINGLETON, .processes = 3, .edge_count = -1},
                        elsewhere = {.kind = AMOGET_SINGLETON, .processes = 3, .group_count = 2};
    expect_refused(&unknown, "there is no kind 9 of programs");
    expect_refused(&no_sizes, "sizes or edges are NULL, but there are some");
    expect_refused(&no_edges, "sizes or edges are NULL, but there are some");
    expect_refused(&negative, "a number of groups or edges is negative");
    expect_refused(&elsewhere, "sizes or edges are NULL, but there are some");
    cr_expect_str_eq(amoget_program_kind(unknown.kind), "");
    cr_expect_str_eq(amoget_program_kind(AMOGET_SINGLETON), "singleton");
}

Test(program, latencies_of_all_pairs)
{
    Text found = {0};
    cr_expect_null(described("processors { h1 time 1; h2 time 1; } program { groups 1; }", &found));
    cr_expect_not_null(strstr(found.text, "1:25: no latency between `h1` and `h2`"), "%s",
                       found.text);
    text_free(&found);
}

/* ---- XML ------------------------------------------------------------------------------------ */

static AmogetProgram *in_xml(const char *text, Text *found, PepaStatus *status)
{
    AmogetProgram *program = NULL;
    PepaError err = {0};
    found->length = 0;
    text_add(found, "%s", "");
    *status = program_xml_read(&program, "test.xml", text, strlen(text), hear, found, &err);
    cr_expect_eq(*status == PEPA_OK, program != NULL);
    cr_expect(*status == PEPA_OK || found->length > 0, "%s: refused without a word", text);
    return program;
}

static bool validates(const char *text)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt("grid/taag/files/program.rng");
    xmlRelaxNGPtr schema = xmlRelaxNGParse(parser);
    cr_assert_not_null(schema);
    xmlRelaxNGValidCtxtPtr valid = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidErrors(valid, NULL, NULL, NULL);
    xmlDocPtr doc = xmlReadMemory(text, (int)strlen(text), "t", NULL, XML_PARSE_NOERROR);
    bool good = doc && xmlRelaxNGValidateDoc(valid, doc) == 0;
    xmlFreeDoc(doc);
    xmlRelaxNGFreeValidCtxt(valid);
    xmlRelaxNGFree(schema);
    xmlRelaxNGFreeParserCtxt(parser);
    return good;
}

Test(program, xml)
{
    static const char *const good[] = {
        "<program><groups processes='16' least='4' divisor='2'/></program>",
        "<program><ring processes='16'/></program>",
        "<?xml version='1.0'?>\n<program><!-- deep --><tree processes='19' levels='3' "
        "least='5'/></program>",
        "<program><singleton processes=' 8\n'/></program>",
        "<program><graph><group size='3'/><group size='6'/><edge from='2' to='1'/></graph>"
        "</program>",
    };
    static const int32_t processes[] = {16, 16, 19, 8, 9};
    Text found = {0};
    PepaStatus status;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        AmogetProgram *p = in_xml(good[i], &found, &status);
        cr_assert_not_null(p, "%s: %s", good[i], found.text);
        cr_expect_eq(p->processes, processes[i]);
        cr_expect(validates(good[i]), "%s", good[i]);
        amoget_program_free(p);
    }
    text_free(&found);
}

Test(program, round_in_xml)
{
    static const char good[] = "<program work='2.5' data='8e4' exchange='1000000' phases='5'>"
                               "<ring processes='12'/></program>";
    static const char *const wrong[][2] = {
        {"work='-1'", "`work` must be a number from 1e-30 to 1e30, not `-1`"},
        {"work='0'", "`work` must be a number from 1e-30 to 1e30, not `0`"},
        {"work='1e-31'", "`work` must be a number from 1e-30 to 1e30, not `1e-31`"},
        {"data='80kB'", "`data` must be a number from 0 to 1e30, not `80kB`"},
        {"exchange='2e30'", "`exchange` must be a number"},
        {"phases='0'", "the number of phases must be from 1 to 100, not 0"},
        {"phases='101'", "the number of phases must be from 1 to 100, not 101"},
        {"phases='x'", "`phases` must be a whole number"},
        {"speed='1'", "<program> has no attribute `speed`"},
    };
    Text found = {0};
    PepaStatus status;
    AmogetProgram *p = in_xml(good, &found, &status);
    cr_assert_not_null(p, "%s", found.text);
    cr_expect(p->work == 2.5 && p->data == 8e4 && p->exchange == 1e6 && p->phases == 5);
    cr_expect(validates(good));
    amoget_program_free(p);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "<program %s><ring processes='12'/></program>",
                       wrong[i][0]);
        cr_expect_null(in_xml(text, &found, &status), "%s", text);
        cr_expect_not_null(strstr(found.text, wrong[i][1]), "%s:\n%s", text, found.text);
        cr_expect(!validates(text), "%s", text);
    }
    text_free(&found);
}

#define GROUPS_2 "<program><graph>\n<group size='3'/><group size='4'/>\n"

Test(program, xml_wrong)
{
    static const struct {
        const char *text, *said;
        PepaStatus status;
    } wrong[] = {
        {"", "1:1: the text is empty", PEPA_ESYNTAX},
        {"<program>\n<groups processes='1'></program>", "2:", PEPA_ESYNTAX},
        {"<?xml version='1.0' encoding='UTF-7'?><program><!-- \xff --></program>", "UTF-8",
         PEPA_ESYNTAX},
        {"<program/>", "1:1: an empty program", PEPA_EMODEL},
        {"<programme/>", "1:1: <programme> cannot stand here", PEPA_EMODEL},
        {"<program>\n <groups/></program>", "2:2: <groups> needs the attribute `processes`",
         PEPA_EMODEL},
        {"<program>\n <groups processes='x'/></program>", "2:10: `processes` must be a whole",
         PEPA_EMODEL},
        {"<program><groups processes='4' size='1'/></program>", "has no attribute `size`",
         PEPA_EMODEL},
        {"<program><ring processes='4'/><ring processes='4'/></program>", "1:31: a second kind",
         PEPA_EMODEL},
        {"<program><graph><tree/></graph></program>", "1:17: <tree> cannot stand here",
         PEPA_EMODEL},
        {"<program>\n<tree processes='9' levels = '3' least='99999999999'/></program>",
         "2:34: `least` must be a whole number up to 2147483647, not `99999999999`", PEPA_EMODEL},
        {"<program><ring processes='4' size = 'least='/></program>",
         "1:30: <ring> has no attribute", PEPA_EMODEL},
        {"<program xmlns='urn:x'><ring processes='4'/></program>", "is in the namespace `urn:x`",
         PEPA_EMODEL},
        {"<program>\n<graph>\n<group size='3'/>\n<group size='0'/></graph></program>",
         "4:8: group 2 must have at least 1 process, not 0", PEPA_EMODEL},
        {GROUPS_2 "<edge from='1' to='7'/></graph></program>", "3:1: there is no group 7",
         PEPA_EMODEL},
        {GROUPS_2 "<edge from='1' to='2'/>\n<edge from='2' to='2'/></graph></program>",
         "4:1: an edge joins two groups", PEPA_EMODEL},
        {GROUPS_2 "<edge from='1' to='2'/>\n\n<edge from='2' to='1'/></graph></program>",
         "5:1: the edge between groups 1 and 2 is given twice", PEPA_EMODEL},
        {"<program>\n<graph>\n<group size='3'>\n</graph>\n</program>",
         "4:9: this is not XML: Opening and ending tag mismatch: group line 3 and graph",
         PEPA_ESYNTAX},
        {"<program>\n<groups processes='4' least='<'/></program>",
         "this is not XML: Unescaped '<' not allowed in attributes values", PEPA_ESYNTAX},
        {"<program>\n<groups processes=4/></program>",
         "2:19: this is not XML: AttValue: \" or ' expected", PEPA_ESYNTAX},
        {"<program>\n<groups processes='4' / ></program>", "this is not XML: ", PEPA_ESYNTAX},
        {"<program>four</program>", "1:10: text cannot stand here", PEPA_EMODEL},
        {"<program>\n <![CDATA[ four ]]></program>", "2:12: text cannot stand here", PEPA_EMODEL},
        {"<?xml version='1.0' encoding='ISO-8859-1'?><program>\xe4</program>",
         "1:53: the text is not UTF-8", PEPA_ESYNTAX},
        {"\xff\xfe<", "1:1: the text is not UTF-8", PEPA_ESYNTAX},
        {"<!DOCTYPE a [<!ENTITY b 'c'>]><program>&b;</program>", "a document type is not allowed",
         PEPA_EMODEL},
    };
    Text found = {0};
    PepaStatus status;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_null(in_xml(wrong[i].text, &found, &status), "%s", wrong[i].text);
        cr_expect_eq(status, wrong[i].status, "%s: %d", wrong[i].text, status);
        cr_expect_not_null(strstr(found.text, wrong[i].said), "%s:\n%s", wrong[i].text, found.text);
        cr_expect(wrong[i].status != PEPA_ESYNTAX ||
                      strchr(found.text, '\n') == found.text + found.length - 1,
                  "%s:\n%s", wrong[i].text, found.text);
        cr_expect(!validates(wrong[i].text) || strstr(wrong[i].text, "DOCTYPE") ||
                  strstr(wrong[i].text, "<edge"));
    }
    text_free(&found);
}

/* However much of it libxml2 has read ahead. */
Test(program, xml_places_in_a_long_text)
{
    enum { GROUPS = 6000 };
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "<program>\n<graph>\n");
    for (int i = 0; i < GROUPS; i++)
        text_add(&text, "<group size='%s'/>\n", i % 2000 == 500 ? "x" : "1");
    text_add(&text, "</graph></program>\n");
    cr_expect_null(in_xml(text.text, &found, &status));
    for (int i = 500; i < GROUPS; i += 2000) {
        char place[64];
        (void)snprintf(place, sizeof place, "%d:8: `size` must be a whole number, not `x`", i + 3);
        cr_expect_not_null(strstr(found.text, place), "%s", place);
    }
    text_free(&text);
    text_free(&found);
}

/* A document with a byte changed or cut is read or refused, with words. */
Test(program, xml_damaged)
{
    const char *whole =
        "<program><graph><group size='3'/><edge from='1' to='1'/></graph></program>";
    Text found = {0};
    PepaStatus status;
    char text[128];
    for (size_t at = 0; at < strlen(whole); at++)
        for (int byte = 0; byte < 256; byte += byte < 128 ? 1 : 17) {
            (void)snprintf(text, sizeof text, "%s", whole);
            text[at] = (char)byte;
            amoget_program_free(in_xml(text, &found, &status));
        }
    text_free(&found);
}
