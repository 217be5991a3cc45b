/* Goes through all numbers of groups and all partitions. */
#include "grid/taag/predict/find.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/predict/branch.h"
#include "grid/taag/predict/start.h"

/* Work without a time limit, in processes looked at: for all, and for placements to begin with. */
static const int64_t MOST_WORK = 500000000, START_WORK = 50000000;

typedef struct {
    const AmogetProgram *program;
    Fastest *fastest;
    Branch branch;
    Start start;
    int32_t *even; /* processes: scratch */
    double left;   /* the least bound of what was left out because the work was done; or +inf */
    bool no_memory;
} Find;

/* Offer placements of the partition with the largest groups, and of that with the most even ones. */
static void begin_parts(Find *f, int32_t parts)
{
    Shape shape;
    if (!division_make(&shape, f->program, parts, &f->no_memory))
        return;
    start_offer(&f->start, &shape);
    if (!shape.given) {
        for (int32_t i = 0; i < parts; i++)
            f->even[i] = shape.rest / parts + (i < shape.rest % parts);
        division_set(&shape, f->even);
        start_offer(&f->start, &shape);
    }
    division_free(&shape);
}

static void improve(Find *f)
{
    Shape shape;
    if (f->no_memory || !division_make(&shape, f->program, f->fastest->parts, &f->no_memory))
        return;
    division_set(&shape, f->fastest->sizes);
    start_improve(&f->start, &shape, START_WORK);
    division_free(&shape);
}

static void search_parts(Find *f, int32_t parts)
{
    Shape shape;
    if (!division_make(&shape, f->program, parts, &f->no_memory))
        return;
    const double any =
        f->fastest->late ? branch_least(&f->branch, &shape) : branch_bound(&f->branch, &shape);
    if (!fastest_beats(f->fastest, any)) {
        do
            branch_into(&f->branch, &shape);
        while (!branch_ended(&f->branch) && division_next(&shape));
        if (branch_ended(&f->branch))
            f->left = fmin(f->left, any);
    }
    division_free(&shape);
}

static void search(Find *f)
{
    int32_t first, last, step;
    division_parts(f->program, &first, &last, &step);
    /* many groups are small ones, of few steps */
    for (int32_t parts = last - (last - first) % step; parts >= first && !f->no_memory;
         parts -= step)
        if ((f->fastest->work < START_WORK && !fastest_late(f->fastest)) ||
            isinf(f->fastest->seconds))
            begin_parts(f, parts);
    improve(f);
    for (int32_t parts = first; parts <= last && !f->no_memory; parts += step)
        search_parts(f, parts);
}

PepaStatus find_fastest(const AmogetProgram *program, FindSettings *settings, Fastest *fastest,
                        PepaError *err)
{
    Find f = {.program = program, .fastest = fastest, .left = HUGE_VAL};
    const int32_t n = program->processes;
    f.no_memory = !branch_make(&f.branch, fastest, n) || !start_make(&f.start, fastest, n) ||
                  !mem_new(f.even, n);
    f.branch.limit = settings->seconds > 0 ? INT64_MAX : MOST_WORK;
    fastest->deadline = settings->seconds > 0 ? clock_seconds() + settings->seconds : 0;
    if (!f.no_memory)
        search(&f);
    settings->bound = fmin(f.left, fastest->seconds);
    settings->optimal = fastest_beats(fastest, f.left);
    settings->nodes = f.branch.nodes;
    branch_free(&f.branch);
    start_free(&f.start);
    mem_free(f.even);
    return f.no_memory ? error_memory(err) : fastest->status;
}
