/* Tasks that run on two processes. */
#include "grid/gum/repeat.h"

#include <math.h>

#include "grid/core/clock.h"
#include "grid/gum/policy/predicted.h"

/* ---- which --------------------------------------------------------------------------------------- */

int repeat_may(const Gum *gum, const Record *record)
{
    return record->type->pure && record->owner != gum->pid && !(record->odd & ODD_TWICE);
}

static int thread_may(const Gum *gum, const Thread *thread)
{
    return !record_ended(thread->task) && !thread->makes && !thread->awaits && !thread->fetches &&
           repeat_may(gum, thread->task);
}

Record *repeat_for(const Gum *gum, int32_t origin)
{
    const Threads *threads = &gum->threads;
    double best = 0;
    Record *found = NULL;
    if (!gum->tables.repeats || pool_count(&gum->pool) > 0 || !predicted_dry(&gum->tables))
        return NULL;
    for (const Thread *each = threads->living; each; each = each->next_live) {
        if (!thread_may(gum, each))
            continue;
        double gain =
            predicted_gain(&gum->tables, origin, each->ran, threads->live - threads->blocked);
        if (gain > best) {
            best = gain;
            found = each->task;
        }
    }
    return found;
}

double repeat_ran(const Gum *gum)
{
    const Thread *current = gum->threads.current;
    double least = HUGE_VAL;
    for (const Thread *each = gum->threads.living; each; each = each->next_live)
        if (thread_may(gum, each))
            least = fmin(least, each->ran + (each == current ? clock_now() - gum->entered : 0));
    return least < HUGE_VAL ? least : -1;
}

/* ---- lengths ------------------------------------------------------------------------------------- */

void repeat_learn(Gum *gum, double work)
{
    if (gum->tables.repeats && work > 0)
        tables_add_length(&gum->tables, work);
}

typedef struct {
    int32_t tasks, bins; /* bins that are not empty, which follow */
} LengthsHead;
typedef struct {
    uint16_t bin, tasks;
} LengthsBin;

int repeat_put_lengths(Gum *gum, GridBuffer *body)
{
    const Lengths *its = &gum->tables.lengths;
    LengthsHead head = {its->tasks, 0};
    if (!gum->tables.repeats)
        return 0;
    for (int b = 0; b < LENGTH_BINS; b++)
        head.bins += its->bin[b] > 0;
    int bad = grid_put(body, &head, sizeof head);
    for (int b = 0; b < LENGTH_BINS && !bad; b++) {
        const LengthsBin bin = {(uint16_t)b, its->bin[b]};
        bad = bin.tasks > 0 && grid_put(body, &bin, sizeof bin);
    }
    return bad ? session_out_of_memory(&gum->session) : 0;
}

int repeat_get_lengths(Gum *gum, Cursor *from)
{
    LengthsHead head;
    Lengths its = {0};
    if (!gum->tables.repeats)
        return 0;
    int bad = buffer_get(from, &head, sizeof head);
    for (int32_t i = 0; !bad && i < head.bins; i++) {
        LengthsBin bin;
        bad = buffer_get(from, &bin, sizeof bin) || bin.bin >= LENGTH_BINS;
        if (!bad)
            its.bin[bin.bin] = bin.tasks;
    }
    if (bad)
        return session_fail(&gum->session, GRID_EMPI, "a message with lengths is too short");
    its.tasks = head.tasks;
    tables_learn(&gum->tables, &its);
    return 0;
}
