/* What the files of choices share. */
#ifndef PEPA_CTMC_SEMANTICS_CHOICES_PRIVATE_H
#define PEPA_CTMC_SEMANTICS_CHOICES_PRIVATE_H

#include "ctmc/semantics/choices.h"

typedef int64_t Count;
typedef Choices MoveList;
#include "ctmc/semantics/numbers.h"

/* What one component of a PROG_SLOT does in a local state: the list has its moves. */
Number choices_list(Choices *choices, int32_t prog, int32_t local);
/* The apparent rate of a PROG_SLOT in the state; of copies that move together the list has their
 * moves. */
Number choices_slot(Choices *choices, int32_t prog);
/* The changes of the activity before are forgotten; those in the list are made. */
void choices_forget(Choices *choices);
void choices_moved(Choices *choices);
/* Those of an event that always makes the same are made. */
void choices_move_fixed(Choices *choices, int32_t event);

/* What one of the copies in a local state does. */
static inline Number able_value(Choices *c, int32_t prog, const ChoiceAble *able)
{
    return number_kind(able->apparent) == NUMBER_NONE ? choices_list(c, prog, able->local)
                                                      : able->apparent;
}

/* In models that preempt. */
static inline int32_t precedence_of_number(Number n)
{
    return precedence_of((RateLevel)((int)number_kind(n) - NUMBER_ACTIVE), number_priority(n));
}

/* Whether some activities of the program may preempt others of it: of tau only, whose rates need not
 * add up. */
static inline bool preempts_itself(const Choices *c, int32_t prog)
{
    return c->plan->is_tau && c->plan->is_tau[prog];
}

/* Does what has the rate n happen where `most` is the rate of all? */
static inline bool comes_first(Number n, Number most)
{
    return rate_exists(n) && precedence_of_number(n) == precedence_of_number(most);
}

/* The partial sums of a program: node 1 is the whole, node width + k operand k. */
static inline Number *tree_of(const Choices *c, int32_t prog)
{
    return c->sums + 2 * (ptrdiff_t)c->plan->first[prog];
}

#endif
