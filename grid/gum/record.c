/* Futures: a record for each task. */
#include "grid/gum/record.h"

#include <stdlib.h>

struct Slab {
    Slab *next;
    Record each[RECORDS_OF_A_SLAB];
};

static int add_slab(Records *records)
{
    Slab *slab = calloc(1, sizeof *slab);
    if (!slab)
        return -1;
    slab->next = records->slabs;
    records->slabs = slab;
    for (int i = RECORDS_OF_A_SLAB - 1; i >= 0; i--) {
        Record *record = &slab->each[i];
        record->stamp = ((uint64_t)records->pid << RECORD_PID_SHIFT) + 1;
        record->owner = records->pid;
        record->data = record->bytes;
        record->next = records->free;
        records->free = record;
    }
    return 0;
}

Record *record_slow(Records *records, Type *type)
{
    void *block = NULL;
    if (type->size > RECORD_INLINE && !(block = malloc(type->size)))
        return NULL;
    if (!records->free && add_slab(records)) {
        free(block);
        return NULL;
    }
    Record *record = records->free;
    records->free = record->next;
    record->type = type;
    if (block) {
        record->data = block;
        record->odd = ODD_DATA;
    }
    return record;
}

void record_free_slow(Records *records, Record *record)
{
    if (record->odd & ODD_DATA)
        free(record->data);
    record->data = record->bytes;
    record->owner = records->pid;
    record->odd = 0;
    record_free(records, record);
}

static void clear(const GumValue *value, void *bytes)
{
    if (value->clear)
        value->clear(bytes);
}

/* Of a task that was still running when the run ended nobody knows what its result has by then. */
static void clear_values(Record *record)
{
    const GumTask *task = &record->type->task;
    if (record->state == RECORD_SPARK || record->state == RECORD_HELD ||
        record->state == RECORD_RUNNING)
        clear(&task->argument, record->data);
    else if (record->state == RECORD_DONE)
        clear(&task->result, record_result(record));
}

void records_free(Records *records)
{
    for (Slab *slab = records->slabs, *next; slab; slab = next) {
        next = slab->next;
        for (int i = 0; i < RECORDS_OF_A_SLAB; i++) {
            Record *record = &slab->each[i];
            if (record->state != RECORD_FREE)
                clear_values(record);
            if (record->data != record->bytes)
                free(record->data);
        }
        free(slab);
    }
    records->slabs = NULL;
    records->free = NULL;
}

Record *record_find(RecordId id)
{
    Record *record = (Record *)(uintptr_t)id.address;
    return record->stamp == id.stamp && record->state != RECORD_FREE ? record : NULL;
}
