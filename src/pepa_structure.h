/* The structure of a model before any state is explored: the system equation as a tree, and the
 * sequential components with their local states and activities.  For pictures and translations.
 *
 *   PepaStructure *structure = NULL;
 *   if (pepa_structure_new(&structure, model, &err) == PEPA_OK) {
 *       PepaNode root = pepa_structure_node(structure,
 *                                           pepa_structure_info(structure).nodes - 1);
 *       printf("%s\n", root.kind == PEPA_NODE_COOPERATION ? "a cooperation" : "something else");
 *   }
 *   pepa_structure_free(structure);
 */
#ifndef PEPA_STRUCTURE_H
#define PEPA_STRUCTURE_H

#include "pepa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PepaStructure PepaStructure;

/* Keeps the model alive.  O(nodes + local states + activities + text of their rates).
 * Errors: PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_structure_new(PepaStructure **out, const PepaModel *model, PepaError *err);
PEPA_API void pepa_structure_free(PepaStructure *structure);

typedef struct {
    int32_t nodes;        /* of the system equation; the last one is its root */
    int32_t local_states; /* that a component can be in, or that a rate counts */
    int32_t activities;
    int32_t actions; /* types, tau among them */
    uint64_t reserved[4];
} PepaStructureInfo;
PEPA_API PepaStructureInfo pepa_structure_info(const PepaStructure *structure);

typedef enum {
    PEPA_NODE_COMPONENT,   /* a sequential component, from local state `local` on */
    PEPA_NODE_COOPERATION, /* left <action, ...> right */
    PEPA_NODE_HIDING,      /* left / {action, ...} */
    PEPA_NODE_COPIES       /* left[copies], which cooperate on action, ...; often on none */
} PepaNodeKind;

/* A node of the system equation, in which names of cooperations are unfolded.  Operands have smaller
 * numbers than the nodes that use them. */
typedef struct {
    PepaNodeKind kind;
    int32_t left, right; /* nodes; -1: there is none */
    int32_t local;       /* of PEPA_NODE_COMPONENT; else -1 */
    int64_t copies;      /* of PEPA_NODE_COPIES; else 1 */
    int32_t action_count;
    const int32_t *action; /* action_count numbers of actions, ascending; <*> is written out */
    uint64_t reserved[2];
} PepaNode;
PEPA_API PepaNode pepa_structure_node(const PepaStructure *structure, int32_t node);

/* A local state and its activities, numbers first .. first + count - 1. */
typedef struct {
    const char *name; /* as defined; made up, as Stage_2, for one without a name */
    int32_t first, count;
    int32_t whole; /* the local state that this one is a phase of; itself: of none */
    int32_t unused;
    uint64_t reserved[1];
} PepaLocal;
PEPA_API PepaLocal pepa_structure_local(const PepaStructure *structure, int32_t local);

/* (action, rate).target */
typedef struct {
    int32_t action, target; /* target: a local state */
    int passive;            /* the rate is a weight: it waits for who drives it */
    double value;           /* of the rate, or of the weight; NaN if it depends on the state */
    const char *rate;       /* as in the text, laid out afresh; T stands for infty */
    int immediate;          /* the rate is a weight: it takes no time */
    int priority;           /* as stated; -1: none is */
    uint64_t reserved[1];
} PepaActivity;
PEPA_API PepaActivity pepa_structure_activity(const PepaStructure *structure, int32_t activity);

PEPA_API const char *pepa_structure_action_name(const PepaStructure *structure, int32_t action);

#ifdef __cplusplus
}
#endif
#endif
