/* The flow of items from unit to unit.
 *
 * With injected times: unit u, when it can take an item, sends a credit to unit u - 1.  Unit u - 1,
 * when it has an item and a credit, sends the item.  When the item has arrived and its move has
 * taken its time, u says `moved`, and u - 1 waits for its next item.
 *
 *   Rendezvous  u can take an item when it waits.  The move ends when the process is free as well
 *               (serial sharing, sharing.h), and u begins to work.
 *   Buffered    (links between two stages)  u can take an item when its input buffer is empty, and
 *               the move ends on its own.  When u waits, it takes the item out of the buffer; that
 *               is a move within the process, and ends when the process is free.
 *
 * A credit is for one item, and there is at most one on a link.
 *
 * Without injected times this would cost three latencies per item.  So links are pushed: unit u - 1
 * sends its item at once.  It has passed the item on when it has u's credit for it, before or after
 * sending, or when u has moved it.  Then it works on its next item, and may send that too: up to
 * two items on a link have not moved, and the second one is queued behind the first (input.h).
 * Stages of s and t seconds with a latency of L between them so have a period of L + (s + t) / 2,
 * or max(s, t) if that is longer.  In the model, which holds both during the move, the period is
 * L + max(s, t).
 *
 * The first item of an epoch waits for a credit, as only the receiver knows what its buffer holds
 * then.  In a freeze (remap.h) items move without being taken.  A `moved` of a frozen process says
 * so, and no more items are pushed on that link, even if the freeze is not known to the sender yet.
 *
 * Credits hold within one epoch (remap.h); no item and no `moved` is on its way when an epoch ends.
 * Messages may overtake each other only if they concern different links.
 *
 * With injected times, in rendezvous without serial sharing, no activity waits for a choice between
 * others: when things happen depends on durations only, as in the model (a timed event graph;
 * Baccelli, Cohen, Olsder, Quadrat, Synchronization and Linearity, 1992).  Each activity begins
 * when what it waited for was due, however long the messages took. */
#ifndef GRID_PIPELINE_FLOW_H
#define GRID_PIPELINE_FLOW_H

#include "grid/pipeline/run.h"

/* Messages.  -1: failed. */
int flow_credit(Run *run, int32_t from, const Fields *fields);
int flow_item(Run *run, const Fields *fields, Message *message); /* takes the body */
int flow_moved(Run *run, int32_t from, const Fields *fields);

/* Do what can be done by now.  1: did something; 0: nothing; -1: failed. */
int flow_step(Run *run, double now);
/* When the next timer is due, after `now`, the time of the last step: what was due by then and has
 * not happened waits for something else.  HUGE_VAL: none. */
double flow_next(const Run *run, double now);
/* Does nothing work here, and is nothing known to be on its way from or to here? */
int flow_quiet(const Run *run);
/* A new epoch: forget credits. */
void flow_renew(Run *run);

#endif
