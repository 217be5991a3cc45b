/* What the parts of the server share: who may ask, the limits of jobs, and the jobs. */
#ifndef PEPA_SERVE_STATE_H
#define PEPA_SERVE_STATE_H

#include <microhttpd.h>

#include "serve/guard.h"
#include "serve/job.h"
#include "serve/places.h"
#include "serve/tables.h"

typedef struct Stream Stream;
typedef struct {
    Guard guard;
    JobLimits limits;
    const char *model; /* what the page begins with, name and text; or NULL */
    const char *model_name;
    struct MHD_Daemon *daemon;
    Stream *streams; /* jobs, and those that hear of them */
    Tables tables;
    Places places;
    int64_t jobs; /* how many there have been */
    int signals;  /* a signalfd */
} Server;

#endif
