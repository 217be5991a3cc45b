/* Contexts: what the lower slots can do with what the upper slots offer.
 *
 * A context is an event together with the moves that its units offer in some upper state, as rates
 * and numbers, without where they lead.  Its answer in a lower state: the moves of the event, each
 * with its rate, the lower state that it leads to, and a tag that tells which move of each unit
 * takes part.  Answers are computed when they are first needed, so that only rates that occur are
 * computed; and once for all lower states that agree in the slots that the event looks at.  Lower states are
 * numbered as digits are, so that a move leads as far from each of these: it keeps a jump, not a target. */
#ifndef PEPA_CTMC_DIAGRAM_CONTEXT_H
#define PEPA_CTMC_DIAGRAM_CONTEXT_H

#include "base/bits.h"
#include "base/memo.h"
#include "ctmc/diagram/split.h"

/* From lower state i to i + jump. */
typedef struct {
    int32_t tag, jump, term;
} Answer;

/* answers[first .. first + count) of the pool; first -1: not computed yet. */
typedef struct {
    int32_t first, count;
} AnswerRange;

/* Lower states that agree in some slots. */
typedef struct {
    uint16_t *of; /* per lower state: its class */
    int32_t count;
} LowerClasses;

typedef struct {
    int32_t event;
    int32_t unit_count;
    Substitute *offer; /* per unit: its moves; the word after the state's is their part of a tag */
    uint32_t *shift;   /* per unit: where its part of a tag begins */
    const uint16_t *class_of; /* per lower state */
    AnswerRange *rows;        /* per class */
    uint64_t *asked;          /* bits, per lower state: whether its answer was asked for */
    uint64_t *tags;           /* the tags met, in order */
    int32_t tag_count;
    size_t tag_cap;
} Context;

typedef struct {
    Split *split;
    Moves moves;                 /* with one word more than the system's, for tags */
    const Substitute **offered;  /* per program: what units offer, while an answer is computed */
    const Substitute **possible; /* per program: lower ones may be ready; of others cells tell */
    Arena arena;
    Context *contexts;
    int32_t count;
    size_t cap;
    Answer *answers;
    size_t answer_count, answer_cap;
    int64_t asked;         /* for how many lower states answers were, of all contexts: the work that
                            * tuning.h gives a search up by, whoever shares an answer */
    int64_t rows;          /* of all contexts */
    Lists looked;          /* the lower slots that events look at */
    LowerClasses *classes; /* per such list */
    size_t classes_cap;
    Lists signatures;   /* of all contexts */
    int32_t *signature; /* scratch: the one being built */
    size_t signature_cap;
    uint64_t *word; /* scratch: moves.words */
    int32_t *cells; /* those of lower state `loaded`, for which answers are computed in a row */
    int32_t loaded; /* -1: none */
    bool unfit;     /* some event cannot be treated in this way: see contexts_of */
} Contexts;

PepaStatus contexts_init(Contexts *contexts, Split *split, RateTable *rates, PepaError *err);
void contexts_free(Contexts *contexts);
/* In use, not reserved. */
double contexts_bytes(const Contexts *contexts);

/* What an upper state offers to one event; starts as {0}. */
typedef struct {
    int32_t context; /* -1: the event is not possible whatever the lower state is */
    uint64_t *delta; /* the moves of all units, unit after unit: what they add to packed states */
    int32_t *start;  /* per unit: its first move */
    size_t delta_cap, start_cap;
} UpperOffer;
void upper_offer_free(UpperOffer *offer);

/* The context of an event in the upper state whose cells are in contexts->moves.cells.
 * Afterwards the caller looks at contexts->unfit (active and passive rates meet, or more moves than
 * a tag can tell apart), moves.no_memory and the rate table's status.  False: memory is out. */
bool contexts_of(Contexts *contexts, int32_t event, UpperOffer *out);

/* The context of an event that looks at lower slots only: -1 when memory is out. */
int32_t contexts_lower(Contexts *contexts, int32_t event);

/* The answer of a context in a lower state.  As contexts_of; an activity that means nothing here is
 * unfit, too.  Valid until the next call. */
AnswerRange contexts_compute(Contexts *contexts, int32_t context, int32_t lower);
static inline AnswerRange contexts_answer(Contexts *contexts, int32_t context, int32_t lower)
{
    const Context *c = &contexts->contexts[context];
    return bits_has(c->asked, lower) ? c->rows[c->class_of[lower]]
                                     : contexts_compute(contexts, context, lower);
}

/* Turn an upper state into what a tag leads to. */
void upper_offer_apply(const Contexts *contexts, const UpperOffer *offer, uint64_t tag,
                       uint64_t *packed);

#endif
