/* The spark pool and records of GUM, against a plain list. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/policy.h"
#include "grid/gum/pool.h"
#include "grid/gum/thread.h"

static void nothing(const void *argument, void *result)
{
    (void)argument;
    (void)result;
}

static Type small = {.task = {"small", nothing, {8, 0, 0, 0}, {8, 0, 0, 0}},
                     .result_at = 16,
                     .size = 24};
static Type large = {.task = {"large", nothing, {100, 0, 0, 0}, {8, 0, 0, 0}},
                     .result_at = 112,
                     .size = 120};

Test(gum_pool, newest_and_oldest)
{
    Records records = {.pid = 3};
    Pool pool = {0};
    Record *each[5];
    for (int i = 0; i < 5; i++) {
        each[i] = record_new(&records, &small);
        cr_assert(each[i] && pool_push(&pool, each[i]) == 0);
        cr_assert(each[i]->state == RECORD_SPARK);
    }
    cr_assert(pool_oldest(&pool) == each[0] && each[0]->state == RECORD_HELD);
    cr_assert(pool_see_newest(&pool) == each[4] && pool_newest(&pool) == each[4]);
    pool_remove(&pool, each[2]);
    cr_assert(pool_count(&pool) == 2 && pool_see_newest(&pool) == each[3]);
    cr_assert(pool_oldest(&pool) == each[1] && pool_oldest(&pool) == each[3]);
    cr_assert(pool_count(&pool) == 0 && pool_oldest(&pool) == NULL && pool_newest(&pool) == NULL);
    cr_assert(pool_see_newest(&pool) == NULL);
    pool_free(&pool);
    records_free(&records);
}

/* It stays in the pool; holes are passed over. */
Test(gum_pool, one_that_is_waited_for)
{
    Records records = {.pid = 3};
    Pool pool = {0};
    Thread waits = {0};
    Record *each[4];
    cr_assert_null(pool_see_awaited(&pool));
    for (int i = 0; i < 4; i++) {
        each[i] = record_new(&records, &small);
        cr_assert(each[i] && pool_push(&pool, each[i]) == 0);
    }
    cr_assert_null(pool_see_awaited(&pool));
    each[2]->waiting = &waits;
    pool_remove(&pool, each[1]);
    cr_assert(pool_see_awaited(&pool) == each[2] && pool_count(&pool) == 3);
    pool_remove(&pool, each[2]);
    cr_assert_null(pool_see_awaited(&pool));
    pool_free(&pool);
    records_free(&records);
}

/* Any sequence of operations does what it does to a list: first and last element, and any. */
Test(gum_pool, any_sequence)
{
    enum { STEPS = 300000, MOST = 3000 };
    static Record *list[MOST];
    int count = 0;
    uint64_t chance = 5;
    Records records = {.pid = 0};
    Pool pool = {0};
    for (int i = 0; i < STEPS; i++) {
        int32_t what = policy_draw(&chance, 8), grows = (i / 20000) % 2 == 0, at;
        Record *record;
        if (count < MOST && (what < 3 || (grows && what < 5))) {
            record = record_new(&records, &small);
            cr_assert(record && pool_push(&pool, record) == 0);
            list[count++] = record;
        } else if (what == 5) {
            record = pool_oldest(&pool);
            cr_assert(record == (count > 0 ? list[0] : NULL));
            for (int k = 1; k < count; k++)
                list[k - 1] = list[k];
            count -= count > 0;
            if (record)
                record_free(&records, record);
        } else if (what == 6) {
            record = pool_newest(&pool);
            cr_assert(record == (count > 0 ? list[count - 1] : NULL));
            count -= count > 0;
            if (record)
                record_free(&records, record);
        } else if (count > 0) {
            at = policy_draw(&chance, count);
            record = list[at];
            pool_remove(&pool, record);
            cr_assert(record->state == RECORD_HELD);
            for (int k = at + 1; k < count; k++)
                list[k - 1] = list[k];
            count--;
            record_free(&records, record);
        }
        cr_assert(pool_count(&pool) == count);
    }
    pool_free(&pool);
    records_free(&records);
}

/* A handle holds until the record is freed; the record is used again with another stamp. */
Test(gum_pool, stamps)
{
    Records records = {.pid = 7};
    Record *record = record_new(&records, &small);
    cr_assert(record && (int)(record->stamp >> RECORD_PID_SHIFT) == 7);
    record->state = RECORD_HELD;
    RecordId id = record_id(record);
    cr_assert(record_find(id) == record);
    record_free(&records, record);
    cr_assert(record_find(id) == NULL);
    Record *again = record_new(&records, &large);
    cr_assert(again == record && again->data != again->bytes);
    again->state = RECORD_HELD;
    cr_assert(record_find(id) == NULL && record_find(record_id(again)) == again);
    record_free(&records, again);
    again = record_new(&records, &small);
    cr_assert(again == record && again->data == again->bytes);
    records_free(&records);
}

/* Values that are left are cleared, once each: arguments of what has not ended, results of what is done. */
static int cleared;
static void count_clear(void *value)
{
    cleared += *(int *)value;
}

Test(gum_pool, what_is_left_is_cleared)
{
    Type owning = {.task = {"owning", nothing, {8, 0, 0, count_clear}, {8, 0, 0, count_clear}},
                   .result_at = 16,
                   .size = 24};
    const RecordState states[] = {RECORD_SPARK, RECORD_HELD, RECORD_RUNNING, RECORD_AWAY,
                                  RECORD_DONE};
    Records records = {.pid = 0};
    for (int i = 0; i < 5; i++) {
        Record *record = record_new(&records, &owning);
        cr_assert(record != NULL);
        record->state = (uint8_t)states[i];
        *(int *)record->data = 1;
        *(int *)record_result(record) = 100;
    }
    records_free(&records);
    cr_assert(cleared == 103); /* spark, held, running; done */
}
