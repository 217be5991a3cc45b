/* Sets of lower states, each stored once, with caches of their unions, closures and images. */
#include "ctmc/diagram/diagram_search.h"

#include <string.h>

int32_t search_put_set(Search *s, const uint64_t *bits)
{
    int32_t before = s->sets.count;
    int32_t id = table_put(&s->sets, bits, table_hash(&s->sets, bits));
    if (id < 0 || id < before)
        return id;
    if (!mem_grow(s->size, s->size_cap, (size_t)id + 1) ||
        !mem_grow(s->closed, s->closed_cap, (size_t)id + 1))
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

int32_t search_join(Search *s, int32_t a, int32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    int32_t *known = memo_at(&s->unions, hash_pair(a < b ? a : b, a < b ? b : a), 0);
    if (!known)
        return -1;
    if (*known >= 0)
        return *known;
    for (size_t w = 0; w < s->set_words; w++)
        s->bits[w] = set_bits(s, a)[w] | set_bits(s, b)[w];
    s->work += (int64_t)s->set_words;
    return *known = search_put_set(s, s->bits);
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
            if (s->contexts.answers[i].target != lower)
                s->steps[end++] = s->contexts.answers[i].target;
    }
    if (!mem_grow(s->steps, s->step_cap, end))
        return false;
    s->steps[first] = (int32_t)(end - first - 1);
    s->step[lower] = (int32_t)first;
    s->step_count = end;
    s->work += s->lower_contexts;
    return true;
}

int32_t search_close(Search *s, int32_t set)
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
                if (s->step[lower] < 0 && !find_steps(s, lower))
                    return -1;
                const int32_t *step = s->steps + s->step[lower];
                s->work += 1 + step[0];
                for (int32_t i = 1; i <= step[0]; i++) {
                    uint32_t to = (uint32_t)step[i];
                    uint64_t bit = UINT64_C(1) << (to & 63), new = bit & ~all[to >> 6];
                    all[to >> 6] |= bit;
                    fresh[to >> 6] |= new;
                    more |= new != 0;
                }
            }
    }
    int32_t id = search_put_set(s, all);
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
    int32_t id = search_put_set(s, s->bits);
    if (id < 0 || !mem_grow(s->images, s->image_cap, s->image_count + 1))
        return false;
    s->images[s->image_count++] = (Image){tag, id};
    return true;
}

int32_t search_image(Search *s, int32_t set, int32_t context)
{
    int32_t *known = memo_at(&s->images_of, hash_pair(set, context), 0);
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
    if (!mem_grow(s->ranges, s->range_cap, s->range_count + 1))
        return -1;
    s->ranges[s->range_count] = range;
    return *known = (int32_t)s->range_count++;
}
