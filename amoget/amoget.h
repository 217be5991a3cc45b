/* libamoget: where should each stage of a pipeline run?  From a description of the pipeline, the
 * processors and the network to a ranking of the mappings of stages onto processors, each by the
 * throughput of its PEPA model (Benoit, Cole, Gilmore, Hillston, ICCS 2004).
 *
 *   AmogetDescription *desc = NULL;  AmogetRanker *ranker = NULL;  AmogetRanking *ranking = NULL;
 *   if (amoget_parse(&desc, "grid.amo", text, length, NULL, &err) == PEPA_OK &&
 *       amoget_ranker_new(&ranker, desc, NULL, &err) == PEPA_OK &&
 *       amoget_rank(ranker, NULL, &ranking, &err) == PEPA_OK) ...
 *
 * Conventions are those of pepa.h: outputs are written only on PEPA_OK unless stated, `err` may be
 * NULL, every _free(NULL) is legal, nothing is printed, no file is opened, there is no global
 * state.  Times are in seconds, sizes in bytes, bandwidths in bytes per second, throughputs in
 * items per second.  Stages are numbered from 0 in the order in which they were added.
 *
 * Structures that a caller fills in mean the defaults where they are zero, and end with `reserved`
 * words that must be zero.  New members take the place of these, so that sizes and offsets stay. */
#ifndef AMOGET_H
#define AMOGET_H

#include <amoget_machine.h>
#include <pepa_shared.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- descriptions ------------------------------------------------------------------------- */

typedef struct AmogetDescription AmogetDescription;

/* How the stages on one processor share it. */
typedef enum {
    AMOGET_STATIC, /* each gets an equal part of it all the time: k stages take k times as long */
    AMOGET_SERIAL  /* one at a time, each at full speed: while it works for one stage, no item comes
                      in for another (with c cores, c at a time) */
} AmogetSharing;

/* How a stage passes an item on. */
typedef enum {
    AMOGET_RENDEZVOUS, /* when the next stage is ready for it */
    AMOGET_BUFFERED    /* into a place on the link, from where the next stage takes it when ready */
} AmogetTransfer;

/* Parse and check a description; `name` is what diagnostics call it.  All is copied.
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (err: the first finding), PEPA_EARG (a define names nothing or
 * its value is none), PEPA_EIO (an include), PEPA_ELIMIT, PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_parse(AmogetDescription **out, const char *name, const char *text,
                                 size_t length, const AmogetReading *how, PepaError *err);
PEPA_API void amoget_free(AmogetDescription *desc);

/* Its processors and network: read, measured, set and asked by the functions of amoget_machine.h.
 * The description owns the machine; who may change the one may change the other. */
PEPA_API AmogetMachine *amoget_machine(const AmogetDescription *desc);

/* The same without a text.  A new description is empty, its machine too.  A stage does 1 unit of
 * work and sends nothing, unless set otherwise.
 * Errors: PEPA_EARG (a number that is not finite and in range, a name twice, no such stage or
 * processor), PEPA_ELIMIT (more than 40 stages), PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_new(AmogetDescription **out, PepaError *err);
PEPA_API PepaStatus amoget_add_stage(AmogetDescription *desc, const char *name, PepaError *err);
/* A candidate for AMOGET_LISTED: one processor per stage; every stage has been added. */
PEPA_API PepaStatus amoget_add_mapping(AmogetDescription *desc, const int32_t *mapping,
                                       PepaError *err);
PEPA_API PepaStatus amoget_set_work(AmogetDescription *desc, int32_t stage, double units,
                                    PepaError *err);
/* Bytes that a stage sends on, >= 0; stage -1: bytes that come in. */
PEPA_API PepaStatus amoget_set_output(AmogetDescription *desc, int32_t stage, double bytes,
                                      PepaError *err);
/* Durations of a stage are the sum of `phases` equal exponential ones (Erlang): the more, the more
 * constant; 1 .. 100. */
PEPA_API PepaStatus amoget_set_phases(AmogetDescription *desc, int32_t stage, int32_t phases,
                                      PepaError *err);
/* Where the data starts and must end, or AMOGET_NOWHERE: wherever the first and last stage run. */
PEPA_API PepaStatus amoget_set_ends(AmogetDescription *desc, int32_t input, int32_t output,
                                    PepaError *err);

/* AMOGET_STATIC and AMOGET_RENDEZVOUS unless set otherwise. */
PEPA_API PepaStatus amoget_set_sharing(AmogetDescription *desc, AmogetSharing sharing,
                                       PepaError *err);
PEPA_API PepaStatus amoget_set_transfer(AmogetDescription *desc, AmogetTransfer transfer,
                                        PepaError *err);

/* What a description says now, by text, measurements and setters, in the setters' units: numbers
 * come back as they were given.  The caller sees to it that there is such a stage or processor.
 * O(1). */
PEPA_API AmogetSharing amoget_sharing(const AmogetDescription *desc);
PEPA_API AmogetTransfer amoget_transfer(const AmogetDescription *desc);
PEPA_API double amoget_work(const AmogetDescription *desc, int32_t stage);
PEPA_API double amoget_output(const AmogetDescription *desc, int32_t stage); /* -1: what comes in */
PEPA_API int32_t amoget_phases(const AmogetDescription *desc, int32_t stage);
/* Processors or AMOGET_NOWHERE. */
PEPA_API void amoget_ends(const AmogetDescription *desc, int32_t *input, int32_t *output);

PEPA_API int32_t amoget_stage_count(const AmogetDescription *desc);
PEPA_API int64_t amoget_mapping_count(const AmogetDescription *desc);
PEPA_API const char *amoget_stage_name(const AmogetDescription *desc, int32_t stage);
PEPA_API const int32_t *amoget_mapping(const AmogetDescription *desc, int64_t mapping);
/* The stage of that name, or -1. */
PEPA_API int32_t amoget_find_stage(const AmogetDescription *desc, const char *name);

/* A mapping from text, "1,2,1" or "(p1, p2, p1)": `stages` entries.  Errors: PEPA_EARG (too many or
 * too few, a name that is none), PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_read_mapping(const AmogetDescription *desc, const char *text,
                                        int32_t *mapping, PepaError *err);

/* ---- models --------------------------------------------------------------------------------- */

/* Activities of a mapping's model, the same number for all: move_1, process_1, move_2, ...,
 * process_n, move_{n+1}, and with AMOGET_BUFFERED take_2, ..., take_n. */
PEPA_API int32_t amoget_activity_count(const AmogetDescription *desc);
/* Mean seconds of each.  Processing takes time x work / availability, with AMOGET_STATIC times
 * max(1, stages there / cores); a move latency + size / bandwidth; taking an item from its place
 * the processor's local latency.
 * Errors: PEPA_EARG (no such processor), PEPA_EMODEL (a latency that is needed is missing). */
PEPA_API PepaStatus amoget_durations(const AmogetDescription *desc, const int32_t *mapping,
                                     double *seconds, PepaError *err);
/* The PEPA model of a mapping: free with amoget_text_free. */
PEPA_API PepaStatus amoget_model(const AmogetDescription *desc, const int32_t *mapping, char **text,
                                 PepaError *err);
PEPA_API void amoget_text_free(char *text);

/* ---- ranking -------------------------------------------------------------------------------- */

typedef enum {
    AMOGET_AUTO,   /* listed if mappings are listed, else all if they are few, else best */
    AMOGET_LISTED, /* the description's mappings */
    AMOGET_ALL,    /* every mapping, each solved */
    AMOGET_BEST,   /* the best of all, and a proof */
    AMOGET_SEARCH_COUNT
} AmogetSearch;

PEPA_API const char *amoget_search_name(AmogetSearch search); /* "listed"; NULL out of range */

typedef struct {
    double candidates, solved, pruned; /* so far; AMOGET_BEST: pruned by bounds */
    double best;                       /* throughput found, 0 before */
    double bound;                      /* no mapping has more; +inf while not known */
    double seconds;
    uint64_t reserved[8];
} AmogetProgress;

enum { AMOGET_ENOUGH = -1 };

/* All-zero, or a NULL pointer in its place, means the defaults. */
typedef struct {
    AmogetSearch search; /* AMOGET_AUTO by default */
    int single;          /* non-zero: amoget_explain does not solve for AmogetResource.doubled */
    int64_t top;         /* entries of the ranking; 0: all of them, with AMOGET_BEST 1 */
    int threads;         /* most to use; 0: 1.  No result depends on it. */
    double time_limit;   /* seconds; 0: none.  AMOGET_BEST then answers what it has.  Some steps
                            between deriving a chain and solving it are not interrupted, nor by
                            progress: a second or two for 13 stages, 3 times that for 14 */
    double tolerance;    /* of each solution's residual, see PepaInfo; 0: 1e-12 */
    int64_t max_states;  /* of a chain; 0: 5 million, which take some gigabytes */
    int (*progress)(void *user, const AmogetProgress *now); /* or NULL; AMOGET_ENOUGH: as at the time
                            limit; anything else but 0: PEPA_ECANCEL */
    void *user;
    /* Processes that share what amoget_rank does: all of them make a ranker and call it alike, with
     * equal descriptions and settings but for threads and progress, and get the same ranking; an
     * error in one is one in all.  NULL: this one is alone.  See pepa_shared.h. */
    const PepaProcesses *processes;
    uint64_t reserved[7];
} AmogetSettings;

/* Chains for a description's pipeline, one per thread, and what earlier answers can give to later
 * ones.  The description is borrowed: its numbers may change between calls, its stages and
 * processors may not. */
typedef struct AmogetRanker AmogetRanker;
PEPA_API PepaStatus amoget_ranker_new(AmogetRanker **out, const AmogetDescription *desc,
                                      const AmogetSettings *set, PepaError *err);
PEPA_API void amoget_ranker_free(AmogetRanker *ranker);

typedef struct {
    const int32_t *mapping; /* stages entries */
    double throughput;
    int32_t states; /* of its chain */
    int64_t transitions;
    int32_t processors; /* different ones in use */
    int32_t rank;       /* from 1; tied mappings (throughput equal to 9 digits) have the same */
    int tied; /* with some other mapping, also one that `top` leaves out (AMOGET_BEST: one that it
                 does not stand for) */
    double stands_for; /* AMOGET_BEST: mappings that differ from it only by exchanging processors
                          that are alike, itself included; else 1 */
    uint64_t reserved[4];
} AmogetEntry;

typedef struct {
    AmogetSearch search; /* as carried out */
    int32_t stages, states;
    int64_t transitions; /* of the largest chain among the entries */
    double candidates;   /* mappings to choose from */
    double solved;       /* whose throughput was found */
    double pruned;       /* that bounds or symmetry rule out */
    int64_t chains;      /* chains solved: equal rates once, and what bounds took */
    int optimal;         /* the first entry is best of all candidates, and proved to be */
    double bound;        /* no candidate has a larger throughput */
    double seconds;
    /* Best first; of tied ones those with the fewest processors first, then in the description's
     * order (AMOGET_LISTED) or by processors, stage by stage. */
    int64_t count;
    const AmogetEntry *entries;
    uint64_t reserved[8];
} AmogetRanking;

/* Rank at the description's numbers of now.
 * Errors: PEPA_EARG (AMOGET_LISTED without mappings), PEPA_EMODEL (missing latencies), PEPA_ENOCONV
 * (some mapping is not solved to the tolerance), PEPA_ELIMIT (too many states; too many mappings
 * for AMOGET_ALL; time, except with AMOGET_BEST), PEPA_ECANCEL, PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_rank(AmogetRanker *ranker, const AmogetSettings *set,
                                AmogetRanking **out, PepaError *err);
PEPA_API void amoget_ranking_free(AmogetRanking *ranking);

/* ---- explanation ---------------------------------------------------------------------------- */

typedef enum { AMOGET_PROCESSOR, AMOGET_LINK, AMOGET_WITHIN } AmogetKind;

/* Something that could be made faster: a processor, the link of two, moves within one. */
typedef struct {
    AmogetKind kind;
    int32_t a, b;   /* processors; b: AMOGET_LINK only, else equal to a */
    double share;   /* elasticity: 1% faster gives share % more throughput (AMOGET_SERIAL: can be
                       negative, if others are then held up more) */
    double doubled; /* throughput if it were twice as fast, solved afresh; 0: not requested */
    uint64_t reserved[4];
} AmogetResource;

typedef struct {
    double throughput;
    int32_t parts;           /* amoget_activity_count: in the order of amoget_durations */
    const double *seconds;   /* mean duration of each activity */
    const double *share;     /* of each in the time per item: elasticities; sum 1 */
    const int32_t *resource; /* that each activity uses */
    int32_t resource_count;
    const AmogetResource *resources; /* largest share first: resources[0] is the bottleneck */
    PepaInfo solution;
    uint64_t reserved[8];
} AmogetExplanation;

/* What a mapping's throughput depends on.  Costs one solution, one more for the sensitivities and,
 * unless set->single, one per resource.  Of the settings it heeds single, tolerance (never looser
 * than 1e-12), progress and time_limit.  At the time limit there is no explanation, but
 * PEPA_ELIMIT: the function returns within 0.1 s plus what AmogetSettings.time_limit does not
 * interrupt.  The ranker's max_states holds.  Errors: PEPA_EARG (no such processor), PEPA_EMODEL
 * (missing latencies), PEPA_ENOCONV, PEPA_ELIMIT (too many states, or time), PEPA_ECANCEL,
 * PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_explain(AmogetRanker *ranker, const int32_t *mapping,
                                   const AmogetSettings *set, AmogetExplanation **out,
                                   PepaError *err);
PEPA_API void amoget_explanation_free(AmogetExplanation *explanation);

#ifdef __cplusplus
}
#endif
#endif
