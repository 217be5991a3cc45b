/* Makespans from models of two phases. */
#include "grid/gum/predict/predict.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/gum/predict/search.h"
#include "grid/gum/predict/shape.h"
#include "grid/gum/predict/tail.h"

/* Of processes, the share that has sparks while work moves among all: those that were taken last run
 * without making more. */
#define SHARE_WITH_SPARKS 0.6

/* What both phases share, and one of them. */
typedef struct {
    const Platform *platform;
    const Profile *profile;
    const Predicting *how;
    Policy policy;
    WorkShape shape;
    Group group[MOST_GROUPS + 1];
    ModelGroup model[MOST_GROUPS + 1];
    Search search[MOST_GROUPS + 1];
    double used[MOST_GROUPS + 1]; /* share of its time that a process works */
    double rate[MOST_GROUPS + 2];
    int32_t groups;
    TakingModel taking;
    double unit; /* work of a task of the model, units */
    double throughput, messages;
    ModelMethod method;
} Phase;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* As policy_watermark, for a process of that speed. */
static int32_t watermark_of(const Phase *p, double time)
{
    const double mean = p->platform->speed / p->platform->size;
    const double mark = ceil(p->how->mark / time / mean - 1e-9);
    return mark > 1 ? (int32_t)fmin(mark, MOST_STOCK / 2) : 1;
}

static Phase phase_new(const Platform *platform, const Profile *profile, PolicyName policy,
                       const Predicting *how)
{
    const int32_t age = how->age_limit >= 0 ? how->age_limit : platform->size;
    return (Phase){.platform = platform,
                   .profile = profile,
                   .how = how,
                   .policy = {.name = policy, .age_limit = age},
                   .shape = work_shape(profile, platform->size)};
}

static Group main_group(const Platform *g)
{
    const int32_t main = g->tables.main;
    return (Group){.copies = 1, .cluster = g->tables.fixed[main].cluster, .time = g->time[main]};
}

/* The model's groups: without the main process where it is the source of all sparks. */
static void set_groups(Phase *p, const Sparks *sparks, double unit)
{
    const Platform *g = p->platform;
    const int32_t main = g->tables.main;
    p->groups = g->groups;
    p->unit = unit;
    for (int32_t i = 0; i < g->groups; i++)
        p->group[i] = g->group[i];
    if (sparks->spread)
        p->group[p->groups++] = main_group(g);
    for (int32_t i = 0; i < p->groups; i++) {
        p->search[i] = search_of(g, p->profile, &p->policy, sparks, &p->group[i]);
        p->model[i] = (ModelGroup){.copies = p->group[i].copies,
                                   .work = unit * p->group[i].time,
                                   .search = p->search[i].seconds,
                                   .watermark = watermark_of(p, p->group[i].time),
                                   .bulk = least(p->search[i].bulk, MOST_STOCK / 2)};
    }
    p->taking = (TakingModel){.work = sparks->spread ? 0 : unit * g->time[main],
                              .serve = sparks->spread ? 0 : p->profile->message * g->time[main],
                              .stages = p->how->stages,
                              .group = p->model,
                              .groups = p->groups};
}

static void first_phase(Phase *p)
{
    const Sparks sparks = {.pool = p->shape.sparks / 2, .task = p->shape.granule};
    set_groups(p, &sparks, p->shape.granule);
}

static void second_phase(Phase *p)
{
    const Sparks sparks = {
        .spread = true,
        .pool = fmax(1, p->shape.leaves / p->platform->size / 4),
        .share = SHARE_WITH_SPARKS,
        .task = p->shape.leaf,
        .branches = p->shape.branches,
    };
    set_groups(p, &sparks, p->shape.piece);
}

/* Throughput and what each group works; FISHes take time of the main process.  Where work moves among all,
 * the main process, which has more of it than others, does not wait for what it looks for. */
static PepaStatus solve(Phase *p, PepaError *err)
{
    PepaStatus status =
        taking_solve(&p->taking, p->how->most_states, p->how->set, p->rate, &p->method, err);
    double fishes = 0;
    if (status != PEPA_OK)
        return status;
    p->throughput = p->messages = 0;
    for (int32_t i = 0; i < p->groups; i++) {
        const double taken = p->rate[i + 1] / p->model[i].bulk;
        p->throughput += p->rate[i + 1] * p->unit;
        p->used[i] = fmin(1, p->rate[i + 1] * p->model[i].work / p->model[i].copies);
        p->messages += taken * p->search[i].messages;
        fishes += taken;
    }
    p->throughput += p->rate[0] * p->unit * fmax(0, 1 - fishes * p->taking.serve);
    if (p->taking.work == 0) { /* the main process's group is the last one */
        const int32_t own = p->groups - 1;
        p->throughput += (1 - p->used[own]) / p->group[own].time;
        p->used[own] = 1;
    }
    return PEPA_OK;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Seconds of all that processes lose before they have their first work, beyond what the model's
 * searches count already.  The first lot of `predicted` is one spark: one search more for it. */
static double start_of(const Phase *p)
{
    double lost = 0;
    for (int32_t i = 0; i < p->groups; i++) {
        const Search *it = &p->search[i];
        const double small = p->policy.name == POLICY_PREDICTED ? 1 - 1.0 / it->bulk : 0;
        lost += p->group[i].copies / p->group[i].time *
                (it->seconds * (p->used[i] + small) +
                 search_learning(p->platform, p->profile, &p->policy, &p->group[i]));
    }
    return lost / p->platform->speed;
}

/* A group when the sparks end.  Tasks that the main process runs are its own: nobody runs those again. */
static TailGroup tail_group(const Phase *p, const Group *group, double busy, double pure)
{
    TailGroup it = {.copies = group->copies, .time = group->time, .busy = busy};
    if (p->policy.name == POLICY_PREDICTED) {
        const Repeating again = search_repeat(p->platform, p->profile, group);
        it.pure = pure;
        it.ask = again.ask;
        it.hop = again.hop;
        it.gone = again.gone;
    }
    return it;
}

/* *left: units that are still to do when the sparks end. */
static double end_of(const Phase *p, double *left)
{
    TailGroup group[MOST_GROUPS + 2];
    const Platform *g = p->platform;
    const TaskWork work = {p->shape.leaf, p->shape.deviation, p->shape.longest};
    int32_t count = 0;
    double busy = 0, back = 0;
    for (int32_t i = 0; i < p->groups; i++) {
        group[count++] = tail_group(p, &p->group[i], p->used[i], p->shape.pure);
        busy += p->group[i].copies * p->used[i];
        back += p->group[i].copies * p->group[i].latency;
    }
    if (p->taking.work > 0) {
        const Group main = main_group(g);
        group[count++] = tail_group(p, &main, 1, 0);
        busy++;
    }
    const double tail = tail_of(group, count, &work, left);
    *left *= fmin(busy, fmax(1, p->shape.leaves));
    return tail + back / g->size;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Seconds per unit of the longest chain, which no schedule is shorter than: on processes of mean speed; on the
 * fastest where its tasks may run there as well. */
static double chain_time(const Phase *p)
{
    const Platform *g = p->platform;
    double fastest = g->time[0];
    for (int32_t i = 1; i < g->size; i++)
        fastest = fmin(fastest, g->time[i]);
    return p->policy.name == POLICY_PREDICTED && p->shape.pure > 0 ? fastest : g->size / g->speed;
}

/* Others, however long they search, make no makespan longer than that of the main process alone; nor
 * are all processes together quicker than their speeds. */
static void put_together(const Phase *first, const Phase *second, Prediction *out)
{
    const Phase *last = second ? second : first;
    const WorkShape *s = &last->shape;
    const Platform *g = last->platform;
    double seconds = 0, left;
    *out = (Prediction){.method = last->method, .start = start_of(first ? first : second)};
    if (first) {
        seconds += s->main / first->throughput;
        out->messages += s->main / first->throughput * first->messages;
    }
    if (second) {
        seconds += s->spread / second->throughput;
        out->messages += s->spread / second->throughput * second->messages;
    }
    const double alone = g->time[g->tables.main];
    out->throughput = fmax(s->work / seconds, 1 / alone);
    out->tail = end_of(last, &left);
    seconds = fmax(0, seconds - left / last->throughput) + out->start + out->tail;
    seconds = fmin(seconds, s->work * alone);
    out->makespan =
        fmax(seconds, fmax(last->profile->critical * chain_time(last), s->work / g->speed));
    out->efficiency = s->work / (out->makespan * g->speed);
}

PepaStatus predict_policy(const Platform *platform, const Profile *profile, PolicyName policy,
                          const Predicting *how, Prediction *out, PepaError *err)
{
    Phase first = phase_new(platform, profile, policy, how), second = first;
    const bool moves = first.shape.piece > 0,
               sparks = first.shape.granule > 0 && platform->size > 1;
    PepaStatus status = PEPA_OK;
    if (how->begins)
        how->begins(how->user);
    if (!sparks) {
        const double makespan = first.shape.work * platform->time[platform->tables.main];
        *out = (Prediction){.makespan = makespan,
                            .efficiency = first.shape.work / (makespan * platform->speed),
                            .throughput = 1 / platform->time[platform->tables.main]};
        return PEPA_OK;
    }
    first_phase(&first);
    status = solve(&first, err);
    if (status == PEPA_OK && moves) {
        second_phase(&second);
        status = solve(&second, err);
    }
    if (status == PEPA_OK)
        put_together(&first, moves ? &second : NULL, out);
    return status;
}

PepaStatus predict_text(const Platform *platform, const Profile *profile, PolicyName policy,
                        const Predicting *how, char **out, PepaError *err)
{
    char about[200];
    Phase p = phase_new(platform, profile, policy, how);
    if (!(p.shape.granule > 0))
        return error_set(err, PEPA_EMODEL, "the program makes no sparks: there is no model of it");
    const bool second = p.shape.spread > p.shape.main;
    if (second)
        second_phase(&p);
    else
        first_phase(&p);
    (void)snprintf(about, sizeof about, "%s, policy %s: %d processes, %s.", profile->program,
                   policy_text(policy), (int)platform->size,
                   second ? "which take from all" : "which take from the main process");
    return taking_text(&p.taking, about, out, err);
}
