/* Activities whose durations are not exponential: a generalised semi-Markov process.
 *
 * Such an activity belongs to one component, and has a clock there.  The clock is set when the activity
 * becomes possible, to the time at which it will have lasted as long as its duration is drawn; the
 * activity is completed then.  Where it is not possible any more, or its component is in another local state,
 * the clock is lost (enabling memory).  Partners of a cooperation are passive, and only have to be there.
 * What happens without time passing stops no clock, unless the component itself moves.
 *
 * Copies of a component have a clock each, but no names: those in one local state are a heap of clocks,
 * and which of them moves by an exponential activity is drawn, as they are all alike to it.
 * The cost of an activity is O(log of copies + log of local states with clocks), and for an activity that
 * becomes possible or impossible, O(copies).
 * Source: Glynn, A GSMP formalism for discrete event systems, Proceedings of the IEEE 77 (1989). */
#ifndef PEPA_CTMC_SIMULATE_CLOCKS_H
#define PEPA_CTMC_SIMULATE_CLOCKS_H

#include "ctmc/semantics/choices.h"
#include "ctmc/system/durations.h"

/* An activity of a local state of a slot. */
typedef struct {
    int32_t prog, event; /* of the slot and its action; and the root's */
    int32_t target;
    int32_t gate, gate_end; /* the programs that have to be able to move with it */
    Duration duration;
} ClockActivity;

/* A local state of a slot that has such activities. */
typedef struct {
    int32_t slot, local;
    int32_t first, end; /* its activities */
    int32_t whole; /* the local state of the model of which it is a phase: clocks go on in others */
} ClockPlace;

/* Read only once it is made. */
typedef struct {
    const System *system;
    ClockPlace *place;
    ClockActivity *activity;
    int32_t *gate; /* programs */
    int32_t *slot; /* per slot: where its local states begin in place_of */
    int32_t *place_of;
    int32_t *row, *waiting; /* per program: the places with activities of which it is a gate */
    size_t place_count, place_cap, activity_count, activity_cap, gate_count, gate_cap;
} ClockPlan;

/* Of the system of the plan for choices, in which gates are watched.  *out remains NULL if no activity has
 * a duration.  values: of the model's rates.  Errors: PEPA_EMODEL (diags: partners that are not passive,
 * copies that cooperate), PEPA_ENOMEM. */
PepaStatus clock_plan_new(ClockPlan **out, ChoicePlan *choices, const Value *values,
                          DiagList *diags, PepaError *err);
void clock_plan_free(ClockPlan *plan);

/* The clocks of the copies in one place: a heap by the earliest of each copy's clocks, which are side by
 * side.  HUGE_VAL: it is not set. */
typedef struct {
    double *clock;
    int64_t count;
    size_t cap; /* copies */
} ClockHeap;

typedef struct {
    const ClockPlan *plan;
    Choices *choices;
    ClockHeap *heap; /* per place */
    double
        *first; /* a tree: node i has the earliest of 2 i and 2 i + 1; place p is place_count + p */
    uint8_t *possible;  /* per activity, in the last tangible state */
    uint8_t *under_way; /* per activity: possible, and some component is there */
    double *spare;      /* the clocks of a copy that moves */
    Stream *own;        /* per activity: of its durations; NULL: those of the trajectory */
    bool begun;         /* there was a tangible state */
} Clocks;               /* starts as {0} */

/* plan, choices: borrowed.  Errors: PEPA_ENOMEM. */
PepaStatus clocks_new(Clocks *out, const ClockPlan *plan, Choices *choices, PepaError *err);
void clocks_free(Clocks *clocks);

/* The choices have been reset: all clocks are set at this time if the state is tangible.  Where memory is
 * out, here and below, choices->no_memory is set. */
void clocks_start(Clocks *clocks, Stream *stream, double time);
/* When the next activity with a clock is completed; HUGE_VAL: none is under way. */
static inline double clocks_next(const Clocks *clocks)
{
    return clocks->first[1];
}
/* At this time the first activity with a clock is completed.  Returns its event. */
int32_t clocks_complete(Clocks *clocks, Stream *stream, double time);
/* At this time one of the choices was taken. */
void clocks_follow(Clocks *clocks, Stream *stream, double time);

#endif
