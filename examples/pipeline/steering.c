/* The controller of a run: the rescheduler, random moves, or none; and the files that it writes. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "images.h"

void print_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping)
{
    for (int32_t i = 0; i < IMAGE_STAGES; i++)
        (void)fprintf(to, "%c%s", i > 0 ? ',' : '(',
                      amoget_processor_name(amoget_machine(desc), mapping[i]));
    (void)fputc(')', to);
}

static void observe(void *user, const GridSample *samples, size_t count)
{
    Steering *s = user;
    grid_monitor_observe(s->setup->monitor, samples, count);
}

/* xorshift64* (Vigna, ACM Transactions on Mathematical Software 42, 2016) */
static void wander(Steering *s, int32_t *mapping)
{
    for (int32_t i = 0; i < IMAGE_STAGES; i++) {
        s->random ^= s->random >> 12;
        s->random ^= s->random << 25;
        s->random ^= s->random >> 27;
        uint64_t number = (s->random * UINT64_C(0x2545F4914F6CDD1D)) >> 33;
        mapping[i] = (int32_t)(number % (uint64_t)s->processes);
    }
}

static int decide(void *user, double time, int64_t done, int32_t *mapping)
{
    Steering *s = user;
    int answer = 0;
    Moment moment = {.time = time, .done = done};
    memcpy(moment.mapping, mapping, sizeof moment.mapping);
    if (s->options->random_moves) {
        wander(s, mapping);
        answer = 1;
    } else if (!s->options->fixed) {
        answer = s->inner.decide(s->inner.user, time, done, mapping);
        moment.predicted = grid_rescheduler_report(s->setup->rescheduler).predicted;
    }
    if (s->setup->measurements) {
        if (s->options->fixed || s->options->random_moves)
            (void)grid_monitor_update(s->setup->monitor, time, NULL);
        (void)grid_monitor_write(s->setup->monitor, s->epoch, s->setup->measurements);
        (void)fflush(s->setup->measurements);
    }
    s->decisions++;
    return grid_put(&s->moments, &moment, sizeof moment) ? -1 : answer;
}

static void moved(void *user, double time, const int32_t *mapping, double seconds)
{
    Steering *s = user;
    if (!s->options->random_moves && !s->options->fixed)
        s->inner.moved(s->inner.user, time, mapping, seconds);
}

GridController steering_controller(Steering *s)
{
    if (s->setup->rescheduler)
        s->inner = grid_rescheduler_controller(s->setup->rescheduler, s->options->period);
    /* any odd number: the state must not be 0 */
    s->random = 2 * s->options->seed + 1;
    return (GridController){.period = s->options->period,
                            .observe = observe,
                            .decide = decide,
                            .moved = moved,
                            .user = s};
}

static void write_moment(const Steering *s, FILE *to, const Moment *last, const Moment *moment)
{
    double seconds = moment->time - last->time;
    if (seconds <= 0)
        return;
    (void)fprintf(to, "%.3f %.4g %.4g %" PRId64 " ", moment->time,
                  (double)(moment->done - last->done) / seconds, moment->predicted, moment->done);
    print_mapping(to, s->setup->desc, moment->mapping);
    (void)fputc('\n', to);
}

/* Items after the last decision are left out: decisions get counts with a delay, so the last
 * interval would seem to have too many. */
static void write_moments(const Steering *s, FILE *to, const GridReport *report)
{
    Moment last = {0}, moment = {.time = report->seconds, .done = report->items};
    (void)fputs("# seconds items/s predicted items mapping\n", to);
    memcpy(moment.mapping, s->setup->start.mapping, sizeof moment.mapping);
    if (s->moments.size == 0)
        write_moment(s, to, &last, &moment);
    for (size_t at = 0; at < s->moments.size; at += sizeof moment) {
        memcpy(&moment, s->moments.bytes + at, sizeof moment);
        write_moment(s, to, &last, &moment);
        last = moment;
    }
}

int steering_write(const Steering *s, const GridReport *report)
{
    const char *path = s->options->throughput;
    bool standard = strcmp(path, "-") == 0;
    FILE *to = standard ? stdout : fopen(path, "w");
    bool good = to != NULL;
    if (to) {
        write_moments(s, to, report);
        good = !ferror(to);
        if (!standard && fclose(to))
            good = false;
    }
    if (!good)
        complain("%s: %s", path, strerror(errno));
    return good ? EXIT_DONE : EXIT_INPUT;
}
