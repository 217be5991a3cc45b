/* Constants of sharing.  Work is in entries of the generator, as it takes a sweep to multiply and
 * add one. */
#ifndef PEPA_CTMC_SHARE_TUNING_H
#define PEPA_CTMC_SHARE_TUNING_H

/* Chunks at most; where there are more than some, each has the work of a message on average.  Seconds that two
 * processes take to plan and to sweep, and one that sweeps, on locks 8 10, diners 9 and raid 20 8 of
 * bench/structures: 0.4 0.9 0.4, and 0.2 0.6 0.2; with up to 16,384 chunks however small: 2.2 2.4 2.0. */
enum { SHARE_MOST = 65536, SHARE_FEW = 256 };
/* Work that a process may have, in shares; passes of refining.  Moves that a pass of climbing tries
 * beyond the best that it has found; the part of all copies that is worth another pass. */
#define SHARE_UNEVEN 1.03
enum { SHARE_PASSES = 6, SHARE_PATIENCE = 300 };
#define SHARE_ENOUGH 0.01
/* To send or to receive one state, and a message. */
#define SHARE_COPY    1.0
#define SHARE_MESSAGE 3e3
/* Seconds that an entry takes. */
#define SHARE_ENTRY 1.1e-9
/* A copy that passes can be received as long before it is first read as so many messages take. */
#define SHARE_LEAD 8
/* Sweeps that are simulated; the part of the time that is worth as much as a copy of every state. */
enum { SHARE_SWEEPS = 4 };
#define SHARE_MEMORY 0.3
/* Of the least cost: to look for less takes longer than it saves. */
#define SHARE_NEAR 1.05

#endif
