/* How a run ends: process 0 has the last word. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "grid/clock.h"
#include "grid/guard.h"
#include "grid/run.h"
#include "grid/shift.h"

void run_stop(Run *run, const GridError *err)
{
    Head head = {.saying = SAY_STOP, .epoch = run->epoch};
    if (run->stopped)
        return;
    shift_end(run);
    if (err != &run->ending.error)
        run->ending.error = *err;
    run->wire.last_words = 1;
    run->stopped = 1;
    guard_doubt(NULL);
    if (wire_send_all(&run->wire, &head, &run->ending, sizeof run->ending, 0))
        (void)run_wire_failed(run);
}

/* What has been sent goes, as far as it does in a second: MPI may know of a lost process or not. */
void run_give_up(Run *run, int32_t lost, int32_t speaker)
{
    GridError error = {.code = GRID_ELOST, .speaker = speaker};
    (void)snprintf(error.message, sizeof error.message,
                   "%s has not answered for %g s: it is lost, or needs more patience",
                   run_process_words(run, lost).text, run->patience);
    run->lost = 1;
    if (run->wire.rank == 0) {
        run_stop(run, &error);
        double until = clock_now() + 1;
        Backoff backoff;
        for (backoff_reset(&backoff); run->wire.sending && clock_now() < until;) {
            if (wire_progress(&run->wire))
                break;
            backoff_wait(&backoff, until);
        }
    }
    run->ending.error = error;
    run->stopped = 1;
}

void run_give_in(Run *run)
{
    if (run->stopped)
        return;
    if (run->wire.rank == 0) {
        run_stop(run, &run->ending.error);
        return;
    }
    Head head = {.saying = SAY_FAILED, .epoch = run->epoch};
    run->wire.last_words = 1;
    if (wire_send_bytes(&run->wire, 0, &head, &run->ending.error, sizeof run->ending.error)) {
        run->lost = 1; /* without memory and MPI there is nobody to tell */
        run->stopped = 1;
    }
}

void run_accept_ending(Run *run, const Message *message)
{
    assert(message->body.size == sizeof run->ending);
    memcpy(&run->ending, message->body.bytes, sizeof run->ending);
    run->lost = run->ending.error.code == GRID_ELOST;
    run->stopped = 1;
}

void run_accept_report(Run *run, const Message *message)
{
    GridReport report = run->ending.report, told;
    memcpy(&told, message->body.bytes, sizeof told);
    report.items = told.items;
    report.seconds = told.seconds;
    report.throughput = told.throughput;
    run->ending.report = report;
    run_stop(run, &run->ending.error);
}
