/* amoget_read_mapping: a mapping from the words of a person. */
#include <string.h>

#include "amoget/description/description.h"
#include "base/intern.h"

static PepaStatus no_mapping(const char *text, PepaError *err)
{
    return error_set(err, PEPA_EARG,
                     "a mapping is a processor per stage, as in 1,2,1, not `%.100s`", text);
}

static PepaStatus unknown(const AmogetDescription *desc, const char *name, PepaError *err)
{
    enum { SHOWN = 8 };
    const Intern *names = &desc->machine->names;
    const char *meant = suggest(name, names->names, names->count);
    if (meant)
        return error_set(err, PEPA_EARG, "there is no processor `%.60s`; did you mean `%.60s`?",
                         name, meant);
    char list[120] = "";
    size_t at = 0, j = 0;
    for (; j < names->count && j < SHOWN; j++) {
        size_t length = strlen(names->names[j]);
        if (at + length + 2 >= sizeof list)
            break;
        memcpy(list + at, names->names[j], length);
        memcpy(list + at + length, ", ", 3);
        at += length + 2;
    }
    return error_set(err, PEPA_EARG, "there is no processor `%.60s`; there are %.*s%s", name,
                     j < names->count || at < 2 ? (int)at : (int)at - 2, list,
                     j < names->count ? "..." : "");
}

/* The text without blanks and the parentheses around it, into `bare` of its length + 1; false: only
 * one of them is there. */
static bool bare_text(const char *text, char *bare)
{
    size_t n = 0;
    for (; *text; text++)
        if (!strchr(" \t\n", *text))
            bare[n++] = *text;
    bool open = n > 0 && bare[0] == '(', closed = n > 0 && bare[n - 1] == ')';
    bare[n - closed] = '\0';
    if (open)
        memmove(bare, bare + 1, n - closed);
    return open == closed;
}

static PepaStatus read_names(const AmogetDescription *desc, const char *text, char *bare,
                             int32_t *mapping, PepaError *err)
{
    int32_t count = 1;
    for (const char *p = bare; *p; p++)
        count += *p == ',';
    if (count != desc->stages)
        return error_set(err, PEPA_EARG, "`%.100s` names %d processor%s for %d stage%s", text,
                         count, count == 1 ? "" : "s", desc->stages, desc->stages == 1 ? "" : "s");
    char *name = bare;
    int32_t found[MOST_STAGES];
    for (int32_t i = 0; i < count; i++) {
        char *next = name + strcspn(name, ",");
        *next = '\0';
        if (!*name)
            return no_mapping(text, err);
        found[i] = amoget_find_processor(desc->machine, name);
        if (found[i] < 0)
            return unknown(desc, name, err);
        name = next + 1;
    }
    memcpy(mapping, found, (size_t)count * sizeof *mapping);
    return PEPA_OK;
}

PepaStatus amoget_read_mapping(const AmogetDescription *desc, const char *text, int32_t *mapping,
                               PepaError *err)
{
    if (!desc || !text || !mapping)
        return error_null(err, "amoget_read_mapping");
    char *bare = mem_alloc(strlen(text) + 1, 1);
    if (!bare)
        return error_memory(err);
    PepaStatus status = bare_text(text, bare) && bare[0]
                            ? read_names(desc, text, bare, mapping, err)
                            : no_mapping(text, err);
    mem_free(bare);
    return status;
}
