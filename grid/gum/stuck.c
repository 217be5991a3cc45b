/* Tasks that wait for each other in a circle over several processes. */
#include "grid/gum/stuck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/gum/messages.h"
#include "grid/gum/tuning.h"

enum { TEXT = 72 };

/* What a process says. */
typedef struct {
    int64_t sent, received;
    int32_t quiet; /* it can run nothing */
    int32_t full;  /* it has its limit of threads, and asks nobody for work */
    int32_t sparks, blocked;
    char text[TEXT]; /* a task that waits */
} Word;

void stuck_begin(Gum *gum, double now)
{
    gum->stuck = (Stuck){.next = now + FIRST_QUIET, .pause = FIRST_QUIET};
}

/* ---- a process ----------------------------------------------------------------------------------- */

static void describe(const Gum *gum, char *out, size_t size)
{
    for (const Thread *each = gum->threads.living; each; each = each->next_live) {
        const Record *record = each->awaits;
        const char *name = each->task->type->task.name;
        if (record && record->at >= 0)
            (void)snprintf(out, size, "`%.20s` for `%.20s` on process %d", name,
                           record->type->task.name, (int)record->at);
        else if (record)
            (void)snprintf(out, size, "`%.20s` for `%.20s`", name, record->type->task.name);
        else if (each->fetches)
            (void)snprintf(out, size, "`%.20s` for data", name);
        if (record || each->fetches)
            return;
    }
}

int stuck_asked(Gum *gum, const Message *message)
{
    const Threads *threads = &gum->threads;
    Word word = {.sent = gum->stuck.sent, .received = gum->stuck.received};
    GridBuffer body = {0};
    int64_t sparks = pool_count(&gum->pool);
    word.full = threads->live >= threads->limit;
    word.sparks = sparks > 0;
    word.blocked = threads->blocked;
    word.quiet = !threads->ready && threads->blocked == threads->live &&
                 (word.full ? !pool_see_awaited(&gum->pool) : !word.sparks);
    describe(gum, word.text, sizeof word.text);
    if (grid_put(&body, &word, sizeof word)) {
        grid_buffer_free(&body);
        return session_out_of_memory(&gum->session);
    }
    Head head = head_new(TAG_WORD, NULL, 0);
    int status = session_send(&gum->session, message->from, &head, &body);
    grid_buffer_free(&body);
    return status;
}

/* ---- process 0 ----------------------------------------------------------------------------------- */

int stuck_step(Gum *gum, int busy, double now)
{
    Stuck *stuck = &gum->stuck;
    if (gum->pid != 0)
        return 0;
    if (busy) {
        stuck->next = now + FIRST_QUIET;
        stuck->pause = FIRST_QUIET;
        return 0;
    }
    if (stuck->asked > 0 || now < stuck->next)
        return 0;
    Head head = head_new(TAG_QUIET, NULL, 0);
    stuck->asked = gum->processes;
    stuck->total = (Wave){.quiet = 1, .full = 1};
    stuck->used = 0;
    return session_send_all(&gum->session, &head, NULL, 0, 1) ? -1 : 1;
}

static void add(Stuck *stuck, int32_t from, const Word *word)
{
    Wave *total = &stuck->total;
    total->sent += word->sent;
    total->received += word->received;
    total->quiet &= word->quiet;
    total->full &= word->full;
    total->sparks |= word->sparks;
    size_t left = sizeof stuck->text - stuck->used;
    if (word->text[0] && left > 1) {
        int added = snprintf(stuck->text + stuck->used, left, "%s process %d: %.*s",
                             stuck->used > 0 ? ";" : "", (int)from, TEXT, word->text);
        stuck->used += added > 0 && (size_t)added < left ? (size_t)added : left - 1;
    }
}

/* Sparks that nobody can begin: a process that is not at its limit would ask for them. */
static int nothing_goes_on(const Wave *wave)
{
    return wave->quiet && wave->sent == wave->received && (!wave->sparks || wave->full);
}

int stuck_told(Gum *gum, const Message *message)
{
    Stuck *stuck = &gum->stuck;
    Cursor cursor = {.buffer = &message->body};
    Word word;
    if (buffer_get(&cursor, &word, sizeof word))
        return session_fail(&gum->session, GRID_EMPI, "a message is too short");
    word.text[TEXT - 1] = '\0';
    add(stuck, message->from, &word);
    if (--stuck->asked > 0)
        return 0;
    const Wave before = stuck->before;
    stuck->before = stuck->total;
    stuck->next = gum->session.looked + FIRST_QUIET;
    if (!nothing_goes_on(&stuck->total)) {
        stuck->pause = fmin(2 * stuck->pause, LONGEST_QUIET);
        stuck->next = gum->session.looked + stuck->pause;
        return 0;
    }
    if (!nothing_goes_on(&before) || before.sent != stuck->total.sent)
        return 0;
    return session_fail(&gum->session, GRID_EARG, "gum_force: tasks wait for each other:%s",
                        stuck->text);
}
