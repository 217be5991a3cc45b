/* Any bytes, as the trace of a program: nothing is refused without a word, and what is accepted has
 * finite numbers and processes that there are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/predict/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message) + strlen(each->excerpt);
}

static void check(const Trace *t)
{
    int64_t same = 0;
    for (int64_t i = 0; i < t->steps; i++) {
        const TraceStep *step = &t->step[i];
        same += step->same;
        for (int32_t p = 0; p < t->processes; p++)
            if (!(trace_work(t, i)[p] >= 0))
                abort();
        for (size_t k = step->first; k < step->first + step->count; k++)
            if (!(t->send[k].bytes > 0) || t->send[k].from < 0 || t->send[k].to < 0 ||
                t->send[k].from >= t->processes || t->send[k].to >= t->processes)
                abort();
    }
    if (same != t->steps)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Trace *trace = NULL;
    PepaError err = {0};
    size_t said = 0;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    PepaStatus status = trace_read(&trace, "fuzz", text, size, count, &said, &err);
    if (status == PEPA_OK)
        check(trace);
    else if (!err.message[0] || said == 0)
        abort();
    trace_free(trace);
    free(text);
    return 0;
}
