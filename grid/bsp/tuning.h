/* Tuned numbers of BSP programs. */
#ifndef GRID_BSP_TUNING_H
#define GRID_BSP_TUNING_H

/* Looks before a process sleeps until it is woken.  Measured on 2 cores that other programs used as
 * well: an empty superstep of 2 processes took 0.7 us with yields, 24 us with as many pauses; of 12
 * processes 19 us with 3 to 50 yields, 26 us with none, 21 us after 10 pauses.  Where nothing else
 * runs, a pause is shorter than a yield. */
#define ALONE_PAUSES   8
#define ALONE_YIELDS   1000
#define CROWDED_YIELDS 200

/* The most bytes of a message to another machine.  More takes several: messages of this size MPIs send
 * at once (Open MPI: up to 65536 bytes over TCP, a header included), longer ones only when the receiver
 * has answered, which takes two latencies more. */
#define AT_ONCE 64000

/* The bytes of the first message to each process.  The receiver is ready for it; what follows it learns
 * from the first one. */
#define FIRST_MESSAGE AT_ONCE

/* The bytes that are sent in such messages.  What comes after them is one long message: while these are
 * on their way the receiver answers.  A link of 1 Gbit/s and 35 ms holds as much. */
#define AT_ONCE_MOST (64 * AT_ONCE)

/* Messages are chosen instead of shared memory if they take less than this part of the time: shared
 * memory also copies less. */
#define CLEARLY 0.8

/* Seconds of an exchange by messages from which on one-sided communication is not measured: it takes three
 * latencies instead of one, and can only be quicker where those are short against the rest. */
#define LONG_EXCHANGE 1e-3

/* The bytes by which connections to other machines are warmed up where an exchange takes that long: to each
 * process, and to all.  Twelve supersteps with up to 200 kB for each pair, over links of 100 Mbit/s and
 * 35.8 ms, took 1.17 s with BBR and 1.03 s with Reno; after a warm-up by 100 kB 0.90 and 0.78 s, by 300 kB
 * 0.79 and 0.70 s, by 1 MB 0.70 and 0.71 s.  The warm-up took 0.22, 0.33 and 0.47 s. */
#define WARM_UP_EACH (1 << 20)
#define WARM_UP_ALL  (4 << 20)

/* How often latencies between hosts are measured, for the least; and what shorter ones count as, in seconds: within a
 * machine room, where waiting for a process that sleeps makes more of a difference than the links. */
#define LATENCY_ROUNDS 5
#define LATENCY_LEAST  0.2e-3

/* Bytes that are collected for each process before they go into shared memory.  Small puts of 8 bytes
 * took 13 ns without this where a superstep sends a thousand. */
#define STAGE 4096

/* From this size on unbuffered puts and gets are copied by the system from process to process: below
 * that a system call costs more than it saves. */
#define DIRECT_LEAST (32 << 10)

/* How far ahead of the entry that it is at the receiver reads, in bytes. */
#define PREFETCH 1024

/* The longest message, in bytes: MPI counts in int. */
#define LONGEST_MESSAGE (1u << 30)

/* The part of the address space that shared memory may take in all, and of it the most for one pair of
 * processes.  Pages that are not used take no memory. */
#define SHARED_SPACE (UINT64_C(1) << 44)
#define SHARED_MOST  (UINT64_C(1) << 34)

#endif
