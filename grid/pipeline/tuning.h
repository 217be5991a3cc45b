/* Tuned numbers of the pipeline. */
#ifndef GRID_PIPELINE_TUNING_H
#define GRID_PIPELINE_TUNING_H

/* Items on a pushed link that have not moved: one per direction, so that latency does not slow a
 * link whose stages work longer than that.  More would hold more items in memory.  The number
 * follows from the two directions; others were not measured. */
enum { MOST_PUSHED = 2 };

/* Times of departures that are kept, an even number: memory against the time between two of them.
 * An estimate, not measured. */
enum { DEPARTURE_TIMES = 2048 };

/* Seconds between two probes of a process, at least.  More probes show a change sooner, but a probe
 * takes about a millisecond (PROBE_STEPS): at most 0.4% of the time.  `bench/adapt.sh` shows what
 * decisions and measuring take together: 0.5% to 0.6% of a run with a period of 1.5 s.  Other
 * values were not measured. */
#define LEAST_PROBE_PERIOD 0.25

#endif
