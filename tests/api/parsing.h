/* Models from text, through the public header. */
#ifndef TESTS_API_PARSING_H
#define TESTS_API_PARSING_H

#include <criterion/criterion.h>
#include <string.h>

#include "pepa.h"

/* With the value of one rate, unless `define` is NULL. */
static inline PepaModel *parse_with(const char *text, const PepaDefine *define)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    PepaReading how = {.defines = define, .define_count = define != NULL};
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), &how, &err), PEPA_OK, "%s\n%s",
                 err.message, text);
    return model;
}

static inline PepaModel *parse(const char *text)
{
    return parse_with(text, NULL);
}

#endif
