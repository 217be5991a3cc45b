/* Models and chains for tests, straight from text. */
#ifndef PEPA_TESTS_SUPPORT_H
#define PEPA_TESTS_SUPPORT_H

#include <criterion/criterion.h>
#include <string.h>

#include "ctmc/chain.h"
#include "parser/check.h"
#include "settings.h"

static inline Model *model_of(const char *text)
{
    DiagList diags = {0};
    PepaError err = {0};
    Model *model = NULL;
    PepaStatus status = model_read(&model, "test", text, strlen(text), NULL, 0, &diags, &err);
    cr_assert_eq(status, PEPA_OK, "%s\n%s", diags.count ? diags.items[0].message : err.message,
                 text);
    diag_free(&diags);
    return model;
}

/* A chain and the model that it borrows. */
typedef struct {
    Model *model;
    Chain *chain;
    DiagList diags;
    PepaStatus status;
} Derived;

static inline Derived derive(const char *text, int aggregate)
{
    PepaSettings set = settings_for_tests();
    PepaError err = {0};
    Derived d = {.model = model_of(text)};
    set.derive.separate_copies = !aggregate;
    d.status = chain_derive(&d.chain, d.model, &set, &d.diags, &err);
    return d;
}

static inline void derived_free(Derived *d)
{
    chain_free(d->chain);
    model_free(d->model);
    diag_free(&d->diags);
}

/* Does some finding contain `words`? */
static inline bool says(const DiagList *diags, const char *words)
{
    for (size_t i = 0; i < diags->count; i++)
        if (strstr(diags->items[i].message, words))
            return true;
    return false;
}

/* Sum of the rates of `action` out of `state`, and to `target` only unless that is -1. */
static inline double rate_of(const Chain *c, int32_t state, const char *action, int32_t target)
{
    double sum = 0;
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++)
        if (strcmp(c->model->actions[c->actions[chain_action(c, k)]], action) == 0 &&
            (target < 0 || c->target[k] == target))
            sum += chain_rate(c, c->now.term, k);
    return sum;
}

#endif
