/* Processors that are alike, and mappings that differ only by exchanging them.
 *
 * Two processors are alike if exchanging them changes no number of the description.  Such exchanges
 * undo and combine, so that being alike is an equivalence, and a mapping keeps its durations, stage
 * by stage, when processors are exchanged for others of their kind.  Of such mappings one stands
 * for all: that in which the processors of each kind come into use in their order, which is the
 * lexicographically first. */
#ifndef AMOGET_SYMMETRY_H
#define AMOGET_SYMMETRY_H

#include "amoget/description/description.h"

typedef struct {
    int32_t processors;
    int32_t *first; /* processors: the first of its kind */
    int32_t *next;  /* processors: the next of its kind; -1: none */
    int32_t *size;  /* processors: how many are of its kind */
} Symmetry;         /* starts as {0} */

PepaStatus symmetry_new(Symmetry *symmetry, const AmogetDescription *desc, PepaError *err);
void symmetry_free(Symmetry *symmetry);

/* The first `depth` stages of the mapping that stands for all mappings like this one. */
void symmetry_representative(const Symmetry *symmetry, const int32_t *mapping, int32_t depth,
                             int32_t *standard);

/* How many mappings of these stages the given one stands for; 0: another one stands for it. */
double symmetry_class_size(const Symmetry *symmetry, const int32_t *mapping, int32_t depth);

/* How many different processors a mapping uses. */
int32_t mapping_processors(const int32_t *mapping, int32_t stages);

#endif
