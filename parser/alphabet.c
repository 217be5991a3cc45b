/* Computes unions, intersections and differences of sets of actions. */
#include "parser/alphabet.h"

#include <stdlib.h>

bool alphabet_has(const Alphabet *set, int32_t action)
{
    int32_t low = 0, high = set->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (set->actions[middle] < action)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->actions[low] == action;
}

/* Merge x and y, keeping what is only in x, only in y, in both. */
static bool merge(const Alphabet *x, const Alphabet *y, bool only_x, bool only_y, bool both,
                  Alphabet *out)
{
    int32_t i = 0, j = 0, count = 0;
    int32_t *actions = mem_alloc((size_t)x->count + (size_t)y->count, sizeof *actions);
    if (!actions)
        return false;
    while (i < x->count || j < y->count) {
        bool from_x = j == y->count || (i < x->count && x->actions[i] <= y->actions[j]);
        bool from_y = i == x->count || (j < y->count && y->actions[j] <= x->actions[i]);
        int32_t action = from_x ? x->actions[i] : y->actions[j];
        if (from_x && from_y ? both : from_x ? only_x : only_y)
            actions[count++] = action;
        i += from_x;
        j += from_y;
    }
    *out = (Alphabet){actions, count};
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
