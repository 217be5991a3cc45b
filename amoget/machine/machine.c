/* The arrays behind a machine. */
#include "amoget/machine/machine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- pairs -------------------------------------------------------------------------------- */

static void put(PairTable *table, size_t at, Level level, double value)
{
    if (level < table->level[at])
        return;
    table->value[at] = value;
    table->level[at] = (uint8_t)level;
}

void pair_set(const AmogetMachine *machine, PairTable *table, int32_t a, int32_t b, Level level,
              double value)
{
    put(table, machine_pair(machine, a, b), level, value);
    put(table, machine_pair(machine, b, a), level, value);
}

void pair_set_every(const AmogetMachine *machine, PairTable *table, double value)
{
    table->every = value;
    for (int32_t a = 0; a < machine->processors; a++)
        for (int32_t b = 0; b < machine->processors; b++)
            put(table, machine_pair(machine, a, b), LEVEL_DEFAULT, value);
}

void pair_set_local(const AmogetMachine *machine, PairTable *table, double value)
{
    table->local = value;
    for (int32_t a = 0; a < machine->processors; a++)
        put(table, machine_pair(machine, a, a), LEVEL_LOCAL, value);
}

/* What is said of every pair, for those of processor `a` with 0 .. a. */
static void pair_begin(const AmogetMachine *machine, PairTable *table, int32_t a, double nothing)
{
    Level level = isnan(table->every) ? LEVEL_NONE : LEVEL_DEFAULT;
    double value = level == LEVEL_NONE ? nothing : table->every;
    for (int32_t b = 0; b <= a; b++) {
        size_t there = machine_pair(machine, a, b), back = machine_pair(machine, b, a);
        table->value[there] = table->value[back] = value;
        table->level[there] = table->level[back] = (uint8_t)level;
    }
    if (!isnan(table->local))
        put(table, machine_pair(machine, a, a), LEVEL_LOCAL, table->local);
}

static void table_free(PairTable *table)
{
    mem_free(table->value);
    mem_free(table->level);
    *table = (PairTable){0};
}

/* A copy of the rows and columns of the machine's processors, with room for more of them. */
static bool table_copy(PairTable *out, const AmogetMachine *machine, const PairTable *from,
                       int32_t capacity)
{
    size_t cells = (size_t)capacity * (size_t)capacity, count = (size_t)machine->processors;
    *out = (PairTable){.every = from->every, .local = from->local};
    out->value = mem_calloc(cells, sizeof *out->value);
    out->level = mem_calloc(cells, sizeof *out->level);
    if (!out->value || !out->level) {
        table_free(out);
        return false;
    }
    for (size_t a = 0; a < count; a++) {
        size_t at = a * (size_t)capacity, old = a * (size_t)machine->capacity;
        memcpy(&out->value[at], &from->value[old], count * sizeof *out->value);
        memcpy(&out->level[at], &from->level[old], count * sizeof *out->level);
    }
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------- */

AmogetMachine *machine_new(void)
{
    AmogetMachine *machine = mem_alloc(1, sizeof *machine);
    if (machine)
        *machine = (AmogetMachine){.latency = {.every = NAN, .local = NAN},
                                   .bandwidth = {.every = NAN, .local = NAN}};
    return machine;
}

void amoget_machine_free(AmogetMachine *machine)
{
    if (!machine)
        return;
    intern_free(&machine->names);
    mem_free(machine->time);
    mem_free(machine->availability);
    mem_free(machine->cores);
    mem_free(machine->memory);
    for (int32_t j = 0; j < machine->processors; j++)
        mem_free(machine->address[j]);
    mem_free(machine->address);
    table_free(&machine->latency);
    table_free(&machine->bandwidth);
    mem_free(machine);
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

static bool reserve_arrays(AmogetMachine *machine, int32_t capacity)
{
    return reserve_array(&machine->time, capacity, sizeof *machine->time) &&
           reserve_array(&machine->availability, capacity, sizeof *machine->availability) &&
           reserve_array(&machine->cores, capacity, sizeof *machine->cores) &&
           reserve_array(&machine->memory, capacity, sizeof *machine->memory) &&
           reserve_array(&machine->address, capacity, sizeof *machine->address);
}

static bool reserve_processors(AmogetMachine *machine, int32_t capacity)
{
    PairTable latency, bandwidth;
    if (!reserve_arrays(machine, capacity) ||
        !table_copy(&latency, machine, &machine->latency, capacity))
        return false;
    if (!table_copy(&bandwidth, machine, &machine->bandwidth, capacity)) {
        table_free(&latency);
        return false;
    }
    table_free(&machine->latency);
    table_free(&machine->bandwidth);
    machine->latency = latency;
    machine->bandwidth = bandwidth;
    machine->capacity = capacity;
    return true;
}

bool machine_add_processor(AmogetMachine *machine, const char *name, double time)
{
    enum { FIRST = 8 };
    assert(machine->processors < MOST_PROCESSORS);
    int32_t grown = machine->capacity ? 2 * machine->capacity : FIRST;
    if (machine->processors == machine->capacity && !reserve_processors(machine, grown))
        return false;
    if (intern_put(&machine->names, name, strlen(name)) < 0)
        return false;
    int32_t j = machine->processors++;
    machine->time[j] = time;
    machine->availability[j] = 1;
    machine->cores[j] = 1;
    machine->memory[j] = 0;
    machine->address[j] = NULL;
    pair_begin(machine, &machine->latency, j, NAN);
    pair_begin(machine, &machine->bandwidth, j, HUGE_VAL);
    return true;
}

bool machine_set_address(AmogetMachine *machine, int32_t processor, const char *address)
{
    const size_t size = strlen(address) + 1;
    char *copy = mem_alloc(size, 1);
    if (!copy)
        return false;
    memcpy(copy, address, size);
    mem_free(machine->address[processor]);
    machine->address[processor] = copy;
    return true;
}

static bool copy_names(Intern *out, const Intern *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (intern_put(out, from->names[i], strlen(from->names[i])) < 0)
            return false;
    return true;
}

AmogetMachine *machine_copy(const AmogetMachine *machine)
{
    size_t count = (size_t)machine->processors;
    AmogetMachine *copy = machine_new();
    if (!copy)
        return NULL;
    copy->capacity = machine->capacity;
    if (!reserve_arrays(copy, copy->capacity) || !copy_names(&copy->names, &machine->names) ||
        !table_copy(&copy->latency, machine, &machine->latency, copy->capacity) ||
        !table_copy(&copy->bandwidth, machine, &machine->bandwidth, copy->capacity)) {
        amoget_machine_free(copy);
        return NULL;
    }
    copy->processors = machine->processors;
    if (count == 0)
        return copy;
    memset(copy->address, 0, count * sizeof *copy->address);
    memcpy(copy->time, machine->time, count * sizeof *copy->time);
    memcpy(copy->availability, machine->availability, count * sizeof *copy->availability);
    memcpy(copy->cores, machine->cores, count * sizeof *copy->cores);
    memcpy(copy->memory, machine->memory, count * sizeof *copy->memory);
    for (int32_t j = 0; j < machine->processors; j++)
        if (machine->address[j] && !machine_set_address(copy, j, machine->address[j])) {
            amoget_machine_free(copy);
            return NULL;
        }
    return copy;
}
