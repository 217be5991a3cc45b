/* The semantics by chance: which activity happens next in a state, drawn with the probability that
 * the rules of cooperation give it.
 *
 * It is an instance of the traversal (traverse.h) with numbers for rates, taken apart: the apparent
 * rate of every program is kept, and when a component moves, only those of the programs that see
 * its two local states are computed again.  An activity is drawn from the root of an event
 * downwards.  A sum picks the operand that moves by its share of the apparent rate.  A
 * synchronisation draws a move in each of its operands, independently: the rule's rate of a pair is
 * min(ra, rb) x r1/ra x r2/rb, a product of shares.  So no list of pairs is ever made, and the cost
 * of an activity depends on how deep and how wide the programs are (sums: on the logarithm of their
 * width), but not on numbers of copies.
 *
 * In a vanishing state, one in which immediate activities are possible, these are drawn, by their
 * weights, and take no time; of activities with several priorities, those with the largest.
 * The plan is read only: threads share it, and each has choices of its own. */
#ifndef PEPA_CTMC_SEMANTICS_CHOICES_H
#define PEPA_CTMC_SEMANTICS_CHOICES_H

#include "base/stream.h"
#include "ctmc/semantics/number.h"
#include "ctmc/system/system.h"

/* What a slot of copies that move one by one can do for an action in one local state. */
typedef struct {
    int32_t local, cell;
    Number apparent; /* of one copy; NUMBER_NONE: it depends on the state */
} ChoiceAble;

/* A slot of one component: its cell, and where the rates of its local states begin; -1: they are
 * looked up (MOST_SINGLES). */
typedef struct {
    int32_t cell, row;
} ChoiceSingle;

/* So many components came to a local state of a slot, or left it. */
typedef struct {
    int32_t slot, local;
    int64_t by;
} ChoiceChange;

/* An event that always moves the same components between the same local states, in a model without
 * functional rates: its changes, and the programs that see them, each once. */
typedef struct {
    int32_t change, change_end, leaf, leaf_end;
    bool always; /* it does */
} ChoiceFixed;

/* What is known of the programs before there is a state.  Arrays are per program unless said. */
typedef struct {
    const System *system;
    const RateTable *rates;
    int32_t *parent;   /* whose operand it is; -1: a root */
    int32_t *place;    /* among the operands of its parent */
    int32_t *width;    /* how many operands it has */
    int32_t *operand;  /* operand[first[i] + k]: operand k of program i */
    int32_t *first;    /* also half of where its tree of sums begins */
    int32_t *event;    /* of which it is the root; -1: none with a label */
    int32_t *suspect;  /* the event without a label that it is; -1: none */
    uint8_t *noted;    /* NOTED_SUSPECT: it is one; NOTED_WATCHED: Choices.turned tells of it */
    Number *single;    /* of slots of one component: its apparent rate in each local state */
    ChoiceSingle *at;  /* per program */
    int32_t *able_row; /* prog_count + 1 */
    ChoiceAble *able;  /* of slots of copies */
    uint8_t *shape;    /* of slots: how their apparent rates are found */
    /* Programs that look at action k of slot s: leaf[leaf_row[x] .. leaf_row[x + 1]),
     * x = slot_action[s] + k. */
    int32_t *slot_action, *leaf_row, *leaf;
    ChoiceFixed *fixed; /* per event: rows of fixed_change and fixed_leaf */
    ChoiceChange *fixed_change;
    int32_t *fixed_leaf;
    int32_t *by_state; /* the programs of slots with functional rates */
    int32_t by_state_count;
    uint8_t
        *is_counted; /* per local state of the model: functional rates count it, or that of which it
                          * is a phase */
    uint8_t *is_tau; /* of tau, which never cooperates; NULL if the model never preempts */
} ChoicePlan;

/* A slot of one component; of copies whose rates add up, and do not depend on the state; any other. */
enum { SHAPE_SINGLE, SHAPE_ALIKE, SHAPE_ANY };
enum { NUMBER_BY_STATE = NUMBER_MIXED + 1 }; /* the sort of what depends on the state */
enum { NOTED_SUSPECT = 1, NOTED_WATCHED = 2 };

/* system, rates: borrowed.  Errors: PEPA_ENOMEM. */
PepaStatus choice_plan_new(ChoicePlan **out, const System *system, const RateTable *rates,
                           PepaError *err);
void choice_plan_free(ChoicePlan *plan);
/* What the only component of a program's slot does for its action in a local state; of the sort
 * NUMBER_BY_STATE where this depends on the state. */
Number choice_plan_single(const ChoicePlan *plan, int32_t prog, int32_t local);
/* Finds the events that always do the same; choice_plan_new does.  False: memory is out. */
bool choice_plan_fix(ChoicePlan *plan);
/* Let choices tell when a program becomes able to move, or unable; before any are made. */
void choice_plan_watch(ChoicePlan *plan, int32_t prog);

typedef struct {
    const ChoicePlan *plan;
    const System *system;
    const RateTable *rates;
    int64_t *cells;  /* of the state, as system_initial has them; counts are of 64 bits */
    int64_t *counts; /* model->local_count, if there are functional rates: those of phases are 0 */
    Number *value;   /* per program: its apparent rate */
    Number *sums;    /* of the operands of each sum: a tree, as rate_sums is */
    /* Partial sums of the events' rates: node i is the sum of 2 i and 2 i + 1; event e is node
     * event_count + e; node 1 is the rate out of the state. */
    double *rate_sums;
    /* If some activities come before others: the largest precedence below each node, whose sum is
     * then only of what has this precedence; 0 where nothing is possible.  Else NULL. */
    int32_t *precedence;
    bool unrated;    /* the last activity was immediate, or completed by choices_complete */
    uint8_t *faulty; /* per event: active and passive rates meet, or nothing drives a passive one */
    int32_t faults;  /* how many of them are */
    bool bad_rate;   /* a functional rate was not finite and >= 0 */
    /* What the last activity did: to counts of components, and which events have another rate.
     * No place and no event is there twice. */
    const ChoiceChange *changes;
    int32_t *changed;
    uint8_t *is_changed; /* per event */
    size_t change_count, changed_count;
    ChoiceChange *drawn; /* where changes are, unless they are the plan's */
    size_t drawn_cap;
    /* Which of the programs that are watched may have turned able or unable, since turned_count was set
     * to 0: as they came, maybe twice. */
    int32_t *turned;
    size_t turned_count, turned_cap;
    /* Per event: how many kinds of activities with durations of their own are under way; else NULL. */
    int32_t *under_way;
    int32_t under_way_count;
    /* Scratch of the traversal, for slots whose copies move together and functional rates. */
    Number *rate;
    uint64_t *delta;
    size_t words, count, cap;
    bool no_memory;
} Choices; /* starts as {0} */

/* In the initial state. */
PepaStatus choices_new(Choices *out, const ChoicePlan *plan, PepaError *err);
void choices_free(Choices *choices);
/* To the initial state again, or to that of `cells`. */
void choices_reset(Choices *choices);
void choices_go(Choices *choices, const int64_t *cells);

/* The sum of the rates of all activities, in a vanishing state of weights: 0 in a deadlock. */
static inline double choices_total(const Choices *c)
{
    return c->rate_sums[1];
}
/* That of an event: 0 if it cannot happen. */
static inline double choices_rate(const Choices *c, int32_t event)
{
    const int32_t node = c->system->event_count + event;
    return c->precedence && c->precedence[node] < c->precedence[1] ? 0 : c->rate_sums[node];
}
/* The largest precedence of what is possible; 0 if the model never preempts. */
static inline int32_t choices_precedence(const Choices *c)
{
    return c->precedence ? c->precedence[1] : 0;
}
/* No time passes in this state. */
static inline bool choices_is_vanishing(const Choices *c)
{
    return precedence_is_immediate(choices_precedence(c));
}
/* Whether an event can happen, also by an activity with a duration of its own; and whether none can. */
static inline bool choices_can(const Choices *c, int32_t event)
{
    return choices_rate(c, event) > 0 || (c->under_way && c->under_way[event] > 0);
}
static inline bool choices_is_over(const Choices *c)
{
    return !(choices_total(c) > 0) && c->under_way_count == 0;
}
/* The state is an error of the model, or memory is out: nothing may be drawn in it. */
static inline bool choices_stuck(const Choices *c)
{
    return c->faults > 0 || c->bad_rate || c->no_memory;
}

/* Draws an activity of a state with a total rate > 0, and moves there.  Returns its event.
 * O(depth + log of widths + operands of synchronisations + local states that are able). */
int32_t choices_take(Choices *choices, Stream *stream);
/* The same of an activity of this event, which has a rate > 0. */
void choices_take_event(Choices *choices, Stream *stream, int32_t event);

/* An activity of the program of a slot is completed, whose time is not the choices': a component of the
 * slot moves, and with it partners, by chance, where it cooperates.  Returns the event. */
int32_t choices_complete(Choices *choices, Stream *stream, int32_t prog, int32_t from, int32_t to);

/* The components that enter the marked local states per unit of time in this state, by activities
 * of one event: rate x the mean number of those that come from others.  Not in models that preempt.
 *   marked  per slot, where its local states begin in `in`; -1: none of them
 *   in      per local state of those slots: non-zero, marked
 * O(programs of the event + their moves). */
double choices_inflow(Choices *choices, int32_t event, const int32_t *marked, const uint8_t *in);

/* The packed words of the state, copies in their canonical order.  False: memory is out. */
bool choices_pack(const Choices *choices, uint64_t *packed);

#endif
