/* Pictures of a model in DOT, the language of Graphviz. */
#ifndef PEPA_CLI_GRAPH_H
#define PEPA_CLI_GRAPH_H

#include "session.h"

#include <pepa_structure.h>

/* Begin a directed graph: its settings, which all pictures share. */
void dot_begin(FILE *to, const char *direction);
/* A string in quotes that stands for this text.  In labels '\n' ends a line. */
void dot_string(FILE *to, const char *text);
/* The same within a label of tags <...>. */
void dot_tagged(FILE *to, const char *text);
/* `[label="..."` of the activities of an arrow, heavy if they are shared, with the rest to come. */
void dot_activities(FILE *to, const char *label, bool shared);
/* What that means, below the picture. */
void dot_legend(FILE *to);

/* The structure of the system equation, as far as pictures need it. */
typedef struct {
    PepaStructure *model;
    PepaStructureInfo info;
    int32_t *parent; /* per node; -1: the root */
    /* Per node: what is drawn for it, itself; or, for a cooperation on the same actions as the one
     * that it is an operand of, what is drawn for that one: cooperation is associative. */
    int32_t *stands;
} Tree;
/* An exit status, with a message unless it is EXIT_SOLVED; tree_free in any case. */
int tree_new(Tree *tree, const Session *session);
void tree_free(Tree *tree);
/* Whether an action that component `leaf` offers, a node, is one on which it cooperates. */
bool tree_shares(const Tree *tree, int32_t leaf, int32_t action);

/* Each writes a picture; an exit status, as above. */
int draw_cooperation(const Session *session, FILE *to);
int draw_components(const Session *session, FILE *to);
int draw_states(const Session *session, FILE *to); /* of a session that is derived */

#endif
