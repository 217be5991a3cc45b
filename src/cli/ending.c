/* Signals that ask a long computation to end with what it has. */
#define _XOPEN_SOURCE 700
#include "ending.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t told;
static volatile double first; /* seconds on the clock, when it was; the handler's */

static void note(int number)
{
    const double patience = 0.5;
    struct timespec clock;
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
    if (!told) {
        first = now;
        told = 1;
    } else if (now - first > patience) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

void ending_listen(const int *number, size_t count, bool listens)
{
    struct sigaction before,
        action = {.sa_handler = listens ? note : SIG_DFL, .sa_flags = SA_RESTART};
    if (!listens && told)
        return;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < count; i++)
        (void)sigaddset(&action.sa_mask, number[i]);
    for (size_t i = 0; i < count; i++)
        if (sigaction(number[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(number[i], &action, NULL);
}

bool ending_told(void)
{
    return told;
}
