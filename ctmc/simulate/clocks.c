/* Sets clocks, and lets activities happen when they run out. */
#include "ctmc/simulate/clocks.h"

#include <math.h>
#include <string.h>

/* ---- durations -------------------------------------------------------------------------------- */

static double draw_duration(const Duration *d, Stream *stream)
{
    const double two_pi = 6.283185307179586;
    switch (d->kind) {
    case EXPR_DET:
        return d->a;
    case EXPR_UNIFORM:
        return d->a + (d->b - d->a) * stream_uniform(stream);
    case EXPR_LOGNORMAL: { /* Box, Muller, Annals of Mathematical Statistics 29, 1958 */
        const double radius = sqrt(-2 * log(stream_uniform(stream)));
        return exp(d->a + d->b * radius * cos(two_pi * stream_uniform(stream)));
    }
    default:
        return d->trace->value[(size_t)(stream_uniform(stream) * (double)d->trace->count)];
    }
}

static double draw_clock(Clocks *c, int32_t activity, Stream *stream, double time)
{
    const Duration *duration = &c->plan->activity[activity].duration;
    return time + draw_duration(duration, c->own ? &c->own[activity] : stream);
}

/* ---- heaps ------------------------------------------------------------------------------------ */

static int32_t clocks_of(const Clocks *c, int32_t place)
{
    return c->plan->place[place].end - c->plan->place[place].first;
}

static double *clock_at(const Clocks *c, int32_t place, int64_t copy)
{
    return c->heap[place].clock + copy * clocks_of(c, place);
}

static double earliest(const double *clock, int32_t count)
{
    double first = clock[0];
    for (int32_t i = 1; i < count; i++)
        first = clock[i] < first ? clock[i] : first;
    return first;
}

static double key(const Clocks *c, int32_t place, int64_t copy)
{
    return earliest(clock_at(c, place, copy), clocks_of(c, place));
}

static void exchange(Clocks *c, int32_t place, int64_t i, int64_t k)
{
    double *a = clock_at(c, place, i), *b = clock_at(c, place, k);
    for (int32_t n = clocks_of(c, place); n > 0; n--, a++, b++) {
        const double kept = *a;
        *a = *b;
        *b = kept;
    }
}

static void sift_up(Clocks *c, int32_t place, int64_t i)
{
    for (; i > 0 && key(c, place, i) < key(c, place, (i - 1) / 2); i = (i - 1) / 2)
        exchange(c, place, i, (i - 1) / 2);
}

static void sift_down(Clocks *c, int32_t place, int64_t i)
{
    for (;;) {
        int64_t least = i;
        for (int64_t k = 2 * i + 1; k <= 2 * i + 2 && k < c->heap[place].count; k++)
            least = key(c, place, k) < key(c, place, least) ? k : least;
        if (least == i)
            return;
        exchange(c, place, i, least);
        i = least;
    }
}

/* A place's first clock may be another one, and its activities under way. */
static void renew(Clocks *c, int32_t place)
{
    const ClockPlace *p = &c->plan->place[place];
    const bool any = c->heap[place].count > 0;
    int32_t node = (int32_t)c->plan->place_count + place;
    c->first[node] = any ? key(c, place, 0) : HUGE_VAL;
    for (node /= 2; node > 0; node /= 2)
        c->first[node] = fmin(c->first[2 * node], c->first[2 * node + 1]);
    for (int32_t a = p->first; a < p->end; a++) {
        const int32_t by = (any && c->possible[a]) - c->under_way[a];
        if (by == 0)
            continue;
        c->under_way[a] = (uint8_t)(c->under_way[a] + by);
        c->choices->under_way[c->plan->activity[a].event] += by;
        c->choices->under_way_count += by;
    }
}

static bool reserve(Clocks *c, int32_t place, int64_t count)
{
    ClockHeap *h = &c->heap[place];
    if (mem_reserve(&h->clock, &h->cap, (size_t)count,
                    (size_t)clocks_of(c, place) * sizeof *h->clock))
        return true;
    c->choices->no_memory = true;
    return false;
}

/* A copy comes with these clocks, or, if NULL, with new ones. */
static void put(Clocks *c, int32_t place, const double *clock, Stream *stream, double time)
{
    const ClockPlace *p = &c->plan->place[place];
    ClockHeap *h = &c->heap[place];
    if (!reserve(c, place, h->count + 1))
        return;
    double *to = clock_at(c, place, h->count++);
    for (int32_t a = p->first; a < p->end; a++, to++) {
        if (clock)
            *to = clock[a - p->first];
        else if (c->possible[a])
            *to = draw_clock(c, a, stream, time);
        else
            *to = HUGE_VAL;
    }
    sift_up(c, place, h->count - 1);
    renew(c, place);
}

/* A copy leaves; its clocks are in c->spare. */
static void take_out(Clocks *c, int32_t place, int64_t copy)
{
    ClockHeap *h = &c->heap[place];
    const size_t bytes = (size_t)clocks_of(c, place) * sizeof *h->clock;
    if (h->count == 0) /* memory was out when it came */
        return;
    memcpy(c->spare, clock_at(c, place, copy), bytes);
    h->count--;
    if (copy < h->count) {
        memcpy(clock_at(c, place, copy), clock_at(c, place, h->count), bytes);
        sift_up(c, place, copy);
        sift_down(c, place, copy);
    }
    renew(c, place);
}

/* ---- changes ---------------------------------------------------------------------------------- */

static int32_t place_at(const Clocks *c, const ChoiceChange *change)
{
    return c->plan->place_of[c->plan->slot[change->slot] + change->local];
}

/* Any copy of a place: all are alike to what they do without a clock. */
static int64_t any_copy(const Clocks *c, int32_t place, Stream *stream)
{
    const int64_t count = c->heap[place].count;
    return count > 1 ? (int64_t)(stream_uniform(stream) * (double)count) : 0;
}

/* One component moves between two local states of a slot, of which -1 have no clocks.  copy: which,
 * -1: any.  Between phases of one local state its clocks go on. */
static void move(Clocks *c, int32_t from, int32_t to, int64_t copy, Stream *stream, double time)
{
    const bool goes_on =
        from >= 0 && to >= 0 && c->plan->place[from].whole == c->plan->place[to].whole;
    if (from >= 0)
        take_out(c, from, copy < 0 ? any_copy(c, from, stream) : copy);
    if (to >= 0)
        put(c, to, goes_on ? c->spare : NULL, stream, time);
}

/* What the last activity did to the slots' components.  fired: the place whose first copy moved; -1. */
static void follow(Clocks *c, int32_t fired, Stream *stream, double time)
{
    const ChoiceChange *change = c->choices->changes;
    for (size_t i = 0; i < c->choices->change_count; i++) {
        const int32_t place = place_at(c, &change[i]);
        const bool pair = i + 1 < c->choices->change_count && change[i].by == -1 &&
                          change[i + 1].by == 1 && change[i].slot == change[i + 1].slot;
        if (pair) {
            move(c, place, place_at(c, &change[i + 1]), place >= 0 && place == fired ? 0 : -1,
                 stream, time);
            i++;
            continue;
        }
        for (int64_t k = change[i].by; k < 0 && place >= 0; k++)
            move(c, place, -1, -1, stream, time);
        for (int64_t k = change[i].by; k > 0 && place >= 0; k--)
            move(c, -1, place, -1, stream, time);
    }
}

/* ---- what is possible ------------------------------------------------------------------------- */

static bool is_possible(const Clocks *c, int32_t activity)
{
    const ClockActivity *a = &c->plan->activity[activity];
    int32_t g = a->gate;
    while (g < a->gate_end && number_kind(c->choices->value[c->plan->gate[g]]) != NUMBER_NONE)
        g++;
    return a->prog >= 0 && g == a->gate_end;
}

/* In a tangible state: clocks of activities that have become possible are set, of others lost. */
static void settle_place(Clocks *c, int32_t place, Stream *stream, double time)
{
    const ClockPlace *p = &c->plan->place[place];
    const int32_t width = clocks_of(c, place);
    bool changed = false;
    for (int32_t a = p->first; a < p->end; a++) {
        const bool possible = is_possible(c, a);
        if (possible == c->possible[a])
            continue;
        changed = true;
        c->possible[a] = possible;
        double *clock = c->heap[place].clock + (a - p->first);
        for (int64_t k = 0; k < c->heap[place].count; k++)
            clock[k * width] = possible ? draw_clock(c, a, stream, time) : HUGE_VAL;
    }
    if (!changed)
        return;
    for (int64_t k = c->heap[place].count / 2; k-- > 0;)
        sift_down(c, place, k);
    renew(c, place);
}

static void settle(Clocks *c, Stream *stream, double time)
{
    const ClockPlan *p = c->plan;
    for (size_t k = 0; k < p->place_count && !c->begun; k++)
        settle_place(c, (int32_t)k, stream, time);
    c->begun = true;
    for (size_t i = 0; i < c->choices->turned_count; i++) {
        const int32_t gate = c->choices->turned[i];
        for (int32_t k = p->row[gate]; k < p->row[gate + 1]; k++)
            settle_place(c, p->waiting[k], stream, time);
    }
    c->choices->turned_count = 0;
}

/* ---- life ------------------------------------------------------------------------------------- */

PepaStatus clocks_new(Clocks *out, const ClockPlan *plan, Choices *choices, PepaError *err)
{
    int32_t most = 1;
    *out = (Clocks){.plan = plan, .choices = choices};
    for (size_t i = 0; i < plan->place_count; i++)
        most = plan->place[i].end - plan->place[i].first > most
                   ? plan->place[i].end - plan->place[i].first
                   : most;
    if (!mem_new_zeroed(out->heap, plan->place_count) ||
        !mem_new(out->first, 2 * plan->place_count + 2) ||
        !mem_new_zeroed(out->possible, plan->activity_count) ||
        !mem_new_zeroed(out->under_way, plan->activity_count) || !mem_new(out->spare, most) ||
        !mem_new_zeroed(choices->under_way, plan->system->event_count)) {
        clocks_free(out);
        return error_memory(err);
    }
    return PEPA_OK;
}

void clocks_free(Clocks *c)
{
    for (size_t i = 0; c->heap && i < c->plan->place_count; i++)
        mem_free(c->heap[i].clock);
    mem_free_all(c->heap, c->first, c->possible, c->under_way, c->spare, c->own);
    *c = (Clocks){0};
}

void clocks_start(Clocks *c, Stream *stream, double time)
{
    const ClockPlan *p = c->plan;
    c->begun = !choices_is_vanishing(c->choices);
    for (size_t i = 0; i < 2 * p->place_count + 2; i++)
        c->first[i] = HUGE_VAL;
    for (size_t k = 0; k < p->place_count; k++) {
        const ClockPlace *place = &p->place[k];
        const Slot *slot = &p->system->slots[place->slot];
        const int64_t *cell = c->choices->cells + slot->cell;
        const int64_t count = slot->copies ? cell[place->local] : *cell == place->local;
        for (int32_t a = place->first; a < place->end; a++)
            c->possible[a] = c->begun && is_possible(c, a);
        c->heap[k].count = 0;
        for (int64_t i = 0; i < count && !c->choices->no_memory; i++)
            put(c, (int32_t)k, NULL, stream, time);
        renew(c, (int32_t)k);
    }
    c->choices->turned_count = 0;
}

/* The place with the first clock, and which of its activities it is. */
static int32_t first_place(const Clocks *c, int32_t *activity)
{
    const int32_t count = (int32_t)c->plan->place_count;
    int32_t node = 1;
    while (node < count) {
        node *= 2;
        node += c->first[node + 1] < c->first[node];
    }
    const int32_t place = node - count;
    const double *clock = clock_at(c, place, 0), first = key(c, place, 0);
    *activity = c->plan->place[place].first;
    while (*clock++ > first)
        ++*activity;
    return place;
}

static void settle_if_tangible(Clocks *c, Stream *stream, double time)
{
    if (!choices_is_vanishing(c->choices))
        settle(c, stream, time);
}

/* If its component stays, the clock is set anew. */
int32_t clocks_complete(Clocks *c, Stream *stream, double time)
{
    int32_t activity;
    const int32_t place = first_place(c, &activity);
    const ClockPlace *p = &c->plan->place[place];
    const ClockActivity *a = &c->plan->activity[activity];
    const int32_t event = choices_complete(c->choices, stream, a->prog, p->local, a->target);
    clock_at(c, place, 0)[activity - p->first] = draw_clock(c, activity, stream, time);
    if (a->target == p->local) {
        sift_down(c, place, 0);
        renew(c, place);
    }
    follow(c, a->target == p->local ? -1 : place, stream, time);
    settle_if_tangible(c, stream, time);
    return event;
}

void clocks_follow(Clocks *c, Stream *stream, double time)
{
    follow(c, -1, stream, time);
    settle_if_tangible(c, stream, time);
}
