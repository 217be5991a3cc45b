/* Buckets are read and written by several threads at a time, without locks.  A state's place is
 * taken by its id, which goes from 0 to that of the guest in one step, when all that is to be known
 * of it stands there; its tag follows.  Places are taken from the first on: who does not find a
 * state by its tag looks at all places from the first without a tag on until one has no id either,
 * and if he cannot take that, at the state that has just got it. */
#include "ctmc/explore/concurrent_table.h"

#include <string.h>

#include "ctmc/system/table_parts.h"

enum { NOBODY = INT32_MIN, PAGE = 4096 };

/* ---- life ---------------------------------------------------------------------------------- */

void guests_init(Guests *g, Table *table, int32_t some)
{
    *g = (Guests){.table = table, .some = some};
}

void guests_free(Guests *g)
{
    mem_free(g->who);
    mem_free(g->place);
    mem_free(g->number);
    *g = (Guests){0};
}

void guests_clear(Guests *g)
{
    g->taken = 0;
}

bool guests_reserve(Guests *g, int32_t room)
{
    size_t n = (size_t)room;
    g->taken = g->taken < g->room ? g->taken : g->room;
    if (!mem_reserve(&g->who, &g->who_cap, n * (1 + g->table->words), sizeof *g->who) ||
        !mem_reserve(&g->place, &g->place_cap, n, sizeof *g->place) ||
        !mem_reserve(&g->number, &g->number_cap, n, sizeof *g->number))
        return false;
    g->room = room;
    return true;
}

double guests_bytes(const Guests *g)
{
    return (double)g->who_cap * sizeof *g->who + (double)g->place_cap * sizeof *g->place +
           (double)g->number_cap * sizeof *g->number;
}

/* ---- buckets ------------------------------------------------------------------------------- */

/* A word to memory that a line will be written, so that other threads have to give it back.  What
 * __builtin_prefetch makes of that is no more than a word that it will be read, unless it may count
 * on a processor that is newer than most. */
static inline void will_write(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

static const uint64_t zero;

/* What lookups read of guests and table, none of which changes meanwhile: on the stack of each
 * thread, since a compiler has to expect that reading what others write changes everything else. Of
 * what there are two, [0] is for states of the table, [1] for guests; whether a state is one or the
 * other is hard to foretell, and so nothing branches on that. */
typedef struct {
    Bucket *buckets;
    uint32_t bucket_count;
    size_t words;
    const uint64_t *state[2],
        *first[2]; /* those of the first one; states have been there always, ... */
    size_t stride[2], first_stride[2]; /* ... that is, came first with lookup 0 */
    uint64_t *who;
} View;

static View view_of(const Guests *g)
{
    const Table *t = g->table;
    return (View){.buckets = t->buckets,
                  .bucket_count = t->bucket_count,
                  .words = t->words,
                  .state = {t->state, g->who + 1},
                  .first = {&zero, g->who},
                  .stride = {t->words, 1 + t->words},
                  .first_stride = {0, 1 + t->words},
                  .who = g->who};
}

static inline uint32_t home_of(const View *v, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash * v->bucket_count >> 32);
}

static inline uint32_t matches(const Bucket *bucket, uint8_t tag)
{
    return table_matches(__atomic_load_n(&bucket->tags[0], __ATOMIC_ACQUIRE),
                         __atomic_load_n(&bucket->tags[1], __ATOMIC_ACQUIRE), tag);
}

static inline int32_t id_at(const Bucket *bucket, int place)
{
    return __atomic_load_n(&bucket->id[place], __ATOMIC_ACQUIRE);
}

/* Have a free place for an id; if somebody else has taken it, returns whose it is, else 0. */
static inline int32_t take(Bucket *bucket, int place, uint32_t hash, int32_t id)
{
    int32_t there = 0;
    if (!__atomic_compare_exchange_n(&bucket->id[place], &there, id, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return there;
    __atomic_store_n(&bucket->tag[place], table_tag(hash), __ATOMIC_RELEASE);
    return 0;
}

/* The first place that has no tag. */
static inline int first_free(const Bucket *bucket)
{
    return __builtin_ctz(matches(bucket, 0));
}

static inline uint64_t *guest(const View *v, int32_t seat)
{
    return v->who + (size_t)seat * (1 + v->words);
}

static inline uint32_t is_guest(int32_t id)
{
    return (uint32_t)id >> 31;
}

/* The seat of a guest; a state's id. */
static inline size_t index_of(int32_t id)
{
    return (uint32_t)(id ^ -(int32_t)is_guest(id));
}

static inline const uint64_t *state_of(const View *v, int32_t id)
{
    return v->state[is_guest(id)] + index_of(id) * v->stride[is_guest(id)];
}

static inline void copy(size_t words, uint64_t *to, const uint64_t *from)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

static inline bool equal(const View *v, int32_t id, const uint64_t *state)
{
    return table_equal(v->words, state_of(v, id), state);
}

/* ---- lookups ------------------------------------------------------------------------------- */

/* A free seat, or -1. */
static int32_t seat(Guests *g, const View *v, Seats *seats)
{
    if (seats->next < seats->end)
        return seats->next;
    if (__atomic_load_n(&g->taken, __ATOMIC_RELAXED) >= g->room)
        return -1;
    int32_t from = __atomic_fetch_add(&g->taken, g->some, __ATOMIC_RELAXED);
    if (from >= g->room)
        return -1;
    seats->next = from;
    seats->end = g->room - from < g->some ? g->room : from + g->some;
    memset(g->place + from, 0, (size_t)(seats->end - from) * sizeof(int32_t *));
    /* Others sat there: waiting for that memory at each seat would take long. */
    for (const uint64_t *line = guest(v, from); line < guest(v, seats->end); line += LINE / 8)
        will_write(line);
    return from;
}

/* Put a state that is new as far as is known into a place of a bucket; returns whose that is then:
 * a guest's, who has just come there if *came is set; or NOBODY if there is no seat. */
static int32_t sit(Guests *g, const View *v, Seats *seats, Bucket *bucket, int place,
                   const uint64_t *state, uint32_t hash, uint64_t at, bool *came)
{
    int32_t mine = seat(g, v, seats);
    if (mine < 0)
        return NOBODY;
    guest(v, mine)[0] = at;
    copy(v->words, guest(v, mine) + 1, state);
    int32_t other = take(bucket, place, hash, -1 - mine);
    if (other != 0)
        return other;
    g->place[mine] = &bucket->id[place];
    seats->next++;
    *came = true;
    return -1 - mine;
}

/* The id of a state, which becomes a guest if it is new, and then *came is set; NOBODY if there is
 * no seat.  at: which lookup that is. */
static int32_t receive(Guests *g, const View *v, Seats *seats, const uint64_t *state, uint32_t hash,
                       uint64_t at, bool *came)
{
    for (uint32_t home = home_of(v, hash);; home = home + 1 < v->bucket_count ? home + 1 : 0) {
        Bucket *bucket = &v->buckets[home];
        int free = first_free(bucket); /* before looking at tags, of which there may soon be more */
        for (uint32_t places = matches(bucket, table_tag(hash)); places; places &= places - 1) {
            int32_t id = id_at(bucket, __builtin_ctz(places));
            if (equal(v, id, state))
                return id;
        }
        for (; free < BUCKET_PLACES; free++) {
            int32_t id = id_at(bucket, free);
            if (id == 0)
                id = sit(g, v, seats, bucket, free, state, hash, at, came);
            if (id == NOBODY || *came || equal(v, id, state))
                return id;
        }
    }
}

/* Some id that may be the state's, from its bucket, and a word to memory that its state is wanted;
 * or that a place in its bucket is, and NOBODY. */
static inline int32_t expect(const View *v, uint32_t hash)
{
    const Bucket *bucket = &v->buckets[home_of(v, hash)];
    uint32_t places = matches(bucket, table_tag(hash));
    if (!places) {
        will_write(bucket);
        return NOBODY;
    }
    int32_t id = id_at(bucket, __builtin_ctz(places));
    __builtin_prefetch(state_of(v, id));
    return id;
}

/* Is lookup `at` of a state before all of those so far? */
static inline bool comes_first(const View *v, Visit *visits, int32_t id, uint64_t at)
{
    const uint64_t *there = v->first[is_guest(id)] + index_of(id) * v->first_stride[is_guest(id)];
    uint64_t before = __atomic_load_n(there, __ATOMIC_RELAXED);
    while (at < before)
        if (__atomic_compare_exchange_n(guest(v, -1 - id), &before, at, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            (void)__atomic_fetch_add(&visits[before >> 32].lost, 1, __ATOMIC_RELAXED);
            return true;
        }
    return false;
}

bool guests_meet(Guests *g, Seats *seats, Visit *visits, int32_t visit, const uint64_t *states,
                 const uint32_t *hashes, int32_t count, int32_t *ids)
{
    const View v = view_of(g);
    const int32_t begin = visits[visit].done;
    int32_t done = begin, met = visits[visit].count, *which = visits[visit].met;
    for (int32_t step = begin; step < count + 2 * AHEAD; step++) {
        if (step < count)
            __builtin_prefetch(&v.buckets[home_of(&v, hashes[step])]);
        if (step - AHEAD >= begin && step - AHEAD < count)
            ids[step - AHEAD] = expect(&v, hashes[step - AHEAD]);
        int32_t i = step - 2 * AHEAD;
        if (i < begin)
            continue;
        const uint64_t *state = states + (size_t)i * v.words;
        uint64_t at = (uint64_t)(uint32_t)visit << 32 | (uint32_t)i;
        int32_t id = ids[i];
        bool came = false;
        if (id == NOBODY || !equal(&v, id, state)) {
            id = ids[i] = receive(g, &v, seats, state, hashes[i], at, &came);
            if (id == NOBODY)
                break;
        }
        if (came || comes_first(&v, visits, id, at))
            which[met++] = i;
        done = i + 1;
    }
    visits[visit].count = met;
    visits[visit].done = done;
    return done == count;
}

void guests_number(Guests *g, const Visit *visits, int32_t visit, const int32_t *ids,
                   int32_t number)
{
    const View v = view_of(g);
    for (int32_t i = 0; i < visits[visit].count; i++) {
        int32_t which = visits[visit].met[i], sits = -1 - ids[which];
        if (guest(&v, sits)[0] != ((uint64_t)(uint32_t)visit << 32 | (uint32_t)which))
            continue;
        copy(v.words, g->table->state + (size_t)number * v.words, guest(&v, sits) + 1);
        *g->place[sits] = number;
        g->number[sits] = number++;
    }
}

/* ---- more buckets -------------------------------------------------------------------------- */

/* Fresh memory that is read before it is written costs two faults for each page, and the second of
 * them has all threads interrupted. */
void guests_touch(const Guests *g, int32_t part, int32_t parts)
{
    const Table *table = g->table;
    const size_t bytes = (size_t)table->bucket_count * LINE;
    size_t begin = bytes / (size_t)parts * (size_t)part / PAGE * PAGE;
    size_t end =
        part + 1 < parts ? bytes / (size_t)parts * ((size_t)part + 1) / PAGE * PAGE : bytes;
    volatile uint8_t *byte = (volatile uint8_t *)table->buckets;
    for (; begin < end; begin += PAGE)
        byte[begin + BUCKET_PLACES] = 0;
}

static int32_t *put(const View *v, uint32_t hash, int32_t id)
{
    for (uint32_t home = home_of(v, hash);; home = home + 1 < v->bucket_count ? home + 1 : 0) {
        Bucket *bucket = &v->buckets[home];
        for (int free = first_free(bucket); free < BUCKET_PLACES; free++)
            if (id_at(bucket, free) == 0 && take(bucket, free, hash, id) == 0)
                return &bucket->id[free];
    }
}

void guests_refill(Guests *g, int32_t first, int32_t end)
{
    const View v = view_of(g);
    uint32_t hashes[AHEAD];
    int32_t ids[AHEAD];
    for (int32_t id = first; id < end;) {
        int count = 0;
        for (; id < end && count < AHEAD; id++) {
            if (id == 0 || (id < 0 && !g->place[-1 - id]))
                continue;
            hashes[count] = table_hash(g->table, state_of(&v, id));
            ids[count] = id;
            will_write(&v.buckets[home_of(&v, hashes[count++])]);
        }
        for (int i = 0; i < count; i++) {
            int32_t *place = put(&v, hashes[i], ids[i]);
            if (ids[i] < 0)
                g->place[-1 - ids[i]] = place;
        }
    }
}
