/* Reading models in tests: what was found, and what came out. */
#ifndef TESTS_PARSER_READING_H
#define TESTS_PARSER_READING_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parser/check.h"
#include "parser/parse.h"
#include "scale.h"

static inline void list_findings(const Source *source, const DiagList *diags, Text *out)
{
    text_add(out, "%s", "");
    for (size_t i = 0; i < diags->count; i++) {
        const Diag *diag = &diags->items[i];
        uint32_t line = 0, column = 0;
        if (diag->span.begin != SPAN_NOWHERE)
            source_place(source, diag->span.begin, &line, &column);
        text_add(out, "%u:%u: %s: %s\n", line, column,
                 diag->severity == PEPA_ERROR ? "error" : "warning", diag->message);
    }
}

/* The model, or NULL; what was found goes to `found`, which the caller frees. */
static inline Model *read_bytes(const char *text, size_t length, PepaStatus *status, Text *found)
{
    Model *model = NULL;
    DiagList diags = {0};
    PepaError err;
    *status = model_read(&model, "test.pepa", text, length, NULL, 0, &diags, &err);
    cr_assert_eq(*status == PEPA_OK, model != NULL);
    cr_assert_eq(*status == PEPA_OK, diags.errors == 0);
    Source source = {"test.pepa", text, length};
    list_findings(&source, &diags, found);
    diag_free(&diags);
    return model;
}

/* Read `text` and compare everything that is found with `wanted`, a line "1:2: error: ..." each. */
static inline void expect_findings(const char *text, PepaStatus wanted_status, const char *wanted)
{
    PepaStatus status;
    Text found = {0};
    Model *model = read_bytes(text, strlen(text), &status, &found);
    cr_expect_str_eq(found.text, wanted, "in\n%s\nfound\n%swanted\n%s", text, found.text, wanted);
    cr_expect_eq(status, wanted_status, "status %d, wanted %d, in\n%s", status, wanted_status,
                 text);
    text_free(&found);
    model_free(model);
}

/* The model of a text without errors. */
static inline Model *expect_model(const char *text)
{
    PepaStatus status;
    Text found = {0};
    Model *model = read_bytes(text, strlen(text), &status, &found);
    cr_assert_eq(status, PEPA_OK, "found in\n%s\n%s", text, found.text);
    text_free(&found);
    return model;
}

static inline int32_t find_local(const Model *model, const char *name)
{
    for (int32_t i = 0; i < model->local_count; i++)
        if (strcmp(model->locals[i].name, name) == 0)
            return i;
    return -1;
}

static inline int32_t find_rate(const Model *model, const char *name)
{
    for (int32_t i = 0; i < model->rate_count; i++)
        if (strcmp(model->rates[i].name, name) == 0)
            return i;
    return -1;
}

/* `text` parsed and printed; the caller frees `out`. */
static inline void print_of(const char *text, Text *out)
{
    size_t length = strlen(text);
    char *copy = calloc(length + 2, 1);
    memcpy(copy, text, length);
    Source source = {"test.pepa", copy, length};
    Arena arena = {0};
    DiagList diags = {0};
    Text found = {0};
    Ast *ast = NULL;
    PepaStatus status = parse_text(&source, &arena, &ast, &diags);
    list_findings(&source, &diags, &found);
    cr_assert_eq(status, PEPA_OK, "in\n%s\nfound\n%s", text, found.text);
    ast_print(ast, out);
    cr_assert(!out->failed);
    text_free(&found);
    diag_free(&diags);
    arena_free(&arena);
    free(copy);
}

static inline void expect_print(const char *text, const char *wanted)
{
    Text printed = {0};
    print_of(text, &printed);
    cr_expect_str_eq(printed.text, wanted, "%s\nprints as\n%swanted\n%s", text, printed.text,
                     wanted);
    text_free(&printed);
}

/* `text` `count` times, the last time without its last `less` bytes. */
static inline void repeat(Text *out, const char *text, int count, size_t less)
{
    for (int i = 0; i < count; i++)
        text_add(out, "%s", text);
    cr_assert(!out->failed && out->length >= less);
    out->length -= less;
    out->text[out->length] = '\0';
}

/* The values of all rates when one of them is given another value. */
static inline void force(const Model *model, int32_t rate, double value, Value *values)
{
    double forced[64];
    cr_assert_leq(model->rate_count, 64);
    for (int32_t i = 0; i < model->rate_count; i++)
        forced[i] = i == rate ? value : NAN;
    model_rate_values(model, forced, values);
}

static inline void expect_syntax(const char *text, const char *wanted)
{
    expect_findings(text, PEPA_ESYNTAX, wanted);
}

#endif
