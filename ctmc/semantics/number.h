/* Rates as numbers: none, active and passive ones, of which the last have weights; and what active
 * and passive rates make where they meet. */
#ifndef PEPA_CTMC_SEMANTICS_NUMBER_H
#define PEPA_CTMC_SEMANTICS_NUMBER_H

typedef enum { NUMBER_NONE, NUMBER_ACTIVE, NUMBER_PASSIVE, NUMBER_MIXED } NumberKind;
typedef struct {
    double value;
    NumberKind kind;
} Number;

#endif
