/* Processes that share a call agree on what happens next. */
#include "amoget/search/agreement.h"

#include <math.h>
#include <string.h>

#include "base/processes.h"

void agreement_begin(Agreement *a, const PepaProcesses *processes)
{
    const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const bool several = processes && processes_talk(processes) && processes->count > 1;
    a->processes = several ? processes : NULL;
    a->lock = lock;
    a->failed = PEPA_OK;
    atomic_init(&a->stopped, PEPA_OK);
}

/* ---- the collective -------------------------------------------------------------------------- */

/* The message of process `from`, in all of them. */
static PepaStatus tell(const PepaProcesses *p, int32_t from, PepaStatus status, PepaError *err)
{
    enum { CODE, LIMIT, TEXT };
    double all[TEXT + sizeof err->message] = {0};
    if (p->rank == from) {
        all[CODE] = status;
        all[LIMIT] = err->limit;
        for (size_t i = 0; i < sizeof err->message; i++)
            all[TEXT + i] = (unsigned char)err->message[i];
    }
    p->sum(p->user, all, (int32_t)(sizeof all / sizeof *all));
    *err = (PepaError){.code = (PepaStatus)all[CODE], .limit = (PepaLimit)all[LIMIT]};
    for (size_t i = 0; i < sizeof err->message; i++)
        err->message[i] = (char)all[TEXT + i];
    return err->code;
}

/* Outside tasks; before any of them. */
enum { OUTSIDE = -1 };

/* The one collective: what fails first does in all, in the order of `place`, a task or OUTSIDE, and of
 * processes.  *any: whether one says so. */
static PepaStatus settle(Agreement *a, PepaStatus status, int32_t place, bool *any, PepaError *err)
{
    enum { STOPPED, ANY, FIRST, NUMBERS };
    const PepaProcesses *p = a->processes;
    double all[NUMBERS] = {atomic_load(&a->stopped), *any, status == PEPA_OK ? -HUGE_VAL : -place};
    const double mine = all[FIRST];
    p->largest(p->user, all, NUMBERS);
    atomic_store(&a->stopped, (int)all[STOPPED]);
    *any = all[ANY] != 0;
    if (all[FIRST] == -HUGE_VAL)
        return PEPA_OK;
    double rank = mine == all[FIRST] ? -p->rank : -HUGE_VAL;
    p->largest(p->user, &rank, 1);
    status = tell(p, (int32_t)-rank, status, err);
    if (all[FIRST] == -OUTSIDE) {
        a->failed = status;
        a->failure = *err;
    }
    return status;
}

static PepaStatus give(PepaStatus status, const PepaError *from, PepaError *err)
{
    if (err && status != PEPA_OK)
        *err = *from;
    return status;
}

PepaStatus agreement_on(Agreement *a, PepaStatus status, PepaError *err)
{
    PepaError why = {0};
    bool any = false;
    if (!a->processes)
        return status;
    if (a->failed != PEPA_OK)
        return give(a->failed, &a->failure, err);
    if (err && status != PEPA_OK)
        why = *err;
    const bool stopped = status != PEPA_OK && status == (PepaStatus)atomic_load(&a->stopped);
    const PepaStatus all = settle(a, stopped ? PEPA_OK : status, OUTSIDE, &any, &why);
    return all == PEPA_OK ? status : give(all, &why, err);
}

bool agreement_any(Agreement *a, bool mine)
{
    PepaError why;
    if (!a->processes)
        return mine;
    if (a->failed != PEPA_OK)
        return true;
    return settle(a, PEPA_OK, OUTSIDE, &mine, &why) != PEPA_OK || mine;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static int64_t next(void *user)
{
    Agreement *a = user;
    pthread_mutex_lock(&a->lock);
    const int64_t number = a->processes->take(a->processes->user);
    pthread_mutex_unlock(&a->lock);
    return number;
}

PepaStatus agreement_tasks(Agreement *a, Workers *workers, int32_t count, Task *task, void *user,
                           PepaError *err)
{
    PepaError why = {0};
    bool any = false;
    int32_t first;
    if (!a->processes)
        return tasks_run(workers, count, task, user, err);
    PepaStatus status = agreement_on(a, PEPA_OK, err);
    if (status != PEPA_OK)
        return status;
    a->processes->deal(a->processes->user);
    status = tasks_take(workers, count, &(Taking){next, a}, task, user, &first, &why);
    return give(settle(a, status, first, &any, &why), &why, err);
}

void agreement_sum(const Agreement *a, double *x, int64_t n)
{
    enum { AT_ONCE = 8192 };
    const PepaProcesses *p = a->processes;
    for (int64_t first = 0; p && a->failed == PEPA_OK && first < n; first += AT_ONCE)
        p->sum(p->user, x + first, (int32_t)(n - first < AT_ONCE ? n - first : AT_ONCE));
}

void agreement_poll(Agreement *a)
{
    if (!a->processes || pthread_mutex_trylock(&a->lock) != 0)
        return;
    a->processes->poll(a->processes->user);
    pthread_mutex_unlock(&a->lock);
}
