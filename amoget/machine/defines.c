/* Values that replace attributes, by path. */
#include <string.h>

#include "amoget/machine/check.h"
#include "base/intern.h"

enum { LONGEST = 200, PARTS = 3 };

/* A path in pieces: "latency.p1.p2" is "latency", "p1", "p2". */
typedef struct {
    char text[LONGEST];
    const char *part[PARTS];
    int count;
} Path;

static bool split(const char *name, Path *path)
{
    if (strlen(name) >= LONGEST)
        return false;
    memcpy(path->text, name, strlen(name) + 1);
    path->count = 0;
    for (char *at = path->text; at; path->count++) {
        if (path->count == PARTS)
            return false;
        path->part[path->count] = at;
        at = strchr(at, '.');
        if (at)
            *at++ = '\0';
    }
    return true;
}

/* The attribute that a path begins with, of those that have one. */
static bool attribute_of(const char *name, Attribute *out)
{
    for (int i = 0; i <= ATTRIBUTE_BANDWIDTH; i++)
        if (strcmp(attribute_name((Attribute)i), name) == 0) {
            *out = (Attribute)i;
            return true;
        }
    return false;
}

PepaStatus check_unknown(Check *check, const AmogetDefine *define, const char *what,
                         const char *part, const Intern *names, PepaError *err)
{
    return error_set(err, PEPA_EARG, "`%.80s` names nothing: there is no %s `%.60s`%s",
                     define->name, what, part,
                     finding_hint(check, part, names->names, names->count));
}

static PepaStatus unknown_attribute(const AmogetDefine *define, const char *part, PepaError *err)
{
    const char *names[ATTRIBUTE_BANDWIDTH + 1];
    for (int i = 0; i <= ATTRIBUTE_BANDWIDTH; i++)
        names[i] = attribute_name((Attribute)i);
    const char *near = suggest(part, names, ATTRIBUTE_BANDWIDTH + 1);
    return error_set(err, PEPA_EARG, "`%.80s` names nothing: there is no attribute `%.60s`%s%s%s",
                     define->name, part, near ? "; did you mean `" : "", near ? near : "",
                     near ? "`?" : "");
}

static PepaStatus set_processor(Check *check, const AmogetDefine *define, const Path *path,
                                Attribute attribute, double value, PepaError *err)
{
    AmogetMachine *machine = check->machine;
    int32_t j = amoget_find_processor(machine, path->part[1]);
    if (j < 0)
        return check_unknown(check, define, "processor", path->part[1], &machine->names, err);
    if (attribute == ATTRIBUTE_TIME)
        machine->time[j] = value;
    else if (attribute == ATTRIBUTE_AVAILABILITY)
        machine->availability[j] = value;
    else if (attribute == ATTRIBUTE_MEMORY)
        machine->memory[j] = value;
    else
        machine->cores[j] = (int32_t)value;
    return PEPA_OK;
}

static PepaStatus set_pair(Check *check, const AmogetDefine *define, const Path *path,
                           Attribute attribute, double value, PepaError *err)
{
    AmogetMachine *machine = check->machine;
    PairTable *table = attribute == ATTRIBUTE_LATENCY ? &machine->latency : &machine->bandwidth;
    bool local = strcmp(path->part[1], "local") == 0;
    if (path->count == 2 && (local || strcmp(path->part[1], "default") == 0)) {
        (local ? pair_set_local : pair_set_every)(machine, table, value);
        return PEPA_OK;
    }
    if (path->count != 3)
        return error_set(err, PEPA_EARG,
                         "`%.80s` names nothing: %s is between two processors, or `default` or "
                         "`local`",
                         define->name,
                         attribute == ATTRIBUTE_LATENCY ? "a latency" : "a bandwidth");
    int32_t place[2];
    for (int i = 0; i < 2; i++) {
        place[i] = check_place(check, path->part[i + 1]);
        if (place[i] < 0)
            return check_unknown(check, define, "processor", path->part[i + 1], &machine->names,
                                 err);
    }
    check_set_places(check, table, place[0], place[1], value);
    return PEPA_OK;
}

static PepaStatus apply(Check *check, const Extension *extension, const AmogetDefine *define,
                        PepaError *err)
{
    Path path;
    Attribute attribute;
    Value value;
    double number;
    char why[WHY_SIZE];
    if (!split(define->name, &path))
        return error_set(err, PEPA_EARG, "`%.80s` names nothing: paths have %d names at most",
                         define->name, PARTS);
    if (!attribute_of(path.part[0], &attribute))
        return unknown_attribute(define, path.part[0], err);
    if (!extension && attribute <= ATTRIBUTE_PHASES)
        return error_set(err, PEPA_EARG, "`%.80s` is of a pipeline: here is only a machine",
                         define->name);
    bool pair = attribute == ATTRIBUTE_LATENCY || attribute == ATTRIBUTE_BANDWIDTH;
    if (!pair && path.count != 2)
        return error_set(err, PEPA_EARG, "`%.80s` names nothing: `%s` is of one %s", define->name,
                         path.part[0], attribute <= ATTRIBUTE_PHASES ? "stage" : "processor");
    if (!check_define_value(check, define, &value))
        return error_set(err, PEPA_EARG, "`%.60s` is not a value for `%.80s`", define->value,
                         define->name);
    if (!check_attribute(check, &value, attribute, &number, why))
        return error_set(err, PEPA_EARG, "`%.80s`: %s", define->name, why);
    if (pair)
        return set_pair(check, define, &path, attribute, number, err);
    if (attribute <= ATTRIBUTE_PHASES)
        return extension->define(check, extension->owner, define, path.part[1], attribute, number,
                                 err);
    return set_processor(check, define, &path, attribute, number, err);
}

PepaStatus check_paths(Check *check, const Extension *extension, const AmogetReading *how,
                       PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < how->define_count && status == PEPA_OK; i++)
        if (strchr(how->defines[i].name, '.'))
            status = apply(check, extension, &how->defines[i], err);
    return check->no_memory ? error_memory(err) : status;
}
