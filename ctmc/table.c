#include "ctmc/table.h"

#include <string.h>

bool table_init(Table *table, size_t words)
{
    *table = (Table){.words = words, .slot_count = 1024};
    table->slots = mem_calloc(table->slot_count, sizeof *table->slots);
    return table->slots != NULL;
}

void table_free(Table *table)
{
    mem_free(table->state);
    mem_free(table->slots);
    *table = (Table){0};
}

void table_seal(Table *table)
{
    mem_free(table->slots);
    table->slots = NULL;
    size_t used = (size_t)table->count * table->words;
    uint64_t *state = mem_resize(table->state, used, sizeof *state);
    if (state) {
        table->state = state;
        table->cap = used;
    }
}

static bool grow(Table *table)
{
    size_t count = table->slot_count * 2, mask = count - 1;
    uint64_t *slots = mem_calloc(count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < table->slot_count; i++) {
        uint64_t entry = table->slots[i];
        if (!entry)
            continue;
        size_t slot = (size_t)(entry >> 32) & mask;
        while (slots[slot])
            slot = (slot + 1) & mask;
        slots[slot] = entry;
    }
    mem_free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    return true;
}

int32_t table_put(Table *table, const uint64_t *state, uint32_t hash)
{
    const size_t words = table->words, mask = table->slot_count - 1;
    size_t slot = hash & mask;
    for (uint64_t entry; (entry = table->slots[slot]) != 0; slot = (slot + 1) & mask) {
        if ((uint32_t)(entry >> 32) != hash)
            continue;
        size_t id = (size_t)(uint32_t)entry - 1;
        const uint64_t *there = words ? table->state + id * words : state;
        size_t i = 0;
        while (i < words && there[i] == state[i])
            i++;
        if (i == words)
            return (int32_t)id;
    }
    if (table->count == INT32_MAX - 1)
        return -1;
    size_t used = (size_t)table->count * words;
    if (!mem_reserve(&table->state, &table->cap, used + words, sizeof *table->state))
        return -1;
    if (((size_t)table->count + 1) * 4 > table->slot_count * 3) {
        if (!grow(table))
            return -1;
        slot = hash & (table->slot_count - 1);
        while (table->slots[slot])
            slot = (slot + 1) & (table->slot_count - 1);
    }
    if (words)
        memcpy(table->state + used, state, words * sizeof *state);
    table->slots[slot] = (uint64_t)hash << 32 | (uint32_t)(table->count + 1);
    return table->count++;
}
