/* The arrays behind a description, and what moves and processing take by them. */
#include "amoget/description/description.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- pairs -------------------------------------------------------------------------------- */

static size_t cell(int32_t capacity, int32_t a, int32_t b)
{
    return (size_t)a * (size_t)capacity + (size_t)b;
}

static void put(PairTable *table, size_t at, Level level, double value)
{
    if (level < table->level[at])
        return;
    table->value[at] = value;
    table->level[at] = (uint8_t)level;
}

void pair_set(PairTable *table, int32_t capacity, int32_t a, int32_t b, Level level, double value)
{
    put(table, cell(capacity, a, b), level, value);
    put(table, cell(capacity, b, a), level, value);
}

void pair_set_every(PairTable *table, int32_t capacity, int32_t count, double value)
{
    table->every = value;
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = 0; b < count; b++)
            put(table, cell(capacity, a, b), LEVEL_DEFAULT, value);
}

void pair_set_local(PairTable *table, int32_t capacity, int32_t count, double value)
{
    table->local = value;
    for (int32_t a = 0; a < count; a++)
        put(table, cell(capacity, a, a), LEVEL_LOCAL, value);
}

/* What is said of every pair, for those of processor `a` with 0 .. a. */
static void pair_begin(PairTable *table, int32_t capacity, int32_t a, double nothing)
{
    Level level = isnan(table->every) ? LEVEL_NONE : LEVEL_DEFAULT;
    double value = level == LEVEL_NONE ? nothing : table->every;
    for (int32_t b = 0; b <= a; b++) {
        size_t there = cell(capacity, a, b), back = cell(capacity, b, a);
        table->value[there] = table->value[back] = value;
        table->level[there] = table->level[back] = (uint8_t)level;
    }
    if (!isnan(table->local))
        put(table, cell(capacity, a, a), LEVEL_LOCAL, table->local);
}

static void table_free(PairTable *table)
{
    mem_free(table->value);
    mem_free(table->level);
    *table = (PairTable){0};
}

/* A copy of the first `count` rows and columns, with another capacity >= count. */
static bool table_copy(PairTable *out, const PairTable *from, int32_t old, int32_t count,
                       int32_t capacity)
{
    size_t cells = (size_t)capacity * (size_t)capacity, row = (size_t)count;
    *out = (PairTable){.every = from->every, .local = from->local};
    out->value = mem_calloc(cells, sizeof *out->value);
    out->level = mem_calloc(cells, sizeof *out->level);
    if (!out->value || !out->level) {
        table_free(out);
        return false;
    }
    for (int32_t a = 0; a < count; a++) {
        memcpy(&out->value[cell(capacity, a, 0)], &from->value[cell(old, a, 0)],
               row * sizeof *out->value);
        memcpy(&out->level[cell(capacity, a, 0)], &from->level[cell(old, a, 0)],
               row * sizeof *out->level);
    }
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------- */

AmogetDescription *description_new(void)
{
    AmogetDescription *desc = mem_alloc(1, sizeof *desc);
    if (desc)
        *desc = (AmogetDescription){.latency = {.every = NAN, .local = NAN},
                                    .bandwidth = {.every = NAN, .local = NAN},
                                    .input = AMOGET_NOWHERE,
                                    .output_to = AMOGET_NOWHERE};
    return desc;
}

void amoget_free(AmogetDescription *desc)
{
    if (!desc)
        return;
    intern_free(&desc->stage_names);
    intern_free(&desc->processor_names);
    mem_free(desc->time);
    mem_free(desc->availability);
    mem_free(desc->cores);
    table_free(&desc->latency);
    table_free(&desc->bandwidth);
    mem_free(desc->mappings);
    mem_free(desc);
}

/* Arrays that are longer than the capacity says do no harm, so they can be committed one by one. */
static bool reserve_array(void *array_address, int32_t capacity, size_t size)
{
    void *array;
    memcpy(&array, array_address, sizeof array);
    array = mem_resize(array, (size_t)capacity, size);
    if (array)
        memcpy(array_address, &array, sizeof array);
    return array != NULL;
}

static bool reserve_arrays(AmogetDescription *desc, int32_t capacity)
{
    return reserve_array(&desc->time, capacity, sizeof *desc->time) &&
           reserve_array(&desc->availability, capacity, sizeof *desc->availability) &&
           reserve_array(&desc->cores, capacity, sizeof *desc->cores);
}

static bool reserve_processors(AmogetDescription *desc, int32_t capacity)
{
    PairTable latency, bandwidth;
    if (!reserve_arrays(desc, capacity) ||
        !table_copy(&latency, &desc->latency, desc->capacity, desc->processors, capacity))
        return false;
    if (!table_copy(&bandwidth, &desc->bandwidth, desc->capacity, desc->processors, capacity)) {
        table_free(&latency);
        return false;
    }
    table_free(&desc->latency);
    table_free(&desc->bandwidth);
    desc->latency = latency;
    desc->bandwidth = bandwidth;
    desc->capacity = capacity;
    return true;
}

bool description_add_processor(AmogetDescription *desc, const char *name, double time)
{
    enum { FIRST = 8 };
    assert(desc->processors < MOST_PROCESSORS);
    int32_t grown = desc->capacity ? 2 * desc->capacity : FIRST;
    if (desc->processors == desc->capacity && !reserve_processors(desc, grown))
        return false;
    if (intern_put(&desc->processor_names, name, strlen(name)) < 0)
        return false;
    int32_t j = desc->processors++;
    desc->time[j] = time;
    desc->availability[j] = 1;
    desc->cores[j] = 1;
    pair_begin(&desc->latency, desc->capacity, j, NAN);
    pair_begin(&desc->bandwidth, desc->capacity, j, HUGE_VAL);
    return true;
}

bool description_add_stage(AmogetDescription *desc, const char *name)
{
    assert(desc->stages < MOST_STAGES && desc->mapping_count == 0);
    if (intern_put(&desc->stage_names, name, strlen(name)) < 0)
        return false;
    desc->phases[desc->stages] = 1;
    desc->work[desc->stages++] = 1;
    desc->output[desc->stages] = 0;
    return true;
}

static bool copy_names(Intern *out, const Intern *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (intern_put(out, from->names[i], strlen(from->names[i])) < 0)
            return false;
    return true;
}

static bool copy_mappings(AmogetDescription *copy, const AmogetDescription *desc)
{
    size_t count = desc->mapping_count * (size_t)desc->stages;
    if (!mem_reserve(&copy->mappings, &copy->mapping_cap, count, sizeof *copy->mappings))
        return false;
    if (count)
        memcpy(copy->mappings, desc->mappings, count * sizeof *copy->mappings);
    copy->mapping_count = desc->mapping_count;
    return true;
}

/* What needs no memory of its own, and the numbers of processors. */
static void copy_numbers(AmogetDescription *copy, const AmogetDescription *desc)
{
    size_t count = (size_t)desc->processors;
    copy->stages = desc->stages;
    copy->processors = desc->processors;
    memcpy(copy->work, desc->work, sizeof copy->work);
    memcpy(copy->phases, desc->phases, sizeof copy->phases);
    copy->sharing = desc->sharing;
    copy->transfer = desc->transfer;
    memcpy(copy->output, desc->output, sizeof copy->output);
    copy->input = desc->input;
    copy->output_to = desc->output_to;
    if (count == 0)
        return;
    memcpy(copy->time, desc->time, count * sizeof *copy->time);
    memcpy(copy->availability, desc->availability, count * sizeof *copy->availability);
    memcpy(copy->cores, desc->cores, count * sizeof *copy->cores);
}

AmogetDescription *description_copy(const AmogetDescription *desc)
{
    int32_t capacity = desc->capacity, count = desc->processors;
    AmogetDescription *copy = description_new();
    if (!copy)
        return NULL;
    if (!reserve_arrays(copy, capacity) || !copy_names(&copy->stage_names, &desc->stage_names) ||
        !copy_names(&copy->processor_names, &desc->processor_names) || !copy_mappings(copy, desc) ||
        !table_copy(&copy->latency, &desc->latency, capacity, count, capacity) ||
        !table_copy(&copy->bandwidth, &desc->bandwidth, capacity, count, capacity)) {
        amoget_free(copy);
        return NULL;
    }
    copy->capacity = capacity;
    copy_numbers(copy, desc);
    return copy;
}

void description_swap_numbers(AmogetDescription *a, AmogetDescription *b)
{
    AmogetDescription other = *a;
    *a = *b;
    *b = other;
    b->stage_names = a->stage_names;
    a->stage_names = other.stage_names;
    b->processor_names = a->processor_names;
    a->processor_names = other.processor_names;
    b->mappings = a->mappings;
    a->mappings = other.mappings;
    b->mapping_cap = a->mapping_cap;
    a->mapping_cap = other.mapping_cap;
}

/* ---- durations ---------------------------------------------------------------------------- */

double move_seconds(const AmogetDescription *desc, int32_t move, int32_t a, int32_t b)
{
    assert(a >= 0 || b >= 0);
    size_t at = cell(desc->capacity, a >= 0 ? a : b, b >= 0 ? b : a);
    return desc->latency.value[at] + desc->output[move] / desc->bandwidth.value[at];
}

double take_seconds(const AmogetDescription *desc, int32_t j)
{
    return desc->latency.value[cell(desc->capacity, j, j)];
}

double process_seconds(const AmogetDescription *desc, int32_t stage, int32_t j, int32_t there)
{
    bool stretched = desc->sharing == AMOGET_STATIC && there > desc->cores[j];
    double share = stretched ? (double)there / desc->cores[j] : 1;
    return desc->time[j] * desc->work[stage] / desc->availability[j] * share;
}

static PepaStatus missing(const AmogetDescription *desc, int32_t a, int32_t b, PepaError *err)
{
    const char *const *names = desc->processor_names.names;
    if (a == b)
        return error_set(err, PEPA_EMODEL, "no latency within processor `%s`", names[a]);
    return error_set(err, PEPA_EMODEL, "no latency between processors `%s` and `%s`", names[a],
                     names[b]);
}

bool mapping_lacks(const AmogetDescription *desc, const int32_t *mapping, int32_t *a, int32_t *b)
{
    int32_t n = desc->stages;
    for (int32_t move = 0; move <= n; move++) {
        int32_t from = move > 0 ? mapping[move - 1] : desc->input;
        int32_t to = move < n ? mapping[move] : desc->output_to;
        *a = from >= 0 ? from : to;
        *b = to >= 0 ? to : from;
        if (isnan(desc->latency.value[cell(desc->capacity, *a, *b)]))
            return true;
    }
    for (int32_t i = 1; i < n && desc->transfer == AMOGET_BUFFERED; i++) {
        *a = *b = mapping[i];
        if (isnan(take_seconds(desc, mapping[i])))
            return true;
    }
    return false;
}

bool description_lacks(const AmogetDescription *desc, int32_t *a, int32_t *b)
{
    if (desc->stages == 1) {
        for (int32_t j = 0; j < desc->processors; j++)
            if (mapping_lacks(desc, &j, a, b))
                return true;
        return false;
    }
    /* With two stages, every two processors can be neighbours in some mapping. */
    for (*a = 0; *a < desc->processors; ++*a)
        for (*b = *a; *b < desc->processors; ++*b)
            if (isnan(desc->latency.value[cell(desc->capacity, *a, *b)]))
                return true;
    return false;
}

PepaStatus description_complete(const AmogetDescription *desc, const int32_t *mapping,
                                PepaError *err)
{
    int32_t a, b;
    if (desc->stages == 0 || desc->processors == 0)
        return error_set(err, PEPA_EMODEL, "the description has no %s",
                         desc->stages == 0 ? "stages" : "processors");
    if (mapping ? mapping_lacks(desc, mapping, &a, &b) : description_lacks(desc, &a, &b))
        return missing(desc, a, b, err);
    return PEPA_OK;
}
