/* Computes unions, intersections and differences of sets of actions. */
#include "parser/alphabet.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

bool alphabet_has(const Alphabet *set, int32_t action)
{
    return sorted_find(set->actions, set->count, action) >= 0;
}

static void take(Alphabet *to, const Alphabet *from, int32_t first, int32_t end)
{
    if (first < end)
        memcpy(to->actions + to->count, from->actions + first,
               (size_t)(end - first) * sizeof *to->actions);
    to->count += end - first;
}

/* Merge x and y, keeping what is only in x, only in y, in both: in O(smaller one x log of the larger),
 * and copying. */
static bool merge(const Alphabet *x, const Alphabet *y, bool only_x, bool only_y, bool both,
                  Alphabet *out)
{
    int32_t i = 0, j = 0;
    *out = (Alphabet){mem_alloc((size_t)x->count + (size_t)y->count, sizeof *out->actions), 0};
    if (!out->actions)
        return false;
    while (i < x->count && j < y->count) {
        const int32_t i_end = sorted_from(x->actions, i, x->count, y->actions[j]);
        const int32_t j_end =
            i_end < x->count ? sorted_from(y->actions, j, y->count, x->actions[i_end]) : j;
        take(out, x, i, only_x ? i_end : i);
        take(out, y, j, only_y ? j_end : j);
        i = i_end;
        j = j_end;
        if (i < x->count && j < y->count && x->actions[i] == y->actions[j]) {
            take(out, x, i, both ? i + 1 : i);
            i++;
            j++;
        }
    }
    take(out, x, i, only_x ? x->count : i);
    take(out, y, j, only_y ? y->count : j);
    return true;
}

bool alphabet_union(const Alphabet *x, const Alphabet *y, Alphabet *out)
{
    return merge(x, y, true, true, true, out);
}

bool alphabet_intersect(const Alphabet *x, const Alphabet *y, Alphabet *out)
{
    return merge(x, y, false, false, true, out);
}

bool alphabet_minus(const Alphabet *x, const Alphabet *y, Alphabet *out)
{
    return merge(x, y, true, false, false, out);
}

static int by_id(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void alphabet_sort(Alphabet *set)
{
    int32_t count = 0;
    if (set->count > 1)
        qsort(set->actions, (size_t)set->count, sizeof *set->actions, by_id);
    for (int32_t i = 0; i < set->count; i++)
        if (i == 0 || set->actions[i] != set->actions[i - 1])
            set->actions[count++] = set->actions[i];
    set->count = count;
}

void alphabet_free(Alphabet *set)
{
    mem_free(set->actions);
    *set = (Alphabet){0};
}
