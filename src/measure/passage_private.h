/* What the files of passage times share. */
#ifndef PEPA_MEASURE_PASSAGE_PRIVATE_H
#define PEPA_MEASURE_PASSAGE_PRIVATE_H

#include "measure/passage.h"

struct Passage {
    const Chain *chain;
    const RateValues *at;
    UniformEnd end;
    const PepaSettings *set;
    Uniform *uniform;
    double *start;    /* per state; 0 where the passage ends */
    double *x, *next; /* after the last step */
    double *left;     /* after each step: the probability that the passage has not ended */
    double *ended;    /* that it ends with the step after it; of the last step it is not known */
    size_t count, cap;
    double change; /* |x - x before|_1 of the last step */
    StepClock clock;
};

#endif
