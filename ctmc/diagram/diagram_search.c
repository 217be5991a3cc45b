/* Finds the reachable upper states and their sets.  Upper states whose set has grown are on a
 * stack.  Last in, first out: a set has usually stopped growing when its upper state is visited
 * again. */
#include "ctmc/diagram/diagram_search.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/number.h"

enum { TICK = 256 }; /* visits between looks at the clock */

/* ---- upper states -------------------------------------------------------------------------- */

void search_load(Search *s, const uint64_t *packed)
{
    system_unpack(s->split->system, packed, s->contexts.moves.cells);
}

/* The state loaded, `packed`, is loaded again. */
static void canonical(Search *s, const uint64_t *packed, uint64_t *target)
{
    const System *system = s->split->system;
    if (!system->group_count)
        return;
    int32_t *cells = s->contexts.moves.cells;
    system_unpack(system, target, cells);
    system_canonical(system, cells);
    system_pack(system, cells, target);
    search_load(s, packed);
}

/* The moves of an event of the upper part in the state loaded. */
static void upper_moves(Search *s, const Event *event)
{
    Moves *m = &s->contexts.moves;
    m->count = 0;
    int32_t kind = moves_run(m, event->prog, false).apparent;
    bool named = event->label != LABEL_NONE;
    if (kind == TERM_MIXED || (kind >= 0 && m->rates->level[kind] == LEVEL_PASSIVE && named))
        s->contexts.unfit = true;
    if (!named)
        m->count = 0;
}

/* Where move i of those leads, in s->target. */
static void upper_target(Search *s, const uint64_t *packed, size_t i)
{
    const uint64_t *delta = s->contexts.moves.delta + i * s->contexts.moves.words;
    for (size_t w = 0; w < s->split->system->words; w++)
        s->target[w] = packed[w] + delta[w];
    canonical(s, packed, s->target);
}

/* Where a tag leads from the upper state whose offer is in s->offered, in s->target. */
static void tag_target(Search *s, const uint64_t *packed, uint64_t tag)
{
    memcpy(s->target, packed, s->split->system->words * sizeof *s->target);
    upper_offer_apply(&s->contexts, &s->offered, tag, s->target);
    canonical(s, packed, s->target);
}

bool search_event(Search *s, const uint64_t *packed, int32_t set, int32_t e, SearchTask *task,
                  void *user)
{
    const Event *event = &s->split->system->events[e];
    uint8_t part = s->split->part[event->prog];
    if (!(part & PART_UPPER))
        return true;
    if (part == PART_UPPER) {
        if (!moves_ready(&s->contexts.moves, event->prog))
            return true;
        upper_moves(s, event);
        for (size_t i = 0; i < s->contexts.moves.count; i++) {
            upper_target(s, packed, i);
            SearchMove move = {CONTEXT_SAME, 0, s->contexts.moves.rate[i], set, event->label};
            if (!task(user, &move))
                return false;
        }
        return true;
    }
    if (!contexts_of(&s->contexts, e, &s->offered))
        return false;
    int32_t context = s->offered.context;
    if (context < 0 || search_unfit(s))
        return true;
    int32_t range = search_image(s, set, context);
    if (range < 0)
        return false;
    for (int32_t i = 0; i < s->ranges[range].count && !search_unfit(s); i++) {
        Image image = s->images[s->ranges[range].first + i];
        SearchMove move = {context, image.tag, -1, image.set, event->label};
        tag_target(s, packed, s->contexts.contexts[context].tags[image.tag]);
        if (!task(user, &move))
            return false;
    }
    return true;
}

/* The lower states of `set` are reachable with the upper state `packed`. */
static bool reach(Search *s, const uint64_t *packed, int32_t set)
{
    int32_t before = s->upper.count;
    int32_t id = table_put(&s->upper, packed, table_hash(&s->upper, packed));
    size_t need = (size_t)id + 1;
    if (id < 0 || set < 0 || !mem_grow(s->set, s->set_cap, need) ||
        !mem_grow(s->queued, s->queued_cap, need) || !mem_grow(s->stack, s->stack_cap, need))
        return false;
    if (id == before) {
        s->set[id] = 0;
        s->queued[id] = 0;
    }
    int32_t joined = sets_join(&s->sets, s->set[id], set);
    if (joined < 0)
        return false;
    if (joined == s->set[id])
        return true;
    s->states += s->sets.size[joined] - s->sets.size[s->set[id]];
    s->set[id] = joined;
    if (!s->queued[id]) {
        s->queued[id] = 1;
        s->stack[s->stack_count++] = id;
    }
    return true;
}

static bool reach_target(void *user, const SearchMove *move)
{
    Search *s = user;
    return reach(s, s->target, move->set);
}

static bool visit(Search *s, int32_t id, uint64_t *packed)
{
    const System *system = s->split->system;
    memcpy(packed, s->upper.state + (size_t)id * system->words, system->words * sizeof *packed);
    int32_t set = search_close(s, s->set[id]);
    if (set < 0)
        return false;
    s->states += s->sets.size[set] - s->sets.size[s->set[id]];
    s->set[id] = set;
    search_load(s, packed);
    for (int32_t e = 0; e < system->event_count && !search_unfit(s); e++)
        if (!search_event(s, packed, set, e, reach_target, s))
            return false;
    s->sets.work += system->event_count;
    return !s->contexts.moves.no_memory;
}

/* ---- life ---------------------------------------------------------------------------------- */

static bool lower_contexts(Search *s)
{
    const System *system = s->split->system;
    s->lower_context = mem_alloc((size_t)system->event_count, sizeof *s->lower_context);
    for (int32_t e = 0; s->lower_context && e < system->event_count; e++) {
        if (s->split->part[system->events[e].prog] & PART_UPPER)
            continue;
        int32_t context = contexts_lower(&s->contexts, e);
        if (context < 0)
            return false;
        s->lower_context[s->lower_contexts++] = context;
    }
    return s->lower_context != NULL;
}

PepaStatus search_init(Search *s, Split *split, RateTable *rates, const PepaSettings *set,
                       PepaError *err)
{
    *s = (Search){.split = split, .settings = set, .err = err};
    const size_t lower = (size_t)split->lower.count, words = bits_words(split->lower.count);
    s->upper_room = 1;
    for (int32_t i = split->constant; i < split->first; i++)
        s->upper_room *= split_slot_states(split->system, split->sequence[i]);
    PepaStatus status = contexts_init(&s->contexts, split, rates, err);
    if (status != PEPA_OK)
        return status;
    bool ok = mem_new_zeroed(s->fresh_bits, words) &&
              mem_new_zeroed(s->target, s->contexts.moves.words) && mem_new(s->step, lower) &&
              sets_init(&s->sets, words) && table_init(&s->upper, split->system->words) &&
              sets_put(&s->sets) == 0 && lower_contexts(s);
    if (ok)
        memset(s->step, -1, lower * sizeof *s->step);
    return ok ? PEPA_OK : error_memory(err);
}

void search_free(Search *s)
{
    contexts_free(&s->contexts);
    sets_free(&s->sets);
    table_free(&s->upper);
    memo_free(&s->images_of);
    upper_offer_free(&s->offered);
    mem_free_all(s->images, s->ranges, s->set, s->stack, s->queued, s->lower_context, s->step,
                 s->steps, s->target, s->fresh_bits);
}

int32_t search_initial(Search *s)
{
    const System *system = s->split->system;
    int32_t *cells = s->contexts.moves.cells;
    system_initial(system, cells);
    system_canonical(system, cells);
    system_pack(system, cells, s->target);
    return split_lower(s->split, s->target, s->contexts.word);
}

static bool begin(Search *s)
{
    const System *system = s->split->system;
    int32_t lower = search_initial(s);
    if (lower < 0)
        return false;
    sets_clear(&s->sets);
    bits_add(s->sets.bits, lower);
    for (size_t w = 0; w < system->words; w++)
        s->target[w] &= ~s->split->mask[w];
    return reach(s, s->target, sets_put(&s->sets));
}

static PepaStatus tick(Search *s, double start, double *shown)
{
    if (s->visits++ % TICK != 0 || !s->settings->progress)
        return PEPA_OK;
    double now = clock_seconds();
    if (now - *shown < 0.1)
        return PEPA_OK;
    *shown = now;
    PepaProgress p = {.phase = "derive", .count = s->states, .seconds = now - start, .left = -1};
    return s->settings->progress(s->settings->user, &p)
               ? error_set(s->err, PEPA_ECANCEL, "cancelled after %lld states",
                           (long long)s->states)
               : PEPA_OK;
}

/* PEPA_ELIMIT: there are more states than the caller wants, or than a vector can have. */
static PepaStatus check_states(const Search *s)
{
    char states[NUMBER_SIZE];
    const int64_t most = s->settings->derive.max_states > 0 ? s->settings->derive.max_states
                         : s->most > 0                      ? INT64_MAX
                                                            : MOST_IN_SETS;
    if (s->states > most)
        return error_states(s->err, most);
    if (s->most == 0 || s->states <= s->most)
        return PEPA_OK;
    return budget_exceeded(s->err, (double)s->states * sizeof(double), s->settings->memory,
                           "a number for each of more than %s states",
                           number_grouped(s->most, states));
}

static double search_bytes(const Search *s)
{
    double sets = (double)s->sets.table.count, upper = (double)s->upper.count;
    double steps =
        (double)s->split->lower.count * sizeof *s->step + (double)s->step_count * sizeof *s->steps;
    return table_bytes(&s->sets.table) + table_bytes(&s->upper) + table_bytes(&s->split->lower) +
           memo_bytes(&s->sets.unions) + memo_bytes(&s->images_of) + contexts_bytes(&s->contexts) +
           steps + sets * (sizeof *s->sets.size + sizeof *s->sets.closed) +
           upper * (sizeof *s->set + sizeof *s->stack + sizeof *s->queued) +
           (double)s->image_count * sizeof *s->images + (double)s->range_count * sizeof *s->ranges;
}

bool search_within_budget(Search *s, double more)
{
    if (s->settings->memory == 0 || budget_allows(s->settings->memory, search_bytes(s) + more))
        return true;
    s->out_of_budget = s->contexts.unfit = true;
    return false;
}

PepaStatus search_run(Search *s)
{
    double start = clock_seconds(), shown = start;
    uint64_t *packed = mem_alloc(s->contexts.moves.words, sizeof *packed);
    PepaStatus status = packed && begin(s) ? PEPA_OK : error_memory(s->err);
    while (status == PEPA_OK && s->stack_count && !search_unfit(s)) {
        int32_t id = s->stack[--s->stack_count];
        s->queued[id] = 0;
        if (!visit(s, id, packed))
            status = error_memory(s->err);
        else if (!search_within_budget(s, 0))
            break;
        else if ((status = check_states(s)) == PEPA_OK)
            status = tick(s, start, &shown);
    }
    mem_free(packed);
    return status;
}
