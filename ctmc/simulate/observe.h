/* What is observed of a state while a model is simulated: functions of the counts of components and
 * of the rates of events, and their integrals over time.
 *
 * Only tangible states are observed.  What happens without time passing, or by a clock, has no rate in
 * the state before: it is counted as it happens (observer_follow).  What happens without time passing
 * can be looked for ahead (observer_ahead).  The same is true of components that enter, in models with
 * such activities: by the numbers in one tangible state and in the next, as the chain has it. */
#ifndef PEPA_CTMC_SIMULATE_OBSERVE_H
#define PEPA_CTMC_SIMULATE_OBSERVE_H

#include "ctmc/semantics/choices.h"
#include "ctmc/simulate/clocks.h"
#include "ctmc/state_function.h"

typedef enum {
    OBSERVE_FLOW,   /* a: completions of an action of the model per unit of time */
    OBSERVE_COUNT,  /* components in the places first .. end - 1 */
    OBSERVE_VALUE,  /* a: node of the functions of states */
    OBSERVE_INFLOW, /* components that enter these places per unit of time */
    OBSERVE_LOCAL,  /* a: slot; components in its local state `first` */
    OBSERVE_PRODUCT /* a, first: of those observed, a flow and a number of components; its integral and
                     * its surplus, but no value; not in models that preempt or have durations */
} ObservedKind;

typedef struct {
    ObservedKind kind;
    int32_t a, first, end;
} Observed;

/* What is observed, and by which changes of the state it changes.  Read only once it is made. */
typedef struct {
    const System *system;
    const StateCode *code;
    const Value *rate; /* of the model's rates */
    Observed *observed;
    int32_t count;
    int32_t *place;                 /* per slot: where its local states begin in the rows below */
    int32_t *local_row, *by_local;  /* per local state: what counts it */
    int32_t *event_row, *by_event;  /* per event: flows of its action */
    int32_t *flow_row, *flow;       /* per observed flow: its events */
    int32_t *product_row, *product; /* per observed flow: its products */
    int32_t *always, always_count;  /* what may change with any activity */
    int32_t **marked;               /* of inflows: see choices_inflow; else NULL */
    uint8_t **in;
    uint8_t
        *unrated;   /* per observed: in no state a rate, or only in those at hand, says all of it */
    bool ahead;     /* such values are to be looked for ahead; */
    bool durations; /* but where activities have durations, they have none */
    const ClockPlan *clocks; /* borrowed; NULL: there are no such activities */
} ObservePlan;

/* code, rate: borrowed; observed: copied.  Errors: PEPA_ENOMEM. */
PepaStatus observe_plan_new(ObservePlan **out, const System *system, const StateCode *code,
                            const Value *rate, const Observed *observed, int32_t count,
                            PepaError *err);
void observe_plan_free(ObservePlan *plan);

/* Behind `count` things that are observed, in models of few events, what control variates are made of: the
 * flows of all actions, and products of flows with numbers of components.  observed: has room for
 * OBSERVE_CONTROLS more.  Returns how many there are then. */
enum { OBSERVE_CONTROL_EVENTS = 64, OBSERVE_CONTROL_PRODUCTS = 96 };
enum { OBSERVE_CONTROLS = OBSERVE_CONTROL_EVENTS + 2 * OBSERVE_CONTROL_PRODUCTS };
int32_t observe_add_controls(const System *system, const StateCode *code, Observed *observed,
                             int32_t count);

/* The values of what is observed, kept as the state changes, and their integrals. */
typedef struct {
    const ObservePlan *plan;
    Choices *choices;
    double *value, *integral, *since; /* per observed: the integral until `since` */
    double *completed;                /* per observed flow: how often its action did; per product:
                                       * the sum of the numbers just before */
    double *begun;  /* per product: the integral of the number when the flow began to
                                       * have its value */
    double *node;   /* per node of the functions of states */
    int32_t *stale; /* of the activity at hand */
    uint8_t *is_stale;
    int32_t stale_count;
    /* In models that preempt, or have clocks. */
    int32_t precedence; /* of the state that was looked at last */
    int64_t **more;     /* per inflow and slot: scratch, 0; else NULL */
    int64_t *cells;     /* scratch */
} Observer;             /* starts as {0} */

/* Of the state of `choices`, which are borrowed. */
PepaStatus observer_new(Observer *out, const ObservePlan *plan, Choices *choices, PepaError *err);
void observer_free(Observer *observer);
/* All values anew: after choices_reset and choices_go, or where only some states are looked at. */
void observer_look(Observer *observer);
/* Integrals begin at 0, at this time. */
void observer_start(Observer *observer, double time);
/* The last activity of the choices, of this event, has happened at this time. */
void observer_follow(Observer *observer, int32_t event, double time);
/* After observer_look in a tangible state: what has no rate there, in models with durations, gets the
 * value NaN.  In others, to the values are added the rates of what happens without time passing, estimated by one activity drawn and what follows it: unbiased, but of more variance than
 * the other values.  The state remains as it is, and the stream: what is drawn is what will happen.
 * False: it leads to a state, which remains, that is an error of the model, or to more than `most`
 * immediate activities in a row. */
bool observer_ahead(Observer *observer, Stream stream, int64_t most);
/* The integrals up to now are handed out, and begin at 0 again; and of flows, how many activities
 * there were beyond what the integral says, which is 0 in the mean: the number less its compensator
 * is a martingale.  Of products, the same of the sum of the numbers.  Of others, 0. */
void observer_cut(Observer *observer, double time, double *integral, double *surplus);

#endif
