/* What processes do, event by event. */
#include "simulate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "grid/gum/policy/predicted.h"
#include "grid/gum/policy/tuning.h"

typedef enum {
    FISH,
    SCHEDULE,
    NO_WORK,
    NEWS
} Kind; /* NEWS: that a spark has come, or its result */

struct Message {
    Kind kind;
    int32_t from, to;
    double sent;
    Fish fish;
    int32_t *spark, sparks;
    bool gift;        /* it answers no FISH */
    Reach reach;      /* SCHEDULE, NO_WORK: that of the FISH which it answers */
    PeDynamic *table; /* of the sender, when it sent this */
    Lengths *lengths; /* SCHEDULE: as it knows them */
    double work;      /* of a result */
};

/* A task, while it may run on two processes. */
typedef struct {
    int32_t owner; /* the process that made it */
    bool twice, done;
} Task;

typedef struct {
    bool out, early; /* the last FISH was sent while something ran here */
    bool pausing;    /* after a NULL: if that was to an early FISH, no more early ones */
    int32_t nulls;
} Request;

typedef struct {
    Tables tables;
    int32_t *pool, head, tail, cap;
    int32_t running; /* task, or -1 */
    double begin, end;
    double looks;       /* until when it handles messages */
    Request request[2]; /* the second is that of REACH_FAR */
    int32_t done;
    double worked;
    int32_t watermark;
    uint64_t chance;
} Process;

typedef struct {
    const SimGrid *grid;
    const SimProgram *program;
    const SimPolicy *how;
    Process *process;
    Task *task;
    Events events;
    double now, last;
    int32_t left;
    SimResult result;
    bool failed;
} Sim;

static void plan(Sim *s, double time, What what, int32_t process, Message *message)
{
    if (events_add(&s->events, (Event){time, 0, what, process, message}) != 0)
        s->failed = true;
}

/* ---- pools and tasks ------------------------------------------------------------------------- */

static int32_t sparks_of(const Process *p)
{
    return p->tail - p->head;
}

static void push(Sim *s, Process *p, int32_t task)
{
    if (p->tail == p->cap) {
        int32_t cap = p->cap ? 2 * p->cap : 64;
        int32_t *pool = realloc(p->pool, (size_t)cap * sizeof *pool);
        if (!pool) {
            s->failed = true;
            return;
        }
        p->pool = pool;
        p->cap = cap;
    }
    p->pool[p->tail++] = task;
}

/* As the run-time: of those that came from others, and that have made no sparks. */
static bool may_repeat(const Sim *s, int32_t i, int32_t task)
{
    const SimProgram *program = s->program;
    return program->pure && s->task[task].owner != i && !s->task[task].twice &&
           program->first[task] == program->first[task + 1];
}

static void know_self(Sim *s, int32_t i)
{
    Process *p = &s->process[i];
    const bool again = p->running >= 0 && may_repeat(s, i, p->running);
    p->tables.dynamic[i] =
        (PeDynamic){s->now, sparks_of(p), p->running >= 0, again ? p->begin : -1};
}

static void run_next(Sim *s, int32_t i)
{
    Process *p = &s->process[i];
    if (p->running >= 0 || sparks_of(p) == 0)
        return;
    const int32_t task = p->pool[--p->tail];
    for (int32_t c = s->program->first[task]; c < s->program->first[task + 1]; c++) {
        s->task[c].owner = i;
        push(s, p, c);
    }
    p->running = task;
    p->begin = fmax(s->now, p->looks);
    p->end = p->begin + s->program->work[task] * s->grid->time[i];
    plan(s, p->end, ENDS, i, NULL);
}

/* ---- messages -------------------------------------------------------------------------------- */

static double latency(const Sim *s, int32_t a, int32_t b)
{
    return s->grid->latency[(size_t)a * (size_t)s->grid->size + (size_t)b];
}

static Message *message_new(Sim *s, Kind kind, int32_t from, int32_t to)
{
    const size_t bytes = (size_t)s->grid->size * sizeof(PeDynamic);
    Message *m = calloc(1, sizeof *m);
    PeDynamic *table = malloc(bytes);
    if (!m || !table) {
        free(m);
        free(table);
        s->failed = true;
        return NULL;
    }
    know_self(s, from);
    memcpy(table, s->process[from].tables.dynamic, bytes);
    *m = (Message){.kind = kind, .from = from, .to = to, .sent = s->now, .table = table};
    s->result.messages += kind != NEWS;
    plan(s, s->now + latency(s, from, to), ARRIVES, to, m);
    return m;
}

static void message_free(Message *m)
{
    if (m) {
        free(m->spark);
        free(m->lengths);
        free(m->table);
        free(m);
    }
}

/* What the owner of a task hears of it: that process i has it, or its result. */
static void tell(Sim *s, int32_t i, int32_t task, double work)
{
    if (s->task[task].owner == i)
        return;
    Message *m = message_new(s, NEWS, i, s->task[task].owner);
    if (m)
        m->work = work;
}

static Request *request_of(Process *p, Reach reach)
{
    return &p->request[reach == REACH_FAR];
}

static void ask(Sim *s, int32_t i, Reach reach)
{
    Process *p = &s->process[i];
    Request *request = request_of(p, reach);
    const Policy *policy = &s->how->policy;
    const int32_t lacks = p->watermark - sparks_of(p) - (p->running >= 0);
    const bool early = lacks == 0 && policy_early(policy);
    if (request->out || (lacks <= 0 && !early) || (request->pausing && (early || !request->early)))
        return;
    know_self(s, i);
    const int32_t to = policy_target(policy, &p->tables, early, reach, &p->chance);
    if (to < 0)
        return;
    Message *m = message_new(s, FISH, i, to);
    if (m)
        m->fish = (Fish){.origin = i, .early = early, .reach = reach};
    request->out = true;
    request->early = early;
}

/* Asks for work where there is less than the watermark. */
static void fish(Sim *s, int32_t i)
{
    if (!policy_both(&s->how->policy, &s->process[i].tables)) {
        ask(s, i, REACH_ALL);
        return;
    }
    ask(s, i, REACH_FAR);
    ask(s, i, REACH_NEAR);
}

/* fish: the one that this answers; NULL: none. */
static void schedule(Sim *s, int32_t i, int32_t to, const int32_t *task, int32_t tasks,
                     const Fish *fish)
{
    int32_t *spark = malloc((size_t)tasks * sizeof *spark);
    Message *m = spark ? message_new(s, SCHEDULE, i, to) : NULL;
    if (!m) {
        free(spark);
        s->failed = true;
        return;
    }
    memcpy(spark, task, (size_t)tasks * sizeof *spark);
    m->lengths = malloc(sizeof *m->lengths);
    if (m->lengths)
        *m->lengths = s->process[i].tables.lengths;
    else
        s->failed = true;
    m->spark = spark;
    m->sparks = tasks;
    m->gift = !fish;
    m->reach = fish ? fish->reach : REACH_ALL;
}

static void give(Sim *s, int32_t i, int32_t to, int32_t sparks, const Fish *fish)
{
    Process *p = &s->process[i];
    const int32_t *oldest = p->pool + p->head;
    if (sparks > sparks_of(p))
        sparks = sparks_of(p);
    p->head += sparks;
    schedule(s, i, to, oldest, sparks, fish);
}

/* As the run-time's to_repeat: the task that runs here, where the origin of a FISH is to run it as well. */
static bool repeats(const Sim *s, int32_t i, int32_t origin)
{
    const Process *p = &s->process[i];
    return s->how->policy.name == POLICY_PREDICTED && p->running >= 0 && sparks_of(p) == 0 &&
           may_repeat(s, i, p->running) && predicted_dry(&p->tables) &&
           predicted_gain(&p->tables, origin, s->now - p->begin, 1) > 0;
}

/* `predicted`: the last sparks go to who ends them sooner than the origin. */
static void give_instead(Sim *s, int32_t i, int32_t origin)
{
    const Process *p = &s->process[i];
    if (s->how->policy.name != POLICY_PREDICTED || sparks_of(p) == 0)
        return;
    const int32_t to = predicted_instead(&p->tables, origin);
    if (to >= 0)
        give(s, i, to, 1, NULL);
    know_self(s, i);
}

static void handle_fish(Sim *s, int32_t i, Message *m)
{
    Process *p = &s->process[i];
    know_self(s, i);
    if (!m->fish.early && repeats(s, i, m->fish.origin)) {
        s->task[p->running].twice = true;
        s->result.twice++;
        schedule(s, i, m->fish.origin, &p->running, 1, &m->fish);
        return;
    }
    if (!m->fish.early)
        give_instead(s, i, m->fish.origin);
    const FishAnswer answer = policy_answer(&s->how->policy, &p->tables, &m->fish, &p->chance);
    Message *next;
    switch (answer.action) {
    case FISH_SERVE:
        give(s, i, m->fish.origin, answer.sparks, &m->fish);
        break;
    case FISH_FORWARD:
        next = message_new(s, FISH, i, answer.to);
        if (next)
            next->fish = (Fish){m->fish.origin, m->fish.age + 1, m->fish.early, m->fish.reach};
        break;
    default:
        next = message_new(s, NO_WORK, i, m->fish.origin);
        if (next)
            next->reach = m->fish.reach;
    }
}

static void handle(Sim *s, int32_t i, Message *m)
{
    Process *p = &s->process[i];
    Request *request = request_of(p, m->reach);
    for (int32_t q = 0; q < s->grid->size; q++)
        tables_hear(&p->tables, q, &m->table[q]);
    switch (m->kind) {
    case FISH:
        handle_fish(s, i, m);
        break;
    case SCHEDULE:
        for (int32_t k = 0; k < m->sparks; k++)
            push(s, p, m->spark[k]);
        s->result.taken += m->sparks;
        request->out &= m->gift;
        request->nulls = 0;
        if (m->lengths)
            tables_learn(&p->tables, m->lengths);
        run_next(s, i);
        for (int32_t k = 0; k < m->sparks; k++)
            tell(s, i, m->spark[k], 0);
        break;
    case NEWS:
        if (m->work > 0)
            tables_add_length(&p->tables, m->work);
        break;
    default:
        request->out = false;
        request->pausing = true;
        plan(s, s->now + policy_pause(++request->nulls), m->reach == REACH_FAR ? WAKES_FAR : WAKES,
             i, NULL);
    }
    message_free(m);
    fish(s, i);
}

/* When a message that comes now is looked at: at the end of a slice, after those that wait for the same. */
static void arrive(Sim *s, int32_t i, Message *m)
{
    Process *p = &s->process[i];
    const double slice = s->program->slice * s->grid->time[i];
    const double cost = m->kind == NEWS ? 0 : s->program->message * s->grid->time[i];
    double at = fmax(s->now, p->looks);
    if (p->running >= 0 && slice > 0 && p->looks <= s->now)
        at = fmin(p->end, p->begin + slice * ceil((at - p->begin) / slice));
    at = fmax(at, s->now);
    tables_measure(&p->tables, m->from, at - m->sent, s->now);
    p->looks = at + cost;
    if (p->running >= 0)
        p->end += cost;
    plan(s, p->looks, HANDLED, i, m);
}

static void end_task(Sim *s, int32_t i)
{
    Process *p = &s->process[i];
    if (p->end > s->now) { /* messages took time */
        plan(s, p->end, ENDS, i, NULL);
        return;
    }
    Task *task = &s->task[p->running];
    p->done++;
    p->worked += s->program->work[p->running] * s->grid->time[i];
    p->tables.task = p->worked / p->done;
    if (!task->done) {
        s->left--;
        s->last = fmax(s->last, s->now + latency(s, i, p->tables.main));
    }
    task->done = true;
    const int32_t ended = p->running;
    tables_add_length(&p->tables, s->program->work[ended]);
    p->running = -1;
    tell(s, i, ended, s->program->work[ended]);
    run_next(s, i);
    fish(s, i);
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool start(Sim *s)
{
    const int32_t n = s->grid->size;
    for (int32_t i = 0; i < n; i++) {
        Process *p = &s->process[i];
        p->running = -1;
        p->chance = s->how->seed * UINT64_C(1000003) + (uint64_t)i;
        if (tables_new(&p->tables, n, i) != 0)
            return false;
        for (int32_t q = 0; q < n; q++) {
            p->tables.fixed[q].speed = 1 / s->grid->time[q];
            p->tables.communication[q].latency = latency(s, i, q);
        }
        p->tables.repeats = s->program->pure;
        tables_divide(&p->tables, s->grid->latency, APART);
        p->watermark = s->how->mark > 0 ? policy_watermark(&p->tables, s->how->mark) : 1;
    }
    s->result.main = s->process[0].tables.main;
    push(s, &s->process[s->result.main], 0);
    run_next(s, s->result.main);
    for (int32_t i = 0; i < n; i++)
        fish(s, i);
    return !s->failed;
}

static void finish(Sim *s)
{
    double work = 0, speed = 0;
    for (int32_t t = 0; t < s->program->tasks; t++)
        work += s->program->work[t];
    for (int32_t i = 0; i < s->grid->size; i++)
        speed += 1 / s->grid->time[i];
    s->result.makespan = s->last;
    s->result.efficiency = work / (s->last * speed);
}

int simulate(const SimGrid *grid, const SimProgram *program, const SimPolicy *how, SimResult *out)
{
    Sim s = {.grid = grid, .program = program, .how = how, .left = program->tasks};
    s.process = calloc((size_t)grid->size, sizeof *s.process);
    s.task = calloc((size_t)program->tasks, sizeof *s.task);
    bool good = s.process && s.task && start(&s);
    while (good && s.left > 0 && !s.failed) {
        const Event e = events_next(&s.events);
        s.now = e.time;
        switch (e.what) {
        case ARRIVES:
            arrive(&s, e.process, e.message);
            break;
        case HANDLED:
            handle(&s, e.process, e.message);
            break;
        case ENDS:
            end_task(&s, e.process);
            break;
        default:
            s.process[e.process].request[e.what == WAKES_FAR].pausing = false;
            fish(&s, e.process);
        }
    }
    good = good && !s.failed;
    if (good) {
        finish(&s);
        *out = s.result;
    }
    for (size_t k = 0; k < s.events.count; k++)
        message_free(s.events.event[k].message);
    for (int32_t i = 0; i < grid->size && s.process; i++) {
        tables_free(&s.process[i].tables);
        free(s.process[i].pool);
    }
    free(s.process);
    free(s.task);
    free(s.events.event);
    return good ? 0 : -1;
}
