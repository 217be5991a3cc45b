#include "grid/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The range of amoget.h's setters. */
static const double least_number = 1e-30, most_number = 1e30;

double number_in_range(double value)
{
    return value >= most_number ? most_number : value >= least_number ? value : least_number;
}

static PepaStatus no_memory(PepaError *err)
{
    if (err) {
        *err = (PepaError){.code = PEPA_ENOMEM};
        (void)snprintf(err->message, sizeof err->message, "out of memory");
    }
    return PEPA_ENOMEM;
}

/* A mapping, and room for its durations. */
typedef struct {
    int32_t stages, *mapping;
    double *seconds;
} Trial;

static bool trial_new(Trial *trial, const AmogetDescription *desc)
{
    size_t stages = (size_t)amoget_stage_count(desc);
    trial->stages = (int32_t)stages;
    trial->mapping = malloc((stages + 1) * sizeof *trial->mapping);
    trial->seconds = malloc((size_t)amoget_activity_count(desc) * sizeof *trial->seconds);
    return trial->mapping && trial->seconds;
}

static void trial_free(Trial *trial)
{
    free(trial->mapping);
    free(trial->seconds);
}

/* Durations with `first` stages on a and the others on b. */
static PepaStatus try(Trial *trial, const AmogetDescription *desc, int32_t a, int32_t first,
                      int32_t b, PepaError *err)
{
    for (int32_t i = 0; i < trial->stages; i++)
        trial->mapping[i] = i < first ? a : b;
    return amoget_durations(desc, trial->mapping, trial->seconds, err);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* People write short numbers: what has lost its last digits to arithmetic gets them back. */
static double tidy(double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL);
}

typedef struct {
    double time, availability;
    int32_t cores;
} Machine;

static void put_back(AmogetDescription *desc, int32_t process, const Machine *machine)
{
    (void)amoget_set_time(desc, process, number_in_range(machine->time), NULL);
    (void)amoget_set_availability(desc, process, fmin(number_in_range(machine->availability), 1),
                                  NULL);
    (void)amoget_set_cores(desc, process, machine->cores, NULL);
}

/* The first stage's duration when all stages are on the process, which is known to have one. */
static double first_stage(Trial *trial, const AmogetDescription *desc, int32_t process)
{
    (void)try(trial, desc, process, 0, process, NULL);
    return trial->seconds[1];
}

PepaStatus numbers_of_process(AmogetDescription *desc, int32_t process, double *time,
                              double *availability, double *works, PepaError *err)
{
    Trial trial;
    PepaStatus status = trial_new(&trial, desc) ? PEPA_OK : no_memory(err);
    if (status == PEPA_OK)
        status = try(&trial, desc, process, 0, process, err);
    if (status != PEPA_OK)
        goto done;
    AmogetSharing sharing = amoget_sharing(desc);
    (void)amoget_set_sharing(desc, AMOGET_STATIC, NULL); /* for then durations tell of cores */
    double given = first_stage(&trial, desc, process);
    (void)amoget_set_cores(desc, process, trial.stages, NULL);
    double alone = first_stage(&trial, desc, process);
    (void)amoget_set_availability(desc, process, 1, NULL);
    double free_time = first_stage(&trial, desc, process);
    (void)amoget_set_time(desc, process, 1, NULL);
    double work = first_stage(&trial, desc, process);
    for (int32_t i = 0; i < trial.stages; i++)
        works[i] = trial.seconds[2 * i + 1];
    Machine raw = {free_time / work, free_time / alone,
                   (int32_t)lround(trial.stages * alone / given)};
    Machine neat = {tidy(raw.time), tidy(raw.availability), raw.cores};
    put_back(desc, process, &neat);
    if (first_stage(&trial, desc, process) != given) {
        put_back(desc, process, &raw);
        neat = raw;
    }
    (void)amoget_set_sharing(desc, sharing, NULL);
    *time = neat.time;
    *availability = neat.availability;
done:
    trial_free(&trial);
    return status;
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* A move that may be between the two: as given, with no size that matters, with nothing but size.
 */
typedef struct {
    double given, latency, size;
} Move;

/* Every move that may be between a and b, with k stages on a and the others on b: of every k move
 * k, and when all are on one of the two, the first and the last move, for an end may be the other.
 */
static PepaStatus read_moves(Trial *trial, const AmogetDescription *desc, int32_t a, int32_t b,
                             double *column, PepaError *err)
{
    int32_t last = trial->stages;
    for (int32_t k = 0; k <= last; k++) {
        PepaStatus status = try(trial, desc, a, k, b, err);
        if (status != PEPA_OK)
            return status;
        *column++ = trial->seconds[2 * k];
        if (k == 0 || k == last)
            *column++ = trial->seconds[2 * (last - k)];
    }
    return PEPA_OK;
}

static void set_pair(AmogetDescription *desc, int32_t a, int32_t b, double latency,
                     double bandwidth)
{
    (void)amoget_set_latency(desc, a, b, number_in_range(latency), NULL);
    (void)amoget_set_bandwidth(desc, a, b, number_in_range(bandwidth), NULL);
}

static bool is_between(Move move)
{
    return move.given != move.latency || move.latency != move.size;
}

static PepaStatus not_between(PepaError *err)
{
    if (err) {
        *err = (PepaError){.code = PEPA_EARG};
        (void)snprintf(err->message, sizeof err->message, "no item can move between the two");
    }
    return PEPA_EARG;
}

/* From columns given, latency, size; the largest size tells the bandwidth best. */
static PepaStatus solve_pair(const double *columns, int32_t moves, double *latency,
                             double *bandwidth, PepaError *err)
{
    Move best = {0};
    bool found = false;
    for (int32_t k = 0; k < moves; k++) {
        Move move = {columns[k], columns[moves + k], columns[2 * moves + k]};
        if (is_between(move) && (!found || move.size > best.size)) {
            best = move;
            found = true;
        }
    }
    if (!found)
        return not_between(err);
    const double rounding = 1e-14;
    double in_transfer = best.given - best.latency;
    *latency = best.latency;
    *bandwidth = in_transfer > rounding * best.given ? tidy(best.size / in_transfer) : INFINITY;
    return PEPA_OK;
}

PepaStatus numbers_of_pair(AmogetDescription *desc, int32_t a, int32_t b, double *latency,
                           double *bandwidth, PepaError *err)
{
    Trial trial;
    int32_t moves = amoget_stage_count(desc) + 3;
    double *columns = malloc(3 * (size_t)moves * sizeof *columns), l = 0, w = INFINITY;
    PepaStatus status = trial_new(&trial, desc) && columns ? PEPA_OK : no_memory(err);
    if (status == PEPA_OK)
        status = read_moves(&trial, desc, a, b, columns, err);
    if (status != PEPA_OK)
        goto done;
    (void)amoget_set_bandwidth(desc, a, b, most_number, NULL);
    (void)read_moves(&trial, desc, a, b, columns + moves, NULL);
    set_pair(desc, a, b, least_number, 1);
    (void)read_moves(&trial, desc, a, b, columns + 2 * moves, NULL);
    status = solve_pair(columns, moves, &l, &w, err);
    if (status != PEPA_OK)
        goto done;
    set_pair(desc, a, b, l, w);
    *latency = l;
    *bandwidth = w;
done:
    free(columns);
    trial_free(&trial);
    return status;
}
