/* Running a task in place, and what its end means to those who wait for it. */
#ifndef GRID_GUM_EVALUATE_H
#define GRID_GUM_EVALUATE_H

#include "grid/gum/context.h"
#include "grid/gum/values.h"

/* What is not as in most cases: the budget is used up, the task is measured; it is waited for, or its
 * future was freed. */
void evaluate_carefully(Gum *gum, Record *record);
void evaluate_end(Gum *gum, Record *record);
/* Run a task that is not in the pool, in the current thread; afterwards it is RECORD_DONE, its argument
 * is cleared, and who waits for it is ready. */
static inline void evaluate(Gum *gum, Record *record)
{
    Type *type = record->type;
    record->state = RECORD_RUNNING;
    record->runner = gum->threads.current;
    gum->budget -= type->weight;
    if (__builtin_expect(gum->budget < 0 || gum->careful, 0))
        evaluate_carefully(gum, record);
    else
        type->task.run(record->data, record_result(record));
    value_clear(&type->task.argument, record->data);
    record->state = RECORD_DONE;
    if (__builtin_expect(record->waiting != NULL || record->odd & ODD_ORPHAN, 0))
        evaluate_end(gum, record);
}
/* The body of a thread: its task; then the result goes to the process that made the spark. */
void evaluate_thread(struct Thread *thread);
/* Nanoseconds of tasks between two looks at the clock. */
int64_t evaluate_budget(const Gum *gum);
/* From where on in the pool making a spark is not quick. */
void evaluate_set_soft(Gum *gum);
/* The budget is used up: look at the clock, at messages, and yield if it is time to. */
void evaluate_pause(Gum *gum);
/* A future is given up: its record is freed, now or when its task ends. */
void evaluate_drop(Gum *gum, Record *record);
/* Wait until something has happened to a record that does not run in this thread. */
void evaluate_wait(Gum *gum, Record *record);
/* Wait until threads_wake is called for this list. */
void evaluate_wait_for(Gum *gum, struct Thread **waiting);

#endif
