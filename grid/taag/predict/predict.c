/* From a machine and a program to the times of rounds. */
#include "grid/taag/predict/predict.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/predict/find.h"
#include "grid/taag/predict/model.h"

/* Larger models are not solved: their value is an integral (round.h), in milliseconds. */
#define MOST_STATES 200000

typedef struct {
    Hosts hosts;
    Costs costs;
} Machine;

static PepaStatus machine_make(Machine *m, const AmogetMachine *machine,
                               const AmogetProgram *program, int32_t coefficient, PepaError *err)
{
    *m = (Machine){0};
    if (!(program->work > 0))
        return error_set(err, PEPA_EMODEL,
                         "nothing says how long a round of the program takes: add `work UNITS;` to "
                         "the block `program`, and `data SIZE;` and `exchange SIZE;` for what its "
                         "processes send (<program work=\"...\"> in a file for --program)");
    PepaStatus status = hosts_make(&m->hosts, machine, coefficient, err);
    return status == PEPA_OK ? costs_make(&m->costs, machine, program, &m->hosts, err) : status;
}

static void machine_free(Machine *m)
{
    costs_free(&m->costs);
    hosts_free(&m->hosts);
}

static PepaStatus predict_round(Prediction *out, const Round *round, int32_t phases, PepaError *err)
{
    Prediction p = {.phases = phases, .least = round_least(round)};
    PepaStatus status;
    if (!isnormal(p.least))
        return error_set(err, PEPA_EMODEL,
                         "a round takes %g s: `work` and `time` make no sense "
                         "together",
                         p.least);
    p.solved = round_states(round, phases) <= MOST_STATES;
    status = p.solved ? round_solve(round, phases, NULL, &p.predicted, err)
                      : round_mean(round, phases, &p.predicted, err);
    p.predicted = fmax(p.predicted, p.least); /* round.h: less is rounding */
    if (status == PEPA_OK)
        *out = p;
    return status;
}

/* The shape of a mapping. */
static bool shape_of(Shape *shape, const Schedule *s, const AmogetProgram *program)
{
    int32_t *sizes = NULL;
    bool no_memory = false;
    const bool made =
        mem_new(sizes, s->parts) && division_make(shape, program, s->parts, &no_memory);
    if (made) {
        for (int32_t i = 0; i < s->parts; i++)
            sizes[i] = s->mapping->groups[shape->fixed + i].size;
        division_set(shape, sizes);
    }
    mem_free(sizes);
    return made;
}

static PepaStatus round_of(Round *round, const Machine *m, const Schedule *s,
                           const AmogetProgram *program, PepaError *err)
{
    Shape shape;
    if (!shape_of(&shape, s, program))
        return error_memory(err);
    PepaStatus status = round_fill(round, &m->costs, &shape, s->mapping->host_of, err);
    division_free(&shape);
    return status;
}

PepaStatus predict_mapping(Prediction *out, const Schedule *s, const AmogetMachine *machine,
                           const AmogetProgram *program, int32_t coefficient, const char *about,
                           char **text, PepaError *err)
{
    Machine m;
    Round round = {0};
    PepaStatus status = machine_make(&m, machine, program, coefficient, err);
    if (status == PEPA_OK && !round_make(&round, s->mapping->group_count))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = round_of(&round, &m, s, program, err);
    if (status == PEPA_OK)
        status = predict_round(out, &round, round_phases(program), err);
    if (status == PEPA_OK && text)
        status = round_text(&round, round_phases(program), about, text, err);
    round_free(&round);
    machine_free(&m);
    return status;
}

/* The schedule of what was found. */
static PepaStatus schedule_of(Schedule *out, const Machine *m, const AmogetMachine *machine,
                              const AmogetProgram *program, const Fastest *f, PepaError *err)
{
    Shape shape;
    int32_t *used = NULL, *start = NULL;
    const Placement found = {program, f->parts, f->sizes, f->host_of};
    out->parts = f->parts;
    if (!schedule_mapping(&out->mapping, &m->hosts, machine, &found) ||
        !shape_of(&shape, out, program))
        return error_memory(err);
    const bool made = mem_new(used, program->processes) && mem_new(start, shape.groups + 1);
    if (made)
        out->cost = cost_of(&m->hosts, &shape, f->host_of, used, start);
    mem_free_all(used, start);
    division_free(&shape);
    return made ? PEPA_OK : error_memory(err);
}

/* Offer what a schedule by latencies is. */
static bool offer(Fastest *f, const Schedule *s, const AmogetProgram *program)
{
    Shape shape;
    if (!shape_of(&shape, s, program))
        return false;
    (void)fastest_offer(f, &shape, s->mapping->host_of);
    division_free(&shape);
    return true;
}

/* Offer what latencies alone give, so that no round is longer than theirs: hosts in order, the paper's
 * heuristic, and the search, in a part of the time.  What one of them does not place, it does not. */
static PepaStatus offer_schedules(Fastest *f, const AmogetMachine *machine,
                                  const AmogetProgram *program, const ScheduleSettings *settings,
                                  PepaError *err)
{
    const double seconds = settings->seconds / 8, begin = clock_seconds();
    const ScheduleSettings ways[] = {{.in_order = true},
                                     {.paper = true, .any_partition = true, .seconds = seconds},
                                     {.seconds = seconds}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ScheduleSettings way = ways[i];
        Schedule found;
        PepaError none;
        way.coefficient = settings->coefficient;
        if (schedule_find(&found, machine, program, &way, &none) != PEPA_OK)
            continue;
        const bool ok = offer(f, &found, program);
        schedule_free(&found);
        if (!ok)
            return error_memory(err);
        if (seconds > 0 && clock_seconds() - begin > (double)(i + 1) * seconds)
            break; /* the next one has more to prepare */
    }
    return f->status;
}

static PepaStatus find(Schedule *out, double *bound, const Machine *m, const AmogetMachine *machine,
                       const AmogetProgram *program, const ScheduleSettings *settings,
                       PepaError *err)
{
    const double begin = clock_seconds();
    FindSettings set = {0};
    Fastest fastest;
    PepaStatus status =
        fastest_make(&fastest, &m->costs, program, err) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = offer_schedules(&fastest, machine, program, settings, err);
    if (settings->seconds > 0)
        set.seconds = fmax(settings->seconds - (clock_seconds() - begin), 1e-9);
    if (status == PEPA_OK)
        status = find_fastest(program, &set, &fastest, err);
    if (status == PEPA_OK && fastest.parts == 0)
        status = error_set(err, PEPA_EMODEL, "no placement has a round of finite time");
    if (status == PEPA_OK)
        status = schedule_of(out, m, machine, program, &fastest, err);
    fastest_free(&fastest);
    out->optimal = set.optimal;
    out->nodes = set.nodes;
    *bound = set.bound;
    return status;
}

PepaStatus predict_fastest(Schedule *out, double *bound, const AmogetMachine *machine,
                           const AmogetProgram *program, const ScheduleSettings *settings,
                           PepaError *err)
{
    Machine m;
    Schedule made = {.partitions = division_count(program), .whole = true};
    PepaStatus status = machine_make(&m, machine, program, settings->coefficient, err);
    if (status == PEPA_OK && isnan(made.partitions))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = schedule_room(&m.hosts, program, err);
    if (status == PEPA_OK)
        status = find(&made, bound, &m, machine, program, settings, err);
    machine_free(&m);
    if (status == PEPA_OK)
        *out = made;
    else
        schedule_free(&made);
    return status;
}
