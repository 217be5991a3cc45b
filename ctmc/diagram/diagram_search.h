/* Sets of states, the search for reachable ones, and the making of a diagram. */
#ifndef PEPA_CTMC_DIAGRAM_DIAGRAM_SEARCH_H
#define PEPA_CTMC_DIAGRAM_DIAGRAM_SEARCH_H

#include <string.h>

#include "base/bits.h"
#include "ctmc/diagram/context.h"
#include "ctmc/diagram/tuning.h"

typedef struct Diagram Diagram; /* diagram.h */
typedef struct Edge Edge;

/* Sets as bits, each stored once and numbered. */
typedef struct {
    Table table;
    int32_t *size;   /* per set: how many bits it has */
    int32_t *closed; /* per set, for the owner: its closure under some relation; -1: not known */
    size_t size_cap, closed_cap;
    Memo unions;
    uint64_t *bits; /* the set in the making */
    int64_t work;   /* words that unions have read, and what the owner adds */
} Sets;
/* Set 0 is that of the first call of sets_put. */
bool sets_init(Sets *sets, size_t words);
void sets_free(Sets *sets);
/* By number, -1 when memory is out: the set in sets->bits; a union, of which set 0 is the neutral
 * element. */
int32_t sets_put(Sets *sets);
int32_t sets_join(Sets *sets, int32_t a, int32_t b);
static inline const uint64_t *sets_bits(const Sets *sets, int32_t set)
{
    return sets->table.state + (size_t)set * sets->table.words;
}
/* Begin with no bits. */
static inline void sets_clear(Sets *sets)
{
    memset(sets->bits, 0, sets->table.words * sizeof *sets->bits);
}

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
    Sets sets; /* of lower states; set 0 is empty; closed under the events of the lower part */
    Memo images_of;
    Image *images;
    ImageRange *ranges;
    size_t image_count, image_cap, range_count, range_cap;
    Table upper;
    int32_t *set; /* per upper state */
    size_t set_cap;
    int32_t *stack;  /* upper states whose set has grown since they were visited */
    uint8_t *queued; /* per upper state: it is on the stack */
    size_t stack_cap, queued_cap, stack_count;
    int32_t *lower_context; /* the contexts of events of the lower part only */
    int32_t lower_contexts;
    int32_t *step; /* per lower state: where `steps` has the number of lower states that these
                    * events lead to, and then these; -1: not known */
    int32_t *steps;
    size_t step_count, step_cap;
    UpperOffer offered;
    uint64_t *target, *fresh_bits; /* scratch */
    int64_t states, visits;
    double patience;    /* work after which the search is abandoned ... */
    int64_t most;       /* states for which a vector fits; see DiagramWorth */
    double worth;       /* ... if it exceeds so much per state found */
    double sharing;     /* and if after many visits fewer states than this are found per visit */
    double upper_room;  /* joint local states of the upper slots */
    bool out_of_budget; /* unfit: the memory budget is too small */
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
/* Work so far, as that of sets, in which answers that were computed count as ANSWER_WORK. */
double search_work(const Search *search);
/* Whether its sets stand for too few states each. */
bool search_alone(const Search *search);
/* Whether `more` bytes more are within the memory budget; if not, the search is unfit. */
bool search_within_budget(Search *search, double more);
/* A move of an event from an upper state and its set; its target is in search->target.
 *   context, tag  of the change of the lower state, or CONTEXT_SAME: it stays, at the rate of
 *                 `term`
 *   set           the lower states that the move reaches with the target */
typedef struct {
    int32_t context, tag, term, set, label;
} SearchMove;
enum { CONTEXT_SAME = -1 };
/* False: memory is out. */
typedef bool SearchTask(void *user, const SearchMove *move);
/* The upper state whose events come next. */
void search_load(Search *search, const uint64_t *packed);
/* All moves of event e of the state loaded, `packed`, unless it looks at lower slots only; not all
 * if search_unfit.  False: memory is out. */
bool search_event(Search *search, const uint64_t *packed, int32_t set, int32_t e, SearchTask *task,
                  void *user);
/* By number, -1 when memory is out: the closure of a set; its image under a context, as an entry of
 * ranges. */
int32_t search_close(Search *search, int32_t set);
int32_t search_image(Search *search, int32_t set, int32_t context);

/* Number the upper states, and make edges and submatrices; not all if search_unfit. */
PepaStatus diagram_build(Diagram *out, Search *search);

/* A diagram in the making: what diagram_build.c and diagram_submatrix.c share. */
typedef struct {
    Diagram *d;
    Search *s;
    int32_t from;        /* the upper state being connected */
    int32_t *place;      /* per upper state as found: its number in order */
    int32_t *old;        /* and back */
    int32_t *dense;      /* per set as found: its number among those in use, or -1 */
    int32_t *used;       /* and back */
    Memo matrices;       /* by context, tag and sets: an entry of `made` */
    Edge *made;          /* submatrix and term of each */
    Memo content;        /* submatrices by hash of their entries */
    uint16_t **rank;     /* per set: place of each lower state; NULL until needed */
    Edge *entries;       /* scratch: to, matrix = from, term */
    int64_t entry_count; /* of all submatrices */
    double listed;       /* bytes of what is kept per upper state and per set */
    size_t made_count, made_cap, matrix_cap, from_cap, to_cap, term_cap, edge_cap, local_cap;
    size_t entries_cap;
    int64_t term_count, edge_count;
} DiagramBuild;

/* Submatrix and term of a context's tag between two sets: matrix -1 if there is no entry; NULL:
 * memory is out. */
const Edge *diagram_submatrix(DiagramBuild *build, int32_t context, int32_t tag, int32_t from,
                              int32_t to);

#endif
