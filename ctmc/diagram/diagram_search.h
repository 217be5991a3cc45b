/* The search for reachable sets; private to ctmc/diagram. */
#ifndef PEPA_CTMC_DIAGRAM_DIAGRAM_SEARCH_H
#define PEPA_CTMC_DIAGRAM_DIAGRAM_SEARCH_H

#include "ctmc/diagram/diagram.h"

/* The image of a set under a context, one set per tag: images[first .. first + count). */
typedef struct {
    int32_t tag, set;
} Image;

typedef struct {
    int32_t first, count;
} ImageRange;

typedef struct {
    Split *split;
    Contexts contexts;
    const PepaSettings *settings;
    PepaError *err;
    size_t set_words;
    Table sets;      /* bits over the lower states; set 0 is empty */
    int32_t *size;   /* per set */
    int32_t *closed; /* per set: closed under the events of the lower part; -1: not known */
    size_t size_cap, closed_cap;
    Memo unions, images_of;
    Image *images;
    ImageRange *ranges;
    size_t image_count, image_cap, range_count, range_cap;
    Table upper;
    int32_t *set; /* per upper state */
    size_t set_cap;
    int32_t *stack; /* upper states whose set has grown since they were visited */
    uint8_t *queued; /* per upper state: it is on the stack */
    size_t stack_cap, queued_cap, stack_count;
    int32_t *lower_context; /* the contexts of events of the lower part only */
    int32_t lower_contexts;
    int32_t *step; /* per lower state: where `steps` has the number of lower states that these
                    * events lead to, and then these; -1: not known */
    int32_t *steps;
    size_t step_count, step_cap;
    UpperOffer offered;
    uint64_t *bits, *target, *fresh_bits; /* scratch */
    int64_t states, work, visits;
    double patience; /* work after which the search is abandoned ... */
    double worth;    /* ... if it exceeds so much per state found */
    bool out_of_budget;    /* unfit: the memory budget is too small */
} Search;

PepaStatus search_init(Search *search, Split *split, RateTable *rates, const PepaSettings *set,
                       PepaError *err);
void search_free(Search *search);
/* The initial state, packed into search->target; returns its lower state, or -1: memory is out. */
int32_t search_initial(Search *search);
/* All upper states with their sets.  Afterwards the caller looks at search_unfit. */
PepaStatus search_run(Search *search);
/* Whether the search is abandoned: what has been found may then be incomplete. */
bool search_unfit(Search *search);
/* Whether `more` bytes more are within the memory budget; if not, the search is unfit. */
bool search_within_budget(Search *search, double more);
/* Load an upper state into the cells of the contexts' moves. */
void search_load(Search *search, const uint64_t *packed);
/* The moves of an event of the upper part in the state loaded. */
void search_upper(Search *search, const Event *event);
/* Where move i of those leads. */
void search_upper_target(Search *search, const uint64_t *packed, size_t i, uint64_t *target);
/* Where a tag leads from the upper state whose offer is in search->offered. */
void search_tag_target(Search *search, const uint64_t *packed, uint64_t tag, uint64_t *target);
/* Sets by their numbers, -1 when memory is out: the set in `bits`; a union; a closure under the
 * events of the lower part; an image under a context, as an entry of ranges. */
int32_t search_put_set(Search *search, const uint64_t *bits);
int32_t search_join(Search *search, int32_t a, int32_t b);
int32_t search_close(Search *search, int32_t set);
int32_t search_image(Search *search, int32_t set, int32_t context);

/* Number the upper states, and make edges and submatrices; not all if search_unfit. */
PepaStatus diagram_build(Diagram *out, Search *search);

#endif
