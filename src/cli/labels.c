/* Labels of states: the predicates of --label, with names that other tools take. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

/* Where the name in "name = predicate" ends, after blanks are skipped at *text; NULL: there is
 * none, or no identifier. */
static const char *name_end(const char **text)
{
    const char *p = *text += strspn(*text, " \t");
    if (!isalpha((unsigned char)*p) && *p != '_')
        return NULL;
    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    return p;
}

static int read_label(Session *s, const char *text, Label *out)
{
    PepaError err = {0};
    const char *name = text, *end = name_end(&name);
    const char *equals = end ? end + strspn(end, " \t") : NULL;
    if (!equals || *equals != '=' || equals[1] == '=')
        return fail(
            EXIT_USAGE,
            "pepa export: --label '%s': give 'NAME = PREDICATE', the name in letters, digits "
            "and _",
            text);
    out->name = strndup(name, (size_t)(end - name));
    if (!out->name)
        return out_of_memory();
    const char *predicate = equals + 1 + strspn(equals + 1, " \t");
    PepaStatus status = pepa_predicate_new(&out->predicate, s->model, "--label", predicate,
                                           strlen(predicate), session_diagnose, s, &err);
    if (status == PEPA_OK)
        return EXIT_SOLVED;
    return status == PEPA_EARG ? EXIT_USAGE : complain(s, status, &err);
}

/* PRISM and Storm have labels of these names. */
static bool is_taken(const Session *s, size_t label)
{
    const char *name = s->labels[label].name;
    bool taken = strcmp(name, "init") == 0 || strcmp(name, "deadlock") == 0;
    for (size_t i = 0; i < label; i++)
        taken = taken || strcmp(s->labels[i].name, name) == 0;
    return taken;
}

int session_labels(Session *s)
{
    const Options *o = s->options;
    int status = EXIT_SOLVED;
    if (o->label_count == 0)
        return EXIT_SOLVED;
    s->labels = calloc(o->label_count, sizeof *s->labels);
    if (!s->labels)
        return out_of_memory();
    for (size_t i = 0; i < o->label_count && status == EXIT_SOLVED; i++) {
        status = read_label(s, o->labels[i], &s->labels[i]);
        if (status == EXIT_SOLVED && is_taken(s, i))
            status =
                fail(EXIT_USAGE, "pepa export: there is a label `%s` already", s->labels[i].name);
    }
    return status;
}

int labels_find(Session *s)
{
    PepaError err = {0};
    for (size_t i = 0; i < s->options->label_count; i++) {
        Label *label = &s->labels[i];
        label->holds = calloc((size_t)s->info.states + 1, 1);
        if (!label->holds)
            return out_of_memory();
        PepaStatus status = pepa_predicate_states(label->predicate, s->chain, label->holds, &err);
        if (status != PEPA_OK)
            return complain(s, status, &err);
    }
    return EXIT_SOLVED;
}

void labels_free(Session *s)
{
    for (size_t i = 0; s->labels && i < s->options->label_count; i++) {
        free(s->labels[i].name);
        free(s->labels[i].holds);
        pepa_predicate_free(s->labels[i].predicate);
    }
    free(s->labels);
}
