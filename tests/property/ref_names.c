/* Names of local states: see RefNames in ref_model.h. */
#include "property/ref_model.h"

#include <stdlib.h>
#include <string.h>

static bool defined(const RefModel *model, const char *name)
{
    for (int p = 0; p < model->process_count; p++)
        if (strcmp(model->process[p].name, name) == 0)
            return true;
    return false;
}

static char *fresh(const RefModel *model, const char *base, int *number)
{
    for (;;) {
        Text name = {0};
        text_add(&name, "%s_%d", base, ++*number);
        if (name.failed)
            abort();
        if (!defined(model, name.text))
            return name.text;
        text_free(&name);
    }
}

static bool known(const RefNames *names, const RefTerm *term)
{
    for (size_t i = 0; i < names->term.count; i++)
        if (ref_term_compare(names->term.item[i], term) == 0)
            return true;
    return false;
}

static void walk(const RefModel *model, RefNames *names, const char *base, int *number,
                 const RefTerm *term);

static void name_anonymous(const RefModel *model, RefNames *names, const char *base, int *number,
                           const RefTerm *term)
{
    bool anonymous = term->kind == REF_PREFIX || term->kind == REF_CHOICE;
    if (anonymous && !known(names, term)) {
        ref_terms_add(&names->term, term);
        char **grown = mem_resize(names->name, names->term.count, sizeof *grown);
        if (!grown)
            abort();
        names->name = grown;
        names->name[names->term.count - 1] = fresh(model, base, number);
    }
    walk(model, names, base, number, term);
}

static void walk(const RefModel *model, RefNames *names, const char *base, int *number,
                 const RefTerm *term)
{
    if (term->kind == REF_PREFIX)
        name_anonymous(model, names, base, number, term->next);
    for (int i = 0; i < term->parts; i++)
        walk(model, names, base, number, term->part[i]);
}

static void walk_static(const RefModel *model, RefNames *names, const char *base, int *number,
                        const RefStatic *part)
{
    if (!part)
        return;
    if (part->kind == REF_LEAF)
        name_anonymous(model, names, base, number, part->leaf);
    walk_static(model, names, base, number, part->left);
    walk_static(model, names, base, number, part->right);
}

RefNames ref_names(const RefModel *model)
{
    RefNames names = {0};
    int number;
    for (int p = 0; p < model->process_count; p++) {
        const RefProcess *process = &model->process[p];
        number = 1;
        if (process->body)
            walk(model, &names, process->name, &number, process->body);
        walk_static(model, &names, process->name, &number, process->system);
    }
    number = 0;
    walk_static(model, &names, "System", &number, model->system);
    return names;
}

const char *ref_name(const RefModel *model, const RefNames *names, const RefTerm *term)
{
    if (term->kind == REF_CONSTANT)
        return model->process[term->process].name;
    for (size_t i = 0; i < names->term.count; i++)
        if (ref_term_compare(names->term.item[i], term) == 0)
            return names->name[i];
    return "Stop";
}

void ref_names_free(RefNames *names)
{
    for (size_t i = 0; i < names->term.count; i++)
        mem_free(names->name[i]);
    mem_free(names->name);
    ref_terms_free(&names->term);
    *names = (RefNames){0};
}
