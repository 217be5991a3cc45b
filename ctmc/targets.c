/* In rounds: numbers of the states of others are asked for, as many as fit, and answered in the order
 * in which they were asked for. */
#include "ctmc/targets.h"

#include "base/mem.h"
#include "base/processes.h"

typedef struct {
    const Chain *chain;
    const PepaProcesses *processes;
    const double *number;
    TargetTask *task;
    void *user;
    Post asked, answered;
    Transition *waiting; /* per process, most of them: those that ask */
    int32_t state;       /* own ones until here, and ... */
    int64_t at;          /* ... their transitions are done, or ask */
} Asking;

/* False: too much is asked of its owner. */
static bool put(Asking *a, const Transition *t)
{
    const PepaProcesses *p = a->processes;
    const int32_t owner = (int32_t)(t->to % p->count), place = (int32_t)(t->to / p->count);
    if (owner == p->rank) {
        a->task(a->user, t, a->number[place]);
        return true;
    }
    if (post_is_full(&a->asked, owner))
        return false;
    a->waiting[owner * a->asked.most + post_waiting(&a->asked, owner)] = *t;
    *(int32_t *)post_add(&a->asked, owner) = place;
    return true;
}

/* As far as there is room: false if some transitions are left. */
static bool ask(Asking *a)
{
    const Chain *c = a->chain;
    for (; a->state < c->state_count; a->state++)
        for (; a->at < c->row[a->state + 1]; a->at++) {
            const Transition t = chain_transition(c, a->state, a->at);
            if (!put(a, &t))
                return false;
        }
    return true;
}

static void answer(Asking *a)
{
    for (int32_t p = 0; p < a->processes->count; p++) {
        const int32_t *place = post_items(&a->asked, p);
        for (int32_t i = 0; i < post_come(&a->asked, p); i++)
            *(double *)post_add(&a->answered, p) = a->number[place[i]];
    }
}

static void settle(Asking *a)
{
    for (int32_t p = 0; p < a->processes->count; p++) {
        const double *number = post_items(&a->answered, p);
        for (int32_t i = 0; i < post_come(&a->answered, p); i++)
            a->task(a->user, &a->waiting[p * a->asked.most + i], number[i]);
    }
}

PepaStatus spread_each_target(const Chain *chain, const double *number, TargetTask *task,
                              void *user, PepaError *err)
{
    const PepaProcesses *p = chain->spread->processes;
    const int32_t most = post_items_for(p);
    Asking a = {.chain = chain, .processes = p, .number = number, .task = task, .user = user};
    bool more = post_open(&a.asked, p, sizeof(int32_t), most) &&
                post_open(&a.answered, p, sizeof(double), most) &&
                mem_new(a.waiting, (int64_t)most * p->count);
    const PepaStatus status = processes_agree(p, more ? PEPA_OK : error_memory(err), err);
    while (status == PEPA_OK && more) {
        const bool left = !ask(&a);
        post_swap(&a.asked);
        answer(&a);
        post_swap(&a.answered);
        settle(&a);
        more = processes_count(p, left) > 0;
    }
    post_free(&a.asked);
    post_free(&a.answered);
    mem_free(a.waiting);
    return status;
}
