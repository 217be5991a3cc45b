/* Cases that are not in pipes.c. */
#ifndef GRID_TESTS_CASES_H
#define GRID_TESTS_CASES_H

/* models.c: runs with injected times. */
void rows_of_the_table(void);
void constant_times(void);
void a_change(void);
void samples(void);
void measured_samples(void);
void platforms_do_not_fit(void);

/* steered.c: a period of a millisecond. */
void a_millisecond(void);

/* memory.c */
void memory(void);

/* ring.c */
void a_token_goes_round(void);
void a_token_breaks(void);
void rings_differ(void);

#endif
