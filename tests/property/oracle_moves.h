/* What a state of a reference model can do: the operational rules of Hillston, A Compositional
 * Approach to Performance Modelling, 1996, sections 3.2 and 3.3, rule by rule.  Immediate
 * activities are a level of rates between the timed and the passive ones.  Priorities preempt in
 * the whole system as in EMPA (Bernardo and Gorrieri, Theoretical Computer Science 202, 1998). */
#ifndef PEPA_TESTS_ORACLE_MOVES_H
#define PEPA_TESTS_ORACLE_MOVES_H

#include "property/oracle.h"
#include "property/ref_model.h"

/* The system equation with static names unfolded and P[n] written out as P <L> P <L> ... P. */
typedef struct OracleNode OracleNode;
struct OracleNode {
    RefStaticKind kind; /* REF_LEAF, REF_COOP or REF_HIDE */
    int leaf;           /* REF_LEAF: which */
    int first, end;     /* leaves first .. end-1 are below this node */
    uint32_t set;
    const OracleNode *left, *right;
};

/* The n copies of one P[n]: copy i has leaves first + i*width .. first + (i+1)*width - 1. */
typedef struct {
    int first, width, copies;
} OracleGroup;

/* A state is the local states of the leaves, in reading order: the tree never changes. */
typedef struct {
    const RefModel *model;
    Arena arena;
    const OracleNode *root;
    const RefTerm **initial; /* leaf_count local states */
    int *position;           /* of each leaf; the copies of a P[n] share theirs */
    size_t leaf_count, leaf_cap, position_cap;
    int position_count;
    OracleGroup *group; /* inner ones before those around them */
    size_t group_count, group_cap;
    double haste; /* 0, or: weight w of an immediate activity stands for a rate w x haste */
} OracleSystem;

OracleSystem oracle_system(const RefModel *model);
void oracle_system_free(OracleSystem *system);

typedef struct {
    int action; /* or REF_TAU */
    RefLevel level;
    int priority;     /* or REF_UNSTATED */
    long double rate; /* of an activity that is not timed its weight */
    const RefTerm **target;
} OracleMove;

typedef struct {
    OracleMove *item;
    size_t count, cap;
    Arena arena; /* holds the targets */
} OracleMoves;   /* starts as {0} */

/* The activities that can happen in a state, each derivation of its own: where there are
 * immediate ones these only, and among them, as elsewhere, those of the highest priority
 * (unstated: 1).
 * Errors, whether what is wrong could happen or not: ORACLE_MIXED, ORACLE_UNDRIVEN,
 * ORACLE_BAD_RATE. */
OracleStatus oracle_moves(const OracleSystem *system, const RefTerm **state, OracleMoves *moves);
void oracle_moves_free(OracleMoves *moves);

#endif
