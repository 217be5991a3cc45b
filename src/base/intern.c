/* Numbers names by a hash table, and measures the distance of two names. */
#include "base/intern.h"

#include <string.h>

static size_t hash(const char *text, size_t length)
{
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t probe(const Intern *names, const char *text, size_t length)
{
    size_t mask = names->slot_count - 1, slot = hash(text, length) & mask;
    while (names->slots[slot] >= 0) {
        const char *there = names->names[names->slots[slot]];
        if (strlen(there) == length && memcmp(there, text, length) == 0)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow(Intern *names)
{
    size_t count = names->slot_count ? names->slot_count * 2 : 64;
    int32_t *slots = mem_alloc(count, sizeof *slots), *old = names->slots;
    if (!slots)
        return false;
    memset(slots, -1, count * sizeof *slots);
    names->slots = slots;
    names->slot_count = count;
    for (size_t id = 0; id < names->count; id++)
        slots[probe(names, names->names[id], strlen(names->names[id]))] = (int32_t)id;
    mem_free(old);
    return true;
}

int32_t intern_put(Intern *names, const char *text, size_t length)
{
    if ((names->count + 1) * 2 > names->slot_count && !grow(names))
        return -1;
    size_t slot = probe(names, text, length);
    if (names->slots[slot] >= 0)
        return names->slots[slot];
    char *copy = arena_copy(&names->arena, text, length);
    if (!copy || !mem_grow(names->names, names->cap, names->count + 1))
        return -1;
    names->names[names->count] = copy;
    names->slots[slot] = (int32_t)names->count;
    return (int32_t)names->count++;
}

int32_t intern_find(const Intern *names, const char *text, size_t length)
{
    return names->slot_count ? names->slots[probe(names, text, length)] : -1;
}

void intern_free(Intern *names)
{
    arena_free(&names->arena);
    mem_free_all(names->names, names->slots);
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
    for (int i = 1; i <= m; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int same = a[i - 1] == b[j - 1] ? 0 : 1;
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return least(rows[m % 3][n], most);
}

const char *suggest(const char *name, const char *const *names, size_t count)
{
    enum { SHORTEST = 3 }; /* of one or two letters, every other name would be near */
    const char *nearest = NULL;
    if (strlen(name) < SHORTEST)
        return NULL;
    int least = strlen(name) == SHORTEST ? 2 : 3; /* fewer edits than that */
    for (size_t i = 0; i < count; i++) {
        int distance = name_distance(name, names[i], least);
        if (distance > 0 && distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
