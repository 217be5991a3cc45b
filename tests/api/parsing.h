/* Models and measures from text, through the public header. */
#ifndef TESTS_API_PARSING_H
#define TESTS_API_PARSING_H

#include <criterion/criterion.h>
#include <string.h>

#include "pepa_measure.h"

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

/* For the caller to free. */
static inline PepaMeasures *parse_measures(const PepaModel *model, const char *text)
{
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", text, strlen(text), NULL, NULL, &err), PEPA_OK,
                 "%s", err.message);
    return measures;
}

#endif
