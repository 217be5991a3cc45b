/* Events of the simulation, in a heap by time; of equal times the one that was planned first. */
#ifndef TESTS_GRID_GUM_SIM_EVENTS_H
#define TESTS_GRID_GUM_SIM_EVENTS_H

#include <stddef.h>
#include <stdint.h>

typedef enum { ARRIVES, HANDLED, ENDS, WAKES, WAKES_FAR } What;
typedef struct Message Message;
typedef struct {
    double time;
    uint64_t number;
    What what;
    int32_t process;
    Message *message;
} Event;

typedef struct {
    Event *event;
    size_t count, cap;
    uint64_t number;
} Events;

/* event.number is set here.  0; -1: out of memory. */
int events_add(Events *events, Event event);
/* The first, of at least one. */
Event events_next(Events *events);

#endif
