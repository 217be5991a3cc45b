/* Tuned numbers of waiting, clocks and lost processes.  Those that say so are estimates: nobody has
 * measured what another value does. */
#ifndef GRID_CORE_TUNING_H
#define GRID_CORE_TUNING_H

/* Seconds of the first sleep between two looks at MPI, of the longest, and the factor from one to
 * the next.  Short sleeps answer sooner, long ones leave the core to others.  The longest is
 * reached after 15 looks that find nothing, 2.2 ms.  Estimates, not measured.  In collectives, where
 * processes wait for each other in turn, it is shorter: with 500 microseconds an allreduce of 1 kB over
 * three clusters takes 1.106 times its bound, with 100 1.087 times (bench/collectives.sh); a process
 * that waits for 5 s takes 4 and 12% of a core. */
#define FIRST_SLEEP 20e-6
#ifndef MOST_SLEEP /* another one for long simulations: grid/gum/gum.mk */
#define MOST_SLEEP 500e-6
#endif
#define TURN_SLEEP  100e-6
#define GROWTH      1.25

/* Seconds of silence after which a process is lost, if the caller says nothing.  Fewer end a run
 * sooner after a loss, more allow longer work without a message.  `bench/lab.sh patience`: links of
 * 200 ms one way are not mistaken for lost processes with 10 s, nor with 2 s. */
#define DEFAULT_PATIENCE 10.0

/* Signs of life in a time of patience, and seconds between two at most.  More of them tell a loss
 * from a delay of one better, and are more messages.  Estimates, not measured. */
#define SIGNS_OF_PATIENCE 4.0
#define LONGEST_PERIOD    0.5

/* A process is late when it has been silent for so many times its usual silence.  That is the
 * longest one, of which each message makes so much be left: half of it after 34.  A smaller factor
 * names a lost machine sooner, and names one that is only slow more often.  Estimates, not
 * measured. */
#define LATE           1.5
#define SILENCE_FORGET 0.98

/* The shortest round trip shows the difference of two clocks best.  Each longer one makes it count
 * as so much longer: twice as long after 35.  Forgetting follows clocks that drift, remembering
 * keeps out the errors of longer trips.  An estimate, not measured. */
#define ROUND_TRIP_FORGET 1.02

#endif
