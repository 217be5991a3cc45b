/* Latencies and bandwidths: the more specific statement stands, of equals the last. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/description/check.h"

/* ---- places: processors, then clusters ----------------------------------------------------- */

int32_t desc_place(const Check *check, const char *name)
{
    int32_t j = amoget_find_processor(check->desc, name);
    if (j >= 0)
        return j;
    int32_t c = intern_find(&check->cluster_names, name, strlen(name));
    return c < 0 ? -1 : check->desc->processors + c;
}

/* How many processors there are at a place, and which. */
static int32_t members(const Check *check, const int32_t *place, const int32_t **list)
{
    int32_t c = *place - check->desc->processors;
    *list = c < 0 ? place : &check->members[check->clusters[c].first];
    return c < 0 ? 1 : check->clusters[c].count;
}

void desc_set_places(Check *check, PairTable *table, int32_t x, int32_t y, double value)
{
    const AmogetDescription *desc = check->desc;
    int32_t clusters = (x >= desc->processors) + (y >= desc->processors);
    Level level = clusters == 0   ? LEVEL_PAIR
                  : clusters == 1 ? LEVEL_CLUSTER_PROCESSOR
                                  : LEVEL_CLUSTERS;
    const int32_t *a, *b;
    int32_t as = members(check, &x, &a), bs = members(check, &y, &b);
    for (int32_t i = 0; i < as; i++)
        for (int32_t k = 0; k < bs; k++)
            if (a[i] != b[k] || level == LEVEL_PAIR)
                pair_set(table, desc->capacity, a[i], b[k], level, value);
}

static int32_t resolve(Check *check, Word name)
{
    const Intern *processors = &check->desc->processor_names, *clusters = &check->cluster_names;
    int32_t place = desc_place(check, name.text);
    if (place >= 0)
        return place;
    const char *hint = desc_suggestion(check, name.text, processors->names, processors->count);
    if (!*hint && clusters->count)
        hint = desc_suggestion(check, name.text, clusters->names, clusters->count);
    diag_error(check->diags, name.span, "there is no processor%s `%s`%s",
               clusters->count ? " or cluster" : "", name.text, hint);
    return -1;
}

/* ---- statements ---------------------------------------------------------------------------- */

enum { EVERYWHERE = -2, WITHIN = -3 };

/* A statement whose places are known. */
typedef struct {
    PairTable *table;
    int32_t x, y; /* places, x <= y; or both EVERYWHERE or WITHIN */
    double value;
    int32_t key; /* of table, x and y */
} Line;

static bool read_line(Check *check, const Say *say, Line *line)
{
    bool latency = say->kind == SAY_LATENCY;
    int32_t x = EVERYWHERE, y = EVERYWHERE;
    if (say->b.text) {
        x = resolve(check, say->a);
        y = resolve(check, say->b);
    } else if (say->a.text) {
        x = y = WITHIN;
    }
    *line = (Line){.table = latency ? &check->desc->latency : &check->desc->bandwidth,
                   .x = x < y ? x : y,
                   .y = x < y ? y : x};
    Attribute attribute = latency ? ATTRIBUTE_LATENCY : ATTRIBUTE_BANDWIDTH;
    return desc_value(check, &say->value, attribute, &line->value) && x != -1 && y != -1;
}

static void apply(Check *check, const Line *line)
{
    AmogetDescription *desc = check->desc;
    if (line->x == EVERYWHERE)
        pair_set_every(line->table, desc->capacity, desc->processors, line->value);
    else if (line->x == WITHIN)
        pair_set_local(line->table, desc->capacity, desc->processors, line->value);
    else
        desc_set_places(check, line->table, line->x, line->y, line->value);
}

/* Of statements about the same two places only the last is carried out: all together then cost
 * O(processors^2), however many there are. */
void desc_check_network(Check *check)
{
    const Syntax *tree = check->tree;
    Intern keys = {0};
    Line *lines = desc_alloc(check, tree->say_count, sizeof *lines);
    size_t *last = desc_alloc(check, tree->say_count, sizeof *last); /* of each key */
    size_t count = 0;
    for (size_t i = 0; i < tree->say_count && !check->no_memory; i++) {
        const Say *say = &tree->says[i];
        Line *line = &lines[count];
        char key[64];
        if ((say->kind != SAY_LATENCY && say->kind != SAY_BANDWIDTH) ||
            !read_line(check, say, line))
            continue;
        (void)snprintf(key, sizeof key, "%d %d %d", say->kind, line->x, line->y);
        line->key = intern_put(&keys, key, strlen(key));
        if (line->key < 0)
            check->no_memory = true;
        else
            last[line->key] = count++;
        if (line->x == EVERYWHERE)
            check->first[say->kind] = say;
    }
    for (size_t i = 0; i < count && !check->no_memory; i++)
        if (last[lines[i].key] == i)
            apply(check, &lines[i]);
    intern_free(&keys);
}

/* ---- what is missing ----------------------------------------------------------------------- */

static void report_missing(Check *check, Span span, int32_t a, int32_t b)
{
    const char *const *names = check->desc->processor_names.names;
    if (a == b)
        diag_error(check->diags, span,
                   "no latency within `%s`: `latency local ...;` gives one for every processor",
                   names[a]);
    else
        diag_error(check->diags, span,
                   "no latency between `%s` and `%s`: `latency default ...;` gives one for every "
                   "pair",
                   names[a], names[b]);
}

/* For each listed mapping the first latency that it lacks, if no other one lacks it as well. */
static void check_listed(Check *check)
{
    AmogetDescription *desc = check->desc;
    Intern told = {0};
    size_t mapping = 0;
    for (size_t i = 0; i < check->tree->say_count && !check->no_memory; i++) {
        int32_t a, b;
        char key[32];
        if (check->tree->says[i].kind != SAY_MAPPING)
            continue;
        const int32_t *to = &desc->mappings[mapping++ * (size_t)desc->stages];
        if (!mapping_lacks(desc, to, &a, &b))
            continue;
        (void)snprintf(key, sizeof key, "%d %d", a < b ? a : b, a < b ? b : a);
        size_t before = told.count;
        if (intern_put(&told, key, strlen(key)) < 0)
            check->no_memory = true;
        if (told.count > before)
            report_missing(check, check->tree->says[i].span, a, b);
    }
    intern_free(&told);
}

/* For each processor the first latency that some mapping lacks, to those before it or within. */
static void check_every(Check *check)
{
    const AmogetDescription *desc = check->desc;
    for (int32_t j = 0; j < desc->processors; j++) {
        int32_t a = 0, b = j;
        bool lacks = false;
        if (desc->stages == 1)
            lacks = mapping_lacks(desc, &j, &a, &b);
        while (desc->stages > 1 && !lacks && a <= j) {
            lacks = isnan(desc->latency.value[(size_t)a * (size_t)desc->capacity + (size_t)j]);
            a += !lacks;
        }
        if (lacks)
            report_missing(check, check->processor[j]->span, a, b);
    }
}

/* Does some processor have no value of its own but what is said of different ones? */
static bool default_within(const AmogetDescription *desc, const PairTable *table)
{
    for (size_t j = 0; j < (size_t)desc->processors; j++)
        if (table->level[j * (size_t)desc->capacity + j] == LEVEL_DEFAULT)
            return true;
    return false;
}

static bool any_bandwidth(const AmogetDescription *desc)
{
    size_t capacity = (size_t)desc->capacity, count = (size_t)desc->processors;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b <= a; b++)
            if (desc->bandwidth.level[a * capacity + b] != LEVEL_NONE)
                return true;
    return false;
}

/* Where the text first says that something is sent, or NULL. */
static const Say *sends(const Check *check)
{
    const AmogetDescription *desc = check->desc;
    if (desc->output[0] > 0)
        return check->first[SAY_INPUT];
    for (int32_t i = 0; i < desc->stages; i++)
        if (desc->output[i + 1] > 0)
            return check->stage[i];
    return NULL;
}

void desc_check_complete(Check *check)
{
    Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    const Say *latency = check->first[SAY_LATENCY], *bandwidth = check->first[SAY_BANDWIDTH];
    const Say *data = sends(check);
    if (check->desc->mapping_count > 0)
        check_listed(check);
    else
        check_every(check);
    if (default_within(check->desc, &check->desc->latency))
        diag_warning(check->diags, latency ? latency->span : nowhere,
                     "the default latency serves within processors as well; `latency local ...;` "
                     "gives moves within a processor their own");
    if (data && default_within(check->desc, &check->desc->bandwidth))
        diag_warning(check->diags, bandwidth ? bandwidth->span : nowhere,
                     "the default bandwidth serves within processors as well; `bandwidth local "
                     "...;` gives moves within a processor their own");
    if (data && !any_bandwidth(check->desc))
        diag_warning(check->diags, data->span,
                     "data is sent, but no bandwidth is given: sizes do not matter");
    for (size_t i = 0; i < check->definition_names.count; i++)
        if (!check->definitions[i].used)
            diag_warning(check->diags, check->definitions[i].say->span, "`%s` is never used",
                         check->definition_names.names[i]);
}
