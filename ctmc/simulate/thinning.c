/* Finds the points below the rates. */
#include "ctmc/simulate/thinning.h"

#include <math.h>

enum { MOST_STRIPS = 62, IN_WINDOW = 3 };
enum { POINTS = 1, PICKS, DURATIONS }; /* the upper word of the keys: plain streams have 0 */
#define WINDOWS 0x1p40 /* which can be told apart, and the points within each of them */
static const uint64_t below_strips = 255, without_memory = 254; /* in place of a strip's number */

static uint64_t name_of(const Thinning *x, const ThinnedEvent *e, uint64_t strip)
{
    return (uint64_t)(e - x->event) << 8 | strip;
}

/* ---- points ----------------------------------------------------------------------------------- */

/* Two numbers in (0, 1) for each of `count` points, whose names follow each other. */
static void numbers(const Thinning *x, const uint64_t counter[STREAM_WORDS], int32_t count,
                    double (*out)[2])
{
    const uint64_t key[2] = {x->seed, POINTS};
    uint64_t word[STRIP_POINTS * STREAM_WORDS];
    philox(key, counter, count, word);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            out[i][k] = ((double)(word[i * STREAM_WORDS + k] >> 12) + 0.5) * 0x1p-52;
}

/* After an exponential time of this rate; level: another number in (0, 1). */
static double after(Thinning *x, ThinnedEvent *e, double time, double rate, uint64_t strip,
                    double *level)
{
    double u[1][2];
    numbers(x, (uint64_t[]){0, e->drawn++, x->number, name_of(x, e, strip)}, 1, u);
    *level = u[0][1];
    return time - log(u[0][0]) / rate;
}

/* When the event happens below the strips. */
static double after_below(Thinning *x, ThinnedEvent *e, double time, double rate)
{
    double unused;
    return rate > 0 ? after(x, e, time, rate, below_strips, &unused) : HUGE_VAL;
}

static double width_of(const Thinning *x, int32_t strip)
{
    return ldexp(x->unit, strip);
}

/* From one point of a strip to the next. */
static void next_point(Thinning *x, ThinnedEvent *e, int32_t k)
{
    Strip *s = &e->strip[k];
    const double width = width_of(x, k), length = IN_WINDOW / width;
    if (!(s->window < WINDOWS)) {
        s->time = after(x, e, s->time, width, without_memory, &s->level);
        s->level = width + width * s->level;
        return;
    }
    for (;;) {
        const double *u = s->number[s->index % STRIP_POINTS];
        if (s->index % STRIP_POINTS == 0)
            numbers(x,
                    (uint64_t[]){s->index, (uint64_t)s->window, x->number,
                                 name_of(x, e, (uint64_t)k)},
                    STRIP_POINTS, s->number);
        s->index++;
        s->time -= log(u[0]) / width;
        s->level = width + width * u[1];
        if (s->time < (s->window + 1) * length)
            return;
        s->window++;
        s->time = s->window * length;
        s->index = 0;
    }
}

/* To the first point of a strip from this time on. */
static void join(Thinning *x, ThinnedEvent *e, int32_t k, double time)
{
    Strip *s = &e->strip[k];
    const double length = IN_WINDOW / width_of(x, k), window = floor(time / length);
    if (s->window < window || !(window < WINDOWS)) {
        *s = (Strip){.window = window, .time = window < WINDOWS ? window * length : time};
        next_point(x, e, k);
    }
    while (s->time < time)
        next_point(x, e, k);
}

/* ---- events ----------------------------------------------------------------------------------- */

static void renew(Thinning *x, ThinnedEvent *e)
{
    const int32_t events = x->choices->system->event_count;
    double first = e->within;
    e->first = BELOW_STRIPS;
    for (int32_t k = 0; k < e->strips; k++)
        if (e->strip[k].time < first) {
            first = e->strip[k].time;
            e->first = k;
        }
    int32_t node = events + (int32_t)(e - x->event);
    x->first[node] = first;
    for (node /= 2; node > 0; node /= 2)
        x->first[node] = fmin(x->first[2 * node], x->first[2 * node + 1]);
}

/* How many strips a rate reaches into; 0 as well for one that is too large for them. */
static int32_t strips_below(const Thinning *x, double rate)
{
    int exponent;
    const double half = frexp(rate / x->unit, &exponent);
    const int32_t strips = half == 0.5 ? exponent - 1 : exponent;
    return rate > x->unit && strips <= MOST_STRIPS ? strips : 0;
}

static void set_rate(Thinning *x, int32_t event, double rate, double time)
{
    ThinnedEvent *e = &x->event[event];
    if (rate == e->rate)
        return;
    const int32_t before = e->strips, strips = strips_below(x, rate);
    if (!mem_grow(e->strip, e->cap, (size_t)strips)) {
        x->choices->no_memory = true;
        return;
    }
    while (e->made < strips)
        e->strip[e->made++].window = -1;
    for (int32_t k = before; k < strips; k++)
        join(x, e, k, time);
    const double low = strips > 0 ? x->unit : rate;
    if (low != e->low)
        e->within = after_below(x, e, time, low);
    e->low = low;
    e->rate = rate;
    e->strips = strips;
    renew(x, e);
}

/* The event's first point is not to come any more. */
static void pass(Thinning *x, ThinnedEvent *e)
{
    if (e->first == BELOW_STRIPS)
        e->within = after_below(x, e, e->within, e->low);
    else
        next_point(x, e, e->first);
    renew(x, e);
}

void thinning_look(Thinning *x, double time, bool all)
{
    const Choices *c = x->choices;
    for (size_t i = 0; i < c->changed_count && !all; i++)
        set_rate(x, c->changed[i], choices_rate(c, c->changed[i]), time);
    for (int32_t e = 0; e < c->system->event_count && all; e++)
        set_rate(x, e, choices_rate(c, e), time);
}

double thinning_next(Thinning *x, double end)
{
    const int32_t events = x->choices->system->event_count;
    while (x->first[1] < end) {
        int32_t node = 1;
        while (node < events) {
            node *= 2;
            node += x->first[node + 1] < x->first[node];
        }
        ThinnedEvent *e = &x->event[x->chosen = node - events];
        if (e->first == BELOW_STRIPS || e->strip[e->first].level < e->rate)
            return x->first[1];
        pass(x, e);
    }
    return HUGE_VAL;
}

/* The stream of the event's first point; the lower half of a word is for what the stream draws. */
static void start_pick(Thinning *x, ThinnedEvent *e)
{
    const uint64_t key[2] = {x->seed, PICKS};
    const Strip *s = e->first == BELOW_STRIPS ? NULL : &e->strip[e->first];
    const bool common = s && s->window < WINDOWS;
    const uint64_t counter[STREAM_WORDS] = {common ? s->index << 32 : 0,
                                            common ? (uint64_t)s->window : e->drawn++, x->number,
                                            name_of(x, e,
                                                    common ? (uint64_t)e->first : below_strips)};
    stream_start_at(&x->pick, key, counter);
}

int32_t thinning_take(Thinning *x)
{
    ThinnedEvent *e = &x->event[x->chosen];
    start_pick(x, e);
    pass(x, e);
    return x->chosen;
}

/* ---- life ------------------------------------------------------------------------------------- */

PepaStatus thinning_new(Thinning *out, Choices *choices, double unit, PepaError *err)
{
    const size_t events = (size_t)choices->system->event_count;
    *out = (Thinning){.choices = choices, .unit = unit};
    return mem_new_zeroed(out->event, events) && mem_new(out->first, 2 * events + 2)
               ? PEPA_OK
               : error_memory(err);
}

void thinning_free(Thinning *x)
{
    for (int32_t e = 0; x->event && e < x->choices->system->event_count; e++)
        mem_free(x->event[e].strip);
    mem_free_all(x->event, x->first);
    *x = (Thinning){0};
}

void thinning_start(Thinning *x, uint64_t seed, uint64_t number)
{
    const int32_t events = x->choices->system->event_count;
    x->seed = seed;
    x->number = number;
    for (int32_t i = 0; i < 2 * events + 2; i++)
        x->first[i] = HUGE_VAL;
    for (int32_t i = 0; i < events; i++) {
        ThinnedEvent *e = &x->event[i];
        for (int32_t k = 0; k < e->made; k++)
            e->strip[k].window = -1;
        *e = (ThinnedEvent){.within = HUGE_VAL, .strip = e->strip, .made = e->made, .cap = e->cap};
    }
    stream_start_at(&x->pick, (uint64_t[]){seed, PICKS}, (uint64_t[]){0, 0, number, UINT64_MAX});
}

void thinning_durations(Stream *out, uint64_t seed, uint64_t number, uint64_t which)
{
    stream_start_at(out, (uint64_t[]){seed, DURATIONS}, (uint64_t[]){0, 0, number, which});
}
