/* The language of descriptions: what can be written, and what is said of what cannot. */
#include <math.h>

#include "describing.h"

#define HEAD "pipeline { stage a; stage b; } processors { x time 1; y time 2; }\n"
#define NET  "network { latency default 1; latency local 1; }\n"

Test(desc_syntax, everything)
{
    AmogetDescription *desc = expect_description(
        "# free layout\nmappings{(1,local1);(1\n,1);}input 1 size 8KB;network{bandwidth default "
        "100MB;bandwidth local 9GB;latency local 1ms;latency default 2 ms;}\r\n\toutput local1; "
        "fast=0.5 s;processors "
        "{ local1 cluster c availability .5 time fast cores 4;1 time 1e0;}pipeline {stage 1 "
        "output 4MB work 2;stage 07;}# end");
    cr_expect_eq(amoget_stage_count(desc), 2);
    cr_expect_str_eq(amoget_stage_name(desc, 1), "07");
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 2);
    cr_expect_str_eq(amoget_processor_name(amoget_machine(desc), 0), "local1");
    cr_expect_eq(desc->work[0], 2);
    cr_expect_eq(desc->output[0], 8000);
    cr_expect_eq(desc->output[1], 4e6);
    cr_expect_eq(desc->machine->time[0], 0.5);
    cr_expect_eq(desc->machine->availability[0], 0.5);
    cr_expect_eq(desc->machine->cores[0], 4);
    cr_expect_eq(desc->input, 1);
    cr_expect_eq(desc->output_to, 0);
    cr_expect_eq(amoget_mapping_count(desc), 2);
    cr_expect_eq(amoget_mapping(desc, 0)[1], 0);
    cr_expect_eq(latency_of(desc, "1", "local1"), 0.002);
    cr_expect_eq(latency_of(desc, "1", "1"), 0.001);
    cr_expect_eq(bandwidth_of(desc, "1", "local1"), 1e8);
    amoget_free(desc);
}

Test(desc_syntax, keywords_are_names_too)
{
    AmogetDescription *desc = expect_description(
        "size = 4MB; latency = 2; output = 3MB; time = 7; s = 3; network = 1;\n"
        "pipeline { stage stage work time output size; stage input output output; stage default;\n"
        "  stage output work network; stage ms; }\n"
        "processors { processors time time cluster cluster; time time 1; s time s;\n"
        "  pipeline cores 2 time 1s cluster cluster; }\n"
        "network { latency default latency; latency local 1; latency time pipeline 5;\n"
        "  latency cluster s 4; bandwidth default size; bandwidth local size; bandwidth cluster s "
        "7; latency s s s; }\n"
        "mappings { (time,s,time,s,pipeline); }\ninput pipeline; output time;\n");
    cr_expect_eq(desc->work[0], 7);
    cr_expect_eq(desc->output[1], 4e6);
    cr_expect_eq(desc->work[3], 1);
    cr_expect_eq(desc->machine->time[0], 7);
    cr_expect_eq(desc->machine->time[2], 3);
    cr_expect_eq(latency_of(desc, "s", "s"), 3);
    cr_expect_eq(latency_of(desc, "processors", "time"), 2);
    cr_expect_eq(latency_of(desc, "pipeline", "s"), 4);
    cr_expect_eq(latency_of(desc, "processors", "s"), 4);
    cr_expect_eq(bandwidth_of(desc, "s", "pipeline"), 7);
    cr_expect_eq(desc->input, 3);
    amoget_free(desc);
}

Test(desc_syntax, byte_order_mark_and_empty_files)
{
    AmogetDescription *desc = expect_description("\xEF\xBB\xBF" HEAD NET);
    amoget_free(desc);
    expect_found("", PEPA_EMODEL,
                 "1:1: error: no stages: they are declared in `pipeline { stage NAME; ... }`\n"
                 "1:1: error: no processors: they are declared in `processors { NAME time "
                 "SECONDS; ... }`\n");
    expect_found("pipeline { }\nprocessors { }", PEPA_EMODEL,
                 "1:1: error: no stages: they are declared in `pipeline { stage NAME; ... }`\n"
                 "2:1: error: no processors: they are declared in `processors { NAME time "
                 "SECONDS; ... }`\n");
}

Test(desc_syntax, unknown_keywords)
{
    expect_found("pipelin { stage a; stage b; }\nfoo 3;\nprocessors { x tiem 1; }", PEPA_ESYNTAX,
                 "1:1: error: unknown keyword `pipelin`; did you mean `pipeline`?\n"
                 "2:1: error: unknown keyword `foo`; a definition is written `name = value;`\n"
                 "3:16: error: unexpected `tiem`; did you mean `time`?\n");
    expect_found("network { latancy a b 1; bandwidth a b 2 availability 3; }\nstage a;\nlatency 1;",
                 PEPA_ESYNTAX,
                 "1:11: error: unexpected `latancy`; did you mean `latency`?\n"
                 "1:42: error: unexpected `availability`; expected a unit or `;`\n"
                 "2:1: error: `stage` belongs in the block `pipeline { ... }`\n"
                 "3:1: error: `latency` belongs in the block `network { ... }`\n");
    expect_found("network { latency a b 1 mss; latency a b 3 sec; }", PEPA_ESYNTAX,
                 "1:25: error: unexpected `mss`; did you mean `ms`?\n"
                 "1:44: error: unknown unit `sec`; times have ns, us, ms, s, min or h\n");
    expect_found("imput 1;", PEPA_ESYNTAX,
                 "1:1: error: unknown keyword `imput`; did you mean `input`?\n");
}

Test(desc_syntax, what_is_expected)
{
    expect_found("; input ; input 1 2; input 1 size;", PEPA_ESYNTAX,
                 "1:1: error: unexpected `;`; expected a definition, `pipeline`, `output`, "
                 "`processors`, `network`, `mappings`, `input`, `sharing`, `transfer`, "
                 "`include` or `program`\n"
                 "1:9: error: unexpected `;`; expected a name\n"
                 "1:19: error: unexpected `2`; expected `size` or `;`\n"
                 "1:34: error: unexpected `;`; expected a value\n");
    expect_found("network { latency 1 2; latency; latency 3 default 1; latency 0.5 1; }",
                 PEPA_ESYNTAX,
                 "1:22: error: unexpected `;`; expected a value\n"
                 "1:31: error: unexpected `;`; expected a name, `default` or `local`\n"
                 "1:43: error: unexpected `default`; expected a name\n"
                 "1:62: error: unexpected `0.5`; expected a name, `default` or `local`\n");
    expect_found("pipeline { stage; stage a work; stage b 3; } mappings { (1 2); (); 3; }",
                 PEPA_ESYNTAX,
                 "1:17: error: unexpected `;`; expected a name\n"
                 "1:31: error: unexpected `;`; expected a value\n"
                 "1:41: error: unexpected `3`; expected `work`, `output`, `phases` or `;`\n"
                 "1:60: error: unexpected `2`; expected `,` or `)`\n"
                 "1:65: error: unexpected `)`; expected a name\n"
                 "1:68: error: unexpected `3`; expected `(` or `}`\n");
    expect_found("processors { a time availability 0.5; b 3; }", PEPA_ESYNTAX,
                 "1:21: error: a value is missing before `availability`\n"
                 "1:41: error: unexpected `3`; expected `time`, `availability`, `cores`, "
                 "`memory`, `address`, `cluster` or `;`\n");
    expect_found("include f; include \"f\" 3; include \"\";", PEPA_ESYNTAX,
                 "1:9: error: unexpected `f`; expected a quoted text\n"
                 "1:24: error: unexpected `3`; expected `max-age` or `;`\n"
                 "1:35: error: nothing between the quotes\n");
}

/* What is missing is clear: the rest is checked all the same. */
Test(desc_syntax, slips)
{
    expect_found("pipeline { stage a stage b\n stage c }\nprocessors { x time 1; y time 0 }\n"
                 "network { latency default 1 latency local 1 bandwidth x y 2 }\n"
                 "mappings { (x,y,y) (x,x,z) }",
                 PEPA_ESYNTAX,
                 "1:19: error: missing `;`\n1:27: error: missing `;`\n2:9: error: missing `;`\n"
                 "3:31: error: the time must be positive, not 0\n"
                 "3:32: error: missing `;`\n"
                 "4:28: error: missing `;`\n4:44: error: missing `;`\n4:60: error: missing `;`\n"
                 "5:19: error: missing `;`\n"
                 "5:25: error: there is no processor `z`\n5:27: error: missing `;`\n");
    expect_found("pipeline { stage a;\nprocessors { x time 1; }\nnetwork { latency x y 1; }",
                 PEPA_ESYNTAX,
                 "1:20: error: missing `}`: a block cannot stand in another\n"
                 "3:21: error: there is no processor `y`\n");
}

Test(desc_syntax, semicolons_that_hide_the_next_statement)
{
    expect_found("input 1\noutput 2;\nprocessors { a time 1\n b time 2; }", PEPA_ESYNTAX,
                 "1:8: error: missing `;`\n3:22: error: missing `;`\n");
}

/* Where to go with it is said once, by what comes first. */
Test(desc_syntax, a_model)
{
    expect_found("P = (a, 1); Q = (b, 2); // all", PEPA_ESYNTAX,
                 "1:5: error: unexpected `(`; expected a value; PEPA models are for `pepa solve`\n"
                 "1:17: error: unexpected `(`; expected a value\n");
    expect_found(
        "// all\nP = (a, 1); // and more", PEPA_ESYNTAX,
        "1:1: error: a comment begins with `#`, not `//`; PEPA models are for `pepa solve`\n"
        "2:5: error: unexpected `(`; expected a value\n");
}

Test(desc_syntax, braces)
{
    expect_found("}\n" HEAD "pipeline { stage c;", PEPA_ESYNTAX,
                 "1:1: error: unexpected `}`: no block is open\n"
                 "3:10: error: this `{` is never closed\n");
    expect_found("pipeline stage a; }", PEPA_ESYNTAX,
                 "1:10: error: unexpected `stage`; expected `{`\n1:19: error: unexpected `}`: no "
                 "block is open\n");
    expect_found("processors { a { time 1; } time 3; }\nx { y { z; } w; }\ninput { 1; }",
                 PEPA_ESYNTAX,
                 "1:16: error: unexpected `{`; expected `time`, `availability`, `cores`, "
                 "`memory`, `address`, `cluster` or `;`\n"
                 "1:33: error: unexpected `3`; expected `time`, `availability`, `cores`, "
                 "`memory`, `address`, `cluster` or `;`\n"
                 "2:1: error: unknown keyword `x`; a definition is written `name = value;`\n"
                 "3:7: error: unexpected `{`; expected a name\n");
    expect_found("x { pipeline { stage a; }\nprocessors { b time 1; }\n", PEPA_ESYNTAX,
                 "1:1: error: unknown keyword `x`; a definition is written `name = value;`\n");
}

Test(desc_syntax, characters)
{
    expect_found("x = 3$;\ny = \"a", PEPA_ESYNTAX,
                 "1:6: error: unexpected character `$`\n"
                 "2:5: error: the quoted text is never closed\n");
    expect_found("x = 1 \xC3\xA9;\ny = \xFF;\nz = \x01;", PEPA_ESYNTAX,
                 "1:7: error: unexpected character `\xC3\xA9`\n"
                 "2:5: error: byte 0xFF: the text is not UTF-8\n"
                 "3:5: error: unexpected control character 0x01\n");
    expect_found("processors { node-1 time 1; b.c time 2; }", PEPA_ESYNTAX,
                 "1:14: error: `node-1` is not a name: names are letters, digits and `_`; what a "
                 "host is called is the `address` of its processor\n"
                 "1:29: error: `b.c` is not a name: names are letters, digits and `_`; what a host "
                 "is called is the `address` of its processor\n");
    expect_found("x = 1e999;", PEPA_ESYNTAX, "1:5: error: the number is too large: not finite\n");
    PepaError err;
    AmogetDescription *desc = NULL;
    cr_expect_eq(amoget_parse(&desc, "n", "x\n \0;", 5, NULL, &err), PEPA_ESYNTAX);
    cr_expect_str_eq(err.message, "a NUL byte: this is not text in UTF-8");
    cr_expect(err.line == 2 && err.column == 2);
}

Test(desc_syntax, carets)
{
    AmogetDescription *desc = NULL;
    PepaError err;
    const char *text = "pipeline { stage a; }\n\tnetwork { latency x \xC3\xA9; }";
    cr_expect_eq(amoget_parse(&desc, "n", text, strlen(text), NULL, &err), PEPA_ESYNTAX);
    cr_expect(err.line == 2 && err.column == 22, "%u:%u", err.line, err.column);
}

Test(desc_syntax, a_hundred_errors_are_enough)
{
    Hearing hearing = {0};
    Text text = {0};
    PepaStatus status;
    PepaError err;
    size_t lines = 0;
    for (int i = 0; i < 1000; i++)
        text_add(&text, "input;\n");
    read_with(text.text, &hearing, &status, &err);
    for (const char *at = hearing.found.text; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(status, PEPA_ESYNTAX);
    cr_expect(lines > 90 && lines < 110, "%zu", lines);
    text_free(&text);
    text_free(&hearing.found);
}
