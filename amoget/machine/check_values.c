/* Evaluates definitions and values. */
#include <stdio.h>
#include <string.h>

#include "amoget/machine/check.h"
#include "base/number.h"

/* ---- values ------------------------------------------------------------------------------- */

static bool literal(const Value *value, Kind kind, Quantity *out, char why[WHY_SIZE])
{
    const char *name = value->unit.text;
    *out = (Quantity){value->number, name ? unit_find(name, strlen(name)) : NULL};
    if (!name || out->unit)
        return true;
    const Unit *near = unit_nearest(name);
    (void)snprintf(why, WHY_SIZE, "unknown unit `%.60s`%s%s%s", name,
                   near ? "; did you mean `" : units_known(kind), near ? near->name : "",
                   near ? "`?" : "");
    return false;
}

bool check_quantity(Check *check, const Value *value, Kind kind, Quantity *out, char why[WHY_SIZE])
{
    const Intern *names = &check->definition_names;
    const char *name = value->name.text;
    *why = '\0';
    if (!name)
        return literal(value, kind, out, why);
    int32_t id = intern_find(names, name, strlen(name));
    if (id < 0) {
        (void)snprintf(why, WHY_SIZE, "`%.60s` is not defined%s", name,
                       finding_hint(check, name, names->names, names->count));
        return false;
    }
    check->definitions[id].used = true;
    *out = check->definitions[id].quantity;
    return check->definitions[id].good;
}

bool check_attribute(Check *check, const Value *value, Attribute attribute, double *out,
                     char why[WHY_SIZE])
{
    Quantity quantity;
    return check_quantity(check, value, attribute_kind(attribute), &quantity, why) &&
           quantity_value(quantity, attribute, out, why);
}

bool check_value(Check *check, const Value *value, Attribute attribute, double *out)
{
    char why[WHY_SIZE];
    if (check_attribute(check, value, attribute, out, why))
        return true;
    if (*why)
        diag_error(check->diags, value->span, "%s", why);
    return false;
}

const Setting *check_setting(Check *check, const Say *say, Attribute attribute, double *value)
{
    const Setting *found = NULL;
    for (size_t i = say->first; i < say->first + say->count; i++) {
        const Setting *each = &check->tree->settings[i];
        if (each->attribute != attribute)
            continue;
        if (found)
            diag_error(check->diags, each->keyword, "`%s` is given twice",
                       attribute_name(attribute));
        else if (value)
            check_value(check, &each->value, attribute, value);
        found = found ? found : each;
    }
    return found;
}

/* ---- definitions -------------------------------------------------------------------------- */

static bool collect(Check *check)
{
    const Syntax *tree = check->tree;
    Intern *names = &check->definition_names;
    check->definitions = scratch_alloc(check, tree->say_count, sizeof *check->definitions);
    for (size_t i = 0; i < tree->say_count && !check->no_memory; i++) {
        const Say *say = &tree->says[i];
        if (say->kind != SAY_DEFINITION)
            continue;
        int32_t id = intern_put(names, say->a.text, strlen(say->a.text));
        if (id < 0)
            check->no_memory = true;
        else if (check->definitions[id].say)
            diag_error(check->diags, say->span, "`%s` is defined twice; the first time in line %u",
                       say->a.text, finding_line(check, check->definitions[id].say->span));
        else
            check->definitions[id] = (Definition){.say = say, .value = say->value};
    }
    return !check->no_memory;
}

static bool is_identifier(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return *text && strchr(letters, *text) &&
           strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") ==
               strlen(text);
}

bool check_define_value(Check *check, const AmogetDefine *define, Value *out)
{
    Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    Quantity quantity;
    size_t behind;
    *out = (Value){.span = nowhere};
    if (quantity_read(define->value, strlen(define->value), &quantity, &behind)) {
        out->number = quantity.number;
        if (quantity.unit)
            out->unit = (Word){quantity.unit->name, nowhere};
        return true;
    }
    if (!is_identifier(define->value))
        return false;
    out->name = (Word){arena_copy(&check->scratch, define->value, strlen(define->value)), nowhere};
    check->no_memory = check->no_memory || !out->name.text;
    return true;
}

static PepaStatus override(Check *check, const AmogetDefine *define, PepaError *err)
{
    const Intern *names = &check->definition_names;
    int32_t id = intern_find(names, define->name, strlen(define->name));
    if (id < 0)
        return error_set(err, PEPA_EARG, "nothing is defined by the name `%.60s`%s%s", define->name,
                         finding_hint(check, define->name, names->names, names->count),
                         names->count ? "" : "; attributes are given as in `time.p1`");
    if (!check_define_value(check, define, &check->definitions[id].value))
        return error_set(err, PEPA_EARG, "`%.60s` is not a value for `%.60s`", define->value,
                         define->name);
    return PEPA_OK;
}

/* The definition that a definition names, and uses; -1: it is a number, or names nothing. */
static int32_t target(Check *check, int32_t id)
{
    const Intern *names = &check->definition_names;
    const char *name = check->definitions[id].value.name.text;
    int32_t next = name ? intern_find(names, name, strlen(name)) : -1;
    if (next >= 0)
        check->definitions[next].used = true;
    return next;
}

/* The value of a definition that names no other one.  PEPA_EARG: it is the caller's, and none. */
static PepaStatus evaluate(Check *check, Definition *definition, PepaError *err)
{
    char why[WHY_SIZE];
    const Value *value = &definition->value;
    definition->good = check_quantity(check, value, KIND_PLAIN, &definition->quantity, why);
    if (definition->good)
        return PEPA_OK;
    if (value->span.begin == SPAN_NOWHERE)
        return error_set(err, PEPA_EARG, "`%.60s`: %s", definition->say->a.text, why);
    diag_error(check->diags, value->span, "%s", why);
    return PEPA_OK;
}

/* Follow names from definition `id` to a quantity, and give it to all on the way. */
static PepaStatus follow(Check *check, int32_t id, int32_t *walk, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    int32_t last = id, next;
    walk[id] = id + 1;
    while ((next = target(check, last)) >= 0 && walk[next] == 0) {
        walk[next] = id + 1;
        last = next;
    }
    Definition *end = &check->definitions[last];
    if (next < 0) {
        status = evaluate(check, end, err);
    } else if (walk[next] == id + 1) {
        diag_error(check->diags, end->say->span, "`%s` is defined by itself", end->say->a.text);
    } else {
        end->quantity = check->definitions[next].quantity;
        end->good = check->definitions[next].good;
    }
    for (int32_t i = id; i != last; i = target(check, i)) {
        check->definitions[i].quantity = end->quantity;
        check->definitions[i].good = end->good;
    }
    return status;
}

PepaStatus check_definitions(Check *check, const AmogetReading *how, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (!collect(check))
        return error_memory(err);
    for (size_t i = 0; i < how->define_count && status == PEPA_OK; i++)
        if (!strchr(how->defines[i].name, '.'))
            status = override(check, &how->defines[i], err);
    size_t count = check->definition_names.count;
    int32_t *walk =
        scratch_alloc(check, count, sizeof *walk); /* which met it first, from 1; or 0 */
    if (check->no_memory)
        return error_memory(err);
    for (size_t id = 0; id < count && status == PEPA_OK; id++)
        if (walk[id] == 0)
            status = follow(check, (int32_t)id, walk, err);
    return status;
}
