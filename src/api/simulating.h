/* One simulation, as the functions of pepa_simulate.h and experiments run it. */
#ifndef PEPA_API_SIMULATING_H
#define PEPA_API_SIMULATING_H

#include "api/handles.h"
#include "measure/simulation.h"
#include "pepa_simulate.h"

/* Whether options make sense.  Errors: PEPA_EARG. */
PepaStatus simulating_check(const PepaSimulation *how, PepaError *err);
/* The error that one run is too few: PEPA_EARG. */
PepaStatus simulating_one_run(PepaError *err);
/* The job with these options, and the defaults. */
SimulationJob simulating_job(const PepaSimulation *how);
/* simulate_times or simulate_steady.  set: complete. */
PepaStatus simulating_run(const PepaModel *model, const Query *query, const SimulationJob *job,
                          const PepaSettings *set, PepaEstimate *out, SimulationFound *found,
                          PepaError *err);
/* simulation_pace, 1 where it has no bound. */
PepaStatus simulating_pace(const PepaModel *model, const SimulationJob *job,
                           const PepaSettings *set, double *pace, PepaError *err);

#endif
