/* Walks through the states of a model. */
#include "pepa_walk.h"

#include "api/queries.h"
#include "base/clock.h"
#include "base/random.h"
#include "ctmc/explore/walk.h"
#include "ctmc/system/durations.h"
#include "measure/measures.h"

struct PepaWalk {
    PepaModel *owner;
    PepaSettings set;
    Walk *walk;
    LocalIds ids;
};

/* Hand out what was found about states. */
static PepaStatus tell(const PepaWalk *w, DiagList *diags, PepaStatus status, PepaError *err)
{
    if (status == PEPA_EMODEL)
        status = diagnose_all(diags, &w->owner->model->source, w->set.derive.diagnose, w->set.user,
                              status, err);
    diag_free(diags);
    return status;
}

PepaStatus pepa_walk_new(PepaWalk **out, const PepaModel *model, const PepaSettings *set,
                         PepaError *err)
{
    if (!out || !model)
        return error_null(err, "pepa_walk_new");
    PepaSettings all;
    DiagList diags = {0};
    PepaStatus status = settings_complete(&all, set, err);
    if (status != PEPA_OK)
        return status;
    PepaWalk *w = mem_calloc(1, sizeof *w);
    if (!w)
        return error_memory(err);
    w->set = all;
    w->owner = (PepaModel *)model; /* only the count of its users changes */
    atomic_fetch_add(&w->owner->users, 1);
    status = durations_refuse(model->model, &diags, err);
    if (status == PEPA_OK)
        status = walk_new(&w->walk, model->model, &all, &diags, err);
    status = tell(w, &diags, status, err);
    if (status == PEPA_OK)
        status = local_ids_new(&w->ids, walk_chain(w->walk)->system, err);
    if (status == PEPA_OK)
        *out = w;
    else
        pepa_walk_free(w);
    return status;
}

void pepa_walk_free(PepaWalk *w)
{
    if (!w)
        return;
    walk_free(w->walk);
    local_ids_free(&w->ids);
    pepa_model_free(w->owner);
    mem_free(w);
}

/* ---- where it is ----------------------------------------------------------------------------- */

PepaWalkInfo pepa_walk_info(const PepaWalk *w)
{
    const System *s = walk_chain(w->walk)->system;
    return (PepaWalkInfo){.length = walk_length(w->walk),
                          .exit = walk_exit(w->walk),
                          .enabled = walk_count(w->walk),
                          .positions = s->position_count,
                          .local_states = w->ids.local_states,
                          .counts = w->ids.offset[s->position_count]};
}

PepaWalkStep pepa_walk_step(const PepaWalk *w, int32_t step)
{
    const WalkStep found = walk_step(w->walk, step);
    return (PepaWalkStep){.action = walk_chain(w->walk)->model->actions[found.action],
                          .rate = found.immediate ? 0 : found.rate,
                          .immediate = found.immediate,
                          .probability = found.rate / walk_exit(w->walk)};
}

PepaPosition pepa_walk_position(const PepaWalk *w, int32_t position)
{
    return local_ids_position(&w->ids, walk_chain(w->walk)->system, position);
}

const char *pepa_walk_local_name(const PepaWalk *w, int32_t local)
{
    return walk_chain(w->walk)->model->locals[w->ids.model_local[local]].name;
}

static PepaStatus check_step(const PepaWalk *w, int64_t step, PepaError *err)
{
    if (step < walk_count(w->walk))
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "there is no step %lld: %d are enabled", (long long)step,
                     walk_count(w->walk));
}

/* The cells of the present state, or of that which a step leads to; the caller frees them. */
static PepaStatus cells_of(const PepaWalk *w, int32_t step, int32_t **cells, PepaError *err)
{
    const System *s = walk_chain(w->walk)->system;
    PepaStatus status = check_step(w, step, err);
    if (status != PEPA_OK)
        return status;
    if (!mem_new(*cells, s->cell_count))
        return error_memory(err);
    system_unpack(s, step < 0 ? walk_state(w->walk) : walk_step(w->walk, step).target, *cells);
    return PEPA_OK;
}

PepaStatus pepa_walk_counts(const PepaWalk *w, int32_t step, int32_t *counts, PepaError *err)
{
    int32_t *cells = NULL;
    if (!w || !counts)
        return error_null(err, "pepa_walk_counts");
    PepaStatus status = cells_of(w, step, &cells, err);
    if (status == PEPA_OK)
        status = local_ids_counts(&w->ids, walk_chain(w->walk)->system, cells, counts, err);
    mem_free(cells);
    return status;
}

PepaStatus pepa_walk_text(const PepaWalk *w, int32_t step, char **text, PepaError *err)
{
    int32_t *cells = NULL;
    Text out = {0};
    if (!w || !text)
        return error_null(err, "pepa_walk_text");
    PepaStatus status = cells_of(w, step, &cells, err);
    if (status == PEPA_OK)
        system_state_text(walk_chain(w->walk)->system, cells, &out);
    mem_free(cells);
    if (status == PEPA_OK && out.failed)
        status = error_memory(err);
    if (status == PEPA_OK)
        *text = out.text;
    else
        text_free(&out);
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

PepaStatus pepa_walk_take(PepaWalk *w, int32_t step, PepaError *err)
{
    DiagList diags = {0};
    if (!w)
        return error_null(err, "pepa_walk_take");
    PepaStatus status = step < 0 ? error_set(err, PEPA_EARG, "there is no step %d", step)
                                 : check_step(w, step, err);
    if (status == PEPA_OK)
        status = tell(w, &diags, walk_take(w->walk, step, &diags, err), err);
    return status;
}

PepaStatus pepa_walk_back(PepaWalk *w, int64_t steps, PepaError *err)
{
    DiagList diags = {0};
    if (!w)
        return error_null(err, "pepa_walk_back");
    if (steps < 0 || steps > walk_length(w->walk))
        return error_set(err, PEPA_EARG, "at most %lld can be taken back",
                         (long long)walk_length(w->walk));
    return tell(w, &diags, walk_back(w->walk, steps, &diags, err), err);
}

PepaStatus pepa_walk_go(PepaWalk *w, const char *state, PepaError *err)
{
    DiagList diags = {0};
    if (!w || !state)
        return error_null(err, "pepa_walk_go");
    const System *s = walk_chain(w->walk)->system;
    int32_t *cells = NULL;
    uint64_t *packed = NULL;
    PepaStatus status = mem_new(cells, s->cell_count) && mem_new(packed, s->words)
                            ? state_read(s, state, cells, err)
                            : error_memory(err);
    if (status == PEPA_OK) {
        system_pack(s, cells, packed);
        status = tell(w, &diags, walk_go(w->walk, packed, &diags, err), err);
    }
    mem_free_all(cells, packed);
    return status;
}

PepaStatus pepa_walk_jump(PepaWalk *w, int64_t number, PepaError *err)
{
    DiagList diags = {0};
    if (!w)
        return error_null(err, "pepa_walk_jump");
    if (number < 0)
        return error_set(err, PEPA_EARG, "states are numbered from 0");
    return tell(w, &diags, walk_jump(w->walk, number, &diags, err), err);
}

/* ---- predicates, and steps at random --------------------------------------------------------- */

/* A predicate joined to the walk's model; starts as {0}. */
typedef struct {
    Expressions *e; /* NULL: there is no predicate */
    StateProbe *probe;
} Condition;

static PepaStatus condition_new(Condition *c, const PepaWalk *w, const PepaPredicate *predicate,
                                PepaError *err)
{
    const Chain *chain = walk_chain(w->walk);
    if (predicate->owner != w->owner)
        return error_set(err, PEPA_EARG, "the predicate is of another model");
    PepaStatus status = expressions_new(&c->e, &predicate->query, chain, err);
    return status == PEPA_OK ? expressions_probe(&c->probe, c->e, chain->rates.values, err)
                             : status;
}

static void condition_free(Condition *c)
{
    state_probe_free(c->probe);
    expressions_free(c->e);
}

static bool condition_holds(const Condition *c, const PepaWalk *w)
{
    return c->e && expressions_hold(c->e, c->probe, 0, walk_state(w->walk), walk_enabled(w->walk),
                                    walk_count(w->walk) == 0);
}

PepaStatus pepa_walk_holds(const PepaWalk *w, const PepaPredicate *predicate, int *holds,
                           PepaError *err)
{
    Condition c = {0};
    if (!w || !predicate || !holds)
        return error_null(err, "pepa_walk_holds");
    PepaStatus status = condition_new(&c, w, predicate, err);
    if (status == PEPA_OK)
        *holds = condition_holds(&c, w);
    condition_free(&c);
    return status;
}

static int32_t choose(const Walk *walk, uint64_t *random)
{
    double left = random_next(random) * walk_exit(walk);
    int32_t step = 0;
    while (step + 1 < walk_count(walk) && (left -= walk_step(walk, step).rate) >= 0)
        step++;
    return step;
}

/* Now and then: is it to go on? */
static PepaStatus tick(const PepaWalk *w, double start, int64_t taken, PepaError *err)
{
    if (!w->set.progress || taken % 1024)
        return PEPA_OK;
    const PepaProgress now = {.phase = "walk",
                              .count = taken,
                              .seconds = clock_seconds() - start,
                              .left = -1};
    return w->set.progress(w->set.user, &now)
               ? error_set(err, PEPA_ECANCEL, "cancelled after %lld steps", (long long)taken)
               : PEPA_OK;
}

PepaStatus pepa_walk_run(PepaWalk *w, const PepaPredicate *until, int64_t most, uint64_t *random,
                         int64_t *taken, PepaRunEnd *end, PepaError *err)
{
    Condition c = {0};
    DiagList diags = {0};
    if (!w || !random || !taken || !end)
        return error_null(err, "pepa_walk_run");
    *taken = 0;
    if (most < 1)
        return error_set(err, PEPA_EARG, "a run has 1 step at least");
    const double start = clock_seconds();
    PepaRunEnd how = PEPA_RUN_MOST;
    PepaStatus status = until ? condition_new(&c, w, until, err) : PEPA_OK;
    while (status == PEPA_OK && how == PEPA_RUN_MOST && *taken < most) {
        if (walk_count(w->walk) == 0) {
            how = PEPA_RUN_DEADLOCK;
            break;
        }
        status = walk_take(w->walk, choose(w->walk, random), &diags, err);
        *taken += status == PEPA_OK;
        if (condition_holds(&c, w) || (!until && *taken == most))
            how = PEPA_RUN_FOUND;
        if (status == PEPA_OK)
            status = tick(w, start, *taken, err);
    }
    condition_free(&c);
    status = tell(w, &diags, status, err);
    if (status == PEPA_OK)
        *end = how;
    return status;
}
