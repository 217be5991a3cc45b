/* How items go from unit to unit.
 *
 * With injected times, unit u that can take an item sends a credit to unit u - 1's process.  Unit u
 * - 1, with an item to pass on and a credit, sends the item.  When it has arrived and its move has
 * taken its time, u says `moved`, and u - 1 waits for its next item.
 *
 * Rendezvous: u can take an item when it waits; the move ends when, besides, the process is free
 * (serial sharing, turns.h), and with it u begins to work.
 *
 * Buffered links, which are those between two stages: u can take an item when its inlet is empty;
 * the move ends on its own; u takes the item from there when it waits, which is a move within the
 * process, and ends when the process is free.
 *
 * A credit is for one item, and there is never more than one on a link: an item that arrives is one
 * that was asked for.
 *
 * Without injected times, that would cost three times a link's latency, one after the other.  There
 * links are pushed: unit u - 1 sends its item at once, and has passed it on when u's credit for it
 * is there, be it before or after that, or u has moved it.  Then it works on its next item while
 * this one is under way, and may send that as well: up to two items on a link have not moved, and
 * the second one waits behind the inlet.  So stages s and t with a latency of L between them have a
 * period of L + (s + t) / 2, or of the longer of s and t if that is more; with what the model says,
 * where both are held during the move, it is L + max(s, t).  The first item of an epoch waits for a
 * credit: what an inlet has in an epoch's beginning, nobody knows elsewhere.
 *
 * Credits are good within one epoch (shift.h); items and `moved` are never under way when an epoch
 * ends.  A credit that overtakes, or is overtaken by, an item or a `moved`
 * concerns another link.
 *
 * With injected times, in rendezvous without serial sharing no activity ever waits for a choice
 * between others: when things happen depends on their durations only, as in the model (a timed
 * event graph; see Baccelli, Cohen, Olsder, Quadrat, Synchronization and Linearity, 1992).  Each
 * activity begins when what it waited for was due, whatever the messages took. */
#ifndef GRID_FLOW_H
#define GRID_FLOW_H

#include "grid/run.h"

/* Errors: -1 after run_fail. */
int flow_credit(Run *run, const Message *message);
int flow_item(Run *run, Message *message); /* takes the body */
int flow_moved(Run *run, const Message *message);

/* Do what can be done by now.  1: something was; 0: nothing. */
int flow_step(Run *run, double now);
/* When the next timer is due, after `now`, which is that of the last step: what was due by then and
 * has not happened waits for something else.  HUGE_VAL: none. */
double flow_next(const Run *run, double now);
/* Does nothing work, and is nothing on its way from or to here that is known of? */
int flow_quiet(const Run *run);
/* Under a new mapping: forget credits. */
void flow_renew(Run *run);

#endif
