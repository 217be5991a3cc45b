/* The reachable sets.  Upper states whose set has grown wait on a stack: what was reached last goes
 * on first, so that a set has mostly stopped growing when its upper state's turn comes. */
#include "ctmc/diagram_search.h"
#include "ctmc/footprint.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    MOST_SETS = 100 * 1000,
    MOST_ROWS = 16 * 1000 * 1000, /* of all contexts together */
    TICK = 256                    /* visits between looks at the clock */
};

/* ---- sets ---------------------------------------------------------------------------------- */

/* The number of the set in `bits`; -1 when memory is out. */
static int32_t put_set(Search *s, const uint64_t *bits)
{
    int32_t before = s->sets.count;
    int32_t id = table_put(&s->sets, bits, table_hash(&s->sets, bits));
    if (id < 0 || id < before)
        return id;
    if (!mem_reserve(&s->size, &s->size_cap, (size_t)id + 1, sizeof *s->size) ||
        !mem_reserve(&s->closed, &s->closed_cap, (size_t)id + 1, sizeof *s->closed))
        return -1;
    s->size[id] = 0;
    for (size_t w = 0; w < s->set_words; w++)
        s->size[id] += __builtin_popcountll(bits[w]);
    s->closed[id] = -1;
    return id;
}

static const uint64_t *set_bits(const Search *s, int32_t set)
{
    return s->sets.state + (size_t)set * s->set_words;
}

static int32_t join_sets(Search *s, int32_t a, int32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    int32_t *known = memo_at(&s->unions, memo_pair(a < b ? a : b, a < b ? b : a), 0);
    if (!known)
        return -1;
    if (*known >= 0)
        return *known;
    for (size_t w = 0; w < s->set_words; w++)
        s->bits[w] = set_bits(s, a)[w] | set_bits(s, b)[w];
    s->work += (int64_t)s->set_words;
    return *known = put_set(s, s->bits);
}

/* A set with all that the events of the lower part make of it. */
static int32_t close_set(Search *s, int32_t set)
{
    if (s->closed[set] >= 0)
        return s->closed[set];
    uint64_t *all = s->bits, *fresh = s->fresh_bits;
    memcpy(all, set_bits(s, set), s->set_words * sizeof *all);
    memcpy(fresh, all, s->set_words * sizeof *fresh);
    for (bool more = true; more && !search_unfit(s);) {
        more = false;
        for (size_t w = 0; w < s->set_words; w++)
            while (fresh[w]) {
                int32_t lower = (int32_t)(64 * w) + __builtin_ctzll(fresh[w]);
                fresh[w] &= fresh[w] - 1;
                for (int32_t e = 0; e < s->lower_contexts; e++) {
                    AnswerRange r = contexts_answer(&s->contexts, s->lower_context[e], lower);
                    s->work += 1 + r.count;
                    for (int32_t i = r.first; i < r.first + r.count; i++) {
                        uint32_t to = (uint32_t)s->contexts.answers[i].target;
                        uint64_t bit = UINT64_C(1) << (to & 63);
                        if (all[to >> 6] & bit)
                            continue;
                        all[to >> 6] |= bit;
                        fresh[to >> 6] |= bit;
                        more = true;
                    }
                }
            }
    }
    int32_t id = put_set(s, all);
    if (id >= 0)
        s->closed[id] = s->closed[set] = id;
    return id;
}

/* One tag of the image of a set. */
static bool add_image(Search *s, int32_t set, int32_t context, int32_t tag)
{
    memset(s->bits, 0, s->set_words * sizeof *s->bits);
    bool any = false;
    for (size_t w = 0; w < s->set_words; w++)
        for (uint64_t left = set_bits(s, set)[w]; left; left &= left - 1) {
            int32_t lower = (int32_t)(64 * w) + __builtin_ctzll(left);
            AnswerRange r = contexts_answer(&s->contexts, context, lower);
            s->work += 1 + r.count;
            for (int32_t i = r.first; i < r.first + r.count; i++) {
                const Answer *a = &s->contexts.answers[i];
                if (a->tag != tag)
                    continue;
                s->bits[(uint32_t)a->target >> 6] |= UINT64_C(1) << (a->target & 63);
                any = true;
            }
        }
    if (!any || search_unfit(s))
        return true;
    int32_t id = put_set(s, s->bits);
    if (id < 0 || !mem_reserve(&s->images, &s->image_cap, s->image_count + 1, sizeof *s->images))
        return false;
    s->images[s->image_count++] = (Image){tag, id};
    return true;
}

int32_t search_image(Search *s, int32_t set, int32_t context)
{
    int32_t *known = memo_at(&s->images_of, memo_pair(set, context), 0);
    if (!known)
        return -1;
    if (*known >= 0)
        return *known;
    ImageRange range = {(int32_t)s->image_count, 0};
    /* the first pass meets all tags that there are */
    for (int32_t tag = 0; tag == 0 || tag < s->contexts.contexts[context].tag_count; tag++)
        if (!add_image(s, set, context, tag))
            return -1;
    range.count = (int32_t)s->image_count - range.first;
    if (!mem_reserve(&s->ranges, &s->range_cap, s->range_count + 1, sizeof *s->ranges))
        return -1;
    s->ranges[s->range_count] = range;
    return *known = (int32_t)s->range_count++;
}

/* ---- upper states -------------------------------------------------------------------------- */

void search_load(Search *s, const uint64_t *packed)
{
    system_unpack(s->split->system, packed, s->contexts.moves.cells);
}

/* The state loaded, `packed`, stays so. */
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

void search_upper(Search *s, const Event *event)
{
    Moves *m = &s->contexts.moves;
    m->count = 0;
    int32_t kind = moves_run(m, event->prog, false);
    bool named = event->label != LABEL_NONE;
    if (kind == TERM_MIXED || (kind >= 0 && m->rates->passive[kind] && named))
        s->contexts.unfit = true;
    if (!named)
        m->count = 0;
}

void search_upper_target(Search *s, const uint64_t *packed, size_t i, uint64_t *target)
{
    const System *system = s->split->system;
    const uint64_t *flip = s->contexts.moves.target + i * s->split->wide.words;
    for (size_t w = 0; w < system->words; w++)
        target[w] = packed[w] ^ flip[w];
    canonical(s, packed, target);
}

void search_tag_target(Search *s, const uint64_t *packed, uint64_t tag, uint64_t *target)
{
    memcpy(target, packed, s->split->system->words * sizeof *target);
    offered_apply(&s->contexts, &s->offered, tag, target);
    canonical(s, packed, target);
}

/* The lower states of `set` are reachable with the upper state `packed`. */
static bool arrive(Search *s, const uint64_t *packed, int32_t set)
{
    int32_t before = s->upper.count;
    int32_t id = table_put(&s->upper, packed, table_hash(&s->upper, packed));
    size_t need = (size_t)id + 1;
    if (id < 0 || set < 0 || !mem_reserve(&s->set, &s->set_cap, need, sizeof *s->set) ||
        !mem_reserve(&s->waits, &s->waits_cap, need, sizeof *s->waits) ||
        !mem_reserve(&s->stack, &s->stack_cap, need, sizeof *s->stack))
        return false;
    if (id == before) {
        s->set[id] = 0;
        s->waits[id] = 0;
    }
    int32_t joined = join_sets(s, s->set[id], set);
    if (joined < 0)
        return false;
    if (joined == s->set[id])
        return true;
    s->states += s->size[joined] - s->size[s->set[id]];
    s->set[id] = joined;
    if (!s->waits[id]) {
        s->waits[id] = 1;
        s->stack[s->stack_count++] = id;
    }
    return true;
}

static bool expand_event(Search *s, const uint64_t *packed, int32_t set, int32_t e)
{
    const System *system = s->split->system;
    const Event *event = &system->events[e];
    uint8_t part = s->split->part[event->prog];
    if (part == PART_LOWER)
        return true;
    search_load(s, packed); /* answers may have been asked for since the last event */
    if (part == PART_UPPER) {
        search_upper(s, event);
        for (size_t i = 0; i < s->contexts.moves.count; i++) {
            search_upper_target(s, packed, i, s->target);
            if (!arrive(s, s->target, set))
                return false;
        }
        return true;
    }
    if (!contexts_of(&s->contexts, e, &s->offered))
        return false;
    int32_t context = s->offered.context, range = -1;
    if (context < 0 || search_unfit(s))
        return true;
    range = search_image(s, set, context);
    if (range < 0)
        return false;
    for (int32_t i = 0; i < s->ranges[range].count && !search_unfit(s); i++) {
        Image image = s->images[s->ranges[range].first + i];
        search_tag_target(s, packed, s->contexts.contexts[context].tags[image.tag], s->target);
        if (!arrive(s, s->target, image.set))
            return false;
    }
    return true;
}

static bool visit(Search *s, int32_t id, uint64_t *packed)
{
    const System *system = s->split->system;
    for (size_t w = 0; w < system->words; w++)
        packed[w] = s->upper.state[(size_t)id * system->words + w];
    int32_t set = close_set(s, s->set[id]);
    if (set < 0)
        return false;
    s->states += s->size[set] - s->size[s->set[id]];
    s->set[id] = set;
    for (int32_t e = 0; e < system->event_count && !search_unfit(s); e++)
        if (!expand_event(s, packed, set, e))
            return false;
    s->work += system->event_count;
    return !s->contexts.moves.no_memory;
}

/* ---- life ---------------------------------------------------------------------------------- */

/* For good: a set that was left incomplete may bring enough states to have paid after all. */
bool search_unfit(Search *s)
{
    const double worth = 30;
    if (s->contexts.moves.rates->status != PEPA_OK || s->sets.count > MOST_SETS ||
        (int64_t)s->contexts.count * s->split->lower.count > MOST_ROWS ||
        ((double)s->work > s->patience && (double)s->work > worth * (double)s->states))
        s->contexts.unfit = true;
    return s->contexts.unfit;
}

static bool lower_contexts(Search *s)
{
    const System *system = s->split->system;
    s->lower_context = mem_alloc((size_t)system->event_count, sizeof *s->lower_context);
    for (int32_t e = 0; s->lower_context && e < system->event_count; e++) {
        if (s->split->part[system->events[e].prog] != PART_LOWER)
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
    s->set_words = ((size_t)split->lower.count + 63) / 64;
    PepaStatus status = contexts_init(&s->contexts, split, rates, err);
    if (status != PEPA_OK)
        return status;
    s->bits = mem_calloc(s->set_words, sizeof *s->bits);
    s->fresh_bits = mem_calloc(s->set_words, sizeof *s->fresh_bits);
    s->target = mem_calloc(split->wide.words, sizeof *s->target);
    bool ok = s->bits && s->fresh_bits && s->target && table_init(&s->sets, s->set_words) &&
              table_init(&s->upper, split->system->words) && put_set(s, s->bits) == 0 &&
              lower_contexts(s);
    return ok ? PEPA_OK : error_memory(err);
}

void search_free(Search *s)
{
    contexts_free(&s->contexts);
    table_free(&s->sets);
    table_free(&s->upper);
    memo_free(&s->unions);
    memo_free(&s->images_of);
    offered_free(&s->offered);
    mem_free(s->size);
    mem_free(s->closed);
    mem_free(s->images);
    mem_free(s->ranges);
    mem_free(s->set);
    mem_free(s->stack);
    mem_free(s->waits);
    mem_free(s->lower_context);
    mem_free(s->bits);
    mem_free(s->target);
    mem_free(s->fresh_bits);
}

static bool begin(Search *s)
{
    const System *system = s->split->system;
    int32_t *cells = s->contexts.moves.cells;
    system_initial(system, cells);
    system_canonical(system, cells);
    system_pack(system, cells, s->target);
    int32_t lower = split_lower(s->split, s->target, s->contexts.word);
    if (lower < 0)
        return false;
    memset(s->bits, 0, s->set_words * sizeof *s->bits);
    s->bits[(uint32_t)lower >> 6] |= UINT64_C(1) << (lower & 63);
    for (size_t w = 0; w < system->words; w++)
        s->target[w] &= ~s->split->mask[w];
    return arrive(s, s->target, put_set(s, s->bits));
}

static double clock_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PepaStatus tick(Search *s, double start, double *shown)
{
    if (s->visits++ % TICK != 0 || !s->settings->progress)
        return PEPA_OK;
    double now = clock_now();
    if (now - *shown < 0.1)
        return PEPA_OK;
    *shown = now;
    PepaProgress p = {.phase = "derive", .count = s->states, .seconds = now - start, .left = -1};
    return s->settings->progress(s->settings->user, &p)
               ? error_set(s->err, PEPA_ECANCEL, "cancelled after %lld states",
                           (long long)s->states)
               : PEPA_OK;
}

static int64_t most_states(const Search *s)
{
    int64_t most = s->settings->max_states, numbers = INT32_MAX - 1;
    return most > 0 && most < numbers ? most : numbers;
}

PepaStatus search_run(Search *s)
{
    double start = clock_now(), shown = start;
    uint64_t *packed = mem_alloc(s->split->wide.words, sizeof *packed);
    PepaStatus status = packed && begin(s) ? PEPA_OK : error_memory(s->err);
    while (status == PEPA_OK && s->stack_count && !search_unfit(s)) {
        int32_t id = s->stack[--s->stack_count];
        s->waits[id] = 0;
        if (!visit(s, id, packed))
            status = error_memory(s->err);
        else if (!search_affords(s, 0))
            break;
        else if (s->states > most_states(s))
            status = error_set(s->err, PEPA_ELIMIT,
                               "more than %lld states; raise the limit (--max-states), or make "
                               "the model smaller",
                               (long long)most_states(s));
        else
            status = tick(s, start, &shown);
    }
    mem_free(packed);
    return status;
}

/* patience: work that may be done in vain.  *cramped is set if memory is why *out is not. */
static PepaStatus explore(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                          bool mirrored, double *patience, bool *cramped, const PepaSettings *set,
                          PepaError *err)
{
    Split *split = NULL;
    PepaStatus status = split_new(&split, system, most_lower, mirrored, err);
    if (status != PEPA_OK || !split)
        return status;
    Search search;
    Diagram *diagram = NULL;
    status = search_init(&search, split, rates, set, err);
    search.patience = *patience;
    if (status == PEPA_OK)
        status = search_run(&search);
    if (status == PEPA_OK && !search_unfit(&search)) {
        diagram = mem_calloc(1, sizeof *diagram);
        status = diagram ? diagram_build(diagram, &search) : error_memory(err);
    }
    if (diagram && status == PEPA_OK && !search_unfit(&search) && !diagram->too_large) {
        diagram->split = split;
        split = NULL;
        status = diagram_backward(diagram, rates, &diagram->backward, err);
    }
    if (diagram && diagram->split && status == PEPA_OK) {
        *out = diagram;
        *patience = (double)search.work;
    } else {
        diagram_free(diagram);
    }
    *cramped = *cramped || search.cramped;
    search_free(&search);
    split_free(split);
    return status;
}

static PepaStatus report_cramped(const PepaSettings *set, PepaError *err)
{
    char most[ROOM_TEXT];
    return error_set(err, PEPA_ELIMIT,
                     "the sets of states take more than the memory that may be used (--memory: "
                     "%s); raise it, or explore one by one",
                     room_bytes((double)set->memory, most));
}

/* Both orders of the slots, the second one only if it does not take much longer. */
PepaStatus diagram_new(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                       const PepaSettings *set, PepaError *err)
{
    const double patience = 5e7, longer = 2, slack = 2e5;
    *out = NULL;
    if (system->functional)
        return PEPA_OK;
    Diagram *plain = NULL, *mirrored = NULL;
    double work = patience;
    bool cramped = false;
    PepaSettings rest = *set;
    PepaStatus status =
        explore(&plain, system, rates, most_lower, false, &work, &cramped, set, err);
    work = plain ? longer * work + slack : patience;
    rest.memory = room_left(set->memory, plain ? diagram_bytes(plain) : 0);
    if (status == PEPA_OK)
        status = explore(&mirrored, system, rates, most_lower, true, &work, &cramped, &rest, err);
    if (status == PEPA_OK && !plain && !mirrored && cramped && set->explore == PEPA_SYMBOLIC)
        status = report_cramped(set, err);
    if (status != PEPA_OK) {
        diagram_free(plain);
        return status;
    }
    if (!plain || !mirrored) {
        *out = plain ? plain : mirrored;
        return PEPA_OK;
    }
    /* where the order makes no difference, longer rows do */
    const double alike = 0.01;
    double back = fmin(plain->backward, 1 - plain->backward);
    double other = fmin(mirrored->backward, 1 - mirrored->backward);
    bool better = fabs(back - other) > alike * back ? other < back
                                                    : mirrored->upper_count < plain->upper_count;
    *out = better ? mirrored : plain;
    diagram_free(better ? plain : mirrored);
    return PEPA_OK;
}
