/* The trace of a bulk-synchronous program: what each process computed and sent in each superstep.
 *
 * A text of lines, `#` begins a comment:
 *
 *     bsp-trace 2
 *     processes 4
 *     step 0
 *     work 0 0.004          process 0 computed for 0.004 s
 *     send 0 1 800          process 0 sent 800 bytes to process 1
 *     reply 1 0 80          process 1 answered process 0, which got 80 bytes
 *
 * Supersteps are numbered from 0; in version 1, which knows no answers, from 1.  A process without a line of its own
 * did nothing; what it sends to one process in several lines adds up, and so does its work. */
#ifndef GRID_BSP_PREDICT_TRACE_H
#define GRID_BSP_PREDICT_TRACE_H

#include <pepa.h>
#include <stdbool.h>

enum { MOST_PROCESSES = 1024 };

typedef struct {
    int32_t from, to; /* different processes */
    bool reply;       /* sent when the others have said what they get */
    double bytes;     /* > 0 */
} TraceSend;

typedef struct {
    size_t first, count; /* its sends, by from, to and reply, each once */
    int64_t same;        /* supersteps that are equal to this one, itself as well; 0: it is equal to
                          * an earlier one, `as` */
    int64_t as;
} TraceStep;

typedef struct {
    int32_t processes;
    int64_t steps;
    TraceStep *step;
    double *work; /* steps x processes, seconds */
    TraceSend *send;
} Trace;

/* `name` is what findings call the text; `diagnose` (or NULL) gets them.  All is copied.
 * O(length log length).
 * Errors: PEPA_ESYNTAX (err: the first finding), PEPA_EMODEL (no superstep), PEPA_ENOMEM. */
PepaStatus trace_read(Trace **out, const char *name, const char *text, size_t length,
                      PepaDiagnose diagnose, void *user, PepaError *err);
void trace_free(Trace *trace);

static inline const double *trace_work(const Trace *trace, int64_t step)
{
    return trace->work + step * trace->processes;
}

#endif
