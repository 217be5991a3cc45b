/* Merges the states of a probe that nothing tells apart: classes of states are divided by where
 * their actions lead until no division is left. */
#include <string.h>

#include "base/memo.h"
#include "parser/probe/automaton.h"

/* Divide the classes once by the classes that actions lead to.  The number of classes, or -1:
 * memory is out.
 *   list   1 + action_count, scratch
 *   finer  per state, out; in the order of the first state of each */
static int32_t divide(const Automaton *a, const int32_t *class, int32_t *list, int32_t *finer)
{
    Lists found = {0};
    bool ok = true;
    for (int32_t i = 0; i < a->state_count && ok; i++) {
        const int32_t *next = a->next + (size_t)i * (size_t)a->action_count;
        list[0] = class[i];
        for (int32_t k = 0; k < a->action_count; k++)
            list[k + 1] = class[next[k]];
        finer[i] = lists_put(&found, list, (size_t)a->action_count + 1);
        ok = finer[i] >= 0;
    }
    const int32_t count = ok ? found.count : -1;
    lists_free(&found);
    return count;
}

/* One state per class; classes are in the order of their first states, so a class is never behind
 * its states, and what is read has not been written over. */
static void merge(Automaton *a, const int32_t *class, int32_t count)
{
    const size_t actions = (size_t)a->action_count;
    int32_t done = 0;
    for (int32_t i = 0; i < a->state_count; i++) {
        if (class[i] != done)
            continue;
        for (size_t k = 0; k < actions; k++)
            a->next[(size_t)done * actions + k] = class[a->next[(size_t)i * actions + k]];
        a->phase[done++] = a->phase[i];
    }
    a->state_count = count;
}

bool automaton_shrink(Automaton *a)
{
    int32_t *class = NULL, *finer = NULL, *list = NULL;
    bool ok = mem_new(class, a->state_count) && mem_new(finer, a->state_count) &&
              mem_new(list, a->action_count + 1);
    int32_t count = 0, before;
    for (int32_t i = 0; ok && i < a->state_count; i++)
        class[i] = a->phase[i];
    do {
        before = count;
        count = ok ? divide(a, class, list, finer) : -1;
        int32_t *other = class;
        class = finer;
        finer = other;
    } while (count > before);
    if (count > 0)
        merge(a, class, count);
    mem_free_all(class, finer, list);
    return count > 0;
}
