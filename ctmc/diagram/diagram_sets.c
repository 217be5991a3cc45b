/* Sets of lower states, each stored once, with caches of their unions, closures and images. */
#include "ctmc/diagram/diagram_search.h"

bool sets_init(Sets *s, size_t words)
{
    return mem_new_zeroed(s->bits, words) && table_init(&s->table, words);
}

void sets_free(Sets *s)
{
    table_free(&s->table);
    memo_free(&s->unions);
    mem_free_all(s->size, s->closed, s->bits);
}

int32_t sets_put(Sets *s)
{
    int32_t before = s->table.count;
    int32_t id = table_put(&s->table, s->bits, table_hash(&s->table, s->bits));
    if (id < before)
        return id;
    if (!mem_grow(s->size, s->size_cap, (size_t)id + 1) ||
        !mem_grow(s->closed, s->closed_cap, (size_t)id + 1))
        return -1;
    s->size[id] = 0;
    for (size_t w = 0; w < s->table.words; w++)
        s->size[id] += __builtin_popcountll(s->bits[w]);
    s->closed[id] = -1;
    return id;
}

int32_t sets_join(Sets *s, int32_t a, int32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    int32_t *known = memo_at(&s->unions, hash_pair(a < b ? a : b, a < b ? b : a), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    for (size_t w = 0; w < s->table.words; w++)
        s->bits[w] = sets_bits(s, a)[w] | sets_bits(s, b)[w];
    s->work += (int64_t)s->table.words;
    return *known = sets_put(s);
}

/* Compute the targets of the events of the lower part from a lower state.  False: memory is out. */
static bool find_steps(Search *s, int32_t lower)
{
    size_t first = s->step_count, end = first + 1;
    for (int32_t e = 0; e < s->lower_contexts; e++) {
        AnswerRange r = contexts_answer(&s->contexts, s->lower_context[e], lower);
        if (!mem_grow(s->steps, s->step_cap, end + (size_t)r.count))
            return false;
        for (int32_t i = r.first; i < r.first + r.count; i++)
            if (s->contexts.answers[i].jump != 0)
                s->steps[end++] = lower + s->contexts.answers[i].jump;
    }
    if (!mem_grow(s->steps, s->step_cap, end))
        return false;
    s->steps[first] = (int32_t)(end - first - 1);
    s->step[lower] = (int32_t)first;
    s->step_count = end;
    s->sets.work += s->lower_contexts;
    return true;
}

int32_t search_close(Search *s, int32_t set)
{
    const size_t words = s->sets.table.words;
    if (s->sets.closed[set] >= 0)
        return s->sets.closed[set];
    uint64_t *all = s->sets.bits, *fresh = s->fresh_bits;
    memcpy(all, sets_bits(&s->sets, set), words * sizeof *all);
    memcpy(fresh, all, words * sizeof *fresh);
    for (bool more = true; more && !search_unfit(s);) {
        more = false;
        for (size_t w = 0; w < words; w++)
            while (fresh[w]) {
                int32_t lower = (int32_t)(64 * w) + __builtin_ctzll(fresh[w]);
                fresh[w] &= fresh[w] - 1;
                if (s->step[lower] < 0 && !find_steps(s, lower))
                    return -1;
                const int32_t *step = s->steps + s->step[lower];
                s->sets.work += 1 + step[0];
                for (int32_t i = 1; i <= step[0]; i++) {
                    uint32_t to = (uint32_t)step[i];
                    uint64_t bit = UINT64_C(1) << (to & 63), new = bit & ~all[to >> 6];
                    all[to >> 6] |= bit;
                    fresh[to >> 6] |= new;
                    more |= new != 0;
                }
            }
    }
    int32_t id = sets_put(&s->sets);
    if (id >= 0)
        s->sets.closed[id] = s->sets.closed[set] = id;
    return id;
}

/* One tag of the image of a set. */
static bool add_image(Search *s, int32_t set, int32_t context, int32_t tag)
{
    bool any = false;
    sets_clear(&s->sets);
    for (size_t w = 0; w < s->sets.table.words; w++)
        for (uint64_t left = sets_bits(&s->sets, set)[w]; left; left &= left - 1) {
            int32_t lower = (int32_t)(64 * w) + __builtin_ctzll(left);
            AnswerRange r = contexts_answer(&s->contexts, context, lower);
            s->sets.work += 1 + r.count;
            for (int32_t i = r.first; i < r.first + r.count; i++) {
                const Answer *a = &s->contexts.answers[i];
                if (a->tag != tag)
                    continue;
                bits_add(s->sets.bits, lower + a->jump);
                any = true;
            }
        }
    if (!any || search_unfit(s))
        return true;
    int32_t id = sets_put(&s->sets);
    if (id < 0 || !mem_grow(s->images, s->image_cap, s->image_count + 1))
        return false;
    s->images[s->image_count++] = (Image){tag, id};
    return true;
}

int32_t search_image(Search *s, int32_t set, int32_t context)
{
    int32_t *known = memo_at(&s->images_of, hash_pair(set, context), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    ImageRange range = {(int32_t)s->image_count, 0};
    /* the first pass meets all tags that there are */
    for (int32_t tag = 0; tag == 0 || tag < s->contexts.contexts[context].tag_count; tag++)
        if (!add_image(s, set, context, tag))
            return -1;
    range.count = (int32_t)s->image_count - range.first;
    if (!mem_grow(s->ranges, s->range_cap, s->range_count + 1))
        return -1;
    s->ranges[s->range_count] = range;
    return *known = (int32_t)s->range_count++;
}

double search_work(const Search *s)
{
    return (double)s->sets.work + ANSWER_WORK * (double)s->contexts.asked;
}

/* Final: states found later do not change it, since a set may have been left incomplete. */
bool search_alone(const Search *s)
{
    const bool wide = s->upper_room >= MANY_UPPER;
    const bool unshared = (double)s->contexts.asked > UNSHARED * (double)s->states;
    const int64_t some = wide ? SOME_VISITS : MANY_VISITS;
    const bool strict = s->visits >= some && s->visits <= LATE_VISITS &&
                        (double)s->sets.work > DEAR * (double)s->states;
    return s->visits >= (!wide      ? MANY_VISITS
                         : unshared ? FIRST_VISITS
                                    : FEW_VISITS) &&
           (double)s->states < (strict ? 2 : 1) * s->sharing * (double)s->visits;
}

bool search_unfit(Search *s)
{
    if (s->contexts.moves.rates->status != PEPA_OK || s->sets.table.count > MOST_SETS ||
        (int64_t)s->contexts.count * s->split->lower.count > MOST_ROWS ||
        (search_work(s) > s->patience && search_work(s) > s->worth * (double)s->states) ||
        search_alone(s))
        s->contexts.unfit = true;
    return s->contexts.unfit;
}
