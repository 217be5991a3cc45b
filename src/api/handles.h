/* The structures of the public handles. */
#ifndef PEPA_API_HANDLES_H
#define PEPA_API_HANDLES_H

#include <stdatomic.h>

#include "pepa_shared.h"
#include "ctmc/chain.h"
#include "parser/ast.h"
#include "parser/model.h"

/* A model lives as long as its handle or some chain derived from it. */
struct PepaModel {
    Model *model;
    atomic_int users;
};

/* The syntax tree of a model, in which rates that were given another value have it.  Errors:
 * PEPA_ENOMEM. */
PepaStatus model_tree(const Model *model, Arena *arena, Ast **ast);

/* The model's number of a rate.  Errors: PEPA_EARG, with the name that was perhaps meant;
 * PEPA_ENOMEM. */
PepaStatus model_find_rate(const Model *model, const char *name, int32_t *rate, PepaError *err);

/* Local states as they are numbered for clients: those that some component has, in the order of
 * the model's.  Their phases are counted with them. */
typedef struct {
    int32_t *offset;       /* of each position in a count vector */
    int32_t *local;        /* per entry of a count vector: its local state's public id */
    int32_t *offset_apart; /* of each position in a count vector in which phases are apart, ... */
    int32_t *entry;        /* ... and per entry of that: where it is counted */
    int32_t *model_local;  /* per public local state id: its id in the model */
    int32_t local_states;
} LocalIds; /* starts as {0} */
PepaStatus local_ids_new(LocalIds *ids, const System *system, PepaError *err);
void local_ids_free(LocalIds *ids);
/* A count vector, from one in which phases are apart (measures.h). */
void local_ids_fold(const LocalIds *ids, int32_t positions, const double *apart, double *counts);
/* Shares of the copies of each position, and sums per local state, of a count vector. */
void local_ids_shares(const LocalIds *ids, const System *system, double *counts);
void local_ids_sum(const LocalIds *ids, int32_t positions, const double *counts, double *sum);
/* That of a state.  Errors: PEPA_ENOMEM. */
PepaStatus local_ids_counts(const LocalIds *ids, const System *system, const int32_t *cells,
                            int32_t *counts, PepaError *err);
PepaPosition local_ids_position(const LocalIds *ids, const System *system, int32_t position);

struct PepaChain {
    PepaModel *owner;
    Chain *chain;
    LocalIds ids;
};

/* The settings of a caller (NULL: none), checked, with the defaults where they are zero.
 * Errors: PEPA_EARG. */
PepaStatus settings_complete(PepaSettings *out, const PepaSettings *given, PepaError *err);
/* Not one that processes have spread: PEPA_EARG. */
PepaStatus chain_is_whole(const PepaChain *handle, PepaError *err);
/* At least one time; finite, from 0 on, ascending.  Errors: PEPA_EARG. */
PepaStatus times_check(const double *time, size_t count, PepaError *err);
/* Whether all reserved words are zero: the caller has set nothing that is not known here. */
#define ALL_ZERO(words) all_zero(words, sizeof(words) / sizeof *(words))
bool all_zero(const uint64_t *words, size_t count);

#endif
