/* Checks latencies and bandwidths.  Of several statements the most specific counts; among equals,
 * the last. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/machine/check.h"

/* ---- places: processors, then clusters ----------------------------------------------------- */

int32_t check_place(const Check *check, const char *name)
{
    int32_t j = amoget_find_processor(check->machine, name);
    if (j >= 0)
        return j;
    int32_t c = intern_find(&check->cluster_names, name, strlen(name));
    return c < 0 ? -1 : check->machine->processors + c;
}

/* How many processors there are at a place, and which. */
static int32_t members(const Check *check, const int32_t *place, const int32_t **list)
{
    int32_t c = *place - check->machine->processors;
    *list = c < 0 ? place : &check->members[check->clusters[c].first];
    return c < 0 ? 1 : check->clusters[c].count;
}

void check_set_places(Check *check, PairTable *table, int32_t x, int32_t y, double value)
{
    const AmogetMachine *machine = check->machine;
    int32_t clusters = (x >= machine->processors) + (y >= machine->processors);
    Level level = clusters == 0   ? LEVEL_PAIR
                  : clusters == 1 ? LEVEL_CLUSTER_PROCESSOR
                                  : LEVEL_CLUSTERS;
    const int32_t *a, *b;
    int32_t as = members(check, &x, &a), bs = members(check, &y, &b);
    for (int32_t i = 0; i < as; i++)
        for (int32_t k = 0; k < bs; k++)
            if (a[i] != b[k] || level == LEVEL_PAIR)
                pair_set(machine, table, a[i], b[k], level, value);
}

static int32_t resolve(Check *check, Word name)
{
    const Intern *processors = &check->machine->names, *clusters = &check->cluster_names;
    int32_t place = check_place(check, name.text);
    if (place >= 0 || check->limit) /* it may be a processor too many */
        return place;
    const char *hint = finding_hint(check, name.text, processors->names, processors->count);
    if (!*hint && clusters->count)
        hint = finding_hint(check, name.text, clusters->names, clusters->count);
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
    *line = (Line){.table = latency ? &check->machine->latency : &check->machine->bandwidth,
                   .x = x < y ? x : y,
                   .y = x < y ? y : x};
    Attribute attribute = latency ? ATTRIBUTE_LATENCY : ATTRIBUTE_BANDWIDTH;
    return check_value(check, &say->value, attribute, &line->value) && x != -1 && y != -1;
}

static void apply(Check *check, const Line *line)
{
    if (line->x == EVERYWHERE)
        pair_set_every(check->machine, line->table, line->value);
    else if (line->x == WITHIN)
        pair_set_local(check->machine, line->table, line->value);
    else
        check_set_places(check, line->table, line->x, line->y, line->value);
}

/* Of statements about the same two places only the last is carried out: all together then cost
 * O(processors^2), however many there are. */
void check_network(Check *check)
{
    const Syntax *tree = check->tree;
    Intern keys = {0};
    Line *lines = scratch_alloc(check, tree->say_count, sizeof *lines);
    size_t *last = scratch_alloc(check, tree->say_count, sizeof *last); /* of each key */
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

void check_missing(Check *check, Span span, int32_t a, int32_t b)
{
    const char *const *names = check->machine->names.names;
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

bool check_default_within(const AmogetMachine *machine, const PairTable *table)
{
    for (size_t j = 0; j < (size_t)machine->processors; j++)
        if (table->level[j * (size_t)machine->capacity + j] == LEVEL_DEFAULT)
            return true;
    return false;
}
