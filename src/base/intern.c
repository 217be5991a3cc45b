/* Numbers names by a hash table, and measures the distance of two names. */
#include "base/intern.h"

#include <string.h>
#include <strings.h>

/* The name's id, or -1; *key: where its id is, or is to be put. */
static int32_t look(const Intern *names, const char *text, size_t length, MemoKey *key)
{
    int32_t id;
    *key = (MemoKey){hash_bytes(text, length), 0};
    for (; (id = memo_find(&names->found, key->a, key->b)) >= 0; key->b++) {
        const char *there = names->names[id];
        if (strlen(there) == length && memcmp(there, text, length) == 0)
            break;
    }
    return id;
}

int32_t intern_put(Intern *names, const char *text, size_t length)
{
    MemoKey key;
    int32_t id = look(names, text, length, &key);
    if (id >= 0)
        return id;
    int32_t *place = memo_at(&names->found, key.a, key.b);
    char *copy = place ? arena_copy(&names->arena, text, length) : NULL;
    if (!copy || !mem_grow(names->names, names->cap, names->count + 1))
        return -1;
    names->names[names->count] = copy;
    return *place = (int32_t)names->count++;
}

int32_t intern_find(const Intern *names, const char *text, size_t length)
{
    MemoKey key;
    return look(names, text, length, &key);
}

void intern_free(Intern *names)
{
    arena_free(&names->arena);
    memo_free(&names->found);
    mem_free(names->names);
    *names = (Intern){0};
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment over three rolling rows; names longer than the rows count as far. */
int name_distance(const char *a, const char *b, int most)
{
    enum { LONGEST = 64 };
    int rows[3][LONGEST + 1];
    int m = (int)strnlen(a, LONGEST + 1), n = (int)strnlen(b, LONGEST + 1);
    if (m > LONGEST || n > LONGEST || m - n > most || n - m > most)
        return most;
    for (int j = 0; j <= n; j++)
        rows[0][j] = j;
    int nearest = 0, nearest_last; /* least entries of the present row and the one before */
    for (int i = 1; i <= m; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        nearest_last = nearest;
        nearest = now[0] = i;
        /* elsewhere entries are `most` or more: so many inserted or deleted alone */
        const int from = i < most ? 1 : i - most + 1, to = least(n, i + most - 1);
        if (from > 1)
            nearest = now[from - 1] = most;
        if (to < n)
            now[to + 1] = most;
        for (int j = from; j <= to; j++) {
            int same = a[i - 1] == b[j - 1] ? 0 : 1;
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
            nearest = least(nearest, now[j]);
        }
        if (nearest >= most && nearest_last + 1 >= most)
            return most;
    }
    return least(rows[m % 3][n], most);
}

const char *suggest(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    const size_t length = strlen(name);
    /* Fewer edits than that: by one, every name of one or two letters would be near. */
    int least = length < 3 ? 1 : length == 3 ? 2 : 3;
    for (size_t i = 0; i < count; i++) {
        int distance = strcasecmp(name, names[i]) == 0 ? 0 : name_distance(name, names[i], least);
        if (distance < least && strcmp(name, names[i]) != 0) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
