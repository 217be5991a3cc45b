/* Processes that share a call agree on what happens next. */
#include "amoget/search/agreement.h"

#include <math.h>
#include <string.h>

#include "base/processes.h"

/* Looks at the clock after tasks: before partial mappings are looked at, at the first of them, and
 * after them. */
enum { FRESH = 3 };

void agreement_begin(Agreement *a, const PepaProcesses *processes)
{
    const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const bool several = processes && processes_talk(processes) && processes->count > 1;
    a->processes = several ? processes : NULL;
    a->lock = lock;
    a->failed = PEPA_OK;
    a->ends = a->dealt = a->few = false;
    a->fresh = 0;
    a->begun = a->taken = 0;
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

/* What fails first does in all: in the order of `place`, and of processes. */
static PepaStatus fail_together(Agreement *a, PepaStatus status, int32_t place, PepaError *err)
{
    const PepaProcesses *p = a->processes;
    const double mine = status == PEPA_OK ? -HUGE_VAL : -place;
    double first = mine;
    p->largest(p->user, &first, 1);
    double rank = mine == first ? -p->rank : -HUGE_VAL;
    p->largest(p->user, &rank, 1);
    status = tell(p, (int32_t)-rank, status, err);
    if (first == -OUTSIDE) {
        a->failed = status;
        a->failure = *err;
    }
    return status;
}

/* The one collective.  place: of a failure, a task or OUTSIDE; *any: whether one says so. */
static PepaStatus settle(Agreement *a, PepaStatus status, int32_t place, bool *any, PepaError *err)
{
    enum { LIMITED, CANCELLED, ANY, FAILED, TAKEN, NUMBERS };
    const PepaProcesses *p = a->processes;
    const int stopped = atomic_load(&a->stopped);
    double all[NUMBERS] = {stopped == PEPA_ELIMIT, stopped == PEPA_ECANCEL, *any, status != PEPA_OK,
                           place == OUTSIDE || a->few ? 0 : (double)a->taken};
    p->sum(p->user, all, NUMBERS);
    atomic_store(&a->stopped, all[CANCELLED] > 0 ? PEPA_ECANCEL
                              : all[LIMITED] > 0 ? PEPA_ELIMIT
                                                 : PEPA_OK);
    a->ends = all[CANCELLED] > 0 || all[LIMITED] > 0;
    a->begun += (int64_t)all[TAKEN];
    *any = all[ANY] > 0;
    return all[FAILED] > 0 ? fail_together(a, status, place, err) : PEPA_OK;
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

bool agreement_ends(Agreement *a)
{
    PepaError why;
    bool any = false;
    if (!a->processes)
        return atomic_load(&a->stopped) != PEPA_OK;
    if (a->fresh > 0)
        a->fresh--;
    else if (a->failed == PEPA_OK)
        (void)settle(a, PEPA_OK, OUTSIDE, &any, &why);
    return a->failed != PEPA_OK || a->ends;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* The next task.  The counter goes on from tasks to tasks: all know how far it has come. */
static int64_t next(void *user)
{
    Agreement *a = user;
    const PepaProcesses *p = a->processes;
    pthread_mutex_lock(&a->lock);
    int64_t number = INT32_MAX;
    if (!a->few)
        number = p->take(p->user) - a->begun;
    else if (a->taken == 0)
        number = p->rank;
    a->taken++;
    pthread_mutex_unlock(&a->lock);
    return number;
}

static PepaStatus deal(Agreement *a, PepaError *err)
{
    const PepaStatus status = agreement_on(a, PEPA_OK, err);
    if (status != PEPA_OK)
        return status;
    a->processes->deal(a->processes->user);
    a->dealt = true;
    a->begun = 0;
    return PEPA_OK;
}

PepaStatus agreement_tasks(Agreement *a, Workers *workers, int32_t count, Task *task, void *user,
                           PepaError *err)
{
    PepaError why = {0};
    bool any = false;
    int32_t first;
    if (!a->processes)
        return tasks_run(workers, count, task, user, err);
    if (a->failed != PEPA_OK)
        return give(a->failed, &a->failure, err);
    a->few = count <= a->processes->count;
    a->taken = 0;
    PepaStatus status = a->few || a->dealt ? PEPA_OK : deal(a, err);
    if (status != PEPA_OK)
        return status;
    const Taking taking = {next, a};
    status = tasks_take(a->few ? NULL : workers, count, &taking, task, user, &first, &why);
    status = settle(a, status, first, &any, &why);
    a->fresh = FRESH;
    return give(status, &why, err);
}

void agreement_nothing_new(Agreement *a)
{
    a->fresh = FRESH;
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
